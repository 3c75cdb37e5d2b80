//! What part of a table is on screen, and how it is computed.

use super::super::{Scene, Size, Slot, common};
use crate::schemes::{WHOLE, Whole};
use posenc::{Encoding, Error, waves::Column, waves::Waves};
use std::rc::Rc;

/// Cells that are computed for one view at the most: past that, a row of cells covers more than a row of pixels.
const MOST_CELLS: usize = 1_200_000;

/// A table to be shown.
pub(in crate::figures) enum Sheet {
    /// Waves over the position.
    Waves(Waves),
    /// Rows of an absolute scheme that are no waves.
    Rows(Rc<Result<Encoding, Error>>, Whole),
}

impl Sheet {
    /// The table of a slot, if it has one.
    pub(in crate::figures) fn of(slot: &Slot) -> Option<Self> {
        match common::encoding(slot)? {
            Encoding::Rotary(rotary) => Some(Self::Waves(rotary.waves())),
            Encoding::Absolute(table) => Some(match table.waves() {
                Some(waves) => Self::Waves(waves.clone()),
                None => Self::Rows(slot.encoding.clone(), WHOLE?),
            }),
            _ => None,
        }
    }

    fn rows(&self) -> Option<&dyn posenc::Absolute> {
        match self {
            Self::Rows(encoding, _) => match encoding.as_ref() {
                Ok(Encoding::Absolute(table)) => Some(table.as_ref()),
                _ => None,
            },
            Self::Waves(_) => None,
        }
    }

    /// Whether it is rows of numbers, and no waves.
    pub(in crate::figures) fn is_table(&self) -> bool {
        matches!(self, Self::Rows(..))
    }

    /// How many positions have a row, where they end.
    pub(in crate::figures) fn end(&self) -> Option<usize> {
        self.rows().and_then(posenc::Absolute::rows)
    }

    /// Whether a position has a row.
    pub(in crate::figures) fn has(&self, position: f64) -> bool {
        self.end().is_none_or(|rows| position.fract() == 0.0 && position < rows as f64)
    }

    /// The positions of a view that no text reached in training.
    pub(super) fn untrained(&self, view: &View) -> Vec<u64> {
        let Some(table) = self.rows() else { return Vec::new() };
        let end = table.rows().map_or(0, |rows| rows as u64).min(view.first + view.count);
        (view.first..end).filter(|position| table.untrained(*position)).collect()
    }

    /// Numbers in a row.
    pub(in crate::figures) fn width(&self) -> usize {
        match self {
            Self::Waves(waves) => waves.columns().len(),
            Self::Rows(..) => self.rows().map_or(0, posenc::Absolute::width),
        }
        .max(1)
    }

    /// The exact value of a cell; NaN where there is none.
    pub(in crate::figures) fn at(&self, position: f64, dim: usize) -> f64 {
        match self {
            Self::Waves(waves) => waves.at(position, dim),
            Self::Rows(..) => {
                let mut row = vec![0.0; self.width()];
                match self.rows().map(|table| table.write_row(position, &mut row)) {
                    Some(Ok(())) => row.get(dim).copied().unwrap_or(f64::NAN),
                    _ => f64::NAN,
                }
            }
        }
    }

    /// The plane that a dimension belongs to.
    pub(in crate::figures) fn plane_of(&self, dim: usize) -> Option<usize> {
        match self {
            Self::Waves(waves) => match waves.columns().get(dim)? {
                Column::Sin(k) | Column::Cos(k) => Some(*k),
                Column::Constant(_) => None,
            },
            Self::Rows(..) => Some(dim / 2),
        }
    }

    /// The dimensions of a plane: its cosine and its sine.
    pub(in crate::figures) fn dims_of(&self, plane: usize) -> (Option<usize>, Option<usize>) {
        match self {
            Self::Waves(waves) => {
                let find = |column: Column| waves.columns().iter().position(|c| *c == column);
                (find(Column::Cos(plane)), find(Column::Sin(plane)))
            }
            Self::Rows(..) => {
                let there = |dim: usize| (dim < self.width()).then_some(dim);
                (there(2 * plane + 1), there(2 * plane))
            }
        }
    }

