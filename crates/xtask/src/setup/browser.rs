//! Chromium and its driver, for tests and benches.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::apt;
use crate::run;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// A browser and the driver of its version.
pub(crate) struct Browser {
    /// The browser's program.
    pub(crate) chromium: PathBuf,
    /// chromedriver.
    pub(crate) driver: PathBuf,
}

/// Finds both, by `PLACEWISE_CHROMIUM` and `CHROMEDRIVER` or on PATH, or installs them.
pub(super) fn find() -> Result<Browser> {
    if let Some(browser) = present() {
        return Ok(browser);
    }
    if !apt::available() {
        bail!(
            "Chromium or its driver is missing: the tests run in it. Install Chrome and the chromedriver of its version \
             (https://googlechromelabs.github.io/chrome-for-testing), or name them:\n\n    PLACEWISE_CHROMIUM=… CHROMEDRIVER=… cargo xtask test\n"
        );
    }
    apt::install(&["chromium", "chromium-driver"], "the tests run in a real browser")?;
    match present() {
        Some(browser) => Ok(browser),
        None => bail!("Chromium was installed and cannot be found on PATH"),
    }
}

fn present() -> Option<Browser> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file());
    let chromium = named("PLACEWISE_CHROMIUM")
        .or_else(|| NAMES.iter().find_map(|name| run::on_path(name)))
        .or_else(|| Some(Path::new(MAC)).filter(|path| path.is_file()).map(Path::to_owned))?;
    let driver = named("CHROMEDRIVER").or_else(|| run::on_path("chromedriver"))?;
    Some(Browser { chromium, driver })
}
