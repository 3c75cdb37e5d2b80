//! A file for the reader's disk.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// How long the browser has to begin with it before its bytes are given up, in milliseconds.
const KEPT_MS: u32 = 60_000;

/// Bytes as a file of this type.
pub(super) fn bytes(data: &[u8], kind: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(data));
    Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()
}

/// Lets the browser save a file under a name; whether it was asked to.
pub(super) fn save(blob: &Blob, name: &str) -> bool {
    let go = || -> Result<(), JsValue> {
        let url = Url::create_object_url_with_blob(blob)?;
        let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
        let anchor: HtmlAnchorElement = document.create_element("a")?.dyn_into().map_err(JsValue::from)?;
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
        gloo_timers::callback::Timeout::new(KEPT_MS, move || {
            let _ = Url::revoke_object_url(&url);
        })
        .forget();
        Ok(())
    };
    go().is_ok()
}
