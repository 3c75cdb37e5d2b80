//! Planes as clock hands: the query at its position, the key so far behind it, and the angle between them, which stays
//! when both move.

mod dial;
mod paint;

use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{
    Surface, number,
    phasors::{Clock, Hand, Part, nearest_turn},
};
use crate::{formulas, words};
use dial::Dial;
use posenc::{Acts, Kind, ParamSpec, Unit, Value};
use std::cell::Cell;
use std::f64::consts::{PI, TAU};

/// `rotation`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "rotation",
    options: &[
        ParamSpec { key: "planes", kind: Kind::List { min: 0, max: 2047, most: 16 }, unit: Unit::None, when: None },
        common::VECTORS,
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |state, options| {
        let wanted = options.list("planes");
        // Where no scheme has planes, none is drawn, and the list is kept for the next scheme.
        let planes = if wanted.is_empty() { 0 } else { state.planes() as i64 };
        if planes > 0 && wanted.iter().any(|plane| *plane >= planes) {
            let there: Vec<i64> = wanted.iter().copied().filter(|plane| *plane < planes).collect();
            let _ = options.set("planes", &Value::List(there).to_string());
        }
    },
    height,
    plays: true,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Planes that are shown where none were chosen.
const CHOSEN: usize = 6;
/// Above the clocks of a scheme: its name and score.
const HEAD: f64 = 28.0;
/// Below a clock: four lines.
const FOOT: f64 = 70.0;
/// The least and the most width of a clock with its text.
const CELL: (f64, f64) = (100.0, 200.0);

thread_local! {
    /// What the pointer went down on.
    static HELD: Cell<Option<Held>> = const { Cell::new(None) };
}

/// A hand, or the face, that is dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Held {
    dial: usize,
    plane: usize,
    part: Part,
    /// The cursor's position when it was taken.
    position: f64,
    /// The pointer's angle at the last move, and how far it has turned since it was taken.
    last: f64,
    turned: f64,
}

/// Columns of clocks, and the width of each.
fn grid(width: f64, clocks: usize) -> (usize, f64) {
    let columns = ((width / CELL.0).floor().max(1.0) as usize).min(clocks.max(1));
    (columns, (width / columns as f64).min(CELL.1))
}

fn height(scene: &Scene, width: f64) -> f64 {
    let wanted = scene.options.list("planes").len();
    let mut height = 0.0;
    for planes in scene.slots.iter().map(dial::planes).filter(|planes| *planes > 0) {
        let clocks = if wanted > 0 { wanted } else { CHOSEN }.min(planes);
        let (columns, cell) = grid(width, clocks);
        height += HEAD + clocks.div_ceil(columns) as f64 * (cell + FOOT);
    }
    height.max(120.0)
}

/// One scheme's clocks: their planes, row by row, each in a cell.
struct Strip {
    /// Its upper edge.
    top: f64,
    planes: Vec<usize>,
    columns: usize,
    /// Width of a cell.
    cell: f64,
}

impl Strip {
    fn height(&self) -> f64 {
        HEAD + self.planes.len().div_ceil(self.columns) as f64 * (self.cell + FOOT)
    }

    /// Calls `see` with every clock: its plane, itself and the left edge, upper edge and width of its cell.
    fn clocks(&self, dial: &Dial, cursor: &Cursor, mut see: impl FnMut(usize, Clock, (f64, f64, f64))) {
        for (n, plane) in self.planes.iter().enumerate() {
            let x = (n % self.columns) as f64 * self.cell;
            let y = self.top + HEAD + (n / self.columns) as f64 * (self.cell + FOOT);
            see(*plane, Model::clock(dial, *plane, cursor, (x, y, self.cell)), (x, y, self.cell));
        }
    }
}

