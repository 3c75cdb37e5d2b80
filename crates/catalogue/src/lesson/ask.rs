//! What the reader answers: predictions, questions, claims.

use super::bare::Strictness;
use super::block::{Kind, Reader, groups};
use super::inline::Placed;
use pulldown_cmark::{Event, Tag, TagEnd};

/// Something that the reader answers.
#[derive(Debug)]
pub(super) enum Ask {
    /// One of several answers.
    Choice {
        /// Whether it is a prediction: what it shows afterwards is not shown before.
        predict: bool,
        /// What is asked, as HTML.
        asked: String,
        answers: Vec<Answer>,
        /// What is shown when it is answered.
        reveal: Vec<Kind>,
    },
    /// True or false.
    Claim {
        /// Whether it is true.
        verdict: bool,
        /// Where it is said, in words.
        said_by: String,
        /// What is claimed, as HTML.
        claim: String,
        /// What settles it.
        reveal: Vec<Kind>,
    },
}

impl Ask {
    /// Whether a figure is shown when it is answered.
    pub(super) fn shows(&self) -> bool {
        let (Self::Choice { reveal, .. } | Self::Claim { reveal, .. }) = self;
        reveal.iter().any(|kind| matches!(kind, Kind::Figure(..)))
    }
}

/// A possible answer, as HTML, and why it is right or wrong.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) right: bool,
    pub(super) text: String,
    pub(super) why: String,
}

/// Reads a block whose first line is `line` of the file.
pub(super) fn read(reader: &mut Reader<'_>, word: &str, inner: &str, line: usize) -> Option<Ask> {
    match word {
        "predict" | "question" => choice(reader, word == "predict", inner, line),
        "claim" => claim(reader, inner, line),
        _ => {
            reader.mistakes.add(line, format!("a block is predict, question or claim, not {word:?}"));
            None
        }
    }
}

fn choice(reader: &mut Reader<'_>, predict: bool, inner: &str, line: usize) -> Option<Ask> {
    let groups = groups(inner, line);
    let Some(list) = groups.iter().position(|group| matches!(group[0].0, Event::Start(Tag::List(_)))) else {
        reader.mistakes.add(line, "there are no answers: - [x] the right one, - [ ] each other one");
        return None;
    };
    let asked: Vec<_> = groups[..list].concat();
    if asked.is_empty() {
        reader.mistakes.add(line, "nothing is asked before the answers");
    }
    let asked = reader.render(&asked, Strictness::Prose);
    let answers: Vec<Answer> = items(&groups[list]).into_iter().filter_map(|item| answer(reader, &item)).collect();
    let right = answers.iter().filter(|answer| answer.right).count();
    if right != 1 {
        reader.mistakes.add(line, format!("one answer is right, marked [x]; here are {right}"));
    }
    if answers.len() < 2 {
        reader.mistakes.add(line, "there is nothing to choose from: two answers at least");
    }
    let rest = &groups[list + 1..];
    if !predict && !rest.is_empty() {
        reader.mistakes.add(rest[0][0].1, "after the answers of a question stands nothing; a predict block shows more");
    }
    let reveal = reader.revealed(rest, Strictness::Prose);
    check_reveal(reader, &reveal, line);
    Some(Ask::Choice { predict, asked, answers, reveal })
}

/// The events of each item of a list.
fn items<'a>(list: &[Placed<'a>]) -> Vec<Vec<Placed<'a>>> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    for (event, line) in &list[1..list.len() - 1] {
        if depth == 0 {
            items.push(Vec::new());
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(item) = items.last_mut() {
            item.push((event.clone(), *line));
        }
    }
    items
}

/// An item of the list: its mark, its text, and its explanation as a quotation.
fn answer(reader: &mut Reader<'_>, item: &[Placed<'_>]) -> Option<Answer> {
    let line = item[0].1;
    let mut right = None;
    let (mut text, mut why) = (Vec::new(), Vec::new());
    let mut quoted = 0_usize;
    for (event, line) in &item[1..item.len() - 1] {
        match event {
            Event::TaskListMarker(checked) => right = Some(*checked),
            Event::Start(Tag::BlockQuote(_)) => quoted += 1,
            Event::End(TagEnd::BlockQuote(_)) => quoted = quoted.saturating_sub(1),
            // An answer is a line, with or without empty lines around it.
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) if quoted == 0 => {}
            event if quoted > 0 => why.push((event.clone(), *line)),
            event => text.push((event.clone(), *line)),
        }
    }
    if why.is_empty() {
        reader.mistakes.add(line, "an answer says why it is right or wrong: on the next line, after >");
    }
    let Some(right) = right else {
        reader.mistakes.add(line, "an answer begins with - [x], the right one, or - [ ]");
        return None;
    };
    Some(Answer { right, text: reader.render(&text, Strictness::Prose), why: reader.render(&why, Strictness::Prose) })
}

fn claim(reader: &mut Reader<'_>, inner: &str, line: usize) -> Option<Ask> {
    let (mut said_by, mut verdict) = (None, None);
    // Lines stay lines, so that mistakes are found where they are.
    let mut parts = vec![String::new()];
    let mut begins = vec![line];
    for (number, text) in inner.lines().enumerate() {
        let value = |key: &str| text.strip_prefix(key).map(|value| value.trim().to_owned());
        let mut kept = text;
        if let Some(value) = value("source:") {
            said_by = Some(value);
            kept = "";
        } else if let Some(value) = value("verdict:") {
            verdict = match value.as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            };
            kept = "";
        } else if text.trim_end() == "---" {
            parts.push(String::new());
            begins.push(line + number + 1);
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(kept);
            part.push('\n');
        }
    }
    let ([claim, settled], Some(said_by), Some(verdict)) = (&parts[..], said_by, verdict) else {
        reader.mistakes.add(
            line,
            "a claim has a line source: …, a line verdict: true or verdict: false, what is claimed, a line of ---, and what settles it",
        );
        return None;
    };
    let said: Vec<_> = groups(claim, begins[0]).concat();
    if said.is_empty() {
        reader.mistakes.add(line, "nothing is claimed");
    }
    let claim = reader.render(&said, Strictness::Claim);
    let reveal = reader.revealed(&groups(settled, begins[1]), Strictness::Claim);
    check_reveal(reader, &reveal, line);
    let ask = Ask::Claim { verdict, said_by, claim, reveal };
    if !ask.shows() {
        reader.mistakes.add(line, "a claim is settled on a figure: ![what it shows](#/explore?…)");
    }
    Some(ask)
}

fn check_reveal(reader: &mut Reader<'_>, reveal: &[Kind], line: usize) {
    if reveal.iter().filter(|kind| matches!(kind, Kind::Figure(..))).count() > 1 {
        reader.mistakes.add(line, "a block shows one figure");
    }
}
