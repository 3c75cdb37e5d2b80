//! The pages. Figures and controls come from [`crate::ui`]; a page puts them in their places.

#[cfg(feature = "full")]
pub mod about;
pub mod embed;
mod explanation;
pub mod explore;
pub mod home;
#[cfg(feature = "full")]
pub mod learn;
#[cfg(feature = "full")]
pub mod pitfalls;
#[cfg(feature = "full")]
pub mod questions;
pub mod tries;

use crate::state::{Action, State};
use yew::prelude::*;

/// What every page gets.
#[derive(Properties, PartialEq, Clone)]
pub struct PageProps {
    /// Everything that is set.
    pub state: State,
    /// Whether all words are here: a page is made again when they come.
    pub said: bool,
    /// As [`said`](Self::said), of tables of weights.
    pub tables: u32,
    /// Where changes go.
    pub dispatch: Callback<Action>,
}
