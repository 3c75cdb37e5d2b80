//! What was not taken as given, said where everybody hears it.

use crate::state::{Action, say};
use crate::words;
use posenc::Repair;
use yew::prelude::*;

/// What is said.
#[derive(Properties, PartialEq)]
pub struct NoticesProps {
    /// Values that were not taken as given.
    pub notices: Vec<Repair>,
    /// Where the dismissal goes.
    pub dispatch: Callback<Action>,
}

/// A link may have a thousand mistakes; the first few tell.
const MOST_SHOWN: usize = 6;
/// The notices, or an empty place for them.
#[component]
pub fn Notices(props: &NoticesProps) -> Html {
    let NoticesProps { notices, dispatch } = props;
    let more = notices.len().saturating_sub(MOST_SHOWN);
    html! {
        <div class="notices" role="status" aria-live="polite">
            <ul hidden={notices.is_empty()}>
                { for notices.iter().take(MOST_SHOWN).enumerate().map(|(i, repair)| html! {
                    <li key={i} data-notice={repair.key.clone()}>{ say(repair) }</li>
                }) }
                <li key="more" hidden={more == 0}>{ words::notice_more(more) }</li>
            </ul>
            <button type="button" hidden={notices.is_empty()} onclick={dispatch.reform(|_| Action::Dismiss)}>
                { words::notice_dismiss() }
            </button>
        </div>
    }
}
