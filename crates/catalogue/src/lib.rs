//! Placewise's words and formulas: checked, and turned into Rust.
//!
//! * `static/locales/<lang>.toml`: flat `"key" = "text with {slots}"`. English is complete; another language may lack
//!   an entry, but not have one more, nor other slots.
//! * `static/formulas.toml`: `"key" = 'LaTeX with \slot{name}'`, turned to `MathML` here.
//!
//! * `static/tries.toml`: links to try, three for a scheme, as `"<scheme>.<number>"`; their words are in the locales.
//! * `static/questions.toml`: links that answer questions, as `"<number>"`; what is asked and answered is in the locales.
//! * `static/pitfalls.toml`: mistakes that real programs made, with links and public reports; their words are in the locales.
//! * `static/lessons/<lang>/*.md`: lessons; see [`lessons`].
//! * `crates/posenc/tests/reference-summary.txt`: what the reference harness measured.
//!
//! An entry becomes a function of its slots, so that a missing entry or a mismatched slot does not compile and an
//! unused one is dead code. What is looked up by id (schemes, parameters, choices, pitfalls) is checked against
//! `posenc`'s registry here.
//!
//! The first screen needs the fewer half of the words. What it does not need ([`is_later`]) is left out of the
//! WebAssembly module and becomes a file of its own ([`Catalogue::later`]), fetched by the pages that show it.

mod check;
mod lesson;
mod math;
mod numbers;
mod panel;
mod pitfalls;
mod questions;

pub use lesson::{Figure, Lesson, Link, lessons};
pub use questions::{Question, questions};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{fs, path::Path};

type Entries = BTreeMap<String, String>;

/// What a build depends on, from the root of the repository.
pub const INPUTS: [&str; 8] = [
    "static/locales",
    "static/formulas.toml",
    "index.html",
    panel::TRIES,
    questions::FILE,
    pitfalls::FILE,
    panel::SUMMARY,
    lesson::FOLDER,
];

/// What shows words by itself, without the app.
const PAGES: [&str; 2] = ["index.html", "static/aside/offline.js"];

/// Looked up by id at run time: their entries make no functions.
const BY_ID: [&str; 10] =
    ["scheme.", "param.", "choice.", "figure.", "option.", "try.", "formula.", "panel.", "lesson.", "question."];

/// Everything that is said, in English.
#[derive(Debug)]
pub struct Catalogue {
    /// Words by key, and the parts of the schemes' formulas as `formula.<scheme>.<number>`.
    /// What else the panel says of them, as HTML, is `panel.<scheme>`.
    words: Entries,
    /// The figures' formulas, as `MathML`.
    formulas: Entries,
    /// The keys that `index.html` shows by itself.
    page: BTreeSet<String>,
}

/// The parameters that the first screen offers: the app has the same list, and a test that they are not later.
const FIRST_PARAMS: [&str; 4] = ["param.d_model", "param.base", "param.head_dim", "param.rope_theta"];

/// The figures of the first screen: the app has the same list, and a test that their titles are not later.
const FIRST_FIGURES: [&str; 2] = ["figure.heatmap.title", "figure.offset.title"];

/// What the first screen says once something on it was changed, or where a link asks for more: its words have come then.
const CHANGED: [&str; 25] = [
    "heatmap.columns_of",
    "heatmap.no_spread",
    "heatmap.not_rotated",
    "heatmap.spread",
    "offset.aimed",
    "offset.band",
    "offset.bias",
    "offset.content",
    "offset.equal",
    "offset.flat",
    "offset.give_or_take",
    "offset.independent",
    "offset.not_relative",
    "offset.ones",
    "offset.past_the_end",
    "offset.range",
    "offset.sample",
    "offset.summary_flat",
    "offset.summary_mean",
    "view.cancel",
    "view.lab",
    "view.pause",
    "view.play",
    "view.speed",
    "view.step_",
];

