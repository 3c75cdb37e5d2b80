//! Running what is written for Node against the built site: end-to-end tests and benches.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use walkdir::WalkDir;

use crate::project::Project;
use crate::run;
use crate::serve::Running;
use crate::setup;

/// The built site, served on a free port, with a browser to look at it.
pub(crate) struct Stage {
    server: Running,
    browser: setup::Browser,
    root: PathBuf,
}

impl Stage {
    /// Serves `dist/` as it is.
    pub(crate) fn set(project: &Project) -> Result<Self> {
        setup::test_packages(project)?;
        let browser = setup::browser(project)?;
        let server = Running::start(project.dist(), 0)?;
        Ok(Self { server, browser, root: project.root.clone() })
    }

    /// A Node command that is told where the site and the browser are.
    pub(crate) fn node(&self) -> Command {
        let mut node = run::command("node");
        node.current_dir(&self.root);
        node.env("PLACEWISE_URL", self.server.url()).env("PLACEWISE_CHROMIUM", &self.browser.chromium);
        node
    }
}

/// The scripts under a folder whose names end so, in order.
pub(crate) fn scripts(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().flatten().map(walkdir::DirEntry::into_path);
    entries
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| endings.iter().any(|ending| name.ends_with(ending)))
        })
        .collect()
}
