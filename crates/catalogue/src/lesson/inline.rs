//! Events of Markdown to HTML: formulas, computed numbers, links.

use super::bare::{self, Strictness};
use super::block::Reader;
use super::source::Piece;
use super::{Link, OTHER_PAGES};
use crate::{math, numbers, panel::escaped};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd, html};
use std::fmt::Write as _;

/// An event of Markdown with the line of the file on which it begins.
pub(super) type Placed<'a> = (Event<'a>, usize);

/// Stands for what is no prose where numbers are looked for: code, formulas, computed numbers.
const OTHER: char = '\u{fffc}';

impl Reader<'_> {
    /// The HTML of some events.
    pub(super) fn render(&mut self, events: &[Placed<'_>], strictness: Strictness) -> String {
        self.check_numbers(events, strictness);
        let mut written = Vec::new();
        let mut code = false;
        for (event, line) in events {
            code = in_code(code, event);
            match event {
                Event::Text(text) if code => written.push(Event::Text(self.source.restored(text).into())),
                event => self.write(event, *line, &mut written),
            }
        }
        let mut text = String::new();
        html::push_html(&mut text, written.into_iter());
        together(&text)
    }

    fn write(&mut self, event: &Event<'_>, line: usize, written: &mut Vec<Event<'static>>) {
        match event {
            Event::Text(text) => {
                if text.contains('$') {
                    self.mistakes.add(line, "a $ that begins no formula: $…$, with what is opened in it closed");
                }
                let source = self.source;
                for piece in source.pieces(text) {
                    written.push(Event::Text(match piece {
                        Piece::Text(text) => CowStr::from(text.to_owned()),
                        Piece::Number(expression) => CowStr::from(self.number(expression, line)),
                    }));
                }
            }
            Event::Code(text) => written.push(Event::Code(self.source.restored(text).into())),
            Event::InlineMath(latex) => written.push(self.formula(latex, line, false)),
            Event::DisplayMath(latex) => written.push(self.formula(latex, line, true)),
            Event::Start(Tag::Link { dest_url, .. }) => {
                self.check_link(dest_url, line);
                let elsewhere = if is_elsewhere(dest_url) { " rel=\"noopener\" target=\"_blank\"" } else { "" };
                written.push(Event::InlineHtml(format!("<a href=\"{}\"{elsewhere}>", escaped(dest_url)).into()));
            }
            Event::End(TagEnd::Link) => written.push(Event::InlineHtml("</a>".into())),
            Event::Start(Tag::Image { .. }) => {
                self.mistakes.add(line, "a figure stands alone in its paragraph: ![what it shows](#/explore?…)");
            }
            Event::End(TagEnd::Image) => {}
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
                self.mistakes.add(line, "no HTML in a lesson: write Markdown");
            }
            other => written.push(other.clone().into_static()),
        }
    }

    fn number(&mut self, expression: &str, line: usize) -> String {
        numbers::evaluate(expression).unwrap_or_else(|what| {
            self.mistakes.add(line, format!("{{= {expression} }}: {what}"));
            String::new()
        })
    }

    fn formula(&mut self, latex: &str, line: usize, displayed: bool) -> Event<'static> {
        let source = self.source;
        let mut filled = String::new();
        for piece in source.pieces(latex) {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Number(expression) => filled.push_str(&self.number(expression, line)),
            }
        }
        match math::written(self.context.converter, &filled, displayed) {
            // Wider than a phone it is scrolled, by keyboard too.
            Ok(math) if displayed => Event::InlineHtml(math.replacen("<math", "<math tabindex=\"0\"", 1).into()),
            Ok(math) => Event::InlineHtml(math.into()),
            Err(what) => {
                self.mistakes.add(line, format!("the formula {what}"));
                Event::InlineHtml("".into())
            }
        }
    }

    /// A link leads to a page of this app, to a lesson that there is, to a heading of this lesson, or elsewhere.
    fn check_link(&mut self, address: &str, line: usize) {
        if let Some(page) = address.strip_prefix("#/") {
            let path = page.split('?').next().unwrap_or_default();
            if let Some(name) = path.strip_prefix("learn/")
                && !self.context.names.contains(name)
                && !OTHER_PAGES.contains(&name)
            {
                self.mistakes.add(line, format!("there is no lesson {name:?}"));
            }
            self.links.push(Link { line, address: address.to_owned() });
        } else if let Some(name) = address.strip_prefix('#') {
            self.anchors.push((line, name.to_owned()));
        } else if !is_elsewhere(address) {
            self.mistakes.add(line, format!("the link {address:?} begins with neither #/, # nor https://"));
        }
    }

    /// Refuses what a number in the prose would have to be computed for.
    fn check_numbers(&mut self, events: &[Placed<'_>], strictness: Strictness) {
        // One run of text for each paragraph, item or cell, with the line of each piece.
        let mut text = String::new();
        let mut lines: Vec<(usize, usize)> = Vec::new();
        let mut citing = 0_usize;
        let mut code = false;
        for (event, line) in events {
            code = in_code(code, event);
            match event {
                Event::Text(_) if code => {}
                // A link elsewhere names what it leads to.
                Event::Start(Tag::Link { dest_url, .. }) if is_elsewhere(dest_url) => citing += 1,
                Event::End(TagEnd::Link) => citing = citing.saturating_sub(1),
                Event::Text(_) if citing > 0 => text.push(OTHER),
                Event::Text(part) => {
                    lines.push((text.len(), *line));
                    for piece in self.source.pieces(part) {
                        match piece {
                            Piece::Text(part) => text.push_str(part),
                            Piece::Number(_) => text.push(OTHER),
                        }
                    }
                }
                Event::InlineMath(latex) | Event::DisplayMath(latex) if strictness == Strictness::Claim => {
                    // Exponents and indices are no claims; fractions are.
                    let latex = self.plain(latex);
                    for (_, number) in bare::all(&latex, Strictness::Prose) {
                        self.refuse(*line, number);
                    }
                    text.push(OTHER);
                }
                Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => text.push(OTHER),
                Event::SoftBreak | Event::HardBreak => text.push(' '),
                Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong) => {}
                _ => {
                    self.check_run(&text, &lines, strictness);
                    text.clear();
                    lines.clear();
                }
            }
        }
        self.check_run(&text, &lines, strictness);
    }

    fn check_run(&mut self, text: &str, lines: &[(usize, usize)], strictness: Strictness) {
        for (place, number) in bare::all(text, strictness) {
            let line = lines.iter().rev().find(|(begin, _)| *begin <= place).map_or(1, |(_, line)| *line);
            self.refuse(line, number);
        }
    }

    fn refuse(&mut self, line: usize, number: &str) {
        self.mistakes.add(line, format!("a bare number, {number}: compute it with {{= … }}"));
    }

    /// A text without its computed numbers.
    pub(super) fn plain(&self, text: &str) -> String {
        let piece = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Number(_) => OTHER.to_string(),
        };
        self.source.pieces(text).iter().map(piece).collect()
    }
}

