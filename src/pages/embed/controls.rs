//! The controls that a link names, in its order: a reader gets those that the author of the page meant, and no more.

use crate::pages::explore::{bounds, figure_list, text};
use crate::state::{Action, Controls, State, Target};
use crate::ui::{field::Field, schemes::schemes, slot_class};
use crate::words;
use posenc::{ParamSpec, Value};
use yew::prelude::*;

/// Nothing where the link names none.
pub(super) fn controls(state: &State, dispatch: &Callback<Action>) -> Html {
    let keys: &[String] = match &state.controls {
        Controls::All => &[],
        Controls::Only(keys) => keys,
    };
    html! {
        <div class="embed__controls">
            { for keys.iter().map(|key| html! { <div key={key.clone()}>{ control(key, state, dispatch) }</div> }) }
        </div>
    }
}

fn control(key: &str, state: &State, dispatch: &Callback<Action>) -> Html {
    match key {
        "schemes" => return schemes(&state.schemes, Some(&[]), true, dispatch),
        "figures" => return figure_list(state, dispatch),
        "text" => return text(state, dispatch),
        _ => {}
    }
    let field = |target, spec: &ParamSpec, value: &Value, bounds: Option<(f64, f64)>| {
        html! {
            <Field {target} spec={*spec} value={value.clone()} {bounds} said={words::complete()} dispatch={dispatch.clone()} />
        }
    };
    if let Some((spec, value)) = state.globals.iter().find(|(spec, _)| spec.key == key) {
        return field(Target::Global, spec, value, bounds(state, key));
    }
    if let Some((id, option)) = key.split_once('.') {
        let figure = state.figures.iter().find(|figure| figure.id == id);
        let found = figure.and_then(|figure| {
            let settings = state.options(figure);
            let (spec, value) = settings.iter().find(|(spec, _)| spec.key == option)?;
            settings.relevant(spec).then(|| field(Target::Figure(figure.id), spec, value, None))
        });
        return found.unwrap_or_default();
    }
    // A parameter is that of every scheme that has it.
    let many = state.schemes.len() > 1;
    let fields = state.schemes.iter().enumerate().filter_map(|(slot, config)| {
        let (spec, value) = config.settings.iter().find(|(spec, _)| spec.key == key)?;
        config.settings.relevant(spec).then(|| {
            html! {
                <div key={slot}>
                    <span class={slot_class(slot)} hidden={!many} aria-hidden="true"></span>
                    { field(Target::Scheme(slot), spec, value, None) }
                </div>
            }
        })
    });
    html! { <>{ for fields }</> }
}
