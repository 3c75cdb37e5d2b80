//! A lesson: its text in scenes, each a figure with the prose that is read beside it.

use super::answers::{self, Answers};
use super::ask::Ask;
use super::follow::Follow;
use super::shown::Shown;
use super::text::{Piece, Scene, Text};
use super::word;
use crate::assets;
use crate::pages::PageProps;
use crate::state::{Action, State, lesson::Reading, link};
use crate::ui::frame;
use crate::words;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

/// Which lesson, and where the reader is.
#[derive(Properties, PartialEq)]
pub(super) struct LessonProps {
    pub(super) name: String,
    /// The block.
    pub(super) at: u32,
    pub(super) page: PageProps,
    pub(super) reading: Option<Rc<Reading>>,
}

/// How far its text is.
#[derive(Clone, PartialEq)]
enum Fetched {
    Coming,
    Failed(String),
    Here(Rc<Text>),
}

/// The lesson.
#[component]
pub(super) fn Lesson(props: &LessonProps) -> Html {
    let LessonProps { name, .. } = props;
    let fetched = use_state_eq(|| Fetched::Coming);
    let tries = use_state(|| 0);
    use_effect_with((name.clone(), *tries), {
        let fetched = fetched.clone();
        move |(name, _)| {
            let file = format!("lessons/en/{name}.html");
            fetched.set(Fetched::Coming);
            spawn_local(async move {
                let _busy = frame::busy();
                fetched.set(match assets::fetch_bytes(&file).await {
                    Ok(bytes) => {
                        Fetched::Here(Rc::new(Text::read(&String::from_utf8_lossy(&bytes)).unwrap_or_default()))
                    }
                    Err(error) => Fetched::Failed(error.to_string()),
                });
            });
        }
    });
    let again = Callback::from(move |_: MouseEvent| tries.set(*tries + 1));
    let body = match &*fetched {
        // Its questions and figures speak with words that come later.
        Fetched::Here(text) if props.page.said => html! {
            <Body name={name.clone()} at={props.at} text={text.clone()} page={props.page.clone()} reading={props.reading.clone()} />
        },
        Fetched::Failed(why) => html! {
            <div class="lesson__failed" role="alert">
                <p>{ words::learn_failed(why) }</p>
                <button type="button" onclick={again}>{ words::learn_fetch_again() }</button>
            </div>
        },
        _ => html! { <p class="muted" role="status">{ words::learn_coming() }</p> },
    };
    let number = word(name, "number");
    html! {
        <article class="lesson">
            <header class="lesson__head">
                <p class="lesson__number" hidden={number.is_empty()}>{ words::learn_number(number) }</p>
                <h1 tabindex="-1">{ word(name, "title") }</h1>
                <p class="lesson__summary">{ word(name, "summary") }</p>
            </header>
            <div class="lesson__body">{ body }</div>
            { neighbours(name) }
        </article>
    }
}

/// The lessons before and after.
fn neighbours(name: &str) -> Html {
    let place = words::LESSONS.iter().position(|other| *other == name).unwrap_or(0);
    let before = place.checked_sub(1).and_then(|place| words::LESSONS.get(place));
    let after = words::LESSONS.get(place + 1);
    let link = |name: Option<&&'static str>, class: &'static str, label: &'static str| {
        let name = name.copied().unwrap_or_default();
        html! {
            <a class={class} hidden={name.is_empty()} href={format!("#/learn/{name}")}>
                <span class="lesson__way">{ label }</span>
                <span>{ word(name, "title") }</span>
            </a>
        }
    };
    html! {
        <nav class="lesson__ways" aria-label={words::learn_pages()}>
            { link(before, "lesson__before", words::learn_previous()) }
            <a class="lesson__all" href="#/learn">{ words::learn_all() }</a>
            { link(after, "lesson__after", words::learn_next()) }
        </nav>
    }
}

#[derive(Properties, PartialEq)]
struct BodyProps {
    name: String,
    at: u32,
    text: Rc<Text>,
    page: PageProps,
    reading: Option<Rc<Reading>>,
}

