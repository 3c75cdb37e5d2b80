//! A figure as a picture: title, figure, legend and link, as pixels or as SVG.
//!
//! The figure is made anew at the size that was chosen, and drawn on a sheet of its own, which is then put between what
//! stands around it.

use super::legend;
use crate::draw::pen::Align;
use crate::draw::{Ink, Surface, canvas, svg::Sheet};
use crate::figures::{Figure, FigureSpec, Size};
use crate::lab_client::{self, Report};
use crate::state::State;
use crate::ui::{board, delay::clock, frame};
use crate::words;
use gloo_timers::future::TimeoutFuture;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Longest side of a picture, in device pixels: some browsers give no larger canvas.
const MOST_PIXELS: f64 = 8192.0;
/// What takes longer than this to become exact is drawn as it is, in milliseconds.
const LONGEST: f64 = 20_000.0;
/// A slice of work, in milliseconds: the page stays alive between two.
const SLICE: f64 = 12.0;
/// The attribute of the page's root that has its theme.
const THEME: &str = "data-theme";
/// Space at the edges, in CSS pixels.
const MARGIN: f64 = 16.0;
/// What the title takes, in CSS pixels.
const HEAD: f64 = 60.0;
/// What is around the link, a line of it, and how many it may have.
const FOOT: f64 = 12.0;
const LINE: f64 = 16.0;
const MOST_LINES: usize = 4;

/// What is drawn.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub(super) state: State,
    pub(super) spec: &'static FigureSpec,
    /// Of the figure, in CSS pixels.
    pub(super) width: f64,
    /// Device pixels to a CSS pixel.
    pub(super) dpr: f64,
    /// In which colours: a theme of `GLOBALS`; `system` is as the page is.
    pub(super) theme: &'static str,
    /// The link below it.
    pub(super) link: String,
}

/// The colours of a theme.
fn ink(theme: &str) -> Ink {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    let Some(root) = root.filter(|_| theme != "system") else { return Ink::read() };
    // The page has this theme while they are read, and nothing is painted meanwhile.
    let own = root.get_attribute(THEME);
    let _ = root.set_attribute(THEME, theme);
    let ink = Ink::read();
    let _ = match own {
        Some(own) => root.set_attribute(THEME, &own),
        None => root.remove_attribute(THEME),
    };
    ink
}

/// A figure at a size.
pub(super) struct Made {
    pub(super) figure: Rc<dyn Figure>,
    size: Size,
}

/// Makes a figure at a size, and waits until it is exact.
pub(super) async fn make(picture: &Picture) -> Made {
    let Picture { state, spec, width, dpr, .. } = picture;
    let scene = board::scene(state, spec);
    let height = spec.height(&scene, *width).clamp(1.0, MOST_PIXELS);
    // What is around it has room, too.
    let dpr = dpr.min(MOST_PIXELS / (width.max(height) + 400.0));
    let size = Size { width: *width, height, dpr };
    let figure: Rc<dyn Figure> = Rc::from((spec.make)(&scene, size));
    let begin = clock();
    let mut slice = begin;
    while figure.refine() && clock() - begin < LONGEST {
        if clock() - slice > SLICE {
            TimeoutFuture::new(0).await;
            slice = clock();
        }
    }
    let mut asked = None;
    // What waits for a person to ask for it is not asked for here.
    if figure.lab_offer().is_some() {
        return Made { figure, size };
    }
    while let Some(request) = figure.lab_request().filter(|request| asked.as_ref() != Some(request)) {
        asked = Some(request.clone());
        let Some(answer) = answer(&request, begin).await else { break };
        figure.lab_answer(&answer);
    }
    Made { figure, size }
}

/// What the lab answers; nothing where it cannot, or not in time.
async fn answer(request: &str, begin: f64) -> Option<Vec<Vec<f32>>> {
    let report = Rc::new(RefCell::new(None));
    let key = frame::new_key();
    lab_client::ask(key, request, {
        let report = report.clone();
        move |news| {
            if !matches!(news, Report::Progress(_)) {
                *report.borrow_mut() = Some(news);
            }
        }
    });
    loop {
        match report.take() {
            Some(Report::Done(answer)) => return Some(answer.arrays.into_iter().map(|(_, array)| array).collect()),
            Some(_) => return None,
            None if clock() - begin > LONGEST => {
                lab_client::cancel(key);
                return None;
            }
            None => TimeoutFuture::new(10).await,
        }
    }
}

