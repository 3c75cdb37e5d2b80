//! One number for everything that a build reads.

use std::fs;

use anyhow::{Context, Result};
use walkdir::{DirEntry, WalkDir};

use crate::project::Project;

/// Folders inside crates that no build of the site reads.
const NOT_READ: [&str; 6] = ["tests", "benches", "examples", "pkg", "target", "node_modules"];

/// A number that changes when any of these files, or a file in these folders, does, or a name, or `mode`.
/// What is missing counts as empty.
pub(super) fn of(project: &Project, paths: &[&str], mode: &str) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    hash.update(mode.as_bytes());
    for path in paths {
        let start = project.root.join(path);
        if !start.exists() {
            continue;
        }
        for entry in WalkDir::new(start).sort_by_file_name().into_iter().filter_entry(read) {
            let entry = entry?;
            if entry.file_type().is_file() {
                let content =
                    fs::read(entry.path()).with_context(|| format!("cannot read {}", entry.path().display()))?;
                add(&mut hash, &project.relative(entry.path()), &content);
            }
        }
    }
    Ok(hash.finalize().to_hex()[..32].to_owned())
}

/// The lengths keep two files from being taken for one.
fn add(hash: &mut blake3::Hasher, name: &str, content: &[u8]) {
    hash.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
    hash.update(&(content.len() as u64).to_le_bytes()).update(content);
}

fn read(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name.starts_with('.') || entry.file_type().is_dir() && NOT_READ.contains(&name.as_ref()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn project(name: &str) -> Result<Project> {
        let root = std::env::temp_dir().join(format!("placewise-stamp-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("src/tests"))?;
        fs::write(root.join("src/a.rs"), "a")?;
        Ok(Project { root, target: PathBuf::new(), cache: PathBuf::new() })
    }

    #[test]
    fn a_stamp_changes_with_content_names_and_mode_only() -> Result<()> {
        let project = project("changes")?;
        let now = |mode| of(&project, &["src", "missing", "Cargo.toml"], mode);
        let first = now("release")?;
        assert_eq!(first, now("release")?);
        assert_ne!(first, now("dev")?);
        fs::write(project.root.join("src/tests/t.rs"), "not read by the build")?;
        fs::write(project.root.join("src/a.rs"), "a")?;
        assert_eq!(first, now("release")?);
        fs::write(project.root.join("src/a.rs"), "b")?;
        let second = now("release")?;
        assert_ne!(first, second);
        fs::rename(project.root.join("src/a.rs"), project.root.join("src/b.rs"))?;
        assert_ne!(second, now("release")?);
        fs::write(project.root.join("Cargo.toml"), "")?;
        assert_ne!(second, now("release")?);
        fs::remove_dir_all(&project.root)?;
        Ok(())
    }
}
