//! `cargo xtask build`: the site, in `dist/`.

mod assets;
mod compress;
mod modules;
mod names;
mod offline;
mod page;
mod sections;
mod single;
mod stamp;
mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use catalogue::Catalogue;
use lexopt::{Arg, Parser};
use walkdir::WalkDir;

use self::assets::Site;
pub(crate) use self::assets::is_hashed;
pub(crate) use self::page::{Link, links};
pub(crate) use self::texts::{CARDS, COMMON_CARD};
use crate::project::{Lock, Project};
use crate::run;
use crate::setup::{self, Wasm};

/// What of static/ does not go onto the site as it is: compiled into the app, or handled by itself.
const NOT_SERVED: [&str; 11] = [
    "boot.js",
    "aside/",
    "embed/",
    "styles/",
    "code/",
    "locales/",
    "lessons/",
    "cards/",
    "formulas.toml",
    "tries.toml",
    "questions.toml",
];

/// What the first module may ask for, and the page therefore lists; all else is listed by the script of the whole app.
const PAGE_LISTS: [&str; 4] = ["aside.js", "whole.js", "whole.wasm", "words/en.txt"];

/// The edition of one file.
pub(crate) const SINGLE: &str = "placewise.html";

/// The style sheet of what only the whole app shows.
const LATER_STYLES: &str = "later.css";

/// What a lesson may weigh, in bytes, with brotli.
const LESSON_BUDGET: usize = 60_000;

/// How to build.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    /// Quick and not optimised.
    pub(crate) dev: bool,
    /// Even when nothing changed.
    pub(crate) force: bool,
}

/// `cargo xtask build`.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut options = Options::default();
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Long("dev") => options.dev = true,
            Arg::Long("force") => options.force = true,
            other => return Err(other.unexpected().into()),
        }
    }
    run(project, options)
}

/// Builds the site unless it is there already.
pub(crate) fn run(project: &Project, options: Options) -> Result<()> {
    let _lock =
        Lock::hold(&project.root.join("target/placewise-build.lock"), "another `cargo xtask` is building dist/")?;
    let inputs = inputs(project, options.dev)?;
    if !options.force && fresh(project, &inputs) {
        println!("dist/ is up to date");
        return Ok(());
    }
    let begin = Instant::now();
    let wasm = setup::wasm(project)?;
    let built = modules::build(project, &wasm, options)?;
    assemble(project, &wasm, &built, options.dev)?;
    fs::create_dir_all(&project.target)?;
    fs::write(stamp_file(project), stamp_text(project, &inputs)?)?;
    println!("dist/ is ready to upload ({:.1} s)", begin.elapsed().as_secs_f64());
    Ok(())
}

/// Whether `dist/` is what a build would write now.
pub(crate) fn is_fresh(project: &Project) -> Result<bool> {
    Ok(fresh(project, &inputs(project, false)?))
}

fn fresh(project: &Project, inputs: &str) -> bool {
    match (fs::read_to_string(stamp_file(project)), stamp_text(project, inputs)) {
        (Ok(found), Ok(wanted)) => found == wanted,
        _ => false,
    }
}

fn stamp_file(project: &Project) -> PathBuf {
    project.target.join("placewise-dist.stamp")
}

/// The inputs together with the page that came of them: index.html names every other file by its content.
fn stamp_text(project: &Project, inputs: &str) -> Result<String> {
    let page = fs::read(project.dist().join("index.html"))?;
    Ok(format!("{inputs}\n{}\n", blake3::hash(&page).to_hex()))
}

fn inputs(project: &Project, dev: bool) -> Result<String> {
    let paths = [
        "src",
        "static",
        "crates/posenc",
        "crates/lab",
        "crates/catalogue",
        "crates/xtask/src",
        "tools",
        "index.html",
        texts::TEMPLATE,
        "build.rs",
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
    ];
    let base = texts::base()?.unwrap_or_default();
    stamp::of(project, &paths, &format!("{} {base}", if dev { "dev" } else { "release" }))
}

