//! wasm-pack and wasm-bindgen, in the versions that the project pins.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::say;
use crate::project::Project;
use crate::run;

const PACK: &str = "0.15.1";

/// The folder that holds wasm-pack.
pub(super) fn pack(project: &Project) -> Result<PathBuf> {
    let home = project.cache.join(format!("wasm-pack-{PACK}"));
    let folder = home.join("bin");
    if is_version(&folder.join("wasm-pack"), PACK) {
        return Ok(folder);
    }
    let typed = format!("cargo install wasm-pack --locked --version {PACK}");
    say(&typed, "it builds the WebAssembly modules; about a minute, once");
    let target = project.cache.join("build").join(format!("wasm-pack-{PACK}"));
    let mut install = run::command("cargo");
    // Compiled unoptimised, in a third of the time: it only calls others.
    install
        .args(["install", "wasm-pack", "--locked", "--quiet", "--force", "--debug", "--version", PACK, "--root"])
        .arg(&home)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_TARGET_DIR", &target);
    if let Err(error) = run::run(&mut install) {
        bail!("{error:#}. Run\n\n    {typed} --root {}\n\nand start again", home.display());
    }
    fs::remove_dir_all(&target).ok(); // only costs space
    Ok(folder)
}

/// The folder that holds wasm-bindgen and its test runner, compiled from crates/wbg.
pub(super) fn bindgen(project: &Project) -> Result<PathBuf> {
    let version = locked_version(&project.root.join("Cargo.lock"), "wasm-bindgen")?;
    let own = locked_version(&project.root.join("crates/wbg/Cargo.lock"), "wasm-bindgen-cli")?;
    if version != own {
        bail!(
            "the app is locked to wasm-bindgen {version}, its command line to {own}: they must be the same. \
             Write {version} in crates/wbg/Cargo.toml and run\n\n    cargo update --manifest-path crates/wbg/Cargo.toml\n"
        );
    }
    let folder = project.cache.join(format!("wasm-bindgen-{version}")).join("bin");
    if is_version(&folder.join("wasm-bindgen"), &version)
        && is_version(&folder.join("wasm-bindgen-test-runner"), &version)
    {
        return Ok(folder);
    }
    say(
        &format!("building wasm-bindgen {version} from crates/wbg"),
        "it must be the app's version to the last digit; about two minutes, once",
    );
    let target = project.cache.join("build").join(format!("wasm-bindgen-{version}"));
    let mut build = run::command("cargo");
    build
        .args(["build", "--locked", "--quiet", "--manifest-path"])
        .arg(project.root.join("crates/wbg/Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target);
    run::run(&mut build)?;
    fs::create_dir_all(&folder)?;
    for (built, name) in [("wbg", "wasm-bindgen"), ("wbg-test-runner", "wasm-bindgen-test-runner")] {
        let ending = std::env::consts::EXE_SUFFIX;
        let from = target.join("debug").join(format!("{built}{ending}"));
        fs::copy(&from, folder.join(format!("{name}{ending}")))
            .with_context(|| format!("cannot copy {}", from.display()))?;
    }
    fs::remove_dir_all(&target).ok(); // only costs space
    Ok(folder)
}

fn is_version(program: &Path, version: &str) -> bool {
    let said = run::output(run::command(program).arg("--version"));
    said.is_ok_and(|said| said.split_whitespace().nth(1) == Some(version))
}

/// The version of a package in a lock file.
fn locked_version(lock: &Path, package: &str) -> Result<String> {
    let text = fs::read_to_string(lock).with_context(|| format!("cannot read {}", lock.display()))?;
    find_version(&text, package).with_context(|| format!("{} has no {package}", lock.display()))
}

fn find_version(lock: &str, package: &str) -> Option<String> {
    let lock: toml::Table = lock.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let found = packages.iter().find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(package))?;
    Some(found.get("version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_a_lock_file() {
        let lock = "version = 4\n[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(find_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(find_version(lock, "yew"), None);
    }
}
