//! Every visible word, from the catalogue. The build makes one function an entry, with its slots as parameters; what
//! belongs to a scheme, parameter, figure or option is looked up by its id.

use std::cell::OnceCell;
use std::fmt::{Display, Write as _};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

thread_local! {
    /// The words that the first screen does not need, by key, once they are here.
    static FETCHED: OnceCell<Vec<(&'static str, &'static str)>> = const { OnceCell::new() };
}

/// The text of an entry of the first screen.
fn text(index: usize) -> &'static str {
    NOW[index]
}

/// The text of another entry; empty while it is on its way.
fn later(line: usize) -> &'static str {
    with_later(|entries| entries.get(line).map(|(_, text)| *text)).unwrap_or_default()
}

fn with_later<T>(read: impl FnOnce(&[(&'static str, &'static str)]) -> Option<T>) -> Option<T> {
    FETCHED.with(|fetched| {
        #[cfg(not(target_arch = "wasm32"))]
        fetched.get_or_init(|| entries(LATER));
        read(fetched.get()?)
    })
}

fn entries(file: &'static str) -> Vec<(&'static str, &'static str)> {
    file.lines().filter_map(|line| line.split_once('\t')).collect()
}

/// Whether an entry is in the module itself.
#[cfg(test)]
pub(crate) fn is_first(key: &str) -> bool {
    LOOKUP.binary_search_by(|(k, _)| (*k).cmp(key)).is_ok()
}

/// Whether all words are here.
pub(crate) fn complete() -> bool {
    FETCHED.with(|fetched| fetched.get().is_some())
}

/// The words that the first screen does not need, as [`accept`] takes them; none while they are on their way.
pub(crate) fn file() -> Option<String> {
    let line = |(key, text): &(&str, &str)| format!("{key}\t{text}\n");
    with_later(|entries| (!entries.is_empty()).then(|| entries.iter().map(line).collect()))
}

/// Takes the words that the first screen does not need: a line each, the key, a tab, the text. They stay as long as
/// the page does.
pub(crate) fn accept(file: String) {
    FETCHED.with(|fetched| {
        // Asked for twice, they are the same.
        let _ = fetched.set(entries(file.leak()));
    });
}

/// Puts values into the `{slots}` of a text.
pub(crate) fn fill(text: &str, slots: &[(&str, &dyn Display)]) -> String {
    fill_by(text, &|name, filled| {
        if let Some((_, value)) = slots.iter().find(|(slot, _)| *slot == name) {
            let _ = write!(filled, "{value}");
        }
    })
}

/// As [`fill`]; `write` appends the value of a name.
pub(crate) fn fill_by(text: &str, write: &dyn Fn(&str, &mut String)) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        write(name, &mut filled);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// The text of an entry by its key, where it is one of those that are looked up.
pub(crate) fn by_key(key: &str) -> Option<&'static str> {
    match LOOKUP.binary_search_by(|(k, _)| (*k).cmp(key)) {
        Ok(place) => Some(text(LOOKUP[place].1)),
        Err(_) => {
            with_later(|entries| entries.binary_search_by(|(k, _)| (*k).cmp(key)).ok().map(|place| entries[place].1))
        }
    }
}

/// The text of an entry that the build or a test has shown to be there; the key itself where it is not.
fn known(key: String) -> String {
    match by_key(&key) {
        Some(text) => text.to_owned(),
        None if complete() => key,
        // On its way: a gap is better than a key.
        None => String::new(),
    }
}

/// A part of a scheme's formula, with the names of numbers in its slots.
pub(crate) fn scheme_formula(id: &str, part: usize) -> &'static str {
    by_key(&format!("formula.{id}.{part}")).unwrap_or_default()
}

/// What is said of a scheme after its formula, as HTML: what to try, what is got wrong, its paper, its tests.
pub(crate) fn panel(id: &str) -> &'static str {
    by_key(&format!("panel.{id}")).unwrap_or_default()
}

/// A scheme's name.
pub(crate) fn scheme_name(id: &str) -> String {
    known(format!("scheme.{id}.name"))
}

/// What a scheme does, in a sentence or two.
pub(crate) fn scheme_summary(id: &str) -> String {
    known(format!("scheme.{id}.summary"))
}

/// A scheme parameter's label.
pub(crate) fn param(key: &str) -> String {
    known(format!("param.{key}"))
}

/// What a scheme parameter does.
pub(crate) fn param_help(key: &str) -> String {
    known(format!("param.{key}.help"))
}

/// A word that a scheme parameter may be.
pub(crate) fn choice(key: &str, option: &str) -> String {
    known(format!("choice.{key}.{option}"))
}

/// A figure's title.
pub(crate) fn figure_title(id: &str) -> String {
    known(format!("figure.{id}.title"))
}

/// What a figure shows.
pub(crate) fn figure_about(id: &str) -> String {
    known(format!("figure.{id}.about"))
}

/// The label of a figure's option, `owner` being the figure's id or `global`.
pub(crate) fn option(owner: &str, key: &str) -> String {
    known(format!("option.{owner}.{key}"))
}

/// A word that a figure's option may be.
pub(crate) fn option_choice(owner: &str, key: &str, word: &str) -> String {
    known(format!("option.{owner}.{key}.{word}"))
}
