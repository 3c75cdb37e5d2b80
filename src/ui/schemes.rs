//! The schemes that are compared: choose, add, remove, set.

use super::field::Field;
use super::scale::number_in;
use super::select::Select;
use super::{click, models::models, slot_class};
use crate::schemes::find;
use crate::state::{Action, Edit, MOST_SCHEMES, Target, Wanted};
use crate::words;
use posenc::IDS;
use posenc::{Config, SchemeSpec, Value};
use yew::prelude::*;

/// A list of all schemes; `slot` is that of the one which makes room for what is chosen.
fn choose(
    label: String,
    current: Option<&'static SchemeSpec>,
    slot: Option<usize>,
    dispatch: &Callback<Action>,
) -> Html {
    let dispatch = dispatch.clone();
    let chosen = Callback::from(move |id: String| {
        let Some(id) = IDS.iter().find(|other| **other == id) else { return };
        dispatch.emit(match (find(id), slot) {
            (Some(spec), Some(slot)) => Action::Edit(Edit::ReplaceScheme(slot, spec), None),
            (Some(spec), None) => Action::Edit(Edit::AddScheme(spec), None),
            (None, slot) => Action::Later(Wanted::Scheme(slot, id)),
        });
    });
    let schemes = IDS.iter().map(|id| (*id, words::scheme_name(id)));
    let options: Vec<_> = std::iter::once(("", label.clone())).chain(schemes).collect();
    // Whoever takes over from this module finds the list that had the focus again.
    let id = slot.map_or("scheme-add".to_owned(), |slot| format!("scheme-{slot}"));
    html! { <Select {id} {label} {options} value={current.map_or("", |spec| spec.id)} {chosen} /> }
}

/// One scheme of the list.
#[derive(Properties, PartialEq)]
struct SlotProps {
    slot: usize,
    config: Config,
    /// The keys of the parameters that are shown; `None` for all.
    only: Option<&'static [&'static str]>,
    /// Whether it can be removed.
    fixed: bool,
    /// Whether all words were here.
    said: bool,
    dispatch: Callback<Action>,
}

/// What is chosen in a slot, and its parameters. A component, so that a step of one scheme's slider passes the others.
#[component]
fn Slot(props: &SlotProps) -> Html {
    let SlotProps { slot, config, only, fixed, said, dispatch } = props;
    let remove = click(dispatch, Action::Edit(Edit::RemoveScheme(*slot), None));
    let encoding = config.build();
    let used = |key: &str, value: &Value| {
        let used = encoding.as_ref().ok()?.number(key)?;
        (number_in(value) != Some(used)).then_some(used)
    };
    let shown = |key: &str| only.is_none_or(|keys| keys.contains(&key));
    let fields = config.settings.iter().filter(|(spec, _)| shown(spec.key) && config.settings.relevant(spec));
    html! {
        <li class="schemes__slot">
            <div class="schemes__head">
                <span class={slot_class(*slot)} aria-hidden="true"></span>
                { choose(words::schemes_slot(slot + 1), Some(config.spec), Some(*slot), dispatch) }
                <button type="button" onclick={remove} hidden={*fixed}
                    aria-label={words::schemes_remove(words::scheme_name(config.spec.id))} class="button--quiet">{ "×" }</button>
            </div>
            <div class="schemes__fields">
                { models(*slot, config, only.is_some(), *said, dispatch) }
                // By themselves, all with keys: where some come and go, the others keep their elements, and the focus.
                <div>
                    { for fields.map(|(spec, value)| html! {
                        <Field key={spec.key} target={Target::Scheme(*slot)} spec={*spec} value={value.clone()}
                            used={used(spec.key, value)} {said} dispatch={dispatch.clone()} />
                    }) }
                </div>
            </div>
        </li>
    }
}

/// The list of schemes with their parameters: those of the keys in `only`, or all; `many` tells whether schemes can be
/// added and removed.
pub fn schemes(
    schemes: &[Config],
    only: Option<&'static [&'static str]>,
    many: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let fixed = !many || schemes.len() == 1;
    html! {
        <div class="schemes">
            <ol class="schemes__list">
                { for schemes.iter().enumerate().map(|(slot, config)| html! {
                    <Slot key={slot} {slot} config={config.clone()} {only} {fixed} said={words::complete()} dispatch={dispatch.clone()} />
                }) }
            </ol>
            <div hidden={!many || schemes.len() >= MOST_SCHEMES}>
                { choose(words::schemes_add().to_owned(), None, None, dispatch) }
            </div>
        </div>
    }
}
