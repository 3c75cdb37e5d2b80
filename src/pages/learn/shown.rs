//! A figure of a lesson: the very one of Explore, with a state of its own.

use crate::state::{Action, Edit, Page, State, Target, link};
use crate::ui::{board, field::Field, figure, figure::FigureView, passing::Passing, weights::weights};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

/// A figure and its state.
#[derive(Properties, PartialEq)]
pub(super) struct ShownProps {
    /// Its number in the lesson.
    pub(super) number: usize,
    /// The block that it is.
    pub(super) at: u32,
    /// How it begins.
    pub(super) link: Rc<str>,
    /// What it shows, as HTML.
    pub(super) caption: AttrValue,
    /// What it shows now.
    pub(super) state: State,
    /// Whether the app's state is its.
    pub(super) active: bool,
    /// Whether its settings lie open.
    pub(super) adjusting: bool,
    /// Opens or closes them.
    pub(super) adjust: Callback<usize>,
    /// As every page: whether all words are here, and what is known of tables.
    pub(super) said: bool,
    pub(super) tables: u32,
    pub(super) dispatch: Callback<Action>,
}

/// The figure.
#[component]
pub(super) fn Shown(props: &ShownProps) -> Html {
    let ShownProps { number, at, link, caption, state, adjusting, adjust, said, dispatch, .. } = props;
    // Its hover and playback are its own: figures further on do not follow.
    let passing = use_memo((), |()| Passing::default());
    let arrived = use_force_update();
    let changed = use_callback((), move |(), ()| arrived.force_update());
    // What is changed here is changed in the state of the app: it becomes this figure's first.
    let dispatch = use_callback(
        (props.active, *at, *number, link.clone(), dispatch.clone()),
        |action: Action, (active, at, number, link, dispatch)| {
            if !active {
                dispatch.emit(Action::Read { at: *at, figure: *number, link: link.clone() });
            }
            dispatch.emit(action);
        },
    );
    let play = state.globals.switch("play") && state.figures.iter().any(|spec| spec.plays());
    let figures = state.figures.iter().copied().map(|spec| {
        html! {
            <div key={spec.id} class="board__figure">
                <FigureView {spec} scene={board::scene(state, spec)} cursor={state.cursor()} {play} dispatch={dispatch.clone()} />
            </div>
        }
    });
    let open = link::write(&State { page: Page::Explore, ..state.clone() });
    let reset = dispatch.reform(|_: MouseEvent| Action::Edit(Edit::ResetAll, None));
    let toggle = {
        let (adjust, number) = (adjust.clone(), *number);
        Callback::from(move |_: MouseEvent| adjust.emit(number))
    };
    let fields = if *adjusting { fields(state, *said, &dispatch) } else { Html::default() };
    let id = format!("adjust-{number}");
    let caption_id = format!("caption-{number}");
    let named = figure::NamedBy(caption_id.clone().into());
    html! {
        <ContextProvider<Passing> context={(*passing).clone()}>
            <ContextProvider<figure::NamedBy> context={named}>
                <div class="shown__board">{ for figures }</div>
            </ContextProvider<figure::NamedBy>>
            <div>{ weights(&state.schemes, &changed) }</div>
            <figcaption class="shown__caption" id={caption_id}>{ Html::from_html_unchecked(format!("<span>{caption}</span>").into()) }</figcaption>
            <p class="shown__tools">
                <a href={open}>{ words::learn_open() }</a>
                <button type="button" class="button--quiet" aria-expanded={adjusting.to_string()} aria-controls={id.clone()} onclick={toggle}>
                    { words::learn_adjust() }
                </button>
                <button type="button" class="button--quiet" onclick={reset}>{ words::learn_reset() }</button>
            </p>
            <div class="shown__fields board__fields" {id}>{ fields }</div>
        </ContextProvider<Passing>>
    }
}

/// What can be set of a figure: its schemes' parameters and its own.
fn fields(state: &State, said: bool, dispatch: &Callback<Action>) -> Html {
    let of_schemes = state.schemes.iter().enumerate().map(|(slot, config)| (Target::Scheme(slot), &config.settings));
    let of_figures = state.figures.iter().map(|figure| (Target::Figure(figure.id), state.options(figure)));
    let global = |spec: &posenc::ParamSpec| ["length", "position", "offset"].contains(&spec.key);
    let globals =
        state.globals.iter().filter(|(spec, _)| global(spec)).map(|(spec, value)| (Target::Global, spec, value));
    let fields = of_schemes.chain(of_figures).flat_map(|(target, settings)| {
        settings.iter().filter(|(spec, _)| settings.relevant(spec)).map(move |(spec, value)| (target, spec, value))
    });
    html! {
        { for fields.chain(globals).map(|(target, spec, value)| html! {
            <Field key={format!("{}.{}", owner(target), spec.key)} {target} spec={*spec} value={value.clone()} {said} dispatch={dispatch.clone()} />
        }) }
    }
}

/// Tells parameters of one name apart.
fn owner(target: Target) -> String {
    match target {
        Target::Global => String::new(),
        Target::Scheme(slot) => slot.to_string(),
        Target::Figure(id) => id.to_owned(),
    }
}