    /// Whether a dimension is a sine; `None` where it is no wave.
    pub(super) fn is_sine(&self, dim: usize) -> Option<bool> {
        match self {
            Self::Waves(waves) => match waves.columns().get(dim)? {
                Column::Sin(_) => Some(true),
                Column::Cos(_) => Some(false),
                Column::Constant(_) => None,
            },
            Self::Rows(..) => None,
        }
    }

    /// Radians per token of a plane.
    pub(super) fn frequency(&self, plane: usize) -> Option<f64> {
        match self {
            Self::Waves(waves) => waves.freq().get(plane).copied(),
            Self::Rows(..) => None,
        }
    }

    /// Whether some dimensions have no value.
    pub(super) fn has_gaps(&self) -> bool {
        match self {
            Self::Waves(waves) => waves.columns().iter().any(|c| matches!(c, Column::Constant(v) if v.is_nan())),
            Self::Rows(..) => false,
        }
    }

    /// The root of the mean square of a table's numbers; of waves, 1.
    #[cfg(feature = "full")]
    pub(in crate::figures) fn size(&self) -> f64 {
        let (Some(rows), Some(end)) = (self.rows(), self.end()) else { return 1.0 };
        let mut row = vec![0.0; self.width()];
        let squares = (0..end).filter_map(|position| {
            rows.write_row(position as f64, &mut row).ok()?;
            Some(row.iter().map(|value| value * value).sum::<f64>())
        });
        libm::sqrt(squares.sum::<f64>() / (end * self.width()) as f64)
    }

    /// The largest absolute value that the colours must reach.
    pub(super) fn bound(&self, cells: &[f32]) -> f32 {
        match self {
            Self::Waves(_) => 1.0,
            Self::Rows(..) => cells.iter().filter(|v| v.is_finite()).fold(0.0, |bound, v| bound.max(v.abs())),
        }
    }

    /// Fills the cells of a view.
    pub(super) fn fill(&self, view: &View, spread: bool, out: &mut [f32]) {
        let start = view.first as f64;
        match self {
            Self::Waves(waves) => {
                let all = view.first_dim == 0 && view.dims == waves.columns().len();
                let chosen = (!all).then(|| waves.select(view.first_dim..view.first_dim + view.dims));
                let waves = chosen.as_ref().unwrap_or(waves);
                if spread {
                    waves.fill_spread_of(start, view.run, view.count, out);
                } else if view.run > 1 {
                    waves.fill_mean_of(start, view.run, view.count, out);
                } else {
                    waves.fill(start, 1.0, out);
                }
            }
            Self::Rows(..) => {
                let Some(table) = self.rows() else { return };
                let mut all = vec![0.0; view.rows * self.width()];
                if spread {
                    table.fill_spread(start, view.run, view.count, &mut all);
                } else {
                    table.fill_mean(start, view.run, view.count, &mut all);
                }
                for (to, from) in out.chunks_exact_mut(view.dims).zip(all.chunks_exact(self.width())) {
                    to.copy_from_slice(&from[view.first_dim..view.first_dim + view.dims]);
                }
            }
        }
    }
}

/// The part of a table that is on screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct View {
    /// The first position.
    pub(super) first: u64,
    /// Positions, at least one.
    pub(super) count: u64,
    /// Positions in a row of cells.
    pub(super) run: u64,
    /// Rows of cells.
    pub(super) rows: usize,
    /// The first dimension.
    pub(super) first_dim: usize,
    /// Dimensions, at least one.
    pub(super) dims: usize,
    /// Dimensions in a column of cells.
    pub(super) columns_run: usize,
}