/// Writes `dist/` from the modules, the page and the static files.
fn assemble(project: &Project, wasm: &Wasm, built: &[modules::Built], dev: bool) -> Result<()> {
    let mut site = Site::new(project.dist(), !dev)?;
    for (name, folder) in [("placewise.css", "static/styles"), (LATER_STYLES, "static/styles/later")] {
        let joined = project.target.join(name);
        fs::write(&joined, styles(&project.root.join(folder))?)?;
        site.add(name, &minified(wasm, &joined, "css", dev)?)?;
    }
    let folder = project.root.join("static");
    for entry in WalkDir::new(&folder).sort_by_file_name() {
        let entry = entry?;
        let name = entry.path().strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
        // A README is for those who read the sources.
        let elsewhere = NOT_SERVED.iter().any(|path| name.starts_with(path)) || entry.file_name() == "README.md";
        if entry.file_type().is_file() && !elsewhere && !name.split('/').any(|part| part.starts_with('.')) {
            site.add(&name, &fs::read(entry.path())?)?;
        }
    }
    let catalogue = Catalogue::read(&project.root).map_err(anyhow::Error::msg)?;
    site.add("words/en.txt", catalogue.later().as_bytes())?;
    lessons(project, &mut site, dev)?;
    texts::add(project, &mut site)?;

    // The script of the whole app lists the others' files.
    let (whole, others): (Vec<_>, Vec<_>) = built.iter().partition(|module| module.name == "whole");
    for module in others.into_iter().chain(whole) {
        let mut script = module.glue.clone();
        if module.starts_itself {
            // What the page does not call is left out.
            script.set_extension("entry.js");
            let mut entry = format!("export {{ default }} from \"./{}.js\";\n", module.name);
            if module.name == "whole" {
                entry += &page::later_assets(&not_first(&site), LATER_STYLES);
            }
            fs::write(&script, entry)?;
        }
        site.add(&format!("{}.wasm", module.name), &fs::read(&module.wasm)?)?;
        site.add(&format!("{}.js", module.name), &minified(wasm, &script, "js", dev)?)?;
        if module.name == "lab" {
            let worker = project.root.join("crates/lab/worker.js");
            site.add("lab-worker.js", &minified(wasm, &worker, "js", dev)?)?;
        }
    }
    let words = page::words(&project.root.join("static/locales/en.toml"))?;
    for (name, path) in [("boot.js", "static/boot.js"), ("aside.js", "static/aside/aside.js")] {
        let script = minified(wasm, &project.root.join(path), "js", dev)?;
        site.add(name, page::say(str::from_utf8(&script)?, &words)?.as_bytes())?;
    }

    // What other pages name.
    let element = minified(wasm, &project.root.join("static/embed/element.js"), "element", dev)?;
    site.keep("embed.js", &element)?;
    site.keep("embed.d.ts", &fs::read(project.root.join("static/embed/embed.d.ts"))?)?;

    let template = fs::read_to_string(project.root.join("index.html")).context("cannot read index.html")?;
    let html = page::fill(&template, &words, site.files(), &PAGE_LISTS)?;

    site.keep(
        "sw.js",
        offline::worker(
            site.files(),
            &html,
            &minified(wasm, &project.root.join("static/aside/worker.js"), "plain", dev)?,
            dev,
        )?
        .as_bytes(),
    )?;

    // Closed by "</script>" in the page, which none of its lines has.
    let unpack = minified(wasm, &project.root.join("static/aside/unpack.js"), "js", dev)?;
    fs::write(project.target.join("unpack.js"), &unpack)?;
    fs::write(names_file(project), serde_json::to_string(site.files())?)?;
    if !dev {
        let single = single::page(&html, site.files(), &project.dist(), str::from_utf8(&unpack)?)?;
        site.keep(SINGLE, single.as_bytes())?;
    }
    site.finish(&html)
}

/// The edition of one file, of the site as it was built last.
pub(crate) fn single(project: &Project) -> Result<String> {
    let html = fs::read_to_string(project.dist().join("index.html"))?;
    let names: BTreeMap<String, String> = serde_json::from_slice(&fs::read(names_file(project))?)?;
    let unpack = fs::read_to_string(project.target.join("unpack.js"))?;
    single::page(&html, &names, &project.dist(), &unpack)
}

/// Which file of the site has which name.
fn names_file(project: &Project) -> PathBuf {
    project.target.join("placewise-names.json")
}

/// A file for each lesson: fetched when it is opened.
fn lessons(project: &Project, site: &mut Site, dev: bool) -> Result<()> {
    for lesson in catalogue::lessons(&project.root).map_err(anyhow::Error::msg)? {
        let content = lesson.html.as_bytes();
        if !dev && compress::brotli(content)?.len() > LESSON_BUDGET {
            bail!("{} is over its {LESSON_BUDGET} bytes (brotli)", lesson.file);
        }
        site.add(&format!("lessons/en/{}.html", lesson.name), content)?;
    }
    Ok(())
}

/// The files so far that the page does not list or name: the first module has no use for them.
fn not_first(site: &Site) -> BTreeMap<String, String> {
    let page = ["app.wasm", "app.js", "placewise.css", "icons/icon.svg"];
    let later = |name: &str| !page.contains(&name) && !PAGE_LISTS.contains(&name);
    site.files().iter().filter(|(name, _)| later(name)).map(|(name, file)| (name.clone(), file.clone())).collect()
}

/// The style sheets of a folder, in the order of their names.
fn styles(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for entry in WalkDir::new(folder).max_depth(1).sort_by_file_name() {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        if entry.path().extension().is_some_and(|ending| ending == "css") {
            text.push_str(&fs::read_to_string(entry.path())?);
            text.push('\n');
        }
    }
    Ok(text)
}

/// A script or style sheet without what only people need. A mistake in it ends the build.
fn minified(wasm: &Wasm, path: &Path, kind: &str, dev: bool) -> Result<Vec<u8>> {
    if dev && kind == "css" {
        return fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let mut esbuild = wasm.command("esbuild")?;
    esbuild.arg(path).args(["--log-level=warning", "--legal-comments=none"]);
    if !dev {
        esbuild.arg("--minify");
    }
    if kind != "css" {
        esbuild.arg(format!("--define:DEV={dev}"));
    }
    match kind {
        "js" => esbuild.args(["--bundle", "--format=esm", "--loader:.css=text"]),
        // A script of any page: no module, and nothing of it is seen outside.
        "element" => esbuild.args(["--bundle", "--format=iife"]),
        _ => &mut esbuild,
    };
    Ok(run::output(&mut esbuild)?.into_bytes())
}
