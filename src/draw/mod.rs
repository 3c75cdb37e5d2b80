//! Drawing: cells to pixels, charts, clock hands, colours. No scheme and no state is known here.

pub mod charts;
pub mod number;
pub mod palettes;
mod parts;
pub mod pen;
#[cfg(feature = "full")]
pub mod phasors;
pub mod raster;
mod shades;
#[cfg(feature = "full")]
pub mod svg;
pub mod ticks;

pub use parts::Part;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A canvas to draw on. Its context is scaled, so that one unit is one CSS pixel; `plotters` draws in device pixels,
/// through [`Surface::canvas`], and scales by [`Surface::dpr`].
#[derive(Debug, Clone)]
pub struct Surface {
    /// The element.
    pub canvas: HtmlCanvasElement,
    /// Its 2-D context.
    pub context: CanvasRenderingContext2d,
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub dpr: f64,
    /// The page's colours and font.
    pub ink: Ink,
    told: Rc<Told>,
    /// Where all is written down instead of drawn; texts are measured by the canvas then, too.
    #[cfg(feature = "full")]
    pub(crate) sheet: Option<Rc<svg::Sheet>>,
}

/// What a canvas was told last, and what is on it: one for all clones of a surface, as the canvas is.
#[derive(Debug, Default)]
struct Told {
    /// The parts that were drawn.
    parts: RefCell<Vec<parts::Drawn>>,
    /// The size of the font that is wanted, and of the one that the canvas was told: to tell it is as dear as to write.
    font: Cell<(f64, f64)>,
    /// How the last text stood and was filled.
    text: RefCell<(pen::Align, String)>,
    /// The colour of the last line and its width.
    stroke: RefCell<(String, f64)>,
}

/// The colours of the page at this moment, from the CSS custom properties.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ink {
    /// `--paper`: the ground.
    pub paper: String,
    /// `--ink`: text and marks.
    pub ink: String,
    /// `--muted`: axes and secondary text.
    pub muted: String,
    /// `--hairline`: grid lines.
    pub hairline: String,
    /// `--accent`: the cursor.
    pub accent: String,
    /// `--slot-1` to `--slot-4`.
    pub slots: [String; 4],
    /// `--font`: the font family.
    pub font: String,
}

impl Surface {
    /// Makes the canvas's backing store fit; what was drawn on it is there until [`clear`](Self::clear) or
    /// [`parts`](Self::parts). `None` where the browser gives no 2-D context.
    ///
    /// What the context is told stays, and to tell it is dear: one surface serves a canvas while it [fits](Self::fits).
    pub fn new(canvas: HtmlCanvasElement, (width, height, dpr): (f64, f64, f64), ink: Ink) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        let (w, h) = ((width * dpr).round() as u32, (height * dpr).round() as u32);
        if canvas.width() != w || canvas.height() != h {
            canvas.set_width(w);
            canvas.set_height(h);
        }
        let _ = context.set_transform(dpr, 0.0, 0.0, dpr, 0.0, 0.0);
        context.set_text_baseline("middle");
        context.set_text_align("left");
        Some(Self {
            canvas,
            context,
            width,
            height,
            dpr,
            ink,
            told: Rc::default(),
            #[cfg(feature = "full")]
            sheet: None,
        })
    }

    /// Whether it is of this canvas at this size (CSS pixels, and device pixels per CSS pixel) in these colours.
    pub fn fits(&self, canvas: &HtmlCanvasElement, size: (f64, f64, f64), ink: &Ink) -> bool {
        self.canvas == *canvas && (self.width, self.height, self.dpr) == size && self.ink == *ink
    }
}

impl Ink {
    /// Reads the page's custom properties.
    pub fn read() -> Self {
        let style = web_sys::window().and_then(|window| {
            let root = window.document()?.document_element()?;
            window.get_computed_style(&root).ok()?
        });
        let get = |name: &str| {
            let value = style.as_ref().and_then(|style| style.get_property_value(name).ok()).unwrap_or_default();
            value.trim().to_owned()
        };
        Self {
            paper: get("--paper"),
            ink: get("--ink"),
            muted: get("--muted"),
            hairline: get("--hairline"),
            accent: get("--accent"),
            slots: [get("--slot-1"), get("--slot-2"), get("--slot-3"), get("--slot-4")],
            font: get("--font"),
        }
    }
}

/// A canvas of its own, of so many pixels.
#[cfg(feature = "full")]
pub fn canvas((width, height): (f64, f64)) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = web_sys::window()?.document()?.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width.round() as u32);
    canvas.set_height(height.round() as u32);
    Some(canvas)
}

/// Red, green and blue of a CSS colour: `#rgb`, `#rrggbb`, `rgb(r, g, b)`. Anything else is a middle grey.
pub fn css_rgb(css: &str) -> (u8, u8, u8) {
    let read = || {
        if let Some(hex) = css.trim().strip_prefix('#') {
            let digit = |i: usize| u8::from_str_radix(hex.get(i..=i)?, 16).ok();
            let pair = |i: usize| u8::from_str_radix(hex.get(i..i + 2)?, 16).ok();
            return match hex.len() {
                3 | 4 => Some((digit(0)? * 17, digit(1)? * 17, digit(2)? * 17)),
                6 | 8 => Some((pair(0)?, pair(2)?, pair(4)?)),
                _ => None,
            };
        }
        let inside = css.split_once('(')?.1.split_once(')')?.0;
        let mut parts = inside.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let mut next = || posenc::number::parse(parts.next()?).map(|v| v.round().clamp(0.0, 255.0) as u8);
        Some((next()?, next()?, next()?))
    };
    read().unwrap_or((128, 128, 128))
}

#[cfg(test)]
mod tests {
    use super::css_rgb;

    #[test]
    fn colours_of_css() {
        assert_eq!(css_rgb("#1a2B3c"), (0x1a, 0x2b, 0x3c));
        assert_eq!(css_rgb(" #fff"), (255, 255, 255));
        assert_eq!(css_rgb("rgb(1, 2, 3)"), (1, 2, 3));
        assert_eq!(css_rgb("rgb(1 2 3 / 50%)"), (1, 2, 3));
        assert_eq!(css_rgb("papayawhip"), (128, 128, 128));
        assert_eq!(css_rgb("#é"), (128, 128, 128));
    }
}
