//! The blocks of a lesson, one after another: text, headings, figures, and what is asked.

use super::ask::{self, Ask};
use super::bare::Strictness;
use super::inline::Placed;
use super::source::{Mistakes, Source};
use super::{Figure, Link};
use crate::Entries;
use math_core::LatexToMathML;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;

/// Words after the three backticks of what the reader answers.
pub(super) const ASKS: [&str; 3] = ["predict", "question", "claim"];
/// Words after the three backticks that are the name of a language, not of something that is asked.
const CODE: [&str; 6] = ["", "text", "python", "rust", "json", "sh"];

/// What every lesson is read with.
pub(super) struct Context<'a> {
    /// The names of all lessons.
    pub(super) names: &'a BTreeSet<&'a str>,
    /// The words of the app.
    pub(super) words: &'a Entries,
    pub(super) converter: &'a LatexToMathML,
}

/// A block, its number in the lesson counted from 1, and its line.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) at: u32,
    pub(super) line: usize,
    pub(super) kind: Kind,
}

/// What a block is.
#[derive(Debug)]
pub(super) enum Kind {
    /// Anything that is read, as HTML; whether it is a list with links in it.
    Text(String, bool),
    /// A heading, and its text without markup.
    Heading(String, String),
    /// A figure's address and its caption as HTML.
    Figure(String, String),
    /// Something that the reader answers.
    Ask(Box<Ask>),
}

/// Reads a lesson.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    lines: usize,
    pub(super) context: &'a Context<'a>,
    pub(super) mistakes: Mistakes,
    pub(super) links: Vec<Link>,
    pub(super) figures: Vec<Figure>,
    pub(super) asks: usize,
    /// Links to headings of the lesson, with their lines.
    pub(super) anchors: Vec<(usize, String)>,
    ids: BTreeSet<String>,
    at: u32,
}

impl<'a> Reader<'a> {
    /// A reader of a text that begins after so many lines of its file.
    pub(super) fn new(source: &'a Source, lines: usize, context: &'a Context<'a>, mistakes: Mistakes) -> Self {
        Self {
            source,
            lines,
            context,
            mistakes,
            links: Vec::new(),
            figures: Vec::new(),
            asks: 0,
            anchors: Vec::new(),
            ids: BTreeSet::new(),
            at: 0,
        }
    }

