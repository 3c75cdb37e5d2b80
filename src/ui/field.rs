//! One parameter: a label, a slider with a number field beside it, or a list of words, or a box to tick.

use super::scale::{Track, Typed, number_in, typed, typed_list};
use super::select::Select;
use crate::draw::number;
use crate::state::{Action, Edit, Gesture, Target, new_gesture};
use crate::words;
use posenc::{Kind, ParamSpec, Value};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Keys and clicks that follow each other within this time are one undo step.
const ONE_RUN_MS: f64 = 1000.0;

/// What a field shows.
#[derive(Properties, PartialEq)]
pub struct FieldProps {
    /// Whose parameter it is.
    pub target: Target,
    /// The parameter.
    pub spec: ParamSpec,
    /// What it is set to.
    pub value: Value,
    /// A narrower range than the parameter's own, where the rest of the state gives one.
    #[prop_or_default]
    pub bounds: Option<(f64, f64)>,
    /// A number that is used in the place of the value, where another is.
    #[prop_or_default]
    pub used: Option<f64>,
    /// Whether all words were here when it was made: what says them is made again when they come.
    pub said: bool,
    /// Where changes go.
    pub dispatch: Callback<Action>,
}

fn label(target: Target, key: &str) -> String {
    match target {
        Target::Global => words::option("global", key),
        Target::Scheme(_) => words::param(key),
        Target::Figure(id) => words::option(id, key),
    }
}

fn word(target: Target, key: &str, option: &str) -> String {
    match target {
        Target::Global => words::option_choice("global", key, option),
        Target::Scheme(_) => words::choice(key, option),
        Target::Figure(id) => words::option_choice(id, key, option),
    }
}

fn element_id(target: Target, key: &str) -> String {
    match target {
        Target::Global => format!("field-{key}"),
        Target::Scheme(slot) => format!("field-scheme-{slot}-{key}"),
        Target::Figure(id) => format!("field-{id}-{key}"),
    }
}

/// A parameter's control.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let run = use_mut_ref(|| (new_gesture(), 0.0_f64));
    // What was wrong with what was typed, and the value that was taken: it is said while that value stands.
    let complaint = use_state(|| None::<(String, f64)>);
    let FieldProps { target, spec, value, bounds, used, dispatch, said: _ } = props;
    let (target, key) = (*target, spec.key);
    let id = element_id(target, key);
    let set = {
        let dispatch = dispatch.clone();
        let run = run.clone();
        Callback::from(move |text: String| {
            let now = js_sys::Date::now();
            let mut run = run.borrow_mut();
            if now - run.1 > ONE_RUN_MS {
                run.0 = new_gesture();
            }
            // While the slider is held, its gesture goes on however long it rests.
            if run.1.is_finite() {
                run.1 = now;
            }
            dispatch.emit(Action::Edit(Edit::Set(target, key, text), Some(run.0)));
        })
    };
    let reset = {
        let dispatch = dispatch.clone();
        Callback::from(move |()| dispatch.emit(Action::Edit(Edit::Reset(target, key), None)))
    };
    let said = complaint.as_ref().filter(|(_, at)| number_in(value) == Some(*at)).map(|(text, _)| text.clone());
    let (class, said) = match used {
        Some(used) if said.is_none() => ("field__used", Some(in_use(value, *used))),
        _ => ("field__complaint", said),
    };
    let help = matches!(target, Target::Scheme(_)).then(|| words::param_help(key));
    let control = match spec.kind {
        Kind::Integer { .. } | Kind::Real { .. } => {
            let Some(track) = Track::new(spec, *bounds) else { return html! { <span /> } };
            let now = number_in(value).unwrap_or(track.min).clamp(track.min, track.max);
            slider(&id, track, now, label(target, key), &set, &reset, &run, &complaint)
        }
        Kind::Choice { options, default } => {
            let now = options.iter().copied().find(|option| *value == Value::Choice(option)).unwrap_or(default);
            let options: Vec<_> = options.iter().map(|option| (*option, word(target, key, option))).collect();
            html! { <Select id={id.clone()} {options} value={now} chosen={set.clone()} /> }
        }
        Kind::Switch { .. } => {
            let onchange =
                set.reform(|event: Event| event.target_unchecked_into::<HtmlInputElement>().checked().to_string());
            html! { <input id={id.clone()} type="checkbox" checked={*value == Value::Switch(true)} {onchange} /> }
        }
        Kind::List { .. } | Kind::Reals { .. } => {
            let listed = value.to_string();
            let shown = listed.clone();
            let onchange = set.reform(move |event: Event| {
                let input = event.target_unchecked_into::<HtmlInputElement>();
                let text = typed_list(&input.value());
                // Where the state stays as it was, so does the field.
                input.set_value(&listed);
                text
            });
            html! {
                <input id={id.clone()} type="text" class="field__list" value={shown}
                    placeholder={words::field_list_auto()} {onchange} />
            }
        }
    };
    html! {
        <div class={classes!("field", matches!(spec.kind, Kind::Switch { .. }).then_some("field--switch"))} data-key={key}>
            <label for={id.clone()} title={help}>{ label(target, key) }</label>
            <div class="field__control">{ control }</div>
            <p {class} id={format!("{id}-complaint")} role="status" hidden={said.is_none()}>{ said.unwrap_or_default() }</p>
        </div>
    }
}

