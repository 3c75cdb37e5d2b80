//! What was not taken as given, said where everybody hears it.

use crate::state::{Action, say};
use crate::ui::click;
use crate::words;
use posenc::Repair;
use yew::prelude::*;

/// A link may have a thousand mistakes; the first few tell.
const MOST_SHOWN: usize = 6;
/// The notices, or an empty place for them.
pub fn notices(notices: &[Repair], dispatch: &Callback<Action>) -> Html {
    let more = notices.len().saturating_sub(MOST_SHOWN);
    html! {
        <div class="notices" role="status" aria-live="polite">
            <ul hidden={notices.is_empty()}>
                { for notices.iter().take(MOST_SHOWN).enumerate().map(|(i, repair)| html! {
                    <li key={i} data-notice={repair.key.clone()}>{ say(repair) }</li>
                }) }
                <li key="more" hidden={more == 0}>{ words::notice_more(more) }</li>
            </ul>
            <button type="button" hidden={notices.is_empty()} onclick={click(dispatch, Action::Dismiss)}>
                { words::notice_dismiss() }
            </button>
        </div>
    }
}
