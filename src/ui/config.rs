//! A model's `config.json`: pasted, chosen or dropped on the page, read here, and said what it means.

mod board;
mod bring;
mod compare;
mod said;

use crate::brought;
use crate::draw::number;
use crate::state::{Action, Edit, MOST_SCHEMES, State};
use crate::ui::tensors::{Brought, Current, Tensors, to_the_board};
use crate::words;
use posenc::config::{Error, MOST_BYTES, Part, Reading, Warning, read};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Where the panel stands.
#[derive(Properties, PartialEq)]
pub struct ConfigProps {
    /// What is on the board.
    pub state: State,
    /// Whether all words were here.
    pub said: bool,
    /// Where changes go.
    pub dispatch: Callback<Action>,
}

/// What there is to say of a text.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    Nothing,
    /// The file could not be had: too long, or not readable.
    Failed(String),
    Wrong(Error),
    Read(Rc<Reading>),
}

fn tell(text: &str) -> Told {
    if text.trim().is_empty() {
        return Told::Nothing;
    }
    match read(text) {
        Ok(reading) => Told::Read(Rc::new(reading)),
        Err(error) => Told::Wrong(error),
    }
}

/// The panel. A step of a slider changes the state, and nothing of what it says.
#[component]
pub fn Panel(props: &ConfigProps) -> Html {
    let ConfigProps { state, said, dispatch } = props;
    let current = use_mut_ref(|| state.clone());
    drop(current.replace(state.clone()));
    let room = state.schemes.len() < MOST_SCHEMES;
    html! { <Reader board={Board { current, room, dispatch: dispatch.clone() }} said={*said} /> }
}

/// Where the schemes go.
#[derive(Clone)]
struct Board {
    /// What is on it when a button is pressed.
    current: Rc<RefCell<State>>,
    /// Whether another scheme can stand beside those that are there.
    room: bool,
    dispatch: Callback<Action>,
}

impl PartialEq for Board {
    /// What is on it is read only when it is needed.
    fn eq(&self, other: &Self) -> bool {
        (self.room, &self.dispatch) == (other.room, &other.dispatch)
    }
}

#[derive(Properties, PartialEq)]
struct ReaderProps {
    board: Board,
    /// Whether all words were here.
    said: bool,
}

#[component]
fn Reader(props: &ReaderProps) -> Html {
    let ReaderProps { board, said } = props;
    let text = use_state_eq(bring::kept);
    // The one that was kept, to read another beside it.
    let first = use_state_eq(bring::kept_first);
    let failed = use_state_eq(|| None::<String>);
    let open = use_state_eq(|| !text.is_empty() || !first.is_empty() || brought::about().is_some());
    let weights = use_state_eq(|| None::<Brought>);
    let told = use_memo((*text).clone(), |text| tell(text));
    let told_first = use_memo((*first).clone(), |text| tell(text));
    let told = failed.as_ref().map_or_else(|| (*told).clone(), |why| Told::Failed(why.clone()));
    let take = {
        let (text, failed, open) = (text.setter(), failed.setter(), open.setter());
        Callback::from(move |brought: Result<String, String>| {
            open.set(true);
            match brought {
                Ok(given) => {
                    bring::keep(&given);
                    failed.set(None);
                    text.set(given);
                }
                // What was there stays.
                Err(why) => failed.set(Some(why)),
            }
        })
    };
    let heavy = {
        let (weights, open) = (weights.setter(), open.setter());
        Callback::from(move |file: web_sys::File| {
            open.set(true);
            weights.set(Some(Brought(file)));
        })
    };
    use_effect_with((), {
        let (take, heavy) = (take.clone(), heavy.clone());
        move |()| {
            let listener = bring::dropped(&take, &heavy);
            move || drop(listener)
        }
    });
    let typed = {
        let (take, text) = (take.clone(), text.clone());
        Callback::from(move |event: InputEvent| {
            let field = event.target_unchecked_into::<HtmlTextAreaElement>();
            let length = field.text_length() as usize;
            // It is not even looked at: a copy or two of it, and the page would have no memory left.
            if length > MOST_BYTES {
                field.set_value(&text);
                let (length, most) = (number::whole(length as i64), number::whole(MOST_BYTES as i64));
                return take.emit(Err(words::config_too_long(length, most)));
            }
            take.emit(Ok(field.value()));
        })
    };
    let chosen = {
        let take = take.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                bring::file(file, take.clone(), heavy.clone());
            }
            // The same file may be chosen again.
            input.set_value("");
        })
    };
    let input = use_node_ref();
    let choose = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let hold = {
        let setter = first.setter();
        Callback::from(move |kept: String| {
            bring::keep_first(&kept);
            setter.set(kept);
        })
    };
    let another = {
        let (take, hold, text) = (take.clone(), hold.clone(), (*text).clone());
        Callback::from(move |_: MouseEvent| {
            hold.emit(text.clone());
            take.emit(Ok(String::new()));
        })
    };
    let forget = Callback::from(move |_: MouseEvent| hold.emit(String::new()));
    let clear = Callback::from(move |_: MouseEvent| take.emit(Ok(String::new())));
    let is_read = matches!(told, Told::Read(_));
    let pair = match (&*told_first, &told) {
        (Told::Read(first), Told::Read(second)) => Some((&**first, &**second)),
        _ => None,
    };
    let toggled = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            open.set(event.target_unchecked_into::<web_sys::Element>().has_attribute("open"));
        })
    };
    html! {
        <details class="config" open={*open} ontoggle={toggled}>
            // By this name the button of the first module stands in its place: see `handover`.
            <summary id="model-config">{ words::config_open() }</summary>
            <p>{ words::config_lead() }</p>
            <div class="field">
                <label for="config-text">{ words::config_text() }</label>
                <textarea id="config-text" rows="5" spellcheck="false" autocomplete="off" value={(*text).clone()} oninput={typed} />
            </div>
            <p class="config__tools">
                <button type="button" onclick={choose}>{ words::config_file() }</button>
                <input type="file" id="config-file" ref={input} hidden=true accept=".json,.safetensors,.npy,application/json,text/plain" onchange={chosen} />
                <button type="button" onclick={clear} disabled={text.is_empty()}>{ words::config_clear() }</button>
                <button type="button" onclick={another} disabled={!is_read}>{ words::config_another() }</button>
            </p>
            <div role="status">{ answer(&told, board) }</div>
            <section class="config__first" aria-labelledby="config-first" hidden={first.is_empty()}>
                { compare::compare(pair) }
                <h3 id="config-first">{ words::config_first() }</h3>
                { answer(&told_first, board) }
                <p class="config__tools">
                    <button type="button" onclick={forget}>{ words::config_forget() }</button>
                </p>
            </section>
            <Tensors file={(*weights).clone()} current={Current(board.current.clone())} room={board.room} said={*said} dispatch={board.dispatch.clone()} />
        </details>
    }
}

