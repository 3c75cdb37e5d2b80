//! A model's weights: a file that is chosen or dropped on the page, what tensors it has, and one of them on the board.
//! Nothing of it leaves the browser.

mod board;
mod said;

use crate::brought::{self, About};
use crate::lab_client::{self, Report};
use crate::state::{Action, Edit, State};
use crate::tables;
use crate::ui::frame;
use crate::words;
use board::How;
use lab::protocol::{Answer, Request};
use lab::weights::{Found, Matrix, Refused, Tensor};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{File, HtmlSelectElement};
use yew::prelude::*;

/// A file that was brought.
#[derive(Clone)]
pub(crate) struct Brought(pub(crate) File);

impl PartialEq for Brought {
    /// The same one, brought again, is another: it may have changed.
    fn eq(&self, other: &Self) -> bool {
        JsValue::from(&self.0) == JsValue::from(&other.0)
    }
}

/// What there is to say of a file.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    Nothing,
    /// The share that is read.
    Reading(f64),
    /// The lab could not do it: why, in words.
    Failed(String),
    Refused(Refused),
    Found(Rc<Found>),
}

/// What the panel is given.
#[derive(Properties, PartialEq)]
pub(crate) struct TensorsProps {
    /// The file that was brought last in this visit.
    pub(crate) file: Option<Brought>,
    /// What is on the board when a button is pressed.
    pub(crate) current: Current,
    /// Whether another scheme can stand beside those that are there.
    pub(crate) room: bool,
    /// Whether all words were here.
    pub(crate) said: bool,
    /// Where changes go.
    pub(crate) dispatch: Callback<Action>,
}

/// What is on the board, read only when it is needed.
#[derive(Clone)]
pub(crate) struct Current(pub(crate) Rc<RefCell<State>>);

