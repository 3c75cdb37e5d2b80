//! What is added to the scores: by head and offset, as the matrix of one head, and what softmax leaves of it.
//!
//! One view at a time is on screen: `lanes` (heads × offset), `matrix`, `softmax`, `by_head` (retained attention, or
//! slopes). Summary and readings are the same for all.

mod axis;
mod by_head;
mod lanes;
mod matrix;
mod ruler;
mod softmax;

use super::logits::Logits;
use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{Surface, number};
use crate::state::MOST_LENGTH;
use crate::{formulas, words};
use posenc::{Acts, Kind, ParamSpec, Scale, Unit, bias::Softmax};
use ruler::Ruler;

/// `bias`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "bias",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &["heads", "matrix", "softmax", "retained", "slopes"], default: "heads" },
            unit: Unit::None,
            when: None,
        },
        common::sides(None),
        common::axis(Some(("show", &["heads", "softmax"]))),
        ParamSpec {
            key: "window",
            kind: Kind::Integer { min: 1, max: MOST_LENGTH, step: 1, default: 16, scale: Scale::Log },
            unit: Unit::Tokens,
            when: Some(("show", &["softmax", "retained"])),
        },
        common::window_option("first_position", MOST_LENGTH, Unit::Tokens, Some(("show", &["matrix"]))),
        common::window_option("positions", MOST_LENGTH, Unit::Tokens, Some(("show", &["matrix"]))),
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Bias | Acts::Nothing),
    settle: |_, _| {},
    height,
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

fn height(scene: &Scene, width: f64) -> f64 {
    let entries = entries(scene);
    match scene.options.choice("show") {
        "matrix" => matrix::height(entries.len(), width),
        "softmax" => softmax::height(width),
        "retained" | "slopes" => by_head::height(width),
        _ => lanes::height(&entries),
    }
}

/// One scheme.
struct Entry {
    slot: usize,
    name: String,
    logits: Logits,
}

fn entries(scene: &Scene) -> Vec<Entry> {
    let entry = |slot| {
        let logits = Logits::of(scene, slot)?;
        Some(Entry { slot: slot.index, name: common::name(&scene.slots, slot), logits })
    };
    scene.slots.iter().filter_map(entry).collect()
}

/// What all views show.
struct Board {
    entries: Vec<Entry>,
    failures: Vec<String>,
    /// Whether a query sees the keys after it.
    both: bool,
    window: i64,
    /// Whether the view shows attention: it is then spoken of.
    attention: bool,
    ruler: Ruler,
}

impl Board {
    fn new(scene: &Scene) -> Self {
        let both = scene.options.choice("sides") == "both";
        Self {
            entries: entries(scene),
            failures: common::failures(scene),
            both,
            window: scene.options.integer("window").max(1),
            attention: matches!(scene.options.choice("show"), "softmax" | "retained"),
            ruler: Ruler::new(scene.length, both, scene.options.choice("axis") == "log"),
        }
    }

    /// The most heads that a scheme has.
    fn heads(&self) -> usize {
        self.entries.iter().map(|entry| entry.logits.heads()).max().unwrap_or(1)
    }

    fn softmax<'a>(&self, entry: &'a Entry, cursor: &Cursor) -> Option<Softmax<'a>> {
        entry.logits.softmax(entry.logits.head(cursor), query(cursor), !self.both)
    }

    /// The name of a scheme with the head that is shown.
    fn label(entry: &Entry, cursor: &Cursor) -> String {
        entry.logits.label(&entry.name, entry.logits.head(cursor))
    }

    /// Another head.
    fn to_head(&self, head: i64) -> Response {
        let head = Some(head.clamp(0, self.heads() as i64 - 1) as usize);
        common::moved(CursorPatch { head, ..CursorPatch::default() })
    }

    /// Another offset.
    fn to_offset(&self, offset: i64) -> Response {
        let offset = Some(offset.clamp(self.ruler.low(), self.ruler.high()));
        common::moved(CursorPatch { offset, ..CursorPatch::default() })
    }
}

/// The cursor's query, a whole position.
fn query(cursor: &Cursor) -> i64 {
    cursor.position.floor() as i64
}

fn percent(share: f64) -> String {
    words::bias_percent(number::digits(share * 100.0, 3))
}

/// One view.
trait View {
    fn draw(&self, board: &Board, on: &Surface, cursor: &Cursor);

    /// Beside the schemes' names and what must be said of their numbers.
    fn legend(&self, board: &Board) -> Vec<Legend>;

    fn table(&self, board: &Board, cursor: &Cursor, page: i64) -> Table;

