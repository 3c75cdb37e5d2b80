//! One number a head, in the order in which the heads have them: slopes, or the attention that stays within a window.

use super::{Board, Entry, View, axis::Across, query};
use crate::draw::{
    Surface,
    charts::{Item, Plot, Span, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::figures::{CursorPatch, Input, Legend, Response, Size, Table};
use crate::state::Cursor;
use crate::words;

/// Above the plot: what its numbers are.
const ABOVE: f64 = 24.0;
/// Below it: heads.
const BELOW: f64 = 40.0;

/// Which number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The share of attention within the window.
    Retained,
    /// Logits per token.
    Slopes,
}

/// Its height.
pub(super) fn height(width: f64) -> f64 {
    (width * 0.36).clamp(170.0, 320.0) + ABOVE + BELOW
}

/// The dots.
pub(super) struct ByHead {
    across: Across,
    height: f64,
    shown: Shown,
}

impl ByHead {
    /// On a canvas of this size.
    pub(super) fn new(size: Size, shown: Shown) -> Self {
        Self { across: Across::new(size.width), height: (size.height - ABOVE - BELOW).max(1.0), shown }
    }

    /// The number of each head; none where the scheme has no such number.
    fn values(&self, board: &Board, entry: &Entry, cursor: &Cursor) -> Vec<f64> {
        match self.shown {
            Shown::Slopes => entry.logits.bias().slopes().unwrap_or_default().to_vec(),
            Shown::Retained => (0..entry.logits.heads())
                .map(|head| {
                    let softmax = entry.logits.softmax(head, query(cursor), !board.both);
                    softmax.map_or(f64::NAN, |softmax| softmax.retained(board.window))
                })
                .collect(),
        }
    }

    fn title(&self, board: &Board, cursor: &Cursor) -> String {
        match self.shown {
            Shown::Slopes => words::bias_slopes().to_owned(),
            Shown::Retained => words::bias_retained(number::whole(board.window), number::whole(query(cursor))),
        }
    }

    fn x_of(&self, board: &Board, head: usize) -> f64 {
        self.across.left + (head as f64 + 0.5) / board.heads() as f64 * self.across.width
    }
}

/// The first head whose slope is steeper than that of the one before: from there on the list fills gaps.
fn turn(slopes: &[f64]) -> Option<usize> {
    slopes.windows(2).position(|pair| pair[1] > pair[0]).map(|before| before + 1)
}

impl View for ByHead {
    fn draw(&self, board: &Board, on: &Surface, cursor: &Cursor) {
        let all: Vec<Vec<f64>> = board.entries.iter().map(|entry| self.values(board, entry, cursor)).collect();
        let values = || all.iter().flatten().copied().filter(|value| value.is_finite());
        let area = (0.0, ABOVE, on.width, self.height);
        if values().next().is_none() {
            on.message(words::bias_no_slopes(), area);
            return;
        }
        let (low, high) = values().fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        let y = match self.shown {
            Shown::Slopes => Span::Log(low / 1.3, high * 1.3),
            Shown::Retained => Span::Linear(0.0, 1.04),
        };
        let (left, width) = (self.across.left, self.across.width);
        let plot = Plot { left, top: ABOVE, width, height: self.height, x: Span::Linear(0.0, 1.0), y };
        let (right, bottom, hair) = (left + width, ABOVE + self.height, 1.0 / on.dpr);
        let most = (plot.height / 30.0).floor().max(1.0) as usize;
        let y_ticks = match self.shown {
            Shown::Slopes => ticks::logarithmic(y.value(0.0), y.value(1.0), most),
            Shown::Retained => ticks::linear(0.0, 1.0, most),
        };
        let rule = |from: (f64, f64), to: (f64, f64), width: f64, colour: &str| Item::Line {
            points: vec![from, to],
            width,
            colour: colour.to_owned(),
            dash: &[],
        };
        let mut items = Vec::new();
        for tick in &y_ticks {
            let y = on.crisp(plot.y_of(*tick));
            items.push(rule((left, y), (right, y), hair, &on.ink.hairline));
        }
        items.push(rule((left, on.crisp(bottom)), (right, on.crisp(bottom)), hair, &on.ink.muted));
        let here = cursor.head.min(board.heads() - 1);
        let x = on.crisp(self.x_of(board, here));
        items.push(rule((x, ABOVE), (x, bottom), 1.0, &on.ink.accent));
        for (entry, values) in board.entries.iter().zip(&all) {
            let colour = on.ink.slots.get(entry.slot).unwrap_or(&on.ink.ink).clone();
            let points: Vec<(f64, f64)> = values
                .iter()
                .enumerate()
                .filter(|(_, value)| value.is_finite())
                .map(|(head, value)| (self.x_of(board, head), plot.y_of(*value)))
                .collect();
            let room = width / board.heads() as f64;
            let dots = points.iter().enumerate().map(|(head, at)| {
                let radius = if head == here { 5.0 } else { (room / 3.0).clamp(1.0, 3.5) };
                Item::Point { at: *at, radius, colour: colour.clone() }
            });
            items.extend(dots);
            let dash = DASHES.get(entry.slot).copied().unwrap_or(&[]);
            items.push(Item::Line { points, width: 1.0, colour, dash });
        }
        on_canvas(on, &items);
        on.font(11.0);
        for tick in &y_ticks {
            on.text(&number::tick(*tick), left - 6.0, plot.y_of(*tick), Align::Right, &on.ink.muted);
        }
        let shown = |head: usize, colour: &str| {
            on.text(&number::whole(head as i64), self.x_of(board, head), bottom + 13.0, Align::Centre, colour);
        };
        for tick in ticks::whole(0.0, board.heads() as f64 - 1.0, (width / 40.0).floor().max(1.0) as usize) {
            if (self.x_of(board, tick as usize) - self.x_of(board, here)).abs() > 24.0 {
                shown(tick as usize, &on.ink.muted);
            }
        }
        shown(here, &on.ink.accent);
        on.text(words::bias_head_axis(), left + width / 2.0, bottom + 30.0, Align::Centre, &on.ink.muted);
        on.font(12.0);
        on.text(&on.fitted(&self.title(board, cursor), on.width - 8.0), 4.0, 10.0, Align::Left, &on.ink.muted);
    }

    fn legend(&self, board: &Board) -> Vec<Legend> {
        let slot = |entry: &Entry| Legend::Slot { slot: entry.slot, label: entry.name.clone() };
        let mut legend: Vec<Legend> = board.entries.iter().map(slot).collect();
        if self.shown == Shown::Retained {
            legend.push(Legend::Note(words::bias_even().to_owned()));
            return legend;
        }
        for entry in &board.entries {
            let note = match entry.logits.bias().slopes() {
                None => Some(words::bias_without_slopes(&entry.name)),
                Some(slopes) => turn(slopes).map(|head| words::bias_order(&entry.name, head, 2 * head)),
            };
            legend.extend(note.map(Legend::Note));
        }
        legend
    }

    fn table(&self, board: &Board, cursor: &Cursor, page: i64) -> Table {
        const ROWS: usize = 100;
        let heads = board.heads();
        let last = (heads - 1) / ROWS;
        let shown = ((cursor.head.min(heads - 1) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let all: Vec<Vec<f64>> = board.entries.iter().map(|entry| self.values(board, entry, cursor)).collect();
        let rows = (shown * ROWS..((shown + 1) * ROWS).min(heads)).map(|head| {
            let values = all.iter().map(|values| values.get(head).map_or_else(String::new, |v| number::exact(*v)));
            std::iter::once(number::whole(head as i64)).chain(values).collect()
        });
        let names = board.entries.iter().map(|entry| entry.name.clone());
        Table {
            caption: self.title(board, cursor),
            head: std::iter::once(words::bias_head_axis().to_owned()).chain(names).collect(),
            rows: rows.collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    fn place(&self, board: &Board, x: f64, y: f64) -> Option<CursorPatch> {
        let share = (x - self.across.left) / self.across.width;
        let inside = (-0.02..=1.02).contains(&share) && y <= ABOVE + self.height + 4.0;
        let heads = board.heads();
        let head = ((share.clamp(0.0, 1.0) * heads as f64) as usize).min(heads - 1);
        inside.then(|| CursorPatch { head: Some(head), ..CursorPatch::default() })
    }

    fn respond(&self, board: &Board, input: &Input, cursor: &Cursor) -> Option<Response> {
        let Input::Key { key, .. } = input else { return None };
        let head = cursor.head.min(board.heads() - 1) as i64;
        // Heads run across here.
        match key.as_str() {
            "ArrowRight" => Some(board.to_head(head + 1)),
            "ArrowLeft" => Some(board.to_head(head - 1)),
            "Home" => Some(board.to_head(0)),
            "End" => Some(board.to_head(i64::MAX)),
            _ => None,
        }
    }
}
