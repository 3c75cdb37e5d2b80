//! What comes from npm: wasm-opt and the minifier for building, the browser tools for testing.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::say;
use crate::project::Project;
use crate::run;

/// The oldest wasm-opt that reads what Rust writes today. Older ones fail with "invalid code after misc prefix".
const OLDEST_WASM_OPT: u32 = 130;

/// The oldest Node that runs the tools.
const OLDEST_NODE: u32 = 20;

/// The folder that holds wasm-opt and esbuild. It is named after the lock file's content.
pub(super) fn build_tools(project: &Project) -> Result<PathBuf> {
    let tools = project.root.join("tools");
    let home = project.cache.join(format!("npm-{}", fingerprint(&tools)?));
    let folder = home.join("node_modules").join(".bin");
    if !home.join(".complete").is_file() {
        say("npm ci in tools/", "wasm-opt makes the modules half as large; esbuild minifies styles and scripts");
        fs::create_dir_all(&home)?;
        for name in ["package.json", "package-lock.json"] {
            fs::copy(tools.join(name), home.join(name))?;
        }
        clean_install(&home)?;
        let said = run::output(run::command(folder.join("wasm-opt")).arg("--version"))?;
        if version_of(&said).is_none_or(|version| version < OLDEST_WASM_OPT) {
            bail!(
                "wasm-opt says \"{said}\"; version {OLDEST_WASM_OPT} or later is needed. Correct the version of binaryen in tools/package.json"
            );
        }
        fs::write(home.join(".complete"), said)?;
    }
    Ok(folder)
}

/// Installs the packages of tests/package.json beside it.
pub(super) fn test_packages(project: &Project) -> Result<()> {
    let tests = project.root.join("tests");
    let stamp = tests.join("node_modules").join(".placewise");
    let wanted = fingerprint(&tests)?;
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    say("npm ci in tests/", "the end-to-end tests drive a browser, check accessibility and measure");
    clean_install(&tests)?;
    fs::write(&stamp, wanted)?;
    Ok(())
}

/// Node itself, new enough.
pub(crate) fn require_node() -> Result<()> {
    let Ok(said) = run::output(run::command("node").arg("--version")) else {
        bail!(
            "Node is missing. Install Node {OLDEST_NODE} or later from https://nodejs.org, or run\n\n    apt-get install -y nodejs npm\n\nand start again"
        );
    };
    if version_of(&said).is_none_or(|version| version < OLDEST_NODE) {
        bail!("Node {OLDEST_NODE} or later is needed, found {said}. Install it from https://nodejs.org");
    }
    Ok(())
}

fn clean_install(folder: &Path) -> Result<()> {
    require_node()?;
    let mut install = run::command("npm");
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(folder);
    // Nothing of ours belongs into the browser packages' habits.
    install.env("PUPPETEER_SKIP_DOWNLOAD", "1").env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    if let Err(error) = run::run(&mut install) {
        bail!("{error:#}. Run\n\n    npm ci --prefix {}\n\nand start again", folder.display());
    }
    Ok(())
}

fn fingerprint(folder: &Path) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    for name in ["package.json", "package-lock.json"] {
        let path = folder.join(name);
        hash.update(&fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
    }
    Ok(hash.finalize().to_hex()[..16].to_owned())
}

/// The first number in what a program says about its version.
fn version_of(said: &str) -> Option<u32> {
    let digits: String = said.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_say() {
        assert_eq!(version_of("wasm-opt version 132 (version_132)"), Some(132));
        assert_eq!(version_of("v20.20.2"), Some(20));
        assert_eq!(version_of("?"), None);
    }
}
