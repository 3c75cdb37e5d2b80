//! Tables whose columns are waves over the position: sinusoidal encodings and the cosines and sines of a rotation.
//!
//! Column c of row p is `sin(p·w)` or `cos(p·w)` of one plane's frequency w (radians per token), or a constant. So a
//! row follows from the row before by one complex multiplication a plane, and the mean of a run of rows has a closed
//! form: both cost nothing like a sine a cell.
//!
//! ```
//! use posenc::waves::{Column, Waves};
//!
//! let waves = Waves::new(vec![1.0], vec![Column::Sin(0), Column::Cos(0)]);
//! let mut table = [0.0; 6];
//! waves.fill(0.0, 1.0, &mut table); // positions 0, 1, 2
//! assert_eq!(table[..2], [0.0, 1.0]);
//! assert_eq!(table[4], 2.0_f64.sin() as f32);
//!
//! let mut mean = [0.0; 2];
//! waves.fill_mean(0.0, 3, &mut mean); // the mean of the three
//! assert!((mean[0] - (table[0] + table[2] + table[4]) / 3.0).abs() < 1e-7);
//! ```

mod between;
mod shift;

use crate::{phase, profile::Profile};
use std::ops::Range;

pub use shift::{Fit, Shift};

/// Rows from one computed with exact sines and cosines to the next; the rest follow by multiplication. The error of a
/// row stays below 1e-14.
const ANCHOR: usize = 32;

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

/// Neighbouring columns that are written by one loop.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Strip {
    /// Sines of so many planes from `plane`.
    Sin { plane: usize, columns: usize },
    /// Cosines of so many planes from `plane`.
    Cos { plane: usize, columns: usize },
    /// Sine, cosine, sine, cosine … of the planes from `plane`; an even number of columns.
    SinCos { plane: usize, columns: usize },
    /// Cosine, sine, cosine, sine … of the planes from `plane`; an even number of columns.
    CosSin { plane: usize, columns: usize },
    /// A number.
    Constant { value: f32, columns: usize },
}

/// Frequencies, and the columns made of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    freq: Vec<f64>,
    columns: Vec<Column>,
    strips: Vec<Strip>,
}

impl Waves {
    /// Waves of these frequencies (radians per token, one per plane) in these columns. A column of a plane that has no
    /// frequency is NaN.
    pub fn new(freq: Vec<f64>, mut columns: Vec<Column>) -> Self {
        for column in &mut columns {
            if let Column::Sin(k) | Column::Cos(k) = *column
                && k >= freq.len()
            {
                *column = Column::Constant(f64::NAN);
            }
        }
        let strips = strips(&columns);
        Self { freq, columns, strips }
    }

