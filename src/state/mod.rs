//! Everything that a person sets, and how it changes. Nothing here knows the page: it is tested without a browser.
//!
//! link → [`State`] → a figure's model → pixels; an event becomes an [`Action`], and [`App::apply`] makes the next
//! state of it. Hover and playback are not state: see `crate::ui::passing`.

mod cursor;
mod edit;
mod globals;
mod history;
#[cfg(feature = "full")]
pub mod lesson;
pub mod link;
mod say;

pub use cursor::{Cursor, CursorPatch};
pub use edit::{Edit, Target};
pub use globals::GLOBALS;
pub use history::{Action, App, Gesture, Wanted, new_gesture};
pub use say::say;

use crate::figures::{self, FigureSpec};
use crate::schemes::WHOLE;
use crate::tables;
use crate::words;
use posenc::{Config, Encoding, Error, Settings};
use std::rc::Rc;

/// Most schemes that are compared.
pub const MOST_SCHEMES: usize = 4;
/// Most figures on the board.
pub const MOST_FIGURES: usize = 4;
/// Longest sequence, in tokens.
pub const MOST_LENGTH: i64 = 10_000_000;
/// Longest text, in characters.
pub const MOST_TEXT: usize = 4000;
/// Longest text that is looked for, in characters.
#[cfg(feature = "full")]
pub const MOST_FIND: usize = 100;

/// Which page is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// The first screen.
    Home,
    /// The board of figures with all controls.
    Explore,
    /// A lesson, or the list of them.
    Learn(Place),
    /// Figures alone, for another page's frame.
    Embed,
    /// What this is.
    About,
}

/// A place in a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The lesson's name; empty is the list of all.
    pub name: String,
    /// The block of it that is read, counted from 1; 0 is before the first.
    pub at: u32,
    /// What was changed in the figure of this place: the pairs of a link.
    pub changed: String,
}

impl Place {
    /// The beginning of a lesson.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Which controls are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Controls {
    /// Those of the page.
    All,
    /// Only those with these keys; none where empty.
    Only(Vec<String>),
}

/// What a link holds: everything that a person sets, always legal.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The page.
    pub page: Page,
    /// Figures on the board, in order, one to [`MOST_FIGURES`], each once.
    pub figures: Vec<&'static FigureSpec>,
    /// Schemes, one to [`MOST_SCHEMES`]; a slot is a place in this list.
    pub schemes: Vec<Config>,
    /// Length, cursor, seed, theme …: see [`GLOBALS`].
    pub globals: Settings,
    /// The options of every figure, in the order of [`figures::registry`], on the board or not.
    pub options: Vec<Settings>,
    /// The text whose words label the positions; `None` is the catalogue's.
    pub text: Option<String>,
    /// Which controls are shown.
    pub controls: Controls,
    /// What is looked for on the page of questions.
    #[cfg(feature = "full")]
    pub find: String,
}

impl Default for State {
    fn default() -> Self {
        Self {
            page: Page::Home,
            figures: figures::first_screen(),
            schemes: vec![Config::new(&posenc::schemes::sinusoidal::SPEC)],
            globals: Settings::new(GLOBALS),
            options: figures::registry().iter().map(|figure| Settings::new(figure.options)).collect(),
            text: None,
            controls: Controls::All,
            #[cfg(feature = "full")]
            find: String::new(),
        }
    }
}

impl State {
    /// All that is set here, on the page of another state.
    #[must_use]
    pub fn on_page_of(&self, other: &Self) -> Self {
        Self {
            page: other.page.clone(),
            #[cfg(feature = "full")]
            find: other.find.clone(),
            ..self.clone()
        }
    }

