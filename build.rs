//! Turns the catalogue of words and the formulas into Rust, and refuses what does not fit.
//!
//! * `static/locales/<lang>.toml`: flat `"key" = "text with {slots}"`. English is complete; another language may lack
//!   an entry, but not have one more, nor other slots.
//! * `static/formulas.toml`: `"key" = 'LaTeX with \slot{name}'`, turned to MathML here.
//!
//! An entry becomes a function of its slots in `words` or `formulas`, so that a missing entry or a mismatched slot
//! does not compile and an unused one is dead code. What is looked up by id (schemes, parameters, choices, pitfalls)
//! is checked against `posenc`'s registry here.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use posenc::{Kind, registry};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};

type Entries = BTreeMap<String, String>;

/// Looked up by id at run time: their entries make no functions.
const BY_ID: [&str; 7] = ["scheme.", "param.", "choice.", "pitfall.", "figure.", "option.", "try."];

fn main() {
    if let Err(message) = run() {
        println!("cargo::error={message}");
    }
}

fn run() -> Result<(), String> {
    println!("cargo::rerun-if-changed=static/locales");
    println!("cargo::rerun-if-changed=static/formulas.toml");
    println!("cargo::rerun-if-changed=index.html");
    let out = env::var("OUT_DIR").map_err(|e| e.to_string())?;
    let english = read(Path::new("static/locales/en.toml"))?;
    check_ids(&english)?;
    check_languages(&english)?;
    write(&out, "words.rs", &words(&english, &page_keys()?)?)?;
    let formulas = read(Path::new("static/formulas.toml"))?;
    write(&out, "formulas.rs", &formulas_source(&formulas)?)
}

fn read(path: &Path) -> Result<Entries, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(out: &str, name: &str, text: &str) -> Result<(), String> {
    fs::write(Path::new(out).join(name), text).map_err(|e| e.to_string())
}

/// The keys that `index.html` uses as `{{key}}`.
fn page_keys() -> Result<BTreeSet<String>, String> {
    let page = fs::read_to_string("index.html").unwrap_or_default();
    Ok(page
        .split("{{")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"))
        .map(|(key, _)| key.trim().to_owned())
        .collect())
}

/// Everything that posenc's registry names must have words, and nothing else may.
fn check_ids(english: &Entries) -> Result<(), String> {
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
fn check_languages(english: &Entries) -> Result<(), String> {
    for file in fs::read_dir("static/locales").map_err(|e| e.to_string())? {
        let path = file.map_err(|e| e.to_string())?.path();
        if path.extension().is_none_or(|ext| ext != "toml") {
            continue;
        }
        for (key, text) in read(&path)? {
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
fn slots(text: &str) -> Result<Vec<String>, String> {
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

fn function_name(key: &str) -> String {
    key.replace(['.', '-'], "_")
}

/// One function an entry; the index of an entry is its place in the sorted catalogue, in every language.
fn words(english: &Entries, page: &BTreeSet<String>) -> Result<String, String> {
    if let Some(key) = page.iter().find(|key| !english.contains_key(*key)) {
        return Err(format!("index.html uses {key:?}, which static/locales/en.toml lacks"));
    }
    let mut source = String::new();
    let by_id = |key: &str| BY_ID.iter().any(|group| key.starts_with(group));
    // What the page itself has need not be in the module too.
    let rows: String =
        english.iter().map(|(key, text)| format!("    {:?},\n", if page.contains(key) { "" } else { text })).collect();
    let _ = write!(source, "static ENGLISH: [&str; {}] = [\n{rows}];\n", english.len());
    let rows: Vec<String> = english
        .keys()
        .enumerate()
        .filter(|(_, key)| by_id(key))
        .map(|(index, key)| format!("    ({key:?}, {index}),\n"))
        .collect();
    let _ = write!(source, "static LOOKUP: [(&str, usize); {}] = [\n{}];\n", rows.len(), rows.concat());
    for (index, (key, text)) in english.iter().enumerate() {
        let slots = slots(text)?;
        if by_id(key) {
            if !slots.is_empty() {
                return Err(format!("static/locales/en.toml: {key:?} is looked up by its id and can have no slots"));
            }
        } else if page.contains(key) {
            // The page itself has it.
        } else if slots.is_empty() {
            let _ = write!(
                source,
                "/// {}\npub(crate) fn {}() -> &'static str {{ text({index}) }}\n",
                text.replace('\n', " "),
                function_name(key)
            );
        } else {
            let parameters: Vec<String> = slots.iter().map(|s| format!("{s}: impl ::std::fmt::Display")).collect();
            let arguments: Vec<String> = slots.iter().map(|s| format!("({s:?}, &{s})")).collect();
            let _ = write!(
                source,
                "/// {}\npub(crate) fn {}({}) -> String {{ fill(text({index}), &[{}]) }}\n",
                text.replace('\n', " "),
                function_name(key),
                parameters.join(", "),
                arguments.join(", ")
            );
        }
    }
    Ok(source)
}

/// MathML with `{name}` where a number goes.
fn mathml(converter: &LatexToMathML, latex: &str) -> Result<String, String> {
    let mut marked = latex.to_owned();
    while let Some(start) = marked.find(r"\slot{") {
        let rest = &marked[start + 6..];
        let end = rest.find('}').ok_or_else(|| format!("an open slot in {latex}"))?;
        let name = rest[..end].replace('_', "-");
        marked.replace_range(start..start + 6 + end + 1, &format!(r"\text{{@{name}@}}"));
    }
    let math =
        converter.convert_with_local_counter(&marked, MathDisplay::Block).map_err(|e| format!("{latex}: {e:?}"))?;
    let mut parts = math.split("<mtext>@");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("@</mtext>").ok_or_else(|| format!("a slot was lost in {latex}"))?;
        let _ = write!(text, "<mn>{{{}}}</mn>{rest}", name.replace('-', "_"));
    }
    if text.contains('@') {
        return Err(format!("a slot was lost in {latex}: {text}"));
    }
    Ok(text)
}

fn formulas_source(formulas: &Entries) -> Result<String, String> {
    let converter = LatexToMathML::new(MathCoreConfig::default()).map_err(|e| format!("{e:?}"))?;
    let mut source = String::new();
    for (key, latex) in formulas {
        let math = mathml(&converter, latex)?;
        let slots = slots(&math)?;
        let parameters: Vec<String> = slots.iter().map(|s| format!("{s}: impl ::std::fmt::Display")).collect();
        let arguments: Vec<String> = slots.iter().map(|s| format!("({s:?}, &{s})")).collect();
        let _ = write!(
            source,
            "/// `{latex}`\npub(crate) fn {}({}) -> String {{ crate::words::fill({math:?}, &[{}]) }}\n",
            function_name(key),
            parameters.join(", "),
            arguments.join(", ")
        );
    }
    let mut rows = String::new();
    for spec in registry() {
        let _ = writeln!(rows, "    ({:?}, {:?}),", spec.id, mathml(&converter, spec.formula)?);
    }
    let _ = write!(
        source,
        "/// The schemes' formulas as MathML with `{{key}}` where a parameter's value goes.\nstatic SCHEMES: [(&str, &str); {}] = [\n{rows}];\n",
        registry().len()
    );
    Ok(source)
}
