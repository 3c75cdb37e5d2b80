//! Heads × offset, one lane a scheme on a shared scale; below a scheme that has buckets, its ruler of buckets.

use super::{Board, Entry, View, axis::Across, axis::BELOW};
use crate::draw::{Surface, number, palettes::Palette, pen::Align, raster::Raster, ticks};
use crate::figures::{CursorPatch, Legend, Scene, Size, Table};
use crate::state::Cursor;
use crate::words;
use std::cell::RefCell;

/// Cells of a lane at the most.
const MOST_CELLS: usize = 200_000;
/// Above a lane: its name.
const ABOVE: f64 = 24.0;
/// The ruler of buckets.
const BUCKETS: f64 = 18.0;
/// Below the ruler.
const GAP: f64 = 6.0;

/// The height of a scheme's cells.
fn tall(entry: &Entry) -> f64 {
    (entry.logits.heads() as f64 * 18.0).clamp(24.0, 220.0)
}

fn below(entry: &Entry) -> f64 {
    if entry.logits.bias().spans().is_some() { BUCKETS + GAP } else { GAP }
}

/// The height of all lanes.
pub(super) fn height(entries: &[Entry]) -> f64 {
    entries.iter().map(|entry| ABOVE + tall(entry) + below(entry)).sum::<f64>().max(120.0) + BELOW
}

struct Lane {
    top: f64,
    height: f64,
    heads: usize,
    columns: usize,
    rows: usize,
    raster: RefCell<Raster>,
}

/// The lanes.
pub(super) struct Lanes {
    across: Across,
    all: Vec<Lane>,
    palette: Palette,
    /// Whether some values are past the ends of the colours.
    clipped: bool,
    bottom: f64,
}

impl Lanes {
    /// Fills them.
    pub(super) fn new(board: &Board, scene: &Scene, size: Size) -> Self {
        let across = Across::new(size.width);
        let mut top = 0.0;
        let (mut low, mut high) = (0.0_f32, 0.0_f32);
        let mut lanes = Vec::new();
        for entry in &board.entries {
            let heads = entry.logits.heads();
            let height = tall(entry);
            let rows = heads.min((height * size.dpr).floor().max(1.0) as usize);
            let pixels = (across.width * size.dpr).floor().max(1.0) as usize;
            let offsets = board.ruler.columns(pixels.min((MOST_CELLS / rows).max(64)));
            let mut raster = Raster::new(offsets.len(), rows);
            for (row, cells) in raster.cells_mut().chunks_exact_mut(offsets.len()).enumerate() {
                let head = head_of(row, rows, heads);
                for (cell, offset) in cells.iter_mut().zip(&offsets) {
                    *cell = entry.logits.at(head, *offset) as f32;
                }
            }
            for value in raster.cells().iter().filter(|value| value.is_finite()) {
                (low, high) = (low.min(*value), high.max(*value));
            }
            let columns = offsets.len();
            lanes.push(Lane { top: top + ABOVE, height, heads, columns, rows, raster: RefCell::new(raster) });
            top += ABOVE + height + below(entry);
        }
        let clipped = low < -END || high > END;
        Self { across, all: lanes, palette: palette(scene.palette, low, high), clipped, bottom: top - GAP + 2.0 }
    }

    fn lane(&self, board: &Board, on: &Surface, i: usize, cursor: &Cursor) {
        let (lane, entry) = (&self.all[i], &board.entries[i]);
        let (left, width, ink) = (self.across.left, self.across.width, &on.ink);
        on.font(12.0);
        let name = on.fitted(&Board::label(entry, cursor), on.width - 8.0);
        on.text(&name, left, lane.top - 11.0, Align::Left, ink.slots.get(entry.slot).unwrap_or(&ink.ink));
        let cells = (lane.columns as f64, lane.rows as f64);
        lane.raster.borrow_mut().draw(on, &self.palette, cells, (left, lane.top, width, lane.height));
        on.font(11.0);
        let row = lane.height / lane.heads as f64;
        let middle = |head: usize| lane.top + (head as f64 + 0.5) * row;
        let here = entry.logits.head(cursor);
        let most = (lane.height / 16.0).floor().max(1.0) as usize;
        for tick in ticks::whole(0.0, lane.heads as f64 - 1.0, most) {
            let head = tick as usize;
            if head == here || (middle(head) - middle(here)).abs() > 13.0 {
                let colour = if head == here { &ink.accent } else { &ink.muted };
                on.text(&number::whole(head as i64), left - 8.0, middle(head), Align::Right, colour);
            }
        }
        on.text(&number::whole(here as i64), left - 8.0, middle(here), Align::Right, &ink.accent);
        if entry.logits.bias().spans().is_some() {
            self.buckets(board, on, entry, lane, cursor);
        }
        if !(board.ruler.low()..=board.ruler.high()).contains(&cursor.offset) {
            return;
        }
        let (from, to) = self.across.cell(&board.ruler, cursor.offset);
        let (wide, high) = ((to - from).max(5.0), row.max(5.0));
        let x = (f64::midpoint(from, to) - wide / 2.0).clamp(left, (left + width - wide).max(left));
        let y = (middle(here) - high / 2.0).clamp(lane.top, (lane.top + lane.height - high).max(lane.top));
        for (rect, stroke) in [((x, lane.top, wide, lane.height), 1.0), ((x, y, wide, high), 2.0)] {
            on.outline(rect, &ink.paper, stroke + 2.0);
            on.outline(rect, &ink.accent, stroke);
        }
    }

