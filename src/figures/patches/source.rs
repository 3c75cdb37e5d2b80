//! What the patches of a scheme are compared by.

use crate::figures::{Slot, common};
use posenc::{
    Encoding, Error,
    grid::{Grid, GridProfile, GridScores},
    vectors::{Vectors, dot, norm, normalise},
};
use std::rc::Rc;

/// What two patches are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The product of the vectors, or the score of query and key.
    Dot,
    /// The product divided by both lengths.
    Cosine,
}

/// A row and a column, from 0.
pub(super) type Patch = (usize, usize);

/// Numbers of a table that are kept, at the most: past that they are computed for each chosen patch.
const MOST_KEPT: usize = 4_300_000;
/// Patches that are then computed at once.
const BLOCK: usize = 64;

/// One scheme's similarities.
pub(super) enum Source {
    /// By how far apart two patches are.
    Offset {
        /// The exact ones, divided by the lengths where that is the measure.
        profile: GridProfile,
        /// The same for whole grids.
        scores: GridScores,
        /// Numbers in a query, where q and k are compared.
        head_dim: Option<usize>,
    },
    /// Of the patches' vectors.
    Table(Table),
}

impl Source {
    /// The similarities of a slot, if it has vectors or one rotation.
    pub(super) fn of(slot: &Slot, grid: Grid, vectors: Vectors, measure: Measure) -> Option<Self> {
        let offset = |profile: GridProfile, head_dim: Option<usize>| {
            // Turned vectors keep their lengths, and so do those of sines with their cosines.
            let scale = match (measure, head_dim) {
                (Measure::Dot, _) => 1.0,
                (Measure::Cosine, None) => 1.0 / profile.at(0, 0),
                (Measure::Cosine, Some(dim)) => {
                    let (q, k) = vectors.pair(dim);
                    libm::sqrt(dim as f64) / (norm(&q) * norm(&k))
                }
            };
            let profile = profile.scaled(scale);
            Self::Offset { scores: profile.scores(grid), profile, head_dim }
        };
        match common::encoding(slot)? {
            Encoding::Axial(axial) => {
                let (q, k) = vectors.pair(axial.head_dim());
                let profile = GridProfile::of_axial(axial, &q, &k, grid).ok()?;
                Some(offset(profile, Some(axial.head_dim())))
            }
            Encoding::Rotary(rotary) => {
                let (q, k) = vectors.pair(rotary.head_dim());
                let mut profile = rotary.profile(&q, &k).ok()?;
                if measure == Measure::Cosine {
                    // An attention factor makes the vectors longer.
                    let mut turned = vec![0.0; rotary.head_dim()];
                    let mut length = |x: &[f64]| rotary.rotate(x, 0.0, &mut turned).ok().map(|()| norm(&turned));
                    profile = profile.scaled(norm(&q) * norm(&k) / (length(&q)? * length(&k)?));
                }
                Some(offset(GridProfile::of_raster(&profile, grid), Some(rotary.head_dim())))
            }
            Encoding::Absolute(table) => Some(match table.profile() {
                Some(profile) => offset(GridProfile::of_raster(&profile, grid), None),
                None => Self::Table(Table::new(slot.encoding.clone(), grid, measure, table.width())),
            }),
            Encoding::Grid(table) => Some(match table.profile(grid) {
                Some(profile) => offset(profile, None),
                None => Self::Table(Table::new(slot.encoding.clone(), grid, measure, table.width())),
            }),
            _ => None,
        }
    }

    /// The exact value of two patches; NaN where one of them has no vector.
    pub(super) fn at(&self, chosen: Patch, other: Patch) -> f64 {
        match self {
            Self::Offset { profile, .. } => {
                profile.at(chosen.0 as i64 - other.0 as i64, chosen.1 as i64 - other.1 as i64)
            }
            Self::Table(table) => {
                let (a, b) = (table.vector(chosen), table.vector(other));
                a.iter().zip(&b).map(|(a, b)| a * b).sum()
            }
        }
    }