    /// The words that label the positions.
    pub fn words(&self) -> Rc<[String]> {
        let text = self.text.as_deref().unwrap_or_else(|| words::default_text());
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// Tokens in the sequence: 1 to [`MOST_LENGTH`].
    pub fn length(&self) -> u64 {
        self.globals.integer("length").max(1) as u64
    }

    /// The shared cursor as set, within the sequence.
    pub fn cursor(&self) -> Cursor {
        let last = self.length() - 1;
        Cursor {
            position: self.globals.real("position").clamp(0.0, last as f64),
            offset: self.globals.integer("offset").clamp(-(last as i64), last as i64),
            plane: self.globals.integer("plane").max(0) as usize,
            head: self.globals.integer("head").max(0) as usize,
            #[cfg(feature = "full")]
            length: None,
        }
    }

    /// The largest of a number of the schemes on screen; 0 where none has any.
    fn most(&self, of: fn(&Result<Encoding, Error>) -> usize) -> usize {
        let length = self.length() as f64;
        self.schemes.iter().map(|config| of(&tables::encoding(config, length))).max().unwrap_or(0)
    }

    /// Rotated planes of the scheme that has most; 0 where none has any.
    pub fn planes(&self) -> usize {
        self.most(|encoding| match encoding {
            Ok(Encoding::Rotary(rotary)) => rotary.inv_freq().len(),
            Ok(Encoding::QueryKey(both)) if WHOLE.is_some() => {
                both.rotary().map_or(0, |rotary| rotary.inv_freq().len())
            }
            Ok(Encoding::Absolute(table)) => {
                table.waves().map_or_else(|| table.width().div_ceil(2), |waves| waves.freq().len())
            }
            // Two columns count as a plane.
            Err(Error::NeedsData(asset)) => asset.columns.div_ceil(2),
            _ => 0,
        })
    }

    /// Dimensions of the widest table or rotation; 0 where no scheme has one.
    pub fn width(&self) -> usize {
        self.most(|encoding| match encoding {
            Ok(Encoding::Rotary(rotary)) => rotary.head_dim(),
            Ok(Encoding::Absolute(table)) => table.width(),
            Err(Error::NeedsData(asset)) => asset.columns,
            _ => 0,
        })
    }

    /// Heads of the scheme that has most; 0 where none has any.
    pub fn heads(&self) -> usize {
        self.most(|encoding| match encoding {
            Ok(Encoding::Bias(bias)) => bias.heads(),
            _ => 0,
        })
    }

    /// Brings what depends on something else into its bounds: the cursor into the sequence, the plane among the
    /// planes, the head among the heads, what a figure shows into what there is. Keys that changed come back with their
    /// new values.
    pub fn settle(&mut self) -> Vec<(String, String)> {
        let mut changed = self.settle_cursor();
        for (key, count) in [("plane", self.planes()), ("head", self.heads())] {
            // Where no scheme has any, none is drawn, and the number is kept for the next scheme.
            if count > 0 && self.globals.integer(key) >= count as i64 {
                let last = (count - 1).to_string();
                let _ = self.globals.set(key, &last);
                changed.push((key.to_owned(), last));
            }
        }
        changed.extend(self.settle_options());
        changed
    }

    /// [`settle`](Self::settle) for the figures' options alone: as `<figure>.<key>`.
    fn settle_options(&mut self) -> Vec<(String, String)> {
        let mut changed = Vec::new();
        for (index, figure) in figures::registry().iter().enumerate() {
            let mut settled = self.options[index].clone();
            (figure.settle)(self, &mut settled);
            let pairs = settled.iter().zip(self.options[index].iter());
            let moved = pairs.filter(|((_, now), (_, before))| now != before);
            changed.extend(moved.map(|((spec, now), _)| (format!("{}.{}", figure.id, spec.key), now.to_string())));
            self.options[index] = settled;
        }
        changed
    }

    /// [`settle`](Self::settle) without what needs the schemes built.
    fn settle_cursor(&mut self) -> Vec<(String, String)> {
        let cursor = self.cursor();
        let mut changed = Vec::new();
        for (key, same, value) in [
            ("position", cursor.position == self.globals.real("position"), cursor.position.to_string()),
            ("offset", cursor.offset == self.globals.integer("offset"), cursor.offset.to_string()),
        ] {
            if !same {
                let _ = self.globals.set(key, &value);
                changed.push((key.to_owned(), value));
            }
        }
        changed
    }

    /// The options of a figure.
    pub fn options(&self, figure: &FigureSpec) -> &Settings {
        let index = figures::registry().iter().position(|other| other.id == figure.id).unwrap_or(0);
        &self.options[index]
    }
}