    /// Which offsets share a bucket: a strip whose fields are the buckets.
    fn buckets(&self, board: &Board, on: &Surface, entry: &Entry, lane: &Lane, cursor: &Cursor) {
        let (ruler, top) = (&board.ruler, lane.top + lane.height + 3.0);
        let here = entry.logits.bucket(cursor.offset);
        let (low, end) = (ruler.low(), ruler.high() + 1);
        for (i, span) in entry.logits.bias().spans().unwrap_or_default().iter().enumerate() {
            let start = span.start.unwrap_or(low).max(low);
            let stop = span.end.unwrap_or(end).min(end);
            if start >= stop {
                continue;
            }
            let at = |edge: i64| self.across.left + ruler.share(edge as f64) * self.across.width;
            let (x, width) = (at(start), at(stop) - at(start));
            if i % 2 == 0 {
                on.fill((x, top, width, BUCKETS - 4.0), &on.ink.hairline);
            }
            on.line((x, top), (x, top + BUCKETS - 4.0), &on.ink.muted, 1.0 / on.dpr);
            let text = number::whole(span.bucket as i64);
            let current = Some(span.bucket) == here && (start..stop).contains(&cursor.offset);
            if on.text_width(&text) + 3.0 <= width {
                let colour = if current { &on.ink.accent } else { &on.ink.ink };
                on.text(&text, x + width / 2.0, top + (BUCKETS - 4.0) / 2.0, Align::Centre, colour);
            }
            if current {
                on.outline((x, top, width, BUCKETS - 4.0), &on.ink.accent, 1.5);
            }
        }
    }
}

/// The head in the middle of those that share a row of pixels.
fn head_of(row: usize, rows: usize, heads: usize) -> usize {
    ((row as f64 + 0.5) / rows as f64 * heads as f64) as usize
}

/// Where the colours end, in logits: e⁻⁸ is a three-thousandth, and what is past it nobody sees.
const END: f32 = 8.0;

/// Colours over a range: about zero where the values lie on both sides of it, and no further than [`END`].
pub(super) fn palette(name: &str, low: f32, high: f32) -> Palette {
    let (low, high) = (low.max(-END), high.min(END));
    if low < 0.0 && high > 0.0 {
        let bound = high.max(-low);
        Palette::new(name, -bound, bound)
    } else if low == 0.0 && high == 0.0 {
        Palette::new(name, -1.0, 1.0)
    } else {
        Palette::new(name, low, high)
    }
}

impl View for Lanes {
    fn draw(&self, board: &Board, on: &Surface, cursor: &Cursor) {
        for i in 0..self.all.len() {
            self.lane(board, on, i, cursor);
        }
        self.across.draw(on, &board.ruler, self.bottom, cursor.offset);
    }

    fn legend(&self, board: &Board) -> Vec<Legend> {
        let (low, high) = (f64::from(self.palette.low()), f64::from(self.palette.high()));
        let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short(low + t * (high - low)))).to_vec();
        let label = words::offset_bias().to_owned();
        let mut legend = vec![Legend::Scale { label, stops: self.palette.stops(11), ticks }];
        let note = |text: &str| Legend::Note(text.to_owned());
        if self.clipped {
            legend.push(note(words::bias_clipped()));
        }
        if self.all.iter().any(|lane| !board.ruler.is_whole(lane.columns)) {
            legend.push(note(words::bias_centre()));
        }
        if self.all.iter().any(|lane| lane.rows < lane.heads) {
            legend.push(note(words::bias_some_heads()));
        }
        if board.entries.iter().any(|entry| entry.logits.bias().spans().is_some()) {
            legend.push(note(words::bias_buckets()));
        }
        legend
    }

    fn table(&self, board: &Board, cursor: &Cursor, page: i64) -> Table {
        const CELLS: i64 = 900;
        const HEADS: usize = 12;
        let (low, high) = (board.ruler.low(), board.ruler.high());
        let each = number::columns((HEADS / board.entries.len()).max(2));
        let mut head = vec![words::offset_head().to_owned()];
        let mut columns = Vec::new();
        for entry in &board.entries {
            let here = entry.logits.head(cursor);
            let first = here.saturating_sub(each / 2).min(entry.logits.heads().saturating_sub(each));
            for shown in first..(first + each).min(entry.logits.heads()) {
                head.push(entry.logits.label(&entry.name, shown));
                columns.push((entry, shown));
            }
        }
        let rows = (CELLS / head.len() as i64).clamp(1, 50);
        let page_of = |offset: i64| (offset.clamp(low, high) - low) / rows;
        let shown = (page_of(cursor.offset) + page).clamp(0, page_of(high));
        let first = low + shown * rows;
        let last = (first + rows - 1).min(high);
        let list = (first..=last).map(|offset| {
            let values = columns.iter().map(|(entry, head)| number::exact(entry.logits.at(*head, offset)));
            std::iter::once(number::whole(offset)).chain(values).collect()
        });
        Table {
            caption: words::bias_table(number::whole(first), number::whole(last)),
            head,
            rows: list.collect(),
            before: first > low,
            after: last < high,
        }
    }

    fn place(&self, board: &Board, x: f64, y: f64) -> Option<CursorPatch> {
        let inside = x >= self.across.left - 4.0 && x <= self.across.left + self.across.width + 4.0;
        if !inside || y > self.bottom + 4.0 {
            return None;
        }
        let lane = self.all.iter().find(|lane| y >= lane.top && y < lane.top + lane.height);
        let head = lane.map(|lane| (((y - lane.top) / lane.height * lane.heads as f64) as usize).min(lane.heads - 1));
        Some(CursorPatch { offset: Some(self.across.offset(&board.ruler, x)), head, ..CursorPatch::default() })
    }
}
