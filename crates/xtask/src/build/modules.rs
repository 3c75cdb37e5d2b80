//! The WebAssembly modules, built by wasm-pack one at a time: built together, one would get the features that another asks for.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Options, stamp};
use crate::project::Project;
use crate::run;
use crate::setup::Wasm;

/// A module: its name on the site, its crate, and the paths of the checkout that it is made of.
struct Module {
    name: &'static str,
    crate_folder: &'static str,
    inputs: &'static [&'static str],
}

const MODULES: [Module; 2] = [
    Module {
        name: "app",
        crate_folder: "",
        // Words, formulas, lessons and data are compiled in, and the page says which words are its own.
        inputs: &[
            "src",
            "build.rs",
            "index.html",
            "crates/posenc",
            "crates/lab",
            "static/locales",
            "static/lessons",
            "static/data",
            "static/formulas.toml",
        ],
    },
    Module { name: "lab", crate_folder: "crates/lab", inputs: &["crates/posenc", "crates/lab", "static/data"] },
];

/// What every module is made of.
const SHARED: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// A module as wasm-pack wrote it.
pub(super) struct Built {
    /// Its name on the site.
    pub(super) name: &'static str,
    /// The script that loads it.
    pub(super) glue: PathBuf,
    /// The module.
    pub(super) wasm: PathBuf,
}

/// Builds the modules that changed.
pub(super) fn build(project: &Project, wasm: &Wasm, options: Options) -> Result<Vec<Built>> {
    MODULES.iter().map(|module| one(project, wasm, module, options)).collect()
}

fn one(project: &Project, wasm: &Wasm, module: &Module, options: Options) -> Result<Built> {
    let mode = if options.dev { "dev" } else { "release" };
    let out = project.wasm_target().join("pkg").join(mode).join(module.name);
    let built = Built {
        name: module.name,
        glue: out.join(format!("{}.js", module.name)),
        wasm: out.join(format!("{}_bg.wasm", module.name)),
    };
    let compiler = wasm.command("rustc").and_then(|mut rustc| run::output(rustc.arg("-vV")))?;
    let wanted = stamp::of(project, &[module.inputs, &SHARED].concat(), &format!("{mode} {compiler}"))?;
    let stamp_file = out.with_extension("stamp");
    if !options.force && built.wasm.is_file() && fs::read_to_string(&stamp_file).is_ok_and(|found| found == wanted) {
        return Ok(built);
    }

    println!("building {} ({mode})", module.name);
    fs::remove_file(&stamp_file).ok(); // it may not exist
    let mut pack = wasm.command("wasm-pack")?;
    pack.current_dir(&project.root).args(["--quiet", "build"]).arg(project.root.join(module.crate_folder));
    pack.args([
        "--target",
        "web",
        "--no-typescript",
        "--no-pack",
        "--mode",
        "no-install",
        "--out-name",
        module.name,
        "--out-dir",
    ])
    .arg(&out);
    pack.arg(if options.dev { "--dev" } else { "--release" });
    run::run(&mut pack)?;

    if out.join("snippets").exists() {
        bail!(
            "the module {} brings scripts of its own ({}), and the site has no place for them",
            module.name,
            out.join("snippets").display()
        );
    }
    if !options.dev {
        assert_optimised(&built.wasm)?;
    }
    fs::write(&stamp_file, wanted)?;
    Ok(built)
}

/// wasm-pack leaves a module as it is, without an error, when it finds no wasm-opt: then the names of all functions are still in it.
fn assert_optimised(path: &Path) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("wasm-pack wrote no {}", path.display()))?;
    let sections =
        custom_sections(&bytes).with_context(|| format!("{} is not a WebAssembly module", path.display()))?;
    if let Some(found) =
        sections.iter().find(|name| ["name", "producers"].contains(&name.as_str()) || name.starts_with(".debug"))
    {
        bail!(
            "{} was not optimised: it still has the section \"{found}\". Is wasm-opt named in [package.metadata.wasm-pack.profile.release]?",
            path.display()
        );
    }
    Ok(())
}

/// The names of a module's custom sections.
fn custom_sections(module: &[u8]) -> Option<Vec<String>> {
    let mut rest = module.strip_prefix(b"\0asm\x01\0\0\0")?;
    let mut names = Vec::new();
    while let Some((&id, after)) = rest.split_first() {
        let (size, after) = leb128(after)?;
        let (content, after) = after.split_at_checked(size)?;
        if id == 0 {
            let (length, name) = leb128(content)?;
            names.push(String::from_utf8_lossy(name.get(..length)?).into_owned());
        }
        rest = after;
    }
    Some(names)
}

fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (index, byte) in bytes.iter().enumerate().take(5) {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(index + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_sections_are_found() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend([1, 2, 9, 9]); // a type section, as far as its length goes
        module.extend([0, 0x87, 0, 4]); // a custom section of 7 bytes, its length in two
        module.extend(b"name..");
        assert_eq!(custom_sections(&module), Some(vec!["name".to_owned()]));
        assert_eq!(custom_sections(&module[..module.len() - 1]), None);
        assert_eq!(custom_sections(b"no module"), None);
    }
}
