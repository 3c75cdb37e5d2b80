//! The worst error by position, format by format.

use posenc::precision::{Cast, Format, worst};

/// Columns of a curve: more would be sharper than the error, which jumps from position to position.
const COLUMNS: usize = 160;
/// Positions that are looked at in a column, at most.
const MOST_EACH: u64 = 5;
/// Errors that are computed for a picture: a few milliseconds of them.
const BUDGET: usize = 200_000;

/// Points of each format's curve: position and the worst error there in radians, both above zero.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Curves {
    pub(super) points: [Vec<(f64, f64)>; 4],
}

impl Curves {
    /// Of positions from 1 to `reach`, evenly spread on a logarithmic axis; one of so many schemes on screen.
    pub(super) fn over_positions(cast: Cast, freq: &[f64], reach: u64, schemes: usize) -> Self {
        let each = BUDGET / (COLUMNS * Format::ALL.len() * freq.len().max(1) * schemes.max(1));
        let each = (each as u64).clamp(1, MOST_EACH);
        let mut edges: Vec<u64> = (0..=COLUMNS)
            .map(|i| libm::exp(i as f64 / COLUMNS as f64 * libm::log(reach as f64 + 1.0)).round() as u64)
            .collect();
        edges.dedup();
        let points = Format::ALL.map(|format| {
            let columns = edges.windows(2).filter_map(|edge| {
                let (first, count) = (edge[0], edge[1] - edge[0]);
                let taken = each.min(count);
                // From the end: there fewest bits are left.
                let positions = (0..taken).map(|i| edge[1] - 1 - i * count / taken);
                let most = positions.filter_map(|p| Some(worst(format, cast, p, freq)?.1)).fold(0.0, f64::max);
                (most > 0.0 && most.is_finite()).then_some((first as f64 + (count - 1) as f64 / 2.0, most))
            });
            columns.collect()
        });
        Self { points }
    }
}