/// What is said of the number that is used in the place of a value.
fn in_use(value: &Value, used: f64) -> String {
    let shown = number::exact(used);
    if number_in(value) == Some(0.0) { words::field_automatic(shown) } else { words::field_used(shown) }
}

/// The number of ticks of a slider's track: fine enough for a wide screen.
const TICKS: f64 = 10_000.0;

#[expect(clippy::too_many_arguments, reason = "the parts of one control; each is used once")]
fn slider(
    id: &str,
    track: Track,
    now: f64,
    label: String,
    set: &Callback<String>,
    reset: &Callback<()>,
    run: &std::rc::Rc<std::cell::RefCell<(Gesture, f64)>>,
    complaint: &UseStateHandle<Option<(String, f64)>>,
) -> Html {
    let shown = number::full(now);
    let oninput = set.reform(move |event: InputEvent| {
        let place = event.target_unchecked_into::<HtmlInputElement>().value_as_number() / TICKS;
        track.value(place).to_string()
    });
    let onpointerdown = {
        let run = run.clone();
        // A new press is a new step, however soon it comes; the press may last longer than a run of keys.
        Callback::from(move |_: PointerEvent| *run.borrow_mut() = (new_gesture(), f64::INFINITY))
    };
    let onpointerup = {
        let run = run.clone();
        Callback::from(move |_: PointerEvent| run.borrow_mut().1 = 0.0)
    };
    let keys = {
        let set = set.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            if let Some(next) = track.key(now, &event.key()) {
                event.prevent_default();
                set.emit(next.to_string());
            }
        })
    };
    let ondblclick = reset.reform(|_: MouseEvent| ());
    let onchange = {
        let (set, complaint) = (set.clone(), complaint.clone());
        let shown = shown.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let text = input.value();
            match typed(&text) {
                None => {
                    complaint.set(Some((words::field_not_a_number(&text, &shown), now)));
                    input.set_value(&shown);
                }
                Some(Typed { value, .. }) if value < track.min || value > track.max => {
                    let nearest = value.clamp(track.min, track.max);
                    complaint.set(Some((
                        words::field_out_of_range(number::full(track.min), number::full(track.max)),
                        nearest,
                    )));
                    input.set_value(&number::full(nearest));
                    set.emit(nearest.to_string());
                }
                Some(Typed { value, doubtful }) => {
                    complaint.set(doubtful.then(|| (words::field_read_as(number::full(value)), value)));
                    set.emit(value.to_string());
                }
            }
        })
    };
    let field_keys = {
        let set = set.clone();
        Callback::from(move |event: KeyboardEvent| {
            // In a text field, Home, End and the side arrows move the caret.
            if matches!(event.key().as_str(), "ArrowUp" | "ArrowDown" | "PageUp" | "PageDown")
                && let Some(next) = track.key(now, &event.key())
            {
                event.prevent_default();
                set.emit(next.to_string());
            }
        })
    };
    html! {
        <>
            <input id={id.to_owned()} type="range" min="0" max={TICKS.to_string()} step="any"
                value={(track.fraction(now) * TICKS).to_string()} aria-valuetext={shown.clone()}
                title={words::field_reset_hint()}
                {oninput} {onpointerdown} {onpointerup} onkeydown={keys} {ondblclick} />
            <input type="text" inputmode="decimal" class="field__number" value={shown} aria-label={label}
                aria-describedby={format!("{id}-complaint")} autocomplete="off" spellcheck="false"
                {onchange} onkeydown={field_keys} />
        </>
    }
}
