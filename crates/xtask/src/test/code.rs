//! The code that the app writes, run: NumPy, PyTorch, and Rust with the posenc of this checkout.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::run;
use crate::setup;

/// Writes the cases, runs them, compares their numbers.
pub(super) fn test(project: &Project) -> Result<()> {
    let python = setup::python(project)?;
    let folder = project.target.join("code");
    // What another list of cases left would be run too.
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    run::run(
        super::cargo(project, &["test", "--quiet", "--package", "placewise", "--lib", "share::code::"])
            .env("PLACEWISE_CODE", &folder),
    )?;
    let script = project.root.join("tests/code/run.py");
    for (python, library) in [(&python.numpy, "numpy"), (&python.torch, "torch")] {
        run::run(run::command(python).arg(&script).arg(&folder).arg(library))?;
    }
    rust(project, &folder)
}

/// One crate of all pieces: each is a program of its own, and compiling one alone takes as long as all.
fn rust(project: &Project, folder: &Path) -> Result<()> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned))
        .collect();
    names.sort();
    for name in &names {
        let code = fs::read_to_string(folder.join(format!("{name}.rs")))?;
        // What a reader runs is private to the file; here another one calls it.
        let public = code.replacen("\nfn main()", "\npub fn main()", 1);
        if public == code {
            bail!("{name}.rs has no main");
        }
        fs::write(folder.join(format!("src/{name}.rs")), public)?;
    }
    let modules: Vec<String> = names.iter().map(|name| format!("mod {name};\n")).collect();
    let calls: Vec<String> = names.iter().map(|name| format!("println!(\"# {name}\");\n{name}::main()?;\n")).collect();
    let main = format!(
        "{}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n{}Ok(())\n}}\n",
        modules.concat(),
        calls.concat()
    );
    fs::write(folder.join("src/main.rs"), main)?;
    let posenc = project.root.join("crates/posenc");
    let manifest = format!(
        "[package]\nname = \"code\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\nposenc = {{ path = '{}' }}\n\n[workspace]\n",
        posenc.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The versions that everything else was tested with.
    fs::copy(project.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut cargo = run::command("cargo");
    let printed = run::output(cargo.current_dir(folder).args(["run", "--quiet", "--target-dir"]).arg(&project.target))?;
    let worst = compare(folder, &names, &printed)?;
    println!("rust: {} pieces of code agree with posenc, worst error {worst:.1e}", names.len());
    Ok(())
}

/// The greatest error of what was printed, a row a line.
fn compare(folder: &Path, names: &[String], printed: &str) -> Result<f64> {
    let mut worst: f64 = 0.0;
    for name in names {
        let expected = fs::read_to_string(folder.join(format!("{name}.rust.json")))?;
        let (_, rows) = expected.split_once("\"rows\": ").context("a case has rows")?;
        let mark = format!("# {name}\n");
        let (_, own) = printed.split_once(&mark).with_context(|| format!("{name} printed nothing"))?;
        let own = own.split("# case").next().unwrap_or_default();
        let (found, right) = (numbers(own)?, numbers(rows)?);
        if found.len() != right.len() || right.is_empty() {
            bail!("{name}: {} numbers instead of {}", found.len(), right.len());
        }
        for (found, right) in found.iter().zip(&right) {
            let error = (found - right).abs() / right.abs().max(1.0);
            // Not a number is no small error.
            if error.is_nan() || error > 1e-12 {
                bail!("{name}: {found} instead of {right}");
            }
            worst = worst.max(error);
        }
    }
    Ok(worst)
}

/// The numbers in lists, whatever is around them.
fn numbers(text: &str) -> Result<Vec<f64>> {
    let parts = text.split(|c: char| c.is_whitespace() || "[],}".contains(c)).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().with_context(|| format!("{part} is no number"))).collect()
}