/// The text of a lesson that is here.
#[component]
fn Body(props: &BodyProps) -> Html {
    let BodyProps { name, at, text, page, reading } = props;
    let root = use_node_ref();
    let answered = use_state_eq(|| answers::kept(name));
    let answer = use_callback((name.clone(), answered.clone()), |(ask, answer), (name, answered)| {
        let next = answers::with(answered, ask, answer);
        answers::keep(name, &next);
        answered.set(next);
    });
    let adjusting = use_state_eq(|| None::<usize>);
    let adjust = use_callback(adjusting.clone(), |figure, adjusting| {
        adjusting.set((**adjusting != Some(figure)).then_some(figure));
    });
    let begins = use_memo(text.clone(), |text| {
        text.figures.iter().map(|figure| link::begin(&figure.link, "").0).collect::<Vec<State>>()
    });
    let follow = use_mut_ref(|| None::<Follow>);
    use_effect_with(text.clone(), {
        let (root, follow, dispatch) = (root.clone(), follow.clone(), page.dispatch.clone());
        move |text| {
            if let Some(root) = root.cast::<Element>() {
                let text = text.clone();
                *follow.borrow_mut() = Follow::new(&root, move |at| read(&text, at, &dispatch));
            }
            move || drop(follow.take())
        }
    });
    // A link was opened: its place is gone to, and its figure has the state.
    use_effect_with((reading.is_none(), text.clone()), {
        let (root, at, dispatch) = (root.clone(), *at, page.dispatch.clone());
        move |(opened, text)| {
            if *opened {
                read(text, at, &dispatch);
                if let (Some(root), Some(follow)) = (root.cast::<Element>(), &*follow.borrow()) {
                    follow.go(&root, at);
                }
            }
        }
    });
    let figure = |number: usize| {
        let figure = &text.figures[number];
        let hidden = figure.behind.is_some_and(|ask| answered.get(ask).copied().flatten().is_none());
        if hidden {
            return html! { <div class="scene__figure scene__figure--hidden"><p>{ words::learn_hidden() }</p></div> };
        }
        let state = reading.as_ref().and_then(|reading| reading.state(number, &page.state)).unwrap_or(&begins[number]);
        html! {
            <figure class="scene__figure" data-at={figure.at.to_string()}>
                <Shown {number} at={figure.at} link={figure.link.clone()} caption={figure.caption.clone()} state={state.clone()}
                    active={reading.as_ref().is_some_and(|reading| reading.figure == number)}
                    adjusting={*adjusting == Some(number)} adjust={adjust.clone()}
                    said={page.said} tables={page.tables} dispatch={page.dispatch.clone()} />
            </figure>
        }
    };
    html! {
        <div ref={root}>
            { for text.scenes.iter().enumerate().map(|(i, Scene { lead, figure: number, prose })| html! {
                <div key={i} class={classes!("scene", number.map(|_| "scene--figure"))}>
                    <div class="scene__lead prose" hidden={lead.is_empty()}>{ pieces(lead, text, &answered, &answer) }</div>
                    { number.map_or_else(|| html! { <div hidden=true /> }, figure) }
                    <div class="scene__prose prose" hidden={prose.is_empty()}>{ pieces(prose, text, &answered, &answer) }</div>
                </div>
            }) }
        </div>
    }
}

/// The reader is at a block.
fn read(text: &Text, at: u32, dispatch: &Callback<Action>) {
    if let Some(figure) = text.figure_at(at) {
        dispatch.emit(Action::Read { at, figure, link: text.figures[figure].link.clone() });
    }
}

fn pieces(pieces: &[Piece], text: &Text, answered: &Answers, answer: &Callback<(usize, Option<usize>)>) -> Html {
    let piece = |(i, piece): (usize, &Piece)| match piece {
        Piece::Html(html) => html! {
            <div key={i} class="prose__part">{ Html::from_html_unchecked(html.clone()) }</div>
        },
        Piece::Ask(number) => html! {
            <Ask key={i} ask={text.asks[*number].clone()} answered={answered.get(*number).copied().flatten()} answer={answer.clone()} />
        },
    };
    html! { { for pieces.iter().enumerate().map(piece) } }
}
