//! The files of the site: named after their content, so that a browser may keep them for ever.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use super::compress;

/// Hexadecimal digits of the content's hash in a name.
const DIGITS: usize = 12;

/// A site that is being written.
pub(super) struct Site {
    dist: PathBuf,
    /// Whether files are compressed as well.
    compressing: bool,
    /// The name in the sources, and the file on the site.
    files: BTreeMap<String, String>,
    written: BTreeSet<PathBuf>,
}

impl Site {
    /// Begins the site in a folder.
    pub(super) fn new(dist: PathBuf, compressing: bool) -> Result<Self> {
        fs::create_dir_all(&dist).with_context(|| format!("cannot make the folder {}", dist.display()))?;
        Ok(Self { dist, compressing, files: BTreeMap::new(), written: BTreeSet::new() })
    }

    /// Adds a file under a name made of its own and its content.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let file = hashed(name, content);
        self.write(&file, content)?;
        if self.files.insert(name.to_owned(), file).is_some() {
            bail!("two files of the site are called {name}");
        }
        Ok(())
    }

    /// Adds a file under a name that stays, for pages elsewhere to refer to.
    pub(super) fn keep(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.write(name, content)
    }

    /// Adds a file that the app has no use for; the name that it has on the site comes back.
    pub(super) fn unlisted(&mut self, name: &str, content: &[u8]) -> Result<String> {
        let file = hashed(name, content);
        self.write(&file, content)?;
        Ok(file)
    }

    /// The file on the site for each name.
    pub(super) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// Writes the page, which makes the new files visible, and then removes what an earlier build left:
    /// somebody who loads the page meanwhile gets all of the old site or all of the new one.
    pub(super) fn finish(mut self, html: &str) -> Result<()> {
        self.write("index.html", html.as_bytes())?;
        for entry in WalkDir::new(&self.dist).contents_first(true).min_depth(1) {
            let entry = entry?;
            if entry.file_type().is_dir() {
                fs::remove_dir(entry.path()).ok(); // only empty ones go
            } else if !self.written.contains(entry.path()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn write(&mut self, file: &str, content: &[u8]) -> Result<()> {
        let path = self.dist.join(file);
        let mut forms = vec![(path.clone(), None)];
        if self.compressing && compress::worthwhile(file) {
            forms.push((with_ending(&path, "gz"), Some(compress::gzip as fn(&[u8]) -> Result<Vec<u8>>)));
            forms.push((with_ending(&path, "br"), Some(compress::brotli)));
        }
        for (path, packed) in forms {
            // A hashed name that is there already has this content.
            if !(is_hashed(file) && path.is_file()) {
                let packed = packed.map(|pack| pack(content)).transpose()?;
                replace(&path, packed.as_deref().unwrap_or(content))?;
            }
            self.written.insert(path);
        }
        Ok(())
    }
}

/// Writes a file so that a reader sees the old content or the new, never a part.
fn replace(path: &Path, content: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = with_ending(path, "new");
    fs::write(&beside, content).with_context(|| format!("cannot write {}", beside.display()))?;
    fs::rename(&beside, path).with_context(|| format!("cannot write {}", path.display()))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// `icons/icon.svg` becomes `icons/icon.0123456789ab.svg`.
fn hashed(name: &str, content: &[u8]) -> String {
    let hash = blake3::hash(content).to_hex();
    let hash = &hash[..DIGITS];
    let (folder, file) = name.rsplit_once('/').map_or((None, name), |(folder, file)| (Some(folder), file));
    let file = match file.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}.{hash}.{ending}"),
        None => format!("{file}.{hash}"),
    };
    folder.map_or_else(|| file.clone(), |folder| format!("{folder}/{file}"))
}

/// Whether a name was made from its content.
pub(crate) fn is_hashed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_hash =
        |part: &str| part.len() == DIGITS && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    file.split('.').skip(1).any(is_hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_the_content() {
        let name = hashed("icons/icon.svg", b"<svg/>");
        assert!(name.starts_with("icons/icon."), "{name}");
        assert_eq!(name.len(), "icons/icon..svg".len() + DIGITS, "{name}");
        assert!(is_hashed(&name), "{name}");
        assert_ne!(name, hashed("icons/icon.svg", b"<svg></svg>"));
        assert!(is_hashed(&hashed("LICENSE", b"")));
    }

    #[test]
    fn other_names_are_not_taken_for_hashed() {
        for name in [
            "index.html",
            "app.js",
            "0123456789ab.js",
            "0123456789ab/app.js",
            "app.0123456789aB.js",
            "app.0123456789abc.js",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }

    #[test]
    fn a_second_build_leaves_nothing_of_the_first() -> Result<()> {
        let dist = std::env::temp_dir().join(format!("placewise-site-{}", std::process::id()));
        let mut first = Site::new(dist.clone(), true)?;
        first.add("old/a.js", b"let a = 1;")?;
        first.add("b.png", b"not compressed")?;
        let old = dist.join(&first.files()["old/a.js"]);
        first.finish("<p>1</p>")?;
        assert!(old.is_file() && with_ending(&old, "br").is_file() && with_ending(&old, "gz").is_file());

        let mut second = Site::new(dist.clone(), true)?;
        second.add("b.png", b"not compressed")?;
        let kept = dist.join(&second.files()["b.png"]);
        second.finish("<p>2</p>")?;
        assert!(kept.is_file() && !with_ending(&kept, "br").exists());
        assert!(!dist.join("old").exists());
        assert_eq!(fs::read_to_string(dist.join("index.html"))?, "<p>2</p>");
        fs::remove_dir_all(dist)?;
        Ok(())
    }
}
