//! Tables whose columns are waves over the position: sinusoidal encodings and the cosines and sines of a rotation.
//!
//! Column c of row p is `sin(p·w)` or `cos(p·w)` of one plane's frequency w (radians per token), or a constant. So a
//! row follows from the row before by one complex multiplication a plane, and the mean of a run of rows has a closed
//! form: both cost nothing like a sine a cell.

use crate::profile::Profile;

/// One column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Column {
    /// `sin(p·w)` of this plane.
    Sin(usize),
    /// `cos(p·w)` of this plane.
    Cos(usize),
    /// The same at every position.
    Constant(f64),
}

/// Frequencies, and the columns made of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    freq: Vec<f64>,
    columns: Vec<Column>,
}

impl Waves {
    /// Waves of these frequencies (radians per token, one per plane) in these columns.
    pub fn new(freq: Vec<f64>, columns: Vec<Column>) -> Self {
        Self { freq, columns }
    }

    /// Radians per token, one per plane.
    pub fn freq(&self) -> &[f64] {
        &self.freq
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The exact value of a cell, at any real position.
    pub fn at(&self, position: f64, column: usize) -> f64 {
        match self.columns[column] {
            Column::Sin(k) => libm::sin(position * self.freq[k]),
            Column::Cos(k) => libm::cos(position * self.freq[k]),
            Column::Constant(c) => c,
        }
    }

    /// Fills rows × columns, row r being position `start + r·step`.
    pub fn fill(&self, start: f64, step: f64, out: &mut [f32]) {
        let width = self.columns.len().max(1);
        for (r, row) in out.chunks_exact_mut(width).enumerate() {
            for (c, cell) in row.iter_mut().enumerate() {
                *cell = self.at(start + r as f64 * step, c) as f32;
            }
        }
    }

    /// Fills rows × columns, row r being the mean of the `run` positions from `start + r·run`, over all of them.
    pub fn fill_mean(&self, start: f64, run: u64, out: &mut [f32]) {
        let _ = (start, run, out);
        unimplemented!()
    }

    /// As [`fill_mean`](Self::fill_mean), the standard deviation within each run: what the mean hides.
    pub fn fill_spread(&self, start: f64, run: u64, out: &mut [f32]) {
        let _ = (start, run, out);
        unimplemented!()
    }

    /// The product of row p with row p+δ as a function of δ, where it does not depend on p: every plane has as many
    /// sine as cosine columns.
    pub fn profile(&self) -> Option<Profile> {
        let mut count = vec![(0_i64, 0_i64); self.freq.len()];
        let mut constant = 0.0;
        for column in &self.columns {
            match *column {
                Column::Sin(k) => count[k].0 += 1,
                Column::Cos(k) => count[k].1 += 1,
                Column::Constant(c) => constant += c * c,
            }
        }
        if count.iter().any(|(s, c)| s != c) {
            return None;
        }
        let cos = count.iter().map(|(s, _)| *s as f64).collect();
        Some(Profile::new(self.freq.clone(), cos, vec![0.0; self.freq.len()], constant))
    }
}
