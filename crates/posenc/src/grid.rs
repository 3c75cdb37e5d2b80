//! Positions with more than one coordinate: patches of an image, and tokens with a time, a row and a column.
//!
//! ```
//! use posenc::{Config, Encoding, grid::Grid};
//!
//! let Encoding::Grid(table) = Config::parse("sincos2d(d_model=8)").unwrap().0.build().unwrap() else { unreachable!() };
//! let mut rows = vec![0.0; 6 * 8];
//! table.fill(Grid { height: 2, width: 3 }, &mut rows);
//! assert_eq!(rows[..4], [0.0, 0.0, 1.0, 1.0]);
//! ```

mod profile;

use crate::{Error, Layout, Rotary, phase};
pub use profile::{GridProfile, GridScores};
use std::f64::consts::TAU;

/// So many rows and columns of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl Grid {
    /// Row and column of every patch, row by row.
    pub fn patches(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |column| (row, column)))
    }

    /// Refuses a patch that lies outside.
    ///
    /// # Errors
    /// [`Error::PastTheEnd`].
    pub fn check(self, row: usize, column: usize) -> Result<(), Error> {
        for (at, size) in [(row, self.height), (column, self.width)] {
            if at >= size {
                return Err(Error::PastTheEnd { position: at as f64, last: size.saturating_sub(1) });
            }
        }
        Ok(())
    }
}

/// A vector for each patch of a grid, which is added to the patch's embedding.
pub trait GridTable {
    /// Patches to a side of the table that it is stretched from, where it is made of one.
    fn size(&self) -> Option<usize> {
        None
    }

    /// Numbers in a vector: `d_model`.
    fn width(&self) -> usize;

    /// Writes the vector of a patch. It may depend on the size of the grid.
    ///
    /// # Errors
    /// [`Error::PastTheEnd`] for a patch outside the grid, [`Error::Length`] where `out` is not
    /// [`width`](Self::width) long.
    fn write_patch(&self, grid: Grid, row: usize, column: usize, out: &mut [f64]) -> Result<(), Error>;

    /// The product of two patches' vectors by how far apart they are, where it depends on nothing else.
    fn profile(&self, _grid: Grid) -> Option<GridProfile> {
        None
    }

    /// Fills patches × width, row by row of the grid; what is left past the last patch is not touched.
    fn fill(&self, grid: Grid, out: &mut [f32]) {
        let mut vector = vec![0.0; self.width()];
        for (cells, (row, column)) in out.chunks_exact_mut(self.width().max(1)).zip(grid.patches()) {
            if self.write_patch(grid, row, column, &mut vector).is_err() {
                vector.fill(f64::NAN);
            }
            for (cell, value) in cells.iter_mut().zip(&vector) {
                *cell = *value as f32;
            }
        }
    }
}

/// What a patch's row and column are as coordinates of a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Their numbers, from 0.
    Index,
    /// The middle of the patch on the whole image from −1 to 1, times 2π: the same at every resolution.
    Centre,
}

/// A rotation of query and key whose angle in each plane is a sum over several coordinates: `Σ_a at[a]·freq[k][a]`.
///
/// As with one coordinate, a score depends on the offsets alone.
#[derive(Debug, Clone, PartialEq)]
pub struct AxialRotary {
    head_dim: usize,
    axes: &'static [&'static str],
    /// Planes × axes.
    freq: Vec<f64>,
    layout: Layout,
    place: Place,
}

/// The axes of an image.
pub const ROW_COLUMN: [&str; 2] = ["row", "column"];
/// The axes of a video among text.
pub const TIME_ROW_COLUMN: [&str; 3] = ["time", "row", "column"];

