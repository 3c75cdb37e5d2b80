//! A lesson's text, as the build wrote it, taken apart: its scenes, figures, and what it asks.

use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::AttrValue;

/// A lesson.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Text {
    pub(super) scenes: Vec<Scene>,
    /// In the order of the text.
    pub(super) figures: Vec<Figure>,
    /// In the order of the text.
    pub(super) asks: Vec<Rc<Ask>>,
}

/// A figure, what leads to it, and what is read beside it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Scene {
    pub(super) lead: Vec<Piece>,
    /// Its number.
    pub(super) figure: Option<usize>,
    pub(super) prose: Vec<Piece>,
}

/// A piece of the text.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// Blocks as HTML, which the build has checked.
    Html(AttrValue),
    /// What is asked, by its number.
    Ask(usize),
}

/// A figure of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// The block that it is, or that shows it, from 1.
    pub(super) at: u32,
    /// How it begins.
    pub(super) link: Rc<str>,
    /// What it shows, as HTML.
    pub(super) caption: AttrValue,
    /// What has to be answered first, by its number.
    pub(super) behind: Option<usize>,
}

/// What is asked.
#[derive(Debug, PartialEq)]
pub(super) struct Ask {
    pub(super) number: usize,
    pub(super) at: u32,
    /// `predict`, `question` or `claim`.
    pub(super) kind: String,
    /// As HTML.
    pub(super) asked: AttrValue,
    /// Where a claim is read; empty otherwise.
    pub(super) source: String,
    pub(super) answers: Vec<Answer>,
    /// What is shown when it is answered, its figure apart; as HTML, perhaps empty.
    pub(super) reveal: AttrValue,
}

/// A possible answer, as HTML; those of a claim are true and false, and their words the app's.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) right: bool,
    pub(super) text: AttrValue,
    pub(super) why: AttrValue,
}

impl Text {
    /// Takes a lesson's file apart; nothing where there is no document.
    pub(super) fn read(html: &str) -> Option<Self> {
        let root = web_sys::window()?.document()?.create_element("div").ok()?;
        root.set_inner_html(html);
        let mut text = Self::default();
        for scene in all(&root, ":scope > .scene") {
            let lead = text.pieces(&scene, ":scope > .scene__lead");
            let mut figure = text.figures.len().checked_sub(1).filter(|_| text.last_is_behind(&lead));
            if let Some(own) = one(&scene, ":scope > figure") {
                figure = Some(text.figures.len());
                text.figure(&own, at(&own), None);
            }
            let prose = text.pieces(&scene, ":scope > .scene__prose");
            text.scenes.push(Scene { lead, figure, prose });
        }
        Some(text)
    }

    /// Whether the last figure is shown when something of these is answered.
    fn last_is_behind(&self, pieces: &[Piece]) -> bool {
        let behind = self.figures.last().and_then(|figure| figure.behind);
        behind.is_some_and(|ask| pieces.contains(&Piece::Ask(ask)))
    }

    /// The figure that is read at a block: the last one before it, or the first of all.
    pub(super) fn figure_at(&self, at: u32) -> Option<usize> {
        let before = self.figures.iter().rposition(|figure| figure.at <= at);
        before.or((!self.figures.is_empty()).then_some(0))
    }

    fn pieces(&mut self, scene: &Element, selector: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for element in one(scene, selector).iter().flat_map(|part| all(part, ":scope > *")) {
            if element.has_attribute("data-ask") {
                pieces.push(Piece::Ask(self.asks.len()));
                self.ask(&element);
                continue;
            }
            let html = element.outer_html();
            match pieces.last_mut() {
                Some(Piece::Html(before)) => *before = format!("{before}{html}").into(),
                _ => pieces.push(Piece::Html(html.into())),
            }
        }
        pieces
    }

    fn figure(&mut self, element: &Element, at: u32, behind: Option<usize>) {
        let Some(caption) = one(element, "a") else { return };
        let link = caption.get_attribute("href").unwrap_or_default();
        self.figures.push(Figure { at, link: link.into(), caption: caption.inner_html().into(), behind });
    }

    fn ask(&mut self, element: &Element) {
        let number = self.asks.len();
        let html = |selector: &str| one(element, selector).map_or(String::new(), |found| found.inner_html());
        // A legend holds no paragraphs.
        let asked = html(".ask__asked").replace("<p>", "<span class=\"ask__line\">").replace("</p>", "</span>");
        let answers = if let Some(verdict) = element.get_attribute("data-verdict") {
            let answer = |is: bool| Answer { right: verdict == is.to_string(), ..Answer::default() };
            vec![answer(true), answer(false)]
        } else {
            let answer = |answer: Element| Answer {
                right: answer.has_attribute("data-right"),
                text: one(&answer, "summary").map_or(String::new(), |found| found.inner_html()).into(),
                why: one(&answer, ":scope > div").map_or(String::new(), |found| found.inner_html()).into(),
            };
            all(element, ".ask__answer").map(answer).collect()
        };
        let mut reveal = String::new();
        if let Some(hidden) = one(element, ".ask__reveal") {
            for figure in all(&hidden, "figure") {
                self.figure(&figure, at(element), Some(number));
                figure.remove();
            }
            if let Some(summary) = one(&hidden, "summary") {
                summary.remove();
            }
            hidden.inner_html().trim().clone_into(&mut reveal);
        }
        self.asks.push(Rc::new(Ask {
            number,
            at: at(element),
            kind: element.get_attribute("data-ask").unwrap_or_default(),
            asked: asked.into(),
            source: one(element, ".ask__source").and_then(|found| found.text_content()).unwrap_or_default(),
            answers,
            reveal: reveal.into(),
        }));
    }
}

/// The number of a block.
pub(super) fn at(element: &Element) -> u32 {
    element.get_attribute("data-at").and_then(|at| at.parse().ok()).unwrap_or(0)
}

pub(super) fn one(root: &Element, selector: &str) -> Option<Element> {
    root.query_selector(selector).ok().flatten()
}

pub(super) fn all(root: &Element, selector: &str) -> impl Iterator<Item = Element> + use<> {
    let found = root.query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |i| found.as_ref()?.get(i)?.dyn_into().ok())
}
