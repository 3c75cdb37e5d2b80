//! One scheme's numbers: the matrix of a shift, what it makes of a position's vector, and what that should be.

use crate::figures::{Cursor, Scene, Slot, common};
use posenc::{
    Encoding,
    waves::{Column, Fit, Shift, Waves},
};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Planes that are on screen at a time: past that, a cell would be smaller than a pixel.
pub(super) const MOST_PLANES: usize = 64;
/// Positions that a factor is fitted over.
pub(super) const POSITIONS: u32 = 500;

/// Which columns a shift is to be had from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Sines and cosines.
    Both,
    /// Sines alone.
    Sine,
}

/// A matrix of a shift.
#[derive(Debug)]
enum Matrix {
    /// The exact one.
    Exact(Shift),
    /// For each plane of a block, the best factor of its sine.
    Factors(Vec<Fit>),
}

/// A scheme whose vectors are waves.
pub(super) struct Sheet {
    pub(super) slot: usize,
    pub(super) name: String,
    pub(super) part: Part,
    waves: Waves,
    /// The last matrix: it follows from the shift and the planes on screen, and not from the position.
    last: RefCell<Option<Made>>,
}

/// A matrix, and the shift and the planes that it was made for.
type Made = (i64, Range<usize>, Rc<Matrix>);

/// Why a scheme has no sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lacks {
    /// Its vectors are no sinusoid.
    Waves,
    /// A sine has no cosine.
    Cosine,
}

/// What is on screen of a scheme.
pub(super) struct Shown {
    /// The columns of the table, in its order.
    pub(super) dims: Vec<usize>,
    /// Rows × columns.
    pub(super) matrix: Vec<f32>,
    /// PE(p): numbers of these columns.
    pub(super) from: Vec<f64>,
    /// M·PE(p).
    pub(super) product: Vec<f64>,
    /// PE(p + k).
    pub(super) to: Vec<f64>,
}

impl Shown {
    /// The product less what it should be.
    pub(super) fn difference(&self) -> Vec<f64> {
        self.product.iter().zip(&self.to).map(|(a, b)| a - b).collect()
    }

    /// The greatest difference.
    pub(super) fn error(&self) -> f64 {
        self.difference().iter().fold(0.0, |most, value| most.max(value.abs()))
    }
}

/// The position p, and p + k: the key's and the query's.
pub(super) fn ends(cursor: &Cursor) -> (f64, f64) {
    (cursor.position - cursor.offset as f64, cursor.position)
}

impl Sheet {
    /// Of a slot whose scheme could be made.
    pub(super) fn of(scene: &Scene, slot: &Slot, part: Part) -> Option<Result<Self, Lacks>> {
        let waves = match common::encoding(slot)? {
            Encoding::Absolute(table) => table.waves(),
            _ => None,
        };
        let Some(waves) = waves else { return Some(Err(Lacks::Waves)) };
        if part == Part::Both && waves.shift(1.0).is_none() {
            return Some(Err(Lacks::Cosine));
        }
        let name = common::name(&scene.slots, slot);
        Some(Ok(Self { slot: slot.index, name, part, waves: waves.clone(), last: RefCell::default() }))
    }

    /// Radians per token of each plane.
    pub(super) fn freq(&self) -> &[f64] {
        self.waves.freq()
    }

    /// The planes on screen: those around a plane.
    fn block(&self, plane: usize) -> Range<usize> {
        let all = self.freq().len();
        let first = plane.min(all.saturating_sub(1)) / MOST_PLANES * MOST_PLANES;
        first..(first + MOST_PLANES).min(all)
    }

    /// The plane of a column.
    pub(super) fn plane_of(&self, dim: usize) -> Option<usize> {
        match self.waves.columns().get(dim)? {
            Column::Sin(plane) | Column::Cos(plane) => Some(*plane),
            Column::Constant(_) => None,
        }
    }

