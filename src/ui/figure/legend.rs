//! The legend. It names schemes with their parameters, so it changes at many a step of a slider: a component of its own, which leaves the
//! rest of the figure's elements as they are.

use super::stage::Stage;
use crate::figures::Legend;
use crate::ui::slot_class;
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

/// Whose legend it is.
#[derive(Properties)]
pub(super) struct LegendProps {
    pub(super) stage: Rc<Stage>,
    /// Whether all words were here.
    pub(super) said: bool,
}

impl PartialEq for LegendProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.stage, &other.stage) && self.said == other.said
    }
}

/// What colours, dashes and hands mean.
#[component]
pub(super) fn LegendList(props: &LegendProps) -> Html {
    let stage = &props.stage;
    let entries = use_state_eq(|| stage.legend.borrow().clone());
    use_effect_with((), {
        let (stage, setter) = (stage.clone(), entries.setter());
        move |()| *stage.legend_shown.borrow_mut() = Some(setter)
    });
    html! {
        <ul class="figure__legend" aria-label={words::view_legend()} hidden={entries.is_empty()}>
            { for entries.iter().enumerate().map(|(i, entry)| html! {
                <li key={i} class="legend">{ legend_entry(entry) }</li>
            }) }
        </ul>
    }
}

fn legend_entry(entry: &Legend) -> Html {
    match entry {
        Legend::Scale { label, stops, ticks } => html! {
            <div class="legend__scale">
                <span class="legend__label">{ label }</span>
                <span class="legend__bar" aria-hidden="true"
                    style={format!("background: linear-gradient(to right, {})", stops.join(", "))} />
                <span class="legend__ticks">
                    { for ticks.iter().enumerate().map(|(i, (at, text))| html! {
                        <span key={i} class="legend__tick" style={format!("left: {:.2}%", at.clamp(0.0, 1.0) * 100.0)}>{ text }</span>
                    }) }
                </span>
            </div>
        },
        Legend::Slot { slot, label } => html! {
            <span class="legend__slot">
                <span class={slot_class(*slot)} aria-hidden="true" />
                <span class="legend__label">{ label }</span>
            </span>
        },
        Legend::Note(note) => html! { <span class="legend__note">{ note }</span> },
    }
}