/// Keeps a formula and the mark after it on one line: browsers break between them, whatever joins them in the text.
fn together(html: &str) -> String {
    const END: &str = "</math>";
    let mut kept = String::new();
    let mut rest = html;
    while let Some(end) = rest.find(END) {
        let (formula, after) = rest.split_at(end + END.len());
        let mark = after.chars().next().filter(|mark| ".,;:!?)".contains(*mark));
        let start = formula.rfind("<math").filter(|start| !formula[*start..].contains("display=\"block\""));
        if let (Some(mark), Some(start)) = (mark, start) {
            let (before, formula) = formula.split_at(start);
            let _ = write!(kept, "{before}<span class=\"unbroken\">{formula}{mark}</span>");
            rest = &after[mark.len_utf8()..];
        } else {
            kept.push_str(formula);
            rest = after;
        }
    }
    kept + rest
}

/// Whether this event is inside a block of code, where the one before was or was not.
fn in_code(before: bool, event: &Event<'_>) -> bool {
    match event {
        Event::Start(Tag::CodeBlock(_)) => true,
        Event::End(TagEnd::CodeBlock) => false,
        _ => before,
    }
}

fn is_elsewhere(address: &str) -> bool {
    address.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn a_mark_stays_with_the_formula_before_it() {
        let line = "so <math><mi>a</mi></math>, <math><mi>b</mi></math> and <math><mi>c</mi></math>.";
        let kept = r#"so <span class="unbroken"><math><mi>a</mi></math>,</span> <math><mi>b</mi></math> and <span class="unbroken"><math><mi>c</mi></math>.</span>"#;
        assert_eq!(together(line), kept);
        let block = r#"<math display="block"><mi>a</mi></math>."#;
        assert_eq!(together(block), block);
    }
}
