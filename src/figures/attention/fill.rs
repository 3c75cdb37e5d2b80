//! The cells of all matrices, and the one scale of their colours.

use super::Model;
use crate::draw::{number, palettes::Palette, raster::Raster};
use crate::figures::attending::Seen;
use crate::state::Cursor;
use crate::words;

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// What comes out of the softmax.
    Weights,
    /// What goes into it, before the temperature.
    Scores,
}

impl Shown {
    /// The values, queries × keys.
    pub(super) fn of(self, seen: &Seen) -> &[f64] {
        match self {
            Self::Weights => &seen.weights,
            Self::Scores => &seen.scores,
        }
    }

    /// What they are.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Weights => words::attention_weights(),
            Self::Scores => words::attention_scores(),
        }
    }
}

/// The matrices of one head.
pub(super) struct Filled {
    /// The head of each panel.
    pub(super) heads: Vec<usize>,
    /// A matrix a panel.
    pub(super) rasters: Vec<Raster>,
    /// Of all.
    pub(super) palette: Palette,
    /// The greatest value, which may be past the end of the colours.
    most: f32,
}

impl Filled {
    /// Of the cursor's head.
    pub(super) fn new(model: &Model, cursor: &Cursor) -> Self {
        let n = model.sentence.count();
        let mut rasters = Vec::new();
        // Of all values, and of the weights of rows with more than half of the keys: where there are few, each has much.
        let (mut low, mut high, mut most) = (0.0_f32, 0.0_f32, 0.0_f32);
        for panel in &model.panels {
            let mut raster = Raster::new(n, n);
            raster.cells_mut().fill(f32::NAN);
            if let Some(seen) = model.seen(panel, cursor) {
                let values = model.shown.of(&seen);
                for (query, row) in raster.cells_mut().chunks_exact_mut(n).enumerate() {
                    let keys = model.sentence.keys(query);
                    for key in keys.clone() {
                        let value = values[query * n + key] as f32;
                        row[key] = value;
                        most = most.max(value);
                        if model.shown == Shown::Scores || 2 * keys.len() > n {
                            (low, high) = (low.min(value), high.max(value));
                        }
                    }
                }
            }
            rasters.push(raster);
        }
        let heads = model.panels.iter().map(|panel| cursor.head.min(panel.mind.heads() - 1)).collect();
        let (low, high) = match model_range(model.shown, low, high) {
            (low, high) if low < high => (low, high),
            _ => (0.0, 1.0),
        };
        Self { heads, rasters, palette: Palette::new(model.palette, low, high), most }
    }

    /// What the ends of the colours stand for.
    pub(super) fn ends(&self) -> (String, String) {
        let (low, high) = (self.palette.low(), self.palette.high());
        let last = number::short(f64::from(high));
        let last = if self.most > high { words::bias_at_least(last) } else { last };
        (number::short(f64::from(low)), last)
    }
}

/// Scores have both signs, and zero in the middle.
fn model_range(shown: Shown, low: f32, high: f32) -> (f32, f32) {
    if shown == Shown::Scores && low < 0.0 {
        let most = high.max(-low);
        return (-most, most);
    }
    (low, high)
}
