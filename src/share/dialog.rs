//! The dialog: one for the page, and one for each figure.

use super::choices::Choices;
use super::embed::Embed;
use super::export::Export;
use super::options::{Look, plays};
use super::program::Code;
use super::{Shared, clipboard, place, qr};
use crate::state::{Gesture, State, link};
use crate::ui::frame;
use crate::words;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

/// What the dialog is about.
#[derive(Properties, PartialEq)]
pub struct DialogProps {
    /// What is shared, with a number of its own each time that it is asked for; `None` while it is closed.
    pub shared: Option<(Gesture, Shared)>,
    /// What the page shows.
    pub page: State,
    /// Whether all words were here.
    pub said: bool,
    /// Called when it was closed.
    pub closed: Callback<()>,
}

/// The dialog. Its element is always there; what is in it, while it is open.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let DialogProps { shared, page, said: _, closed } = props;
    let node = use_node_ref();
    use_effect_with(shared.as_ref().map(|(asked, _)| *asked), {
        let node = node.clone();
        move |asked| {
            frame::touch();
            if let Some(dialog) = node.cast::<HtmlDialogElement>()
                && asked.is_some()
                && !dialog.open()
            {
                // An element that is in the page can be shown; what had the focus gets it back from the browser.
                let _ = dialog.show_modal();
            }
        }
    });
    let close = {
        let node = node.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    // Escape closes it too: the browser tells of both, but some time later. It may have been asked for anew by then.
    let onclose = {
        let (node, closed) = (node.clone(), closed.clone());
        Callback::from(move |_: Event| {
            if !node.cast::<HtmlDialogElement>().is_some_and(|dialog| dialog.open()) {
                closed.emit(());
            }
        })
    };
    let content = shared.as_ref().map(|(asked, shared)| {
        let state = shared.of(page);
        let title = shared.figure.map_or_else(
            || words::share_title().to_owned(),
            |figure| words::share_title_figure(words::figure_title(figure.id)),
        );
        html! { <Content key={*asked} {state} {title} whole={shared.figure.is_none()} {close} /> }
    });
    html! {
        <dialog class="share" aria-labelledby="share-title" ref={node} {onclose}>{ content.unwrap_or_default() }</dialog>
    }
}

/// The parts of the dialog, one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Link,
    Embed,
    Download,
    Code,
}

const PARTS: [Part; 4] = [Part::Link, Part::Embed, Part::Download, Part::Code];

impl Part {
    fn word(self) -> &'static str {
        match self {
            Self::Link => words::share_link(),
            Self::Embed => words::share_embed(),
            Self::Download => words::share_download(),
            Self::Code => words::share_code(),
        }
    }
}

#[derive(Properties, PartialEq)]
struct ContentProps {
    /// What is shared.
    state: State,
    title: String,
    /// Everything on the page, and not one figure.
    whole: bool,
    close: Callback<MouseEvent>,
}

#[component]
fn Content(props: &ContentProps) -> Html {
    let ContentProps { state, title, whole, close } = props;
    let part = use_state_eq(|| Part::Link);
    let choices = use_state_eq(|| Choices::of(state));
    let said = use_state_eq(String::new);
    use_effect(frame::touch);
    let say = {
        let said = said.setter();
        Callback::from(move |text: String| said.set(text))
    };
    let choose = {
        let choices = choices.setter();
        Callback::from(move |next: Choices| choices.set(next))
    };
    let tab = |one: Part| {
        let part = part.clone();
        let checked = *part == one;
        let onchange = {
            let (part, said) = (part.setter(), said.setter());
            Callback::from(move |_: Event| {
                part.set(one);
                // What was done in another part is no news here.
                said.set(String::new());
            })
        };
        html! {
            <label class="share__tab">
                <input type="radio" name="share-part" {checked} {onchange} />
                <span>{ one.word() }</span>
            </label>
        }
    };
    let body = match *part {
        Part::Link => html! {
            <LinkPart key="link" state={state.clone()} choices={(*choices).clone()} {choose} {say} whole={*whole} />
        },
        Part::Embed => html! {
            <Embed key="embed" state={state.clone()} choices={(*choices).clone()} {choose} {say} />
        },
        Part::Download => html! {
            <Export key="download" state={state.clone()} choices={(*choices).clone()} {choose} {say} />
        },
        Part::Code => html! { <Code key="code" state={state.clone()} {say} /> },
    };
    html! {
        <>
            <div class="share__head">
                <h2 id="share-title">{ title }</h2>
                <button type="button" onclick={close}>{ words::share_close() }</button>
            </div>
            <fieldset class="share__tabs">
                <legend class="visually-hidden">{ words::share_what() }</legend>
                { for PARTS.map(tab) }
            </fieldset>
            <div class="share__body">{ body }</div>
            <p class="share__said" role="status">{ (*said).clone() }</p>
        </>
    }
}

