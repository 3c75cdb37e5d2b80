//! The figures of one link in the midst of a text: a board of its own, with its own undo, hover and playback.

use super::{
    board::board, click, header::address, notices::notices, passing::Passing, rested::use_rested, store::Store,
};
use crate::share::Shared;
use crate::state::{Action, App, Page, State, link};
use crate::ui::weights::weights;
use crate::words;
use yew::prelude::*;

/// What is live.
#[derive(Properties, PartialEq)]
pub struct LiveProps {
    /// A link in the grammar of [`link`]. Another link is another board: give each its key.
    pub link: AttrValue,
    /// Whether all words are here.
    pub said: bool,
    /// Where goes what is the page's: the dialog for sharing.
    pub dispatch: Callback<Action>,
}

/// The figures of a link. What is changed in them stays in them.
#[component]
pub fn Live(props: &LiveProps) -> Html {
    let opened = use_memo(props.link.clone(), |link| link::parse("", link));
    let store = use_reducer_eq(|| Store(App::new(opened.0.clone(), opened.1.clone())));
    let passing = use_memo((), |()| Passing::default());
    let arrived = use_force_update();
    let changed = use_callback((), move |(), ()| arrived.force_update());
    // What is shared is what is seen when the button is pressed.
    let latest = use_mut_ref(|| store.clone());
    latest.replace(store.clone());
    let dispatch = use_callback(props.dispatch.clone(), move |action, page| {
        let store = latest.borrow().clone();
        match action {
            Action::Share(Shared { figure, .. }) => {
                let state = Some(Box::new(store.0.state.clone()));
                page.emit(Action::Share(Shared { figure, state }));
            }
            action => store.dispatch(action),
        }
    });
    let state = &store.0.state;
    let rested = use_rested(state);
    let explore = use_memo(rested, |state| AttrValue::from(address(state, Page::Explore)));
    let again = Action::Opened(Box::new(State::clone(&opened.0)), Vec::new());
    let untouched = *state == opened.0;
    html! {
        <ContextProvider<Passing> context={(*passing).clone()}>
            <div class="live" data-live="">
                { notices(&store.0.notices, &dispatch) }
                { weights(&state.schemes, &changed) }
                { board(state, true, &dispatch) }
                <p class="live__tools">
                    <a class="button" href={(*explore).clone()}>{ words::live_explore() }</a>
                    <button type="button" disabled={untouched} onclick={click(&dispatch, again)}>{ words::live_again() }</button>
                </p>
            </div>
        </ContextProvider<Passing>>
    }
}
