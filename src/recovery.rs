//! When the app has panicked: says so to the console and to the page.
//!
//! The page's first script, `static/boot.js`, has the recovery screen: a dead app cannot draw its own.

use std::panic::PanicHookInfo;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(message: &str);

    /// Absent where another page hosts the module; the console has the message then.
    #[wasm_bindgen(catch, js_name = placewiseRecover)]
    fn recover(message: &str) -> Result<(), wasm_bindgen::JsValue>;
}

/// Makes panics visible. To be called before the app is rendered: Yew sets its own hook otherwise.
pub fn install() {
    yew::set_custom_panic_hook(Box::new(|panic: &PanicHookInfo<'_>| {
        let message = panic.to_string();
        error(&message);
        let _ = recover(&message);
    }));
}
