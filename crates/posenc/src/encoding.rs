//! What a scheme computes, by where it acts.

use crate::{Error, Rotary, profile::Profile, waves::Waves};

/// A scheme, ready to compute.
#[derive(Debug)]
#[non_exhaustive]
pub enum Encoding {
    /// No positions at all.
    None,
    /// A vector that is added to the embedding.
    Absolute(Box<dyn Absolute>),
    /// A rotation of query and key.
    Rotary(Rotary),
}

/// A vector for each position.
pub trait Absolute: std::fmt::Debug {
    /// Numbers in a row: `d_model`.
    fn width(&self) -> usize;

    /// How many positions have a row; `None` where every position has one.
    fn rows(&self) -> Option<usize> {
        None
    }

    /// Writes the row of a position, any real number where the scheme has no table.
    ///
    /// # Errors
    /// [`Error::PastTheEnd`], and [`Error::Length`] where `out` is not [`width`](Self::width) long.
    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), Error>;

    /// The columns as waves over the position, where they are that: tables, means and profiles then have closed forms.
    fn waves(&self) -> Option<&Waves> {
        None
    }

    /// PE(p)·PE(p+δ) as a function of δ, where it is that and nothing else.
    fn profile(&self) -> Option<Profile> {
        self.waves().and_then(Waves::profile)
    }
}
