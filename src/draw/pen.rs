//! Text, lines and rectangles in CSS pixels.

use super::Surface;
#[cfg(feature = "full")]
use super::svg::Type;
use std::cell::RefCell;
use std::f64::consts::TAU;
use wasm_bindgen::JsValue;
use web_sys::CanvasRenderingContext2d;

/// Where a text stands to its place, across.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// The text begins there.
    #[default]
    Left,
    /// The text's middle is there.
    Centre,
    /// The text ends there.
    Right,
}

/// Dashes of the slots: the second cue beside the colour. In CSS pixels, stroke and gap by turns.
pub const DASHES: [&[f64]; 4] = [&[], &[7.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// Texts whose widths are kept: names and titles are the same from step to step.
const MOST_WIDTHS: usize = 64;

/// A font's size, a text in it and its width, in CSS pixels.
type Width = (f64, String, f64);

thread_local! {
    /// The widths of texts in a font family.
    static WIDTHS: RefCell<(String, Vec<Width>)> = const { RefCell::new((String::new(), Vec::new())) };
}

impl Surface {
    /// Sets the font's size for the texts that follow.
    pub fn font(&self, px: f64) {
        self.told.font.set((px, self.told.font.get().1));
    }

    /// Tells the canvas, if it was told another one.
    fn apply_font(&self) {
        let (px, told) = self.told.font.get();
        if px != told {
            self.told.font.set((px, px));
            self.context.set_font(&format!("{px}px {}", self.family()));
        }
    }

    fn family(&self) -> &str {
        if self.ink.font.is_empty() { "system-ui, sans-serif" } else { &self.ink.font }
    }

    /// How a text is set at the moment.
    #[cfg(feature = "full")]
    fn set(&self, align: Align) -> Type<'_> {
        Type { px: self.told.font.get().0, family: self.family(), align, halo: None, up: false }
    }

    /// Writes a text; `y` is its middle.
    pub fn text(&self, text: &str, x: f64, y: f64, align: Align, colour: &str) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.text(text, (x, y), colour, self.set(align));
        }
        self.align(align);
        self.fill_with(colour);
        let _ = self.context.fill_text(text, x, y);
    }

    /// Writes a text on a ground of paper, so that lines below do not cross it.
    pub fn text_on_paper(&self, text: &str, x: f64, y: f64, align: Align, colour: &str) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.text(text, (x, y), colour, Type { halo: Some(&self.ink.paper), ..self.set(align) });
        }
        self.context.set_line_join("round");
        self.stroke_with(&self.ink.paper, 4.0);
        self.align(align);
        let _ = self.context.stroke_text(text, x, y);
        self.fill_with(colour);
        let _ = self.context.fill_text(text, x, y);
    }

    /// Writes a text that runs upwards and ends at `y`; `x` is its middle.
    #[cfg(feature = "full")]
    pub fn text_up(&self, text: &str, x: f64, y: f64, colour: &str) {
        if let Some(sheet) = &self.sheet {
            return sheet.text(text, (x, y), colour, Type { up: true, ..self.set(Align::Right) });
        }
        self.align(Align::Right);
        self.fill_with(colour);
        self.context.save();
        let _ = self.context.translate(x, y);
        let _ = self.context.rotate(-TAU / 4.0);
        let _ = self.context.fill_text(text, 0.0, 0.0);
        self.context.restore();
    }

    // A canvas is told only what is new: what it is told goes through the browser's reader of CSS.

    fn align(&self, align: Align) {
        self.apply_font();
        if std::mem::replace(&mut self.told.text.borrow_mut().0, align) != align {
            self.context.set_text_align(match align {
                Align::Left => "left",
                Align::Centre => "center",
                Align::Right => "right",
            });
        }
    }

    fn fill_with(&self, colour: &str) {
        let last = &mut self.told.text.borrow_mut().1;
        if last != colour {
            colour.clone_into(last);
            self.context.set_fill_style_str(colour);
        }
    }

    fn stroke_with(&self, colour: &str, width: f64) {
        let (last, wide) = &mut *self.told.stroke.borrow_mut();
        if last != colour {
            colour.clone_into(last);
            self.context.set_stroke_style_str(colour);
        }
        if std::mem::replace(wide, width) != width {
            self.context.set_line_width(width);
        }
    }

    /// The width of a text in the font of the moment, as if each digit were as wide as a zero: to measure is dear, and
    /// numbers change from step to step.
    pub fn text_width(&self, text: &str) -> f64 {
        let px = self.told.font.get().0;
        let same = |a: u8, b: u8| a == if b.is_ascii_digit() { b'0' } else { b };
        WIDTHS.with_borrow_mut(|(family, widths)| {
            if family != self.family() {
                self.family().clone_into(family);
                widths.clear();
            }
            let known = widths.iter().find(|known| {
                known.0 == px
                    && known.1.len() == text.len()
                    && known.1.bytes().zip(text.bytes()).all(|(a, b)| same(a, b))
            });
            if let Some(known) = known {
                return known.2;
            }
            self.apply_font();
            let text = text.replace(|c: char| c.is_ascii_digit(), "0");
            let width = self.context.measure_text(&text).map_or(0.0, |metrics| metrics.width());
            if widths.len() == MOST_WIDTHS {
                widths.clear();
            }
            widths.push((px, text, width));
            width
        })
    }

    /// Cuts a text so that it is at most so wide, with an ellipsis.
    pub fn fitted(&self, text: &str, width: f64) -> String {
        fitted(text, |text| self.text_width(text) <= width)
    }

    /// A straight line.
    pub fn line(&self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.line(from, to, colour, width);
        }
        self.stroke_with(colour, width);
        self.context.begin_path();
        self.context.move_to(from.0, from.1);
        self.context.line_to(to.0, to.1);
        self.context.stroke();
    }

    /// The outline of a rectangle.
    pub fn outline(&self, (x, y, width, height): (f64, f64, f64, f64), colour: &str, stroke: f64) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.outline((x, y, width, height), colour, stroke);
        }
        self.stroke_with(colour, stroke);
        self.context.stroke_rect(x, y, width, height);
    }

    /// A filled rectangle.
    pub fn fill(&self, (x, y, width, height): (f64, f64, f64, f64), colour: &str) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.fill((x, y, width, height), colour);
        }
        self.fill_with(colour);
        self.context.fill_rect(x, y, width, height);
    }

    /// Slanted lines over a rectangle, dark between light: they read on every colour.
    pub fn hatch(&self, rect: (f64, f64, f64, f64)) {
        let (x, y, width, height) = rect;
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            for (colour, shift) in self.hatching() {
                let mut lines = Vec::new();
                slants(rect, shift, |from, to| lines.push([from, to]));
                sheet.lines_in(rect, &lines, colour);
            }
            return;
        }
        self.context.save();
        self.context.begin_path();
        self.context.rect(x, y, width, height);
        self.context.clip();
        for (colour, shift) in self.hatching() {
            // Straight to the canvas: what is restored below is not what the pen remembers.
            self.context.set_stroke_style_str(colour);
            self.context.set_line_width(1.0);
            self.context.begin_path();
            slants(rect, shift, |from, to| {
                self.context.move_to(from.0, from.1);
                self.context.line_to(to.0, to.1);
            });
            self.context.stroke();
        }
        self.context.restore();
    }

    /// Colours of the two kinds of slanted lines, and how far they are shifted.
    fn hatching(&self) -> [(&str, f64); 2] {
        [(&self.ink.paper, 1.0), (&self.ink.ink, 0.0)]
    }

    /// A circle: filled, and with an outline.
    pub fn dot(&self, (x, y): (f64, f64), radius: f64, fill: &str, outline: &str) {
        const LINE: f64 = 1.5;
        // One that is all of a colour is drawn once.
        let plain = fill == outline;
        let radius = if plain { radius + LINE / 2.0 } else { radius };
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.dot((x, y), radius, fill, outline, if plain { 0.0 } else { LINE });
        }
        self.context.begin_path();
        let _ = self.context.arc(x, y, radius, 0.0, TAU);
        self.fill_with(fill);
        self.context.fill();
        if !plain {
            self.stroke_with(outline, LINE);
            self.context.stroke();
        }
    }

    /// A part of a circle's outline, between two angles in radians; the canvas counts them clockwise.
    pub fn arc(&self, (x, y): (f64, f64), radius: f64, (from, to): (f64, f64), colour: &str, width: f64) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.arc((x, y), radius, (from, to), colour, width);
        }
        self.stroke_with(colour, width);
        self.context.begin_path();
        let _ = self.context.arc_with_anticlockwise(x, y, radius, from, to, to < from);
        self.context.stroke();
    }

    /// A bow over or under a line, from one place to another at the same height; `high` is how far it reaches, down if above
    /// zero.
    #[cfg(feature = "full")]
    pub fn bow(&self, (from, to): (f64, f64), y: f64, high: f64, colour: &str, width: f64) {
        self.stroke_with(colour, width);
        self.context.begin_path();
        self.context.move_to(from, y);
        // A cubic curve reaches three quarters of the way to its two points.
        let reach = y + high * 4.0 / 3.0;
        self.context.bezier_curve_to(from, reach, to, reach, to, y);
        self.context.stroke();
    }

    /// Sets the dashes of the lines that follow, in CSS pixels; none for unbroken lines.
    pub fn dash(&self, dash: &[f64]) {
        #[cfg(feature = "full")]
        if let Some(sheet) = &self.sheet {
            return sheet.dash(dash);
        }
        tell_dash(&self.context, dash, 1.0);
    }

    /// The middle of the device pixel at a place: a hairline there is sharp.
    pub fn crisp(&self, place: f64) -> f64 {
        ((place * self.dpr).floor() + 0.5) / self.dpr
    }

    /// A message in the middle, broken into lines that fit.
    pub fn message(&self, text: &str, (x, y, width, height): (f64, f64, f64, f64)) {
        self.font(13.0);
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let line = lines.last_mut().map(std::mem::take).unwrap_or_default();
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if line.is_empty() || self.text_width(&longer) <= width - 16.0 {
                lines.pop();
                lines.push(longer);
            } else {
                lines.pop();
                lines.push(line);
                lines.push(word.to_owned());
            }
        }
        let top = y + height / 2.0 - (lines.len() as f64 - 1.0) * 9.0;
        for (i, line) in lines.iter().enumerate() {
            self.text(line, x + width / 2.0, top + i as f64 * 18.0, Align::Centre, &self.ink.muted);
        }
    }
}

