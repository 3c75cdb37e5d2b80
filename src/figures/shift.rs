//! A shift is a matrix: PE(p + k) = M·PE(p), in each plane a rotation by k·ω, and the same at every p. Shown are the
//! matrix, the vector, their product, what it should be, and the difference.
//!
//! p is the cursor's key, and p + k its query: k is the offset. With the sines alone (`part=sine`) there is no such matrix;
//! the best factor of each sine stands in its place, and how little it explains is said.

mod paint;
mod sheet;

use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{Surface, number, palettes::Palette};
use crate::{formulas, words};
use paint::Layout;
use posenc::{Acts, Encoding, Error, Kind, ParamSpec, SchemeSpec, Settings, Unit, phase};
use sheet::{Lacks, MOST_PLANES, POSITIONS, Part, Sheet, ends};

/// Whether a scheme adds rows of waves, as it comes: a shift of these is a matrix.
fn has_waves(scheme: &SchemeSpec) -> bool {
    scheme.acts == Acts::Embedding
        && matches!((scheme.build)(&Settings::new(scheme.params)), Ok(Encoding::Absolute(table)) if table.waves().is_some())
}

/// `shift`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "shift",
    options: &[ParamSpec {
        key: "part",
        kind: Kind::Choice { options: &["both", "sine"], default: "both" },
        unit: Unit::None,
        when: None,
    }],
    suits: has_waves,
    settle: |_, _| {},
    height: |scene, width| match scene.slots.iter().filter_map(|slot| Sheet::of(scene, slot, part(scene))?.ok()).count()
    {
        0 => common::message_height(scene, width),
        sheets => paint::height(sheets, width),
    },
    plays: true,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Rows on a page of the table.
const ROWS: usize = 100;

fn part(scene: &Scene) -> Part {
    if scene.options.choice("part") == "sine" { Part::Sine } else { Part::Both }
}

