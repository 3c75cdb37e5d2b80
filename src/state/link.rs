//! The URL codec: `#/<page>?key=value&…` ↔ [`State`].
//!
//! Anyone may write a link by hand or cut one in half, so reading never fails: what cannot be taken as given becomes the
//! nearest legal value and a [`Repair`] that names it. What a link costs is bounded before it is looked at.
//! Defaults are left out when a link is written, so they never change; `tests/defaults.txt` pins them.

use super::{Controls, GLOBALS, MOST_FIGURES, MOST_SCHEMES, MOST_TEXT, Page, Place, State, Wanted};
use crate::figures::{self, FigureSpec};
use crate::schemes;
#[cfg(feature = "full")]
use crate::tables;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use posenc::{Config, Repair, Why};
use std::borrow::Cow;

#[cfg(feature = "full")]
#[path = "link_lesson.rs"]
mod lesson;
#[cfg(feature = "full")]
pub use lesson::{begin, changes};

/// Longest link that is read, in bytes: the longest text, each character as four encoded bytes, with room to spare.
const MOST_LINK: usize = 64 * 1024;
/// Most pairs that are read.
const MOST_PAIRS: usize = 200;
/// Most repairs that are told; a reader who sees these knows that the link is broken.
pub(super) const MOST_REPAIRS: usize = 12;
/// Longest given text that a repair repeats, in characters.
const MOST_GIVEN: usize = 40;
/// Longest name of a lesson, in bytes.
const MOST_NAME: usize = 64;

/// What stays readable: `,():=.` and what never needs encoding.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b',')
    .remove(b'(')
    .remove(b')')
    .remove(b':')
    .remove(b'=')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b'~');

/// Keys that mail programs and social networks hang onto addresses: nobody typed them, so nobody is told.
const TRACKERS: [&str; 9] = ["utm_", "fbclid", "gclid", "dclid", "msclkid", "mc_", "igshid", "ref", "source"];

/// Whether a fragment (`location.hash`, with or without its `#`) holds a state. `#name` is an ordinary anchor.
pub fn is_state(fragment: &str) -> bool {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    fragment.is_empty() || fragment.starts_with('/') || starts_encoded(fragment)
}

/// Some programs encode a whole fragment, its slash too.
fn starts_encoded(fragment: &str) -> bool {
    fragment.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%2f"))
}

/// Reads `location.search` and `location.hash`; where both have a key, the hash wins, and the last of several wins.
pub fn parse(search: &str, fragment: &str) -> (State, Vec<Repair>) {
    let mut reader = Reader::default();
    let search = reader.cut(search.strip_prefix('?').unwrap_or(search));
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    let fragment = reader.cut(if is_state(fragment) { fragment } else { "" });
    let whole: Cow<'_, str> =
        if starts_encoded(fragment) { percent_decode_str(fragment).decode_utf8_lossy() } else { fragment.into() };
    let (page, query) = whole.split_once('?').unwrap_or((&whole, ""));
    reader.pairs(search, true);
    reader.pairs(query, false);
    reader.state(page)
}

/// The link of a state: `#/<page>?…`, defaults left out.
pub fn write(state: &State) -> String {
    write_with(state, &[])
}

/// The link of a state with something more that this module does not have, in the order in which it was asked for.
pub fn write_with(state: &State, wanted: &[Wanted]) -> String {
    let mut figures: Vec<&str> = state.figures.iter().map(|figure| figure.id).collect();
    let mut schemes: Vec<String> = state.schemes.iter().map(ToString::to_string).collect();
    for wanted in wanted {
        match wanted {
            Wanted::Link(link) => return link.clone(),
            Wanted::Controls => {}
            // Chosen twice, it is not wanted after all.
            Wanted::Figure(id) => match figures.iter().position(|other| other == id) {
                Some(place) => drop(figures.remove(place)),
                None => figures.push(id),
            },
            Wanted::Place(id, to) => {
                if let Some(from) = figures.iter().position(|other| other == id)
                    && *to < figures.len()
                {
                    figures.swap(from, *to);
                }
            }
            Wanted::Scheme(slot, id) => match slot.and_then(|slot| schemes.get_mut(slot)) {
                Some(scheme) => (*id).clone_into(scheme),
                None => schemes.push((*id).to_owned()),
            },
        }
    }
    #[cfg(feature = "full")]
    if let Some(place) = lesson::open(&state.page) {
        return joined(&state.page, lesson::entries(state, place));
    }
    joined(&state.page, entries(state, &figures.join(","), &schemes.join(",")))
}

/// Whether this is a page that only the whole app has, or something that was not taken as given is known to it.
pub fn is_later(page: &Page, repairs: &[Repair]) -> bool {
    (schemes::WHOLE.is_none() && matches!(page, Page::Learn(_) | Page::About))
        || names(repairs, |id| {
            (posenc::IDS.contains(&id) && schemes::find(id).is_none())
                || (figures::IDS.contains(&id) && figures::find(id).is_none())
        })
}