/// Tells a canvas the dashes of the lines that follow, `scale` of its units each.
pub(super) fn tell_dash(context: &CanvasRenderingContext2d, dash: &[f64], scale: f64) {
    let list: js_sys::Array = dash.iter().map(|length| JsValue::from_f64(length * scale)).collect();
    let _ = context.set_line_dash(&list);
}

/// Calls `see` with each of the slanted lines over a rectangle.
fn slants((x, y, width, height): (f64, f64, f64, f64), shift: f64, mut see: impl FnMut((f64, f64), (f64, f64))) {
    const APART: f64 = 6.0;
    // The slant is as long as the shorter side, or lines across a thin strip would be flat.
    let slant = height.clamp(1.0, APART * 2.0);
    let mut down = 0.0;
    while down < height {
        let mut at = x - slant + shift;
        while at < x + width {
            see((at, y + down + slant), (at + slant, y + down));
            at += APART;
        }
        down += slant;
    }
}

/// The most characters of a text that are measured: a longer one is cut there.
const MOST_MEASURED: usize = 100;

/// The text, or the longest of its beginnings that fits with an ellipsis; nothing where not even that fits.
fn fitted(text: &str, fits: impl Fn(&str) -> bool) -> String {
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).take(MOST_MEASURED + 1).collect();
    if starts.len() <= MOST_MEASURED && fits(text) {
        return text.to_owned();
    }
    let cut = |characters: usize| format!("{}…", &text[..starts.get(characters).copied().unwrap_or_default()]);
    // So many characters fit, and one more may not.
    let (mut fit, mut over) = (None, starts.len());
    while fit.map_or(0, |fit| fit + 1) < over {
        let middle = usize::midpoint(fit.map_or(0, |fit| fit + 1), over - 1);
        if fits(&cut(middle)) {
            fit = Some(middle);
        } else {
            over = middle;
        }
    }
    fit.map(cut).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn texts_are_cut_where_they_no_longer_fit() {
        let cut = |text: &str, most: usize| fitted(text, |text| text.chars().count() <= most);
        assert_eq!(cut("word", 4), "word");
        assert_eq!(cut("word", 3), "wo…");
        assert_eq!(cut("äöü", 2), "ä…");
        assert_eq!(cut("word", 1), "…");
        assert_eq!(cut("word", 0), "");
        assert_eq!(cut("", 0), "");
        for most in 1..80 {
            assert_eq!(cut(&"x".repeat(80), most), format!("{}…", "x".repeat(most - 1)));
        }
    }

    #[test]
    fn long_texts_are_not_measured_as_a_whole() {
        let (most, times) = (Cell::new(0), Cell::new(0));
        let text = "😀".repeat(4000);
        let cut = fitted(&text, |text| {
            most.set(text.chars().count().max(most.get()));
            times.set(times.get() + 1);
            text.chars().count() <= 12
        });
        assert_eq!(cut, format!("{}…", "😀".repeat(11)));
        assert!(most.get() <= MOST_MEASURED + 1 && times.get() <= 8, "{most:?} {times:?}");
    }
}
