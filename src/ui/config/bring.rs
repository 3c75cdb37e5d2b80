//! Where the text of a config comes from, and that it is still there after the page was loaded again.

use crate::words;
use gloo_events::{EventListener, EventListenerOptions};
use posenc::config::MOST_BYTES;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, Storage};
use yew::Callback;

/// The key of the tab's storage.
const KEY: &str = "placewise.config";
/// As [`KEY`], of the one that another is read beside.
const KEY_FIRST: &str = "placewise.config.first";

/// The tab's storage; that it is blocked is no error.
fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// The text that was there when the page was loaded last, in this tab.
pub(super) fn kept() -> String {
    get(KEY)
}

/// As [`kept`], of the text that another is read beside.
pub(super) fn kept_first() -> String {
    get(KEY_FIRST)
}

/// Keeps a text as long as the tab is open.
pub(super) fn keep(text: &str) {
    put(KEY, text);
}

/// As [`keep`], of the text that another is read beside.
pub(super) fn keep_first(text: &str) {
    put(KEY_FIRST, text);
}

fn get(key: &str) -> String {
    storage().and_then(|storage| storage.get_item(key).ok()?).unwrap_or_default()
}

fn put(key: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = if text.is_empty() { storage.remove_item(key) } else { storage.set_item(key, text) };
    }
}

/// Whether a file's name says what it is: weights, or a config.
fn is_weights(name: &str) -> Option<bool> {
    let (_, ending) = name.rsplit_once('.')?;
    let is = |endings: &[&str]| endings.iter().any(|other| ending.eq_ignore_ascii_case(other));
    if is(&["safetensors", "npy"]) {
        return Some(true);
    }
    is(&["json", "txt"]).then_some(false)
}

/// Gives the text of a file, or why there is none; a file of weights as it is.
pub(super) fn file(file: File, take: Callback<Result<String, String>>, weights: Callback<File>) {
    let name = file.name();
    let named = is_weights(&name);
    if named == Some(true) || (named.is_none() && file.size() > MOST_BYTES as f64) {
        weights.emit(file);
        return;
    }
    // What is longer is not even loaded.
    if file.size() > MOST_BYTES as f64 {
        take.emit(Err(words::config_too_large(name)));
        return;
    }
    spawn_local(async move {
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        // What is not text in braces is left to who knows more formats.
        if named.is_none() && text.as_deref().is_some_and(|text| !text.trim_start().starts_with('{')) {
            weights.emit(file);
            return;
        }
        take.emit(text.ok_or_else(|| words::config_unreadable(name)));
    });
}

/// Listens for files that are dropped anywhere on the page.
pub(super) fn dropped(take: &Callback<Result<String, String>>, weights: &Callback<File>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let files = |event: &web_sys::Event| {
        let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
        transfer.types().includes(&"Files".into(), 0).then_some(transfer)
    };
    let (take, weights) = (take.clone(), weights.clone());
    let options = EventListenerOptions::enable_prevent_default();
    vec![
        // Without this the browser would leave the page for the file.
        EventListener::new_with_options(&window, "dragover", options, move |event| {
            if files(event).is_some() {
                event.prevent_default();
            }
        }),
        EventListener::new_with_options(&window, "drop", options, move |event| {
            let Some(transfer) = files(event) else { return };
            event.prevent_default();
            if let Some(given) = transfer.files().and_then(|files| files.get(0)) {
                file(given, take.clone(), weights.clone());
            }
        }),
    ]
}
