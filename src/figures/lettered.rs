//! Query × key in small multiples whose rows and columns are the words of a text.

use super::{Cursor, CursorPatch, Input, Response, Size, common};
use crate::draw::{Surface, number, palettes::Palette, pen::Align, raster::Raster};

/// Left of the panels: the words of the queries.
const LEFT: f64 = 84.0;
/// Above a panel: its name.
const ABOVE: f64 = 24.0;
/// Below a panel: the words of the keys.
const BELOW: f64 = 76.0;
/// Between panels.
const GAP: f64 = 16.0;
/// Below all: the colours with their numbers.
const BAR: f64 = 36.0;
/// The longest side of a panel.
const MOST_SIDE: f64 = 440.0;
/// The least distance of two words.
const LINE: f64 = 12.0;

/// A rectangle: left, top, width, height, in CSS pixels.
pub(crate) type Rect = (f64, f64, f64, f64);

/// Room that a figure has for its own, in CSS pixels.
pub(crate) struct Room {
    /// Above all panels.
    pub(crate) above: f64,
    /// Between each panel and its name.
    pub(crate) between: f64,
    /// Right of each panel.
    pub(crate) beside: f64,
}

impl Room {
    /// None.
    pub(crate) const NONE: Self = Self { above: 0.0, between: 0.0, beside: 0.0 };
}

/// Where the panels stand.
pub(crate) struct Lettered {
    words: Vec<String>,
    columns: usize,
    between: f64,
    beside: f64,
    panels: Vec<Rect>,
}

fn left(width: f64) -> f64 {
    LEFT.min((width * 0.24).floor())
}

fn columns(panels: usize, width: f64) -> usize {
    let most = if width >= 1000.0 {
        5
    } else if width >= 600.0 {
        3
    } else {
        2
    };
    // Four are two and two rather than three and one.
    match panels {
        0 | 1 => 1,
        4 if most == 3 => 2,
        panels => panels.min(most),
    }
}

fn side(panels: usize, width: f64, room: &Room) -> f64 {
    let columns = columns(panels, width) as f64;
    let free = width - left(width) - GAP * (columns - 1.0) - room.beside * columns - 4.0;
    (free / columns).floor().clamp(1.0, MOST_SIDE)
}

/// The height of so many panels on a width.
pub(crate) fn height(panels: usize, width: f64, room: &Room) -> f64 {
    let rows = panels.div_ceil(columns(panels, width)).max(1) as f64;
    room.above + rows * (ABOVE + room.between + side(panels, width, room) + BELOW) + BAR
}

impl Lettered {
    /// So many panels for these words.
    pub(crate) fn new(words: &[String], panels: usize, size: Size, room: &Room) -> Self {
        let columns = columns(panels, size.width);
        let rows = panels.div_ceil(columns).max(1) as f64;
        let high = ABOVE + room.between + BELOW;
        let most = ((size.height - room.above - BAR) / rows - high).floor();
        let side = side(panels, size.width, room).min(most).max(1.0);
        let place = |i: usize| {
            let x = left(size.width) + (i % columns) as f64 * (side + room.beside + GAP);
            let y = room.above + ABOVE + room.between + (i / columns) as f64 * (high + side);
            (x, y, side, side)
        };
        let Room { between, beside, .. } = *room;
        Self { words: words.to_vec(), columns, between, beside, panels: (0..panels).map(place).collect() }
    }

    /// The rectangle of a panel.
    pub(crate) fn panel(&self, i: usize) -> Rect {
        self.panels.get(i).copied().unwrap_or((0.0, 0.0, 1.0, 1.0))
    }

    fn count(&self) -> f64 {
        self.words.len().max(1) as f64
    }

    /// The rectangle of a cell.
    fn cell(&self, i: usize, query: f64, key: f64) -> Rect {
        let (left, top, width, height) = self.panel(i);
        let (wide, high) = (width / self.count(), height / self.count());
        (left + key * wide, top + query * high, wide, high)
    }

    /// The query and the key at a place, and their panel.
    pub(crate) fn at(&self, x: f64, y: f64) -> Option<(usize, i64, i64)> {
        let inside =
            |(left, top, width, height): &Rect| x >= *left && x < left + width && y >= *top && y < top + height;
        let panel = self.panels.iter().position(inside)?;
        let (query, key) = self.pair(panel, x, y);
        Some((panel, query, key))
    }

    /// The query and the key of a panel that are nearest to a place.
    fn pair(&self, panel: usize, x: f64, y: f64) -> (i64, i64) {
        let (left, top, width, height) = self.panel(panel);
        let place = |share: f64| ((share * self.count()).floor().clamp(0.0, self.count() - 1.0)) as i64;
        (place((y - top) / height), place((x - left) / width))
    }

    /// Draws a panel: its name, its cells, the words beside it and the cursor.
    pub(crate) fn draw(
        &self,
        on: &Surface,
        i: usize,
        (name, colour): (&str, &str),
        (raster, palette): (&mut Raster, &Palette),
        cursor: &Cursor,
    ) {
        let rect = self.panel(i);
        on.font(12.0);
        let name = on.fitted(name, rect.2 + self.beside);
        on.text(&name, rect.0, rect.1 - self.between - 11.0, Align::Left, colour);
        raster.draw(on, palette, (self.count(), self.count()), rect);
        let query = cursor.position.floor();
        self.labels(on, i, query, query - cursor.offset as f64);
        self.mark(on, i, query, query - cursor.offset as f64);
    }

