//! What a table of position vectors has learned: how alike two rows are by their distance, and the waves that its
//! principal components are, beside sines and cosines of the same size.
//!
//! The `lab` module does the sums: see [`posenc::analysis`].

mod paint;
mod seen;

use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, common};
use crate::draw::{Surface, number};
use crate::{formulas, words};
use lab::protocol::{Request, Rows};
use posenc::analysis::{MOST_ROWS, most_rows};
use posenc::{Absolute, Acts, Config, Drawn, Encoding, Error, Kind, ParamSpec, Unit};
use seen::Seen;
use std::cell::RefCell;
use std::rc::Rc;

/// `table`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "table",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &["cosine", "components"], default: "cosine" },
            unit: Unit::None,
            when: None,
        },
        common::axis(Some(("show", &["cosine"]))),
    ],
    suits: |scheme| scheme.acts == Acts::Embedding,
    settle: |_, _| {},
    height: |_, width| (width * 0.55).clamp(240.0, 440.0) + paint::ABOVE + paint::BELOW,
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Components that are drawn and described.
const COMPONENTS: usize = 4;
/// Rows on a page of the table.
const ROWS: usize = 100;

type Built = Rc<Result<Encoding, Error>>;

/// A table, and what was seen in it.
struct Looked {
    encoding: Built,
    /// What makes it; `None` where weights do, which have to be given.
    scheme: Option<Config>,
    rows: usize,
    columns: usize,
    seen: RefCell<Option<Rc<Seen>>>,
}

thread_local! {
    /// What was seen of the tables on screen lately, the oldest first: to look takes a while.
    static LAST: RefCell<Vec<(Built, usize, Rc<Seen>)>> = const { RefCell::new(Vec::new()) };
}

/// Tables of which it is kept: four schemes, and sines and cosines beside each.
const MOST_KEPT: usize = 8;

fn absolute(encoding: &Built) -> Option<&dyn Absolute> {
    match encoding.as_ref() {
        Ok(Encoding::Absolute(table)) => Some(table.as_ref()),
        _ => None,
    }
}

impl Looked {
    fn new(encoding: Built, config: &Config, length: u64) -> Option<Self> {
        let table = absolute(&encoding)?;
        let columns = table.width();
        let rows = table.rows().unwrap_or(usize::try_from(length).unwrap_or(MOST_ROWS)).min(most_rows(columns));
        let scheme = (config.drawn() != Drawn::Weights).then(|| config.clone());
        let known = LAST.with_borrow(|last| {
            let same = |(of, count, _): &&(Built, usize, Rc<Seen>)| Rc::ptr_eq(of, &encoding) && *count == rows;
            last.iter().find(same).map(|(.., seen)| seen.clone())
        });
        Some(Self { encoding, scheme, rows, columns, seen: RefCell::new(known) })
    }

    fn seen(&self) -> Option<Rc<Seen>> {
        self.seen.borrow().clone()
    }

    /// Its numbers, row by row.
    fn values(&self) -> Rc<[f32]> {
        let mut values = vec![0.0; self.rows * self.columns];
        if let Some(table) = absolute(&self.encoding) {
            table.fill(0.0, 1.0, &mut values);
        }
        values.into()
    }

    fn take(&self, arrays: &[Vec<f32>]) {
        let seen = Rc::new(Seen::new(arrays, self.rows));
        LAST.with_borrow_mut(|last| {
            if last.len() == MOST_KEPT {
                last.remove(0);
            }
            last.push((self.encoding.clone(), self.rows, seen.clone()));
        });
        *self.seen.borrow_mut() = Some(seen);
    }
}

/// One scheme.
struct Panel {
    slot: usize,
    name: String,
    own: Looked,
    /// Sines and cosines of the same size, where it is something else.
    like: Option<Looked>,
}

