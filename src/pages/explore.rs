//! The board with all its controls, and what is said of it.

use super::{PageProps, explanation::Explanation};
use crate::figures::{self, FigureSpec};
use crate::state::{Action, Edit, MOST_FIGURES, State, Target, Wanted};
use crate::ui::{board::board, field::Field, schemes::schemes};
use crate::words;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The page.
#[component]
pub fn Explore(props: &PageProps) -> Html {
    let PageProps { state, said, dispatch, .. } = props;
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let sheet = use_node_ref();
    let escape = {
        let (open, sheet) = (open.clone(), sheet.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && *open {
                open.set(false);
                // What had the focus is in the sheet and gone.
                if let Some(button) = sheet.cast::<HtmlElement>() {
                    let _ = button.focus();
                }
            }
        })
    };
    html! {
        <div class="explore">
            <h1 class="visually-hidden">{ words::explore_title() }</h1>
            <div class="explore__board">
                { board(state, true, dispatch) }
            </div>
            <section class={classes!("explore__controls", open.then_some("explore__controls--open"))} aria-label={words::explore_controls()} onkeydown={escape}>
                <button type="button" class="explore__sheet" ref={sheet} aria-expanded={open.to_string()} onclick={toggle}>
                    { words::explore_controls() }
                </button>
                <div class="explore__groups">{ controls(state, dispatch) }</div>
            </section>
            <aside class="explore__about" aria-label={words::explore_about()}>
                { explanation(state, *said) }
            </aside>
        </div>
    }
}

/// What is said of schemes and figures.
#[cfg(feature = "full")]
fn explanation(state: &State, said: bool) -> Html {
    let figures = state.figures.iter().map(|figure| figure.id).collect::<Vec<_>>();
    html! { <Explanation schemes={state.schemes.clone()} length={state.length()} {figures} {said} /> }
}

/// What is said of schemes.
#[cfg(not(feature = "full"))]
fn explanation(state: &State, said: bool) -> Html {
    html! { <Explanation schemes={state.schemes.clone()} length={state.length()} {said} /> }
}

/// The range that the length and the schemes leave to a global.
pub(super) fn bounds(state: &State, key: &str) -> Option<(f64, f64)> {
    let last = state.length() as f64 - 1.0;
    match key {
        "position" => Some((0.0, last)),
        "offset" => Some((-last, last)),
        "plane" => Some((0.0, state.planes().saturating_sub(1) as f64)),
        "head" => Some((0.0, state.heads().saturating_sub(1) as f64)),
        _ => None,
    }
}

/// What of the cursor the schemes on screen have: planes, heads, both or neither.
fn cursor_keys(state: &State) -> &'static [&'static str] {
    match (state.planes() > 0, state.heads() > 0) {
        (true, true) => &["position", "offset", "plane", "head"],
        (true, false) => &["position", "offset", "plane"],
        (false, true) => &["position", "offset", "head"],
        (false, false) => &["position", "offset"],
    }
}

fn controls(state: &State, dispatch: &Callback<Action>) -> Html {
    let globals = |keys: &'static [&'static str]| {
        keys.iter().filter_map(|key| state.globals.iter().find(|(spec, _)| spec.key == *key)).map(|(spec, value)| {
            html! {
                <Field key={spec.key} target={Target::Global} spec={*spec} value={value.clone()}
                    bounds={bounds(state, spec.key)} said={words::complete()} dispatch={dispatch.clone()} />
            }
        })
    };
    html! {
        <>
            <div class="group" key="schemes">
                <h2>{ words::explore_schemes() }</h2>
                { schemes(&state.schemes, None, true, dispatch) }
            </div>
            <div class="group" key="config">
                <h2>{ words::config_title() }</h2>
                { config(state, dispatch) }
            </div>
            <div class="group" key="sequence">
                <h2>{ words::explore_sequence() }</h2>
                { for globals(&["length"]) }
                { text(state, dispatch) }
            </div>
            <div class="group" key="cursor">
                <h2>{ words::explore_cursor() }</h2>
                { for globals(cursor_keys(state)) }
            </div>
            <div class="group" key="figures">
                <h2>{ words::explore_figures() }</h2>
                { figure_list(state, dispatch) }
                { for globals(&["palette", "seed"]) }
            </div>
        </>
    }
}

