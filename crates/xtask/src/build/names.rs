//! The names that a module and its script call each other by: wasm-bindgen's are long and end with hashes, which no
//! compression makes shorter, and nobody else reads them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};

use super::sections::{self, Reader, put_bytes, put_number};

const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;

/// The kind of an import or export that is a function.
const FUNCTION: u8 = 0;

/// The script's name for the module's exports.
const EXPORTS_IN_SCRIPT: &str = "wasm.";

/// The name of the one object that the module's imports come from.
const FROM: &str = "_";

/// The module and its script with short names in both.
pub(super) fn shortened(module: &[u8], script: &str) -> Result<(Vec<u8>, String)> {
    let mut names = Names::default();
    let mut sections = Vec::new();
    for (id, content) in sections::of(module).context("it is not a WebAssembly module")? {
        let content = match id {
            IMPORTS => names.imports(content).context("its imports are not functions of one script")?,
            EXPORTS => names.exports(content).context("its exports cannot be read")?,
            _ => content.to_vec(),
        };
        sections.push((id, content));
    }
    Ok((sections::join(&sections), names.in_script(script)?))
}

#[derive(Default)]
struct Names {
    /// The object that the imports came from.
    from: Option<String>,
    imports: BTreeMap<String, String>,
    exports: BTreeMap<String, String>,
}

impl Names {
    fn imports(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        let mut old = Reader(content);
        let mut new = Vec::new();
        let count = old.number()?;
        put_number(&mut new, count);
        for index in 0..count {
            let (from, name, kind, function_type) = (old.name()?, old.name()?, old.byte()?, old.number()?);
            if kind != FUNCTION || *self.from.get_or_insert_with(|| from.to_owned()) != from || !is_generated(name) {
                return None;
            }
            let short = self.imports.entry(name.to_owned()).or_insert_with(|| short(index));
            put_bytes(&mut new, FROM.as_bytes());
            put_bytes(&mut new, short.as_bytes());
            new.push(kind);
            put_number(&mut new, function_type);
        }
        Some(new)
    }

    fn exports(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        let mut old = Reader(content);
        let mut entries = Vec::new();
        for _ in 0..old.number()? {
            entries.push((old.name()?, old.byte()?, old.number()?));
        }
        // What people named stays.
        let kept: BTreeSet<&str> = entries.iter().map(|entry| entry.0).filter(|name| !is_generated(name)).collect();
        let mut free = (0..).map(short).filter(|name| !kept.contains(name.as_str()));
        let mut new = Vec::new();
        put_number(&mut new, entries.len());
        for (name, kind, index) in entries {
            if is_generated(name) {
                let short = self.exports.entry(name.to_owned()).or_insert(free.next()?);
                put_bytes(&mut new, short.as_bytes());
            } else {
                put_bytes(&mut new, name.as_bytes());
            }
            new.push(kind);
            put_number(&mut new, index);
        }
        Some(new)
    }

    fn in_script(&self, script: &str) -> Result<String> {
        let mut new = String::with_capacity(script.len());
        let mut found = BTreeSet::new();
        let mut rest = script;
        while !rest.is_empty() {
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let gap = rest[word..].find(is_word).map_or(rest.len(), |gap| word + gap);
            let (name, between) = (&rest[..word], &rest[word..gap]);
            let list = if new.ends_with(EXPORTS_IN_SCRIPT) { &self.exports } else { &self.imports };
            match list.get(name) {
                Some(short) => {
                    found.insert(name);
                    new.push_str(short);
                }
                None => new.push_str(name),
            }
            new.push_str(between);
            rest = &rest[gap..];
        }
        if let Some(lost) = self.imports.keys().find(|name| !found.contains(name.as_str())) {
            bail!("its script has no {lost}");
        }
        Ok(match &self.from {
            Some(from) => new.replace(&format!("{from:?}"), &format!("{FROM:?}")),
            None => new,
        })
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn is_generated(name: &str) -> bool {
    ["__wb", "__externref", "wasm_bindgen"].iter().any(|start| name.starts_with(start))
}

/// The name with this number: a letter, then letters or digits.
fn short(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut rest = number;
    let mut name = String::new();
    loop {
        name.push(char::from(LETTERS[rest % LETTERS.len()]));
        rest /= LETTERS.len();
        if rest == 0 {
            return name;
        }
        rest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for name in list {
            put_bytes(&mut bytes, name.as_bytes());
        }
        bytes
    }

    #[test]
    fn both_sides_change_alike() -> Result<()> {
        let imports = [&[1][..], &names(&["./app_bg.js", "__wbg_log_0123456789abcdef"]), &[0, 5]].concat();
        let exports = [
            &[3][..],
            &names(&["a"]),
            &[0, 9],
            &names(&["memory"]),
            &[2, 0],
            &names(&["__wbindgen_free"]),
            &[0, 200, 1],
        ]
        .concat();
        let module = sections::join(&[(IMPORTS, imports), (EXPORTS, exports), (10, vec![1, 2])]);
        let script = "const i = { __wbg_log_0123456789abcdef: function() { wasm.__wbindgen_free(); } }; \
                      x = { \"./app_bg.js\": i }; wasm.memory; wasm.a(); __wbg_log_0";
        let (module, script) = shortened(&module, script)?;
        let imports = [&[1][..], &names(&["_", "a"]), &[0, 5]].concat();
        let exports =
            [&[3][..], &names(&["a"]), &[0, 9], &names(&["memory"]), &[2, 0], &names(&["b"]), &[0, 200, 1]].concat();
        assert_eq!(module, sections::join(&[(IMPORTS, imports), (EXPORTS, exports), (10, vec![1, 2])]));
        assert_eq!(
            script,
            "const i = { a: function() { wasm.b(); } }; x = { \"_\": i }; wasm.memory; wasm.a(); __wbg_log_0"
        );
        Ok(())
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let imports = [&[1][..], &names(&["./app_bg.js", "__wbg_log"]), &[0, 5]].concat();
        let module = sections::join(&[(IMPORTS, imports)]);
        assert!(shortened(&module, "no such import").is_err());
        let memory = [&[1][..], &names(&["env", "memory"]), &[2, 0, 1]].concat();
        assert!(shortened(&sections::join(&[(IMPORTS, memory)]), "").is_err());
        assert!(shortened(b"no module", "").is_err());
    }

    #[test]
    fn short_names_differ() {
        let all: BTreeSet<String> = (0..5000).map(short).collect();
        assert_eq!(all.len(), 5000);
        assert_eq!((short(0), short(51), short(52), short(53)), ("a".into(), "Z".into(), "aa".into(), "ba".into()));
    }
}
