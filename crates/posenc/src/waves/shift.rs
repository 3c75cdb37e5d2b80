//! A row from another: the matrix of a shift, and what is left of it where the cosines are missing.

use super::{Column, Waves};
use crate::{Error, phase, planes};

impl Waves {
    /// The matrix that turns the row of any position into the row `by` positions later; `None` where a plane has a
    /// sine without a cosine or the reverse (the last one of an odd width), so that there is none.
    pub fn shift(&self, by: f64) -> Option<Shift> {
        let mut sines = vec![None; self.freq.len()];
        let mut cosines = vec![None; self.freq.len()];
        for (c, column) in self.columns.iter().enumerate() {
            match *column {
                Column::Sin(k) => sines[k] = Some(c),
                Column::Cos(k) => cosines[k] = Some(c),
                Column::Constant(_) => {}
            }
        }
        let rows = self.columns.iter().enumerate().map(|(c, column)| match *column {
            // sin(θ + x) = cos x · sin θ + sin x · cos θ
            Column::Sin(k) => {
                let (sin, cos) = phase::sin_cos(by, self.freq[k]);
                Some([(c, cos), (cosines[k]?, sin)])
            }
            // cos(θ + x) = cos x · cos θ − sin x · sin θ
            Column::Cos(k) => {
                let (sin, cos) = phase::sin_cos(by, self.freq[k]);
                Some([(c, cos), (sines[k]?, -sin)])
            }
            Column::Constant(_) => Some([(c, 1.0), (c, 0.0)]),
        });
        Some(Shift { rows: rows.collect::<Option<_>>()? })
    }

    /// How well the sine of a plane predicts the same sine `by` positions later, by the best factor: least squares over so
    /// many whole positions, which are spread evenly over the turns. `None` where there is no such plane.
    ///
    /// With the cosine beside it, it would be exact ([`shift`](Self::shift)). The sines of other planes do not help: they
    /// run at other speeds.
    ///
    /// ```
    /// use posenc::waves::{Column, Waves};
    ///
    /// let waves = Waves::new(vec![1.0], vec![Column::Sin(0)]);
    /// let fit = waves.sine_alone(0, 10.0, 1000).unwrap();
    /// assert!((fit.explained - 0.704).abs() < 1e-3);
    /// ```
    pub fn sine_alone(&self, plane: usize, by: f64, positions: u32) -> Option<Fit> {
        let w = *self.freq.get(plane)?;
        // Steps of the golden part of a turn, or the whole number nearest to it: they fall evenly over the turn.
        let step = libm::round(planes::wavelength(w) * 0.618_033_988_749_894_9).clamp(1.0, 1e12);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for i in 0..positions {
            let position = f64::from(i) * step;
            let (x, y) = (phase::sin_cos(position, w).0, phase::sin_cos(position + by, w).0);
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        }
        // What a factor f misses is yy − 2·f·xy + f²·xx: least for xy/xx, and then yy − xy²/xx.
        let (factor, explained) = if xx > 0.0 && yy > 0.0 { (xy / xx, xy * xy / (xx * yy)) } else { (0.0, 0.0) };
        Some(Fit { factor, explained })
    }
}

/// The best factor, and how good it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// What the sine is multiplied by.
    pub factor: f64,
    /// R²: the share of the squares that it explains; 1 is all.
    pub explained: f64,
}

/// The matrix `M` with `PE(p + by) = M·PE(p)`, the same for every p: in each plane a rotation by `by·w`.
///
/// A row has at most two entries that are not 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    rows: Vec<[(usize, f64); 2]>,
}

impl Shift {
    /// Rows, and columns.
    pub fn width(&self) -> usize {
        self.rows.len()
    }

    /// One entry; 0 outside.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.rows.get(row).map_or(0.0, |row| row.iter().filter(|(c, _)| *c == column).map(|(_, x)| x).sum())
    }

    /// `M·row`.
    ///
    /// # Errors
    /// [`Error::Length`] where either is not [`width`](Self::width) long.
    pub fn apply(&self, row: &[f64], out: &mut [f64]) -> Result<(), Error> {
        for (what, given) in [("row", row.len()), ("out", out.len())] {
            if given != self.width() {
                return Err(Error::Length { what, given, needed: self.width() });
            }
        }
        for (cell, [(i, a), (j, b)]) in out.iter_mut().zip(&self.rows) {
            // The second entry may be none.
            *cell = if *b == 0.0 { a * row[*i] } else { a * row[*i] + b * row[*j] };
        }
        Ok(())
    }
}
