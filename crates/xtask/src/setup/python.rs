//! Python for the code that the app writes: NumPy from `PyPI` in an environment of its own, and PyTorch from Debian.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::apt;
use crate::project::Project;
use crate::run;

/// In the environment's name too: another version is another environment.
const NUMPY: &str = "numpy==2.2.6";
const WHY: &str = "the code that the app writes is run and compared";

/// Python that has what the code asks for.
pub(crate) struct Python {
    /// With NumPy.
    pub(crate) numpy: PathBuf,
    /// With PyTorch; the system's.
    pub(crate) torch: PathBuf,
}

/// Finds both, or installs them.
pub(super) fn find(project: &Project) -> Result<Python> {
    Ok(Python { numpy: numpy(project)?, torch: torch()? })
}

/// An environment in the cache; the system's Python is left as it is.
fn numpy(project: &Project) -> Result<PathBuf> {
    let folder = project.cache.join(format!("python-{}", NUMPY.replace("==", "-")));
    let python = folder.join("bin/python");
    let has_it = || run::works(run::command(&python).args(["-c", "import numpy"]));
    if python.is_file() && has_it() {
        return Ok(python);
    }
    super::say(&format!("pip install {NUMPY} in {}", folder.display()), WHY);
    let make = || run::run(run::command("python3").args(["-m", "venv", "--clear"]).arg(&folder));
    if make().is_err() {
        if !apt::available() {
            bail!("missing: Python 3 with its module venv ({WHY}). Install it and start again");
        }
        apt::install(&["python3", "python3-venv"], WHY)?;
        make()?;
    }
    run::run(run::command(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", NUMPY]))
        .inspect_err(|_| drop(fs::remove_dir_all(&folder)))
        .with_context(|| format!("{NUMPY} could not be installed ({WHY})"))?;
    Ok(python)
}

/// The system's Python: another on PATH does not see the system's packages.
fn torch() -> Result<PathBuf> {
    let has_it = |python: &PathBuf| run::works(run::command(python).args(["-c", "import torch"]));
    let found = || [PathBuf::from("/usr/bin/python3")].into_iter().chain(run::on_path("python3")).find(has_it);
    if let Some(python) = found() {
        return Ok(python);
    }
    if !apt::available() {
        bail!("missing: PyTorch ({WHY}). Install it for the python3 on PATH and start again");
    }
    apt::install(&["python3-torch"], WHY)?;
    found().context("python3-torch was installed and cannot be imported")
}
