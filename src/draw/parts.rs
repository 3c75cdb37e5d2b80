//! A canvas in parts that lie beside one another: those that would look as they did are left as they are. A step of one
//! scheme's slider then costs what is that scheme's.

use super::{Ink, Surface};

/// A part of a canvas: its rectangle in CSS pixels (left, top, width, height), and all that its look follows from, the
/// page's colours and the canvas's size apart.
pub(super) type Part = ((f64, f64, f64, f64), String);

/// What was drawn last on a canvas.
#[derive(Debug, Default)]
pub struct Painted {
    /// Size in device pixels and colours.
    look: Option<(u32, u32, Ink)>,
    /// Each part, and what its look follows from.
    parts: Vec<Part>,
}

impl Surface {
    /// Forgets what was drawn and clears everything.
    pub fn clear(&self) {
        *self.painted.borrow_mut() = Painted::default();
        self.context.clear_rect(0.0, 0.0, self.width, self.height);
    }

    /// Draws the parts that changed. Together they are all that is on the canvas.
    pub fn parts(&self, parts: Vec<Part>, mut draw: impl FnMut(usize)) {
        #[cfg(feature = "full")]
        if self.sheet.is_some() {
            return (0..parts.len()).for_each(draw);
        }
        let look = (self.canvas.width(), self.canvas.height(), self.ink.clone());
        let mut last = self.painted.take();
        let places =
            |parts: &[Part], others: &[Part]| parts.iter().map(|part| part.0).eq(others.iter().map(|part| part.0));
        if last.look.as_ref() != Some(&look) || !places(&last.parts, &parts) {
            self.context.clear_rect(0.0, 0.0, self.width, self.height);
            last.parts.clear();
        }
        // Whole device pixels: what is cleared and what stays share none.
        let snap = |place: f64| (place * self.dpr).round() / self.dpr;
        for (i, (rect, key)) in parts.iter().enumerate() {
            if last.parts.get(i).is_some_and(|(_, drawn)| drawn == key) {
                continue;
            }
            let (left, top) = (snap(rect.0), snap(rect.1));
            let (right, bottom) = (snap(rect.0 + rect.2), snap(rect.1 + rect.3));
            self.context.clear_rect(left, top, right - left, bottom - top);
            draw(i);
        }
        *self.painted.borrow_mut() = Painted { look: Some(look), parts };
    }
}
