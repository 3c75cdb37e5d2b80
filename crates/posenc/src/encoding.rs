//! What a scheme computes, by where it acts.

use crate::{
    Error, QueryKey, Rotary,
    bias::Bias,
    content::Content,
    grid::{AxialRotary, GridTable},
    profile::Profile,
    waves::Waves,
};

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
    /// A number that is added to the logit, by head, query and key.
    Bias(Box<dyn Bias>),
    /// A part of the logit that reads query or key.
    Content(Box<dyn Content>),
    /// A change of query and key that is not one rotation of both.
    QueryKey(Box<dyn QueryKey>),
    /// A vector that is added to the embedding of a patch.
    Grid(Box<dyn GridTable>),
    /// A rotation of query and key by several coordinates.
    Axial(AxialRotary),
}

impl Encoding {
    /// Numbers in the vectors that it acts on: the embedding's, where it is added to that, else those of query and key.
    /// `None` where it acts on scores, or not at all, and any width will do.
    pub fn width(&self) -> Option<usize> {
        match self {
            Self::None | Self::Bias(_) => None,
            Self::Absolute(table) => Some(table.width()),
            Self::Rotary(rotary) => Some(rotary.head_dim()),
            Self::Content(content) => Some(content.head_dim()),
            Self::QueryKey(both) => Some(both.head_dim()),
            Self::Grid(table) => Some(table.width()),
            Self::Axial(axial) => Some(axial.head_dim()),
        }
    }

    /// A number that follows from the parameters, by the name that formulas have for it:
    ///
    /// * `planes`: how many pairs of dimensions turn; `rotated`: how many dimensions these are.
    /// * `ramp_low`, `ramp_high`: see [`Frequencies::ramp_planes`].
    /// * by a parameter's key, what is used where the parameter leaves it to the scheme: `attention_factor`, `mscale`,
    ///   `mscale_all_dim`.
    ///
    /// [`Frequencies::ramp_planes`]: crate::schemes::rope_scaling::Frequencies::ramp_planes
    pub fn number(&self, name: &str) -> Option<f64> {
        let rotary = match self {
            Self::Absolute(table) if name == "planes" => return Some(table.waves()?.freq().len() as f64),
            Self::Rotary(rotary) => rotary,
            _ => return None,
        };
        let planes = rotary.inv_freq().len() as f64;
        match name {
            "planes" => Some(planes),
            "rotated" => Some(2.0 * planes),
            "attention_factor" => Some(rotary.attention_factor()),
            "ramp_low" => Some(rotary.frequencies()?.ramp_planes()?.0),
            "ramp_high" => Some(rotary.frequencies()?.ramp_planes()?.1),
            "mscale" => Some(rotary.frequencies()?.mscales()?.0),
            "mscale_all_dim" => Some(rotary.frequencies()?.mscales()?.1),
            _ => None,
        }
    }
}

/// A vector for each position.
pub trait Absolute {
    /// Numbers in a row: `d_model`.
    fn width(&self) -> usize;

    /// How many positions have a row; `None` where every position has one.
    fn rows(&self) -> Option<usize> {
        None
    }

    /// Whether the row of a position looks as if no text had ever reached it in training.
    fn untrained(&self, _position: u64) -> bool {
        false
    }

    /// Writes the row of a position, any real number where the scheme has no table.
    ///
    /// # Errors
    /// [`Error::PastTheEnd`] and [`Error::NoRow`], and [`Error::Length`] where `out` is not [`width`](Self::width) long.
    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), Error>;

    /// The columns as waves over the position, where they are that: tables, means and profiles then have closed forms.
    fn waves(&self) -> Option<&Waves> {
        None
    }

    /// Fills rows × columns, row r being position `start + r·step`: by [`waves`](Self::waves), or row by row. A position
    /// without a row is NaN.
    fn fill(&self, start: f64, step: f64, out: &mut [f32]) {
        if let Some(waves) = self.waves() {
            return waves.fill(start, step, out);
        }
        let mut row = vec![0.0; self.width()];
        for (r, cells) in out.chunks_exact_mut(self.width().max(1)).enumerate() {
            if self.write_row(start + r as f64 * step, &mut row).is_err() {
                row.fill(f64::NAN);
            }
            for (cell, value) in cells.iter_mut().zip(&row) {
                *cell = *value as f32;
            }
        }
    }

    /// As [`fill`](Self::fill), row r being the mean of the `run` positions from `start + r·run`, as far as they lie
    /// within the first `total` from `start` and have a row.
    fn fill_mean(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        match self.waves() {
            Some(waves) => waves.fill_mean_of(start, run, total, out),
            None => self.fill_moments(start, run, total, |mean, _| mean, out),
        }
    }

    /// As [`fill_mean`](Self::fill_mean), the standard deviation within each run (divided by n).
    fn fill_spread(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        match self.waves() {
            Some(waves) => waves.fill_spread_of(start, run, total, out),
            None => self.fill_moments(start, run, total, |_, deviation| deviation, out),
        }
    }

    /// Mean and standard deviation of each run from its rows, for schemes without closed forms; `pick` says which of
    /// the two is wanted.
    fn fill_moments(&self, start: f64, run: u64, total: u64, pick: fn(f64, f64) -> f64, out: &mut [f32]) {
        let (width, run) = (self.width(), run.max(1));
        let mut row = vec![0.0; width];
        for (r, cells) in out.chunks_exact_mut(width.max(1)).enumerate() {
            // Welford's: one pass, without cancellation.
            let (mut n, mut mean, mut squares) = (0.0, vec![0.0; width], vec![0.0; width]);
            let from = (r as u64).saturating_mul(run).min(total);
            for i in from..from.saturating_add(run).min(total) {
                if self.write_row(start + i as f64, &mut row).is_err() {
                    // No later position has a row where this one has none.
                    break;
                }
                n += 1.0;
                for ((mean, squares), value) in mean.iter_mut().zip(&mut squares).zip(&row) {
                    let before = value - *mean;
                    *mean += before / n;
                    *squares += before * (value - *mean);
                }
            }
            for ((cell, mean), squares) in cells.iter_mut().zip(&mean).zip(&squares) {
                *cell = if n > 0.0 { pick(*mean, (squares / n).max(0.0).sqrt()) as f32 } else { f32::NAN };
            }
        }
    }

    /// PE(p)·PE(p+δ) as a function of δ, where it is that and nothing else.
    fn profile(&self) -> Option<Profile> {
        self.waves().and_then(Waves::profile)
    }
}

/// Says no more than what it is: the numbers would fill pages, and their formatting every module that has one.
impl std::fmt::Debug for dyn Absolute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Absolute")
    }
}
