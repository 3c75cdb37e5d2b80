//! Drawing: cells to pixels, charts, clock hands, colours. No scheme and no state is known here.

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
    /// Makes the canvas's backing store fit and clears it. `None` where the browser gives no 2-D context.
    pub fn new(canvas: HtmlCanvasElement, width: f64, height: f64, dpr: f64, ink: Ink) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        let (w, h) = ((width * dpr).round() as u32, (height * dpr).round() as u32);
        if canvas.width() != w || canvas.height() != h {
            canvas.set_width(w);
            canvas.set_height(h);
        }
        let _ = context.set_transform(dpr, 0.0, 0.0, dpr, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, width, height);
        Some(Self { canvas, context, width, height, dpr, ink })
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