    /// The values of a patch with every patch, row by row.
    pub(super) fn fill(&self, chosen: Patch, out: &mut [f32]) {
        match self {
            Self::Offset { scores, .. } => scores.fill(chosen, out),
            Self::Table(table) => table.fill(chosen, out),
        }
    }

    /// What the values of all pairs lie between.
    pub(super) fn range(&self) -> (f32, f32) {
        match self {
            Self::Offset { scores, .. } => scores.range(),
            Self::Table(table) => (-table.longest, table.longest),
        }
    }

    /// Numbers in a query, where q and k are compared.
    pub(super) fn head_dim(&self) -> Option<usize> {
        match self {
            Self::Offset { head_dim, .. } => *head_dim,
            Self::Table(_) => None,
        }
    }

    /// How many patches have a vector, where they end.
    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Self::Table(table) => match table.encoding.as_ref() {
                Ok(Encoding::Absolute(absolute)) => absolute.rows(),
                _ => None,
            },
            Self::Offset { .. } => None,
        }
    }
}

/// A vector for each patch.
pub(super) struct Table {
    encoding: Rc<Result<Encoding, Error>>,
    grid: Grid,
    measure: Measure,
    width: usize,
    /// All of them, unless there are too many.
    kept: Option<Vec<f32>>,
    /// The greatest product of a vector with itself: no two have a greater one.
    longest: f32,
}

impl Table {
    fn new(encoding: Rc<Result<Encoding, Error>>, grid: Grid, measure: Measure, width: usize) -> Self {
        let mut table = Self { encoding, grid, measure, width: width.max(1), kept: None, longest: 0.0 };
        let patches = grid.height * grid.width;
        if patches * table.width <= MOST_KEPT {
            table.kept = Some(table.vectors(0, patches));
        }
        let mut longest = 0.0_f32;
        table.each(|_, vectors| {
            let lengths = vectors.chunks_exact(table.width).map(|vector| dot(vector, vector));
            longest = lengths.filter(|length| length.is_finite()).fold(longest, f32::max);
        });
        table.longest = longest;
        table
    }

    /// The vector of a patch, of length 1 where cosines are taken; NaN where there is none.
    fn vector(&self, (row, column): Patch) -> Vec<f64> {
        let mut vector = vec![0.0; self.width];
        let written = match self.encoding.as_ref() {
            Ok(Encoding::Grid(table)) => table.write_patch(self.grid, row, column, &mut vector).is_ok(),
            Ok(Encoding::Absolute(table)) => {
                table.write_row((row * self.grid.width + column) as f64, &mut vector).is_ok()
            }
            _ => false,
        };
        if !written {
            vector.fill(f64::NAN);
        }
        if self.measure == Measure::Cosine {
            normalise(&mut vector);
        }
        vector
    }

    /// The vectors of so many patches, from one on.
    fn vectors(&self, from: usize, count: usize) -> Vec<f32> {
        let patches = from..from + count;
        let vectors = patches.flat_map(|patch| self.vector((patch / self.grid.width, patch % self.grid.width)));
        vectors.map(|x| x as f32).collect()
    }

    /// All vectors, some at a time, each time with the first patch of those.
    fn each(&self, mut take: impl FnMut(usize, &[f32])) {
        if let Some(kept) = &self.kept {
            return take(0, kept);
        }
        let patches = self.grid.height * self.grid.width;
        for from in (0..patches).step_by(BLOCK) {
            take(from, &self.vectors(from, BLOCK.min(patches - from)));
        }
    }

    fn fill(&self, chosen: Patch, out: &mut [f32]) {
        let own: Vec<f32> = self.vector(chosen).iter().map(|x| *x as f32).collect();
        self.each(|from, vectors| {
            for (cell, vector) in out[from..].iter_mut().zip(vectors.chunks_exact(self.width)) {
                *cell = dot(&own, vector);
            }
        });
    }
}
