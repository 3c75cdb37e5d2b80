//! Which dimensions of a query or key turn together: half-split and interleaved pairs, the permutation between them, and
//! that scores are the same in both. Or code that mixes the two, and what it then keeps of lengths and scores.
//!
//! m is the cursor's position, n the key's; the second measurement has both shifted by `SHIFT` tokens.

mod paint;
mod sheet;

use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{Surface, number, palettes::Palette};
use crate::{formulas, words};
use paint::Places;
use posenc::{Acts, Kind, Layout, ParamSpec, Unit, pairing::Measured, vectors::Vectors};
use sheet::{Sheet, Show};

/// `layout`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "layout",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &Show::WORDS, default: Show::WORDS[0] },
            unit: Unit::None,
            when: None,
        },
        // Vectors of ones are the same in every order: they would hide what is shown.
        ParamSpec {
            key: "vectors",
            kind: Kind::Choice { options: &Vectors::WORDS, default: "independent" },
            unit: Unit::None,
            when: None,
        },
    ],
    suits: |scheme| scheme.acts == Acts::Rotation,
    settle: |_, _| {},
    height: |scene, width| match scene.slots.iter().filter(|slot| sheet::rotary(slot).is_some()).count() {
        0 => common::message_height(scene, width),
        sheets => paint::height(sheets, width),
    },
    plays: true,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Tokens by which both positions are shifted for the second measurement.
const SHIFT: f64 = 100.0;
/// Rows on a page of the table.
const ROWS: usize = 75;

struct Model {
    sheets: Vec<Sheet>,
    failures: Vec<String>,
    show: Show,
    /// Tokens in the sequence.
    length: u64,
    palette: &'static str,
    places: Places,
}

/// The name of a layout's pairs.
fn pairs(layout: Layout) -> &'static str {
    if layout == Layout::Half { words::layout_half() } else { words::layout_interleaved() }
}

