//! The figures on screen, all of one state and one cursor.

mod handle;

use super::click;
use super::field::Field;
use super::figure::FigureView;
use crate::figures::{self, FigureSpec, Scene, Slot};
use crate::state::{Action, Edit, MOST_FIGURES, State, Target};
use crate::tables;
use crate::words;
use handle::HandleProps;
use posenc::Config;
use std::rc::Rc;
use yew::prelude::*;

/// The board; `options` tells whether each figure's own and its place are offered. Its figures keep what they have drawn as long as
/// their scenes are equal, so that it can be made anew at every change.
pub fn board(state: &State, options: bool, dispatch: &Callback<Action>) -> Html {
    let slots = slots(state);
    let text = state.words();
    // All figures follow what plays, and one of them has what stops it.
    let play = state.globals.switch("play") && state.figures.iter().any(|spec| spec.plays());
    let count = state.figures.len();
    let figures = state.figures.iter().enumerate().map(|(place, spec)| {
        let scene = scene_of(state, spec, &slots, text.clone());
        let settings = state.options(spec);
        let fields = settings.iter().filter(|(option, _)| settings.relevant(option));
        html! {
            <div key={spec.id} class="board__figure">
                <div class="board__move" hidden={!options || count == 1}>
                    { handle::handle(HandleProps { id: spec.id, place, count, dispatch: dispatch.clone() }) }
                </div>
                <FigureView spec={*spec} {scene} cursor={state.cursor()} {play} dispatch={dispatch.clone()} />
                { instead(spec, options, &slots, state, dispatch) }
                <details class="board__options" hidden={!options || settings.specs().is_empty()}>
                    <summary>{ words::board_options() }</summary>
                    <div class="board__fields">
                        { for fields.map(|(option, value)| html! {
                            <Field key={option.key} target={Target::Figure(spec.id)} spec={*option} value={value.clone()} said={words::complete()} dispatch={dispatch.clone()} />
                        }) }
                    </div>
                    { takers(spec, state, dispatch) }
                </details>
            </div>
        }
    });
    html! {
        <div class="board">
            { for figures }
            { said() }
        </div>
    }
}

/// The schemes on screen.
fn slots(state: &State) -> Vec<Slot> {
    let length = state.length() as f64;
    let slot = |(index, config): (usize, &Config)| Slot {
        index,
        config: config.clone(),
        // Some rotations depend on the length; a scene has it too, so that a new one is seen as new.
        encoding: tables::encoding(config, length),
    };
    state.schemes.iter().enumerate().map(slot).collect()
}

/// What a figure shows of these schemes.
fn scene_of(state: &State, spec: &FigureSpec, slots: &[Slot], text: Rc<[String]>) -> Scene {
    let (suited, others) = slots.iter().cloned().partition(|slot| spec.shows(slot));
    Scene {
        slots: suited,
        others,
        length: state.length(),
        words: text,
        seed: state.globals.integer("seed") as u64,
        options: state.options(spec).clone(),
        palette: state.globals.choice("palette"),
        said: words::complete(),
        #[cfg(feature = "full")]
        own: crate::brought::about(),
    }
}

/// What a figure shows of a state.
#[cfg(feature = "full")]
pub fn scene(state: &State, spec: &FigureSpec) -> Scene {
    scene_of(state, spec, &slots(state), state.words())
}

/// Where a figure went, for those who do not see it go.
fn said() -> Html {
    if !cfg!(feature = "full") {
        return Html::default();
    }
    html! { <p key="said" class="visually-hidden" id={handle::SAID} aria-live="polite"></p> }
}

/// The figures that show the schemes that this one cannot, where they are not on the board yet.
fn instead(spec: &FigureSpec, options: bool, slots: &[Slot], state: &State, dispatch: &Callback<Action>) -> Html {
    if !cfg!(feature = "full") {
        return Html::default();
    }
    let others = slots.iter().filter(|slot| !spec.shows(slot)).filter_map(figures::instead).filter_map(figures::find);
    let mut missing: Vec<&'static FigureSpec> = Vec::new();
    for other in others {
        let is_there = |list: &[&FigureSpec]| list.iter().any(|spec| spec.id == other.id);
        if !is_there(&state.figures) && !is_there(&missing) {
            missing.push(other);
        }
    }
    html! {
        <div class="field__control" hidden={!options || missing.is_empty() || state.figures.len() == MOST_FIGURES}>
            { for missing.into_iter().map(|other| {
                let with = state.figures.iter().copied().chain([other]).collect();
                html! {
                    <button type="button" onclick={click(dispatch, Action::Edit(Edit::Figures(with), None))}>
                        { words::explore_show(words::figure_title(other.id)) }
                    </button>
                }
            }) }
        </div>
    }
}

/// Off the board, or alone on it.
fn takers(spec: &'static FigureSpec, state: &State, dispatch: &Callback<Action>) -> Html {
    if !cfg!(feature = "full") {
        return Html::default();
    }
    let without = state.figures.iter().copied().filter(|other| other.id != spec.id).collect();
    html! {
        <div class="field__control" hidden={state.figures.len() == 1}>
            <button type="button" onclick={click(dispatch, Action::Edit(Edit::Figures(vec![spec]), None))}>{ words::explore_alone() }</button>
            <button type="button" onclick={click(dispatch, Action::Edit(Edit::Figures(without), None))}>{ words::explore_take_off() }</button>
        </div>
    }
}
