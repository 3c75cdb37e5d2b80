//! Placewise: the app. See `README.md` for the map of the repository.

pub mod draw;
pub mod figures;
mod formulas;
pub mod state;
pub mod ui;
mod words;
