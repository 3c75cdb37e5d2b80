//! `cargo xtask single-file`: the whole app in one file, for places without a network.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use lexopt::{Arg, Parser, ValueExt};

use crate::build;
use crate::project::Project;

/// `cargo xtask single-file`.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut options = build::Options::default();
    let mut out = None;
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Long("dev") => options.dev = true,
            Arg::Long("out") => out = Some(PathBuf::from(args.value()?.string()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    let out = out.unwrap_or_else(|| project.root.join(build::SINGLE));
    build::run(project, options)?;
    let page = build::single(project)?;
    fs::write(&out, &page).with_context(|| format!("cannot write {}", out.display()))?;
    println!("{} has everything inside: {:.1} MB, to be opened by itself", out.display(), page.len() as f64 / 1e6);
    Ok(())
}
