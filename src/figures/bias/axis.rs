//! The axis of offsets below the views.

use super::ruler::Ruler;
use crate::draw::{Surface, number, pen::Align};
use crate::words;

/// Left of the plots: numbers.
pub(super) const LEFT: f64 = 54.0;
/// Right of the plots.
pub(super) const RIGHT: f64 = 14.0;
/// Below the last plot: offsets.
pub(super) const BELOW: f64 = 40.0;

/// Where offsets stand on a canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Across {
    /// The left edge.
    pub(super) left: f64,
    /// The width, above zero.
    pub(super) width: f64,
}

impl Across {
    /// On a canvas of this width.
    pub(super) fn new(width: f64) -> Self {
        let left = f64::min(LEFT, (width * 0.3).floor());
        Self { left, width: (width - left - RIGHT).floor().max(1.0) }
    }

    /// The left and right edge of an offset's cell.
    pub(super) fn cell(&self, ruler: &Ruler, offset: i64) -> (f64, f64) {
        let at = |edge: i64| self.left + ruler.share(edge as f64) * self.width;
        (at(offset), at(offset + 1))
    }

    /// The middle of an offset's cell.
    pub(super) fn middle(&self, ruler: &Ruler, offset: i64) -> f64 {
        let (from, to) = self.cell(ruler, offset);
        f64::midpoint(from, to)
    }

    /// The offset at a place.
    pub(super) fn offset(&self, ruler: &Ruler, x: f64) -> i64 {
        ruler.offset((x - self.left) / self.width)
    }

    /// Draws the numbers below `y`, with that of the cursor's offset, and what they are.
    pub(super) fn draw(&self, on: &Surface, ruler: &Ruler, y: f64, offset: i64) {
        on.font(11.0);
        let place = |text: &str, offset: i64| {
            let half = on.text_width(text) / 2.0;
            self.middle(ruler, offset).min(on.width - 2.0 - half).max(half)
        };
        let here = (ruler.low()..=ruler.high()).contains(&offset).then(|| {
            let text = number::whole(offset);
            (place(&text, offset), on.text_width(&text), text)
        });
        let room = if ruler.high() >= 1_000_000 { 84.0 } else { 58.0 };
        for tick in ruler.ticks(room / self.width) {
            let text = number::whole(tick);
            let (x, width) = (place(&text, tick), on.text_width(&text));
            let mark = on.crisp(self.middle(ruler, tick));
            on.line((mark, y), (mark, y + 4.0), &on.ink.muted, 1.0 / on.dpr);
            if here.as_ref().is_none_or(|(at, wide, _)| (x - at).abs() > (width + wide) / 2.0 + 6.0) {
                on.text(&text, x, y + 13.0, Align::Centre, &on.ink.muted);
            }
        }
        if let Some((x, _, text)) = here {
            on.text(&text, x, y + 13.0, Align::Centre, &on.ink.accent);
        }
        let title = on.fitted(words::offset_axis(), on.width - 8.0);
        on.text(&title, self.left + self.width / 2.0, y + 30.0, Align::Centre, &on.ink.muted);
    }
}