/// A plane's two dimensions.
fn pair((a, b): (usize, usize)) -> String {
    words::layout_pair(number::whole(a as i64), number::whole(b as i64))
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let show = Show::from_word(scene.options.choice("show"));
        let mut failures = common::failures(scene);
        let mut sheets = Vec::new();
        for slot in &scene.slots {
            match Sheet::new(scene, slot, show) {
                Some(sheet) => sheets.push(sheet),
                None if common::encoding(slot).is_some() => {
                    failures.push(words::rotation_no_planes(common::name(&scene.slots, slot)));
                }
                None => {}
            }
        }
        let places = Places::new(&sheets, size);
        Self { sheets, failures, show, length: scene.length.max(1), palette: scene.palette, places }
    }

    fn dims(&self) -> usize {
        self.sheets.iter().map(Sheet::head_dim).max().unwrap_or(1)
    }

    fn planes(&self) -> usize {
        self.sheets.iter().map(Sheet::planes).max().unwrap_or(1)
    }

    /// The dimension's plane coloured on this map.
    fn palette(&self, sheet: &Sheet) -> Palette {
        Palette::new(self.palette, 0.0, sheet.planes().saturating_sub(1).max(1) as f32)
    }

    fn sentence(&self, sheet: &Sheet, cursor: &Cursor) -> String {
        let name = &sheet.name;
        let Some((own, shown)) = sheet.measured(cursor) else { return String::new() };
        let short = number::short;
        let shift = number::place(SHIFT);
        match self.show {
            Show::Both => {
                let off = number::digits((own.score - shown.score).abs(), 2);
                words::layout_summary_both(name, short(own.score), off)
            }
            Show::MixedJoin | Show::MixedTable if sheet.planes() < 2 => words::layout_summary_one_plane(name),
            Show::MixedJoin | Show::MixedTable => words::layout_summary_mixed(
                name,
                short(shown.norms.0),
                short(shown.norms.1),
                short(shown.score),
                short(shown.shifted),
                shift,
            ),
            Show::Unpermuted => words::layout_summary_unpermuted(name, shift, short(shown.score), short(own.score)),
        }
    }

    /// What is measured of the code that is shown: lengths, and scores here and shifted.
    fn promises(sheet: &Sheet, shown: &Measured, cursor: &Cursor, push: &mut impl FnMut(String, String, String)) {
        let (before, after) = (number::exact(shown.norms.0), number::exact(shown.norms.1));
        let ratio = number::exact(shown.norms.1 / shown.norms.0);
        let math = formulas::layout_norms(number::place(cursor.position), after, before, &ratio);
        push(words::layout_reading_norms(&sheet.name), ratio, math);
        for (by, score) in [(0.0, shown.score), (SHIFT, shown.shifted)] {
            let (m, n) = (cursor.position + by, cursor.position + by - cursor.offset as f64);
            let value = number::exact(score);
            let label = if by == 0.0 {
                words::layout_reading_score(&sheet.name)
            } else {
                words::layout_reading_shifted(&sheet.name, number::place(by))
            };
            let math = formulas::layout_code(number::place(m), number::place(n), sheet.head_dim(), &value);
            push(label, value, math);
        }
    }

    /// What the two outputs of the cursor's plane are made of.
    fn outputs(sheet: &Sheet, cursor: &Cursor, push: &mut impl FnMut(String, String, String)) {
        if cursor.plane >= sheet.planes() {
            return;
        }
        let Some(turned) = sheet.turned(cursor.position) else { return };
        for (i, wire) in sheet.wires(cursor.plane) {
            let value = number::exact(turned[i]);
            let sign = if wire.sign < 0.0 { "−" } else { "+" };
            let math = formulas::layout_output(wire.own, wire.plane, sign, wire.partner, &value);
            push(words::layout_reading_output(&sheet.name, number::whole(i as i64)), value, math);
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
        own.chain(self.failures.iter().cloned()).collect::<Vec<String>>().join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let (m, n) = (number::place(cursor.position), number::place(cursor.position - cursor.offset as f64));
        let mut readings = Vec::new();
        for sheet in &self.sheets {
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(sheet.slot), label, value, math });
            };
            let Some((own, shown)) = sheet.measured(cursor) else { continue };
            if self.show == Show::Both || self.show == Show::Unpermuted {
                let value = number::exact(own.score);
                let math = formulas::layout_score(&m, &n, sheet.head_dim(), &value);
                push(words::layout_reading_own(&sheet.name, pairs(sheet.upper)), value, math);
            }
            if self.show == Show::Both {
                let value = number::exact(shown.score);
                let math = formulas::layout_permuted(&m, &n, sheet.head_dim(), &value);
                push(words::layout_reading_permuted(&sheet.name, pairs(sheet.lower)), value, math);
                let off = number::digits((own.score - shown.score).abs(), 2);
                let math = formulas::layout_difference(number::exact(own.score), number::exact(shown.score), &off);
                push(words::layout_reading_difference(&sheet.name), off, math);
            } else {
                Self::promises(sheet, &shown, cursor, &mut push);
            }
            Self::outputs(sheet, cursor, &mut push);
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let Some(first) = self.sheets.first() else { return Vec::new() };
        let last = first.planes().saturating_sub(1).max(1);
        let ticks = vec![(0.0, number::whole(0)), (1.0, number::whole(last as i64))];
        let stops = self.palette(first).stops(11);
        let mut legend = vec![Legend::Scale { label: words::layout_scale().to_owned(), stops, ticks }];
        let mut note = |text: String| legend.push(Legend::Note(text));
        note(
            match self.show {
                Show::Both => words::layout_note_both(),
                Show::MixedJoin => words::layout_note_mixed_join(),
                Show::MixedTable => words::layout_note_mixed_table(),
                Show::Unpermuted => words::layout_note_unpermuted(),
            }
            .to_owned(),
        );
        for sheet in &self.sheets {
            let drawn = sheet.drawn().len();
            if drawn < sheet.planes() {
                note(words::layout_some(&sheet.name, drawn, sheet.planes()));
            }
            if sheet.planes() * 2 < sheet.head_dim() {
                note(words::layout_passed(&sheet.name, sheet.head_dim() - 2 * sheet.planes()));
            }
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
        let (dims, here) = (self.dims(), self.sheets[0].pair(cursor.plane.min(self.planes() - 1)).0);
        let last = (dims - 1) / ROWS;
        let page = ((here.min(dims - 1) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let heads = match self.show {
            Show::Both => [words::layout_head_plane(), words::layout_head_with(), words::layout_head_goes()],
            Show::MixedJoin | Show::MixedTable => {
                [words::layout_head_own(), words::layout_head_partner(), words::layout_head_angle()]
            }
            Show::Unpermuted => [words::layout_head_plane(), words::layout_head_with(), words::layout_head_wrong()],
        };
        let head = self
            .sheets
            .iter()
            .flat_map(|sheet| heads.map(|head| words::rotation_head_of(&sheet.name, head)))
            .collect::<Vec<String>>();
        let rows = (page * ROWS..((page + 1) * ROWS).min(dims)).map(|dim| {
            let cells = self.sheets.iter().flat_map(|sheet| sheet.cells(dim));
            let cells = cells.map(|cell| cell.map_or(String::new(), |cell| number::whole(cell as i64)));
            std::iter::once(number::whole(dim as i64)).chain(cells).collect()
        });
        Table {
            caption: words::layout_table().to_owned(),
            head: std::iter::once(words::layout_head_dim().to_owned()).chain(head).collect(),
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
            Input::Hover { x, y } => self.plane_at(x, y).map(|at| common::hovered(plane(at))).unwrap_or_default(),
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => match self.plane_at(x, y) {
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
