//! The standard library for wasm32: by rustup, or, where rustup can fetch nothing, from Debian's Rust and its sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{apt, say};
use crate::project::Project;
use crate::run;

const TARGET: &str = "wasm32-unknown-unknown";

/// The name under which rustup knows Debian's Rust.
const DEBIAN: &str = "placewise-debian";

/// Where Debian puts its Rust.
const DEBIAN_PREFIX: &str = "/usr";

const DEBIAN_PACKAGES: [&str; 5] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "lld-22"];

/// The oldest Rust that the project compiles with (`rust-version` in Cargo.toml).
const OLDEST: (u32, u32) = (1, 90);

/// How long rustup may take to fetch something. Without a way to its server it would wait for ever.
const RUSTUP_LIMIT: Duration = Duration::from_secs(60);

/// The toolchain that can build WebAssembly, installed if need be; `None` is the active one.
pub(super) fn toolchain(project: &Project) -> Result<Option<String>> {
    let active = sysroot(None).context("Rust is missing: install it from https://rustup.rs")?;
    if has_std(&active) {
        return Ok(None);
    }
    let debian = Path::new(DEBIAN_PREFIX);
    if has_std(debian) && debian_is_current(debian) && linked()? {
        return Ok(Some(DEBIAN.to_owned()));
    }
    if by_rustup()? && has_std(&active) {
        return Ok(None);
    }
    if !apt::available() || run::on_path("rustup").is_none() {
        bail!(
            "the standard library for {TARGET} is missing, and rustup could not fetch it. Run\n\n    rustup target add {TARGET}\n\nand start again"
        );
    }
    from_debian(project, debian)?;
    Ok(Some(DEBIAN.to_owned()))
}

/// Whether the toolchain has the sources of its standard library. Without them the site is larger, no more.
pub(super) fn sources(project: &Project, toolchain: Option<&str>) -> Result<bool> {
    let sysroot = sysroot(toolchain)?;
    let there = || sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").is_file();
    if there() {
        return Ok(true);
    }
    // Asked once: a rustup without a way to its server takes its whole time to say so.
    let asked = project.cache.join("rust-src.asked");
    let compiler = rustc_version(&sysroot)?;
    // A toolchain that is only linked, as Debian's is, rustup adds nothing to.
    if toolchain.is_none()
        && run::on_path("rustup").is_some()
        && fs::read_to_string(&asked).ok().as_ref() != Some(&compiler)
    {
        say(
            "rustup component add rust-src",
            "the site's standard library is compiled for size: a tenth less to download",
        );
        fetch(run::command("rustup").args(["component", "add", "rust-src"]))?;
        fs::create_dir_all(&project.cache)?;
        fs::write(&asked, compiler)?;
    }
    if !there() {
        eprintln!(
            "setup: this Rust has no sources of its standard library (rustup component add rust-src): the site works the same and is larger"
        );
    }
    Ok(there())
}

fn by_rustup() -> Result<bool> {
    if run::on_path("rustup").is_none() {
        return Ok(false);
    }
    say(&format!("rustup target add {TARGET}"), "the app is compiled to WebAssembly");
    fetch(run::command("rustup").args(["target", "add", TARGET]))
}

/// Lets rustup fetch something within the limit, and tells whether it did.
fn fetch(command: &mut Command) -> Result<bool> {
    let limit = env::var("PLACEWISE_RUSTUP_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .map_or(RUSTUP_LIMIT, Duration::from_secs);
    let Some(status) = run::within(command, limit)? else {
        eprintln!(
            "setup: rustup fetched nothing within {} s (PLACEWISE_RUSTUP_SECONDS gives it longer)",
            limit.as_secs()
        );
        return Ok(false);
    };
    Ok(status.success())
}

/// Debian's Rust, linked into rustup, with a standard library for wasm32 built from its own sources.
fn from_debian(project: &Project, prefix: &Path) -> Result<()> {
    say(
        "Debian's Rust",
        "rustup cannot fetch the wasm32 standard library here, and Debian's Rust comes with its sources",
    );
    apt::install(&DEBIAN_PACKAGES, "Debian's Rust with its sources, to build the wasm32 standard library from")?;
    if !linked()? {
        bail!(
            "Debian's Rust is older than {}.{}, which the project needs. Where rustup can reach its server, run\n\n    rustup target add {TARGET}",
            OLDEST.0,
            OLDEST.1
        );
    }
    let library = prefix.join("lib/rustlib/src/rust/library");
    if has_std(prefix) && debian_is_current(prefix) {
        return Ok(());
    }
    say("building the wasm32 standard library", "about half a minute, once");
    let target = project.cache.join("build").join("wasm32-std");
    let mut build = run::command("cargo");
    run::without_host_flags(&mut build);
    build.current_dir(&library).args(["build", "--release", "-p", "sysroot", "--target", TARGET, "--locked"]);
    build.env("RUSTUP_TOOLCHAIN", DEBIAN).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target);
    build.env("RUSTFLAGS", "-Zforce-unstable-if-unmarked -Cembed-bitcode=yes");
    run::run(&mut build)?;

    let built = target.join(TARGET).join("release/deps");
    let folder = std_folder(prefix);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    for entry in fs::read_dir(&built)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "rlib") {
            let name = path.file_name().context("a library without a name")?;
            fs::copy(&path, folder.join(name))?;
        }
    }
    fs::write(marker(prefix), rustc_version(prefix)?)?;
    fs::remove_dir_all(&target).ok(); // only costs space
    Ok(())
}