    /// What a pointer does that moves, rests or is pressed there.
    fn place(&self, board: &Board, x: f64, y: f64) -> Option<CursorPatch>;

    /// What the view answers in its own way; `None` leaves it to the figure.
    fn respond(&self, board: &Board, input: &Input, cursor: &Cursor) -> Option<Response> {
        let _ = (board, input, cursor);
        None
    }
}

struct Model {
    board: Board,
    view: Box<dyn View>,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let board = Board::new(scene);
        let view: Box<dyn View> = match scene.options.choice("show") {
            "matrix" => Box::new(matrix::Matrix::new(&board, scene, size)),
            "softmax" => Box::new(softmax::Curves::new(size)),
            "retained" => Box::new(by_head::ByHead::new(size, by_head::Shown::Retained)),
            "slopes" => Box::new(by_head::ByHead::new(size, by_head::Shown::Slopes)),
            _ => Box::new(lanes::Lanes::new(&board, scene, size)),
        };
        Self { board, view }
    }

    fn key(&self, key: &str, cursor: &Cursor) -> Response {
        let board = &self.board;
        let (head, offset) = (cursor.head.min(board.heads() - 1) as i64, cursor.offset);
        let leap = ((board.ruler.high() - board.ruler.low()) / 10).max(1);
        match key {
            "ArrowRight" => board.to_offset(offset + 1),
            "ArrowLeft" => board.to_offset(offset - 1),
            "ArrowDown" | "]" => board.to_head(head + 1),
            "ArrowUp" | "[" => board.to_head(head - 1),
            "PageUp" => board.to_offset(offset + leap),
            "PageDown" => board.to_offset(offset - leap),
            "Home" => board.to_offset(board.ruler.low()),
            "End" => board.to_offset(board.ruler.high()),
            _ => Response::default(),
        }
    }

    fn sentence(&self, entry: &Entry, cursor: &Cursor) -> String {
        let (label, head) = (Board::label(entry, cursor), entry.logits.head(cursor));
        let (offset, query) = (number::whole(cursor.offset), number::whole(query(cursor)));
        let value = number::short(entry.logits.at(head, cursor.offset));
        if !self.board.attention {
            return words::bias_summary_value(label, offset, value);
        }
        let softmax = self.board.softmax(entry, cursor);
        match softmax.map(|softmax| (softmax.at(cursor.offset), softmax.retained(self.board.window))) {
            Some((share, retained)) if share.is_finite() => words::bias_summary(
                label,
                offset,
                value,
                query,
                percent(share),
                percent(retained),
                number::whole(self.board.window),
            ),
            _ => words::bias_summary_no_key(label, offset, value, query),
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.board.entries.is_empty() {
            on.message(&self.board.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        self.view.draw(&self.board, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = self.board.entries.iter().map(|entry| self.sentence(entry, cursor));
        let all: Vec<String> = own.chain(self.board.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        let offset = cursor.offset;
        for entry in &self.board.entries {
            let (label, head) = (Board::label(entry, cursor), entry.logits.head(cursor));
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(entry.slot), label, value, math });
            };
            push(
                words::bias_reading(&label, number::whole(offset)),
                number::exact(entry.logits.at(head, offset)),
                entry.logits.math(head, offset),
            );
            if !self.board.attention {
                continue;
            }
            let Some(softmax) = self.board.softmax(entry, cursor) else { continue };
            let (share, retained) = (softmax.at(offset), softmax.retained(self.board.window));
            if share.is_finite() {
                push(
                    words::bias_reading_share(&label, number::whole(query(cursor))),
                    number::exact(share),
                    formulas::bias_attention(number::whole(offset), number::exact(share)),
                );
            }
            push(
                words::bias_reading_retained(&label, number::whole(self.board.window)),
                number::exact(retained),
                formulas::bias_retained(number::whole(self.board.window), number::exact(retained)),
            );
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let board = &self.board;
        if board.entries.is_empty() {
            return Vec::new();
        }
        let mut legend = self.view.legend(board);
        let about = board.entries.iter().filter_map(|entry| entry.logits.about(&entry.name));
        legend.extend(about.map(Legend::Note));
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.board.entries.is_empty() {
            return Table::default();
        }
        self.view.table(&self.board, cursor, page)
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        let board = &self.board;
        if board.entries.is_empty() {
            return Response::default();
        }
        if let Some(response) = self.view.respond(board, input, cursor) {
            return response;
        }
        match *input {
            Input::Hover { x, y } => self.view.place(board, x, y).map(common::hovered).unwrap_or_default(),
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => {
                self.view.place(board, x, y).map_or(Response { used: true, ..Response::default() }, common::moved)
            }
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => self.key(key, cursor),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
