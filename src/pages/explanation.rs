//! What is said of the schemes on screen: what each is, its formula with the numbers put in, what to try, where it goes
//! wrong, who says so, and what it was tested against.

use crate::formulas;
use crate::ui::{rested::use_rested, slot_class};
use crate::words;
use posenc::Config;
use yew::prelude::*;

/// The schemes that are explained.
#[derive(Properties, PartialEq)]
pub(super) struct ExplanationProps {
    /// By slot.
    pub(super) schemes: Vec<Config>,
    /// Tokens in the sequence.
    pub(super) length: u64,
    /// The ids of the figures on screen: published failures that they show are named.
    #[cfg(feature = "full")]
    pub(super) figures: Vec<&'static str>,
    /// Whether all words are here.
    pub(super) said: bool,
}

/// The explanation. Its formulas are the dearest part of the page to lay out: they follow when a slider rests.
#[component]
pub(super) fn Explanation(props: &ExplanationProps) -> Html {
    let shown = use_rested(&(props.schemes.clone(), props.length));
    #[cfg(feature = "full")]
    let failures = props.figures.iter().map(|id| words::panel(&format!("figure.{id}"))).collect::<String>();
    #[cfg(not(feature = "full"))]
    let failures = String::new();
    (*use_memo((shown, props.said, failures), |((schemes, length), _, failures)| {
        html! { <>{ for kinds(schemes).iter().map(|slots| about(slots, schemes, *length)) }{ published(failures) }</> }
    }))
    .clone()
}

/// The published failures that the figures show.
#[cfg(feature = "full")]
fn published(failures: &str) -> Html {
    // An element that is always there: it holds nothing where no figure shows any.
    html! { <section class="about-scheme" key="published" hidden={failures.is_empty()}>{ Html::from_html_unchecked(failures.to_owned().into()) }</section> }
}

/// The first module knows of none.
#[cfg(not(feature = "full"))]
fn published(_: &str) -> Html {
    Html::default()
}

/// The slots of each scheme that is on screen: what is said of it is said once.
fn kinds(schemes: &[Config]) -> Vec<Vec<usize>> {
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for (slot, config) in schemes.iter().enumerate() {
        match kinds.iter_mut().find(|slots| schemes[slots[0]].spec == config.spec) {
            Some(slots) => slots.push(slot),
            None => kinds.push(vec![slot]),
        }
    }
    kinds
}

/// What is said of a scheme, and its formula with the numbers of each slot.
fn about(slots: &[usize], schemes: &[Config], length: u64) -> Html {
    let spec = schemes[slots[0]].spec;
    html! {
        <section class="about-scheme" key={spec.id}>
            <h2>{ words::scheme_name(spec.id) }</h2>
            <p>{ words::scheme_summary(spec.id) }</p>
            { for slots.iter().map(|slot| html! {
                <div class="about-scheme__formula" key={*slot}>
                    <span class={slot_class(*slot)} aria-hidden="true"></span>
                    // It may be wider than the panel: then it is scrolled, by keyboard too.
                    <div class="about-scheme__scroll" tabindex="0" role="group" aria-label={words::explore_formula(words::scheme_name(spec.id))}>
                        { Html::from_html_unchecked(formulas::scheme(&schemes[*slot], length).into()) }
                    </div>
                </div>
            }) }
            <div class="about-scheme__more">{ Html::from_html_unchecked(words::panel(spec.id).into()) }</div>
        </section>
    }
}
