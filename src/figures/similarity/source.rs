//! What the cells of a scheme are computed from.

use crate::figures::square::Square;
use crate::figures::{Slot, common};
use posenc::{
    Absolute, Encoding, Error, phase,
    profile::Profile,
    vectors::{Vectors, dot, norm, normalise},
};
use std::ops::Range;
use std::rc::Rc;

/// What two positions are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The product of the vectors.
    Dot,
    /// The product divided by both lengths.
    Cosine,
}

/// Multiplications of one panel of a table, at the most: past that, its cells are larger.
const MOST_PRODUCTS: usize = 51_000_000;

/// One scheme's products.
pub(super) enum Source {
    /// A function of the offset; `head_dim` where it is that of q and k.
    Profile {
        /// The products, divided by the lengths where that is the measure.
        profile: Profile,
        /// Numbers in a query.
        head_dim: Option<usize>,
    },
    /// Rows of a table.
    Rows {
        /// The table.
        encoding: Rc<Result<Encoding, Error>>,
        /// What is compared.
        measure: Measure,
    },
}

impl Source {
    /// The products of a slot, if it has vectors or rotations.
    pub(super) fn of(slot: &Slot, vectors: Vectors, measure: Measure) -> Option<Self> {
        match common::encoding(slot)? {
            Encoding::Rotary(rotary) => {
                let (q, k) = vectors.pair(rotary.head_dim());
                let profile = rotary.profile(&q, &k).ok()?;
                let head_dim = Some(rotary.head_dim());
                if measure == Measure::Dot {
                    return Some(Self::Profile { profile, head_dim });
                }
                // Turned vectors keep their lengths, whatever the position.
                let mut turned = vec![0.0; rotary.head_dim()];
                let mut length = |x: &[f64]| rotary.rotate(x, 0.0, &mut turned).ok().map(|()| norm(&turned));
                let lengths = length(&q)? * length(&k)?;
                let scale = libm::sqrt(rotary.head_dim() as f64) / lengths;
                Some(Self::Profile { profile: profile.scaled(scale), head_dim })
            }
            Encoding::Absolute(table) => Some(match table.profile() {
                Some(profile) => {
                    let scale = if measure == Measure::Cosine { 1.0 / profile.at(0.0) } else { 1.0 };
                    Self::Profile { profile: profile.scaled(scale), head_dim: None }
                }
                None => Self::Rows { encoding: slot.encoding.clone(), measure },
            }),
            _ => None,
        }
    }

    fn table(&self) -> Option<&dyn Absolute> {
        match self {
            Self::Rows { encoding, .. } => match encoding.as_ref() {
                Ok(Encoding::Absolute(table)) => Some(table.as_ref()),
                _ => None,
            },
            Self::Profile { .. } => None,
        }
    }

    /// Numbers in a query, where q and k are compared.
    pub(super) fn head_dim(&self) -> Option<usize> {
        match self {
            Self::Profile { head_dim, .. } => *head_dim,
            Self::Rows { .. } => None,
        }
    }

    /// How many positions have a row, where they end.
    pub(super) fn rows(&self) -> Option<usize> {
        self.table().and_then(Absolute::rows)
    }

    /// The positions of a window that no text reached in training.
    pub(super) fn untrained(&self, square: &Square) -> Vec<u64> {
        let Some(table) = self.table() else { return Vec::new() };
        let end = table.rows().map_or(0, |rows| rows as u64).min(square.first + square.count);
        (square.first..end).filter(|position| table.untrained(*position)).collect()
    }

    /// Positions to a side of what one value stands for.
    pub(super) fn run(&self, square: &Square) -> u64 {
        square.run * self.table().map_or(1, |table| merge(square.cells, table.width().max(1))) as u64
    }

    /// Whether a cell that stands for many pairs is their mean; else it is the pair in its middle.
    pub(super) fn is_mean(&self) -> bool {
        !matches!(self, Self::Rows { measure: Measure::Cosine, .. })
    }

    /// The exact value of a pair; NaN where one of them has no row.
    pub(super) fn at(&self, query: i64, key: i64) -> f64 {
        self.block(query..query + 1, key..key + 1)[0]
    }

