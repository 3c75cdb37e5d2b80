//! The page's colours and the screen's density: read once, read again when they change.

use crate::draw::Ink;
use crate::ui::listeners::{Listeners, Subscription};
use std::cell::RefCell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MutationObserver, MutationObserverInit};

thread_local! {
    static INK: RefCell<Option<Ink>> = const { RefCell::new(None) };
    static LISTENERS: Listeners = watch();
}

/// Calls `see` with the page's colours at this moment.
pub(super) fn with_ink(see: impl FnOnce(&Ink)) {
    INK.with_borrow_mut(|ink| see(ink.get_or_insert_with(Ink::read)));
}

/// Device pixels per CSS pixel.
pub(super) fn dpr() -> f64 {
    web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()).clamp(0.5, 4.0)
}

/// Calls `changed` when colours or density change.
#[must_use]
pub(super) fn subscribe(changed: impl Fn() + 'static) -> Subscription {
    LISTENERS.with(|listeners| listeners.subscribe(changed))
}

fn changed() {
    INK.with_borrow_mut(|ink| *ink = None);
    LISTENERS.with(Listeners::tell);
}

/// Watches the system's theme, the page's own and the density, for as long as the page lives.
fn watch() -> Listeners {
    let Some(window) = web_sys::window() else { return Listeners::default() };
    let theme = Closure::<dyn FnMut()>::new(changed).into_js_value();
    for query in ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"] {
        if let Ok(Some(query)) = window.match_media(query) {
            let _ = query.add_event_listener_with_callback("change", theme.unchecked_ref());
        }
    }
    if let (Some(root), Ok(observer)) = (
        window.document().and_then(|document| document.document_element()),
        MutationObserver::new(theme.unchecked_ref()),
    ) {
        let options = MutationObserverInit::new();
        options.set_attributes(true);
        options.set_attribute_filter(&js_sys::Array::of1(&JsValue::from_str("data-theme")));
        let _ = observer.observe_with_options(&root, &options);
    }
    watch_density();
    Listeners::default()
}

/// A query can only say that the density is no longer this one: it is asked anew after each change.
fn watch_density() {
    let Some(window) = web_sys::window() else { return };
    let query = window.match_media(&format!("(resolution: {}dppx)", window.device_pixel_ratio()));
    if let Ok(Some(query)) = query {
        let again = Closure::once_into_js(|| {
            watch_density();
            changed();
        });
        let options = web_sys::AddEventListenerOptions::new();
        options.set_once(true);
        let _ = query.add_event_listener_with_callback_and_add_event_listener_options(
            "change",
            again.unchecked_ref(),
            &options,
        );
    }
}