/// Whether an id is unknown here: a scheme, a figure, or a figure with an option.
fn names(repairs: &[Repair], id: impl Fn(&str) -> bool) -> bool {
    repairs.iter().any(|repair| match repair.why {
        Why::UnknownWord => id(&repair.given),
        Why::UnknownKey => repair.key.split_once('.').is_some_and(|(figure, _)| id(figure)),
        _ => false,
    })
}

fn joined(page: &Page, entries: Vec<(String, String)>) -> String {
    let mut link = String::from("#/");
    match page {
        Page::Home => {}
        Page::Explore => link.push_str("explore"),
        Page::Learn(Place { name, .. }) => {
            link.push_str("learn");
            if !name.is_empty() {
                link.push('/');
                link.push_str(name);
            }
        }
        Page::Embed => link.push_str("embed"),
        Page::About => link.push_str("about"),
    }
    let mut separator = '?';
    for (key, value) in entries {
        link.push(separator);
        separator = '&';
        write_pair(&mut link, &key, &value);
    }
    link
}

fn write_pair(link: &mut String, key: &str, value: &str) {
    link.push_str(key);
    link.push('=');
    link.extend(utf8_percent_encode(value, ENCODED));
}

/// What a state says beyond the defaults, with these figures and schemes, as keys and plain values, in the order of a link.
fn entries(state: &State, figures: &str, schemes: &str) -> Vec<(String, String)> {
    let usual = State::default();
    let mut entries = Vec::new();
    if !usual.figures.iter().map(|figure| figure.id).eq(figures.split(',')) {
        entries.push(("figures".to_owned(), figures.to_owned()));
    }
    if usual.schemes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",") != schemes {
        entries.push(("schemes".to_owned(), schemes.to_owned()));
    }
    entries.extend(state.globals.changed().map(|(key, value)| (key.to_owned(), value)));
    for (figure, options) in figures::registry().iter().zip(&state.options) {
        entries.extend(options.changed().map(|(key, value)| (format!("{}.{key}", figure.id), value)));
    }
    if let Some(text) = &state.text {
        entries.push(("text".to_owned(), text.clone()));
    }
    #[cfg(feature = "full")]
    if matches!(state.page, Page::Learn(_)) && !state.find.is_empty() {
        entries.push(("find".to_owned(), state.find.clone()));
    }
    match &state.controls {
        Controls::All => {}
        Controls::Only(keys) if keys.is_empty() => entries.push(("controls".to_owned(), "none".to_owned())),
        Controls::Only(keys) => entries.push(("controls".to_owned(), keys.join(","))),
    }
    entries
}

/// Whether `controls` may name this.
fn is_control(key: &str) -> bool {
    ["figures", "schemes", "text"].contains(&key)
        || GLOBALS.iter().any(|spec| spec.key == key)
        || schemes::offered().iter().any(|scheme| scheme.params.iter().any(|spec| spec.key == key))
        || key.split_once('.').is_some_and(|(id, option)| {
            figures::find(id).is_some_and(|figure| figure.options.iter().any(|spec| spec.key == option))
        })
}

/// The items of a list: commas inside parentheses belong to an item.
fn items(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|item| !item.is_empty())
}

/// The first characters of a text that is to be shown.
fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_GIVEN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[derive(Default)]
struct Reader {
    pairs: Vec<(String, String)>,
    repairs: Vec<Repair>,
}

impl Reader {
    fn repair(&mut self, key: &str, given: &str, used: impl Into<String>, why: Why) {
        self.repaired(Repair { key: key.into(), given: given.into(), used: used.into(), why });
    }

    fn repaired(&mut self, repair: Repair) {
        if self.repairs.len() < MOST_REPAIRS {
            let Repair { key, given, used, why } = repair;
            self.repairs.push(Repair { key: short(&key), given: short(&given), used: short(&used), why });
        }
    }

