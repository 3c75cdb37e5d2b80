//! Figures alone, for another page's frame.

use super::PageProps;
use crate::state::Page;
use crate::ui::{board::Board, header::address};
use crate::words;
use yew::prelude::*;

/// The figures and a small link back.
#[component]
pub fn Embed(props: &PageProps) -> Html {
    let PageProps { state, dispatch } = props;
    html! {
        <div class="embed">
            <h1 class="visually-hidden">{ words::header_brand() }</h1>
            <Board state={state.clone()} options={false} dispatch={dispatch.clone()} />
            <p class="embed__back">
                <a href={address(state, Page::Explore)} target="_blank" rel="noopener">{ words::embed_back() }</a>
            </p>
        </div>
    }
}