/// A sheet to draw on: a canvas of its own, or one on which texts are measured alone.
fn surface((width, height): (f64, f64), dpr: f64, ink: &Ink, written: bool) -> Option<Surface> {
    let pixels = if written { (1.0, 1.0) } else { (width * dpr, height * dpr) };
    let mut surface = Surface::new(canvas(pixels)?, (width, height, dpr), ink.clone())?;
    if written {
        // Its canvas is none: it stays as small as it was.
        surface.sheet = Some(Rc::new(Sheet::default()));
    }
    Some(surface)
}

/// The outer sheet with all but the figure, and the inner one with the figure.
fn draw(picture: &Picture, made: &Made, written: bool) -> Option<(Surface, Surface, f64)> {
    let ink = ink(picture.theme);
    let (size, cursor) = (made.size, picture.state.cursor());
    let inner = surface((size.width, size.height), size.dpr, &ink, written)?;
    made.figure.draw(&inner, &cursor);
    let entries = made.figure.legend();
    let below = legend::height(&inner, &entries, size.width);
    // The figure begins at a whole device pixel: its pixels are those of the screen.
    let top = (HEAD * size.dpr).round() / size.dpr;
    inner.font(11.0);
    let link = lines(&inner, &picture.link, size.width);
    let foot = top + size.height + below + FOOT;
    let height = foot + LINE * link.len() as f64;
    let outer = surface((size.width + 2.0 * MARGIN, height), size.dpr, &ink, written)?;
    let width = size.width;
    outer.fill((0.0, 0.0, width + 2.0 * MARGIN, height), &ink.paper);
    outer.font(18.0);
    outer.text(&outer.fitted(&words::figure_title(picture.spec.id), width), MARGIN, 22.0, Align::Left, &ink.ink);
    outer.font(12.0);
    outer.text(&outer.fitted(&about(&picture.state), width), MARGIN, 44.0, Align::Left, &ink.muted);
    legend::draw(&outer, &entries, (MARGIN, top + size.height), width);
    outer.font(11.0);
    for (i, line) in link.iter().enumerate() {
        outer.text(line, MARGIN, foot + LINE * i as f64, Align::Left, &ink.muted);
    }
    Some((outer, inner, top))
}

/// A link in lines of the font that is set; what is more than a few is left out. Whatever stands in a link, it is broken
/// anywhere: it has no words.
fn lines(on: &Surface, link: &str, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = link;
    while let Some(c) = rest.chars().next() {
        let at = lines.len();
        let Some(line) = lines.last_mut() else { break };
        if at == MOST_LINES {
            *line = on.fitted(rest, width);
            break;
        }
        line.push(c);
        if on.text_width(line) > width && line.len() > c.len_utf8() {
            line.pop();
            lines.push(String::new());
            continue;
        }
        rest = &rest[c.len_utf8()..];
    }
    lines
}

/// The schemes with what is set, and the length.
pub(super) fn about(state: &State) -> String {
    let schemes: Vec<String> = state.schemes.iter().map(ToString::to_string).collect();
    words::share_about(schemes.join(", "), state.length())
}

/// As PNG; `None` where the browser gives no canvas of that size.
pub(super) async fn png(picture: &Picture) -> Option<Blob> {
    let made = make(picture).await;
    let (outer, inner, top) = draw(picture, &made, false)?;
    let dpr = made.size.dpr;
    let context = &outer.context;
    context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok()?;
    let place = ((MARGIN * dpr).round(), (top * dpr).round());
    context.draw_image_with_html_canvas_element(&inner.canvas, place.0, place.1).ok()?;
    let promise = js_sys::Promise::new(&mut |resolve, reject| {
        let done = Closure::once_into_js(move |blob: JsValue| {
            let _ = resolve.call1(&JsValue::NULL, &blob);
        });
        if outer.canvas.to_blob(done.as_ref().unchecked_ref()).is_err() {
            let _ = reject.call0(&JsValue::NULL);
        }
    });
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}

/// As SVG; `None` where the browser gives no canvas to measure text on.
pub(super) async fn svg(picture: &Picture) -> Option<String> {
    let made = make(picture).await;
    let (outer, inner, top) = draw(picture, &made, true)?;
    let (sheet, figure) = (outer.sheet.as_ref()?, inner.sheet.as_ref()?);
    sheet.inset(figure, (MARGIN, top));
    let title = format!("{}. {}", words::figure_title(picture.spec.id), made.figure.summary(&picture.state.cursor()));
    Some(sheet.file((outer.width, outer.height), &outer.ink.paper, &title))
}
