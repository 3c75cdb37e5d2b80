//! The picture that is cut into patches: the first panel. It is drawn when it is here; no similarity depends on it.

use super::source::Patch;
use super::view::{Layout, mark};
use crate::assets;
use crate::draw::{Surface, canvas};
use crate::words;
use std::cell::{OnceCell, RefCell};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{CanvasRenderingContext2d, HtmlImageElement};

/// The file of the site.
const NAME: &str = "pictures/patches.svg";
/// The least side of a patch with a line around it, in CSS pixels.
const LINED: f64 = 5.0;

/// Where the picture goes, and what is marked on it.
#[derive(Clone)]
pub(super) struct View {
    /// Of all panels.
    pub(super) layout: Layout,
    /// The chosen patch.
    pub(super) chosen: Patch,
    /// The one that it is compared with.
    pub(super) other: Option<Patch>,
}

thread_local! {
    /// The picture, on its way or here; `None` where the page has none.
    static IMAGE: OnceCell<Option<HtmlImageElement>> = const { OnceCell::new() };
    /// What was drawn last without it.
    static WAITING: RefCell<Option<(Surface, View)>> = const { RefCell::new(None) };
}

fn load() -> Option<HtmlImageElement> {
    let url = assets::url(NAME).ok()?;
    let image = HtmlImageElement::new().ok()?;
    let here = Closure::once_into_js(|| {
        if let Some((on, view)) = WAITING.take() {
            draw(&on, view);
        }
    });
    image.set_onload(Some(here.unchecked_ref()));
    image.set_src(&url);
    Some(image)
}

/// Draws the panel, as far as the picture is here.
pub(super) fn draw(on: &Surface, view: View) {
    let rect = view.layout.panel(0);
    let image = IMAGE.with(|image| image.get_or_init(load).clone());
    match image {
        Some(image) if !image.complete() => {
            WAITING.set(Some((on.clone(), view)));
            return;
        }
        Some(image) if image.natural_width() > 0 => paint(on, &image, rect),
        _ => on.message(words::patches_no_picture(), rect),
    }
    view.lines(on);
    view.marks(on);
}

/// The middle of the picture, in the shape of the grid.
fn paint(on: &Surface, image: &HtmlImageElement, (left, top, width, height): (f64, f64, f64, f64)) {
    let (wide, high) = (f64::from(image.natural_width()), f64::from(image.natural_height()));
    let scale = (wide / width).min(high / height);
    let (part_wide, part_high) = (width * scale, height * scale);
    if let Some(sheet) = &on.sheet {
        let part = ((wide - part_wide) / 2.0, (high - part_high) / 2.0, part_wide, part_high);
        let data = data_of(image, (wide, high)).unwrap_or_default();
        return sheet.image(&data, (wide, high), part, (left, top, width, height), true);
    }
    on.context.set_image_smoothing_enabled(true);
    let _ = on.context.draw_image_with_html_image_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
        image,
        (wide - part_wide) / 2.0,
        (high - part_high) / 2.0,
        part_wide,
        part_high,
        left,
        top,
        width,
        height,
    );
}

/// The picture as an address of its data: a file that leaves the page has nobody to ask for it.
fn data_of(image: &HtmlImageElement, (wide, high): (f64, f64)) -> Option<String> {
    let canvas = canvas((wide, high))?;
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, wide, high).ok()?;
    canvas.to_data_url().ok()
}

impl View {
    /// The edges of the patches.
    fn lines(&self, on: &Surface) {
        let (left, top, width, height) = self.layout.panel(0);
        let (rows, columns) = (self.layout.grid.height, self.layout.grid.width);
        if width / columns as f64 <= LINED {
            return;
        }
        for row in 1..rows {
            let y = on.crisp(top + height * row as f64 / rows as f64);
            on.line((left, y), (left + width, y), &on.ink.paper, 1.0 / on.dpr);
        }
        for column in 1..columns {
            let x = on.crisp(left + width * column as f64 / columns as f64);
            on.line((x, top), (x, top + height), &on.ink.paper, 1.0 / on.dpr);
        }
    }

    fn marks(&self, on: &Surface) {
        if let Some(other) = self.other {
            mark(&self.layout, on, 0, other, &on.ink.ink, 1.0);
        }
        mark(&self.layout, on, 0, self.chosen, &on.ink.accent, 2.0);
    }
}
