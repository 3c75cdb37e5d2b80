//! What a table of position vectors has learned, read from its rows alone.
//!
//! For R rows `x_p` of C numbers, all sums over the rows that are finite numbers and not all zero:
//!
//! * the cosine of `x_p` and `x_{p+δ}` by the distance δ: its mean, and its spread (one standard deviation) over p;
//! * the **Toeplitz share**: how much of the variance of the cosines over all pairs p < q is explained by q − p,
//!   `1 − Σ (c_pq − mean_{q−p})² / Σ (c_pq − mean)²`. It is 1 where a cosine depends on the distance alone, as for
//!   sinusoids, and about 2/R for rows that have nothing to do with each other;
//! * for each row the rows that are most like it;
//! * principal components of the rows less their mean, by the eigenvalues λ of their covariance: shares λ/Σλ, what each
//!   row has of a component, and the period with the most power in that (by the discrete Fourier transform over p);
//! * the **effective rank**, e^H with H the entropy of the shares (Roy & Vetterli 2007,
//!   <https://ieeexplore.ieee.org/document/7098875>): n equal components give n, one alone gives 1.
//!
//! Work is done in steps of a few milliseconds: [`Analysis::step`]. Everything is deterministic.
//!
//! ```
//! use posenc::analysis::Analysis;
//! use posenc::{Config, Encoding};
//!
//! let Encoding::Absolute(table) = Config::parse("sinusoidal(d_model=16)").unwrap().0.build().unwrap() else {
//!     unreachable!()
//! };
//! let mut rows = vec![0.0; 64 * 16];
//! table.fill(0.0, 1.0, &mut rows);
//! let mut analysis = Analysis::new(16, &rows, 4);
//! while !analysis.step() {}
//! let found = analysis.finish();
//! assert!((found.toeplitz - 1.0).abs() < 1e-9);
//! ```

mod components;
mod cosines;
mod symmetric;

use components::Components;
use cosines::Cosines;

/// Rows of a table that are looked at, at the most: of a longer one the first.
pub const MOST_ROWS: usize = 2048;
/// As [`MOST_ROWS`], of a table of more columns than this, and these are then the most rows, too: work grows with the
/// cube of the smaller side.
pub const WIDE: usize = 1024;
/// Rows that are named of those most like a row.
pub const NEIGHBOURS: usize = 4;
/// Components that are described, at the most.
pub const MOST_COMPONENTS: usize = 16;

/// A principal component.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Its share of the variance, 0 to 1.
    pub share: f64,
    /// What each row has of it, the rows in order; NaN for rows that were left out. Its greatest number is positive.
    pub along: Vec<f64>,
    /// The period with the most power, in positions; NaN where it is the same everywhere.
    pub period: f64,
    /// The share of the power at that period, 0 to 1.
    pub purity: f64,
}

/// How many rows of a table of so many columns are looked at, at the most: a second or two of work.
pub fn most_rows(columns: usize) -> usize {
    if columns > WIDE { WIDE } else { MOST_ROWS }
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Mean cosine by distance, from 0 on; NaN where no pair is so far apart.
    pub mean: Vec<f64>,
    /// Spread of it.
    pub spread: Vec<f64>,
    /// Toeplitz share; NaN where all cosines are equal, or there are too few.
    pub toeplitz: f64,
    /// For each row those most like it, [`NEIGHBOURS`] at the most, the nearest first; none for a row that was left out.
    pub nearest: Vec<Vec<usize>>,
    /// Components by falling share.
    pub components: Vec<Component>,
    /// Shares of all components, falling.
    pub shares: Vec<f64>,
    /// Effective rank; NaN where all rows are equal.
    pub rank: f64,
    /// How many rows were left out: not finite, or all zero.
    pub left_out: usize,
}

impl Found {
    /// The share of rows whose nearest row is a neighbour.
    pub fn next_to_it(&self) -> f64 {
        let rows = self.nearest.iter().enumerate().filter_map(|(row, near)| Some(near.first()?.abs_diff(row)));
        let (count, next) = rows.fold((0, 0), |(all, next), apart| (all + 1, next + i32::from(apart == 1)));
        f64::from(next) / f64::from(count)
    }
}

/// A table that is being looked at.
#[derive(Debug)]
pub struct Analysis {
    cosines: Cosines,
    components: Components,
    left_out: usize,
}

impl Analysis {
    /// Of rows of so many columns, the first [`most_rows`] of them; so many components are described.
    pub fn new(columns: usize, rows: &[f32], components: usize) -> Self {
        let columns = columns.max(1);
        let rows: Vec<&[f32]> = rows.chunks_exact(columns).take(most_rows(columns)).collect();
        let used = |row: &[f32]| row.iter().all(|x| x.is_finite()) && row.iter().any(|x| *x != 0.0);
        let places: Vec<usize> = (0..rows.len()).filter(|place| used(rows[*place])).collect();
        let left_out = rows.len() - places.len();
        let kept: Vec<f64> = places.iter().flat_map(|place| rows[*place].iter().map(|x| f64::from(*x))).collect();
        Self {
            cosines: Cosines::new(columns, &kept, places.clone(), rows.len()),
            components: Components::new(columns, kept, places, rows.len(), components.min(MOST_COMPONENTS)),
            left_out,
        }
    }

    /// Does a few milliseconds' worth. True when nothing is left.
    pub fn step(&mut self) -> bool {
        if self.cosines.step() { self.components.step() } else { false }
    }

    /// Does at once what there is to do with cosines, and nothing of the components: [`finish`](Self::finish) then knows none.
    ///
    /// ```
    /// use posenc::analysis::Analysis;
    ///
    /// // Three directions of a plane, the second between the others: its cosine with each is 1/√2.
    /// let mut analysis = Analysis::new(2, &[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 0);
    /// analysis.compare();
    /// let found = analysis.finish();
    /// assert!((found.mean[1] - 0.5_f64.sqrt()).abs() < 1e-7 && found.mean[2].abs() < 1e-7);
    /// assert_eq!(found.next_to_it(), 1.0);
    /// ```
    pub fn compare(&mut self) {
        while !self.cosines.step() {}
    }

    /// The share that is done, 0 to 1.
    pub fn done(&self) -> f64 {
        let (cosines, components) = (self.cosines.work(), self.components.work());
        (cosines.0 + components.0) / (cosines.1 + components.1).max(1.0)
    }

    /// The end: what was found so far, all of it once [`step`](Self::step) has said so.
    pub fn finish(self) -> Found {
        let (mean, spread, toeplitz, nearest) = self.cosines.finish();
        let (components, shares) = self.components.finish();
        let entropy: f64 = shares.iter().filter(|share| **share > 0.0).map(|share| -share * libm::log(*share)).sum();
        let rank = if shares.is_empty() { f64::NAN } else { libm::exp(entropy) };
        Found { mean, spread, toeplitz, nearest, components, shares, rank, left_out: self.left_out }
    }
}
