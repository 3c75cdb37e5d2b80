//! `{:?}` writes nothing in the site (`build/modules.rs` says why), and clippy's `use_debug` sees it only where something is
//! printed: what is formatted for a reader is looked for here.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use crate::project::Project;

/// What the site's modules are made of.
const FOLDERS: [&str; 3] = ["src", "crates/posenc/src", "crates/lab/src"];

/// Refuses sources that write with `{:?}` outside their tests.
pub(super) fn check(project: &Project) -> Result<()> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for entry in WalkDir::new(project.root.join(folder)).sort_by_file_name() {
            let entry = entry?;
            if entry.path().extension().is_some_and(|ending| ending == "rs") && !is_test(entry.path()) {
                let source = fs::read_to_string(entry.path())
                    .with_context(|| format!("cannot read {}", entry.path().display()))?;
                let lines = lines(&source);
                found.extend(lines.into_iter().map(|line| format!("{}:{line}", project.relative(entry.path()))));
            }
        }
    }
    if !found.is_empty() {
        bail!("`{{:?}}` writes nothing in the site; write these with `Display`: {}", found.join(", "));
    }
    Ok(())
}

/// Files of tests alone, by their names.
fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| {
        let name = name.to_string_lossy();
        name == "testing" || name == "tests" || name.ends_with("_tests")
    })
}

/// The lines, from 1, that write so, up to the tests at a file's end.
fn lines(source: &str) -> Vec<usize> {
    let all: Vec<&str> = source.lines().map(str::trim).collect();
    let tests = (0..all.len()).find(|at| {
        let next = all[at + 1..].iter().find(|line| !line.starts_with("#["));
        (all[*at] == "#[cfg(test)]" || all[*at].starts_with("#[cfg(all(test,"))
            && next.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    });
    let own = &all[..tests.unwrap_or(all.len())];
    let writes = |line: &&str| {
        let code = line.split("//").next().unwrap_or_default();
        code.contains(":?}") || code.contains(":#?}")
    };
    (1..).zip(own).filter(|(_, line)| writes(line)).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_for_readers_is_found() {
        let source = "use a; // {:?}\nlet a = format!(\"{n:?}\");\n#[cfg(test)]\nmod other;\nlet b = format!(\"{:#?}\", n);\n#[cfg(test)]\n#[expect(x)]\nmod tests {\n{:?}";
        assert_eq!(lines(source), [2, 5]);
        assert!(is_test(Path::new("src/state/link_tests.rs")) && !is_test(Path::new("src/share/code.rs")));
    }
}