    /// The blocks of the whole lesson.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for group in groups(&self.source.text, self.lines) {
            let line = group[0].1;
            self.at += 1;
            let kind = match &group[0].0 {
                Event::Start(Tag::Heading { level, .. }) => self.heading(&group, *level),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(word))) if !CODE.contains(&&**word) => {
                    match self.ask(word, &group, line) {
                        Some(ask) => Kind::Ask(Box::new(ask)),
                        None => continue,
                    }
                }
                _ => self.text_or_figure(&group, Strictness::Prose),
            };
            blocks.push(Block { at: self.at, line, kind });
        }
        blocks
    }

    /// The blocks of what is shown when something was answered: text and figures.
    pub(super) fn revealed(&mut self, groups: &[Vec<Placed<'_>>], strictness: Strictness) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for group in groups {
            if let (Event::Start(Tag::Heading { .. } | Tag::CodeBlock(CodeBlockKind::Fenced(_))), line) = &group[0] {
                self.mistakes.add(*line, "no heading and no block inside a block");
            }
            kinds.push(self.text_or_figure(group, strictness));
        }
        kinds
    }

    fn text_or_figure(&mut self, group: &[Placed<'_>], strictness: Strictness) -> Kind {
        if let [
            (Event::Start(Tag::Paragraph), _),
            (Event::Start(Tag::Image { dest_url, .. }), line),
            caption @ ..,
            (Event::End(TagEnd::Image), _),
            (Event::End(TagEnd::Paragraph), _),
        ] = group
            && !caption.iter().any(|(event, _)| matches!(event, Event::End(TagEnd::Image)))
        {
            return self.figure(dest_url, caption, *line, strictness);
        }
        let linked = matches!(group[0].0, Event::Start(Tag::List(_)))
            && group.iter().any(|(event, _)| matches!(event, Event::Start(Tag::Link { .. })));
        Kind::Text(self.render(group, strictness), linked)
    }

    fn figure(&mut self, address: &str, caption: &[Placed<'_>], line: usize, strictness: Strictness) -> Kind {
        if !address.starts_with("#/explore?") {
            self.mistakes.add(line, format!("a figure's address begins with #/explore?, not {address:?}"));
        }
        let plain: String = caption
            .iter()
            .filter_map(|(event, _)| match event {
                Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => Some(self.plain(text)),
                Event::SoftBreak => Some(" ".to_owned()),
                _ => None,
            })
            .collect();
        if plain.trim().is_empty() {
            self.mistakes.add(line, "a figure says what it shows: ![…](#/explore?…)");
        }
        self.links.push(Link { line, address: address.to_owned() });
        self.figures.push(Figure { line, address: address.to_owned(), caption: plain });
        Kind::Figure(address.to_owned(), self.render(caption, strictness))
    }

    fn heading(&mut self, group: &[Placed<'_>], level: HeadingLevel) -> Kind {
        let line = group[0].1;
        if !matches!(level, HeadingLevel::H2 | HeadingLevel::H3) {
            self.mistakes.add(line, "headings of a lesson begin with ## or ###: its title stands in its head");
        }
        let content = &group[1..group.len() - 1];
        let plain: String = content
            .iter()
            .filter_map(|(event, _)| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        let id = slug(&plain);
        if !self.ids.insert(id.clone()) {
            self.mistakes.add(line, format!("two headings are called {plain:?}"));
        }
        let html = self.render(content, Strictness::Prose);
        Kind::Heading(format!("<{level} id=\"{id}\">{html}</{level}>\n"), plain)
    }

    fn ask(&mut self, word: &str, group: &[Placed<'_>], line: usize) -> Option<Ask> {
        let inner: String = group
            .iter()
            .filter_map(|(event, _)| match event {
                Event::Text(text) => Some(&**text),
                _ => None,
            })
            .collect();
        // The line after the last of the block has to close it; what follows an open one is taken for its text.
        if let Some(place) = inner.lines().position(|line| line.starts_with("```")) {
            self.mistakes.add(line, format!("the block {word:?} is not closed before line {}", line + 1 + place));
            return None;
        }
        let last = line + inner.lines().count() + 1;
        if !self.closes(last) {
            self.mistakes.add(line, format!("the block {word:?} is not closed"));
            return None;
        }
        self.asks += 1;
        ask::read(self, word, &inner, line)
    }

    /// Whether this line of the file closes a block.
    fn closes(&self, line: usize) -> bool {
        self.source.text.lines().nth(line - self.lines - 1).is_some_and(|line| line.trim_end() == "```")
    }

    /// Links to headings lead to one.
    pub(super) fn check_anchors(&mut self) {
        for (line, name) in std::mem::take(&mut self.anchors) {
            if !self.ids.contains(&name) {
                self.mistakes.add(line, format!("no heading of the lesson is #{name}"));
            }
        }
    }
}

/// Events by the block of the outermost level that they are of.
pub(super) fn groups(text: &str, lines: usize) -> Vec<Vec<Placed<'_>>> {
    let options = Options::ENABLE_MATH
        | Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_SMART_PUNCTUATION
        | Options::ENABLE_STRIKETHROUGH;
    let begins: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(place, _)| place + 1)).collect();
    let mut groups: Vec<Vec<Placed<'_>>> = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let line = lines + begins.partition_point(|begin| *begin <= range.start);
        if depth == 0 {
            groups.push(Vec::new());
        }
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if let Some(group) = groups.last_mut() {
            group.push((event, line));
        }
    }
    groups
}

/// A heading's name in links: letters and digits, with dashes between.
fn slug(text: &str) -> String {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join("-")
}
