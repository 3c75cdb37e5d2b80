//! Position × position: queries down, keys across, in small multiples that share one window.

use super::{Cursor, CursorPatch, Response, Scene, Size, Table, common};
use crate::draw::{Surface, number, palettes::Palette, pen::Align, raster::Raster, ticks};
use crate::state::{Edit, Target};
use crate::words;
use std::cell::Cell;

/// Cells of all panels together, at the most: past that, a cell covers more than a pixel.
const MOST_CELLS: f64 = 1_000_000.0;
/// Left of the panels: numbers of queries.
const LEFT: f64 = 50.0;
/// Between panels.
const GAP: f64 = 16.0;
/// Above a panel: its name.
const ABOVE: f64 = 24.0;
/// Below a panel: numbers of keys.
const TICKS: f64 = 20.0;
/// Below the last panel: what the numbers are.
const BELOW: f64 = 20.0;
/// The longest side of a panel.
const MOST_SIDE: f64 = 560.0;
/// Room for one number.
const TICK: f64 = 46.0;

/// A rectangle: left, top, width, height, in CSS pixels.
pub(crate) type Rect = (f64, f64, f64, f64);

thread_local! {
    /// The first position of the window in which the pointer went down: a pan counts from there.
    static PRESSED: Cell<f64> = const { Cell::new(0.0) };
}

/// The window and where its panels stand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Square {
    figure: &'static str,
    length: u64,
    /// The first position.
    pub(crate) first: u64,
    /// Positions, at least one.
    pub(crate) count: u64,
    /// Positions to a side of a cell.
    pub(crate) run: u64,
    /// Cells to a side of a panel.
    pub(crate) cells: usize,
    panels: Vec<Rect>,
}

/// Panels in a row.
fn columns(panels: usize, width: f64) -> usize {
    match panels {
        0 | 1 => 1,
        3 if width >= 700.0 => 3,
        4 if width >= 1000.0 => 4,
        _ => 2,
    }
}

fn side(panels: usize, width: f64) -> f64 {
    let columns = columns(panels, width) as f64;
    ((width - LEFT - GAP * (columns - 1.0) - 4.0) / columns).floor().clamp(1.0, MOST_SIDE)
}

/// The height of so many panels on a width.
pub(crate) fn height(panels: usize, width: f64) -> f64 {
    if panels == 0 {
        return 160.0;
    }
    panels.div_ceil(columns(panels, width)) as f64 * (ABOVE + side(panels, width) + TICKS) + BELOW
}

impl Square {
    /// The window of a scene in so many panels.
    pub(crate) fn new(figure: &'static str, scene: &Scene, size: Size, panels: usize) -> Self {
        let (first, count) = common::positions(scene);
        let columns = columns(panels, size.width);
        let most = ((size.height - BELOW) / panels.div_ceil(columns).max(1) as f64 - ABOVE - TICKS).max(1.0);
        let side = side(panels, size.width).min(most.floor());
        let pixels = (side * size.dpr).floor().min((MOST_CELLS / panels.max(1) as f64).sqrt()).max(1.0);
        let run = count.div_ceil(pixels as u64);
        let panels = (0..panels)
            .map(|i| {
                let left = LEFT.min(size.width * 0.3) + (i % columns) as f64 * (side + GAP);
                (left, ABOVE + (i / columns) as f64 * (ABOVE + side + TICKS), side, side)
            })
            .collect();
        Self { figure, length: scene.length.max(1), first, count, run, cells: count.div_ceil(run) as usize, panels }
    }

    /// The rectangle of a panel.
    pub(crate) fn panel(&self, i: usize) -> Rect {
        self.panels.get(i).copied().unwrap_or((0.0, 0.0, 1.0, 1.0))
    }

    /// The position in the middle of a cell.
    pub(crate) fn middle(&self, cell: usize) -> f64 {
        let start = self.first + cell as u64 * self.run;
        start as f64 + (self.run as f64 - 1.0) / 2.0
    }

