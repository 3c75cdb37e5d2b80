//! Where things are: the checkout, the target folder, the cache of installed tools.

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folders that the commands work in. All paths are absolute.
pub(crate) struct Project {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, as the caller has it.
    pub(crate) target: PathBuf,
    /// Installed tools, shared by all checkouts of this user. Every name in it carries a version.
    pub(crate) cache: PathBuf,
}

impl Project {
    /// Finds the folders from the environment that cargo gives.
    pub(crate) fn find() -> Result<Self> {
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.ancestors().nth(2).context("crates/xtask is not inside the checkout")?.to_owned();
        let here = env::current_dir()?;
        let target = here.join(env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from));
        let cache = here.join(
            cache_folder().context("there is no home folder: say with PLACEWISE_CACHE where tools may be installed")?,
        );
        Ok(Self { root, target, cache })
    }

    /// The built site.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Cargo's target folder for WebAssembly. Not the host's, which may belong to another compiler.
    pub(crate) fn wasm_target(&self) -> PathBuf {
        self.target.join("wasm")
    }

    /// A path inside the checkout as it is written there, with forward slashes.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("PLACEWISE_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("placewise")))
        .or_else(|| Some(env::home_dir()?.join(".cache").join("placewise")))
}

/// Held by one process at a time; another waits, and says for what. Let go when dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "the file is the lock")] File);

impl Lock {
    /// Waits for the lock at `path`; `busy` is said when somebody else has it.
    pub(crate) fn hold(path: &Path, busy: &str) -> Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            eprintln!("{busy}; waiting for it");
            file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        }
        Ok(Self(file))
    }
}