/// A text to be copied, and the button that copies it.
#[derive(Properties, PartialEq)]
pub(super) struct CopyProps {
    /// The text.
    pub(super) text: String,
    /// What it is, for who does not see it.
    pub(super) label: &'static str,
    /// What is said when it was copied.
    pub(super) done: &'static str,
    /// Of several lines.
    #[prop_or_default]
    pub(super) lines: bool,
    /// Where that is said.
    pub(super) say: Callback<String>,
}

/// The text and its button.
#[component]
pub(super) fn Copied(props: &CopyProps) -> Html {
    let CopyProps { text, label, done, lines, say } = props;
    let field = use_node_ref();
    let copy = {
        let (field, text, done, say) = (field.clone(), text.clone(), *done, say.clone());
        Callback::from(move |_: MouseEvent| {
            let (field, text, say) = (field.clone(), text.clone(), say.clone());
            // The same words twice are heard once: they go before they come again.
            say.emit(String::new());
            spawn_local(async move {
                if clipboard::copy(&text).await {
                    say.emit(done.to_owned());
                } else {
                    if let Some(field) = field.cast::<Element>() {
                        clipboard::select(&field);
                    }
                    say.emit(words::share_not_copied().to_owned());
                }
            });
        })
    };
    let all = Callback::from(|event: FocusEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.select();
        }
    });
    let shown = if *lines {
        html! { <textarea class="share__text" readonly=true rows="6" spellcheck="false" aria-label={*label} value={text.clone()} ref={field} /> }
    } else {
        html! { <input class="share__text" type="text" readonly=true aria-label={*label} value={text.clone()} onfocus={all} ref={field} /> }
    };
    html! {
        <div class={if *lines { "share__copy share__copy--lines" } else { "share__copy" }}>
            { shown }
            <button type="button" class="button--main" onclick={copy}>{ words::share_copy() }</button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LinkProps {
    state: State,
    choices: Choices,
    whole: bool,
    choose: Callback<Choices>,
    say: Callback<String>,
}

#[component]
fn LinkPart(props: &LinkProps) -> Html {
    let LinkProps { state, choices, whole, choose, say } = props;
    let address = place::page(&link::write(&choices.page(state)));
    let code = use_memo(address.clone(), |address| qr::draw(address));
    // Nobody else reaches a file on this disk.
    let on_disk = place::is_on_disk();
    let drawn = code.as_ref().as_ref().filter(|_| !on_disk);
    html! {
        <>
            <p>{ if *whole { words::share_link_about() } else { words::share_link_about_figure() } }</p>
            <Copied text={address} label={words::share_link()} done={words::share_link_copied()} say={say.clone()} />
            <p class="share__about" hidden={!on_disk}>{ words::share_link_disk() }</p>
            <Look choices={choices.clone()} choose={choose.clone()} plays={plays(state)} />
            <div class="share__qr" hidden={drawn.is_none()}>
                <svg viewBox={drawn.map(|code| format!("0 0 {0} {0}", code.side))} role="img" aria-label={words::share_qr()} shape-rendering="crispEdges">
                    <rect width="100%" height="100%" fill="#fff" />
                    <path d={drawn.map(|code| code.path.clone())} fill="#000" />
                </svg>
                <p>{ words::share_qr_about() }</p>
            </div>
            <p hidden={drawn.is_some() || on_disk}>{ words::share_qr_long() }</p>
        </>
    }
}