/// Whether rustup knows Debian's Rust, when it is new enough to be of use; links it if need be.
fn linked() -> Result<bool> {
    let prefix = Path::new(DEBIAN_PREFIX);
    let Ok(version) = rustc_version(prefix) else { return Ok(false) };
    if !new_enough(&version) || run::on_path("rustup").is_none() {
        return Ok(false);
    }
    let known = run::output(run::command("rustup").args(["toolchain", "list"]))?;
    if !known.lines().any(|line| line.split_whitespace().next() == Some(DEBIAN)) {
        run::run(run::command("rustup").args(["toolchain", "link", DEBIAN, DEBIAN_PREFIX]))?;
    }
    Ok(true)
}

/// A library that we built belongs to one compiler: after an upgrade it must be built again.
fn debian_is_current(prefix: &Path) -> bool {
    match (fs::read_to_string(marker(prefix)), rustc_version(prefix)) {
        (Ok(built_by), Ok(now)) => built_by == now,
        (Err(_), Ok(_)) => true, // somebody else's, from a package: it is theirs to keep
        _ => false,
    }
}

fn rustc_version(prefix: &Path) -> Result<String> {
    run::output(run::command(prefix.join("bin/rustc")).arg("-vV"))
}

fn new_enough(version: &str) -> bool {
    let mut numbers =
        version.strip_prefix("rustc ").unwrap_or_default().split('.').map_while(|part| part.parse::<u32>().ok());
    matches!((numbers.next(), numbers.next()), (Some(major), Some(minor)) if (major, minor) >= OLDEST)
}

fn std_folder(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

fn marker(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("placewise-built-by")
}

fn has_std(sysroot: &Path) -> bool {
    let Ok(entries) = fs::read_dir(std_folder(sysroot)) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // rustup's is called after its hash; one that was built by hand is not
        name == "libstd.rlib" || name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

fn sysroot(toolchain: Option<&str>) -> Result<PathBuf> {
    let mut rustc = run::command("rustc");
    if let Some(toolchain) = toolchain {
        rustc.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    Ok(PathBuf::from(run::output(rustc.args(["--print", "sysroot"]))?))
}

/// Clippy for the toolchain that builds WebAssembly.
pub(super) fn clippy(toolchain: Option<&str>) -> Result<()> {
    let Some(toolchain) = toolchain else { return host_components() };
    if works_in(Some(toolchain), "clippy") {
        return Ok(());
    }
    apt::install(&["rust-web-clippy"], "clippy for the Rust that builds WebAssembly")
}

/// `cargo fmt` and `cargo clippy` for the active toolchain.
pub(super) fn host_components() -> Result<()> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if works_in(None, command) {
            continue;
        }
        let typed = format!("rustup component add {component}");
        say(&typed, "`cargo xtask test` checks with it");
        let added =
            run::on_path("rustup").is_some() && fetch(run::command("rustup").args(["component", "add", component]))?;
        if !added || !works_in(None, command) {
            bail!("`cargo {command}` is missing. Run\n\n    {typed}\n\nand start again");
        }
    }
    Ok(())
}

fn works_in(toolchain: Option<&str>, subcommand: &str) -> bool {
    let mut cargo = run::command("cargo");
    if let Some(toolchain) = toolchain {
        cargo.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    run::works(cargo.args([subcommand, "--version"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(new_enough("rustc 1.96.0 (Debian)"));
        assert!(new_enough("rustc 1.90.0"));
        assert!(new_enough("rustc 2.0.0"));
        assert!(!new_enough("rustc 1.63.0 (4b91a6ea7 2022-08-08)"));
        assert!(!new_enough("rustc 1.9.0"));
        assert!(!new_enough("clang 19.1.0"));
    }
}