/// Whether an entry is shown only by the pages of text that the build writes: it checks them.
fn is_text(key: &str) -> bool {
    key.starts_with("text.")
}

/// Whether an entry is shown by other pages and other figures than the first screen's alone.
pub fn is_later(key: &str) -> bool {
    let starts = |groups: &[&str]| groups.iter().any(|group| key.starts_with(group));
    let last = key.rsplit('.').next().unwrap_or_default();
    starts(&[
        "about.",
        "choice.",
        "embedding.",
        "formula.",
        "learn.",
        "lesson.",
        "panel.",
        "live.",
        "question.",
        "questions.",
        "rotation.",
        "spectrum.",
        "models.",
        "patches.",
        "explore.",
        "bias.",
        "config.",
        "brought.",
        "table.",
        "cost.",
        "shift.",
        "layout.",
        "precision.",
        "similarity.",
        "square.",
        "logits.",
        "weights.",
        "attending.",
        "attention.",
        "share.",
        "shuffle.",
        "unsuited.",
    ]) || starts(&CHANGED)
        || (starts(&["option."]) && !starts(&["option.global."]))
        || (starts(&["scheme."]) && last == "summary")
        || (starts(&["figure."]) && !FIRST_FIGURES.contains(&key))
        || (starts(&["param."]) && !FIRST_PARAMS.contains(&key))
}

impl Catalogue {
    /// Reads and checks the catalogue of the repository at `root`.
    ///
    /// # Errors
    /// In words: the file, the entry, and what is wrong with it.
    pub fn read(root: &Path) -> Result<Self, String> {
        let locales = root.join("static/locales");
        let mut words = read(&locales.join("en.toml"))?;
        let page = page_keys(root);
        check::ids(&words)?;
        check::languages(&words, &locales)?;
        if let Some(key) = page.iter().find(|key| !words.contains_key(*key)) {
            return Err(format!("index.html uses {key:?}, which static/locales/en.toml lacks"));
        }
        pitfalls::add(root, &mut words)?;
        panel::add(root, &mut words)?;
        lesson::list(root, &mut words)?;
        questions::add(root, &mut words)?;
        let converter = math::converter()?;
        for spec in posenc::registry() {
            for (part, formula) in spec.formula.iter().enumerate() {
                words.insert(format!("formula.{}.{part}", spec.id), math::mathml(&converter, formula.latex)?);
            }
        }
        let mut formulas = read(&root.join("static/formulas.toml"))?;
        for latex in formulas.values_mut() {
            *latex = math::mathml(&converter, latex)?;
        }
        Ok(Self { words, formulas, page })
    }

    /// The entries that the first screen does not need, in the order of their keys: a line each, the key, a tab, the
    /// text.
    pub fn later(&self) -> String {
        let line = |(key, text): (&String, &String)| format!("{key}\t{}\n", text.replace(['\n', '\t'], " "));
        self.words.iter().filter(|(key, _)| is_later(key) && !is_text(key)).map(line).collect()
    }

