//! The words as typed and, below, as they are read, each with the first numbers of its vector and a line to its new
//! place; and two buttons.

use super::order;
use crate::draw::{Surface, palettes::Palette, pen::Align};
use crate::state::Cursor;
use crate::words;

/// Its height with the buttons.
pub(super) const HEIGHT: f64 = 148.0;
/// The middle of the words as typed.
const TYPED: f64 = 12.0;
/// The top of the numbers of the words as typed.
const TYPED_NUMBERS: f64 = 20.0;
/// The height of numbers.
const NUMBERS: f64 = 7.0;
/// The top and the height of the words as they are read.
const READ: (f64, f64) = (62.0, 30.0);
/// The top and the height of the buttons.
const BUTTONS: (f64, f64) = (106.0, 28.0);
/// The width of a button, at the most.
const BUTTON: f64 = 130.0;
/// Between words, and between buttons.
const GAP: f64 = 4.0;
/// The greatest width of a word.
const MOST: f64 = 130.0;

/// What can be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The word that is read there.
    Word(usize),
    /// The button for another order.
    Shuffle,
    /// The button for the text's own order.
    Restore,
}

/// Where the words and buttons stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Strip {
    count: usize,
    cell: f64,
    button: f64,
}

impl Strip {
    /// So many words on a width.
    pub(super) fn new(count: usize, width: f64) -> Self {
        let cell = (width / count.max(1) as f64).clamp(1.0, MOST);
        Self { count, cell, button: BUTTON.min(width / 2.0 - GAP).max(1.0) }
    }

    /// The place of a word at a place of the canvas, or the nearest.
    pub(super) fn place(&self, x: f64) -> usize {
        ((x / self.cell).floor().max(0.0) as usize).min(self.count.saturating_sub(1))
    }

    /// What can be pressed at a place.
    pub(super) fn at(&self, x: f64, y: f64) -> Option<Place> {
        if x < 0.0 {
            return None;
        }
        if (READ.0..READ.0 + READ.1).contains(&y) {
            return (x < self.cell * self.count as f64).then(|| Place::Word(self.place(x)));
        }
        if (BUTTONS.0..BUTTONS.0 + BUTTONS.1).contains(&y) {
            return match (x / (self.button + GAP)).floor() {
                0.0 => Some(Place::Shuffle),
                1.0 => Some(Place::Restore),
                _ => None,
            };
        }
        None
    }

    /// Draws all; `inputs` are the words' first numbers.
    pub(super) fn draw(
        &self,
        on: &Surface,
        (text, inputs): (&[String], &[Vec<f64>]),
        order: &[usize],
        palette: &Palette,
        cursor: &Cursor,
    ) {
        let wide = (self.cell - GAP - 8.0).max(1.0);
        let middle = |place: usize| (place as f64 + 0.5) * self.cell;
        let here = cursor.position.floor();
        on.font(12.0);
        for (place, word) in text.iter().enumerate() {
            on.text(&on.fitted(word, self.cell - GAP), middle(place), TYPED, Align::Centre, &on.ink.muted);
            numbers(on, palette, (middle(place) - wide / 2.0, TYPED_NUMBERS, wide, NUMBERS), &inputs[place]);
        }
        for (place, from) in order.iter().enumerate() {
            let current = place as f64 == here;
            let colour = if current { &on.ink.accent } else { &on.ink.muted };
            let stroke = if current { 2.0 } else { 1.0 };
            on.line((middle(*from), TYPED_NUMBERS + NUMBERS + 1.0), (middle(place), READ.0 - 2.0), colour, stroke);
            let rect = (place as f64 * self.cell + GAP / 2.0, READ.0, self.cell - GAP, READ.1);
            on.outline(rect, colour, stroke);
            let ink = if current { &on.ink.accent } else { &on.ink.ink };
            let word = on.fitted(&text[*from], self.cell - GAP - 6.0);
            on.text(&word, middle(place), READ.0 + 11.0, Align::Centre, ink);
            let top = READ.0 + READ.1 - NUMBERS - 3.0;
            numbers(on, palette, (middle(place) - wide / 2.0, top, wide, NUMBERS), &inputs[*from]);
        }
        for (i, label) in [words::shuffle_button(), words::shuffle_restore()].into_iter().enumerate() {
            let x = i as f64 * (self.button + GAP);
            let idle = i == 1 && order::is_identity(order);
            let ink = if idle { &on.ink.muted } else { &on.ink.ink };
            on.outline((x + 0.5, BUTTONS.0 + 0.5, self.button - 1.0, BUTTONS.1 - 1.0), ink, 1.0);
            let text = on.fitted(label, self.button - 8.0);
            on.text(&text, x + self.button / 2.0, BUTTONS.0 + BUTTONS.1 / 2.0, Align::Centre, ink);
        }
    }
}

/// Numbers side by side, as colours.
pub(super) fn numbers(on: &Surface, palette: &Palette, (x, y, width, height): (f64, f64, f64, f64), values: &[f64]) {
    let wide = width / values.len().max(1) as f64;
    for (i, value) in values.iter().enumerate() {
        let [r, g, b, _] = palette.colour(*value as f32);
        on.fill((x + i as f64 * wide, y, wide, height), &format!("rgb({r} {g} {b})"));
    }
}
