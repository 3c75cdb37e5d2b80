//! From the module of the first screens to the whole app: fetched when something is asked for that only it has, and put
//! in the place of the first one with all that was set and all that can be undone.
//!
//! The link is the state: what is handed over is a list of links. `static/boot.js` loads the module. What the first one
//! showed stays on the page until the other has drawn.

use crate::state::{Wanted, link};
use crate::ui::{frame, store::Store};
use crate::words;
use lab::protocol::{why, word};
use posenc::Repair;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, HtmlElement};
use yew::{AppHandle, UseReducerHandle};

#[wasm_bindgen]
extern "C" {
    /// Loads and starts the whole app; absent where another page hosts the module.
    #[wasm_bindgen(catch, js_name = placewiseWhole)]
    fn whole() -> Result<js_sys::Promise, JsValue>;

    /// What the first module leaves: where the focus is, how far the page is scrolled, what ends that module, its words,
    /// its notices in four parts each, and its past as links. An error where there was none.
    #[wasm_bindgen(catch, js_name = placewiseLeave)]
    fn leave() -> Result<js_sys::Array, JsValue>;
}

/// The name of [`leave`] in the page; `static/boot.js` knows by it whether the first module is still there.
const LEAVE: &str = "placewiseLeave";

/// What the first module left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Left {
    /// Links, the oldest first.
    pub(crate) past: Vec<String>,
    /// What was to be read.
    pub(crate) notices: Vec<Repair>,
    /// The selector of the element that had the focus.
    focus: Option<String>,
    /// How far the page was scrolled, in CSS pixels.
    scroll: f64,
    /// Ends that module.
    end: Option<js_sys::Function>,
}

thread_local! {
    static HANDLE: RefCell<Option<AppHandle<crate::app::App>>> = const { RefCell::new(None) };
    /// What was asked for and is on its way.
    static WANTED: RefCell<Vec<Wanted>> = const { RefCell::new(Vec::new()) };
    /// Whether another module has taken what this one left.
    static LEFT: Cell<bool> = const { Cell::new(false) };
}

/// Whether the address is no longer this module's to write: a link that it does not know was followed, or another module
/// has taken over. To write it all the same would put two equal entries into the history, and Back would do nothing.
pub(crate) fn is_leaving() -> bool {
    LEFT.get() || WANTED.with_borrow(|all| all.iter().any(|wanted| matches!(wanted, Wanted::Link(_))))
}

/// Keeps what ends the app.
pub(crate) fn keep(handle: AppHandle<crate::app::App>) {
    HANDLE.set(Some(handle));
}

/// Asks for something that only the whole app has. A link stands for all that was asked for before it.
pub(crate) fn want(wanted: Wanted) {
    WANTED.with_borrow_mut(|all| {
        if matches!(wanted, Wanted::Link(_)) || matches!(all[..], [Wanted::Link(_)]) {
            all.clear();
        }
        all.push(wanted);
    });
}

/// Takes back what was asked for.
pub(crate) fn want_nothing() {
    WANTED.take();
}

