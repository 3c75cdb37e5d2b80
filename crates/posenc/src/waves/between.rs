//! What rows of different positions have to do with each other, measured over many positions.

use super::Waves;
use crate::phase;
use std::ops::Range;

impl Waves {
    fn row(&self, position: f64) -> Vec<f64> {
        (0..self.columns().len()).map(|column| self.at(position, column)).collect()
    }

    /// How often the sine of a plane changes its sign from one whole position to the next of these; 0 counts as positive.
    /// `None` where there is no such plane.
    ///
    /// A plane of frequency w ≤ π (radians per token) does it w/π times a position, wherever the positions begin: frequency
    /// does not depend on the position.
    ///
    /// ```
    /// use posenc::waves::{Column, Waves};
    ///
    /// let waves = Waves::new(vec![1.0], vec![Column::Sin(0)]);
    /// // 999/π is 317.99: one more or less by where they begin.
    /// assert_eq!((waves.sign_changes(0, 0..1000), waves.sign_changes(0, 9000..10_000)), (Some(317), Some(318)));
    /// ```
    pub fn sign_changes(&self, plane: usize, positions: Range<i64>) -> Option<usize> {
        let w = *self.freq().get(plane)?;
        let negative = |position: i64| phase::sin_cos(position as f64, w).0 < 0.0;
        Some((positions.start + 1..positions.end).filter(|p| negative(p - 1) != negative(*p)).count())
    }

    /// The greatest error, in any entry, of the matrix of a [`shift`](Self::shift) over so many positions from 0:
    /// `|M·PE(p) − PE(p + by)|`. It is rounding. `None` where there is no such matrix.
    ///
    /// ```
    /// use posenc::waves::{Column, Waves};
    ///
    /// let waves = Waves::new(vec![1.0, 0.01], vec![Column::Sin(0), Column::Cos(0), Column::Sin(1), Column::Cos(1)]);
    /// assert!(waves.shift_error(10.0, 1000).unwrap() < 1e-15);
    /// ```
    pub fn shift_error(&self, by: f64, positions: u32) -> Option<f64> {
        let shift = self.shift(by)?;
        let mut product = vec![0.0; shift.width()];
        let mut worst = 0.0_f64;
        for position in (0..positions).map(f64::from) {
            shift.apply(&self.row(position), &mut product).ok()?;
            worst = worst.max(most(&product, &self.row(position + by)));
        }
        Some(worst)
    }

    /// The greatest error, in any entry, of the best `α·PE(p) + β·PE(by)` for `PE(p + by)`, with two factors for all so
    /// many positions from 1 on: least squares over all entries of all of them. A row far away is no such mixture of two
    /// rows, though it is linear in one.
    ///
    /// ```
    /// use posenc::waves::{Column, Waves};
    ///
    /// let waves = Waves::new(vec![1.0, 0.01], vec![Column::Sin(0), Column::Cos(0), Column::Sin(1), Column::Cos(1)]);
    /// assert!(waves.mixture_error(10.0, 400) > 1.0);
    /// // By whole turns of every plane, the row itself is there: α = 1.
    /// let turns = Waves::new(vec![std::f64::consts::TAU / 8.0], vec![Column::Sin(0), Column::Cos(0)]);
    /// assert!(turns.mixture_error(8.0, 400) < 1e-12);
    /// ```
    pub fn mixture_error(&self, by: f64, positions: u32) -> f64 {
        let fixed = self.row(by);
        let pairs = || (1..=positions).map(f64::from).map(|position| (self.row(position), self.row(position + by)));
        // The normal equations of α and β.
        let (mut aa, mut ab, mut bb, mut at, mut bt) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (row, there) in pairs() {
            for ((a, b), t) in row.iter().zip(&fixed).zip(&there) {
                (aa, ab, bb, at, bt) = (aa + a * a, ab + a * b, bb + b * b, at + a * t, bt + b * t);
            }
        }
        let determinant = aa * bb - ab * ab;
        let (alpha, beta) = ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant);
        let error = |(row, there): (Vec<f64>, Vec<f64>)| {
            let mixed: Vec<f64> = row.iter().zip(&fixed).map(|(a, b)| alpha * a + beta * b).collect();
            most(&mixed, &there)
        };
        pairs().map(error).fold(0.0, f64::max)
    }
}

/// The greatest difference of two rows' entries.
fn most(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
