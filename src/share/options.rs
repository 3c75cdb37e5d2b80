//! Fields for what the reader finds: theme, palette, language, playing.

use super::choices::Choices;
use crate::state::{GLOBALS, State};
use crate::ui::select::Select;
use crate::words;
use posenc::Kind;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What is chosen, and where a choice goes.
#[derive(Properties, PartialEq)]
pub(super) struct LookProps {
    pub(super) choices: Choices,
    pub(super) choose: Callback<Choices>,
    /// Whether there is something that plays.
    pub(super) plays: bool,
}

/// Whether something of it moves when the position plays.
pub(super) fn plays(state: &State) -> bool {
    state.figures.iter().any(|figure| figure.plays())
}

/// The words of a choice among the globals.
fn options(key: &str) -> &'static [&'static str] {
    GLOBALS
        .iter()
        .find_map(|spec| match spec.kind {
            Kind::Choice { options, .. } if spec.key == key => Some(options),
            _ => None,
        })
        .unwrap_or_default()
}

/// The fields.
#[component]
pub(super) fn Look(props: &LookProps) -> Html {
    let LookProps { choices, choose, plays } = props;
    // A list keeps the callback that it got first: it looks up what is chosen beside it when it is asked.
    let now = use_mut_ref(|| choices.clone());
    now.replace(choices.clone());
    let list = |key: &'static str, value: &'static str, set: fn(&mut Choices, &'static str)| {
        let words: Vec<_> =
            options(key).iter().map(|word| (*word, words::option_choice("global", key, word))).collect();
        let id = format!("share-{key}");
        let chosen = {
            let (now, choose) = (now.clone(), choose.clone());
            Callback::from(move |word: String| {
                if let Some(word) = options(key).iter().find(|other| **other == word) {
                    let mut next = now.borrow().clone();
                    set(&mut next, word);
                    choose.emit(next);
                }
            })
        };
        html! {
            // With one language there is nothing to choose.
            <div class="field" hidden={words.len() < 2}>
                <label for={id.clone()}>{ words::option("global", key) }</label>
                <div class="field__control"><Select {id} options={words} {value} {chosen} /></div>
            </div>
        }
    };
    let play = {
        let (choices, choose) = (choices.clone(), choose.clone());
        Callback::from(move |event: Event| {
            let play = event.target_unchecked_into::<HtmlInputElement>().checked();
            choose.emit(Choices { play, ..choices.clone() });
        })
    };
    html! {
        <div class="share__look">
            { list("theme", choices.theme, |choices, word| choices.theme = word) }
            { list("palette", choices.palette, |choices, word| choices.palette = word) }
            { list("lang", choices.lang, |choices, word| choices.lang = word) }
            <div class="field field--switch" hidden={!plays}>
                <label for="share-play">{ words::option("global", "play") }</label>
                <input type="checkbox" id="share-play" checked={choices.play} onchange={play} />
            </div>
        </div>
    }
}