/// Fetches the whole app, which then takes over; `failed` is called where it cannot be had. Until then everything goes
/// on: what is handed over is the state of that moment.
pub(crate) fn begin(store: UseReducerHandle<Store>, failed: impl FnOnce() + 'static) {
    let failed = || {
        want_nothing();
        failed();
    };
    let leave = Closure::once_into_js(move || left(&store));
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

/// What this module leaves. It is still there when it has said so, and hears nothing more.
fn left(store: &UseReducerHandle<Store>) -> js_sys::Array {
    let app = &store.0;
    let wanted = WANTED.take();
    LEFT.set(true);
    let _ = js_sys::Reflect::delete_property(&js_sys::global(), &LEAVE.into());
    let page = web_sys::window().and_then(|window| window.document());
    let focus = page.as_ref().and_then(focus);
    if let Some(root) = page.as_ref().and_then(|page| page.query_selector("#app > div:last-of-type").ok().flatten()) {
        let _ = root.set_attribute("inert", "");
    }
    let scroll = web_sys::window().and_then(|window| window.scroll_y().ok()).unwrap_or_default();
    let end = Closure::once_into_js(|| {
        #[cfg(feature = "full")]
        crate::lab_client::close();
        if let Some(handle) = HANDLE.take() {
            handle.destroy();
        }
    });
    let notices = js_sys::Array::new();
    // Those of another link are its own.
    if !matches!(wanted[..], [Wanted::Link(_)]) {
        for Repair { key, given, used, why } in &app.notices {
            for part in [key, given, used, word(*why)] {
                notices.push(&part.into());
            }
        }
    }
    let past = app.links().into_iter().map(JsValue::from).collect::<js_sys::Array>();
    crate::app::replace_address(&link::write_with(&app.state, &wanted));
    [focus.into(), scroll.into(), end, words::file().into(), notices.into(), past.into()].into_iter().collect()
}

/// Where the focus is, as a selector that finds the same place in the other module.
fn focus(page: &Document) -> Option<String> {
    let element = page.active_element()?;
    if !element.id().is_empty() {
        return Some(format!("[id=\"{}\"]", element.id()));
    }
    let figure = element.closest("[data-figure]").ok()??.get_attribute("data-figure")?;
    Some(format!("[data-figure=\"{figure}\"] .{}", element.class_name()))
}

/// Takes over from the first module, if there is one.
pub(crate) fn take() -> Option<Left> {
    let left = leave().ok()?;
    let strings = |place| -> Vec<String> {
        js_sys::Array::from(&left.get(place)).iter().filter_map(|item| item.as_string()).collect()
    };
    if let Some(file) = left.get(3).as_string() {
        words::accept(file);
    }
    let parts = strings(4);
    let notices = parts.chunks_exact(4).filter_map(|part| {
        let [key, given, used, reason] = part else { return None };
        Some(Repair { key: key.clone(), given: given.clone(), used: used.clone(), why: why(reason)? })
    });
    Some(Left {
        notices: notices.collect(),
        past: strings(5),
        focus: left.get(0).as_string(),
        scroll: left.get(1).as_f64().unwrap_or_default(),
        end: left.get(2).dyn_into().ok(),
    })
}

/// The class of an app's element until it has drawn: it is laid out, and not seen.
pub(crate) const ARRIVING: &str = "arriving";

/// Shows the app when it has drawn, in place of what stood there: figures without their height would push what is below
/// them away. To be called by the root's effect: those of the figures, which ask for their frames, come before it.
pub(crate) fn show(left: Option<Left>) {
    frame::request(frame::new_key(), move |_| {
        // The figures are drawn in this frame; what follows from that, as their legends, Yew renders right after it.
        spawn_local(async move {
            reveal(left);
        });
    });
}

fn reveal(left: Option<Left>) -> Option<()> {
    if let Some(end) = left.as_ref().and_then(|left| left.end.as_ref()) {
        let _ = end.call0(&JsValue::NULL);
    }
    let window = web_sys::window()?;
    let page = window.document()?;
    // In a tab that nobody looks at nothing is drawn: when it is looked at, several may be there to be shown.
    let own = page.query_selector(&format!(".{ARRIVING}:last-of-type")).ok()??;
    while let Some(other) = own.previous_element_sibling() {
        other.remove();
    }
    own.set_class_name("");
    let left = left?;
    let focused = left.focus.and_then(|selector| page.query_selector(&selector).ok()?);
    if let Some(element) = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
        // What the first module has a button for may lie folded here: who pressed it wants to see it.
        if let Some(details) = element.parent_element().filter(|parent| parent.tag_name() == "DETAILS") {
            let _ = details.set_attribute("open", "");
        }
        // There it only brought this module, which has the dialog.
        if element.matches("#share-page, .figure__share").unwrap_or_default() {
            element.click();
        }
    }
    // A page to learn from has a place of its own.
    if !window.location().hash().is_ok_and(|hash| hash.starts_with("#/learn")) {
        window.scroll_to_with_x_and_y(0.0, left.scroll);
    }
    Some(())
}
