//! What pages are made of. No maths and no scheme's name here.

pub mod board;
#[cfg(feature = "full")]
pub mod config;
pub mod delay;
pub mod field;
pub mod figure;
pub mod frame;
pub mod header;
pub mod listeners;
#[cfg(feature = "full")]
pub mod live;
mod models;
pub mod notices;
pub mod passing;
pub mod rested;
pub mod scale;
pub mod schemes;
pub mod select;
pub mod store;
#[cfg(feature = "full")]
mod tensors;
pub mod weights;

use crate::state::Action;
use yew::prelude::{Callback, MouseEvent};

/// A click that does this.
pub fn click(dispatch: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_: MouseEvent| dispatch.emit(action.clone()))
}

/// The classes of a slot's sign: its colour and its dash.
pub fn slot_class(slot: usize) -> String {
    format!("slot slot--{}", slot + 1)
}