/// The words that label the positions.
pub(super) fn text(state: &State, dispatch: &Callback<Action>) -> Html {
    html! { <Text text={state.text.clone()} said={words::complete()} dispatch={dispatch.clone()} /> }
}

/// Words of the reader's own, or none.
#[derive(Properties, PartialEq)]
struct TextProps {
    text: Option<String>,
    /// Whether all words were here.
    said: bool,
    dispatch: Callback<Action>,
}

/// A field for the words. A component: Yew asks the page for a text's value at each render.
#[component]
fn Text(props: &TextProps) -> Html {
    let change = props.dispatch.reform(|event: Event| {
        let field = event.target_unchecked_into::<HtmlTextAreaElement>();
        let text = field.value();
        // An empty field brings back the text that was there at first.
        if text.trim().is_empty() {
            field.set_value(words::default_text());
        }
        Action::Edit(Edit::Text((!text.trim().is_empty()).then_some(text)), None)
    });
    html! {
        <div class="field">
            <label for="field-text">{ words::explore_text() }</label>
            <textarea id="field-text" rows="3" onchange={change} spellcheck="false"
                value={props.text.clone().unwrap_or_else(|| words::default_text().to_owned())} />
        </div>
    }
}

/// Which figures are on the board.
pub(super) fn figure_list(state: &State, dispatch: &Callback<Action>) -> Html {
    html! { <Switches figures={state.figures.clone()} said={words::complete()} dispatch={dispatch.clone()} /> }
}

/// A model's config, where this module reads one.
#[cfg(feature = "full")]
fn config(state: &State, dispatch: &Callback<Action>) -> Html {
    html! { <crate::ui::config::Panel state={state.clone()} said={words::complete()} dispatch={dispatch.clone()} /> }
}

/// What brings the module that reads it.
#[cfg(not(feature = "full"))]
fn config(_: &State, dispatch: &Callback<Action>) -> Html {
    let bring = crate::ui::click(dispatch, Action::Later(Wanted::Controls));
    html! { <button type="button" id="model-config" onclick={bring}>{ words::config_open() }</button> }
}

/// Which figures are on the board.
#[derive(Properties, PartialEq)]
struct SwitchesProps {
    figures: Vec<&'static FigureSpec>,
    /// Whether all words were here.
    said: bool,
    dispatch: Callback<Action>,
}

/// A switch for each figure. A component, so that a step of a slider passes it.
#[component]
fn Switches(props: &SwitchesProps) -> Html {
    html! { <ul class="figures">{ for figures::IDS.iter().map(|id| figure_switch(id, &props.figures, &props.dispatch)) }</ul> }
}

/// On or off the board; the last one stays.
fn figure_switch(id: &'static str, figures: &[&'static FigureSpec], dispatch: &Callback<Action>) -> Html {
    let on = figures.iter().any(|figure| figure.id == id);
    let fixed = if on { figures.len() == 1 } else { figures.len() >= MOST_FIGURES };
    let mut next = figures.to_vec();
    let action = match figures::find(id) {
        None => Action::Later(Wanted::Figure(id)),
        Some(spec) => {
            if on {
                next.retain(|figure| figure.id != id);
            } else {
                next.push(spec);
            }
            Action::Edit(Edit::Figures(next), None)
        }
    };
    let dispatch = dispatch.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        if let Action::Later(_) = action {
            // The state stays as it is, and so does the box.
            event.prevent_default();
        }
        dispatch.emit(action.clone());
    });
    html! {
        <li key={id}>
            <label class="figures__switch" title={words::figure_about(id)}>
                <input type="checkbox" id={format!("figure-{id}")} checked={on} disabled={fixed} {onclick} />
                { words::figure_title(id) }
            </label>
        </li>
    }
}
