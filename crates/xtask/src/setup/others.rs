//! The browsers beside Chromium: Firefox, and WebKit with its driver and a display that nobody sees.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use walkdir::WalkDir;

use super::apt;
use crate::run;

/// Where distributions put WebKitGTK's own browser, which is not for PATH.
const WEBKIT_FOLDERS: [&str; 3] = ["/usr/lib", "/usr/lib64", "/usr/libexec"];

const WHY: &str = "the site is also tried in Firefox and WebKit";

/// Programs that the tests of tests/cross start.
pub(crate) struct Others {
    /// Firefox.
    pub(crate) firefox: PathBuf,
    webkit_driver: PathBuf,
    /// WebKitGTK's browser.
    pub(crate) mini_browser: PathBuf,
}

impl Others {
    /// Tells a command where the browsers are.
    pub(crate) fn tell(&self, command: &mut Command) {
        command
            .env("PLACEWISE_FIREFOX", &self.firefox)
            .env("PLACEWISE_WEBKIT_DRIVER", &self.webkit_driver)
            .env("PLACEWISE_MINIBROWSER", &self.mini_browser);
    }
}

/// Finds them, by the variables that [`Others::tell`] sets or where they are installed, or installs them.
pub(super) fn find() -> Result<Others> {
    let missing = match present() {
        Ok(others) => return Ok(others),
        Err(missing) => missing,
    };
    if !apt::available() {
        bail!(
            "missing: {} ({WHY}). Install Firefox, WebKitGTK with its WebDriver and its MiniBrowser, and Xvfb, or name them:\n\n    \
             PLACEWISE_FIREFOX=… PLACEWISE_WEBKIT_DRIVER=… PLACEWISE_MINIBROWSER=… cargo xtask test\n\n\
             Where there is no WebKitGTK, every other step runs by itself: cargo xtask test --only <step>",
            missing.join(", ")
        );
    }
    apt::install(&missing, WHY)?;
    present().or_else(|missing| bail!("{} was installed and cannot be found", missing.join(", ")))
}

/// The browsers, or Debian's packages of what is missing.
fn present() -> Result<Others, Vec<&'static str>> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file());
    let firefox =
        named("PLACEWISE_FIREFOX").or_else(|| ["firefox-esr", "firefox"].iter().find_map(|name| run::on_path(name)));
    let webkit_driver = named("PLACEWISE_WEBKIT_DRIVER").or_else(|| run::on_path("WebKitWebDriver"));
    let mini_browser = named("PLACEWISE_MINIBROWSER").or_else(mini_browser);
    let mut missing = Vec::new();
    if firefox.is_none() {
        missing.push("firefox-esr");
    }
    if webkit_driver.is_none() || mini_browser.is_none() {
        missing.push("webkit2gtk-driver");
    }
    if run::on_path("Xvfb").is_none() {
        missing.push("xvfb");
    }
    match (firefox, webkit_driver, mini_browser) {
        (Some(firefox), Some(webkit_driver), Some(mini_browser)) if missing.is_empty() => {
            Ok(Others { firefox, webkit_driver, mini_browser })
        }
        _ => Err(missing),
    }
}

/// `/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser`, or where it is elsewhere.
fn mini_browser() -> Option<PathBuf> {
    let folders = WEBKIT_FOLDERS.iter().flat_map(|folder| {
        let entries = WalkDir::new(folder).min_depth(1).max_depth(2).into_iter();
        // Folders of the machine's kind, and in them or beside them those of WebKit.
        entries
            .filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                name.ends_with("-linux-gnu") || name.starts_with("webkit2gtk-")
            })
            .flatten()
    });
    folders.map(|entry| entry.path().join("MiniBrowser")).find(|path| path.is_file())
}
