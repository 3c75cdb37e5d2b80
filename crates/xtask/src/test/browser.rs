//! The crates that are tested inside a browser: those with a dev-dependency on wasm-bindgen-test.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::project::Project;
use crate::run;
use crate::setup;

/// The attribute that makes a function a test in the browser.
const MARK: &str = "wasm_bindgen_test";

/// The head of a file of tests that is for the host only.
const NATIVE: &str = "#![cfg(not(target_arch = \"wasm32\"))]";

/// Crates whose library is compiled to WebAssembly for the site.
const MODULES: [&str; 2] = ["placewise", "lab"];

const CHROMIUM_ARGUMENTS: [&str; 8] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A crate and those of its targets that have browser tests, as arguments of cargo.
#[derive(Debug, PartialEq, Eq)]
struct Tested {
    name: String,
    folder: PathBuf,
    targets: Vec<String>,
}

/// Clippy for wasm32: the modules, each by itself, and all browser tests.
pub(super) fn clippy(project: &Project) -> Result<()> {
    let wasm = setup::wasm(project)?;
    setup::wasm_clippy(project, &wasm)?;
    let tested = tested(project)?;
    let mut names: Vec<&str> = MODULES.to_vec();
    names.extend(tested.iter().map(|tested| tested.name.as_str()).filter(|name| !MODULES.contains(name)));
    for name in names {
        let tests = tested
            .iter()
            .filter(|tested| tested.name == name)
            .flat_map(|tested| &tested.targets)
            .filter(|target| *target != "--lib");
        let mut clippy = wasm.command("cargo")?;
        clippy.current_dir(&project.root).args([
            "clippy",
            "--quiet",
            "--target",
            "wasm32-unknown-unknown",
            "--package",
            name,
            "--lib",
        ]);
        run::run(clippy.args(tests).args(["--", "-D", "warnings"]))?;
    }
    // The module of the first load is the app without the rest.
    let mut first = wasm.command("cargo")?;
    first.current_dir(&project.root).args(["clippy", "--quiet", "--target", "wasm32-unknown-unknown"]);
    first.args(["--package", "placewise", "--lib", "--no-default-features", "--", "-D", "warnings"]);
    run::run(&mut first)
}

/// `wasm-pack test` in headless Chromium.
pub(super) fn test(project: &Project) -> Result<()> {
    let wasm = setup::wasm(project)?;
    let browser = setup::browser(project)?;
    let settings = project.wasm_target().join("webdriver.json");
    fs::create_dir_all(project.wasm_target())?;
    let options = json!({ "goog:chromeOptions": { "binary": browser.chromium, "args": CHROMIUM_ARGUMENTS } });
    fs::write(&settings, serde_json::to_string_pretty(&options)?)?;
    for tested in tested(project)? {
        println!("{}: {}", tested.name, tested.targets.join(" "));
        let mut pack = wasm.command("wasm-pack")?;
        pack.current_dir(&project.root)
            .args(["test", "--headless", "--chrome", "--mode", "no-install", "--chromedriver"])
            .arg(&browser.driver);
        pack.arg(&tested.folder).args(&tested.targets);
        pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &settings)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "180");
        run::run(&mut pack)?;
    }
    Ok(())
}

fn tested(project: &Project) -> Result<Vec<Tested>> {
    let mut cargo = run::command("cargo");
    cargo.current_dir(&project.root).args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&run::output(&mut cargo)?).context("cargo metadata wrote no JSON")?;
    let tested = select(&metadata, &|target| mentions_tests(target));
    let misplaced = misplaced(&metadata, &tested);
    if !misplaced.is_empty() {
        bail!(
            "wasm-pack compiles every test of a crate. These are not for the browser and need `{NATIVE}` at their head: {}",
            misplaced.join(", ")
        );
    }
    Ok(tested)
}

/// Picks the crates and targets out of what `cargo metadata` says.
fn select(metadata: &Value, has_tests: &dyn Fn(&Target<'_>) -> bool) -> Vec<Tested> {
    let mut found = Vec::new();
    for package in list(metadata, "packages") {
        if !list(package, "dependencies").iter().any(|dependency| text(dependency, "name") == "wasm-bindgen-test") {
            continue;
        }
        let targets = list(package, "targets").iter().filter_map(|target| {
            let kind = list(target, "kind").first()?.as_str()?;
            let target = Target {
                path: Path::new(text(target, "src_path")),
                name: text(target, "name"),
                is_test: kind == "test",
            };
            let is_library = ["lib", "rlib", "cdylib"].contains(&kind);
            ((target.is_test || is_library) && has_tests(&target)).then(|| {
                if target.is_test {
                    vec!["--test".to_owned(), target.name.to_owned()]
                } else {
                    vec!["--lib".to_owned()]
                }
            })
        });
        let targets: Vec<String> = targets.flatten().collect();
        if !targets.is_empty() {
            let folder = Path::new(text(package, "manifest_path")).parent().map(Path::to_owned).unwrap_or_default();
            found.push(Tested { name: text(package, "name").to_owned(), folder, targets });
        }
    }
    found
}

struct Target<'a> {
    path: &'a Path,
    name: &'a str,
    is_test: bool,
}

/// Files of tests that would be compiled for the browser and have nothing to do there: wasm-pack compiles all of a crate.
fn misplaced(metadata: &Value, tested: &[Tested]) -> Vec<String> {
    let packages = list(metadata, "packages").iter();
    let packages = packages.filter(|package| tested.iter().any(|tested| tested.name == text(package, "name")));
    let targets = packages.flat_map(|package| list(package, "targets"));
    let tests = targets.filter(|target| list(target, "kind").iter().any(|kind| kind == "test"));
    tests
        .map(|target| text(target, "src_path").to_owned())
        .filter(|path| fs::read_to_string(path).is_ok_and(|source| !source.contains(MARK) && !source.contains(NATIVE)))
        .collect()
}

/// A test is one file; a library is all files beside its first.
fn mentions_tests(target: &Target<'_>) -> bool {
    let mentions = |path: &Path| fs::read_to_string(path).is_ok_and(|source| source.contains(MARK));
    if target.is_test {
        return mentions(target.path);
    }
    let Some(folder) = target.path.parent() else { return false };
    WalkDir::new(folder).into_iter().flatten().any(|entry| entry.file_type().is_file() && mentions(entry.path()))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_tests_are_found() {
        let metadata = json!({ "packages": [
            { "name": "maths", "manifest_path": "/w/maths/Cargo.toml", "dependencies": [{ "name": "libm" }], "targets": [{ "kind": ["lib"], "name": "maths", "src_path": "/w/maths/src/lib.rs" }] },
            { "name": "app", "manifest_path": "/w/Cargo.toml", "dependencies": [{ "name": "wasm-bindgen-test" }], "targets": [
                { "kind": ["cdylib", "rlib"], "name": "app", "src_path": "/w/src/lib.rs" },
                { "kind": ["test"], "name": "pixels", "src_path": "/w/tests/pixels.rs" },
                { "kind": ["test"], "name": "native", "src_path": "/w/tests/native.rs" },
                { "kind": ["bin"], "name": "tool", "src_path": "/w/src/main.rs" },
            ] },
        ] });
        let found = select(&metadata, &|target| target.name != "native");
        let targets = ["--lib", "--test", "pixels"].map(str::to_owned).to_vec();
        assert_eq!(found, [Tested { name: "app".to_owned(), folder: PathBuf::from("/w"), targets }]);
        assert!(select(&metadata, &|_| false).is_empty());
    }
}