    /// The words of the queries left of the first panel of a row, those of the keys below each.
    fn labels(&self, on: &Surface, i: usize, query: f64, key: f64) {
        let (left, top, _, height) = self.panel(i);
        let cell = height / self.count();
        let step = (LINE / cell).ceil().max(1.0);
        on.font(11.0);
        let each = |here: f64, write: &mut dyn FnMut(&str, f64, &str)| {
            for (place, word) in self.words.iter().enumerate() {
                let place = place as f64;
                let near = (place - here).abs() * cell < LINE;
                if place == here {
                    write(word, place, &on.ink.accent);
                } else if place % step == 0.0 && !near {
                    write(word, place, &on.ink.muted);
                }
            }
        };
        if i.is_multiple_of(self.columns) {
            each(query, &mut |word, place, colour| {
                let (_, y, _, high) = self.cell(i, place, 0.0);
                on.text(&on.fitted(word, left - 8.0), left - 5.0, y + high / 2.0, Align::Right, colour);
            });
        }
        each(key, &mut |word, place, colour| {
            let (x, _, wide, _) = self.cell(i, 0.0, place);
            on.text_up(&on.fitted(word, BELOW - 10.0), x + wide / 2.0, top + height + 5.0, colour);
        });
    }

    /// The cursor's row and cell.
    fn mark(&self, on: &Surface, i: usize, query: f64, key: f64) {
        let there = |place: f64| place >= 0.0 && place < self.count();
        if !there(query) {
            return;
        }
        let (_, y, _, high) = self.cell(i, query, 0.0);
        let (left, _, width, _) = self.panel(i);
        on.outline((left, y, width, high), &on.ink.paper, 2.0);
        on.outline((left, y, width, high), &on.ink.accent, 1.0);
        if there(key) {
            let cell = self.cell(i, query, key);
            on.outline(cell, &on.ink.paper, 4.0);
            on.outline(cell, &on.ink.accent, 2.0);
        }
    }

    /// The colours from the least to the greatest value, below all panels; whether there are values past their ends.
    pub(crate) fn bar(&self, on: &Surface, palette: &Palette, title: &str, ends: (String, String)) {
        const STOPS: usize = 64;
        let left = self.panel(0).0;
        let width = (on.width - left - 4.0).clamp(1.0, 240.0);
        let top = on.height - BAR + 2.0;
        for (i, colour) in palette.stops(STOPS).iter().enumerate() {
            let x = left + i as f64 * width / STOPS as f64;
            on.fill((x, top, width / STOPS as f64 + 0.5, 10.0), colour);
        }
        on.font(11.0);
        let middle = number::short(f64::midpoint(f64::from(palette.low()), f64::from(palette.high())));
        let y = top + 19.0;
        on.text(&ends.0, left, y, Align::Left, &on.ink.muted);
        on.text(&middle, left + width / 2.0, y, Align::Centre, &on.ink.muted);
        on.text(&ends.1, left + width, y, Align::Right, &on.ink.muted);
        let room = on.width - left - width - 16.0;
        if room > 80.0 {
            on.text(&on.fitted(title, room), left + width + 10.0, top + 5.0, Align::Left, &on.ink.muted);
        }
    }

    /// The cursor at a query and a key.
    fn patch((query, key): (i64, i64)) -> CursorPatch {
        CursorPatch { position: Some(query as f64), offset: Some(query - key), ..CursorPatch::default() }
    }

    /// What pointer and keys do; `heads` is how many there are.
    pub(crate) fn respond(&self, input: &Input, cursor: &Cursor, heads: usize) -> Response {
        if self.panels.is_empty() || self.words.is_empty() {
            return Response::default();
        }
        match *input {
            Input::Hover { x, y } => {
                self.at(x, y).map(|(_, query, key)| common::hovered(Self::patch((query, key)))).unwrap_or_default()
            }
            Input::Press { x, y, .. } => match self.at(x, y) {
                Some((_, query, key)) => common::moved(Self::patch((query, key))),
                None => Response { used: true, ..Response::default() },
            },
            Input::Drag { from_x, from_y, x, y, .. } => match self.at(from_x, from_y) {
                Some((panel, ..)) => common::moved(Self::patch(self.pair(panel, x, y))),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => self.key(key, cursor, heads),
        }
    }

    fn key(&self, key: &str, cursor: &Cursor, heads: usize) -> Response {
        let last = self.words.len() as i64 - 1;
        let query = (cursor.position.floor() as i64).clamp(0, last);
        let at = (query - cursor.offset).clamp(0, last);
        let to = |query: i64, key: i64| common::moved(Self::patch((query.clamp(0, last), key.clamp(0, last))));
        let to_head = |head: usize| common::moved(CursorPatch { head: Some(head), ..CursorPatch::default() });
        match key {
            "ArrowDown" => to(query + 1, at),
            "ArrowUp" => to(query - 1, at),
            "ArrowRight" => to(query, at + 1),
            "ArrowLeft" => to(query, at - 1),
            "PageDown" => to(query + 5, at),
            "PageUp" => to(query - 5, at),
            "Home" => to(query, 0),
            "End" => to(query, last),
            "]" => to_head((cursor.head + 1).min(heads.max(1) - 1)),
            "[" => to_head(cursor.head.min(heads.max(1) - 1).saturating_sub(1)),
            _ => Response::default(),
        }
    }
}
