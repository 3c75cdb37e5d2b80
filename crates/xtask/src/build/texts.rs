//! Lessons and questions as small pages of their own, to be read, found and shown in previews without a script:
//! `learn/<lesson>/`, `learn/questions/<number>-<words>/`, and a list of them under `learn/`.
//!
//! All addresses are relative, so that the site works under any path. Where the environment has [`BASE`], what search
//! engines and previews want whole is whole, and there is a `sitemap.xml`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use catalogue::{Lesson, Question};

use super::assets::Site;
use super::page::{escaped, replaced, words};
use crate::project::Project;
use crate::serve::CSP;

/// The environment's variable with the address of the site, up to its last slash.
pub(crate) const BASE: &str = "PLACEWISE_BASE";
/// The template of all pages.
pub(super) const TEMPLATE: &str = "text.html";
/// The pictures of previews, made by `cargo xtask cards`.
pub(crate) const CARDS: &str = "static/cards";
/// Of what has none of its own.
pub(crate) const COMMON_CARD: &str = "placewise";
/// Words that only these pages say begin so.
const WORDS: &str = "text.";
/// So many words of a question are in its address.
const MOST_WORDS: usize = 8;

/// One page.
struct Page {
    /// Its folder, as `learn/order/`.
    folder: String,
    title: String,
    /// For its description: a sentence or two.
    summary: String,
    body: String,
    /// The link that opens it in the app.
    live: String,
    /// The name of its picture.
    card: String,
}

/// The address of the site with a slash at its end, where it is known.
pub(super) fn base() -> Result<Option<String>> {
    let Some(base) = env::var(BASE).ok().filter(|base| !base.is_empty()) else { return Ok(None) };
    if !base.starts_with("https://") && !base.starts_with("http://") {
        bail!("{BASE} is no address that begins with https://: {base}");
    }
    Ok(Some(format!("{}/", base.trim_end_matches('/'))))
}

/// Adds all pages to the site, which has its style sheets already.
pub(super) fn add(project: &Project, site: &mut Site) -> Result<()> {
    let template =
        fs::read_to_string(project.root.join(TEMPLATE)).with_context(|| format!("cannot read {TEMPLATE}"))?;
    let words = words(&project.root.join("static/locales/en.toml"))?;
    let words = words.into_iter().filter(|(key, _)| key.starts_with(WORDS)).collect();
    let said = Said { words, used: RefCell::default() };
    let lessons = catalogue::lessons(&project.root).map_err(anyhow::Error::msg)?;
    let questions = catalogue::questions(&project.root).map_err(anyhow::Error::msg)?;
    let mut pages = vec![list(&lessons, &questions, &said)?, list(&[], &questions, &said)?];
    pages.extend(lessons.into_iter().map(lesson));
    for asked in questions {
        pages.push(question(asked, &said)?);
    }
    let base = base()?;
    for page in &pages {
        let card = card(project, site, &page.card)?;
        let html = filled(&template, page, &card, base.as_deref(), site, &said)?;
        site.keep(&format!("{}index.html", page.folder), html.as_bytes())?;
    }
    said.check()?;
    if let Some(base) = base {
        let folders = pages.iter().map(|page| page.folder.as_str());
        site.keep("sitemap.xml", sitemap(&base, std::iter::once("").chain(folders)).as_bytes())?;
    }
    Ok(())
}

/// The words of these pages, and which of them were said.
struct Said {
    words: BTreeMap<String, String>,
    used: RefCell<BTreeSet<String>>,
}

impl Said {
    fn word(&self, key: &str) -> Result<&str> {
        let key = format!("{WORDS}{key}");
        let word = self.words.get(&key).with_context(|| format!("static/locales/en.toml has no entry {key:?}"))?;
        self.used.borrow_mut().insert(key);
        Ok(word)
    }

    /// Fails where one was never said.
    fn check(&self) -> Result<()> {
        let used = self.used.borrow();
        match self.words.keys().find(|key| !used.contains(*key)) {
            Some(key) => bail!("static/locales/en.toml: nothing uses the entry {key:?}"),
            None => Ok(()),
        }
    }
}

