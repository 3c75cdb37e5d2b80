//! What the lab has seen in a table.

use posenc::analysis::NEIGHBOURS;

/// A principal component.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Component {
    /// Its share of the variance.
    pub(super) share: f64,
    /// In positions.
    pub(super) period: f64,
    /// What each row has of it.
    pub(super) along: Vec<f32>,
}

/// See [`posenc::analysis::Found`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) toeplitz: f64,
    pub(super) rank: f64,
    /// The share of rows whose nearest row is a neighbour.
    pub(super) next: f64,
    pub(super) left_out: usize,
    pub(super) mean: Vec<f32>,
    pub(super) spread: Vec<f32>,
    nearest: Vec<f32>,
    pub(super) components: Vec<Component>,
}

impl Seen {
    /// From the arrays of the job `table`, in their order; what is missing is not known.
    pub(super) fn new(arrays: &[Vec<f32>], rows: usize) -> Self {
        let array = |place: usize| arrays.get(place).cloned().unwrap_or_default();
        let numbers = array(0);
        let number = |place: usize| numbers.get(place).map_or(f64::NAN, |value| f64::from(*value));
        let (shares, periods, along) = (array(4), array(5), array(6));
        let components = along.chunks_exact(rows.max(1)).zip(&shares).zip(periods.chunks_exact(2));
        Self {
            toeplitz: number(0),
            rank: number(1),
            next: number(2),
            left_out: number(3) as usize,
            mean: array(1),
            spread: array(2),
            nearest: array(3),
            components: components
                .map(|((along, share), period)| Component {
                    share: f64::from(*share),
                    period: f64::from(period[0]),
                    along: along.to_vec(),
                })
                .collect(),
        }
    }

    /// The rows most like a row, the nearest first.
    pub(super) fn nearest(&self, row: usize) -> Vec<u32> {
        let all = row.checked_mul(NEIGHBOURS).and_then(|first| self.nearest.get(first..)?.get(..NEIGHBOURS));
        all.unwrap_or_default().iter().filter(|near| **near >= 0.0).map(|near| *near as u32).collect()
    }
}
