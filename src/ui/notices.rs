//! What was not taken as given, said where everybody hears it.

use crate::state::{Action, say};
use crate::words;
use posenc::Repair;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// A link may have a thousand mistakes; the first few tell.
const MOST_SHOWN: usize = 6;
/// The notices, or an empty place for them.
pub fn notices(notices: &[Repair], dispatch: &Callback<Action>) -> Html {
    let dismiss = dispatch.reform(|_: MouseEvent| {
        // The button goes: the focus stays on the page.
        let main = web_sys::window().and_then(|window| window.document()?.get_element_by_id("main"));
        if let Some(main) = main.and_then(|main| main.dyn_into::<HtmlElement>().ok()) {
            let _ = main.focus();
        }
        Action::Dismiss
    });
    let more = notices.len().saturating_sub(MOST_SHOWN);
    html! {
        <div class="notices" role="status" aria-live="polite">
            <ul hidden={notices.is_empty()}>
                { for notices.iter().take(MOST_SHOWN).enumerate().map(|(i, repair)| html! {
                    <li key={i} data-notice={repair.key.clone()}>{ say(repair) }</li>
                }) }
                <li key="more" hidden={more == 0}>{ words::notice_more(more) }</li>
            </ul>
            <button type="button" hidden={notices.is_empty()} onclick={dismiss}>
                { words::notice_dismiss() }
            </button>
        </div>
    }
}
