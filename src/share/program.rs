//! Code that computes what is on screen, to be copied or saved.

use super::code::{Extent, Language, Missing, write};
use super::dialog::Copied;
use super::{place, save};
use crate::figures;
use crate::state::{State, link};
use crate::ui::select::Select;
use crate::words;
use posenc::grid::Grid;
use yew::prelude::*;

/// What it computes, and where it is said that it was saved.
#[derive(Properties, PartialEq)]
pub(super) struct CodeProps {
    pub(super) state: State,
    pub(super) say: Callback<String>,
}

/// The keys of slots in a list.
const SLOTS: [&str; 4] = ["0", "1", "2", "3"];

fn word(language: Language) -> (&'static str, String) {
    match language {
        Language::NumPy => ("numpy", words::share_numpy().to_owned()),
        Language::Torch => ("torch", words::share_torch().to_owned()),
        Language::Rust => ("rust", words::share_rust().to_owned()),
    }
}

/// The sequence and, for patches, the image of that figure.
fn extent(state: &State) -> Extent {
    let side = |key: &str| {
        let options = figures::find("patches").map(|figure| state.options(figure));
        options.map_or(1, |options| options.integer(key).max(1) as usize)
    };
    Extent { length: state.length(), grid: Grid { height: side("rows"), width: side("cols") } }
}

/// The part.
#[component]
pub(super) fn Code(props: &CodeProps) -> Html {
    let CodeProps { state, say } = props;
    let slot = use_state_eq(|| SLOTS[0]);
    let language = use_state_eq(|| Language::NumPy);
    let config = SLOTS.iter().position(|key| key == &*slot).and_then(|slot| state.schemes.get(slot));
    let Some(config) = config.or(state.schemes.first()) else { return Html::default() };
    let schemes: Vec<_> =
        SLOTS.iter().zip(&state.schemes).map(|(key, config)| (*key, words::scheme_name(config.spec.id))).collect();
    let take_slot = {
        let slot = slot.setter();
        Callback::from(move |key: String| {
            if let Some(key) = SLOTS.iter().find(|other| **other == key) {
                slot.set(key);
            }
        })
    };
    let take_language = {
        let language = language.setter();
        Callback::from(move |key: String| {
            if let Some(one) = Language::ALL.into_iter().find(|one| word(*one).0 == key) {
                language.set(one);
            }
        })
    };
    let code = write(config, extent(state), *language, &place::shared(&link::write(state)));
    let scheme = words::scheme_name(config.spec.id);
    let none = code.as_ref().err().map(|missing| match missing {
        Missing::Nothing => words::share_code_nothing(&scheme),
        Missing::Weights => words::share_code_weights(&scheme),
        Missing::Undefined(error) => words::draw_error(&scheme, error),
        Missing::Unwritten => words::share_no_code(&scheme, word(*language).1),
    });
    let code = code.ok();
    let file = format!("placewise_{}.{}", config.spec.id.replace('-', "_"), language.extension());
    let keep = {
        let (say, code, file) = (say.clone(), code.clone().unwrap_or_default(), file);
        Callback::from(move |_: MouseEvent| {
            let saved =
                save::bytes(code.as_bytes(), "text/plain;charset=utf-8").is_some_and(|blob| save::save(&blob, &file));
            say.emit(if saved { words::share_saved(&file) } else { words::share_not_saved(&file) });
        })
    };
    html! {
        <>
            <div class="share__look">
                <div class="field" hidden={schemes.len() < 2}>
                    <label for="share-scheme">{ words::share_scheme() }</label>
                    <div class="field__control"><Select id="share-scheme" options={schemes} value={*slot} chosen={take_slot} /></div>
                </div>
                <div class="field">
                    <label for="share-language">{ words::share_language() }</label>
                    <div class="field__control">
                        <Select id="share-language" options={Language::ALL.map(word).to_vec()} value={word(*language).0} chosen={take_language} />
                    </div>
                </div>
            </div>
            <div class="share__code" hidden={code.is_none()}>
                <Copied text={code.clone().unwrap_or_default()} label={words::share_code()} done={words::share_code_copied()} lines=true say={say.clone()} />
                <button type="button" onclick={keep}>{ words::share_save() }</button>
            </div>
            <p hidden={none.is_none()}>{ none }</p>
            <p class="share__about">{ words::share_code_about() }</p>
        </>
    }
}