fn answer(told: &Told, board: &Board) -> Html {
    match told {
        Told::Nothing => html! { <p key="nothing" hidden=true /> },
        Told::Failed(why) => html! { <p key="failed" class="figure__failed">{ why }</p> },
        Told::Wrong(error) => html! { <p key="wrong" class="figure__failed">{ words::config_not_read(error) }</p> },
        Told::Read(reading) => report(reading, board),
    }
}

fn report(reading: &Rc<Reading>, board: &Board) -> Html {
    let model = match (&reading.model_type, reading.known) {
        (Some(model), true) => words::config_known(model),
        (Some(model), false) => words::config_unknown(model),
        (None, _) => words::config_unnamed().to_owned(),
    };
    let show = |beside: bool, word: &'static str| {
        let onclick = {
            let (reading, board) = (reading.clone(), board.clone());
            Callback::from(move |_: MouseEvent| {
                let next = board::with(&board.current.borrow(), &reading, beside);
                if let Some(next) = next {
                    board.dispatch.emit(Action::Edit(Edit::Load(Box::new(next)), None));
                    if !beside {
                        to_the_board();
                    }
                }
            })
        };
        let disabled = beside && !board.room;
        html! { <button type="button" class={(!beside).then_some("button--main")} {onclick} {disabled}>{ word }</button> }
    };
    let defaulted = reading.defaulted.iter().map(|taken| {
        html! { <li><code>{ breakable(&format!("{} = {}", taken.path, taken.value)) }</code>{ " " }{ said::because(taken.why) }</li> }
    });
    html! {
        <div key="read" class="config__read">
            <p>{ model }</p>
            <p hidden={!reading.parts.is_empty()}>{ words::config_nothing() }</p>
            <ul>{ for reading.parts.iter().map(part) }</ul>
            <p>{ said::lengths(reading.lengths).join(" ") }</p>
            <p class="config__tools" hidden={reading.parts.is_empty()}>
                { show(false, words::config_show()) }
                { show(true, words::config_beside()) }
            </p>
            <div hidden={reading.warnings.is_empty()}>
                <h3>{ words::config_warnings(reading.warnings.len()) }</h3>
                <ul>{ for reading.warnings.iter().map(warning) }</ul>
            </div>
            <details hidden={reading.defaulted.is_empty()}>
                <summary>{ words::config_defaulted(reading.defaulted.len()) }</summary>
                <ul>{ for defaulted }</ul>
            </details>
            <details hidden={reading.unread.is_empty()}>
                <summary>{ words::config_unread(reading.unread.len()) }</summary>
                { for said::unread(&reading.unread).into_iter().map(|said| html! { <p>{ said }</p> }) }
            </details>
        </div>
    }
}

/// Code that may go on in the next line after a mark, and not within a word.
fn breakable(code: &str) -> Html {
    code.split_inclusive([',', '(', '.', '_', '=']).map(|part| html! { <>{ part.to_owned() }<wbr /></> }).collect()
}

fn part(part: &Part) -> Html {
    let table = part.table.map(|table| match table.columns {
        Some(columns) => words::config_table(table.rows, columns),
        None => words::config_table_rows(table.rows),
    });
    html! {
        <li>
            <strong>{ words::scheme_name(part.scheme.spec.id) }</strong>{ " " }{ said::layers(part) }<br />
            <code>{ breakable(&part.scheme.to_string()) }</code>
            <span hidden={table.is_none()}>{ " " }{ table }</span>
            <ul hidden={part.repairs.is_empty()}>
                { for part.repairs.iter().map(|repair| html! { <li>{ crate::state::say(repair) }</li> }) }
            </ul>
        </li>
    }
}

fn warning(warning: &Warning) -> Html {
    let (title, url) = warning.mistake.source();
    let place = match warning.line {
        Some(line) => words::config_at_line(&warning.path, line),
        None => words::config_missing(&warning.path),
    };
    html! {
        <li>
            { said::mistake(&warning.mistake) }{ " " }<code>{ breakable(&place) }</code>{ " " }
            <a href={url} target="_blank" rel="noopener">{ title }</a>
        </li>
    }
}
