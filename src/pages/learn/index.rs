//! The list of lessons, with what was answered in this browser.

use super::{answers, pitfalls, questions, word};
use crate::state::{Page, Place, State};
use crate::ui::header::address;
use crate::words;
use yew::prelude::*;

/// What the page says.
#[derive(Properties, PartialEq)]
pub(super) struct IndexProps {
    /// Everything that is set: links to other pages carry it.
    pub(super) state: State,
    /// Whether all words are here.
    pub(super) said: bool,
}

/// The page.
#[component]
pub(super) fn Index(props: &IndexProps) -> Html {
    let IndexProps { state, said: _ } = props;
    // Who comes from the end of a lesson reads it from its beginning.
    use_effect_with((), |()| {
        if let Some(window) = web_sys::window() {
            window.scroll_to_with_x_and_y(0.0, 0.0);
        }
    });
    let (numbered, others): (Vec<&str>, Vec<&str>) =
        words::LESSONS.into_iter().partition(|name| !word(name, "number").is_empty());
    let link = |page: Page| address(state, page);
    html! {
        <article class="learn" key="learn">
            <h1>{ words::learn_title() }</h1>
            <p class="learn__lead prose">{ words::learn_lead() }</p>
            <h2 class="visually-hidden">{ words::learn_lessons() }</h2>
            <ol class="learn__list">
                { for numbered.into_iter().map(|name| html! {
                    <li key={name} class="learn__item">
                        <span class="learn__number" aria-hidden="true">{ word(name, "number") }</span>
                        <div>
                            { door(&format!("#/learn/{name}"), word(name, "title"), word(name, "summary")) }
                            <p class="learn__done">{ done(name) }</p>
                        </div>
                    </li>
                }) }
            </ol>
            <h2 class="learn__more">{ words::learn_more() }</h2>
            <ul class="learn__list learn__list--doors">
                { for others.into_iter().map(|name| html! {
                    <li key={name} class="learn__item">
                        <div>
                            { door(&format!("#/learn/{name}"), word(name, "title"), word(name, "summary")) }
                            <p class="learn__done">{ done(name) }</p>
                        </div>
                    </li>
                }) }
                <li key="questions" class="learn__item"><div>
                    { door(&link(Page::Learn(Place::new(questions::NAME))), words::learn_questions(), words::learn_questions_about()) }
                </div></li>
                <li key="pitfalls" class="learn__item"><div>
                    { door(&link(Page::Learn(Place::new(pitfalls::NAME))), words::learn_pitfalls(), words::learn_pitfalls_about()) }
                </div></li>
                <li key="explore" class="learn__item"><div>
                    { door(&link(Page::Explore), words::learn_explore(), words::learn_explore_about()) }
                </div></li>
            </ul>
        </article>
    }
}

fn door(address: &str, title: &'static str, about: &'static str) -> Html {
    html! {
        <>
            <h3><a href={address.to_owned()}>{ title }</a></h3>
            <p>{ about }</p>
        </>
    }
}

/// How far the reader is; empty where nothing was answered.
fn done(name: &str) -> String {
    let answered = answers::kept(name).iter().flatten().count();
    let asks = word(name, "asks").parse().unwrap_or(0);
    match answered {
        0 => String::new(),
        answered if answered >= asks => words::learn_done().to_owned(),
        answered => words::learn_part(answered, asks),
    }
}
