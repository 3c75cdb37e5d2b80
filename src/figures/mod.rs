//! One file a figure. A figure is a pure model of (schemes, shared cursor, its own options) that can be drawn to a
//! canvas, described in one sentence, listed as a table, and that answers pointer and keys.
//!
//! [`FigureSpec::make`] does the heavy part once for a [`Scene`] and a size; what depends on the cursor alone is cheap
//! and happens at every hover. Only [`Figure::draw`] touches the browser: everything else is tested without one.

use crate::draw::Surface;
use crate::schemes::WHOLE;
use crate::state::{Cursor, CursorPatch, Edit, State};
use posenc::{Config, Encoding, Error, ParamSpec, SchemeSpec, Settings};
use std::rc::Rc;

#[cfg(feature = "full")]
mod attending;
#[cfg(feature = "full")]
pub mod attention;
#[cfg(feature = "full")]
pub mod bias;
mod common;
pub(crate) use common::instead;
#[cfg(feature = "full")]
pub mod cost;
#[cfg(feature = "full")]
pub mod embedding;
pub mod heatmap;
#[cfg(feature = "full")]
pub mod layout;
#[cfg(feature = "full")]
mod lettered;
mod logits;
pub mod offset;
#[cfg(feature = "full")]
pub mod patches;
#[cfg(feature = "full")]
pub mod precision;
#[cfg(test)]
mod registry_tests;
#[cfg(feature = "full")]
pub mod rotation;
#[cfg(feature = "full")]
pub mod shift;
#[cfg(feature = "full")]
pub mod shuffle;
#[cfg(feature = "full")]
pub mod similarity;
#[cfg(feature = "full")]
pub mod spectrum;
#[cfg(feature = "full")]
mod square;
#[cfg(feature = "full")]
pub mod table;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod testing;

/// The ids of all figures, in the order in which they are offered; another module may have to be fetched for one.
pub static IDS: [&str; 15] = [
    "heatmap",
    "similarity",
    "offset",
    "rotation",
    "spectrum",
    "shift",
    "bias",
    "attention",
    "shuffle",
    "cost",
    "patches",
    "embedding",
    "layout",
    "precision",
    "table",
];

/// Those that show words in a row, and have no place for the patches of an image.
const IN_A_ROW: [&str; 11] = [
    "heatmap",
    "similarity",
    "offset",
    "rotation",
    "spectrum",
    "embedding",
    "attention",
    "shuffle",
    "layout",
    "precision",
    "table",
];

/// Those of the first screen, and of the module of the first load.
const FIRST: [&FigureSpec; 2] = [&heatmap::SPEC, &offset::SPEC];

#[cfg(feature = "full")]
static REGISTRY: [&FigureSpec; IDS.len()] = [
    &heatmap::SPEC,
    &similarity::SPEC,
    &offset::SPEC,
    &rotation::SPEC,
    &spectrum::SPEC,
    &shift::SPEC,
    &bias::SPEC,
    &attention::SPEC,
    &shuffle::SPEC,
    &cost::SPEC,
    &patches::SPEC,
    &embedding::SPEC,
    &layout::SPEC,
    &precision::SPEC,
    &table::SPEC,
];
#[cfg(not(feature = "full"))]
static REGISTRY: [&FigureSpec; FIRST.len()] = FIRST;

/// Every figure of this module, in the order in which they are offered.
pub fn registry() -> &'static [&'static FigureSpec] {
    &REGISTRY
}

/// The figure with this id.
pub fn find(id: &str) -> Option<&'static FigureSpec> {
    registry().iter().find(|spec| spec.id == id).copied()
}

/// Forgets what was computed of schemes: a table was replaced by another.
#[cfg(feature = "full")]
pub(crate) fn forget() {
    heatmap::forget();
    offset::forget();
    similarity::forget();
}

/// The figures of the first screen.
pub fn first_screen() -> Vec<&'static FigureSpec> {
    FIRST.to_vec()
}

