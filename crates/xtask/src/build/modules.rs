//! The WebAssembly modules, each built by a wasm-pack of its own: built together, one would get the features that another
//! asks for.

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use super::{Options, names, sections, stamp};
use crate::project::Project;
use crate::run;
use crate::setup::{self, Wasm};

/// A module: its name on the site, its crate, what cargo is told of its features and for what it is compiled, and the paths of the checkout that it
/// is made of.
struct Module {
    name: &'static str,
    features: &'static [&'static str],
    opt_level: &'static str,
    crate_folder: &'static str,
    inputs: &'static [&'static str],
}

/// What the app is made of. Words, formulas, lessons and data are compiled in, and the page says which words are its own.
const APP: &[&str] = &[
    "src",
    "build.rs",
    "index.html",
    "crates/posenc",
    "crates/catalogue",
    "crates/lab",
    "static/locales",
    "static/lessons",
    "static/data",
    "static/formulas.toml",
];

/// The app twice: what the first screens need, and the whole of it, which takes over when it is asked for.
const MODULES: [Module; 3] = [
    Module { name: "app", features: &["--no-default-features"], opt_level: "z", crate_folder: "", inputs: APP },
    // It has no budget of bytes, and a step of a slider costs the less.
    Module { name: "whole", features: &[], opt_level: "3", crate_folder: "", inputs: APP },
    Module {
        name: "lab",
        features: &[],
        opt_level: "z",
        crate_folder: "crates/lab",
        inputs: &["crates/posenc", "crates/lab", "static/data"],
    },
];

/// What every module is made of.
const SHARED: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// A module as wasm-pack wrote it.
pub(super) struct Built {
    /// Its name on the site.
    pub(super) name: &'static str,
    /// Whether there is nothing in it to call: it starts when it is loaded.
    pub(super) starts_itself: bool,
    /// The script that loads it.
    pub(super) glue: PathBuf,
    /// The module.
    pub(super) wasm: PathBuf,
}

/// A standard library that is compiled with the module, for size: a panic is a trap without words (the page shows its
/// recovery screen all the same), no place in a source is named, and `{:?}` writes nothing (clippy's `use_debug` keeps
/// it out of what people read). Measured: a tenth less to download. The flags are not stable, hence `RUSTC_BOOTSTRAP`.
const OWN_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
const OWN_STD_FLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=none";

/// Builds the modules that changed, beside one another: the longest steps of each, the compiler's last and wasm-opt, take
/// one core.
pub(super) fn build(project: &Project, wasm: &Wasm, options: Options) -> Result<Vec<Built>> {
    let own_std = !options.dev && has_own_std(project, wasm)?;
    thread::scope(|scope| {
        let building =
            MODULES.each_ref().map(|module| scope.spawn(move || one(project, wasm, module, options, own_std)));
        building.map(|module| module.join().unwrap_or_else(|panic| resume_unwind(panic))).into_iter().collect()
    })
}

fn one(project: &Project, wasm: &Wasm, module: &Module, options: Options, own_std: bool) -> Result<Built> {
    let mode = if options.dev { "dev" } else { "release" };
    let out = project.wasm_target().join("pkg").join(mode).join(module.name);
    let built = Built {
        name: module.name,
        starts_itself: module.crate_folder.is_empty(),
        glue: out.join(format!("{}.js", module.name)),
        wasm: out.join(format!("{}_bg.wasm", module.name)),
    };
    let compiler = wasm.command("rustc").and_then(|mut rustc| run::output(rustc.arg("-vV")))?;
    let wanted = stamp::of(
        project,
        &[module.inputs, &SHARED].concat(),
        &format!("{mode} {:?} {} {compiler}", module.features, module.opt_level),
    )?;
    let stamp_file = out.with_extension("stamp");
    if !options.force && built.wasm.is_file() && fs::read_to_string(&stamp_file).is_ok_and(|found| found == wanted) {
        return Ok(built);
    }

    println!("building {} ({mode})", module.name);
    fs::remove_file(&stamp_file).ok(); // it may not exist
    if own_std {
        let mut pack = pack(project, wasm, module, &out, options)?;
        pack.args(OWN_STD);
        if let Err(error) = run::run(wasm.with_flags(&mut pack, OWN_STD_FLAGS).env("RUSTC_BOOTSTRAP", "1")) {
            eprintln!("{error:#}: again, with the standard library as it comes: the site works the same and is larger");
            run::run(&mut self::pack(project, wasm, module, &out, options)?)?;
        }
    } else {
        run::run(&mut pack(project, wasm, module, &out, options)?)?;
    }

    if out.join("snippets").exists() {
        bail!(
            "the module {} brings scripts of its own ({}), and the site has no place for them",
            module.name,
            out.join("snippets").display()
        );
    }
    if !options.dev {
        assert_optimised(&built.wasm)?;
        let (module, glue) = (fs::read(&built.wasm)?, fs::read_to_string(&built.glue)?);
        let (module, glue) = names::shortened(&module, &glue)
            .with_context(|| format!("cannot shorten the names of {}", built.wasm.display()))?;
        fs::write(&built.wasm, module)?;
        fs::write(&built.glue, glue)?;
    }
    fs::write(&stamp_file, wanted)?;
    Ok(built)
}

fn pack(project: &Project, wasm: &Wasm, module: &Module, out: &Path, options: Options) -> Result<Command> {
    let mut pack = wasm.command("wasm-pack")?;
    pack.current_dir(&project.root).args(["--quiet", "build"]).arg(project.root.join(module.crate_folder));
    pack.args(["--target", "web", "--no-typescript", "--no-pack", "--mode", "no-install"]);
    pack.args(["--out-name", module.name, "--out-dir"]).arg(out);
    pack.arg(if options.dev { "--dev" } else { "--release" });
    pack.arg("--").args(module.features);
    if !options.dev {
        pack.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", module.opt_level);
        // Modules that are compiled alike share their dependencies, and wait for one another; others need not.
        pack.env("CARGO_TARGET_DIR", project.wasm_target().join(format!("opt-{}", module.opt_level)));
    }
    Ok(pack)
}

/// Whether the compiler has its library's sources and takes the flags.
fn has_own_std(project: &Project, wasm: &Wasm) -> Result<bool> {
    if !setup::library_sources(project, wasm)? {
        return Ok(false);
    }
    let mut rustc = wasm.command("rustc")?;
    rustc.env("RUSTC_BOOTSTRAP", "1").args(["--print", "cfg"]).args(OWN_STD_FLAGS.split(' '));
    let takes = run::works(&mut rustc);
    if !takes {
        eprintln!("this Rust builds no standard library for size: the site works the same and is larger");
    }
    Ok(takes)
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
    let mut names = Vec::new();
    for (id, content) in sections::of(module)? {
        if id == 0 {
            names.push(sections::Reader(content).name()?.to_owned());
        }
    }
    Some(names)
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
