//! Fetches the tables of weights that the schemes on screen need, and says where one cannot be had.

use crate::tables;
use crate::ui::frame;
use crate::words;
use posenc::Config;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// The notice of tables that could not be had, or an empty place for it; `changed` is called when something became known
/// of a table. No scheme of the module of the first screens has a table.
pub fn weights(schemes: &[Config], changed: &Callback<()>) -> Html {
    if cfg!(feature = "full") {
        html! { <Weights schemes={schemes.to_vec()} version={tables::version()} said={words::complete()} {changed} /> }
    } else {
        Html::default()
    }
}

/// What is needed.
#[derive(Properties, PartialEq)]
pub struct WeightsProps {
    /// The schemes on screen.
    pub schemes: Vec<Config>,
    /// Whether all words are here.
    pub said: bool,
    /// A number that changes when something became known of a table.
    pub version: u32,
    /// Called when it does.
    pub changed: Callback<()>,
}

/// The notice of tables that could not be had, or an empty place for it.
#[component]
pub fn Weights(props: &WeightsProps) -> Html {
    let WeightsProps { schemes, changed, .. } = props;
    use_effect_with(changed.clone(), |changed| tables::watch(changed.clone()));
    use_effect_with(tables::wanted(schemes), {
        let changed = changed.clone();
        move |wanted: &Vec<posenc::Asset>| {
            for asset in wanted.clone() {
                let changed = changed.clone();
                spawn_local(async move {
                    let _busy = frame::busy();
                    tables::fetch(asset).await;
                    changed.emit(());
                });
            }
        }
    });
    let failed = tables::failed(schemes);
    let again = {
        let files: Vec<&'static str> = failed.iter().map(|(file, _)| *file).collect();
        let changed = changed.clone();
        Callback::from(move |_: MouseEvent| {
            for file in &files {
                tables::forget(file);
            }
            changed.emit(());
        })
    };
    html! {
        <div class="notices" role="status" aria-live="polite">
            <ul hidden={failed.is_empty()}>
                { for failed.iter().map(|(file, message)| html! { <li key={*file} data-notice={*file}>{ message }</li> }) }
            </ul>
            <button type="button" hidden={failed.is_empty()} onclick={again}>{ words::weights_again() }</button>
        </div>
    }
}