    /// The panel at a place.
    pub(crate) fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.panels
            .iter()
            .position(|(left, top, width, height)| x >= *left && x < left + width && y >= *top && y < top + height)
    }

    /// The query and the key at a place of a panel, within the window.
    pub(crate) fn pair(&self, panel: usize, x: f64, y: f64) -> (i64, i64) {
        let (left, top, width, height) = self.panel(panel);
        let position =
            |share: f64| (self.first + ((share.clamp(0.0, 1.0) * self.count as f64) as u64).min(self.count - 1)) as i64;
        (position((y - top) / height), position((x - left) / width))
    }

    /// The cursor at a query and a key.
    pub(crate) fn patch((query, key): (i64, i64)) -> CursorPatch {
        CursorPatch { position: Some(query as f64), offset: Some(query - key), ..CursorPatch::default() }
    }

    fn show(&self, first: f64, count: f64) -> Response {
        let all = self.length as f64;
        let count = count.round().clamp(1.0, all);
        let first = first.round().clamp(0.0, all - count);
        let wanted = [("first_position", first), ("positions", if count >= all { 0.0 } else { count })];
        let set =
            |(key, value): (&'static str, f64)| Edit::Set(Target::Figure(self.figure), key, (value as i64).to_string());
        Response { hover: None, edits: wanted.map(set).to_vec(), used: true }
    }

    /// Zooms so that what is at a share of the window stays there.
    fn zoom(&self, share: f64, factor: f64) -> Response {
        if !factor.is_finite() || factor <= 0.0 {
            return Response::default();
        }
        let (count, all) = (self.count as f64, self.length as f64);
        let next = (count / factor).round();
        let next = if factor < 1.0 { next.max(count + 1.0) } else { next }.clamp(2.0_f64.min(all), all);
        self.show(self.first as f64 + share * (count - next), next)
    }

    /// What a pointer or the keys of the cursor and the window do.
    pub(crate) fn respond(&self, input: &super::Input, cursor: &Cursor) -> Response {
        use super::Input;
        if self.panels.is_empty() {
            return Response::default();
        }
        match *input {
            Input::Hover { x, y } => {
                self.at(x, y).map(|panel| common::hovered(Self::patch(self.pair(panel, x, y)))).unwrap_or_default()
            }
            Input::Press { x, y, shift } => {
                PRESSED.set(self.first as f64);
                match self.at(x, y) {
                    Some(panel) if !shift => common::moved(Self::patch(self.pair(panel, x, y))),
                    _ => Response { used: true, ..Response::default() },
                }
            }
            Input::Drag { from_x, from_y, x, y, shift } => match self.at(from_x, from_y) {
                Some(panel) if !shift => common::moved(Self::patch(self.pair(panel, x, y))),
                panel => {
                    let (.., height) = self.panel(panel.unwrap_or(0));
                    // Along the diagonal: queries and keys are the same positions.
                    let by = f64::midpoint(y - from_y, x - from_x);
                    self.show(PRESSED.get() - by / height * self.count as f64, self.count as f64)
                }
            },
            Input::Zoom { x, y, factor } => {
                let (left, top, width, height) = self.panel(self.at(x, y).unwrap_or(0));
                let share = f64::midpoint(((x - left) / width).clamp(0.0, 1.0), ((y - top) / height).clamp(0.0, 1.0));
                self.zoom(share, factor)
            }
            Input::Key { ref key, .. } => self.key(key, cursor),
        }
    }

    fn key(&self, key: &str, cursor: &Cursor) -> Response {
        let last = self.length as i64 - 1;
        let query = cursor.position.floor() as i64;
        let at = query - cursor.offset;
        let to = |query: i64, key: i64| common::moved(Self::patch((query.clamp(0, last), key.clamp(0, last))));
        let leap = (self.count / 10).max(1) as i64;
        let share = ((cursor.position - self.first as f64) / self.count as f64).clamp(0.0, 1.0);
        match key {
            "ArrowDown" => to(query + 1, at),
            "ArrowUp" => to(query - 1, at),
            "ArrowRight" => to(query, at + 1),
            "ArrowLeft" => to(query, at - 1),
            "PageDown" => to(query + leap, at),
            "PageUp" => to(query - leap, at),
            "Home" => to(query, 0),
            "End" => to(query, last),
            "+" | "=" => self.zoom(share, 1.5),
            "-" | "_" => self.zoom(share, 1.0 / 1.5),
            "0" => self.show(0.0, f64::MAX),
            _ => Response::default(),
        }
    }

    /// Fills cells that depend on the offset alone, from the values at `(row − column)·run` tokens.
    pub(crate) fn fill_by_offset(&self, diagonals: &[f32], out: &mut [f32]) {
        let n = self.cells;
        for (row, cells) in out.chunks_exact_mut(n).enumerate() {
            // The diagonal of row r and column c is r − c + n − 1.
            for (cell, value) in cells.iter_mut().zip(diagonals[row..row + n].iter().rev()) {
                *cell = *value;
            }
        }
    }

    /// Draws a panel with its numbers.
    pub(crate) fn draw(&self, on: &Surface, i: usize, raster: &mut Raster, palette: &Palette) {
        let rect = self.panel(i);
        let cells = self.count as f64 / self.run as f64;
        raster.draw(on, palette, (cells, cells), rect);
        self.axes(on, i);
    }

    /// Where a position begins, as a share of a panel's side.
    pub(crate) fn share(&self, position: f64) -> f64 {
        (position - self.first as f64) / self.count as f64
    }

    fn axes(&self, on: &Surface, i: usize) {
        let (left, top, width, height) = self.panel(i);
        let (first, last) = (self.first as f64, (self.first + self.count - 1) as f64);
        let room = if last >= 1e5 { TICK * 1.6 } else { TICK };
        on.font(11.0);
        for tick in ticks::whole(first, last, (width / room).floor().max(1.0) as usize) {
            let at = self.share(tick + 0.5);
            let text = number::whole(tick as i64);
            let (x, y) = (on.crisp(left + at * width), on.crisp(top + at * height));
            let half = on.text_width(&text) / 2.0;
            on.line((x, top + height), (x, top + height + 4.0), &on.ink.muted, 1.0 / on.dpr);
            let x = x.max(left + half - 8.0).min(left + width - half + 4.0);
            on.text(&text, x, top + height + 12.0, Align::Centre, &on.ink.muted);
            if left < LEFT + 1.0 {
                on.line((left - 5.0, y), (left - 1.0, y), &on.ink.muted, 1.0 / on.dpr);
                on.text(&text, left - 8.0, y, Align::Right, &on.ink.muted);
            }
        }
    }

    /// A panel's name, in its slot's colour, above it.
    pub(crate) fn name(&self, on: &Surface, i: usize, name: &str, slot: usize) {
        let (left, top, width, _) = self.panel(i);
        on.font(12.0);
        let text = on.fitted(name, width);
        on.text(&text, left, top - 11.0, Align::Left, on.ink.slots.get(slot).unwrap_or(&on.ink.ink));
    }

    /// What the numbers below and at the left are, above `bottom`.
    pub(crate) fn titles(&self, on: &Surface, bottom: f64) {
        on.font(11.0);
        let (left, ..) = self.panel(0);
        let text = on.fitted(words::square_axes(), on.width - left);
        on.text(&text, left, bottom - 8.0, Align::Left, &on.ink.muted);
    }

    /// The cursor's row, column and cell.
    pub(crate) fn mark(&self, on: &Surface, i: usize, cursor: &Cursor) {
        let (left, top, width, height) = self.panel(i);
        let query = cursor.position.floor();
        let key = query - cursor.offset as f64;
        let cell = |position: f64| {
            let (from, to) = (self.share(position), self.share(position + 1.0));
            (from >= 0.0 && to <= 1.0 + 1e-9).then_some((from, to - from))
        };
        let (row, column) = (cell(query), cell(key));
        if let Some((from, size)) = row {
            let high = (size * height).max(3.0);
            let y = (top + from * height + (size * height - high) / 2.0).min(top + height - high).max(top);
            on.outline((left, y, width, high), &on.ink.paper, 2.0);
            on.outline((left, y, width, high), &on.ink.accent, 1.0);
        }
        if let (Some((from, size)), Some((down, tall))) = (column, row) {
            let (wide, high) = ((size * width).max(5.0), (tall * height).max(5.0));
            let x = left + (from + size / 2.0) * width - wide / 2.0;
            let y = top + (down + tall / 2.0) * height - high / 2.0;
            on.outline((x, y, wide, high), &on.ink.paper, 4.0);
            on.outline((x, y, wide, high), &on.ink.accent, 2.0);
        }
    }

    /// The edge past the last row of a table, where there is no value any more.
    pub(crate) fn end(&self, on: &Surface, i: usize, rows: usize) {
        let (left, top, width, height) = self.panel(i);
        let share = self.share(rows as f64);
        if share <= 0.0 || share >= 1.0 {
            return;
        }
        let (x, y) = (on.crisp(left + share * width), on.crisp(top + share * height));
        for (colour, stroke) in [(&on.ink.paper, 3.0), (&on.ink.ink, 1.5)] {
            on.line((x, top), (x, y), colour, stroke);
            on.line((left, y), (x, y), colour, stroke);
        }
        on.font(11.0);
        let text = on.fitted(&words::weights_ends(rows - 1), width - 8.0);
        let y = if y + 20.0 < top + height { y + 10.0 } else { y - 10.0 };
        on.text_on_paper(&text, left + 4.0, y, Align::Left, &on.ink.ink);
    }

    /// A position that no text reached in training: hatched, down and across, and marked at the edge.
    pub(crate) fn hatch(&self, on: &Surface, i: usize, position: u64) {
        let (left, top, width, height) = self.panel(i);
        let (from, to) = (self.share(position as f64), self.share(position as f64 + 1.0));
        if from < 0.0 || to > 1.0 + 1e-9 {
            return;
        }
        let row = (left, top + from * height, width, ((to - from) * height).max(1.0));
        let column = (left + from * width, top, ((to - from) * width).max(1.0), height);
        on.hatch(row);
        on.hatch(column);
        on.fill((left + width + 1.0, row.1, 4.0, row.3.max(2.0)), &on.ink.ink);
    }

    /// The positions of a table's rows and columns around the cursor: at most 30 rows of so many columns; which page
    /// of rows, and whether there are others before and after.
    pub(crate) fn listed(&self, cursor: &Cursor, page: i64, columns: i64) -> Listed {
        const ROWS: i64 = 30;
        let length = self.length as i64;
        let columns = number::columns(columns.max(0) as usize) as i64;
        let query = cursor.position.floor() as i64;
        let pages = (length - 1) / ROWS;
        let shown = (query / ROWS + page).clamp(0, pages);
        let key = query - cursor.offset;
        let first = (key - columns / 2).min(length - columns).max(0);
        Listed {
            rows: shown * ROWS..((shown + 1) * ROWS).min(length),
            columns: first..(first + columns).min(length),
            before: shown > 0,
            after: shown < pages,
        }
    }
}

/// What part of a matrix a table lists.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    /// Queries.
    pub(crate) rows: std::ops::Range<i64>,
    /// Keys.
    pub(crate) columns: std::ops::Range<i64>,
    /// Whether there are queries before.
    pub(crate) before: bool,
    /// Whether there are queries after.
    pub(crate) after: bool,
}

impl Listed {
    /// The page, with its heads and rows.
    pub(crate) fn table(&self, head: Vec<String>, rows: Vec<Vec<String>>) -> Table {
        let (first, last) = (number::whole(self.rows.start), number::whole(self.rows.end - 1));
        let Self { before, after, .. } = *self;
        Table { caption: words::square_table(first, last), head, rows, before, after }
    }
}
