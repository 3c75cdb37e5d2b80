//! What the panel says of a scheme after its formula, as finished HTML: what to try, what its settings do, what is got
//! wrong and who reported it, the paper, what it was tested against.
//!
//! None of it is in a WebAssembly module: each is looked up in the file of later words.

use crate::{Entries, read};
use posenc::{ParamSpec, Source};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{fs, path::Path};

/// What the reference harness writes: `<scheme> <cases> <worst error>`, a line each.
pub(crate) const SUMMARY: &str = "crates/posenc/tests/reference-summary.txt";
/// The links to try.
pub(crate) const TRIES: &str = "static/tries.toml";
/// Each scheme that has links to try has so many.
const TRIES_EACH: usize = 3;

/// Adds `panel.<scheme>` for every scheme, and takes out the words that it is made of.
pub(crate) fn add(root: &Path, words: &mut Entries) -> Result<(), String> {
    let summary = fs::read_to_string(root.join(SUMMARY)).map_err(|e| format!("{SUMMARY}: {e}"))?;
    let summary = tallies(&summary)?;
    let title = heading(words.get("home.try").map_or("", String::as_str));
    let settings = escaped(&taken(words, "explore.settings")?);
    let pitfalls = heading(&taken(words, "explore.pitfalls")?);
    let sources = heading(&taken(words, "explore.sources")?);
    let tested = Tested {
        numbers: taken(words, "tested.numbers")?,
        exact: taken(words, "tested.exact")?,
        properties: taken(words, "tested.properties")?,
    };
    let mut tries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, link) in read(&root.join(TRIES))? {
        let scheme = key.rsplit_once('.').map_or(key.as_str(), |(scheme, _)| scheme).to_owned();
        let text = escaped(&taken(words, &format!("tries.{key}"))?);
        tries.entry(scheme).or_default().push(format!("<li><a href=\"{}\">{text}</a></li>", escaped(&link)));
    }
    let mut panels = Vec::new();
    for spec in posenc::registry() {
        let mut html = String::new();
        if let Some(links) = tries.get(spec.id) {
            let _ = write!(html, "{title}<ul class=\"tries\">{}</ul>", links.concat());
        }
        html.push_str(&explained(&settings, spec.params, words));
        let mut items = String::new();
        for pitfall in spec.pitfalls {
            let text = escaped(&taken(words, &format!("pitfall.{}", pitfall.key))?);
            let _ = write!(items, "<li>{text} <span class=\"muted\">{}</span></li>", anchor(pitfall.source));
        }
        if !items.is_empty() {
            let _ = write!(html, "{pitfalls}<ul>{items}</ul>");
        }
        let _ = write!(html, "{sources}<p>{}</p>", anchor(spec.paper));
        let _ = write!(html, "<p class=\"muted\">{}</p>", tested.html(summary.get(spec.id), spec.reference));
        panels.push((format!("panel.{}", spec.id), html));
    }
    words.extend(panels);
    if let Some(key) = words.keys().find(|key| ["tries.", "tested."].iter().any(|group| key.starts_with(group))) {
        return Err(format!("static/locales/en.toml: nothing uses the entry {key:?}"));
    }
    if let Some((scheme, links)) = tries.iter().find(|(scheme, links)| !known(scheme) || links.len() != TRIES_EACH) {
        return Err(format!("{TRIES}: {scheme:?} has {} links, not {TRIES_EACH} for a scheme", links.len()));
    }
    if let Some(scheme) = summary.keys().find(|scheme| !known(scheme)) {
        return Err(format!("{SUMMARY}: no scheme is called {scheme:?}"));
    }
    Ok(())
}

/// A word that nothing else uses.
fn taken(words: &mut Entries, key: &str) -> Result<String, String> {
    words.remove(key).ok_or(format!("static/locales/en.toml has no entry {key:?}"))
}