impl PartialEq for Current {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The panel.
#[component]
pub(crate) fn Tensors(props: &TensorsProps) -> Html {
    let TensorsProps { file, current, room, dispatch, said: _ } = props;
    let key = *use_memo((), |()| frame::new_key());
    let told = use_state_eq(|| Told::Nothing);
    // The tensor that is on the board, and what it is of the file that is open, by its place in that.
    let about = use_state_eq(brought::about);
    let chosen = use_state_eq(|| None::<usize>);
    let show = {
        let (current, dispatch) = (current.clone(), dispatch.clone());
        Callback::from(move |(about, how): (Rc<About>, How)| {
            let next = board::with(&current.0.borrow(), &about, how);
            if let Some(next) = next {
                dispatch.emit(Action::Edit(Edit::Load(Box::new(next)), None));
                if how != How::Beside {
                    to_the_board();
                }
            }
        })
    };
    let take = {
        let (told, about, chosen, file, show) =
            (told.setter(), about.setter(), chosen.setter(), file.clone(), show.clone());
        Callback::from(move |(found, place): (Rc<Found>, usize)| {
            let Some(Brought(file)) = &file else { return };
            chosen.set(Some(place));
            let name = file.name();
            let (told, about, show) = (told.clone(), about.clone(), show.clone());
            let request = Request::Weights(Some(place)).to_string();
            told.set(Told::Reading(0.0));
            lab_client::ask_with(key, &request, "file", file, move |report| match report {
                Report::Progress(share) => told.set(Told::Reading(share)),
                Report::Failed(why) => told.set(Told::Failed(why)),
                Report::Done(answer) => match taken(&name, &found, place, &answer) {
                    Err(refused) => {
                        about.set(brought::about());
                        told.set(Told::Refused(refused));
                    }
                    Ok(new) => {
                        tables::replaced();
                        about.set(Some(new.clone()));
                        told.set(Told::Found(found.clone()));
                        show.emit((new, How::AtOnce));
                    }
                },
            });
        })
    };
    use_effect_with(file.clone(), {
        let (told, chosen, take) = (told.setter(), chosen.setter(), take.clone());
        move |file| {
            if let Some(Brought(file)) = file {
                chosen.set(None);
                told.set(Told::Reading(0.0));
                lab_client::ask_with(
                    key,
                    &Request::Weights(None).to_string(),
                    "file",
                    file,
                    move |report| match report {
                        Report::Progress(share) => told.set(Told::Reading(share)),
                        Report::Failed(why) => told.set(Told::Failed(why)),
                        Report::Done(answer) => match read(&answer) {
                            Err(refused) => told.set(Told::Refused(refused)),
                            Ok(found) => {
                                let found: Rc<Found> = Rc::new(found);
                                told.set(Told::Found(found.clone()));
                                if let Some(place) = first(&found) {
                                    take.emit((found, place));
                                }
                            }
                        },
                    },
                );
            }
            move || lab_client::cancel(key)
        }
    });
    let forget = {
        let (told, about, chosen, dispatch, current) =
            (told.setter(), about.setter(), chosen.setter(), dispatch.clone(), current.clone());
        Callback::from(move |_: MouseEvent| {
            lab_client::cancel(key);
            brought::clear();
            tables::replaced();
            about.set(None);
            chosen.set(None);
            told.set(Told::Nothing);
            let without = board::without(&current.0.borrow());
            dispatch.emit(Action::Edit(Edit::Load(Box::new(without)), None));
        })
    };
    let name = file.as_ref().map(|Brought(file)| file.name()).unwrap_or_default();
    html! {
        <div class="tensors">
            <p>{ words::brought_lead() }</p>
            <div class="tensors__said" aria-live="polite">
                <p hidden={!matches!(*told, Told::Reading(_))}>{ words::brought_reading(&name) }</p>
                { match &*told {
                    Told::Failed(why) => html! { <p class="figure__failed">{ why }</p> },
                    Told::Refused(refused) => html! { <p class="figure__failed">{ words::brought_refused(&name, said::refused(refused)) }</p> },
                    Told::Found(found) => html! { <p>{ said::found(&name, found) }</p> },
                    Told::Nothing | Told::Reading(_) => html! { <p hidden=true /> },
                } }
                { about.as_ref().map_or_else(|| html! { <div hidden=true /> }, |about| report(about)) }
            </div>
            { choice(&told, *chosen, &take) }
            { about.as_ref().map_or_else(|| html! { <div hidden=true /> }, |about| buttons(about, *room, &show, forget)) }
        </div>
    }
}

/// Scrolls to what has changed.
pub(crate) fn to_the_board() {
    if let Some(window) = web_sys::window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// What an answer says.
fn read<T: serde::de::DeserializeOwned>(answer: &Answer) -> Result<T, Refused> {
    // The worker of another version would be the only one to write it otherwise.
    serde_json::from_str::<Result<T, Refused>>(&answer.text).unwrap_or(Err(Refused::Unreadable))
}

/// The tensor that is read without being chosen: the first that says where tokens stand, or the only one.
fn first(found: &Found) -> Option<usize> {
    let only = found.tensors.len() == 1;
    found.tensors.iter().position(|tensor| tensor.kind.is_position() || only)
}

/// Takes the numbers of an answer as the table of the tab.
fn taken(name: &str, found: &Found, place: usize, answer: &Answer) -> Result<Rc<About>, Refused> {
    let matrix: Matrix = read(answer)?;
    let tensor = found.tensors.get(place).ok_or(Refused::NoSuch)?;
    let values = answer.array("values");
    let about = About::new(name.to_owned(), found.format, tensor.clone(), matrix, values);
    brought::put(about, values).map_err(|_| Refused::Nothing)?;
    brought::about().ok_or(Refused::Nothing)
}

/// What the table is.
fn report(about: &About) -> Html {
    html! {
        <div class="tensors__table">
            <p><strong>{ said::shown(about) }</strong></p>
            <ul>{ for said::remarks(about).into_iter().map(|remark| html! { <li>{ remark }</li> }) }</ul>
        </div>
    }
}

/// The list of tensors to choose from: those that say where tokens stand, and all others with rows and columns.
fn choice(told: &Told, chosen: Option<usize>, take: &Callback<(Rc<Found>, usize)>) -> Html {
    let Told::Found(found) = told else { return html! { <div hidden=true /> } };
    let group = |position: bool, label: &'static str| {
        let option = |(place, tensor): (usize, &Tensor)| {
            html! { <option key={place} value={place.to_string()} selected={chosen == Some(place)}>{ said::tensor(tensor) }</option> }
        };
        let fits = |(_, tensor): &(usize, &Tensor)| {
            tensor.dtype.is_read()
                && tensor.kind.is_position() == position
                && (position || tensor.sides().is_some_and(|(rows, columns)| rows > 0 && columns > 0))
        };
        let options: Vec<Html> = found.tensors.iter().enumerate().filter(fits).map(option).collect();
        html! { <optgroup label={label} hidden={options.is_empty()}>{ for options }</optgroup> }
    };
    let onchange = {
        let (found, take) = (found.clone(), take.clone());
        Callback::from(move |event: Event| {
            if let Ok(place) = event.target_unchecked_into::<HtmlSelectElement>().value().parse() {
                take.emit((found.clone(), place));
            }
        })
    };
    html! {
        <div class="field">
            <label for="tensors-choice">{ words::brought_choose() }</label>
            <select id="tensors-choice" {onchange}>
                <option value="" selected={chosen.is_none()} disabled=true>{ words::brought_choose_none() }</option>
                { group(true, words::brought_group_positions()) }
                { group(false, words::brought_group_others()) }
            </select>
            <p hidden={found.more == 0}>{ words::brought_more(found.more) }</p>
        </div>
    }
}

fn buttons(about: &Rc<About>, room: bool, show: &Callback<(Rc<About>, How)>, forget: Callback<MouseEvent>) -> Html {
    let button = |how: How, label: &'static str, disabled: bool| {
        let onclick = {
            let (about, show) = (about.clone(), show.clone());
            Callback::from(move |_: MouseEvent| show.emit((about.clone(), how)))
        };
        html! { <button type="button" class={(how == How::Alone).then_some("button--main")} {onclick} {disabled}>{ label }</button> }
    };
    html! {
        <p class="config__tools">
            { button(How::Alone, words::config_show(), false) }
            { button(How::Beside, words::config_beside(), !room) }
            <span hidden={!board::has_like(about)}>{ button(How::WithLike, words::brought_with_sines(), false) }</span>
            <button type="button" onclick={forget}>{ words::brought_forget() }</button>
        </p>
    }
}
