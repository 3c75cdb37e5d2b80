//! The bias of one head, query × key.

use super::{Board, Entry, View, lanes::palette};
use crate::draw::{Surface, number, palettes::Palette, pen::Align, raster::Raster};
use crate::figures::square::{self, Square};
use crate::figures::{CursorPatch, Input, Legend, Response, Scene, Size, Table};
use crate::state::Cursor;
use crate::words;
use std::cell::RefCell;

/// Below the panels: the colours with their numbers, which are the head's.
const BAR: f64 = 34.0;

/// The height of so many panels.
pub(super) fn height(panels: usize, width: f64) -> f64 {
    square::height(panels, width) + BAR
}

/// One head of each scheme, filled.
struct Filled {
    heads: Vec<usize>,
    rasters: Vec<Raster>,
    palette: Palette,
    /// The least and the greatest value, which may be past the ends of the colours.
    extent: (f32, f32),
}

/// The matrices.
pub(super) struct Matrix {
    square: Square,
    name: &'static str,
    filled: RefCell<Option<Filled>>,
}

impl Matrix {
    /// The window; the cells follow when the head is known.
    pub(super) fn new(board: &Board, scene: &Scene, size: Size) -> Self {
        let room = Size { height: size.height - BAR, ..size };
        let square = Square::new(super::SPEC.id, scene, room, board.entries.len());
        Self { square, name: scene.palette, filled: RefCell::new(None) }
    }

    /// The cells of one head; a key that the query does not see has none.
    fn fill(&self, board: &Board, entry: &Entry, head: usize) -> Raster {
        let square = &self.square;
        let n = square.cells;
        let mut raster = Raster::new(n, n);
        if entry.logits.by_offset() {
            let last = n as i64 - 1;
            let value = |diagonal: i64| entry.logits.at(head, diagonal * square.run as i64) as f32;
            let seen = |diagonal: i64| if board.both || diagonal >= 0 { value(diagonal) } else { f32::NAN };
            let diagonals: Vec<f32> = (-last..=last).map(seen).collect();
            square.fill_by_offset(&diagonals, raster.cells_mut());
            return raster;
        }
        for (row, cells) in raster.cells_mut().chunks_exact_mut(n).enumerate() {
            let query = square.middle(row) as i64;
            for (column, cell) in cells.iter_mut().enumerate() {
                let key = square.middle(column) as i64;
                let seen = board.both || key <= query;
                *cell = if seen { entry.logits.cell(head, query, key) as f32 } else { f32::NAN };
            }
        }
        raster
    }

    /// The window and the cells of the first scheme.
    #[cfg(test)]
    pub(super) fn cells(&self, board: &Board, head: usize) -> (&Square, Vec<f32>) {
        (&self.square, self.fill(board, &board.entries[0], head).cells().to_vec())
    }

    fn fill_all(&self, board: &Board, cursor: &Cursor) -> Filled {
        let heads: Vec<usize> = board.entries.iter().map(|entry| entry.logits.head(cursor)).collect();
        let rasters: Vec<Raster> =
            board.entries.iter().zip(&heads).map(|(entry, head)| self.fill(board, entry, *head)).collect();
        let values = rasters.iter().flat_map(Raster::cells).filter(|value| value.is_finite());
        let (low, high) = values.fold((0.0_f32, 0.0_f32), |(low, high), value| (low.min(*value), high.max(*value)));
        Filled { heads, rasters, palette: palette(self.name, low, high), extent: (low, high) }
    }

    /// The colours from the least to the greatest value of the head.
    fn bar(&self, on: &Surface, palette: &Palette, extent: (f32, f32)) {
        const STOPS: usize = 64;
        let (left, _, side, _) = self.square.panel(0);
        let width = side.clamp(1.0, 240.0);
        let top = on.height - BAR + 4.0;
        for (i, colour) in palette.stops(STOPS).iter().enumerate() {
            let x = left + i as f64 * width / STOPS as f64;
            on.fill((x, top, width / STOPS as f64 + 0.5, 10.0), colour);
        }
        on.font(11.0);
        let (low, high) = (f64::from(palette.low()), f64::from(palette.high()));
        let (mut first, mut last) = (number::short(low), number::short(high));
        if extent.0 < palette.low() {
            first = words::bias_at_most(first);
        }
        if extent.1 > palette.high() {
            last = words::bias_at_least(last);
        }
        on.text(&first, left, top + 19.0, Align::Left, &on.ink.muted);
        on.text(&last, left + width, top + 19.0, Align::Right, &on.ink.muted);
        let middle = number::short(f64::midpoint(low, high));
        on.text(&middle, left + width / 2.0, top + 19.0, Align::Centre, &on.ink.muted);
    }
}

impl View for Matrix {
    fn draw(&self, board: &Board, on: &Surface, cursor: &Cursor) {
        let mut filled = self.filled.borrow_mut();
        let heads = board.entries.iter().map(|entry| entry.logits.head(cursor));
        if filled.as_ref().is_none_or(|filled| !heads.eq(filled.heads.iter().copied())) {
            // The buffers of the last head first, so that they are used again.
            drop(filled.take());
            *filled = Some(self.fill_all(board, cursor));
        }
        let Some(Filled { rasters, palette, extent, .. }) = filled.as_mut() else { return };
        for (i, (entry, raster)) in board.entries.iter().zip(rasters).enumerate() {
            self.square.draw(on, i, raster, palette);
            self.square.name(on, i, &Board::label(entry, cursor), entry.slot);
            self.square.mark(on, i, cursor);
        }
        self.square.titles(on, on.height - BAR);
        self.bar(on, palette, *extent);
    }

    fn legend(&self, board: &Board) -> Vec<Legend> {
        let mut legend = Vec::new();
        if !board.both {
            legend.push(Legend::Note(words::bias_masked().to_owned()));
        }
        if self.square.run > 1 {
            legend.push(Legend::Note(words::square_centre(number::whole(self.square.run as i64))));
        }
        legend
    }

    fn table(&self, board: &Board, cursor: &Cursor, page: i64) -> Table {
        let columns = (28 / board.entries.len() as i64).max(4);
        let listed = self.square.listed(cursor, page, columns);
        let mut head = vec![words::square_query().to_owned()];
        for entry in &board.entries {
            let name = Board::label(entry, cursor);
            head.extend(listed.columns.clone().map(|key| words::square_key(&name, number::whole(key))));
        }
        let rows = listed.rows.clone().map(|query| {
            let values = board.entries.iter().flat_map(|entry| {
                let head = entry.logits.head(cursor);
                listed.columns.clone().map(move |key| {
                    let seen = board.both || key <= query;
                    number::exact(if seen { entry.logits.cell(head, query, key) } else { f64::NAN })
                })
            });
            std::iter::once(number::whole(query)).chain(values).collect()
        });
        listed.table(head, rows.collect())
    }

    fn place(&self, _board: &Board, x: f64, y: f64) -> Option<CursorPatch> {
        self.square.at(x, y).map(|panel| Square::patch(self.square.pair(panel, x, y)))
    }

    fn respond(&self, board: &Board, input: &Input, cursor: &Cursor) -> Option<Response> {
        let head = cursor.head.min(board.heads() - 1) as i64;
        Some(match input {
            Input::Key { key, .. } if key == "]" => board.to_head(head + 1),
            Input::Key { key, .. } if key == "[" => board.to_head(head - 1),
            // A click in the masked half still moves the cursor: it shows that there is nothing.
            _ => self.square.respond(input, cursor),
        })
    }
}
