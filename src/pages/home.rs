//! The first screen: one scheme, its figures, three things to try.

use super::{PageProps, tries};
use crate::state::{Page, Target};
use crate::ui::{board::Board, field::Field, header::address, schemes::Schemes};
use crate::words;
use yew::prelude::*;

/// The first parameters that a newcomer may pull at; the rest is on the Explore page.
fn first_fields() -> Vec<String> {
    ["d_model", "base", "head_dim", "rope_theta"].map(str::to_owned).to_vec()
}

/// The first screen.
#[component]
pub fn Home(props: &PageProps) -> Html {
    let PageProps { state, dispatch } = props;
    let length = state.globals.iter().find(|(spec, _)| spec.key == "length");
    html! {
        <div class="home">
            <div class="home__intro">
                <h1>{ words::home_title() }</h1>
                <p class="prose">{ words::home_lead() }</p>
            </div>
            <div class="home__board">
                <Board state={state.clone()} options={false} dispatch={dispatch.clone()} />
            </div>
            <section class="home__controls" aria-label={words::explore_controls()}>
                <Schemes schemes={state.schemes.clone()} only={first_fields()} many={false} dispatch={dispatch.clone()} />
                { for length.map(|(spec, value)| html! {
                    <Field target={Target::Global} spec={*spec} value={value.clone()} dispatch={dispatch.clone()} />
                }) }
            </section>
            <div class="home__tries">
                <h2>{ words::home_try() }</h2>
                { tries::list() }
                <p><a class="button button--main" href={address(state, Page::Explore)}>{ words::home_explore() }</a></p>
            </div>
        </div>
    }
}