struct Model {
    scene: Scene,
    failures: Vec<String>,
    dials: Vec<Dial>,
    width: f64,
    height: f64,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let mut failures = common::failures(scene);
        let mut dials = Vec::new();
        for slot in &scene.slots {
            match Dial::new(scene, slot) {
                Some(dial) => dials.push(dial),
                None if common::encoding(slot).is_some() => {
                    failures.push(words::rotation_no_planes(common::name(&scene.slots, slot)));
                }
                None => {}
            }
        }
        Self { scene: scene.clone(), failures, dials, width: size.width, height: size.height }
    }

    fn last(&self) -> f64 {
        (self.scene.length - 1) as f64
    }

    /// The clock of a plane at a place of the grid.
    fn clock(dial: &Dial, plane: usize, cursor: &Cursor, (x, y, cell): (f64, f64, f64)) -> Clock {
        let w = dial.frequency(plane);
        let (query, key) = dial.starts(plane);
        let at = cursor.position - cursor.offset as f64;
        Clock {
            x: x + cell / 2.0,
            y: y + cell / 2.0,
            radius: (cell / 2.0 - 8.0).max(1.0),
            query: Hand {
                angle: query.angle + cursor.position * w,
                length: 0.94 * dial.share_of_longest(query.length) * dial.left(plane, cursor.offset).min(1.0),
            },
            key: Hand { angle: key.angle + at * w, length: 0.94 * dial.share_of_longest(key.length) },
            between: query.angle - key.angle + cursor.offset as f64 * w,
        }
    }

    /// Where each scheme's clocks stand.
    fn strips(&self, cursor: &Cursor) -> Vec<Strip> {
        let mut top = 0.0;
        let strip = |dial: &Dial| {
            let planes = dial.shown(self.scene.options.list("planes"), cursor.plane);
            let (columns, cell) = grid(self.width, planes.len());
            let strip = Strip { top, planes, columns, cell };
            top += strip.height();
            strip
        };
        self.dials.iter().map(strip).collect()
    }

    /// Calls `see` with every clock: its dial, its plane and itself.
    fn clocks(&self, cursor: &Cursor, mut see: impl FnMut(usize, usize, Clock)) {
        for (i, strip) in self.strips(cursor).iter().enumerate() {
            strip.clocks(&self.dials[i], cursor, |plane, clock, _| see(i, plane, clock));
        }
    }

    fn take(&self, x: f64, y: f64, cursor: &Cursor) -> Option<Held> {
        let mut held = None;
        self.clocks(cursor, |dial, plane, clock| {
            if let Some(part) = clock.part_at(x, y) {
                let last = clock.angle_at(x, y);
                held = Some(Held { dial, plane, part, position: cursor.position, last, turned: 0.0 });
            }
        });
        held
    }

    /// The cursor after the pointer moved what it holds.
    fn drag(&self, held: &mut Held, x: f64, y: f64, cursor: &Cursor) -> Option<CursorPatch> {
        let dial = self.dials.get(held.dial)?;
        let w = dial.frequency(held.plane);
        if w == 0.0 {
            return None;
        }
        let mut angle = None;
        self.clocks(cursor, |dial, plane, clock| {
            if dial == held.dial && plane == held.plane {
                angle = Some(clock.angle_at(x, y));
            }
        });
        let angle = angle?;
        held.turned += nearest_turn(angle - held.last, 0.0);
        held.last = angle;
        let last = self.last();
        let key = cursor.position - cursor.offset as f64;
        let (query_start, key_start) = dial.starts(held.plane);
        Some(match held.part {
            Part::Query => {
                // The key stays; the query goes a whole number of tokens from it.
                let wanted = nearest_turn(angle - query_start.angle, cursor.position * w) / w;
                // From a key between two tokens there may be no query within the sequence: then the nearest past it.
                let offset = (wanted - key).round().min((last - key).floor()).max((-key).ceil()).clamp(-last, last);
                CursorPatch { position: Some(key + offset), offset: Some(offset as i64), ..CursorPatch::default() }
            }
            Part::Key => {
                let wanted = nearest_turn(angle - key_start.angle, key * w) / w;
                let offset = (cursor.position - wanted).round().clamp(-last, last);
                CursorPatch { offset: Some(offset as i64), ..CursorPatch::default() }
            }
            Part::Face => {
                // A fast plane is turned by parts of a token, a slow one by whole ones.
                let fine = if w > 0.05 { 10.0 } else { 1.0 };
                let position = ((held.position + held.turned / w) * fine).round() / fine;
                CursorPatch { position: Some(position.clamp(0.0, last)), ..CursorPatch::default() }
            }
        })
    }

    fn key(&self, key: &str, shift: bool, cursor: &Cursor) -> Response {
        if self.dials.is_empty() {
            return Response::default();
        }
        let planes = self.dials.iter().map(Dial::planes).max().unwrap_or(1);
        common::walked(key, cursor, self.last(), if shift { 0.1 } else { 1.0 }, planes)
    }

    /// An angle in degrees, after whole turns where it is more than one.
    fn angle(radians: f64) -> String {
        if number::is_plain() {
            return number::exact(radians);
        }
        if radians.abs() < TAU {
            words::rotation_degrees(number::digits(radians * 180.0 / PI, 3))
        } else {
            let (turns, rest) = (libm::trunc(radians / TAU), libm::fmod(radians, TAU));
            let sign = if radians < 0.0 { "\u{2212}" } else { "+" };
            let (turns, rest) = (turns as i64, number::digits(rest.abs() * 180.0 / PI, 3));
            let word = if turns.abs() == 1 { words::rotation_turn } else { words::rotation_turns };
            word(number::whole(turns), sign, rest)
        }
    }

    fn score_reading(dial: &Dial, label: String, value: f64, position: f64, offset: i64) -> Reading {
        let (m, n) = (number::place(position), number::place(position - offset as f64));
        let value = number::exact(value);
        let math = if dial.fades() {
            formulas::rotation_fading(dial.head_dim(), m, n, &value)
        } else if dial.rotary {
            formulas::rotation_score(m, n, dial.head_dim(), &value)
        } else {
            formulas::rotation_product(m, n, &value)
        };
        Reading { slot: Some(dial.slot), label, value, math }
    }

    /// What is compared: a query with its key, or the vectors of two positions, perhaps of one and the same.
    fn said_of(dial: &Dial, cursor: &Cursor) -> String {
        let plane = cursor.plane.min(dial.planes() - 1);
        let (name, query) = (&dial.name, number::place(cursor.position));
        let key = number::place(cursor.position - cursor.offset as f64);
        let w = dial.frequency(plane);
        if dial.is_one(cursor) {
            return words::rotation_summary_one(name, query, plane, Self::angle(cursor.position * w));
        }
        let angle = Self::angle(cursor.offset as f64 * w);
        match dial.score(cursor.offset).map(number::short) {
            Some(score) if dial.rotary => words::rotation_summary(name, query, key, plane, angle, score),
            Some(product) => words::rotation_summary_absolute(name, query, key, plane, angle, product),
            None if dial.rotary => words::rotation_summary_apart(name, query, key, plane, angle),
            None => {
                let product = dial.measured(cursor.position, cursor.offset).map(number::short).unwrap_or_default();
                words::rotation_summary_here(name, query, key, plane, angle, product)
            }
        }
    }
}

