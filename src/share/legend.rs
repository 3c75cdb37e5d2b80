//! A legend drawn below a figure, as the page shows it beside.

use crate::draw::Surface;
use crate::draw::charts::{self, Item};
use crate::draw::pen::{Align, DASHES};
use crate::figures::Legend;

/// The font's size, in CSS pixels.
const FONT: f64 = 12.0;
/// Between two entries, in CSS pixels.
const GAP: f64 = 24.0;
/// A row of slots and notes, and one with a colour map, in CSS pixels.
const ROW: f64 = 22.0;
const SCALE_ROW: f64 = 44.0;
/// A slot's line, and a colour map, in CSS pixels.
const LINE: f64 = 24.0;
const BAR: f64 = 176.0;

/// An entry and where its row is.
struct Placed<'a> {
    entry: &'a Legend,
    x: f64,
    y: f64,
    /// Lines of a note.
    lines: Vec<String>,
}

/// Entries in rows, and how high they are together.
fn lay<'a>(on: &Surface, entries: &'a [Legend], width: f64) -> (Vec<Placed<'a>>, f64) {
    on.font(FONT);
    let (mut x, mut y, mut row) = (0.0, 8.0, 0.0_f64);
    let mut placed = Vec::new();
    for entry in entries {
        let (wide, high, lines) = match entry {
            Legend::Scale { label, .. } => (on.text_width(label) + 12.0 + BAR + 16.0, SCALE_ROW, Vec::new()),
            Legend::Slot { label, .. } => (LINE + 8.0 + on.text_width(label), ROW, Vec::new()),
            Legend::Note(note) => {
                let lines = broken(on, note, width);
                let wide = lines.iter().map(|line| on.text_width(line)).fold(0.0, f64::max);
                (wide, ROW * lines.len() as f64, lines)
            }
        };
        if x > 0.0 && x + wide > width {
            (x, y, row) = (0.0, y + row, 0.0);
        }
        placed.push(Placed { entry, x, y, lines });
        x += wide + GAP;
        row = row.max(high);
    }
    let height = if entries.is_empty() { 0.0 } else { y + row };
    (placed, height)
}

/// A text in lines that fit.
fn broken(on: &Surface, text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if on.text_width(&format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How high the legend is at a width, in CSS pixels.
pub(super) fn height(on: &Surface, entries: &[Legend], width: f64) -> f64 {
    lay(on, entries, width).1
}

/// Draws it, with its upper left corner at a place.
pub(super) fn draw(on: &Surface, entries: &[Legend], (left, top): (f64, f64), width: f64) {
    let mut lines = Vec::new();
    for Placed { entry, x, y, lines: text } in lay(on, entries, width).0 {
        let (x, y) = (left + x, top + y + ROW / 2.0);
        match entry {
            Legend::Scale { label, stops, ticks } => scale(on, (x, y), label, stops, ticks),
            Legend::Slot { slot, label } => {
                lines.push(Item::Line {
                    points: vec![(x, y), (x + LINE, y)],
                    width: 2.0,
                    colour: on.ink.slots[slot % on.ink.slots.len()].clone(),
                    dash: DASHES[slot % DASHES.len()],
                });
                on.text(label, x + LINE + 8.0, y, Align::Left, &on.ink.ink);
            }
            Legend::Note(_) => {
                for (i, line) in text.iter().enumerate() {
                    on.text(line, x, y + ROW * i as f64, Align::Left, &on.ink.muted);
                }
            }
        }
    }
    charts::on_canvas(on, &lines);
}

fn scale(on: &Surface, (x, y): (f64, f64), label: &str, stops: &[String], ticks: &[(f64, String)]) {
    const HIGH: f64 = 12.0;
    const SLICES: usize = 88;
    on.text(label, x, y, Align::Left, &on.ink.muted);
    let left = x + on.text_width(label) + 12.0;
    let wide = BAR / SLICES as f64;
    for i in 0..SLICES {
        let colour = between(stops, i as f64 / (SLICES - 1) as f64);
        // A little over the next: no seam shows between two.
        on.fill((left + i as f64 * wide, y - HIGH / 2.0, wide + if i + 1 < SLICES { 0.5 } else { 0.0 }, HIGH), &colour);
    }
    for (at, text) in ticks {
        let align = if *at < 0.05 {
            Align::Left
        } else if *at > 0.95 {
            Align::Right
        } else {
            Align::Centre
        };
        on.text(text, left + at.clamp(0.0, 1.0) * BAR, y + HIGH + 6.0, align, &on.ink.muted);
    }
}

/// The colour at a share of the way along evenly spaced stops.
fn between(stops: &[String], share: f64) -> String {
    let Some(last) = stops.len().checked_sub(1) else { return String::new() };
    let place = share * last as f64;
    let at = (place.floor() as usize).min(last);
    let (a, b) = (crate::draw::css_rgb(&stops[at]), crate::draw::css_rgb(&stops[(at + 1).min(last)]));
    let rest = place - at as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * rest).round() as u8;
    format!("rgb({}, {}, {})", mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn colours_between_the_stops() {
        let stops = ["#000000", "#ff0000", "#ffff00"].map(str::to_owned);
        assert_eq!(between(&stops, 0.0), "rgb(0, 0, 0)");
        assert_eq!(between(&stops, 0.25), "rgb(128, 0, 0)");
        assert_eq!(between(&stops, 0.5), "rgb(255, 0, 0)");
        assert_eq!(between(&stops, 1.0), "rgb(255, 255, 0)");
        assert_eq!(between(&[], 0.5), "");
    }
}
