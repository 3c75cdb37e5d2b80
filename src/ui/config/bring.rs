//! Where the text of a config comes from, and that it is still there after the page was loaded again.

use crate::words;
use gloo_events::EventListener;
use posenc::config::MOST_BYTES;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, Storage};
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

/// What `static/boot.js` calls the file that was dropped on the page last.
const DROPPED: &str = "placewiseDropped";

/// Takes the file that was dropped on the page before, and those that are from now on.
pub(super) fn dropped(take: &Callback<Result<String, String>>, weights: &Callback<File>) -> Option<EventListener> {
    let (take, weights) = (take.clone(), weights.clone());
    let look = move || {
        let global = js_sys::global();
        let given = js_sys::Reflect::get(&global, &DROPPED.into()).ok().and_then(|file| file.dyn_into::<File>().ok());
        if let Some(given) = given {
            let _ = js_sys::Reflect::delete_property(&global, &DROPPED.into());
            file(given, take.clone(), weights.clone());
            uncover();
        }
    };
    look();
    Some(EventListener::new(&web_sys::window()?.into(), "drop", move |_| look()))
}

/// Brings the place into sight where it is said what a file is: it may lie in the folded sheet of a narrow page.
fn uncover() -> Option<()> {
    // The first module's sheet may still be on the page: this one has the field.
    let field = web_sys::window()?.document()?.get_element_by_id("config-text")?;
    let sheet = field.closest(".explore__controls").ok()??;
    if let Ok(Some(button)) = sheet.query_selector(".explore__sheet[aria-expanded=false]") {
        button.dyn_into::<HtmlElement>().ok()?.click();
    }
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    sheet.query_selector("#model-config").ok()??.scroll_into_view_with_scroll_into_view_options(&options);
    Some(())
}
