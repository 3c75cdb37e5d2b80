//! Every link that the repository gives to readers opens what it says, and is written again as one that opens the same.

use crate::state::link;
use std::fs;
use std::path::{Path, PathBuf};

/// Files with links, from the root of the repository; of folders, all in them.
const PLACES: [&str; 6] =
    ["README.md", "static/lessons", "static/questions.toml", "static/tries.toml", "static/locales", "index.html"];

fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a folder");
    entries.flat_map(|entry| files(&entry.expect("an entry").path())).collect()
}

/// The links in a text: from `#/` to what ends them in TOML, Markdown or HTML.
fn links(text: &str) -> impl Iterator<Item = &str> {
    // As code it is spoken of, and leads nowhere.
    text.match_indices("#/").filter(|(start, _)| !text[..*start].ends_with('`')).map(|(start, _)| {
        let rest = &text[start..];
        let mut depth = 0_usize;
        // In Markdown a link stands in parentheses, and may have some of its own.
        let end = rest.find(|c: char| {
            match c {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                ')' => return true,
                _ => {}
            }
            c.is_whitespace() || "\"'<>`".contains(c)
        });
        &rest[..end.unwrap_or(rest.len())]
    })
}

#[test]
fn every_link_opens_the_same_when_it_is_written_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for file in PLACES.iter().flat_map(|place| files(&root.join(place))) {
        let text = fs::read_to_string(&file).expect("a text");
        for given in links(&text) {
            let given = given.replace("&amp;", "&");
            let (state, repairs) = link::parse("", &given);
            assert!(repairs.is_empty(), "{}: {given}: {repairs:?}", file.display());
            let written = link::write(&state);
            assert_eq!(link::parse("", &written), (state, Vec::new()), "{}: {given}", file.display());
            assert_eq!(link::write(&link::parse("", &written).0), written);
            count += 1;
        }
    }
    assert!(count > 100, "only {count} links were found");
}

#[test]
fn where_a_link_ends() {
    let found: Vec<&str> =
        links("![a](#/explore?schemes=rope(head_dim=8),none&length=3) (see [b](#/learn/x).\n\"01\" = \"#/about\"")
            .collect();
    assert_eq!(found, ["#/explore?schemes=rope(head_dim=8),none&length=3", "#/learn/x", "#/about"]);
}
