//! The clipboard, and what to do where there is none.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};

/// Puts a text on the clipboard; whether that worked.
pub(super) async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    // Opened as a file, or over plain http, the browser offers no clipboard.
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into());
    if !clipboard.is_ok_and(|value| value.is_object()) {
        return false;
    }
    JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok()
}

/// Selects the whole text of a field, so that the keys for copying take it.
pub(super) fn select(field: &Element) {
    if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
        let _ = area.focus();
        area.select();
    } else if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        let _ = input.focus();
        input.select();
    }
}