    /// The part of a text that is read.
    fn cut<'a>(&mut self, text: &'a str) -> &'a str {
        if text.len() <= MOST_LINK {
            return text;
        }
        self.repair("link", text, "", Why::Unreadable);
        let end = (0..=MOST_LINK).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        // A pair that was cut in two would be another pair.
        text[..end].rsplit_once('&').map_or("", |(whole, _)| whole)
    }

    /// Takes the pairs of a query in; the last of several with one key stays.
    fn pairs(&mut self, query: &str, from_search: bool) {
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let key = percent_decode_str(key.trim()).decode_utf8_lossy().into_owned();
            if from_search && TRACKERS.iter().any(|tracker| key.starts_with(tracker)) {
                continue;
            }
            let bytes = percent_decode_str(value);
            let readable = bytes.clone().decode_utf8().is_ok();
            let value = bytes.decode_utf8_lossy().into_owned();
            if !readable {
                self.repair(&key, &value, "", Why::Unreadable);
            }
            if let Some(known) = self.pairs.iter_mut().find(|(other, _)| *other == key) {
                known.1 = value;
            } else if self.pairs.len() < MOST_PAIRS {
                self.pairs.push((key, value));
            } else {
                self.repair(&key, &value, "", Why::UnknownKey);
                break;
            }
        }
    }

    fn state(mut self, page: &str) -> (State, Vec<Repair>) {
        let mut state = State { page: self.page(page), ..State::default() };
        #[cfg(feature = "full")]
        if lesson::open(&state.page).is_some() {
            self.lesson(&mut state);
            return (state, self.repairs);
        }
        for (key, value) in std::mem::take(&mut self.pairs) {
            match key.as_str() {
                "figures" => self.figures(&mut state, &value),
                "schemes" => self.schemes(&mut state, &value),
                "text" => {
                    let end = value.char_indices().nth(MOST_TEXT).map_or(value.len(), |(end, _)| end);
                    if end < value.len() {
                        self.repair("text", &value, &value[..end], Why::OutOfRange);
                    }
                    state.text = Some(value[..end].to_owned());
                }
                "controls" => self.controls(&mut state, &value),
                #[cfg(feature = "full")]
                "find" => state.find = value.chars().take(super::MOST_FIND).collect(),
                _ => {
                    if let Some((id, option)) = key.split_once('.') {
                        self.option(&mut state, &key, id, option, &value);
                    } else if let Some(repair) = state.globals.set(&key, &value) {
                        self.repaired(repair);
                    }
                    self.pairs.push((key, value));
                }
            }
        }
        let given = std::mem::take(&mut self.pairs);
        for (key, used) in state.settle() {
            // A default that does not fit is nobody's mistake.
            if let Some((_, given)) = given.iter().find(|(other, _)| *other == key) {
                self.repairs.retain(|repair| repair.key != key);
                self.repair(&key, given, used, Why::OutOfRange);
            }
        }
        (state, self.repairs)
    }

    fn page(&mut self, path: &str) -> Page {
        let path = path.trim_matches('/');
        let path = percent_decode_str(path).decode_utf8_lossy();
        match &*path {
            "" => Page::Home,
            "explore" => Page::Explore,
            "embed" => Page::Embed,
            "about" => Page::About,
            "learn" => Page::Learn(Place::default()),
            other => {
                let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-/".contains(&b);
                let name =
                    other.strip_prefix("learn/").filter(|name| name.len() <= MOST_NAME && name.bytes().all(legal));
                if let Some(name) = name {
                    #[cfg(feature = "full")]
                    if !lesson::is_known(name) {
                        self.repair("lesson", name, "", Why::UnknownWord);
                        return Page::Learn(Place::default());
                    }
                    return Page::Learn(Place::new(name));
                }
                self.repair("page", other, "", Why::UnknownWord);
                Page::Home
            }
        }
    }

    fn figures(&mut self, state: &mut State, value: &str) {
        let mut list: Vec<&'static FigureSpec> = Vec::new();
        for id in items(value) {
            match figures::find(id) {
                None => self.repair("figures", id, "", Why::UnknownWord),
                Some(figure) if list.len() == MOST_FIGURES || list.contains(&figure) => {
                    self.repair("figures", id, "", Why::OutOfRange);
                }
                Some(figure) => list.push(figure),
            }
        }
        if !list.is_empty() {
            state.figures = list;
        }
    }

    fn schemes(&mut self, state: &mut State, value: &str) {
        let mut list = Vec::new();
        for item in items(value) {
            if list.len() == MOST_SCHEMES {
                self.repair("schemes", item, "", Why::OutOfRange);
                continue;
            }
            // Programs that find addresses in text often leave the last parenthesis out.
            let closed = if item.contains('(') && !item.ends_with(')') { format!("{item})") } else { item.to_owned() };
            match Config::parse_with(&closed, schemes::find) {
                #[cfg_attr(not(feature = "full"), expect(unused_mut, reason = "no scheme of it has a table"))]
                Ok((mut config, repairs)) => {
                    #[cfg(feature = "full")]
                    if let Some(repair) = tables::settle(&mut config) {
                        self.repaired(repair);
                    }
                    list.push(config);
                    for repair in repairs {
                        self.repaired(repair);
                    }
                }
                Err(posenc::Error::UnknownScheme(id)) => self.repair("schemes", &id, "", Why::UnknownWord),
                Err(_) => self.repair("schemes", item, "", Why::Unreadable),
            }
        }
        if !list.is_empty() {
            state.schemes = list;
        }
    }

    fn option(&mut self, state: &mut State, key: &str, id: &str, option: &str, value: &str) {
        let options = figures::registry().iter().position(|figure| figure.id == id);
        match options.and_then(|index| state.options.get_mut(index)) {
            Some(options) => {
                if let Some(repair) = options.set(option, value) {
                    self.repaired(Repair { key: key.to_owned(), ..repair });
                }
            }
            None => self.repair(key, value, "", Why::UnknownKey),
        }
    }

    fn controls(&mut self, state: &mut State, value: &str) {
        let mut keys: Vec<String> = Vec::new();
        for key in items(value) {
            if key == "none" || keys.iter().any(|other| other == key) {
                // Said already.
            } else if is_control(key) {
                keys.push(key.to_owned());
            } else {
                self.repair("controls", key, "", Why::UnknownWord);
            }
        }
        state.controls = Controls::Only(keys);
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
#[path = "link_tests.rs"]
mod tests;
