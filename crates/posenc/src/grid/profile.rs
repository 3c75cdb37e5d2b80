//! What two patches of a grid have in common, where that depends on how far apart they are alone.
//!
//! `s(Δy, Δx) = c + Σ_k a_k·cos θ_k + b_k·sin θ_k`, `θ_k = Δy·f_k^y + Δx·f_k^x`. The sine and the cosine of a sum are
//! products of those of its parts, so that the scores of a grid are products of a vector for each Δy with one for each
//! Δx: [`GridScores`].

use super::{AxialRotary, Grid, Place};
use crate::{Error, phase, profile::Profile, vectors::dot};
use std::f64::consts::TAU;

/// A sum of waves over rows and columns: the query's less the key's.
#[derive(Debug, Clone, PartialEq)]
pub struct GridProfile {
    /// Radians per row and per column, one pair per plane.
    freq: Vec<[f64; 2]>,
    cos: Vec<f64>,
    sin: Vec<f64>,
    constant: f64,
}

impl GridProfile {
    /// Patches counted row by row as positions of a sequence: down a row is as far as a row is long.
    pub fn of_raster(profile: &Profile, grid: Grid) -> Self {
        let freq = profile.freq().iter().map(|w| [w * grid.width as f64, *w]).collect();
        Self { freq, cos: profile.cos().to_vec(), sin: profile.sin().to_vec(), constant: profile.constant() }
    }

    /// Waves of the same weight each, without a sine: products of vectors of sines and cosines.
    pub(crate) fn of_waves(freq: Vec<[f64; 2]>) -> Self {
        let planes = freq.len();
        Self { freq, cos: vec![1.0; planes], sin: vec![0.0; planes], constant: 0.0 }
    }

    /// The scores of a query and a key, divided by √`head_dim`, on the patches of one image: where a coordinate is the
    /// time, it is the same for all.
    ///
    /// # Errors
    /// [`Error::Length`] where `q` or `k` is not as long as the rotation's vectors.
    pub fn of_axial(axial: &AxialRotary, q: &[f64], k: &[f64], grid: Grid) -> Result<Self, Error> {
        // The weights do not depend on the direction.
        let line = axial.along(&vec![1.0; axial.axes().len()])?.profile(q, k)?;
        let step = |n: usize| match axial.place() {
            Place::Index => 1.0,
            Place::Centre => 2.0 * TAU / n as f64,
        };
        let axis = |name: &str, step: f64| {
            let index = axial.axes().iter().position(|axis| *axis == name);
            move |plane: usize| index.and_then(|i| axial.freq(plane).get(i)).map_or(0.0, |freq| freq * step)
        };
        let (row, column) = (axis("row", step(grid.height)), axis("column", step(grid.width)));
        let freq = (0..axial.planes()).map(|plane| [row(plane), column(plane)]).collect();
        Ok(Self { freq, cos: line.cos().to_vec(), sin: line.sin().to_vec(), constant: line.constant() })
    }

    /// Every weight times `factor`.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for weight in self.cos.iter_mut().chain(&mut self.sin) {
            *weight *= factor;
        }
        self.constant *= factor;
        self
    }

    /// The exact score so many rows down and columns to the right.
    pub fn at(&self, down: i64, across: i64) -> f64 {
        let planes = self.freq.iter().zip(self.cos.iter().zip(&self.sin));
        self.constant
            + planes
                .map(|([y, x], (a, b))| {
                    let ((sy, cy), (sx, cx)) = (phase::sin_cos(down as f64, *y), phase::sin_cos(across as f64, *x));
                    a * (cy * cx - sy * sx) + b * (sy * cx + cy * sx)
                })
                .sum::<f64>()
    }

    /// Prepares the scores of every pair of patches of a grid.
    pub fn scores(&self, grid: Grid) -> GridScores {
        let width = 2 * self.freq.len();
        let along = |n: usize, axis: usize, write: &dyn Fn(usize, f64, f64) -> [f64; 2]| -> Vec<f32> {
            let n = n as i64;
            let offsets = (1 - n..n).flat_map(|offset| {
                self.freq.iter().enumerate().flat_map(move |(k, freq)| {
                    let (sin, cos) = phase::sin_cos(offset as f64, freq[axis]);
                    write(k, sin, cos)
                })
            });
            offsets.map(|value| value as f32).collect()
        };
        let (a, b) = (&self.cos, &self.sin);
        GridScores {
            grid,
            width,
            rows: along(grid.height, 0, &|k, sin, cos| [a[k] * cos + b[k] * sin, b[k] * cos - a[k] * sin]),
            columns: along(grid.width, 1, &|_, sin, cos| [cos, sin]),
            constant: self.constant as f32,
        }
    }
}

/// The scores of a grid, good to about 1e-6 of the sum of the weights.
#[derive(Debug, Clone, PartialEq)]
pub struct GridScores {
    grid: Grid,
    /// Numbers in a vector: two a plane.
    width: usize,
    /// A vector for each offset of rows, from `1 − height` on.
    rows: Vec<f32>,
    /// A vector for each offset of columns, from `1 − width` on.
    columns: Vec<f32>,
    constant: f32,
}

impl GridScores {
    fn at(&self, row: usize, column: usize) -> f32 {
        let vector = |i: usize| i * self.width..(i + 1) * self.width;
        self.constant + dot(&self.rows[vector(row)], &self.columns[vector(column)])
    }

    /// The scores of a patch, as the query, with every patch as the key, row by row.
    pub fn fill(&self, (row, column): (usize, usize), out: &mut [f32]) {
        let Grid { height, width } = self.grid;
        for (cell, (y, x)) in out.iter_mut().zip(self.grid.patches()) {
            *cell = self.at(row + height - 1 - y, column + width - 1 - x);
        }
    }

    /// The least and the greatest score of any two patches.
    pub fn range(&self) -> (f32, f32) {
        let Grid { height, width } = self.grid;
        let all = (0..2 * height - 1).flat_map(|row| (0..2 * width - 1).map(move |column| self.at(row, column)));
        all.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), score| (low.min(score), high.max(score)))
    }
}
