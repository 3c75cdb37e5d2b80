//! The worker that keeps the site for when there is no network: its script, told which files there are.

use std::collections::BTreeMap;

use anyhow::Result;

/// The script, for these files of the site and its page. A development build is kept by nobody.
pub(super) fn worker(files: &BTreeMap<String, String>, html: &str, script: &[u8], dev: bool) -> Result<String> {
    let files: Vec<String> = if dev { Vec::new() } else { files.values().map(|file| format!("./{file}")).collect() };
    let first: Vec<&String> = files.iter().filter(|file| html.contains(*file)).collect();
    let mut version = blake3::Hasher::new();
    version.update(html.as_bytes());
    for file in &files {
        version.update(file.as_bytes());
    }
    let version = &version.finalize().to_hex()[..12];
    Ok(format!(
        "const VERSION = {version:?};\nconst FILES = {};\nconst FIRST = {};\n{}",
        serde_json::to_string(&files)?,
        serde_json::to_string(&first)?,
        str::from_utf8(script)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_its_files() -> Result<()> {
        let files =
            |hash: &str| BTreeMap::from([("a.js".to_owned(), format!("a.{hash}.js")), ("b".into(), "b".into())]);
        let script = |hash: &str, dev| worker(&files(hash), &format!("<p>./a.{hash}.js"), b"run();", dev);
        let one = script("1", false)?;
        assert!(one.contains(r#"FILES = ["./a.1.js","./b"]"#) && one.contains(r#"FIRST = ["./a.1.js"]"#), "{one}");
        assert!(one.ends_with("run();"));
        assert_ne!(one.lines().next(), script("2", false)?.lines().next());
        assert!(script("1", true)?.contains("FILES = [];"));
        Ok(())
    }
}
