//! The first screen: one sentence, ways to the other pages, one scheme, its figures, three things to try.

use super::tries::{self, links};
use crate::state::{Action, Page, State, Target};
use crate::ui::{board::board, field::Field, header::address, schemes::schemes};
use crate::words;
use yew::prelude::*;

/// The first parameters that a newcomer may pull at; the rest is on the Explore page.
const FIRST_FIELDS: [&str; 4] = ["d_model", "base", "head_dim", "rope_theta"];

/// Where else one can go. They carry nothing that is set here, as links to a lesson never do.
static WAYS: [(&str, &str); 5] = [
    ("try.lessons", "#/learn/order"),
    ("try.explorer", "#/explore"),
    ("try.myths", "#/learn/myths"),
    ("try.questions", "#/learn/questions"),
    ("try.pitfalls", "#/learn/pitfalls"),
];

/// The first screen.
pub fn home(state: &State, dispatch: &Callback<Action>) -> Html {
    let length = state.globals.iter().find(|(spec, _)| spec.key == "length");
    html! {
        <div class="home" key="home">
            <div class="home__intro">
                <h1>{ words::home_title() }</h1>
                <p class="prose">{ words::home_lead() }</p>
                { links("home__ways", &WAYS) }
                <p>{ words::home_touch() }</p>
            </div>
            <div class="home__board">
                { board(state, false, dispatch) }
            </div>
            <section class="home__controls" aria-label={words::home_controls()}>
                { schemes(&state.schemes, Some(&FIRST_FIELDS), false, dispatch) }
                { for length.map(|(spec, value)| html! {
                    <Field target={Target::Global} spec={*spec} value={value.clone()} said={words::complete()} dispatch={dispatch.clone()} />
                }) }
            </section>
            <div class="home__tries">
                <h2>{ words::home_try() }</h2>
                { links("tries", &tries::TRIES) }
                <p><a class="button button--main" href={address(state, Page::Explore)}>{ words::home_explore() }</a></p>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_of_the_first_screen_are_there_from_the_first() {
        for key in FIRST_FIELDS {
            assert!(words::is_first(&format!("param.{key}")), "{key}");
        }
        for scheme in crate::schemes::offered() {
            assert!(words::is_first(&format!("scheme.{}.name", scheme.id)), "{}", scheme.id);
        }
        for figure in crate::figures::first_screen() {
            assert!(words::is_first(&format!("figure.{}.title", figure.id)), "{}", figure.id);
        }
    }
}
