//! Where the reader is in a lesson: the block that crosses a line across the window. And the way back there.

use super::text::{all, at, one};
use crate::ui::frame;
use gloo_events::EventListener;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// The line, from the top of the window, as a share of its height.
const LINE: f64 = 0.3;
/// A lesson is kept at its place for so long while its figures are drawn above, in milliseconds.
const SETTLING_MS: f64 = 700.0;
/// The blocks of the text, figures apart.
const BLOCKS: &str = ".scene__lead [data-at], .scene__prose [data-at]";

/// Follows the reader until it is dropped.
pub(super) struct Follow {
    place: Rc<Place>,
    observer: IntersectionObserver,
    _crossed: Closure<dyn FnMut(js_sys::Array)>,
}

#[derive(Default)]
struct Place {
    /// The block on the line.
    line: Cell<u32>,
    /// The lesson is being scrolled to its place.
    settling: Cell<bool>,
    /// The block that was on the line when the lesson was at its place: the reader has not moved since.
    held: Cell<Option<u32>>,
    key: Cell<frame::Key>,
}

impl Follow {
    /// Calls `reads` with the block that the reader comes to.
    pub(super) fn new(root: &Element, reads: impl Fn(u32) + 'static) -> Option<Self> {
        let place = Rc::new(Place::default());
        place.key.set(frame::new_key());
        let told = place.clone();
        let crossed = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let mut entries = entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok());
            let Some(entry) = entries.rfind(IntersectionObserverEntry::is_intersecting) else { return };
            // At the very top nothing was read yet.
            let top = web_sys::window().and_then(|window| window.scroll_y().ok()).is_none_or(|y| y < 1.0);
            let block = if top { 0 } else { at(&entry.target()) };
            told.line.set(block);
            if !told.settling.get() && told.held.get() != Some(block) {
                told.held.set(None);
                reads(block);
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(&format!("-{}% 0px -{}% 0px", LINE * 100.0, 99.0 - LINE * 100.0));
        let observer = IntersectionObserver::new_with_options(crossed.as_ref().unchecked_ref(), &options).ok()?;
        for block in all(root, BLOCKS) {
            observer.observe(&block);
        }
        Some(Self { place, observer, _crossed: crossed })
    }

    /// Brings a block to the line, or the beginning of the lesson into the window, and keeps it there until all is
    /// drawn or the reader does something.
    pub(super) fn go(&self, root: &Element, to: u32) {
        let place = self.place.clone();
        place.settling.set(true);
        place.held.set(None);
        let block = one(root, &format!("[data-at=\"{to}\"]")).filter(|_| to > 0);
        let moved = Rc::new(Cell::new(false));
        let stops: Vec<EventListener> = ["wheel", "pointerdown", "keydown"]
            .into_iter()
            .filter_map(|kind| {
                let (window, moved) = (web_sys::window()?, moved.clone());
                Some(EventListener::new(&window, kind, move |_| moved.set(true)))
            })
            .collect();
        let mut begun = None;
        frame::animate(place.key.get(), move |now| {
            // The beginning is where it is, whatever is drawn below it.
            let began = block.is_none() && begun.is_some();
            let over = began || now - *begun.get_or_insert(now) > SETTLING_MS || (moved.get() && !stops.is_empty());
            if over {
                place.settling.set(false);
                place.held.set(Some(place.line.get()));
            } else {
                scroll(block.as_ref());
            }
            !over
        });
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        frame::stop(self.place.key.get());
        self.observer.disconnect();
    }
}

fn scroll(block: Option<&Element>) {
    let Some(window) = web_sys::window() else { return };
    let Some(block) = block else { return window.scroll_to_with_x_and_y(0.0, 0.0) };
    let height = window.inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    let off = block.get_bounding_client_rect().top() - height * LINE + 1.0;
    if off.abs() > 1.0 {
        window.scroll_by_with_x_and_y(0.0, off);
    }
}
