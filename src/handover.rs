//! From the module of the first screens to the whole app: fetched when something is asked for that only it has, and put
//! in the place of the first one with all that was set and all that can be undone.
//!
//! The link is the state: what is handed over is a list of links. `static/boot.js` loads the module.

use crate::app::Store;
use crate::lab_client;
use crate::state::{Wanted, link};
use crate::ui::frame;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::{AppHandle, UseReducerHandle};

#[wasm_bindgen]
extern "C" {
    /// Loads and starts the whole app; absent where another page hosts the module.
    #[wasm_bindgen(catch, js_name = placewiseWhole)]
    fn whole() -> Result<js_sys::Promise, JsValue>;

    /// What the first module leaves: its past as links, then the id of the focused element and how far the page is
    /// scrolled. It ends that module. An error where there was none.
    #[wasm_bindgen(catch, js_name = placewiseLeave)]
    fn leave() -> Result<js_sys::Array, JsValue>;
}

/// The name of [`leave`] in the page.
const LEAVE: &str = "placewiseLeave";

/// What the first module left.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Left {
    /// Links, the oldest first.
    pub(crate) past: Vec<String>,
    /// The id of the element that had the focus.
    focus: Option<String>,
    /// How far the page was scrolled, in CSS pixels.
    scroll: f64,
}

thread_local! {
    static HANDLE: RefCell<Option<AppHandle<crate::app::App>>> = const { RefCell::new(None) };
}

/// Keeps what ends the app.
pub(crate) fn keep(handle: AppHandle<crate::app::App>) {
    HANDLE.set(Some(handle));
}

/// Takes over from the first module, if there is one.
pub(crate) fn take() -> Left {
    let Ok(left) = leave() else { return Left::default() };
    let mut items = left.iter();
    let focus = items.next().and_then(|item| item.as_string());
    let scroll = items.next().and_then(|item| item.as_f64()).unwrap_or_default();
    Left { past: items.filter_map(|item| item.as_string()).collect(), focus, scroll }
}

impl Left {
    /// Puts focus and scroll back, when the page is as long as it was.
    pub(crate) fn restore(&self) {
        let left = self.clone();
        frame::request(frame::new_key(), move |_| {
            // The figures are drawn in this frame: their heights are known in the next one.
            frame::request(frame::new_key(), move |_| {
                let Some(window) = web_sys::window() else { return };
                let element = left.focus.and_then(|id| window.document()?.get_element_by_id(&id));
                if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
                    let _ = element.focus();
                }
                window.scroll_to_with_x_and_y(0.0, left.scroll);
            });
        });
    }
}

/// Fetches the whole app, which then takes over; `failed` is called where it cannot be had. Until then everything goes
/// on: what is handed over is the state of that moment.
pub(crate) fn begin(wanted: Wanted, store: UseReducerHandle<Store>, failed: impl FnOnce() + 'static) {
    // The address of this moment: a change that settles meanwhile replaces it.
    let hash = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    let leave = Closure::once_into_js(move || left(wanted, &hash, &store));
    if js_sys::Reflect::set(&js_sys::global(), &LEAVE.into(), &leave).is_err() {
        return failed();
    }
    let busy = frame::busy();
    spawn_local(async move {
        let loaded = match whole() {
            Ok(promise) => JsFuture::from(promise).await,
            Err(error) => Err(error),
        };
        if loaded.is_err() {
            let _ = js_sys::Reflect::delete_property(&js_sys::global(), &LEAVE.into());
            failed();
            drop(busy);
        } else {
            // The page is the other module's: this one no longer says whether it is ready.
            std::mem::forget(busy);
        }
    });
}

/// Ends this module; what it leaves.
fn left(wanted: Wanted, hash: &str, store: &UseReducerHandle<Store>) -> js_sys::Array {
    let app = &store.model();
    let page = web_sys::window().and_then(|window| window.document());
    let focus = page.and_then(|page| page.active_element()).map(|element| element.id()).unwrap_or_default();
    let scroll = web_sys::window().and_then(|window| window.scroll_y().ok()).unwrap_or_default();
    let left = js_sys::Array::of2(&focus.into(), &scroll.into());
    for link in app.links() {
        left.push(&link.into());
    }
    crate::app::replace_address(&match wanted {
        Wanted::Address => hash.to_owned(),
        wanted => link::write_with(&app.state, wanted),
    });
    let _ = js_sys::Reflect::delete_property(&js_sys::global(), &LEAVE.into());
    lab_client::close();
    if let Some(handle) = HANDLE.take() {
        handle.destroy();
    }
    left
}
