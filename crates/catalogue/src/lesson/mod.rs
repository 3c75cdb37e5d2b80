//! Lessons: Markdown that a teacher writes, checked and turned into HTML. The repository's `README.md` has the format.
//!
//! A mistake ends the build, named with its file and line: a link that leads nowhere, a question without its answer, a
//! number that nobody computed.

mod ask;
mod bare;
mod block;
mod inline;
mod page;
mod source;
#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests;

use crate::{Entries, math};
use source::{Head, Mistakes};
use std::collections::BTreeSet;
use std::{fs, path::Path};

/// Where lessons are, from the root of the repository.
pub(crate) const FOLDER: &str = "static/lessons/en";

/// Names of pages under `#/learn/` that are no lessons.
const OTHER_PAGES: [&str; 2] = ["questions", "pitfalls"];

/// A lesson, or the page of myths.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Its file, from the root of the repository.
    pub file: String,
    /// What links call it: `#/learn/<name>`.
    pub name: String,
    /// Its place among the lessons; none where it is a page by itself.
    pub number: Option<u32>,
    /// What it is called.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// The text as HTML, without its title. Figures are `<figure>` with a link in the state grammar in their caption;
    /// what hides until it is asked for is `<details>`.
    pub html: String,
    /// All links in the state grammar, those of figures too.
    pub links: Vec<Link>,
    /// The figures, in the order of the text.
    pub figures: Vec<Figure>,
    /// How many predictions, questions and claims it has.
    pub asks: usize,
}

/// A link in the state grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The line of the file, from 1.
    pub line: usize,
    /// `#/<page>?…`.
    pub address: String,
}

/// A figure of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The line of the file, from 1.
    pub line: usize,
    /// What it shows: `#/explore?…`.
    pub address: String,
    /// What it shows, in a sentence, without markup.
    pub caption: String,
}

/// A lesson's file, read.
struct File {
    /// From the root of the repository.
    path: String,
    name: String,
    number: Option<u32>,
    text: String,
}

/// All lessons of the repository at `root`: the numbered ones in their order, then the others by name.
///
/// # Errors
/// All mistakes, a line each: `<file>:<line>: what is wrong`.
pub fn lessons(root: &Path) -> Result<Vec<Lesson>, String> {
    let files = files(root)?;
    let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let words = crate::read(&root.join("static/locales/en.toml"))?;
    let converter = math::converter()?;
    let mut lessons = Vec::new();
    let mut mistakes = Vec::new();
    for file in &files {
        let context = block::Context { names: &names, words: &words, converter: &converter };
        match lesson(file, &context) {
            Ok(lesson) => lessons.push(lesson),
            Err(found) => mistakes.extend(found.into_iter().map(|mistake| format!("{}:{mistake}", file.path))),
        }
    }
    if mistakes.is_empty() { Ok(lessons) } else { Err(mistakes.join("\n")) }
}

/// Adds what a list of the lessons needs: `lesson.names`, with commas between, and each one's title and summary, as
/// `lesson.<name>.title`, how much it asks, and its number where it has one.
pub(crate) fn list(root: &Path, words: &mut Entries) -> Result<(), String> {
    let files = files(root)?;
    for file in &files {
        let mut mistakes = Mistakes::default();
        let (Head { title, summary, .. }, _) = source::head(&file.text, &mut mistakes);
        if let Some(mistake) = mistakes.all().first() {
            return Err(format!("{}:{mistake}", file.path));
        }
        let name = &file.name;
        let asks =
            file.text.lines().filter(|line| block::ASKS.iter().any(|word| line.trim_end() == format!("```{word}")));
        words.insert(format!("lesson.{name}.asks"), asks.count().to_string());
        words.insert(format!("lesson.{name}.title"), title);
        words.insert(format!("lesson.{name}.summary"), summary);
        words.extend(file.number.map(|number| (format!("lesson.{name}.number"), number.to_string())));
    }
    let names: Vec<String> = files.into_iter().map(|file| file.name).collect();
    words.insert("lesson.names".to_owned(), names.join(","));
    Ok(())
}

fn files(root: &Path) -> Result<Vec<File>, String> {
    let folder = root.join(FOLDER);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|e| format!("{FOLDER}: {e}"))? {
        let path = entry.map_err(|e| format!("{FOLDER}: {e}"))?.path();
        let Some(stem) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".md")) else { continue };
        if stem == "README" {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (number, name) = named(stem)?;
        files.push(File { path: format!("{FOLDER}/{stem}.md"), name: name.to_owned(), number, text });
    }
    files.sort_by_key(|file| (file.number.is_none(), file.number, file.name.clone()));
    for pair in files.windows(2) {
        if pair[0].name == pair[1].name || (pair[0].number.is_some() && pair[0].number == pair[1].number) {
            return Err(format!("{} and {} have the same name or number", pair[0].path, pair[1].path));
        }
    }
    Ok(files)
}

/// `01-order` is the lesson `order` with the number 1; `myths` has none.
fn named(stem: &str) -> Result<(Option<u32>, &str), String> {
    let (number, name) = match stem.split_once('-') {
        Some((digits, name)) if digits.bytes().all(|b| b.is_ascii_digit()) => (digits.parse().ok(), name),
        _ => (None, stem),
    };
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !plain || OTHER_PAGES.contains(&name) {
        return Err(format!("{FOLDER}/{stem}.md: a lesson is called NN-name.md, the name in lower-case letters"));
    }
    Ok((number, name))
}

/// Reads one lesson.
fn lesson(file: &File, context: &block::Context<'_>) -> Result<Lesson, Vec<String>> {
    let mut mistakes = Mistakes::default();
    let (head, body) = source::head(&file.text, &mut mistakes);
    let source = source::Source::new(body, head.lines, &mut mistakes);
    let mut reader = block::Reader::new(&source, head.lines, context, mistakes);
    let blocks = reader.blocks();
    if file.number.is_some() {
        page::check_end(&blocks, &mut reader.mistakes, head.lines);
    }
    reader.check_anchors();
    let block::Reader { mistakes, links, figures, asks, .. } = reader;
    let mistakes = mistakes.all();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    Ok(Lesson {
        file: file.path.clone(),
        name: file.name.clone(),
        number: file.number,
        title: head.title,
        summary: head.summary,
        html: page::html(&blocks, context.words),
        links,
        figures,
        asks,
    })
}