impl Panel {
    fn new(scene: &Scene, slot: &Slot) -> Option<Self> {
        let own = Looked::new(slot.encoding.clone(), &slot.config, scene.length)?;
        let waves = absolute(&own.encoding).is_some_and(|table| table.waves().is_some());
        let like = if waves { None } else { sines(own.columns, own.rows) };
        Some(Self { slot: slot.index, name: common::name(&scene.slots, slot), own, like })
    }
}

/// Sines and cosines of so many columns, where there is such a table; the same one each time, as long as it is kept.
fn sines(columns: usize, rows: usize) -> Option<Looked> {
    let (config, repairs) = Config::parse(&format!("sinusoidal(d_model={columns})")).ok()?;
    let built = repairs.is_empty().then(|| crate::tables::encoding(&config, 1.0))?;
    Looked::new(built, &config, rows as u64)
}

struct Model {
    panels: Vec<Panel>,
    failures: Vec<String>,
    components: bool,
    logarithmic: bool,
    size: Size,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        Self {
            panels: scene.slots.iter().filter_map(|slot| Panel::new(scene, slot)).collect(),
            failures: common::failures(scene),
            components: scene.options.choice("show") == "components",
            logarithmic: scene.options.choice("axis") == "log",
            size,
        }
    }

    fn looked(&self) -> impl Iterator<Item = &Looked> {
        self.panels.iter().flat_map(|panel| std::iter::once(&panel.own).chain(&panel.like))
    }

    /// The first table that nobody has looked at.
    fn next(&self) -> Option<(usize, &Looked)> {
        self.looked().enumerate().find(|(_, looked)| looked.seen.borrow().is_none())
    }

    /// Rows of the longest table.
    fn rows(&self) -> usize {
        self.panels.iter().map(|panel| panel.own.rows).max().unwrap_or(1)
    }

    fn sentence(panel: &Panel) -> String {
        let Some(seen) = panel.own.seen() else { return words::table_waiting(&panel.name) };
        let mut said = words::table_summary(
            &panel.name,
            number::digits(seen.toeplitz, 2),
            number::digits(seen.rank, 3),
            panel.own.columns,
            percent(seen.next),
        );
        if let Some(like) = panel.like.as_ref().and_then(Looked::seen) {
            said.push(' ');
            said.push_str(&words::table_like(number::digits(like.toeplitz, 2), number::digits(like.rank, 3)));
        }
        said
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    number::short(libm::round(1000.0 * share) / 10.0)
}