/// How far both are shifted for the second measurement.
const SHIFT: f64 = 100.0;

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        paint::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let mut sentences = self.failures.clone();
        sentences.extend(self.dials.iter().map(|dial| Self::said_of(dial, cursor)));
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        let offset = cursor.offset;
        for dial in &self.dials {
            let plane = cursor.plane.min(dial.planes() - 1);
            let w = dial.frequency(plane);
            if dial.is_one(cursor) {
                let (place, angle) = (number::place(cursor.position), cursor.position * w);
                readings.push(Reading {
                    slot: Some(dial.slot),
                    label: words::rotation_turned(&dial.name, plane),
                    value: Self::angle(angle),
                    math: formulas::rotation_turned(place, number::exact(w), number::exact(angle)),
                });
                continue;
            }
            let angle = offset as f64 * w;
            readings.push(Reading {
                slot: Some(dial.slot),
                label: words::rotation_between(&dial.name, plane),
                value: Self::angle(angle),
                math: formulas::rotation_angle(number::whole(offset), number::exact(w), number::exact(angle)),
            });
            let (name, shift) = (&dial.name, number::place(SHIFT));
            let labels = if dial.rotary {
                [words::rotation_measured(name), words::rotation_shifted(name, shift)]
            } else {
                [words::rotation_product(name), words::rotation_product_shifted(name, shift)]
            };
            for (label, position) in labels.into_iter().zip([cursor.position, cursor.position + SHIFT]) {
                if let Some(value) = dial.measured(position, offset) {
                    readings.push(Self::score_reading(dial, label, value, position, offset));
                }
            }
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend: Vec<Legend> =
            self.dials.iter().map(|dial| Legend::Slot { slot: dial.slot, label: dial.name.clone() }).collect();
        if self.dials.is_empty() {
            return legend;
        }
        let wanted = self.scene.options.list("planes");
        for dial in &self.dials {
            let last = dial.planes() - 1;
            if wanted.iter().any(|plane| *plane > last as i64) {
                legend.push(Legend::Note(words::rotation_no_such_planes(&dial.name, last)));
            }
        }
        for dial in &self.dials {
            let (shown, all) = (dial.shown(wanted, 0).len(), dial.planes());
            if shown < all {
                legend.push(Legend::Note(words::rotation_some(&dial.name, shown, all)));
            }
        }
        if self.dials.iter().any(|dial| dial.rotary) {
            legend.push(Legend::Note(words::rotation_hands().to_owned()));
        }
        if self.dials.iter().any(|dial| !dial.rotary) {
            legend.push(Legend::Note(words::rotation_hands_absolute().to_owned()));
        }
        let fading = self.dials.iter().filter(|dial| dial.fades());
        legend.extend(fading.map(|dial| Legend::Note(words::rotation_fading(&dial.name))));
        if self.dials.iter().any(|dial| dial.rotary) {
            let vectors = match self.scene.options.choice("vectors") {
                "equal" => words::offset_equal(),
                "independent" => words::rotation_independent(),
                _ => words::offset_ones(),
            };
            legend.push(Legend::Note(vectors.to_owned()));
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        const ROWS: i64 = 50;
        let planes = self.dials.iter().map(Dial::planes).max().unwrap_or(0) as i64;
        if planes == 0 {
            return Table::default();
        }
        let of = |dial: &Dial, head: &str| {
            if self.dials.len() > 1 { words::rotation_head_of(&dial.name, head) } else { head.to_owned() }
        };
        let mut head = vec![words::rotation_head_plane().to_owned()];
        for dial in &self.dials {
            head.push(of(dial, words::rotation_head_frequency()));
            head.push(of(dial, words::rotation_head_wavelength()));
            head.push(of(
                dial,
                if number::is_plain() { words::rotation_head_radians() } else { words::rotation_head_angle() },
            ));
            let adds = if dial.rotary { words::rotation_head_share() } else { words::rotation_head_product() };
            head.push(of(dial, adds));
        }
        let current = (cursor.plane as i64).min(planes - 1) / ROWS;
        let shown = (current + page).clamp(0, (planes - 1) / ROWS);
        let last = ((shown + 1) * ROWS).min(planes);
        let rows = (shown * ROWS..last)
            .map(|plane| {
                let mut row = vec![number::whole(plane)];
                let plane = plane as usize;
                for dial in &self.dials {
                    if plane >= dial.planes() {
                        row.extend(std::iter::repeat_n(String::new(), 4));
                        continue;
                    }
                    row.push(number::exact(dial.frequency(plane)));
                    row.push(number::exact(dial.wavelength(plane)));
                    row.push(Self::angle(cursor.offset as f64 * dial.frequency(plane)));
                    row.push(number::exact(dial.share(plane, cursor.position, cursor.offset)));
                }
                row
            })
            .collect();
        Table {
            caption: words::rotation_table(number::whole(cursor.offset)),
            head,
            rows,
            before: shown > 0,
            after: last < planes,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        match *input {
            Input::Press { x, y, .. } => {
                let held = self.take(x, y, cursor);
                HELD.set(held);
                match held {
                    Some(held) if held.plane != cursor.plane => {
                        common::moved(CursorPatch { plane: Some(held.plane), ..CursorPatch::default() })
                    }
                    held => Response { used: held.is_some(), ..Response::default() },
                }
            }
            Input::Drag { x, y, .. } => {
                let Some(mut held) = HELD.get() else { return Response::default() };
                let patch = self.drag(&mut held, x, y, cursor);
                HELD.set(Some(held));
                patch.map(common::moved).unwrap_or_default()
            }
            Input::Key { ref key, shift } => self.key(key, shift, cursor),
            Input::Hover { .. } | Input::Zoom { .. } => Response::default(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
