//! A lesson's blocks as a page: each figure with the text that is read beside it.

use super::ask::Ask;
use super::block::{Block, Kind};
use super::source::Mistakes;
use crate::Entries;
use crate::panel::escaped;
use std::fmt::Write as _;

/// The headings that end a numbered lesson.
const CHECK: &str = "Check yourself";
const READ_ON: &str = "Read on";
/// So many questions stand under [`CHECK`].
const QUESTIONS: usize = 3;

/// A numbered lesson ends with three questions and with links.
pub(super) fn check_end(blocks: &[Block], mistakes: &mut Mistakes, line: usize) {
    let heading = |text: &str| {
        blocks.iter().position(|block| matches!(&block.kind, Kind::Heading(_, heading) if heading == text))
    };
    let (Some(check), Some(read_on)) = (heading(CHECK), heading(READ_ON)) else {
        return mistakes.add(line, format!("a lesson ends with ## {CHECK} and ## {READ_ON}"));
    };
    if check > read_on {
        return mistakes.add(blocks[check].line, format!("## {READ_ON} comes after ## {CHECK}"));
    }
    let questions = blocks[check..read_on]
        .iter()
        .filter(|block| matches!(&block.kind, Kind::Ask(ask) if matches!(**ask, Ask::Choice { predict: false, .. })));
    let count = questions.count();
    if count != QUESTIONS {
        mistakes.add(blocks[check].line, format!("under ## {CHECK} stand {QUESTIONS} question blocks, not {count}"));
    }
    let rest = &blocks[read_on..];
    if !rest.iter().any(|block| matches!(block.kind, Kind::Text(_, true))) {
        mistakes.add(blocks[read_on].line, format!("under ## {READ_ON} stands a list of links"));
    }
    for block in &rest[1..] {
        if !matches!(block.kind, Kind::Text(..)) {
            mistakes.add(block.line, format!("## {READ_ON} is the end of a lesson"));
        }
    }
}

/// A figure and the blocks that are read beside it: what leads to it, and what follows.
#[derive(Default)]
struct Scene<'a> {
    lead: Vec<&'a Block>,
    figure: Option<&'a Block>,
    prose: Vec<&'a Block>,
}

/// The page: scenes one after another.
pub(super) fn html(blocks: &[Block], words: &Entries) -> String {
    let mut html = String::new();
    for scene in scenes(blocks) {
        html.push_str("<div class=\"scene\">\n");
        if !scene.lead.is_empty() {
            html.push_str("<div class=\"scene__lead\">\n");
            write_all(&scene.lead, words, &mut html);
            html.push_str("</div>\n");
        }
        if let Some(block) = scene.figure {
            write(block, words, &mut html);
        }
        html.push_str("<div class=\"scene__prose\">\n");
        write_all(&scene.prose, words, &mut html);
        html.push_str("</div>\n</div>\n");
    }
    html
}

/// A figure begins a scene, and takes the headings right before it along, the first one all that comes before it; so does
/// what shows one when it is answered, and the questions at the end, which are read without one.
fn scenes(blocks: &[Block]) -> Vec<Scene<'_>> {
    let mut scenes = vec![Scene::default()];
    for block in blocks {
        let begins = match &block.kind {
            Kind::Figure(..) => true,
            Kind::Ask(ask) => ask.shows(),
            Kind::Heading(_, text) => [CHECK, READ_ON].contains(&text.as_str()),
            Kind::Text(..) => false,
        };
        if begins {
            let first = scenes.len() == 1 && matches!(block.kind, Kind::Figure(..));
            let mut lead = Vec::new();
            if let Some(before) = scenes.last_mut() {
                let kept = before.prose.iter().rposition(|block| !matches!(block.kind, Kind::Heading(..)));
                let opens = first && before.figure.is_none() && before.lead.is_empty();
                lead = before.prose.split_off(if opens { 0 } else { kept.map_or(0, |last| last + 1) });
            }
            scenes.push(Scene { lead, ..Scene::default() });
        }
        let Some(scene) = scenes.last_mut() else { continue };
        match &block.kind {
            Kind::Figure(..) => scene.figure = Some(block),
            Kind::Ask(_) if begins => scene.lead.push(block),
            _ => scene.prose.push(block),
        }
    }
    scenes.retain(|scene| !(scene.lead.is_empty() && scene.figure.is_none() && scene.prose.is_empty()));
    scenes
}

fn write_all(blocks: &[&Block], words: &Entries, html: &mut String) {
    for block in blocks {
        write(block, words, html);
    }
}

fn write(block: &Block, words: &Entries, html: &mut String) {
    match &block.kind {
        Kind::Ask(ask) => write_ask(ask, block.at, words, html),
        Kind::Figure(address, caption) => write_figure(address, caption, Some(block.at), html),
        Kind::Text(text, _) | Kind::Heading(text, _) => html.push_str(&numbered(text, block.at)),
    }
}

/// The number of the block on its outermost element.
fn numbered(text: &str, at: u32) -> String {
    let name = text.find([' ', '>', '/']).unwrap_or(text.len());
    format!("{} data-at=\"{at}\"{}", &text[..name], &text[name..])
}

fn write_figure(address: &str, caption: &str, at: Option<u32>, html: &mut String) {
    let at = at.map(|at| format!(" data-at=\"{at}\"")).unwrap_or_default();
    let address = escaped(address);
    let _ = writeln!(html, "<figure{at}><figcaption><a href=\"{address}\">{caption}</a></figcaption></figure>");
}

fn write_ask(ask: &Ask, at: u32, words: &Entries, html: &mut String) {
    match ask {
        Ask::Choice { predict, asked, answers, reveal } => {
            let kind = if *predict { "predict" } else { "question" };
            let _ = writeln!(html, "<div class=\"ask\" data-ask=\"{kind}\" data-at=\"{at}\">");
            let _ = writeln!(html, "<div class=\"ask__asked\">{asked}</div>");
            for answer in answers {
                let right = if answer.right { " data-right" } else { "" };
                let _ = writeln!(
                    html,
                    "<details class=\"ask__answer\"{right}><summary>{}</summary><div>{}</div></details>",
                    answer.text, answer.why
                );
            }
            write_reveal("lesson.reveal", reveal, words, html);
        }
        Ask::Claim { verdict, said_by, claim, reveal } => {
            let _ =
                writeln!(html, "<div class=\"ask\" data-ask=\"claim\" data-verdict=\"{verdict}\" data-at=\"{at}\">");
            let _ = writeln!(html, "<blockquote class=\"ask__asked\">{claim}</blockquote>");
            let _ = writeln!(html, "<p class=\"ask__source\">{}</p>", escaped(said_by));
            write_reveal(if *verdict { "lesson.true" } else { "lesson.false" }, reveal, words, html);
        }
    }
    html.push_str("</div>\n");
}

fn write_reveal(word: &str, reveal: &[Kind], words: &Entries, html: &mut String) {
    if reveal.is_empty() {
        return;
    }
    let summary = escaped(words.get(word).map_or("", String::as_str));
    let _ = writeln!(html, "<details class=\"ask__reveal\"><summary>{summary}</summary>");
    for kind in reveal {
        match kind {
            Kind::Text(text, _) | Kind::Heading(text, _) => html.push_str(text),
            Kind::Figure(address, caption) => write_figure(address, caption, None, html),
            Kind::Ask(_) => {}
        }
    }
    html.push_str("</details>\n");
}