/// The distance of the cursor's offset.
fn distance(cursor: &Cursor) -> usize {
    usize::try_from(cursor.offset.unsigned_abs()).unwrap_or(usize::MAX)
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.panels.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        paint::draw(self, on, cursor);
    }

    fn lab_request(&self) -> Option<String> {
        let (place, looked) = self.next()?;
        // By its place it is another request than the one before, of a table of the same size.
        let of = match &looked.scheme {
            Some(scheme) => Rows::Scheme { scheme: scheme.clone(), count: looked.rows },
            None => Rows::Given { columns: looked.columns },
        };
        Some(format!("{}&of={place}", Request::Table { of, components: COMPONENTS }))
    }

    fn lab_values(&self) -> Option<Rc<[f32]>> {
        self.next().filter(|(_, looked)| looked.scheme.is_none()).map(|(_, looked)| looked.values())
    }

    fn lab_answer(&self, arrays: &[Vec<f32>]) {
        if let Some((_, looked)) = self.next() {
            looked.take(arrays);
        }
    }

    fn summary(&self, _: &Cursor) -> String {
        let own = self.panels.iter().map(Self::sentence);
        let all: Vec<String> = own.chain(self.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        let (apart, row) = (distance(cursor), cursor.position.max(0.0) as usize);
        for panel in &self.panels {
            let Some(seen) = panel.own.seen() else { continue };
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(panel.slot), label, value, math });
            };
            if let (Some(mean), Some(spread)) = (seen.mean.get(apart), seen.spread.get(apart)) {
                let (value, spread) = (number::exact(f64::from(*mean)), number::short(f64::from(*spread)));
                let math = formulas::table_cosine(apart, &value, &spread);
                push(words::table_reading_cosine(&panel.name, apart), format!("{value} ± {spread}"), math);
            }
            let near = seen.nearest(row);
            if !near.is_empty() {
                let list: Vec<String> = near.iter().map(|near| number::whole(i64::from(*near))).collect();
                push(words::table_reading_nearest(&panel.name, row), list.join(", "), String::new());
            }
            let value = number::exact(seen.toeplitz);
            push(words::table_reading_toeplitz(&panel.name), value.clone(), formulas::table_toeplitz(value));
            let value = number::exact(seen.rank);
            push(words::table_reading_rank(&panel.name), value.clone(), formulas::table_rank(value));
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend: Vec<Legend> =
            self.panels.iter().map(|panel| Legend::Slot { slot: panel.slot, label: panel.name.clone() }).collect();
        let mut note = |text: String| legend.push(Legend::Note(text));
        if self.panels.iter().any(|panel| panel.like.is_some()) {
            note(if self.components { words::table_note_waves() } else { words::table_note_like() }.to_owned());
        }
        for panel in &self.panels {
            let left_out = panel.own.seen().map_or(0, |seen| seen.left_out);
            if left_out > 0 {
                note(words::table_note_left_out(&panel.name, left_out));
            }
            if absolute(&panel.own.encoding).and_then(Absolute::rows).is_some_and(|rows| rows > panel.own.rows) {
                note(words::table_note_first(&panel.name, number::whole(panel.own.rows as i64)));
            }
        }
        if !self.panels.is_empty() {
            self.failures.iter().cloned().for_each(note);
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> super::Table {
        if self.panels.is_empty() {
            return super::Table::default();
        }
        let rows = self.rows();
        let last = (rows - 1) / ROWS;
        let here = distance(cursor).min(rows - 1) / ROWS;
        let shown = (here as i64 + page).clamp(0, last as i64) as usize;
        let head = self
            .panels
            .iter()
            .flat_map(|panel| [words::table_head_mean(&panel.name), words::table_head_spread(&panel.name)]);
        let cells = |apart: usize| {
            self.panels.iter().flat_map(move |panel| {
                let seen = panel.own.seen();
                let cell = |values: fn(&Seen) -> &[f32]| {
                    let value = seen.as_ref().and_then(|seen| values(seen).get(apart).copied());
                    value.map_or_else(String::new, |value| number::exact(f64::from(value)))
                };
                [cell(|seen| &seen.mean), cell(|seen| &seen.spread)]
            })
        };
        let lines = (shown * ROWS..((shown + 1) * ROWS).min(rows))
            .map(|apart| std::iter::once(number::whole(apart as i64)).chain(cells(apart)).collect());
        super::Table {
            caption: words::table_caption().to_owned(),
            head: std::iter::once(words::table_head_distance().to_owned()).chain(head).collect(),
            rows: lines.collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.panels.is_empty() {
            return Response::default();
        }
        let last = self.rows() as i64 - 1;
        let patch = |place: i64| {
            let place = place.clamp(0, last);
            if self.components {
                CursorPatch { position: Some(place as f64), ..CursorPatch::default() }
            } else {
                CursorPatch { offset: Some(place), ..CursorPatch::default() }
            }
        };
        let here = if self.components { cursor.position as i64 } else { distance(cursor).min(1 << 30) as i64 };
        match *input {
            Input::Hover { x, y } => match self.place_at(x, y) {
                Some(place) => common::hovered(patch(place)),
                None => Response::default(),
            },
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => match self.place_at(x, y) {
                Some(place) => common::moved(patch(place)),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => match key.as_str() {
                "ArrowRight" | "ArrowUp" => common::moved(patch(here + 1)),
                "ArrowLeft" | "ArrowDown" => common::moved(patch(here - 1)),
                "PageUp" => common::moved(patch(here + 16)),
                "PageDown" => common::moved(patch(here - 16)),
                "Home" => common::moved(patch(0)),
                "End" => common::moved(patch(last)),
                _ => Response::default(),
            },
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