    /// `words.rs`: one function an entry. An entry of the first screen is known by its place among those, in the
    /// order of their keys; any other by its line of [`later`](Self::later).
    ///
    /// # Errors
    /// In words, where an entry's slots cannot be read.
    pub fn words(&self) -> Result<String, String> {
        let by_id = |key: &str| BY_ID.iter().any(|group| key.starts_with(group));
        // What the page itself shows need not be in the module too.
        let (later, now): (Vec<_>, Vec<_>) = self
            .words
            .iter()
            .filter(|(key, _)| !self.page.contains(*key) && !is_text(key))
            .partition(|(key, _)| is_later(key));
        let mut source = String::new();
        let mut table = |name: &str, kind: &str, rows: &[String]| {
            let _ = writeln!(source, "static {name}: [{kind}; {}] = [{}];", rows.len(), rows.join(", "));
        };
        let texts: Vec<String> = now.iter().map(|(_, text)| format!("{text:?}")).collect();
        let lookup = now.iter().enumerate().filter(|(_, (key, _))| by_id(key));
        let lookup: Vec<String> = lookup.map(|(i, (key, _))| format!("({key:?}, {i})")).collect();
        table("NOW", "&str", &texts);
        table("LOOKUP", "(&str, usize)", &lookup);
        // Tests run without a built site, and with every word.
        let names = self.words.get("lesson.names").map_or_else(Vec::new, |names| names.split(',').collect());
        let _ = writeln!(
            source,
            "#[cfg(feature = \"full\")]\npub(crate) static LESSONS: [&str; {}] = {names:?};",
            names.len()
        );
        let _ = writeln!(source, "#[cfg(not(target_arch = \"wasm32\"))]\nstatic LATER: &str = {:?};", self.later());
        for (entries, function_of) in [(now, "text"), (later, "later")] {
            for (index, (key, text)) in entries.into_iter().enumerate() {
                let slots = check::slots(text)?;
                if !by_id(key) {
                    source += &function(key, text, &slots, &format!("{function_of}({index})"));
                } else if !slots.is_empty() && !key.starts_with("formula.") {
                    return Err(format!(
                        "static/locales/en.toml: {key:?} is looked up by its id and can have no slots"
                    ));
                }
            }
        }
        Ok(source)
    }

    /// `formulas.rs`: one function a formula.
    ///
    /// # Errors
    /// In words, where a formula's slots cannot be read.
    pub fn formulas(&self) -> Result<String, String> {
        let mut source = String::new();
        for (key, math) in &self.formulas {
            source += &function(key, &format!("`{key}`"), &check::slots(math)?, &format!("{math:?}"));
        }
        Ok(source)
    }
}

/// A function that gives the text, with its slots filled if it has any.
fn function(key: &str, doc: &str, slots: &[String], text: &str) -> String {
    let (name, doc) = (key.replace(['.', '-'], "_"), doc.replace('\n', " "));
    // Names of code in a sentence would want marks of their own.
    let doc = if (doc.contains('_') || doc.contains("::")) && !doc.contains('`') { format!("`{doc}`") } else { doc };
    if slots.is_empty() && !text.starts_with('"') {
        return format!("/// {doc}\npub(crate) fn {name}() -> &'static str {{ {text} }}\n");
    }
    let parameters: Vec<String> = slots.iter().map(|slot| format!("{slot}: impl ::std::fmt::Display")).collect();
    let arguments: Vec<String> = slots.iter().map(|slot| format!("({slot:?}, &{slot})")).collect();
    format!(
        "/// {doc}\npub(crate) fn {name}({}) -> String {{ crate::words::fill({text}, &[{}]) }}\n",
        parameters.join(", "),
        arguments.join(", ")
    )
}

fn read(path: &Path) -> Result<Entries, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The keys that `index.html` uses as `{{key}}`; none where there is no page.
fn page_keys(root: &Path) -> BTreeSet<String> {
    let page: String = PAGES.iter().flat_map(|page| fs::read_to_string(root.join(page))).collect();
    let places = page.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    places.map(|(key, _)| key.trim().to_owned()).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_a_sound_catalogue() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let catalogue = Catalogue::read(&root).unwrap();
        let keys: Vec<String> =
            catalogue.later().lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect();
        assert!(keys.is_sorted() && keys.iter().all(|key| is_later(key)), "the app searches by halves");
        assert!(catalogue.words().unwrap().contains("fn home_title()"));
    }

    #[test]
    fn slots_become_parameters() {
        let source = function("a.b-c", "doc", &["x".into()], "text(3)");
        assert!(source.contains("fn a_b_c(x: impl ::std::fmt::Display) -> String"), "{source}");
        assert!(function("a", "doc", &[], "text(3)").contains("-> &'static str"));
    }
}
