//! How high an embed is: what the one in the preview says of itself, as a page hears it that has the snippet.

use gloo_events::EventListener;
use std::ops::RangeInclusive;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MessageEvent;
use yew::prelude::*;

/// Heights that are believed, in CSS pixels.
const HEIGHTS: RangeInclusive<f64> = 1.0..=20_000.0;

/// What was told of an embed, in CSS pixels; nothing before it is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Told {
    /// The link that it is of.
    embed: String,
    /// The last, at whatever width.
    pub(super) last: Option<f64>,
    /// In a column of text.
    pub(super) column: Option<f64>,
}

/// Listens to the frame that shows `embed`, which is now as wide as a column of text, or is not.
#[hook]
pub(super) fn use_height(frame: &NodeRef, embed: &str, is_column: bool) -> Told {
    let told = use_state_eq(Told::default);
    let known = use_mut_ref(Told::default);
    use_effect_with((embed.to_owned(), is_column), {
        let (frame, told) = (frame.clone(), told.setter());
        move |(embed, is_column): &(String, bool)| {
            let (embed, is_column) = (embed.clone(), *is_column);
            let hear = move |event: &Event| {
                let Some(height) = event.dyn_ref().and_then(|message| height(message, &frame)) else { return };
                let mut known = known.borrow_mut();
                if known.embed != embed {
                    *known = Told { embed: embed.clone(), ..Told::default() };
                }
                known.last = Some(height);
                if is_column {
                    known.column = Some(height);
                }
                told.set(known.clone());
            };
            let listener = web_sys::window().map(|window| EventListener::new(&window, "message", hear));
            move || drop(listener)
        }
    });
    if told.embed == embed { (*told).clone() } else { Told::default() }
}

/// The height in a message of the frame, in the form that stands by itself.
fn height(message: &MessageEvent, frame: &NodeRef) -> Option<f64> {
    let get = |of: &JsValue, key: &str| js_sys::Reflect::get(of, &JsValue::from_str(key)).ok();
    let window = get(&frame.get()?.into(), "contentWindow")?;
    let data = message.data();
    let is_height = *message.source()? == window
        && get(&data, "sentinel")?.as_string()? == "amp"
        && get(&data, "type")?.as_string()? == "embed-size";
    get(&data, "height")?.as_f64().filter(|height| is_height && HEIGHTS.contains(height))
}