fn lesson(lesson: Lesson) -> Page {
    let Lesson { name, title, summary, html, .. } = lesson;
    Page {
        folder: format!("learn/{name}/"),
        live: format!("#/learn/{name}"),
        body: format!("<p class=\"text__lead\">{}</p>\n{html}", escaped(&summary)),
        card: name,
        title,
        summary,
    }
}

fn question(question: Question, said: &Said) -> Result<Page> {
    let (folder, card) = (place(&question), question.card());
    let Question { number, asked, answer, link } = question;
    let figure = format!(
        "<figure><figcaption><a href=\"{}\">{}</a></figcaption></figure>",
        escaped(&link),
        escaped(said.word("figure")?)
    );
    Ok(Page {
        folder,
        title: asked,
        body: format!("<p>{}</p>\n{figure}", escaped(&answer)),
        // The first of its sentences.
        summary: answer.split_inclusive(". ").next().unwrap_or_default().trim_end().to_owned(),
        live: format!("#/learn/questions/{number}"),
        card,
    })
}

/// Where a question is: its number and its first words.
fn place(question: &Question) -> String {
    let plain = question.asked.replace('’', "");
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(MOST_WORDS).map(str::to_ascii_lowercase).collect();
    format!("learn/questions/{}-{}/", question.number, words.join("-"))
}

/// The page that leads to all others; without lessons, that of the questions.
fn list(lessons: &[Lesson], questions: &[Question], said: &Said) -> Result<Page> {
    let (folder, title, live) = if lessons.is_empty() {
        ("learn/questions/", said.word("questions")?, "#/learn/questions")
    } else {
        ("learn/", said.word("list")?, "#/learn")
    };
    let mut body = format!("<p class=\"text__lead\">{}</p>\n", escaped(said.word("about")?));
    if !lessons.is_empty() {
        let item = |lesson: &Lesson| {
            let (title, summary) = (escaped(&lesson.title), escaped(&lesson.summary));
            format!("<li><a href=\"{{root}}learn/{}/\">{title}</a><br>{summary}</li>\n", lesson.name)
        };
        let items: String = lessons.iter().map(item).collect();
        let [lessons, questions] = [said.word("lessons")?, said.word("questions")?].map(escaped);
        body += &["<h2>", &lessons, "</h2>\n<ul>\n", &items, "</ul>\n<h2>", &questions, "</h2>\n"].concat();
    }
    let item = |question: &Question| {
        format!("<li><a href=\"{{root}}{}\">{}</a></li>\n", place(question), escaped(&question.asked))
    };
    let items: String = questions.iter().map(item).collect();
    body += &["<ul>\n", &items, "</ul>\n"].concat();
    Ok(Page {
        folder: folder.to_owned(),
        title: title.to_owned(),
        summary: said.word("about")?.to_owned(),
        body,
        live: live.to_owned(),
        card: COMMON_CARD.to_owned(),
    })
}

/// The picture of a page, or the common one, on the site.
fn card(project: &Project, site: &mut Site, name: &str) -> Result<String> {
    for name in [name, COMMON_CARD] {
        if let Ok(content) = fs::read(project.root.join(format!("{CARDS}/{name}.jpg"))) {
            return site.unlisted(&format!("cards/{name}.jpg"), &content);
        }
    }
    bail!("{CARDS} has no picture {COMMON_CARD}.jpg: `cargo xtask cards` makes it")
}