    /// Radians per token, one per plane.
    pub fn freq(&self) -> &[f64] {
        &self.freq
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// These columns alone, with the planes that they need: for a table of which only a part is on screen. A range
    /// past the last column is cut there.
    #[must_use]
    pub fn select(&self, columns: Range<usize>) -> Self {
        let end = columns.end.min(self.columns.len());
        let chosen = &self.columns[columns.start.min(end)..end];
        let mut used = vec![false; self.freq.len()];
        for column in chosen {
            if let Column::Sin(k) | Column::Cos(k) = *column
                && let Some(used) = used.get_mut(k)
            {
                *used = true;
            }
        }
        let planes: Vec<usize> = (0..used.len()).filter(|&k| used[k]).collect();
        let place = |k: usize| planes.binary_search(&k).unwrap_or_default();
        let columns = chosen
            .iter()
            .map(|column| match *column {
                Column::Sin(k) => Column::Sin(place(k)),
                Column::Cos(k) => Column::Cos(place(k)),
                constant @ Column::Constant(_) => constant,
            })
            .collect();
        Self::new(planes.iter().map(|&k| self.freq[k]).collect(), columns)
    }

    /// The exact value of a cell, at any real position; NaN past the last column.
    pub fn at(&self, position: f64, column: usize) -> f64 {
        match self.columns.get(column) {
            Some(&Column::Sin(k)) => phase::sin_cos(position, self.freq[k]).0,
            Some(&Column::Cos(k)) => phase::sin_cos(position, self.freq[k]).1,
            Some(&Column::Constant(c)) => c,
            None => f64::NAN,
        }
    }

    /// Fills rows × columns, row r being position `start + r·step`. What is left past the last whole row is not
    /// touched.
    pub fn fill(&self, start: f64, step: f64, out: &mut [f32]) {
        self.rows(start, step, None, out, |state, row| self.write(state, row));
    }

    /// Fills rows × columns, row r being the mean of the `run` positions from `start + r·run`, over all of them.
    ///
    /// The mean of a wave over n consecutive positions is the wave at their middle, times
    /// [`sin(n·w/2) / (n·sin(w/2))`](phase::fading): the cost does not depend on `run`.
    pub fn fill_mean(&self, start: f64, run: u64, out: &mut [f32]) {
        let run = run.max(1);
        let amplitude: Vec<f64> = self.freq.iter().map(|&w| phase::fading(run, w)).collect();
        let n = run as f64;
        self.rows(start + (n - 1.0) / 2.0, n, Some(&amplitude), out, |state, row| self.write(state, row));
    }

    /// As [`fill_mean`](Self::fill_mean), the standard deviation within each run: what the mean hides. Of the whole
    /// run, not of a sample of it (divided by n).
    pub fn fill_spread(&self, start: f64, run: u64, out: &mut [f32]) {
        let run = run.max(1);
        let (v_cos, v_sin): (Vec<f64>, Vec<f64>) = self.freq.iter().map(|&w| phase::fading_variances(run, w)).unzip();
        let n = run as f64;
        let mut spread = State::new(&self.freq, 0.0);
        self.rows(start + (n - 1.0) / 2.0, n, None, out, |state, row| {
            spread.deviations(state, &v_cos, &v_sin);
            self.write(&spread, row);
            // A constant column does not vary.
            for (column, cell) in self.columns.iter().zip(row) {
                if let Column::Constant(c) = column {
                    *cell = if c.is_finite() { 0.0 } else { f32::NAN };
                }
            }
        });
    }

    /// As [`fill_mean`](Self::fill_mean) of a table of `total` rows in all, counted from `start`: the last run is the
    /// mean of the positions that it has, and a run that has none is NaN.
    pub fn fill_mean_of(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        self.fill_mean(start, run, out);
        self.cut_short(start, run, total, out, Self::fill_mean);
    }

    /// As [`fill_spread`](Self::fill_spread) of a table of `total` rows in all, counted from `start`.
    pub fn fill_spread_of(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        self.fill_spread(start, run, out);
        self.cut_short(start, run, total, out, Self::fill_spread);
    }

    /// Does again the run in which the table ends, with the positions that it has.
    fn cut_short(&self, start: f64, run: u64, total: u64, out: &mut [f32], fill: impl Fn(&Self, f64, u64, &mut [f32])) {
        let width = self.columns.len().max(1);
        let run = run.max(1);
        let (whole, left) = (total / run, total % run);
        let Some(from) = usize::try_from(whole).ok().and_then(|rows| rows.checked_mul(width)) else { return };
        let Some(rest) = out.get_mut(from..) else { return };
        let mut rows = rest.chunks_exact_mut(width);
        if left > 0
            && let Some(row) = rows.next()
        {
            fill(self, start + (whole * run) as f64, left, row);
        }
        for row in rows {
            row.fill(f32::NAN);
        }
    }

    /// Calls `write` with the sines and cosines of every row in turn.
    fn rows(
        &self,
        start: f64,
        step: f64,
        amplitude: Option<&[f64]>,
        out: &mut [f32],
        mut write: impl FnMut(&State, &mut [f32]),
    ) {
        let mut state = State::new(&self.freq, step);
        for (r, row) in out.chunks_exact_mut(self.columns.len().max(1)).enumerate() {
            state.go_to_row(r, &self.freq, start, step, amplitude);
            write(&state, row);
        }
    }

    fn write(&self, state: &State, mut row: &mut [f32]) {
        for strip in &self.strips {
            let columns = match *strip {
                Strip::Sin { columns, .. }
                | Strip::Cos { columns, .. }
                | Strip::SinCos { columns, .. }
                | Strip::CosSin { columns, .. }
                | Strip::Constant { columns, .. } => columns,
            };
            let (cells, rest) = std::mem::take(&mut row).split_at_mut(columns);
            row = rest;
            match *strip {
                Strip::Sin { plane, .. } => copy(&state.sin[plane..], cells),
                Strip::Cos { plane, .. } => copy(&state.cos[plane..], cells),
                Strip::SinCos { plane, .. } => interleave(&state.sin[plane..], &state.cos[plane..], cells),
                Strip::CosSin { plane, .. } => interleave(&state.cos[plane..], &state.sin[plane..], cells),
                Strip::Constant { value, .. } => cells.fill(value),
            }
        }
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

/// Sines and cosines of one row, and those of one step.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) sin: Vec<f64>,
    pub(crate) cos: Vec<f64>,
    step_sin: Vec<f64>,
    step_cos: Vec<f64>,
}

impl State {
    pub(crate) fn new(freq: &[f64], step: f64) -> Self {
        let (step_sin, step_cos) = freq.iter().map(|&w| phase::sin_cos(step, w)).unzip();
        Self { sin: vec![0.0; freq.len()], cos: vec![0.0; freq.len()], step_sin, step_cos }
    }

    fn anchor(&mut self, freq: &[f64], position: f64, amplitude: Option<&[f64]>) {
        for (k, &w) in freq.iter().enumerate() {
            let (sin, cos) = phase::sin_cos(position, w);
            let by = amplitude.map_or(1.0, |amplitude| amplitude[k]);
            self.sin[k] = sin * by;
            self.cos[k] = cos * by;
        }
    }

    /// Row r of the positions `start + r·step`; rows are visited in order from 0.
    pub(crate) fn go_to_row(&mut self, r: usize, freq: &[f64], start: f64, step: f64, amplitude: Option<&[f64]>) {
        if r.is_multiple_of(ANCHOR) {
            self.anchor(freq, start + r as f64 * step, amplitude);
        } else {
            self.advance();
        }
    }

    /// Becomes the standard deviations of sines and cosines about the phases of `middle`.
    fn deviations(&mut self, middle: &Self, v_cos: &[f64], v_sin: &[f64]) {
        let variances = v_cos.iter().zip(v_sin);
        let phases = middle.sin.iter().zip(&middle.cos);
        let out = self.sin.iter_mut().zip(&mut self.cos);
        for (((sin, cos), (s, c)), (v_cos, v_sin)) in out.zip(phases).zip(variances) {
            // The square root of f64 is rounded exactly on every machine.
            *sin = (s * s * v_cos + c * c * v_sin).sqrt();
            *cos = (c * c * v_cos + s * s * v_sin).sqrt();
        }
    }

    fn advance(&mut self) {
        let steps = self.step_sin.iter().zip(&self.step_cos);
        for ((sin, cos), (step_sin, step_cos)) in self.sin.iter_mut().zip(&mut self.cos).zip(steps) {
            let (s, c) = (*sin, *cos);
            *sin = s * step_cos + c * step_sin;
            *cos = c * step_cos - s * step_sin;
        }
    }
}

fn copy(from: &[f64], to: &mut [f32]) {
    for (cell, value) in to.iter_mut().zip(from) {
        *cell = *value as f32;
    }
}

fn interleave(first: &[f64], second: &[f64], to: &mut [f32]) {
    for ((cells, a), b) in to.chunks_exact_mut(2).zip(first).zip(second) {
        cells[0] = *a as f32;
        cells[1] = *b as f32;
    }
}

/// Splits columns into stretches that one loop writes.
fn strips(columns: &[Column]) -> Vec<Strip> {
    use Column::{Constant, Cos, Sin};
    let mut strips = Vec::new();
    let mut at = 0;
    // How many columns from `at` are what `expected` says of each.
    let stretch = |at: usize, expected: &dyn Fn(usize) -> Column| {
        columns[at..].iter().enumerate().take_while(|(i, column)| **column == expected(*i)).count()
    };
    while at < columns.len() {
        let strip = match columns[at] {
            Constant(value) => {
                let same = |column: &&Column| matches!(column, Constant(c) if c.to_bits() == value.to_bits());
                Strip::Constant { value: value as f32, columns: columns[at..].iter().take_while(same).count() }
            }
            Sin(plane) => {
                let pairs = stretch(at, &|i| if i % 2 == 0 { Sin(plane + i / 2) } else { Cos(plane + i / 2) }) / 2;
                if pairs > 0 {
                    Strip::SinCos { plane, columns: 2 * pairs }
                } else {
                    Strip::Sin { plane, columns: stretch(at, &|i| Sin(plane + i)) }
                }
            }
            Cos(plane) => {
                let pairs = stretch(at, &|i| if i % 2 == 0 { Cos(plane + i / 2) } else { Sin(plane + i / 2) }) / 2;
                if pairs > 0 {
                    Strip::CosSin { plane, columns: 2 * pairs }
                } else {
                    Strip::Cos { plane, columns: stretch(at, &|i| Cos(plane + i)) }
                }
            }
        };
        at += match strip {
            Strip::Sin { columns, .. }
            | Strip::Cos { columns, .. }
            | Strip::SinCos { columns, .. }
            | Strip::CosSin { columns, .. }
            | Strip::Constant { columns, .. } => columns,
        };
        strips.push(strip);
    }
    strips
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`fill`](Waves::fill) rounds to f32, before it is rounded: many rows, from near and from far.
    #[test]
    fn the_recurrence_stays_within_1e_12() {
        let freq: Vec<f64> = (0..16).map(|k| libm::pow(10_000.0, -f64::from(k) / 16.0)).collect();
        let mut worst: f64 = 0.0;
        for (start, step) in [(0.0, 1.0), (-1_000_000.0, 1.0), (10_000_000.0, 0.25), (0.0, 1000.0)] {
            let mut state = State::new(&freq, step);
            for r in 0..20_000 {
                state.go_to_row(r, &freq, start, step, None);
                for (k, w) in freq.iter().enumerate() {
                    let (sin, cos) = phase::sin_cos(start + r as f64 * step, *w);
                    worst = worst.max((state.sin[k] - sin).abs()).max((state.cos[k] - cos).abs());
                }
            }
        }
        // More than nothing: it is a recurrence.
        assert!(worst > 1e-16 && worst < 1e-12, "{worst:e}");
    }
}
