//! A canvas in parts that lie beside one another: those that would look as they did are left as they are. A step of one
//! scheme's slider then costs what is that scheme's, and no axis is written again.

use super::Surface;

/// A rectangle in CSS pixels: left, top, width, height.
type Rect = (f64, f64, f64, f64);

/// A part that was drawn: where, and what its look followed from.
pub(super) type Drawn = (Rect, String);

/// A part of a canvas.
pub struct Part<'a> {
    /// Nothing of it is drawn outside.
    pub rect: Rect,
    /// All that its look follows from, the page's colours and the canvas's size apart.
    pub key: String,
    /// Draws it.
    pub draw: Box<dyn Fn() + 'a>,
}

impl<'a> Part<'a> {
    /// A part between two corners: left, top, right, bottom.
    pub fn between((left, top, right, bottom): Rect, key: String, draw: impl Fn() + 'a) -> Self {
        Self { rect: (left, top, right - left, bottom - top), key, draw: Box::new(draw) }
    }
}

impl Surface {
    /// Forgets what was drawn and clears everything.
    pub fn clear(&self) {
        self.told.parts.take();
        self.context.clear_rect(0.0, 0.0, self.width, self.height);
    }

    /// Draws the parts that changed. Together they are all that is on the canvas.
    pub fn parts(&self, parts: Vec<Part<'_>>) {
        #[cfg(feature = "full")]
        if self.sheet.is_some() {
            return parts.iter().for_each(|part| (part.draw)());
        }
        let mut last = self.told.parts.take();
        if !last.iter().map(|part| part.0).eq(parts.iter().map(|part| part.rect)) {
            self.context.clear_rect(0.0, 0.0, self.width, self.height);
            last.clear();
        }
        // Whole device pixels: what is cleared and what stays share none.
        let snap = |place: f64| (place * self.dpr).round() / self.dpr;
        for (i, part) in parts.iter().enumerate() {
            if last.get(i).is_some_and(|(_, drawn)| *drawn == part.key) {
                continue;
            }
            let (left, top) = (snap(part.rect.0), snap(part.rect.1));
            let (right, bottom) = (snap(part.rect.0 + part.rect.2), snap(part.rect.1 + part.rect.3));
            self.context.clear_rect(left, top, right - left, bottom - top);
            (part.draw)();
        }
        *self.told.parts.borrow_mut() = parts.into_iter().map(|part| (part.rect, part.key)).collect();
    }
}
