//! Figures alone, for another page's frame.

use crate::state::{Action, Page, State};
use crate::ui::{board::board, header::address};
use crate::words;
use yew::prelude::*;

/// The figures and a small link back.
pub fn embed(state: &State, dispatch: &Callback<Action>) -> Html {
    html! {
        <div class="embed" key="embed">
            <h1 class="visually-hidden">{ words::header_brand() }</h1>
            { board(state, false, dispatch) }
            <p class="embed__back">
                <a href={address(state, Page::Explore)} target="_blank" rel="noopener">{ words::embed_back() }</a>
            </p>
        </div>
    }
}