fn filled(template: &str, page: &Page, card: &str, base: Option<&str>, site: &Site, said: &Said) -> Result<String> {
    let root = "../".repeat(page.folder.matches('/').count());
    let file = |name: &str| {
        let file = site.files().get(name).with_context(|| format!("the site has no {name}"))?;
        Ok::<_, anyhow::Error>(format!("{root}{file}"))
    };
    // What is fetched from elsewhere needs the whole address, where it is known.
    let whole = |path: &str| base.map_or_else(|| format!("{root}{path}"), |base| format!("{base}{path}"));
    let body = placed(&page.body.replace("{root}", &root), &root, &format!("{root}{card}"));
    let places: BTreeMap<&str, String> = BTreeMap::from([
        ("csp", CSP.to_owned()),
        ("title", escaped(&page.title)),
        ("summary", escaped(&page.summary)),
        ("here", whole(&page.folder)),
        ("card", whole(card)),
        ("card_alt", escaped(said.word("card")?)),
        ("icon", file("icons/icon.svg")?),
        ("styles", file("placewise.css")?),
        ("later_styles", file(super::LATER_STYLES)?),
        ("list", format!("{root}learn/")),
        ("live", format!("{root}{}", page.live)),
        ("root", root.clone()),
        ("body", body),
    ]);
    let mut missing = Vec::new();
    let html = replaced(template, "{{", "}}", |key| {
        let word = || key.strip_prefix(WORDS).and_then(|key| said.word(key).ok()).map(escaped);
        let text = places.get(key).cloned().or_else(word);
        if text.is_none() {
            missing.push(key.to_owned());
        }
        text.unwrap_or_default()
    })?;
    if !missing.is_empty() {
        bail!("{TEMPLATE} asks for what is not there: {}", missing.join(", "));
    }
    Ok(html)
}

/// A text with its links as the page's folder sees them, and the picture in its first figure.
fn placed(body: &str, root: &str, card: &str) -> String {
    const LINK: &str = "href=\"#/";
    let mut placed = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once(LINK) {
        placed.push_str(before);
        // A lesson or a list is a page as well; what stands in a lesson is in the app alone.
        let name = after.split('"').next().unwrap_or_default();
        match name.strip_prefix("learn/") {
            Some(lesson) if !lesson.contains(['?', '/']) => {
                placed += &["href=\"", root, "learn/", lesson, "/"].concat();
                rest = &after[name.len()..];
            }
            _ => {
                placed += &["href=\"", root, "#/"].concat();
                rest = after;
            }
        }
    }
    placed.push_str(rest);
    // It may be wider than the page: then it is scrolled, by keyboard too.
    let placed = placed.replace("<math display=\"block\"", "<math display=\"block\" tabindex=\"0\"");
    placed.replacen(
        "<figcaption>",
        &format!("<img src=\"{card}\" width=\"800\" height=\"420\" alt=\"\">\n<figcaption>"),
        1,
    )
}

fn sitemap<'a>(base: &str, folders: impl Iterator<Item = &'a str>) -> String {
    let urls: Vec<String> =
        folders.map(|folder| format!("<url><loc>{}{folder}</loc></url>\n", escaped(base))).collect();
    let urls = urls.concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_page_and_not_from_the_app() {
        let body = "<a href=\"#/learn/clocks\">c</a> <a href=\"#/learn/clocks?at=3\">d</a> <a href=\"#/explore?schemes=none\">e</a> \
                    <a href=\"#part\">f</a><figure><figcaption>g</figcaption></figure><figure><figcaption>h</figcaption></figure>";
        assert_eq!(
            placed(body, "../../", "../../card.jpg"),
            "<a href=\"../../learn/clocks/\">c</a> <a href=\"../../#/learn/clocks?at=3\">d</a> <a href=\"../../#/explore?schemes=none\">e</a> \
             <a href=\"#part\">f</a><figure><img src=\"../../card.jpg\" width=\"800\" height=\"420\" alt=\"\">\n<figcaption>g</figcaption></figure><figure><figcaption>h</figcaption></figure>"
        );
    }

    #[test]
    fn a_question_has_its_words_in_its_address() {
        let question = Question {
            number: "02".to_owned(),
            asked: "PE(p + k) is Bob’s – “linear”?".to_owned(),
            answer: String::new(),
            link: String::new(),
        };
        assert_eq!(place(&question), "learn/questions/02-pe-p-k-is-bobs-linear/");
    }

    #[test]
    fn a_map_of_the_site_has_whole_addresses() {
        let map = sitemap("https://example.org/a&b/", ["", "learn/order/"].into_iter());
        assert!(map.contains("<loc>https://example.org/a&amp;b/</loc>"), "{map}");
        assert!(map.contains("<loc>https://example.org/a&amp;b/learn/order/</loc>"), "{map}");
    }
}
