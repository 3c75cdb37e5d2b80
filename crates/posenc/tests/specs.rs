//! What must hold of every spec, and the defaults, which never change.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{Config, Kind, registry};
use std::fmt::Write as _;

/// Links leave defaults out: changing one would change every link that people have made.
#[test]
fn defaults_are_pinned() {
    let mut found = String::new();
    for spec in registry() {
        found += spec.id;
        found += "\n";
        for (param, value) in Config::new(spec).settings.iter() {
            writeln!(found, "  {} = {value}", param.key).unwrap();
        }
    }
    assert_eq!(
        found,
        include_str!("data/defaults.txt"),
        "defaults never change once released; new ones are added to tests/data/defaults.txt"
    );
}

#[test]
fn specs_are_sound() {
    for spec in registry() {
        assert!(
            !spec.formula.is_empty()
                && spec.paper.url.starts_with("https://")
                && spec.reference.url.starts_with("https://")
        );
        for param in spec.params {
            let default = param.default_value();
            assert_eq!(
                param.read(&default.to_string()),
                (default, None),
                "{}: the default of {} is legal",
                spec.id,
                param.key
            );
            if let Some((key, values)) = param.when {
                assert!(spec.params.iter().any(|p| p.key == key) && !values.is_empty(), "{}: {}", spec.id, param.key);
            }
            if let Kind::Real { min, max, scale: posenc::Scale::Log, .. } = param.kind {
                assert!(min > 0.0 && max > min);
            }
        }
        assert!(
            matches!(Config::new(spec).build(), Ok(_) | Err(posenc::Error::NeedsData(_))),
            "{} at its defaults",
            spec.id
        );
        let ids = registry().iter().filter(|other| other.id == spec.id).count();
        assert_eq!(ids, 1);
    }
}

/// The documentation is a reference: each scheme's page has its formula or table, shapes and units, errors, a source, and an
/// example that is run.
#[test]
fn every_scheme_has_its_page() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schemes");
    for spec in registry() {
        let file = folder.join(format!("{}.rs", spec.id.replace('-', "_")));
        let text = std::fs::read_to_string(&file).unwrap();
        let page: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        let has = |what: &str| page.iter().any(|line| line.starts_with(what));
        assert!(has("**Shapes and units.**") && has("**Errors.**"), "{}", spec.id);
        assert_eq!(page.iter().filter(|line| **line == "```").count(), 2, "{}: an example that is run", spec.id);
        let prose = page.join(" ");
        let link = prose.contains("<https://");
        assert!(link && prose.contains('`'), "{}: a source and a formula", spec.id);
    }
}
