//! What leaves the page: a link, an embedded figure, a picture, the numbers behind it, code that computes them.
//!
//! All of it is made from a [`State`] alone, when it is asked for. Texts, tables and code are tested without a browser.

pub mod choices;
mod clipboard;
pub mod code;
pub mod data;
mod dialog;
mod embed;
mod export;
mod height;
mod legend;
mod options;
mod picture;
mod place;
mod program;
pub mod qr;
mod save;
pub mod snippet;

pub use dialog::{Dialog, DialogProps};

use crate::figures::{Figure, FigureSpec, Legend};
use crate::state::{Page, State};
use crate::words;

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod links_tests;

/// What somebody wants to share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// The figure alone, or everything on the page.
    pub figure: Option<&'static FigureSpec>,
    /// What the figure stands in, where that is not the page's own state: a lesson's figure has its own.
    pub state: Option<Box<State>>,
}

impl Shared {
    /// What is shared of a page in this state: all of it, or a board with the one figure.
    pub fn of(&self, page: &State) -> State {
        let mut state = self.state.as_deref().unwrap_or(page).clone();
        if let Some(figure) = self.figure {
            state.figures = vec![figure];
            state.page = Page::Explore;
        }
        state
    }
}

/// What is shown, in words: the titles of the figures and the names of the schemes.
pub fn name(state: &State) -> String {
    let figures: Vec<String> = state.figures.iter().map(|figure| words::figure_title(figure.id)).collect();
    let mut schemes: Vec<String> = Vec::new();
    for config in &state.schemes {
        let name = words::scheme_name(config.spec.id);
        if !schemes.contains(&name) {
            schemes.push(name);
        }
    }
    words::share_name(figures.join(", "), schemes.join(", "))
}

/// What a figure remarks: what is synthetic, sampled, left out.
fn notes(figure: &dyn Figure) -> Vec<String> {
    let note = |entry| if let Legend::Note(note) = entry { Some(note) } else { None };
    figure.legend().into_iter().filter_map(note).collect()
}

/// The name of a file: of a figure, and of the schemes in it.
pub fn file(state: &State, figure: Option<&FigureSpec>, extension: &str) -> String {
    let ids = figure.map(|figure| figure.id).into_iter().chain(state.schemes.iter().map(|config| config.spec.id));
    format!("placewise-{}.{extension}", ids.collect::<Vec<_>>().join("-"))
}
