//! Links into lessons: the block that is read, and what was changed in its figure. How the figure begins stands in the
//! lesson, so such a link says less than others: what it says of the figure is read when the lesson is there.

use super::{Page, Place, Reader, State, parse, write_pair};
pub(super) use crate::pages::learn::is_known;
use crate::words;
use posenc::{Repair, Why};
use std::mem;

/// How a page looks is not a figure's.
const LOOK: [&str; 2] = ["theme", "lang"];

/// The place, where the page is a lesson.
pub(super) fn open(page: &Page) -> Option<&Place> {
    match page {
        Page::Learn(place) if words::LESSONS.contains(&place.name.as_str()) => Some(place),
        _ => None,
    }
}

/// What a link into a lesson says.
pub(super) fn entries(state: &State, place: &Place) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    if place.at > 0 {
        entries.push(("at".to_owned(), place.at.to_string()));
    }
    let look = state.globals.changed().filter(|(key, _)| LOOK.contains(key));
    entries.extend(look.map(|(key, value)| (key.to_owned(), value)));
    let mut reader = Reader::default();
    reader.pairs(&place.changed, false);
    entries.extend(reader.pairs);
    entries
}

impl Reader {
    /// Takes the pairs of a link into a lesson in.
    pub(super) fn lesson(&mut self, state: &mut State) {
        let Page::Learn(place) = &mut state.page else { return };
        for (key, value) in mem::take(&mut self.pairs) {
            if key == "at" {
                match value.parse() {
                    Ok(at) => place.at = at,
                    Err(_) => self.repair("at", &value, "", Why::NotANumber),
                }
            } else if LOOK.contains(&key.as_str()) {
                if let Some(repair) = state.globals.set(&key, &value) {
                    self.repaired(repair);
                }
            } else {
                add(&mut place.changed, &key, &value);
            }
        }
    }
}

fn add(pairs: &mut String, key: &str, value: &str) {
    if !pairs.is_empty() {
        pairs.push('&');
    }
    write_pair(pairs, key, value);
}

/// The state of a lesson's figure, which begins as this link, with what was changed in it.
pub fn begin(link: &str, changed: &str) -> (State, Vec<Repair>) {
    parse("", &format!("{link}&{changed}"))
}

/// What is to be said of a state beyond another: the pairs of a link.
pub fn changes(state: &State, begins: &State) -> String {
    let (now, before) = (all(state), all(begins));
    let mut changed = String::new();
    for (key, value) in &now {
        if !before.contains(&(key.clone(), value.clone())) && !LOOK.contains(&key.as_str()) {
            add(&mut changed, key, value);
        }
    }
    // What was set and is the default again is said all the same.
    for (key, _) in &before {
        if !now.iter().any(|(other, _)| other == key) && !LOOK.contains(&key.as_str()) {
            add(&mut changed, key, &usual(state, key));
        }
    }
    changed
}

fn all(state: &State) -> Vec<(String, String)> {
    let figures: Vec<&str> = state.figures.iter().map(|figure| figure.id).collect();
    let schemes: Vec<String> = state.schemes.iter().map(ToString::to_string).collect();
    super::entries(state, &figures.join(","), &schemes.join(","))
}

/// The value of a key that a link leaves out.
fn usual(state: &State, key: &str) -> String {
    let option = |key: &str| {
        let (id, option) = key.split_once('.')?;
        state.options(crate::figures::find(id)?).get(option).map(ToString::to_string)
    };
    match key {
        "figures" => state.figures.iter().map(|figure| figure.id).collect::<Vec<_>>().join(","),
        "schemes" => state.schemes.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        "text" => words::default_text().to_owned(),
        _ => option(key).or_else(|| state.globals.get(key).map(ToString::to_string)).unwrap_or_default(),
    }
}
