//! `cargo xtask bench`: measures in a real browser, and natively what the maths crate has benches for.

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::build;
use crate::node::{self, Stage};
use crate::project::Project;
use crate::run;

/// `cargo xtask bench`. A bench is a script in tests/bench that prints its figures and fails when one is missed.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut wanted = Vec::new();
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Value(name) => wanted.push(name.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = project.root.join("tests/bench");
    let named =
        |path: &std::path::Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut scripts = node::scripts(&folder, &[".mjs"]);
    scripts.retain(|path| path.parent() == Some(&folder));
    if let Some(unknown) = wanted.iter().find(|name| !scripts.iter().any(|path| named(path) == **name)) {
        bail!(
            "there is no bench `{unknown}`; there are: {}",
            scripts.iter().map(|path| named(path)).collect::<Vec<_>>().join(", ")
        );
    }
    scripts.retain(|path| wanted.is_empty() || wanted.contains(&named(path)));
    if scripts.is_empty() {
        bail!("there are no benches in tests/bench");
    }

    build::run(project, build::Options::default())?;
    let stage = Stage::set(project)?;
    let mut missed = Vec::new();
    for script in &scripts {
        println!("\n== {}", named(script));
        if let Err(error) = run::run(stage.node().arg(script)) {
            eprintln!("{error:#}");
            missed.push(named(script));
        }
    }
    if wanted.is_empty() && project.root.join("crates/posenc/benches").is_dir() {
        println!("\n== posenc, native");
        run::run(run::command("cargo").current_dir(&project.root).args(["bench", "--package", "posenc"]))?;
    }
    if !missed.is_empty() {
        bail!("figures were missed in: {}. Again: cargo xtask bench {}", missed.join(", "), missed.join(" "));
    }
    println!("\nevery figure was reached");
    Ok(())
}
