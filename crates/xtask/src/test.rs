//! `cargo xtask test`: every test there is, in an order that finds cheap mistakes first.

mod browser;
mod code;
mod debug_text;

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::build;
use crate::node::{self, Stage};
use crate::project::Project;
use crate::run;
use crate::setup;
use crate::size;

/// A step: its name, what it does, whether the inner loop has it, and how to do it.
struct Step {
    name: &'static str,
    about: &'static str,
    quick: bool,
    run: fn(&Project) -> Result<()>,
}

const STEPS: [Step; 13] = [
    Step { name: "fmt", about: "formatting", quick: true, run: fmt },
    Step { name: "clippy", about: "clippy for the host, warnings are errors", quick: true, run: clippy },
    Step { name: "clippy-wasm", about: "clippy for wasm32, warnings are errors", quick: false, run: browser::clippy },
    Step { name: "doc", about: "rustdoc, warnings are errors", quick: false, run: doc },
    Step { name: "package", about: "posenc as it would be published, nothing uploaded", quick: false, run: package },
    Step { name: "unit", about: "native tests and doctests of all crates", quick: true, run: unit },
    Step {
        name: "code",
        about: "the code that the app writes, run in NumPy, PyTorch and Rust",
        quick: false,
        run: code::test,
    },
    Step { name: "wasm", about: "wasm-pack test in headless Chromium", quick: false, run: browser::test },
    Step {
        name: "build",
        about: "the site, optimised",
        quick: false,
        run: |project| build::run(project, build::Options::default()),
    },
    Step { name: "size", about: "the first load against its budget", quick: false, run: size::report },
    Step { name: "e2e", about: "journeys through dist/ in headless Chromium", quick: false, run: end_to_end },
    Step { name: "hosting", about: "nginx and Caddy with the configurations in hosting/", quick: false, run: hosting },
    Step { name: "cross", about: "the same site in Firefox and WebKit", quick: false, run: cross },
];

/// `cargo xtask test`.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut quick = false;
    let mut only = Vec::new();
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Long("quick") => quick = true,
            Arg::Long("only") => only.push(args.value()?.string()?),
            Arg::Long("list") => {
                for step in &STEPS {
                    println!("{:<12} {}", step.name, step.about);
                }
                return Ok(());
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if let Some(unknown) = only.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        bail!("there is no step `{unknown}`; there are: {}", STEPS.map(|step| step.name).join(", "));
    }
    // The inner loop looks at the site when it is there as it would be built now, and does not build it.
    let site = quick && build::is_fresh(project)?;
    let chosen = |step: &&Step| {
        if only.is_empty() {
            !quick || step.quick || (site && step.name == "e2e")
        } else {
            only.iter().any(|name| name == step.name)
        }
    };
    perform(project, &STEPS.iter().filter(chosen).collect::<Vec<_>>())?;
    if quick && !site {
        println!(
            "(dist/ is older than its sources: the end-to-end tests were left out. Run `cargo xtask build` first to have them)"
        );
    }
    Ok(())
}

fn perform(project: &Project, steps: &[&Step]) -> Result<()> {
    let mut times = Vec::new();
    let begin = Instant::now();
    let mut failed = None;
    for step in steps {
        println!("\n== {}: {}", step.name, step.about);
        let begin = Instant::now();
        let outcome = (step.run)(project);
        times.push((step.name, begin.elapsed().as_secs_f64()));
        if let Err(error) = outcome {
            failed = Some((step.name, error));
            break;
        }
    }
    println!();
    for (name, seconds) in times {
        println!("{name:<12} {seconds:>7.1} s");
    }
    println!("{:<12} {:>7.1} s", "in all", begin.elapsed().as_secs_f64());
    if let Some((name, error)) = failed {
        bail!("{error:#}\nFAILED at the step `{name}`. That step alone: cargo xtask test --only {name}");
    }
    println!("passed: {}", steps.iter().map(|step| step.name).collect::<Vec<_>>().join(", "));
    Ok(())
}

fn cargo(project: &Project, args: &[&str]) -> Command {
    let mut cargo = run::command("cargo");
    cargo.current_dir(&project.root).args(args);
    cargo
}

fn fmt(project: &Project) -> Result<()> {
    setup::host_components(project)?;
    run::run(&mut cargo(project, &["fmt", "--all", "--check"]))?;
    run::run(&mut cargo(project, &["fmt", "--manifest-path", "crates/wbg/Cargo.toml", "--check"]))
}

fn clippy(project: &Project) -> Result<()> {
    debug_text::check(project)?;
    setup::host_components(project)?;
    run::run(&mut cargo(project, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn doc(project: &Project) -> Result<()> {
    run::run(cargo(project, &["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// What is not committed yet is packed too: a step that passes only in a clean checkout would not be run.
fn package(project: &Project) -> Result<()> {
    run::run(&mut cargo(project, &["publish", "--quiet", "--dry-run", "--allow-dirty", "--package", "posenc"]))
}

fn unit(project: &Project) -> Result<()> {
    run::run(&mut cargo(project, &["test", "--quiet", "--workspace"]))
}

/// The most files of journeys that are walked at a time: more browsers disturb what is timed by the clock of the page.
const MOST_AT_A_TIME: usize = 4;

fn end_to_end(project: &Project) -> Result<()> {
    // A journey waits for a fifth of its time, so one more than there are cores.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    through_site(project, "tests/e2e", MOST_AT_A_TIME.min(cores + 1), |_| ())
}

fn cross(project: &Project) -> Result<()> {
    let others = setup::other_browsers(project)?;
    through_site(project, "tests/cross", 2, |node| others.tell(node))
}

fn hosting(project: &Project) -> Result<()> {
    let hosts = setup::hosts(project)?;
    for name in hosts.missing() {
        eprintln!("\n!!! NOT TESTED: there is no {name} on this machine, and it cannot be had here.\n");
    }
    let scripts = node::scripts(&project.root.join("tests/hosting"), &[".test.mjs"]);
    let mut node = run::command("node");
    hosts.tell(&mut node);
    run::run(node.current_dir(&project.root).args(["--test", "--test-reporter=spec"]).args(&scripts))
}

/// Runs a folder's tests in Node against the built site, so many files at a time.
fn through_site(project: &Project, folder: &str, at_a_time: usize, prepare: impl FnOnce(&mut Command)) -> Result<()> {
    let scripts = node::scripts(&project.root.join(folder), &[".test.mjs", ".test.js"]);
    if scripts.is_empty() {
        bail!("there are no end-to-end tests ({folder}/*.test.mjs)");
    }
    if !project.dist().join("index.html").is_file() {
        bail!("there is no built site: run `cargo xtask build`");
    }
    let stage = Stage::set(project)?;
    let mut node = stage.node();
    prepare(&mut node);
    node.args(["--test", "--test-reporter=spec"]).arg(format!("--test-concurrency={at_a_time}"));
    run::run(node.args(&scripts))
}
