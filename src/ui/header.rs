//! The line at the top: where one can go, undo and redo, how the page looks, and what opens the dialog
//! for sharing.

use crate::state::{Action, Edit, Page, Place, State, Target, link};
use crate::ui::click;
use crate::ui::rested::use_rested;
use crate::ui::select::Select;
use crate::words;
use std::mem;
use yew::prelude::*;

/// What the header shows.
#[derive(Properties, PartialEq)]
pub struct HeaderProps {
    /// Everything that is set: links to other pages carry it.
    pub state: State,
    /// Whether there is a step to undo.
    pub can_undo: bool,
    /// Whether there is a step to redo.
    pub can_redo: bool,
    /// Where changes go.
    pub dispatch: Callback<Action>,
}

/// The address of another page with everything set as here.
pub fn address(state: &State, page: Page) -> String {
    link::write(&State { page, ..state.clone() })
}

/// The header.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let HeaderProps { state, can_undo, can_redo, dispatch } = props;
    let theme = state.globals.choice("theme");
    let themes = ["system", "light", "dark"].map(|word| (word, words::option_choice("global", "theme", word))).to_vec();
    let chosen = dispatch.reform(|value| Action::Edit(Edit::Set(Target::Global, "theme", value), None));
    // They carry everything that is set, and are written when that rests.
    let rested = use_rested(state);
    let [home, explore, learn, about] = &*use_memo(rested, |state| {
        [Page::Home, Page::Explore, Page::Learn(Place::default()), Page::About]
            .map(|page| AttrValue::from(address(state, page)))
    });
    let item = |page: Page, address: &AttrValue, label: &'static str| {
        let here = mem::discriminant(&state.page) == mem::discriminant(&page);
        html! { <a href={address} aria-current={here.then_some("page")}>{ label }</a> }
    };
    html! {
        <header class="header">
            <a class="header__brand" href={home}>
                <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
                    <circle cx="12" cy="12" r="10.25" fill="none" stroke="currentColor" stroke-width="1.5" />
                    <path d="M12 12 19.2 7.6" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
                    <circle cx="12" cy="12" r="1.6" fill="currentColor" />
                </svg>
                { words::header_brand() }
            </a>
            <nav class="header__nav" aria-label={words::header_pages()}>
                { item(Page::Explore, explore, words::header_explore()) }
                { item(Page::Learn(Place::default()), learn, words::header_learn()) }
                { item(Page::About, about, words::header_about()) }
            </nav>
            <div class="header__tools" role="group" aria-label={words::header_tools()}>
                <button type="button" disabled={!can_undo} onclick={click(dispatch, Action::Undo)} title={words::header_undo_keys()}>
                    { labelled("↶", words::header_undo()) }
                </button>
                <button type="button" disabled={!can_redo} onclick={click(dispatch, Action::Redo)} title={words::header_redo_keys()}>
                    { labelled("↷", words::header_redo()) }
                </button>
                <button type="button" onclick={click(dispatch, Action::Edit(Edit::ResetAll, None))} title={words::header_reset_help()}>
                    { labelled("⟲", words::header_reset()) }
                </button>
                <Select label={words::header_theme()} options={themes} value={theme} {chosen} />
                <button type="button" id="share-page" class="button--main" onclick={click(dispatch, Action::share(None))}>
                    <span class="word">{ words::header_share() }</span>
                </button>
            </div>
        </header>
    }
}

/// A sign and its word; on a narrow screen only the sign is seen.
fn labelled(sign: &'static str, word: &'static str) -> Html {
    html! {
        <>
            <span class="sign" aria-hidden="true">{ sign }</span>
            <span class="word">{ word }</span>
        </>
    }
}
