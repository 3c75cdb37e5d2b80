//! What the reader answers: a prediction, a question, a claim.

use super::text;
use crate::words;
use std::rc::Rc;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// What is asked, and what was answered.
#[derive(Properties, PartialEq)]
pub(super) struct AskProps {
    pub(super) ask: Rc<text::Ask>,
    /// The answer that was checked.
    pub(super) answered: Option<usize>,
    /// An answer is checked, or the question is asked again.
    pub(super) answer: Callback<(usize, Option<usize>)>,
}

/// A question with its answers.
#[component]
pub(super) fn Ask(props: &AskProps) -> Html {
    let AskProps { ask, answered, answer } = props;
    let number = ask.number;
    // What is marked and not yet checked.
    let marked = use_state_eq(|| *answered);
    let missing = use_state_eq(|| false);
    let form = use_node_ref();
    // An answer past the last: the right one was shown, and none given.
    let past = ask.answers.len();
    let shown = *answered == Some(past);
    let checked = answered.and_then(|answered| ask.answers.get(answered));
    let checked = checked.or_else(|| ask.answers.iter().find(|answer| shown && answer.right));
    let check = {
        let (marked, missing, answer) = (marked.clone(), missing.clone(), answer.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            missing.set(marked.is_none());
            if marked.is_some() {
                answer.emit((number, *marked));
            }
        })
    };
    let again = {
        let (marked, answer, form) = (marked.clone(), answer.clone(), form.clone());
        Callback::from(move |_: MouseEvent| {
            marked.set(None);
            answer.emit((number, None));
            // The button goes: what follows is to mark another answer.
            let first = form.cast::<web_sys::Element>().and_then(|form| text::one(&form, "input"));
            if let Some(input) = first.and_then(|input| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(input).ok()) {
                let _ = input.focus();
            }
        })
    };
    let mark = {
        let (marked, missing) = (marked.clone(), missing.clone());
        Callback::from(move |event: Event| {
            missing.set(false);
            marked.set(event.target_unchecked_into::<HtmlInputElement>().value().parse().ok());
        })
    };
    let show = {
        let (marked, missing, answer) = (marked.clone(), missing.clone(), answer.clone());
        Callback::from(move |_: MouseEvent| {
            missing.set(false);
            marked.set(Some(past));
            answer.emit((number, Some(past)));
        })
    };
    let kind = match ask.kind.as_str() {
        "predict" => words::learn_predict(),
        "claim" => words::learn_claim(),
        _ => words::learn_question(),
    };
    let claimed = ask.kind == "claim";
    let answers = ask.answers.iter().enumerate().map(|(i, answer)| {
        let text = if claimed { truth(i == 0).into() } else { answer.text.clone() };
        (i, Html::from_html_unchecked(format!("<span>{text}</span>").into()))
    });
    // What was checked is said as long as it is what is marked.
    let said = checked.filter(|_| *marked == *answered);
    let verdict = match said {
        Some(_) if shown => words::learn_shown(),
        Some(answer) if answer.right => words::learn_right(),
        Some(_) => words::learn_wrong(),
        None if *missing => words::learn_choose(),
        None => "",
    };
    let class = classes!(
        "ask__said",
        said.filter(|_| !shown).map(|answer| if answer.right { "ask__said--right" } else { "ask__said--wrong" })
    );
    html! {
        <form class={classes!("ask", format!("ask--{}", ask.kind))} data-ask={ask.kind.clone()} data-at={ask.at.to_string()}
            data-answered={answered.map(|answered| answered.to_string())} onsubmit={check} ref={form}>
            <fieldset>
                <legend>
                    <span class="ask__kind">{ kind }</span>
                    { Html::from_html_unchecked(format!("<span class=\"ask__asked\">{}</span>", ask.asked).into()) }
                </legend>
                <p class="ask__source" hidden={ask.source.is_empty()}>{ &ask.source }</p>
                { for answers.map(|(i, text)| html! {
                    <label key={i} class="ask__answer">
                        <input type="radio" name={format!("ask-{number}")} value={i.to_string()} checked={*marked == Some(i)} onchange={mark.clone()} />
                        { text }
                    </label>
                }) }
            </fieldset>
            <div class="ask__tools">
                <button type="submit" class="button--main" hidden={said.is_some()}>{ words::learn_check() }</button>
                <button type="button" class="button--quiet" hidden={answered.is_some() || ask.kind == "question"} onclick={show}>{ words::learn_show() }</button>
                <button type="button" hidden={said.is_none()} onclick={again}>{ words::learn_again() }</button>
            </div>
            <div class={class} role="status">
                <p class="ask__verdict" hidden={verdict.is_empty()}>{ verdict }</p>
                <div class="ask__why">
                    { said.map_or_else(Html::default, |answer| if claimed {
                        let holds = ask.answers.first().is_some_and(|answer| answer.right);
                        html! { <p>{ if holds { words::learn_holds() } else { words::learn_fails() } }</p> }
                    } else if shown {
                        Html::from_html_unchecked(format!("<p><strong>{}</strong></p>{}", answer.text, answer.why).into())
                    } else {
                        Html::from_html_unchecked(answer.why.clone())
                    }) }
                </div>
            </div>
            <div class="ask__reveal" hidden={checked.is_none() || ask.reveal.is_empty()}>
                { Html::from_html_unchecked(checked.map(|_| ask.reveal.clone()).unwrap_or_default()) }
            </div>
        </form>
    }
}

/// The answers to a claim.
fn truth(holds: bool) -> &'static str {
    words::by_key(if holds { "lesson.true" } else { "lesson.false" }).unwrap_or_default()
}