/// What is said of a figure.
#[derive(Debug)]
pub struct FigureSpec {
    /// Its id in links.
    pub id: &'static str,
    /// Its options: in links as `<id>.<key>`.
    pub options: &'static [ParamSpec],
    /// Whether it can show a scheme.
    pub suits: fn(&SchemeSpec) -> bool,
    /// Brings options that mean something only up to the length, the width or the planes of what is shown into these
    /// bounds.
    pub settle: fn(&State, &mut Settings),
    /// Its height in CSS pixels for a width and a scene.
    pub height: fn(&Scene, f64) -> f64,
    /// Whether it moves when the position plays.
    pub plays: bool,
    /// Makes the model.
    pub make: fn(&Scene, Size) -> Box<dyn Figure>,
}

impl FigureSpec {
    /// Whether it moves when the position plays. None of the first module's does: what playing takes is left out there.
    pub fn plays(&self) -> bool {
        WHOLE.is_some() && self.plays
    }

    /// Whether it can show what is in a slot.
    pub fn shows(&self, slot: &Slot) -> bool {
        (self.suits)(slot.config.spec) && !(common::is_image(slot) && IN_A_ROW.contains(&self.id))
    }

    /// Its height in CSS pixels for a width and a scene: little where it can only say why it shows nothing.
    pub fn height(&self, scene: &Scene, width: f64) -> f64 {
        if common::is_drawn(scene) { (self.height)(scene, width) } else { common::message_height(scene, width) }
    }
}

impl PartialEq for FigureSpec {
    /// Figures are told apart by their ids.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A scheme on screen.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its place in the list of schemes: the number of its colour and dash.
    pub index: usize,
    /// The scheme with its parameters.
    pub config: Config,
    /// What it computes, or why it cannot.
    pub encoding: Rc<Result<Encoding, Error>>,
}

impl PartialEq for Slot {
    /// The encoding follows from the config, once its weights are here; one's own may be replaced by others.
    fn eq(&self, other: &Self) -> bool {
        let known = |slot: &Self| slot.encoding.is_ok();
        #[cfg(feature = "full")]
        if self.config.drawn() == posenc::Drawn::Weights && !Rc::ptr_eq(&self.encoding, &other.encoding) {
            return false;
        }
        self.index == other.index && self.config == other.config && known(self) == known(other)
    }
}

/// What a figure shows, the cursor apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The schemes that suit the figure; perhaps none.
    pub slots: Vec<Slot>,
    /// The schemes on screen that do not suit it: it says why.
    pub others: Vec<Slot>,
    /// Tokens in the sequence, at least 1.
    pub length: u64,
    /// The words of the text, by position; shorter than the sequence, or longer.
    pub words: Rc<[String]>,
    /// For what is random.
    pub seed: u64,
    /// The figure's options.
    pub options: Settings,
    /// The palette of [`crate::state::GLOBALS`].
    pub palette: &'static str,
    /// Whether all words are here: what a figure says and labels is made again when they come.
    pub said: bool,
    /// The table that a person brought: what shows it is made again when it is another.
    #[cfg(feature = "full")]
    pub own: Option<Rc<crate::brought::About>>,
}

/// A canvas's size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub dpr: f64,
}

/// A figure of one scene at one size.
pub trait Figure {
    /// Draws everything, the cursor included.
    fn draw(&self, on: &Surface, cursor: &Cursor);

    /// Does a slice of about 4 ms of what was put off (exact ranges after sampled ones); whether there is more.
    fn refine(&self) -> bool {
        false
    }

    /// A request to the `lab` module (its text form), where the figure needs one. It is asked for again after each
    /// answer: of several requests they come one after another.
    fn lab_request(&self) -> Option<String> {
        None
    }

    /// Numbers that the request is about.
    #[cfg(feature = "full")]
    fn lab_values(&self) -> Option<Rc<[f32]>> {
        None
    }