/// What each setting of a scheme does, folded: beside the control it is said only to a mouse that hovers over it.
fn explained(title: &str, settings: &[ParamSpec], words: &Entries) -> String {
    if settings.is_empty() {
        return String::new();
    }
    let mut items = String::new();
    for setting in settings {
        let word = |key: String| words.get(&key).map_or(String::new(), |text| escaped(text));
        let (label, help) = (word(format!("param.{}", setting.key)), word(format!("param.{}.help", setting.key)));
        let _ = write!(items, "<dt>{label}</dt><dd>{help}</dd>");
    }
    format!("<details class=\"settings\"><summary>{title}</summary><dl>{items}</dl></details>")
}

fn known(scheme: &str) -> bool {
    posenc::find(scheme).is_some()
}

/// Cases and worst error of a scheme.
type Tally = (u32, f64);

fn tallies(text: &str) -> Result<BTreeMap<String, Tally>, String> {
    let tally = |line: &str| {
        let mut parts = line.split_whitespace();
        let tally = (parts.next()?.to_owned(), (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?));
        parts.next().is_none().then_some(tally)
    };
    text.lines().map(|line| tally(line).ok_or(format!("{SUMMARY}: {line:?} is no tally"))).collect()
}

/// The sentences of what a scheme was tested against.
struct Tested {
    numbers: String,
    exact: String,
    properties: String,
}

impl Tested {
    fn html(&self, tally: Option<&Tally>, reference: Source) -> String {
        let (text, cases, error) = match tally {
            Some((cases, error)) if *error > 0.0 => (&self.numbers, *cases, power(*error)),
            Some((cases, _)) => (&self.exact, *cases, String::new()),
            None => (&self.properties, 0, String::new()),
        };
        escaped(text)
            .replace("&#123;", "{")
            .replace("&#125;", "}")
            .replace("{cases}", &cases.to_string())
            .replace("{error}", &error)
            .replace("{source}", &anchor(reference))
    }
}

/// A number as one digit and a power of ten: 8·10⁻⁵.
fn power(number: f64) -> String {
    let text = format!("{number:.0e}");
    let (digit, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut power = format!("{digit}·10");
    for character in exponent.chars() {
        let _ = match character.to_digit(10) {
            Some(digit) => write!(power, "{}", ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize]),
            None => write!(power, "⁻"),
        };
    }
    power
}

/// A heading of the panel.
pub(crate) fn heading(text: &str) -> String {
    format!("<h3>{}</h3>", escaped(text))
}

/// A source as a link in HTML.
fn anchor(source: Source) -> String {
    let (title, url) = (escaped(source.title), escaped(source.url));
    format!(r#"<a href="{url}" rel="noopener" target="_blank">{title}</a>"#)
}

/// A text in HTML; braces too, which would be taken for slots.
pub(crate) fn escaped(text: &str) -> String {
    [('&', "&amp;"), ('<', "&lt;"), ('"', "&quot;"), ('{', "&#123;"), ('}', "&#125;")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(*from, to))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_link_whatever_its_title() {
        let link = anchor(Source::new("A & B, \"<i>\" {x}", "https://example.org/?a=1&b=2"));
        assert_eq!(
            link,
            "<a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener\" target=\"_blank\">A &amp; B, \
             &quot;&lt;i>&quot; &#123;x&#125;</a>"
        );
    }

    #[test]
    fn what_was_measured_is_said() {
        assert_eq!(tallies("rope 73 8e-5\nt5 7 0e0\n").unwrap()["rope"], (73, 8e-5));
        for bad in ["rope", "rope many 1", "rope 73 8e-5 x", "\n"] {
            assert!(tallies(bad).is_err(), "{bad:?}");
        }
        assert_eq!([power(8e-5), power(3e-16), power(2.0)], ["8·10⁻⁵", "3·10⁻¹⁶", "2·10⁰"]);
        let tested = Tested {
            numbers: "{cases} of {cases}, {error}: {source}".to_owned(),
            exact: "{cases} < {source}".to_owned(),
            properties: "only {source}".to_owned(),
        };
        let source = Source::new("A", "https://example.org");
        let link = anchor(source);
        assert_eq!(tested.html(Some(&(7, 8e-5)), source), format!("7 of 7, 8·10⁻⁵: {link}"));
        assert_eq!(tested.html(Some(&(7, 0.0)), source), format!("7 &lt; {link}"));
        assert_eq!(tested.html(None, source), format!("only {link}"));
    }
}
