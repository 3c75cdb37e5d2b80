//! What a table of position vectors has learned: how alike two rows are by their distance, and the waves that its
//! principal components are, beside sines and cosines of the same size.
//!
//! The `lab` module does the sums: see [`posenc::analysis`].

mod paint;
mod seen;
mod told;

use super::{
    Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common,
};
use crate::draw::Surface;
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

    fn summary(&self, cursor: &Cursor) -> String {
        self.sentences(cursor).join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        self.values_at(cursor)
    }

    fn legend(&self) -> Vec<Legend> {
        self.notes()
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        self.listed(cursor, page)
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