    /// What stands on the button that a person presses before anything is asked of the lab; none where it is asked by
    /// itself.
    #[cfg(feature = "full")]
    fn lab_offer(&self) -> Option<&'static str> {
        None
    }

    /// It was pressed: what was answered before is asked anew.
    #[cfg(feature = "full")]
    fn lab_begin(&self) {}

    /// The answer to [`lab_request`](Self::lab_request).
    fn lab_answer(&self, arrays: &[Vec<f32>]) {
        let _ = arrays;
    }

    /// One sentence: what is seen at the cursor.
    fn summary(&self, cursor: &Cursor) -> String;

    /// The exact value at the cursor, and the formula with its numbers, one a scheme.
    fn readings(&self, cursor: &Cursor) -> Vec<Reading>;

    /// What colours, dashes and hands mean.
    fn legend(&self) -> Vec<Legend>;

    /// The numbers around the cursor, at most 1,000 cells; page 0 has the cursor, others follow and precede it.
    fn table(&self, cursor: &Cursor, page: i64) -> Table;

    /// What a pointer or key does.
    fn respond(&self, input: &Input, cursor: &Cursor) -> Response;
}

/// A value at the cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The slot that it is of; `None` where it is of the figure.
    pub slot: Option<usize>,
    /// What the value is, in words.
    pub label: String,
    /// The value.
    pub value: String,
    /// The formula with its numbers, as MathML.
    pub math: String,
}

/// One entry of a legend.
#[derive(Debug, Clone, PartialEq)]
pub enum Legend {
    /// A colour map with its ends and, where it has one, its middle.
    Scale {
        /// The slot or quantity that it is of.
        label: String,
        /// CSS colours from the low end to the high end, evenly spaced.
        stops: Vec<String>,
        /// What they stand for: text at 0 (low end) to 1.
        ticks: Vec<(f64, String)>,
    },
    /// A line or marker of a slot's colour and dash.
    Slot {
        /// Its number.
        slot: usize,
        /// What it shows.
        label: String,
    },
    /// A remark: "mean of 16 positions", "sampled so far".
    Note(String),
}

impl Legend {
    /// Whether it shows what another one shows, words apart.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scale { stops, ticks, .. }, Self::Scale { stops: others, ticks: theirs, .. }) => {
                stops == others && ticks == theirs
            }
            (Self::Slot { slot, .. }, Self::Slot { slot: theirs, .. }) => slot == theirs,
            (Self::Note(_), Self::Note(_)) => true,
            _ => false,
        }
    }
}

/// A page of a data table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What it lists.
    pub caption: String,
    /// Column heads.
    pub head: Vec<String>,
    /// Rows; the first cell heads the row.
    pub rows: Vec<Vec<String>>,
    /// Whether there is a page before.
    pub before: bool,
    /// Whether there is a page after.
    pub after: bool,
}

/// What a person does with a figure. Places are in CSS pixels from its top left corner.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The pointer rests or moves, no button down.
    Hover {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
    },
    /// The pointer went down.
    Press {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
        /// Shift is held.
        shift: bool,
    },
    /// The pointer moves, pressed.
    Drag {
        /// Where it went down, to the right.
        from_x: f64,
        /// Where it went down, down.
        from_y: f64,
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
        /// Shift is held.
        shift: bool,
    },
    /// The wheel turned with Ctrl held, or two fingers spread: zoom about a place.
    Zoom {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
        /// Above 1 is closer.
        factor: f64,
    },
    /// A key, by its `KeyboardEvent.key`.
    Key {
        /// Its name.
        key: String,
        /// Shift is held.
        shift: bool,
    },
}

/// What follows from an input.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Response {
    /// Shown while the pointer rests there; it is not state.
    pub hover: Option<CursorPatch>,
    /// Changes of the state: one undo step a gesture.
    pub edits: Vec<Edit>,
    /// Whether the input was meant for the figure (the page then does not scroll by it).
    pub used: bool,
}