    /// The exact values of every pair, query by query.
    pub(super) fn block(&self, queries: Range<i64>, keys: Range<i64>) -> Vec<f64> {
        let pairs = queries.clone().flat_map(|query| keys.clone().map(move |key| (query, key)));
        match self {
            Self::Profile { profile, .. } => pairs.map(|(query, key)| profile.at((query - key) as f64)).collect(),
            Self::Rows { measure, .. } => {
                let rows = |positions: Range<i64>| -> Vec<Vec<f64>> {
                    positions.map(|position| self.row(*measure, position as f64)).collect()
                };
                let keys = rows(keys);
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                rows(queries).iter().flat_map(|a| keys.iter().map(|b| dot(a, b)).collect::<Vec<_>>()).collect()
            }
        }
    }

    /// The row of a position, of length 1 where cosines are taken; NaN where there is none.
    fn row(&self, measure: Measure, position: f64) -> Vec<f64> {
        let Some(table) = self.table() else { return vec![f64::NAN] };
        let mut row = vec![0.0; table.width()];
        if table.write_row(position, &mut row).is_err() {
            row.fill(f64::NAN);
        }
        if measure == Measure::Cosine {
            normalise(&mut row);
        }
        row
    }

    /// Fills the cells of a window.
    pub(super) fn fill(&self, square: &Square, out: &mut [f32]) {
        match self {
            Self::Profile { profile, .. } => square.fill_by_offset(&diagonals(profile, square), out),
            Self::Rows { measure, .. } => self.fill_rows(*measure, square, out),
        }
    }

    /// The products of every pair of rows: of the mean rows of the cells, or of the rows in their middles for cosines.
    fn fill_rows(&self, measure: Measure, square: &Square, out: &mut [f32]) {
        let Some(table) = self.table() else { return };
        let (n, width) = (square.cells, table.width().max(1));
        let merge = merge(n, width);
        let m = n.div_ceil(merge);
        let mut cells = vec![0.0_f32; m * width];
        match measure {
            Measure::Dot => table.fill_mean(square.first as f64, square.run * merge as u64, square.count, &mut cells),
            Measure::Cosine => {
                for (i, cells) in cells.chunks_exact_mut(width).enumerate() {
                    let middle = square.middle((i * merge + merge / 2).min(n - 1)).floor();
                    for (cell, value) in cells.iter_mut().zip(&self.row(measure, middle)) {
                        *cell = *value as f32;
                    }
                }
            }
        }
        let mut products = vec![0.0_f32; m * m];
        for i in 0..m {
            let a = &cells[i * width..(i + 1) * width];
            for j in 0..=i {
                let product = dot(a, &cells[j * width..(j + 1) * width]);
                products[i * m + j] = product;
                products[j * m + i] = product;
            }
        }
        for (row, cells) in out.chunks_exact_mut(n).enumerate() {
            let from = &products[row / merge * m..][..m];
            for (column, cell) in cells.iter_mut().enumerate() {
                *cell = from[column / merge];
            }
        }
    }
}

/// Cells that share their products, to a side, where there are too many of them.
fn merge(cells: usize, width: usize) -> usize {
    let most = libm::sqrt((2 * MOST_PRODUCTS / width) as f64).max(16.0) as usize;
    cells.div_ceil(most)
}

/// The mean over the pairs of each cell, by row − column from −(n − 1) on: the mean of a wave over the differences of
/// two runs is that wave, fainter by the square of what one run leaves of it.
fn diagonals(profile: &Profile, square: &Square) -> Vec<f32> {
    let (run, n) = (square.run, square.cells as i64);
    let faint = |k: usize| {
        let left = phase::fading(run, profile.freq()[k]);
        left * left
    };
    let planes = 0..profile.freq().len();
    let weights = |of: &[f64]| planes.clone().map(|k| of[k] * faint(k)).collect();
    // In steps of a run.
    let steps = profile.freq().iter().map(|w| w * run as f64).collect();
    let stretched = Profile::new(steps, weights(profile.cos()), weights(profile.sin()), profile.constant());
    let mut values = Vec::with_capacity(2 * square.cells);
    stretched.ranger().each(1 - n, n, u64::MAX, |scores| values.extend_from_slice(scores));
    values
}
