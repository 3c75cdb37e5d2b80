//! Finds what a command needs, or installs it: says what and why, does nothing twice, and where it cannot, names the exact command.

mod apt;
mod browser;
mod hosts;
mod node;
mod others;
mod python;
mod wasm_std;
mod wasm_tools;

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use lexopt::Parser;

pub(crate) use self::browser::Browser;
pub(crate) use self::hosts::Hosts;
pub(crate) use self::others::Others;
pub(crate) use self::python::Python;
use crate::project::{Lock, Project};
use crate::run;

/// Flags for the compiler, for WebAssembly only.
const WASM_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// `cargo xtask setup`.
pub(crate) fn command(project: &Project, args: Parser) -> Result<()> {
    crate::no_more(args)?;
    let wasm = wasm(project)?;
    library_sources(project, &wasm)?;
    wasm_clippy(project, &wasm)?;
    let browser = browser(project)?;
    let others = other_browsers(project)?;
    python(project)?;
    test_packages(project)?;
    println!("tools in {}", project.cache.display());
    println!("WebAssembly by {}", wasm.toolchain.as_deref().unwrap_or("the active Rust toolchain"));
    println!(
        "browsers {}, {}, {}",
        browser.chromium.display(),
        others.firefox.display(),
        others.mini_browser.display()
    );
    Ok(())
}

/// What building WebAssembly needs, found.
pub(crate) struct Wasm {
    /// The toolchain that has the wasm32 standard library, when it is not the active one.
    pub(crate) toolchain: Option<String>,
    /// Folders put first on PATH.
    folders: Vec<PathBuf>,
    /// Cargo's target folder.
    target: PathBuf,
    /// Flags that take this machine's folders out of the result.
    remap: String,
}

impl Wasm {
    /// A command that sees the tools, in the versions that the project pins.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Result<Command> {
        let mut command = run::command(program);
        run::without_host_flags(&mut command);
        let rest = env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned().chain(env::split_paths(&rest));
        command
            .env("PATH", env::join_paths(folders).context("a folder on PATH has a character that PATH cannot hold")?);
        command.env("CARGO_TARGET_DIR", &self.target);
        // Added by cargo to the flags of .cargo/config.toml.
        command.env(WASM_FLAGS, &self.remap);
        if let Some(toolchain) = &self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        Ok(command)
    }

    /// Adds flags of the compiler to a command that [`Self::command`] made.
    pub(crate) fn with_flags<'a>(&self, command: &'a mut Command, flags: &str) -> &'a mut Command {
        command.env(WASM_FLAGS, format!("{} {flags}", self.remap))
    }
}

/// What building needs: the wasm32 standard library, wasm-pack, wasm-bindgen, wasm-opt, the minifier.
pub(crate) fn wasm(project: &Project) -> Result<Wasm> {
    let _lock = lock(project)?;
    let toolchain = wasm_std::toolchain(project)?;
    let folders = vec![wasm_tools::bindgen(project)?, wasm_tools::pack(project)?, node::build_tools(project)?];
    Ok(Wasm { toolchain, folders, target: project.wasm_target(), remap: remap(project) })
}

/// Whether the toolchain that builds WebAssembly has the sources of its standard library; fetches them where it can.
pub(crate) fn library_sources(project: &Project, wasm: &Wasm) -> Result<bool> {
    let _lock = lock(project)?;
    wasm_std::sources(project, wasm.toolchain.as_deref())
}

/// Clippy for the toolchain that builds WebAssembly.
pub(crate) fn wasm_clippy(project: &Project, wasm: &Wasm) -> Result<()> {
    let _lock = lock(project)?;
    wasm_std::clippy(wasm.toolchain.as_deref())
}

/// `cargo fmt` and `cargo clippy` for the host.
pub(crate) fn host_components(project: &Project) -> Result<()> {
    let _lock = lock(project)?;
    wasm_std::host_components()
}

/// Chromium and its driver.
pub(crate) fn browser(project: &Project) -> Result<Browser> {
    let _lock = lock(project)?;
    browser::find()
}

/// Firefox and WebKit.
pub(crate) fn other_browsers(project: &Project) -> Result<Others> {
    let _lock = lock(project)?;
    others::find()
}

/// Python with NumPy and with PyTorch.
pub(crate) fn python(project: &Project) -> Result<Python> {
    let _lock = lock(project)?;
    python::find(project)
}

/// nginx and Caddy, as far as they can be had.
pub(crate) fn hosts(project: &Project) -> Result<Hosts> {
    let _lock = lock(project)?;
    Ok(hosts::find(project))
}

/// The npm packages of tests/package.json.
pub(crate) fn test_packages(project: &Project) -> Result<()> {
    let _lock = lock(project)?;
    node::test_packages(project)
}

fn lock(project: &Project) -> Result<Lock> {
    Lock::hold(&project.cache.join("setup.lock"), "another `cargo xtask` is installing tools")
}

/// Says what is installed and why.
fn say(what: &str, why: &str) {
    eprintln!("setup: {what}: {why}");
}

fn remap(project: &Project) -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let flags = [
        (Some(project.root.clone()), "/placewise"),
        (Some(project.target.clone()), "/placewise/target"),
        (home, "/cargo"),
    ]
    .into_iter()
    .filter_map(|(from, to)| Some(format!("--remap-path-prefix={}={to}", from?.to_str()?)))
    .filter(|flag| !flag.contains(char::is_whitespace)); // such a folder keeps its name: flags are split at spaces
    flags.collect::<Vec<_>>().join(" ")
}
