//! What was not taken as given, said where everybody hears it.

use crate::state::Action;
use crate::words;
use posenc::{Repair, Why};
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
/// A mistake may be a megabyte long.
const MOST_CHARS: usize = 60;

fn short(text: &str) -> String {
    if text.chars().count() <= MOST_CHARS {
        return text.to_owned();
    }
    text.chars().take(MOST_CHARS).chain(['…']).collect()
}

/// A repair in words.
pub fn sentence(repair: &Repair) -> String {
    let (key, given, used) = (short(&repair.key), short(&repair.given), short(&repair.used));
    match repair.why {
        Why::UnknownKey => words::notice_unknown_key(key),
        Why::UnknownWord if used.is_empty() => words::notice_left_out(key, given),
        Why::UnknownWord => words::notice_unknown_word(key, given, used),
        Why::NotANumber => words::notice_not_a_number(key, given, used),
        Why::OutOfRange => words::notice_out_of_range(key, given, used),
        Why::Unreadable => words::notice_unreadable(key),
    }
}

/// The notices, or an empty place for them.
#[component]
pub fn Notices(props: &NoticesProps) -> Html {
    let NoticesProps { notices, dispatch } = props;
    let more = notices.len().saturating_sub(MOST_SHOWN);
    html! {
        <div class="notices" role="status" aria-live="polite">
            <ul hidden={notices.is_empty()}>
                { for notices.iter().take(MOST_SHOWN).enumerate().map(|(i, repair)| html! {
                    <li key={i} data-notice={repair.key.clone()}>{ sentence(repair) }</li>
                }) }
                <li key="more" hidden={more == 0}>{ words::notice_more(more) }</li>
            </ul>
            <button type="button" hidden={notices.is_empty()} onclick={dispatch.reform(|_| Action::Dismiss)}>
                { words::notice_dismiss() }
            </button>
        </div>
    }
}