impl View {
    pub(super) fn new(
        scene: &Scene,
        sheet: &Sheet,
        (.., width, height): (f64, f64, f64, f64),
        dpr: f64,
        panels: usize,
    ) -> Self {
        let (first, count) = common::positions(scene);
        let all = sheet.width();
        let option = |key| scene.options.integer(key).max(0) as usize;
        let first_dim = option("first_dim").min(all - 1);
        let dims = match option("dims") {
            0 => all - first_dim,
            dims => dims.min(all - first_dim),
        };
        let pixels = |length: f64| ((length * dpr).floor() as usize).max(1);
        let most_rows = pixels(height).min((MOST_CELLS / panels.max(1) / dims).max(64));
        let run = count.div_ceil(most_rows as u64);
        Self {
            first,
            count,
            run,
            rows: count.div_ceil(run) as usize,
            first_dim,
            dims,
            columns_run: dims.div_ceil(pixels(width)),
        }
    }

    /// Where a position begins, from above.
    pub(super) fn y_of(&self, (_, top, _, height): (f64, f64, f64, f64), position: f64) -> f64 {
        top + (position - self.first as f64) / self.count as f64 * height
    }

    /// Where a dimension begins, across.
    pub(super) fn x_of(&self, (left, _, width, _): (f64, f64, f64, f64), dim: f64) -> f64 {
        left + (dim - self.first_dim as f64) / self.dims as f64 * width
    }

    /// The position at a place, within the view.
    pub(super) fn position_at(&self, (_, top, _, height): (f64, f64, f64, f64), y: f64) -> u64 {
        let share = ((y - top) / height).clamp(0.0, 1.0);
        self.first + ((share * self.count as f64) as u64).min(self.count - 1)
    }

    /// The dimension at a place, within the view.
    pub(super) fn dim_at(&self, (left, _, width, _): (f64, f64, f64, f64), x: f64) -> usize {
        let share = ((x - left) / width).clamp(0.0, 1.0);
        self.first_dim + ((share * self.dims as f64) as usize).min(self.dims - 1)
    }
}

/// Its height for a width.
pub(super) fn height(scene: &Scene, width: f64) -> f64 {
    if WHOLE.is_some() && common::undrawn(scene).len() == scene.slots.len() {
        return common::message_height(scene, width);
    }
    let (_, count) = common::positions(scene);
    let most = if width < 600.0 { 420.0 } else { 560.0 };
    (count as f64 * 9.0).clamp(220.0, most) + Layout::ABOVE + Layout::BELOW
}

/// How rows are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// Numbers at round positions.
    Numbers,
    /// A word each.
    Words,
    /// A word each, by turns in two columns, with leaders.
    Staggered,
}

/// Where things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layout {
    /// Panels side by side.
    pub(super) panels: usize,
    /// How rows are labelled.
    pub(super) labels: Labels,
    left: f64,
    width: f64,
    height: f64,
}

impl Layout {
    /// Above the panels: names and the mark of the plane.
    pub(super) const ABOVE: f64 = 34.0;
    /// Below them: numbers of dimensions.
    pub(super) const BELOW: f64 = 34.0;
    /// Between two panels.
    pub(super) const GAP: f64 = 14.0;

    pub(super) fn new(scene: &Scene, size: Size, panels: usize) -> Self {
        let height = (size.height - Self::ABOVE - Self::BELOW).floor().max(1.0);
        let (first, count) = common::positions(scene);
        let row = height / count as f64;
        let has_words = first < scene.words.len() as u64;
        let (labels, wanted) = if has_words && row >= 12.0 {
            (Labels::Words, 84.0)
        } else if has_words && row >= 6.0 {
            (Labels::Staggered, 132.0)
        } else {
            (Labels::Numbers, 64.0)
        };
        let left = f64::min(wanted, (size.width * 0.3).floor());
        let gaps = Self::GAP * (panels.max(1) - 1) as f64;
        let width = ((size.width - left - gaps - 4.0) / panels.max(1) as f64).floor().max(1.0);
        Self { panels, labels, left, width, height }
    }

    /// The rectangle of a panel.
    pub(super) fn panel(&self, i: usize) -> (f64, f64, f64, f64) {
        (self.left + i as f64 * (self.width + Self::GAP), Self::ABOVE, self.width, self.height)
    }
}