struct Model {
    sheets: Vec<Sheet>,
    failures: Vec<String>,
    part: Part,
    /// Tokens in the sequence.
    length: u64,
    palette: Palette,
    layout: Layout,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let part = part(scene);
        let (mut sheets, mut failures) = (Vec::new(), Vec::new());
        for slot in &scene.slots {
            let name = || common::name(&scene.slots, slot);
            match Sheet::of(scene, slot, part) {
                Some(Ok(sheet)) => sheets.push(sheet),
                Some(Err(Lacks::Cosine)) => failures.push(words::shift_no_cosine(name())),
                Some(Err(Lacks::Waves)) => failures.push(words::shift_other(name())),
                None => {
                    if let Err(error @ (Error::Parameter { .. } | Error::Syntax(_))) = slot.encoding.as_ref() {
                        failures.push(words::draw_error(name(), error));
                    }
                }
            }
        }
        failures.extend(scene.others.iter().map(|slot| words::shift_other(common::name(&scene.others, slot))));
        if sheets.is_empty() && failures.is_empty() {
            failures.push(words::draw_none_suits().to_owned());
        }
        let layout = Layout::new(sheets.len(), size);
        Self {
            sheets,
            failures,
            part,
            length: scene.length.max(1),
            palette: Palette::new(scene.palette, -1.0, 1.0),
            layout,
        }
    }

    /// The most planes that a scheme has.
    fn planes(&self) -> usize {
        self.sheets.iter().map(|sheet| sheet.freq().len()).max().unwrap_or(1)
    }

    fn sentence(&self, sheet: &Sheet, cursor: &Cursor) -> String {
        let (from, to) = ends(cursor);
        let (from, to, by) = (number::place(from), number::place(to), number::whole(cursor.offset));
        let error = number::digits(sheet.error(cursor).unwrap_or(f64::NAN), 2);
        let plane = cursor.plane.min(sheet.freq().len().saturating_sub(1));
        match (self.part, sheet.fit(plane, cursor.offset)) {
            (Part::Sine, Some(fit)) => {
                let percent = number::short(100.0 * fit.explained);
                words::shift_summary_sine(&sheet.name, plane, percent, by, to, error)
            }
            _ => words::shift_summary(&sheet.name, by, from, to, error),
        }
    }

    /// The block of the cursor's plane with its numbers; or the best factor of its sine, and how good it is.
    fn plane_readings(sheet: &Sheet, cursor: &Cursor, push: &mut impl FnMut(String, String, String)) {
        let Some(freq) = sheet.freq().get(cursor.plane) else { return };
        let by = cursor.offset as f64;
        let short = |value: f64| number::digits(value, 3);
        if sheet.part == Part::Both {
            let (sin, cos) = phase::sin_cos(by, *freq);
            let (from, to) = ends(cursor);
            let ((a, b), (c, d)) = (phase::sin_cos(from, *freq), phase::sin_cos(to, *freq));
            let block =
                formulas::shift_block(short(cos), short(sin), short(-sin), short(a), short(b), short(c), short(d));
            let angle = number::exact(by * freq);
            push(words::shift_reading_block(&sheet.name, cursor.plane), words::shift_radians(angle), block);
        } else if let Some(fit) = sheet.fit(cursor.plane, cursor.offset) {
            let explained = number::exact(fit.explained);
            let (w, k) = (number::exact(*freq), number::whole(cursor.offset));
            push(
                words::shift_reading_explained(&sheet.name, cursor.plane),
                explained.clone(),
                formulas::shift_explained(k, w, short(fit.factor), explained),
            );
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.sheets.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        paint::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = self.sheets.iter().map(|sheet| self.sentence(sheet, cursor));
        let same = (self.part == Part::Both && !self.sheets.is_empty()).then(|| words::shift_same().to_owned());
        let all: Vec<String> = own.chain(same).chain(self.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let (from, to) = ends(cursor);
        let mut readings = Vec::new();
        for sheet in &self.sheets {
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(sheet.slot), label, value, math });
            };
            if let Some(error) = sheet.error(cursor) {
                let (value, by) = (number::digits(error, 3), number::whole(cursor.offset));
                let math = formulas::shift_error(by, number::place(from), number::place(to), &value);
                push(words::shift_reading_error(&sheet.name), value, math);
            }
            Self::plane_readings(sheet, cursor, &mut push);
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend = Vec::new();
        if self.sheets.is_empty() {
            return legend;
        }
        let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short(2.0 * t - 1.0))).to_vec();
        legend.push(Legend::Scale { label: words::shift_scale().to_owned(), stops: self.palette.stops(11), ticks });
        let mut note = |text: String| legend.push(Legend::Note(text));
        note(match self.part {
            Part::Both => words::shift_blocks().to_owned(),
            Part::Sine => words::shift_factors(POSITIONS),
        });
        for sheet in self.sheets.iter().filter(|sheet| sheet.freq().len() > MOST_PLANES) {
            note(words::shift_some(&sheet.name, MOST_PLANES, sheet.freq().len()));
        }
        for failure in &self.failures {
            note(failure.clone());
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.sheets.is_empty() {
            return Table::default();
        }
        let planes = self.planes();
        let last = (planes - 1) / ROWS;
        let page = ((cursor.plane.min(planes - 1) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let what = match self.part {
            Part::Both => words::shift_head_error(),
            Part::Sine => words::shift_head_explained(),
        };
        let head = self
            .sheets
            .iter()
            .flat_map(|sheet| [words::shift_head_angle(), what].map(|head| words::rotation_head_of(&sheet.name, head)));
        let cells = |sheet: &Sheet, plane: usize| {
            let Some(freq) = sheet.freq().get(plane) else { return [String::new(), String::new()] };
            let value = match self.part {
                Part::Both => sheet.error_in(plane, cursor).map(|error| number::digits(error, 3)),
                Part::Sine => sheet.fit(plane, cursor.offset).map(|fit| number::exact(fit.explained)),
            };
            [number::exact(cursor.offset as f64 * freq), value.unwrap_or_default()]
        };
        let rows = (page * ROWS..((page + 1) * ROWS).min(planes)).map(|plane| {
            let own = self.sheets.iter().flat_map(|sheet| cells(sheet, plane));
            std::iter::once(number::whole(plane as i64)).chain(own).collect()
        });
        Table {
            caption: words::shift_table(number::whole(cursor.offset)),
            head: std::iter::once(words::rotation_head_plane().to_owned()).chain(head).collect(),
            rows: rows.collect(),
            before: page > 0,
            after: page < last,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.sheets.is_empty() {
            return Response::default();
        }
        let plane = |plane: usize| CursorPatch { plane: Some(plane), ..CursorPatch::default() };
        match *input {
            Input::Hover { x, y } => {
                self.plane_at(x, y, cursor).map(|at| common::hovered(plane(at))).unwrap_or_default()
            }
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => match self.plane_at(x, y, cursor) {
                Some(at) => common::moved(plane(at)),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => common::walked(key, cursor, self.length as f64 - 1.0, 1.0, self.planes()),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
