//! What must hold of the catalogue.

use crate::Entries;
use posenc::{Kind, registry};
use std::collections::BTreeSet;
use std::{fs, path::Path};

/// Everything that posenc's registry names must have words, and nothing else may.
pub(crate) fn ids(english: &Entries) -> Result<(), String> {
    let mut wanted = BTreeSet::new();
    for spec in registry() {
        wanted.insert(format!("scheme.{}.name", spec.id));
        wanted.insert(format!("scheme.{}.summary", spec.id));
        for param in spec.params {
            wanted.insert(format!("param.{}", param.key));
            wanted.insert(format!("param.{}.help", param.key));
            if let Kind::Choice { options, .. } = param.kind {
                wanted.extend(options.iter().map(|option| format!("choice.{}.{option}", param.key)));
            }
        }
        wanted.extend(spec.pitfalls.iter().map(|pitfall| format!("pitfall.{}", pitfall.key)));
    }
    let have: BTreeSet<String> = english
        .keys()
        .filter(|key| ["scheme.", "param.", "choice.", "pitfall."].iter().any(|group| key.starts_with(group)))
        .cloned()
        .collect();
    if let Some(key) = wanted.difference(&have).next() {
        return Err(format!("static/locales/en.toml has no entry {key:?}, which a scheme needs"));
    }
    if let Some(key) = have.difference(&wanted).next() {
        return Err(format!("static/locales/en.toml: no scheme uses the entry {key:?}"));
    }
    Ok(())
}

/// Another language has no key and no slot that English lacks.
pub(crate) fn languages(english: &Entries, locales: &Path) -> Result<(), String> {
    for file in fs::read_dir(locales).map_err(|e| e.to_string())? {
        let path = file.map_err(|e| e.to_string())?.path();
        if path.extension().is_none_or(|ext| ext != "toml") {
            continue;
        }
        for (key, text) in crate::read(&path)? {
            let Some(original) = english.get(&key) else {
                return Err(format!("{}: English has no entry {key:?}", path.display()));
            };
            let sorted = |text: &str| slots(text).map(|list| list.into_iter().collect::<BTreeSet<_>>());
            if sorted(&text)? != sorted(original)? {
                return Err(format!("{}: {key:?} has other slots than in English", path.display()));
            }
        }
    }
    Ok(())
}

/// The `{slots}` of a text, in order, each once.
pub(crate) fn slots(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for rest in text.split('{').skip(1) {
        let (name, _) = rest.split_once('}').ok_or_else(|| format!("an open brace in {text:?}"))?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            return Err(format!("a slot is lower-case letters: {text:?}"));
        }
        if !found.contains(&name.to_owned()) {
            found.push(name.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn entries(pairs: &[(&str, &str)]) -> Entries {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_missing_entry_and_one_too_many_are_named() {
        let error = ids(&Entries::new()).unwrap_err();
        assert!(error.contains("has no entry"), "{error}");
        let mut english =
            crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/locales/en.toml")).unwrap();
        assert_eq!(ids(&english), Ok(()));
        english.insert("scheme.unheard-of.name".into(), "?".into());
        let error = ids(&english).unwrap_err();
        assert!(error.contains("scheme.unheard-of.name"), "{error}");
    }

    #[test]
    fn slots_are_read_and_refused() {
        assert_eq!(slots("{a} and {b_c} and {a}").unwrap(), ["a", "b_c"]);
        assert!(slots("{a").is_err() && slots("{A}").is_err() && slots("{}").is_err());
    }

    #[test]
    fn another_language_has_the_same_slots() {
        let folder = std::env::temp_dir().join(format!("catalogue-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let english = entries(&[("a", "one {x}")]);
        let check = |text: &str| {
            fs::write(folder.join("xx.toml"), text).unwrap();
            languages(&english, &folder)
        };
        assert_eq!(check(r#""a" = "eins {x}""#), Ok(()));
        assert_eq!(check(""), Ok(()));
        assert!(check(r#""a" = "eins {y}""#).is_err());
        assert!(check(r#""b" = "zwei""#).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
