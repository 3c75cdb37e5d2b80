//! `cargo xtask size`: the bytes of the first load against the budget.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lexopt::Parser;
use walkdir::WalkDir;

use crate::build::{self, Link};
use crate::project::Project;

/// What the first load may weigh, in bytes, with brotli.
const BUDGET: u64 = 200_000;

/// `cargo xtask size`.
pub(crate) fn command(project: &Project, args: Parser) -> Result<()> {
    crate::no_more(args)?;
    build::run(project, build::Options::default())?;
    report(project)
}

/// Prints the table and fails past the budget.
pub(crate) fn report(project: &Project) -> Result<()> {
    let dist = project.dist();
    let html =
        fs::read_to_string(dist.join("index.html")).context("there is no built site: run `cargo xtask build`")?;
    let mut first = vec![Link { file: "index.html".to_owned(), first: true }];
    first.extend(build::links(&html).into_iter().filter(|link| link.first));
    let mut later = Vec::new();
    for entry in WalkDir::new(&dist).sort_by_file_name() {
        let entry = entry?;
        let file = entry.path().strip_prefix(&dist)?.to_string_lossy().replace('\\', "/");
        let packed = entry.path().extension().is_some_and(|ending| ending == "gz" || ending == "br");
        if entry.file_type().is_file() && !packed && first.iter().all(|link| link.file != file) {
            later.push(Link { file, first: false });
        }
    }
    println!("{:<36}{:>12}{:>12}{:>12}", "first load", "raw", "gzip", "brotli");
    let total = table(&dist, &first)?;
    println!(
        "{:<36}{:>12}{:>12}{:>12}  of {}",
        "in all",
        grouped(total.raw),
        grouped(total.gzip),
        grouped(total.brotli),
        grouped(BUDGET)
    );
    if !later.is_empty() {
        println!("\n{:<36}{:>12}{:>12}{:>12}", "later, when asked for", "raw", "gzip", "brotli");
        table(&dist, &later)?;
    }
    if total.brotli > BUDGET {
        bail!("the first load is {} bytes over its budget", grouped(total.brotli - BUDGET));
    }
    Ok(())
}

#[derive(Default)]
struct Bytes {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

fn table(dist: &Path, links: &[Link]) -> Result<Bytes> {
    let mut total = Bytes::default();
    for link in links {
        let bytes = bytes_of(dist, &link.file)?;
        println!("{:<36}{:>12}{:>12}{:>12}", link.file, grouped(bytes.raw), grouped(bytes.gzip), grouped(bytes.brotli));
        total.raw += bytes.raw;
        total.gzip += bytes.gzip;
        total.brotli += bytes.brotli;
    }
    Ok(total)
}

/// A file without a compressed form beside it is sent as it is.
fn bytes_of(dist: &Path, file: &str) -> Result<Bytes> {
    let length = |name: &str| fs::metadata(dist.join(name)).map(|data| data.len());
    let raw = length(file).with_context(|| format!("dist/{file} is missing"))?;
    Ok(Bytes {
        raw,
        gzip: length(&format!("{file}.gz")).unwrap_or(raw),
        brotli: length(&format!("{file}.br")).unwrap_or(raw),
    })
}

/// 1234567 as 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
