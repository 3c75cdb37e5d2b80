//! `cargo xtask bench`: measures in a real browser, and natively what the maths crate has benches for.

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::build;
use crate::node::{self, Stage};
use crate::project::Project;
use crate::run;

/// The crate with native benches, which is the name of these.
const NATIVE: &str = "posenc";

/// `cargo xtask bench`. A bench is a script in tests/bench, or the native ones of a crate: it prints its figures and fails
/// when one is missed.
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
    let names: Vec<String> = scripts.iter().map(|path| named(path)).chain([NATIVE.into()]).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        bail!("there is no bench `{unknown}`; there are: {}", names.join(", "));
    }
    let chosen = |name: &String| wanted.is_empty() || wanted.contains(name);
    scripts.retain(|path| chosen(&named(path)));

    let mut missed = Vec::new();
    let mut run = |name: String, command: &mut std::process::Command| {
        println!("\n== {name}");
        if let Err(error) = run::run(command) {
            eprintln!("{error:#}");
            missed.push(name);
        }
    };
    if !scripts.is_empty() {
        build::run(project, build::Options::default())?;
        let stage = Stage::set(project)?;
        for script in &scripts {
            run(named(script), stage.node().arg(script));
        }
    }
    if chosen(&NATIVE.into()) {
        let mut cargo = run::command("cargo");
        run(NATIVE.into(), cargo.current_dir(&project.root).args(["bench", "--package", NATIVE]));
    }
    if !missed.is_empty() {
        bail!("figures were missed in: {}. Again: cargo xtask bench {}", missed.join(", "), missed.join(" "));
    }
    println!("\nevery figure was reached");
    Ok(())
}