impl AxialRotary {
    /// Of planes × axes frequencies (radians per unit of the coordinate).
    ///
    /// # Errors
    /// [`Error::Length`] where the frequencies are not whole planes, or more planes than dimensions.
    pub fn new(
        head_dim: usize,
        axes: &'static [&'static str],
        freq: Vec<f64>,
        layout: Layout,
        place: Place,
    ) -> Result<Self, Error> {
        let needed = head_dim / 2 * axes.len();
        if axes.is_empty() || !freq.len().is_multiple_of(axes.len()) || freq.len() > needed {
            return Err(Error::Length { what: "freq", given: freq.len(), needed });
        }
        Ok(Self { head_dim, axes, freq, layout, place })
    }

    /// Dimensions of a query or key.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// The names of the coordinates.
    pub fn axes(&self) -> &'static [&'static str] {
        self.axes
    }

    /// Rotated planes.
    pub fn planes(&self) -> usize {
        self.freq.len() / self.axes.len()
    }

    /// Radians per unit of each coordinate; empty past the last plane.
    pub fn freq(&self, plane: usize) -> &[f64] {
        self.freq.chunks_exact(self.axes.len()).nth(plane).unwrap_or_default()
    }

    /// Which dimensions make a plane.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// What rows and columns are as coordinates.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The two dimensions that plane k is read from.
    pub fn pair(&self, k: usize) -> (usize, usize) {
        self.layout.pair(k, self.planes())
    }

    /// The two dimensions that plane k is written to.
    pub fn pair_out(&self, k: usize) -> (usize, usize) {
        self.layout.pair_out(k, self.planes())
    }

    /// A patch as coordinates (row, column).
    ///
    /// # Errors
    /// [`Error::PastTheEnd`] for a patch outside the grid.
    pub fn coordinates(&self, grid: Grid, row: usize, column: usize) -> Result<[f64; 2], Error> {
        grid.check(row, column)?;
        Ok(match self.place {
            Place::Index => [row as f64, column as f64],
            Place::Centre => {
                let centre = |i: usize, n: usize| TAU * (2.0 * (i as f64 + 0.5) / n as f64 - 1.0);
                [centre(row, grid.height), centre(column, grid.width)]
            }
        })
    }

    fn check(&self, what: &'static str, at: &[f64]) -> Result<(), Error> {
        if at.len() == self.axes.len() {
            Ok(())
        } else {
            Err(Error::Length { what, given: at.len(), needed: self.axes.len() })
        }
    }

    /// Sine and cosine of a plane's angle.
    ///
    /// # Errors
    /// [`Error::Length`] where `at` has not as many coordinates as there are axes.
    pub fn sin_cos(&self, plane: usize, at: &[f64]) -> Result<(f64, f64), Error> {
        self.check("at", at)?;
        // Angle by angle: each is exact, and so are their sums.
        Ok(at.iter().zip(self.freq(plane)).fold((0.0, 1.0), |(sin, cos), (x, w)| {
            let (s, c) = phase::sin_cos(*x, *w);
            (sin * c + cos * s, cos * c - sin * s)
        }))
    }

    /// Rotates a query or key to its place.
    ///
    /// # Errors
    /// [`Error::Length`] where `x` or `out` is not [`head_dim`](Self::head_dim) long, or `at` has not as many
    /// coordinates as there are axes.
    pub fn rotate(&self, x: &[f64], at: &[f64], out: &mut [f64]) -> Result<(), Error> {
        for (what, given) in [("x", x.len()), ("out", out.len())] {
            if given != self.head_dim {
                return Err(Error::Length { what, given, needed: self.head_dim });
            }
        }
        out.copy_from_slice(x);
        for k in 0..self.planes() {
            let ((i, j), (to_i, to_j)) = (self.pair(k), self.pair_out(k));
            let (sin, cos) = self.sin_cos(k, at)?;
            out[to_i] = x[i] * cos - x[j] * sin;
            out[to_j] = x[j] * cos + x[i] * sin;
        }
        Ok(())
    }

    /// The score of a query and a key, divided by √`head_dim`; the offset is the query's coordinates less the key's.
    ///
    /// # Errors
    /// As [`rotate`](Self::rotate).
    pub fn score(&self, q: &[f64], k: &[f64], offset: &[f64]) -> Result<f64, Error> {
        let (mut turned, mut still) = (vec![0.0; self.head_dim], vec![0.0; self.head_dim]);
        self.rotate(q, offset, &mut turned)?;
        self.rotate(k, &vec![0.0; self.axes.len()], &mut still)?;
        let dot: f64 = turned.iter().zip(&still).map(|(a, b)| a * b).sum();
        Ok(dot / libm::sqrt(self.head_dim as f64))
    }

    /// What it is along a line: the rotation of the place `p · direction` as one of the position p. Text in a model with
    /// time, row and column goes along (1, 1, 1).
    ///
    /// # Errors
    /// [`Error::Length`] where `direction` has not as many coordinates as there are axes.
    pub fn along(&self, direction: &[f64]) -> Result<Rotary, Error> {
        self.check("direction", direction)?;
        let freq = self
            .freq
            .chunks_exact(self.axes.len())
            .map(|freq| freq.iter().zip(direction).map(|(w, x)| w * x).sum())
            .collect();
        Rotary::new(self.head_dim, freq, self.layout, 1.0)
    }
}

impl std::fmt::Debug for dyn GridTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GridTable")
    }
}
