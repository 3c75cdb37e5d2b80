//! Figures alone, for another page's frame. What the frame and that page say to each other is in `static/aside/embed.js`.

#[cfg(feature = "full")]
mod controls;
#[cfg(feature = "full")]
mod sight;

use crate::state::{Action, Page, State};
use crate::ui::{board::board, header::address};
use crate::words;
use yew::prelude::*;

/// The figures, the controls that the link names, and a small link back.
pub fn embed(state: &State, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="embed" key="embed">
            <h1 class="visually-hidden">{ words::header_brand() }</h1>
            { board(state, false, dispatch) }
            { more(state, dispatch) }
            <p class="embed__back">
                <a href={address(state, Page::Explore)} target="_blank" rel="noopener">{ words::embed_back() }</a>
            </p>
        </div>
    }
}

/// What the whole app has more: `static/boot.js` starts that where a link names controls.
#[cfg(feature = "full")]
fn more(state: &State, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            { controls::controls(state, dispatch) }
            <sight::Sight />
        </>
    }
}

#[cfg(not(feature = "full"))]
fn more(_: &State, _: &Callback<Action>) -> Html {
    Html::default()
}
