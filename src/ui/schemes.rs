//! The schemes that are compared: choose, add, remove, set.

use super::field::Field;
use super::select::Select;
use super::{click, slot_class};
use crate::schemes::{find, offered};
use crate::state::{Action, Edit, MOST_SCHEMES, Target};
use crate::words;
use posenc::{Config, SchemeSpec};
use yew::prelude::*;

fn choose(label: String, current: Option<&'static SchemeSpec>, chosen: Callback<&'static SchemeSpec>) -> Html {
    let chosen = Callback::from(move |id: String| {
        if let Some(spec) = find(&id) {
            chosen.emit(spec);
        }
    });
    let schemes = offered().iter().map(|spec| (spec.id, words::scheme_name(spec.id)));
    let options: Vec<_> = std::iter::once(("", label.clone())).chain(schemes).collect();
    html! { <Select {label} {options} value={current.map_or("", |spec| spec.id)} {chosen} /> }
}

/// The list of schemes with their parameters: those of the keys in `only`, or all; `many` tells whether schemes can be
/// added and removed.
pub fn schemes(schemes: &[Config], only: Option<&[&str]>, many: bool, dispatch: &Callback<Action>) -> Html {
    let slots = schemes.iter().enumerate().map(|(slot, config)| {
        let replace = dispatch.reform(move |spec| Action::Edit(Edit::ReplaceScheme(slot, spec), None));
        let remove = click(dispatch, Action::Edit(Edit::RemoveScheme(slot), None));
        let name = words::scheme_name(config.spec.id);
        let fields = config.settings.iter().filter(|(spec, _)| config.settings.relevant(spec));
        let fields = fields.filter(|(spec, _)| only.is_none_or(|keys| keys.contains(&spec.key)));
        html! {
            <li key={slot} class="schemes__slot">
                <div class="schemes__head">
                    <span class={slot_class(slot)} aria-hidden="true"></span>
                    { choose(words::schemes_slot(slot + 1), Some(config.spec), replace) }
                    <button type="button" onclick={remove} hidden={!many || schemes.len() == 1}
                        aria-label={words::schemes_remove(&name)} class="button--quiet">{ "×" }</button>
                </div>
                <div class="schemes__fields">
                    { for fields.map(|(spec, value)| html! {
                        <Field key={spec.key} target={Target::Scheme(slot)} spec={*spec} value={value.clone()} said={words::complete()} dispatch={dispatch.clone()} />
                    }) }
                </div>
            </li>
        }
    });
    let add = dispatch.reform(|spec| Action::Edit(Edit::AddScheme(spec), None));
    html! {
        <div class="schemes">
            <ol class="schemes__list">{ for slots }</ol>
            <div hidden={!many || schemes.len() >= MOST_SCHEMES}>
                { choose(words::schemes_add().to_owned(), None, add) }
            </div>
        </div>
    }
}
