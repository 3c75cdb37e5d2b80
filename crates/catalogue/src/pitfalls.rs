//! Mistakes that real programs made: their words are in the locales, the links that show them and the public reports beside
//! them. Made to finished HTML: the page of all, and the list of those that a figure shows.

use crate::{
    Entries,
    panel::{escaped, heading},
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{fs, path::Path};

/// The mistakes, by their numbers.
pub(crate) const FILE: &str = "static/pitfalls.toml";

/// A mistake, its words apart.
struct Pitfall {
    number: String,
    /// The link to what shows it, in the grammar of the app.
    link: String,
    /// Public reports, as `owner/repository#number`.
    sources: Vec<String>,
    /// What the figure says that settles it.
    shows: String,
}

impl Pitfall {
    /// The figure that shows it: the first of its link.
    fn figure(&self) -> Option<&str> {
        let figures = self.link.split_once("figures=")?.1;
        figures.split(['&', ',']).next()
    }
}

fn all(root: &Path) -> Result<Vec<Pitfall>, String> {
    let text = fs::read_to_string(root.join(FILE)).map_err(|e| format!("{FILE}: {e}"))?;
    let tables: BTreeMap<String, toml::Table> = toml::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let pitfall = |(number, table): (String, toml::Table)| {
        let lacks = |key: &str| format!("{FILE}: [{number}] has no {key}");
        let text = |key: &str| table.get(key).and_then(|value| value.as_str()).map(str::to_owned).ok_or(lacks(key));
        let sources = table.get("sources").and_then(|value| value.as_array()).ok_or(lacks("sources"))?;
        let sources = sources.iter().filter_map(|value| value.as_str()).map(str::to_owned).collect();
        Ok(Pitfall { link: text("link")?, shows: text("shows")?, sources, number })
    };
    tables.into_iter().map(pitfall).collect()
}

/// A report as a link in HTML; its address serves issues and pull requests.
fn report(source: &str) -> Option<String> {
    let (repository, number) = source.split_once('#')?;
    number.parse::<u32>().ok()?;
    let (_, name) = repository.split_once('/')?;
    let (repository, name) = (escaped(repository), escaped(name));
    let address = format!("https://github.com/{repository}/issues/{number}");
    Some(format!(r#"<a href="{address}" rel="noopener" target="_blank">{name} #{number}</a>"#))
}

/// Adds `panel.pitfalls`, the page, and `panel.figure.<id>` for each figure that shows some; takes out the words that they
/// are made of.
pub(crate) fn add(root: &Path, words: &mut Entries) -> Result<(), String> {
    let titles: BTreeMap<String, String> = words
        .iter()
        .filter_map(|(key, text)| Some((key.strip_prefix("figure.")?.strip_suffix(".title")?.to_owned(), text.clone())))
        .collect();
    let mut word = |key: String| {
        let text = words.remove(&key).ok_or(format!("static/locales/en.toml has no entry {key:?}"))?;
        Ok::<_, String>(escaped(&text))
    };
    let [title, lead, symptom, cause, reported, here, every] =
        ["title", "lead", "symptom", "cause", "reported", "here", "all"].map(|part| word(format!("pitfalls.{part}")));
    let (symptom, cause, reported, every) = (symptom?, cause?, reported?, every?);
    let mut page = format!("<h1>{}</h1><p>{}</p>", title?, lead?);
    let mut by_figure: BTreeMap<String, String> = BTreeMap::new();
    for pitfall in all(root)? {
        let number = &pitfall.number;
        let name = word(format!("pitfalls.{number}"))?;
        let (seen, wrong) = (word(format!("pitfalls.{number}.symptom"))?, word(format!("pitfalls.{number}.cause"))?);
        let (link, shows) = (escaped(&pitfall.link), escaped(&pitfall.shows));
        let reports: Vec<String> = pitfall.sources.iter().filter_map(|source| report(source)).collect();
        if reports.is_empty() || reports.len() != pitfall.sources.len() {
            return Err(format!("{FILE}: [{number}]: sources are written owner/repository#number"));
        }
        let _ = write!(
            page,
            "<h2><a href=\"{link}\" data-shows=\"{shows}\">{name}</a></h2><p><strong>{symptom}</strong> {seen}</p>\
             <p><strong>{cause}</strong> {wrong}</p><p class=\"muted\">{reported} {}</p>",
            reports.join(", ")
        );
        let figure = pitfall.figure().filter(|id| titles.contains_key(*id));
        let figure = figure.ok_or(format!("{FILE}: [{number}]: no such figure"))?;
        let _ = write!(by_figure.entry(figure.to_owned()).or_default(), "<li><a href=\"{link}\">{name}</a></li>");
    }
    let here = here?;
    words.insert("panel.pitfalls".to_owned(), page);
    for (figure, items) in by_figure {
        let title = titles.get(&figure).map(String::as_str).unwrap_or_default();
        let title = heading(&here.replace("&#123;figure&#125;", title));
        let html = format!(
            "{title}<ul class=\"tries\">{items}</ul><p class=\"muted\"><a href=\"#/learn/pitfalls\">{every}</a></p>"
        );
        words.insert(format!("panel.figure.{figure}"), html);
    }
    match words.keys().find(|key| key.starts_with("pitfalls.")) {
        Some(key) => Err(format!("static/locales/en.toml: nothing uses the entry {key:?}")),
        None => Ok(()),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_link() {
        assert_eq!(
            report("a/b#7").unwrap(),
            "<a href=\"https://github.com/a/b/issues/7\" rel=\"noopener\" target=\"_blank\">b #7</a>"
        );
        for bad in ["a/b", "b#7", "a/b#x", ""] {
            assert_eq!(report(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_repository_has_a_page_of_them() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut words = crate::read(&root.join("static/locales/en.toml")).unwrap();
        let count = all(&root).unwrap().len();
        add(&root, &mut words).unwrap();
        assert_eq!(words["panel.pitfalls"].matches("<h2>").count(), count);
        let listed: usize = words.values().map(|html| html.matches("<li><a href=\"#/explore").count()).sum();
        assert_eq!(listed, count, "each is named beside its figure");
    }
}