    /// The columns on screen while the cursor is at a plane.
    pub(super) fn dims(&self, plane: usize) -> Vec<usize> {
        let block = self.block(plane);
        let is_shown = |column: &Column| match column {
            Column::Sin(plane) => block.contains(plane),
            Column::Cos(plane) => self.part == Part::Both && block.contains(plane),
            Column::Constant(_) => false,
        };
        let columns = self.waves.columns().iter().enumerate();
        columns.filter(|(_, column)| is_shown(column)).map(|(dim, _)| dim).collect()
    }

    /// The matrix of a shift by so many tokens, for the planes of a block.
    fn matrix(&self, by: i64, block: Range<usize>) -> Option<Rc<Matrix>> {
        let mut last = self.last.borrow_mut();
        if let Some((known, planes, matrix)) = &*last
            && (*known, planes) == (by, &block)
        {
            return Some(matrix.clone());
        }
        let matrix = Rc::new(match self.part {
            Part::Both => Matrix::Exact(self.waves.shift(by as f64)?),
            Part::Sine => Matrix::Factors(block.clone().filter_map(|plane| self.fit(plane, by)).collect()),
        });
        *last = Some((by, block, matrix.clone()));
        Some(matrix)
    }

    /// How well the sine of a plane alone predicts the one so many tokens on.
    pub(super) fn fit(&self, plane: usize, by: i64) -> Option<Fit> {
        self.waves.sine_alone(plane, by as f64, POSITIONS)
    }

    /// What is on screen.
    pub(super) fn shown(&self, cursor: &Cursor) -> Option<Shown> {
        let block = self.block(cursor.plane);
        let matrix = self.matrix(cursor.offset, block.clone())?;
        let dims = self.dims(cursor.plane);
        let (p, there) = ends(cursor);
        let row = |position: f64| dims.iter().map(|dim| self.waves.at(position, *dim)).collect::<Vec<f64>>();
        let (from, to) = (row(p), row(there));
        let entry = |row: usize, column: usize| match &*matrix {
            Matrix::Exact(shift) => shift.entry(row, column),
            Matrix::Factors(fits) if row == column => {
                let place = self.plane_of(row).and_then(|plane| plane.checked_sub(block.start));
                place.and_then(|place| fits.get(place)).map_or(0.0, |fit| fit.factor)
            }
            Matrix::Factors(_) => 0.0,
        };
        let entries = |row: usize| dims.iter().map(move |column| (row, *column));
        let cells: Vec<f64> =
            dims.iter().flat_map(|row| entries(*row)).map(|(row, column)| entry(row, column)).collect();
        // Both columns of a plane are on screen or neither, so this is the product with the whole row.
        let product =
            cells.chunks_exact(dims.len().max(1)).map(|row| row.iter().zip(&from).map(|(a, b)| a * b).sum()).collect();
        let matrix = cells.iter().map(|cell| *cell as f32).collect();
        Some(Shown { dims, matrix, from, product, to })
    }

    /// The greatest error of the exact matrix in any column of the table, on screen or not; else of what is on screen.
    pub(super) fn error(&self, cursor: &Cursor) -> Option<f64> {
        if self.part == Part::Sine {
            return Some(self.shown(cursor)?.error());
        }
        let matrix = self.matrix(cursor.offset, self.block(cursor.plane))?;
        let Matrix::Exact(shift) = &*matrix else { return None };
        let (p, there) = ends(cursor);
        let row = |position: f64| (0..shift.width()).map(|dim| self.waves.at(position, dim)).collect::<Vec<f64>>();
        let mut product = vec![0.0; shift.width()];
        shift.apply(&row(p), &mut product).ok()?;
        Some(product.iter().zip(row(there)).fold(0.0, |most, (a, b)| most.max((a - b).abs())))
    }

    /// The greatest error in a plane: of the exact matrix, or of the best factor.
    pub(super) fn error_in(&self, plane: usize, cursor: &Cursor) -> Option<f64> {
        let at = Cursor { plane, ..*cursor };
        let shown = self.shown(&at)?;
        let own = shown.dims.iter().zip(shown.difference()).filter(|(dim, _)| self.plane_of(**dim) == Some(plane));
        Some(own.fold(0.0, |most, (_, value)| most.max(value.abs())))
    }
}
