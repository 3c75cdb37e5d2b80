//! What softmax leaves of equal scores: attention against the offset, for the cursor's query and head.

use super::{Board, View, axis::Across, axis::BELOW, percent, query};
use crate::draw::{
    Surface,
    charts::{Item, Plot, Span, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::figures::{CursorPatch, Legend, Size, Table};
use crate::state::Cursor;
use crate::words;

/// Above the plot: what its numbers are.
const ABOVE: f64 = 24.0;
/// Points of a line at the most.
const MOST_POINTS: usize = 1600;
/// From one label to the next.
const LABEL: f64 = 16.0;

/// Its height.
pub(super) fn height(width: f64) -> f64 {
    (width * 0.42).clamp(190.0, 380.0) + ABOVE + BELOW
}

/// The curves.
pub(super) struct Curves {
    across: Across,
    height: f64,
}

impl Curves {
    /// On a canvas of this size.
    pub(super) fn new(size: Size) -> Self {
        Self { across: Across::new(size.width), height: (size.height - ABOVE - BELOW).max(1.0) }
    }

    /// Offsets and shares of each scheme.
    fn lines(&self, board: &Board, cursor: &Cursor) -> Vec<Vec<(i64, f64)>> {
        let mut offsets = board.ruler.columns((self.across.width as usize).clamp(1, MOST_POINTS));
        offsets.dedup();
        let line = |entry| {
            let softmax = board.softmax(entry, cursor);
            let at = |offset: &i64| Some((*offset, softmax.as_ref()?.at(*offset)));
            offsets.iter().filter_map(at).filter(|(_, share)| share.is_finite()).collect()
        };
        board.entries.iter().map(line).collect()
    }
}

impl View for Curves {
    fn draw(&self, board: &Board, on: &Surface, cursor: &Cursor) {
        let lines = self.lines(board, cursor);
        let most = lines.iter().flatten().map(|(_, share)| *share).fold(0.0, f64::max);
        let plot = Plot {
            left: self.across.left,
            top: ABOVE,
            width: self.across.width,
            height: self.height,
            x: Span::Linear(0.0, 1.0),
            y: Span::Linear(0.0, if most > 0.0 { most * 1.06 } else { 1.0 }),
        };
        let (right, bottom, hair) = (plot.left + plot.width, plot.top + plot.height, 1.0 / on.dpr);
        let ruler = &board.ruler;
        let rule = |from: (f64, f64), to: (f64, f64), width: f64, colour: &str| Item::Line {
            points: vec![from, to],
            width,
            colour: colour.to_owned(),
            dash: &[],
        };
        let edge = |offset: i64| self.across.cell(ruler, offset.clamp(ruler.low(), ruler.high() + 1)).0;
        let (from, to) = (edge(1 - board.window), edge(board.window));
        let corners = vec![(from, plot.top), (to, plot.top), (to, bottom), (from, bottom)];
        let mut items = vec![Item::Area { points: corners, colour: on.ink.hairline.clone(), alpha: 0.45 }];
        let y_ticks = ticks::linear(0.0, plot.y.value(1.0), (plot.height / 34.0).floor().max(1.0) as usize);
        for tick in &y_ticks {
            let y = on.crisp(plot.y_of(*tick));
            items.push(rule((plot.left, y), (right, y), hair, &on.ink.hairline));
        }
        items.push(rule((plot.left, on.crisp(bottom)), (right, on.crisp(bottom)), hair, &on.ink.muted));
        let colour = |slot: usize| on.ink.slots.get(slot).unwrap_or(&on.ink.ink).clone();
        let at = |(offset, share): &(i64, f64)| (self.across.middle(ruler, *offset), plot.y_of(*share));
        for (entry, line) in board.entries.iter().zip(&lines) {
            let points: Vec<(f64, f64)> = line.iter().map(at).collect();
            if points.len() as f64 * 7.0 <= plot.width {
                let dot = |at: &(f64, f64)| Item::Point { at: *at, radius: 2.0, colour: colour(entry.slot) };
                items.extend(points.iter().map(dot));
            }
            let dash = DASHES.get(entry.slot).copied().unwrap_or(&[]);
            items.push(Item::Line { points, width: 1.75, colour: colour(entry.slot), dash });
        }
        if (ruler.low()..=ruler.high()).contains(&cursor.offset) {
            let x = on.crisp(self.across.middle(ruler, cursor.offset));
            items.push(rule((x, plot.top), (x, bottom), 1.0, &on.ink.accent));
            for entry in &board.entries {
                let share = board.softmax(entry, cursor).map_or(f64::NAN, |softmax| softmax.at(cursor.offset));
                if share.is_finite() {
                    let at = (self.across.middle(ruler, cursor.offset), plot.y_of(share));
                    items.push(Item::Point { at, radius: 6.0, colour: on.ink.paper.clone() });
                    items.push(Item::Point { at, radius: 4.5, colour: colour(entry.slot) });
                }
            }
        }
        on_canvas(on, &items);
        self.across.draw(on, ruler, bottom, cursor.offset);
        for tick in &y_ticks {
            on.text(&number::tick(*tick), plot.left - 6.0, plot.y_of(*tick), Align::Right, &on.ink.muted);
        }
        on.font(12.0);
        let title = words::bias_share_of(number::whole(query(cursor)));
        on.text(&on.fitted(&title, on.width - 8.0), 4.0, 10.0, Align::Left, &on.ink.muted);
        for (i, entry) in board.entries.iter().enumerate() {
            let Some(softmax) = board.softmax(entry, cursor) else { continue };
            let text = words::bias_label(
                Board::label(entry, cursor),
                percent(softmax.retained(board.window)),
                number::whole(board.window),
            );
            let y = plot.top + 9.0 + i as f64 * LABEL;
            on.text_on_paper(&on.fitted(&text, plot.width), right - 2.0, y, Align::Right, &colour(entry.slot));
        }
    }

    fn legend(&self, board: &Board) -> Vec<Legend> {
        let slot = |entry: &super::Entry| Legend::Slot { slot: entry.slot, label: entry.name.clone() };
        let mut legend: Vec<Legend> = board.entries.iter().map(slot).collect();
        legend.push(Legend::Note(words::bias_even().to_owned()));
        legend.push(Legend::Note(words::bias_window(number::whole(board.window))));
        legend
    }

    fn table(&self, board: &Board, cursor: &Cursor, page: i64) -> Table {
        const ROWS: i64 = 100;
        let (low, high) = (board.ruler.low(), board.ruler.high());
        let page_of = |offset: i64| (offset.clamp(low, high) - low) / ROWS;
        let shown = (page_of(cursor.offset) + page).clamp(0, page_of(high));
        let first = low + shown * ROWS;
        let last = (first + ROWS - 1).min(high);
        let each: Vec<_> = board.entries.iter().map(|entry| board.softmax(entry, cursor)).collect();
        let names = board.entries.iter().map(|entry| Board::label(entry, cursor));
        let rows = (first..=last).map(|offset| {
            let share = |softmax: &Option<_>| {
                let softmax: Option<&posenc::bias::Softmax<'_>> = softmax.as_ref();
                number::exact(softmax.map_or(f64::NAN, |softmax| softmax.at(offset)))
            };
            std::iter::once(number::whole(offset)).chain(each.iter().map(share)).collect()
        });
        Table {
            caption: words::bias_table_shares(number::whole(query(cursor)), number::whole(first), number::whole(last)),
            head: std::iter::once(words::offset_head().to_owned()).chain(names).collect(),
            rows: rows.collect(),
            before: first > low,
            after: last < high,
        }
    }

    fn place(&self, board: &Board, x: f64, y: f64) -> Option<CursorPatch> {
        let inside = x >= self.across.left - 4.0 && x <= self.across.left + self.across.width + 4.0;
        (inside && y <= ABOVE + self.height + 4.0)
            .then(|| CursorPatch { offset: Some(self.across.offset(&board.ruler, x)), ..CursorPatch::default() })
    }
}
