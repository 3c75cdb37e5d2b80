//! How far the angles of the planes are off, by position, where they are computed in few bits; and which positions have to
//! share a number.

mod curves;
mod paint;

use super::{
    Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common,
};
use crate::draw::{Surface, charts::Span, number};
use crate::{formulas, words};
use curves::Curves;
use posenc::{
    Acts, Encoding, Kind, ParamSpec, Unit,
    precision::{Cast, Format, error, within_a_turn, worst},
};

/// `precision`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "precision",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &["positions", "planes"], default: "positions" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "cast",
            kind: Kind::Choice { options: &Cast::WORDS, default: Cast::WORDS[0] },
            unit: Unit::None,
            when: None,
        },
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |_, _| {},
    height: |scene, width| match scene.slots.iter().filter(|slot| frequencies(slot).is_some()).count() {
        0 => common::message_height(scene, width),
        facets => paint::height(facets, width),
    },
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Rows on a page of the table.
const ROWS: usize = 50;
/// The axis of positions goes at least so far: past where the coarsest formats begin to fail.
const LEAST_REACH: u64 = 4096;

/// Radians per token of each plane of a slot, if it has any.
fn frequencies(slot: &Slot) -> Option<&[f64]> {
    let freq = match common::encoding(slot)? {
        Encoding::Rotary(rotary) => rotary.inv_freq(),
        Encoding::QueryKey(both) => both.rotary()?.inv_freq(),
        Encoding::Absolute(table) => table.waves()?.freq(),
        _ => return None,
    };
    (!freq.is_empty()).then_some(freq)
}

/// One scheme's errors.
struct Facet {
    slot: usize,
    name: String,
    freq: Vec<f64>,
    curves: Curves,
}

/// What the axis across is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Across {
    Positions,
    Planes,
}

struct Model {
    facets: Vec<Facet>,
    failures: Vec<String>,
    across: Across,
    cast: Cast,
    /// Tokens in the sequence.
    length: u64,
    /// The last position on the axis.
    reach: u64,
    size: Size,
}

/// The whole position that the cursor stands at.
fn here(cursor: &Cursor) -> u64 {
    cursor.position.max(0.0).round() as u64
}

/// Radians, and what share of a turn they are.
fn radians(error: f64) -> String {
    if error.is_infinite() {
        return words::precision_none().to_owned();
    }
    words::precision_radians(number::digits(error, 3), number::digits(100.0 * within_a_turn(error), 2))
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let across = if scene.options.choice("show") == "planes" { Across::Planes } else { Across::Positions };
        let cast = Cast::from_word(scene.options.choice("cast"));
        let length = scene.length.max(1);
        let reach = (length - 1).max(LEAST_REACH);
        let mut failures = common::failures(scene);
        let there = scene.slots.iter().filter(|slot| frequencies(slot).is_some()).count();
        let mut facets = Vec::new();
        for slot in &scene.slots {
            match frequencies(slot) {
                Some(freq) => facets.push(Facet {
                    slot: slot.index,
                    name: common::name(&scene.slots, slot),
                    freq: freq.to_vec(),
                    curves: match across {
                        Across::Positions => Curves::over_positions(cast, freq, reach, there),
                        Across::Planes => Curves::default(),
                    },
                }),
                None if common::encoding(slot).is_some() => {
                    failures.push(words::rotation_no_planes(common::name(&scene.slots, slot)));
                }
                None => {}
            }
        }
        Self { facets, failures, across, cast, length, reach, size }
    }

    fn planes(&self) -> usize {
        self.facets.iter().map(|facet| facet.freq.len()).max().unwrap_or(1)
    }

    /// The axis across.
    fn across(&self) -> Span {
        match self.across {
            Across::Positions => Span::Log(1.0, self.reach as f64),
            Across::Planes => Span::Linear(-0.5, self.planes() as f64 - 0.5),
        }
    }

    /// Whether positions are among what is rounded.
    fn casts_positions(&self) -> bool {
        matches!(self.cast, Cast::All | Cast::Positions)
    }

    /// Where whole positions begin to share a number, for the formats in which that is on the axis.
    fn ends(&self) -> Vec<(Format, u64)> {
        if self.across == Across::Planes || !self.casts_positions() {
            return Vec::new();
        }
        let all = Format::ALL.into_iter().map(|format| (format, format.last_whole()));
        all.filter(|(_, last)| *last < self.reach).collect()
    }

    /// The positions that share a number with the cursor's, in the coarsest format.
    fn shared(&self, cursor: &Cursor) -> Option<(Format, u64, u64)> {
        let formats = Format::ALL.into_iter().rev().filter(|_| self.casts_positions());
        let shared = |format: Format| {
            let (first, last) = format.sharing(here(cursor))?;
            (first < last).then_some((format, first, last))
        };
        formats.filter_map(shared).max_by_key(|(_, first, last)| last - first)
    }

    fn sentence(&self, facet: &Facet, cursor: &Cursor) -> String {
        let position = here(cursor);
        let part = |format: Format| {
            let (plane, error) = worst(format, self.cast, position, &facet.freq)?;
            let plane = number::whole(plane as i64);
            Some(if error == 0.0 {
                words::precision_exact(format.name())
            } else {
                words::precision_worst(format.name(), radians(error), plane)
            })
        };
        let parts = [Format::F32, Format::F16, Format::Bf16].into_iter().filter_map(part).collect::<Vec<_>>();
        words::precision_summary(&facet.name, number::whole(position as i64), parts.join("; "))
    }

    /// The formula of an error with its numbers.
    fn formula(&self, format: Format, position: u64, freq: f64, error: f64) -> String {
        let (p, w, value) = (number::whole(position as i64), number::exact(freq), number::digits(error, 3));
        let (rp, rw) = (number::exact(format.rounded(position as f64)), number::exact(format.rounded(freq)));
        let exact = number::exact(position as f64 * freq);
        match self.cast {
            Cast::All => formulas::precision_all(rp, rw, p, w, value),
            Cast::Positions => formulas::precision_positions(rp, p, w, value),
            Cast::Frequencies => formulas::precision_frequencies(p, rw, w, value),
            Cast::Product => formulas::precision_product(exact, value),
            Cast::Table => formulas::precision_table(value, exact),
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.facets.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        paint::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = self.facets.iter().map(|facet| self.sentence(facet, cursor));
        let shared = self.shared(cursor).filter(|_| !self.facets.is_empty()).map(|(format, first, last)| {
            words::precision_shared(format.name(), number::whole(first as i64), number::whole(last as i64))
        });
        own.chain(shared).chain(self.failures.iter().cloned()).collect::<Vec<String>>().join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let position = here(cursor);
        let mut readings = Vec::new();
        for facet in &self.facets {
            let mut push = |label: String, format: Format, plane: usize| {
                let Some(freq) = facet.freq.get(plane) else { return };
                let error = error(format, self.cast, position, *freq);
                let math = self.formula(format, position, *freq, error);
                readings.push(Reading { slot: Some(facet.slot), label, value: radians(error.abs()), math });
            };
            for format in Format::ALL {
                if let Some((plane, _)) = worst(format, self.cast, position, &facet.freq) {
                    let number = number::whole(plane as i64);
                    push(words::precision_reading_worst(&facet.name, format.name(), number), format, plane);
                }
            }
            let own = number::whole(cursor.plane as i64);
            push(words::precision_reading_own(&facet.name, Format::Bf16.name(), own), Format::Bf16, cursor.plane);
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let slot = |facet: &Facet| Legend::Slot { slot: facet.slot, label: facet.name.clone() };
        let mut legend: Vec<Legend> = self.facets.iter().map(slot).collect();
        if self.facets.is_empty() {
            return legend;
        }
        let mut note = |text: &str| legend.push(Legend::Note(text.to_owned()));
        note(match self.cast {
            Cast::All => words::precision_note_all(),
            Cast::Positions => words::precision_note_positions(),
            Cast::Frequencies => words::precision_note_frequencies(),
            Cast::Product => words::precision_note_product(),
            Cast::Table => words::precision_note_table(),
        });
        note(words::precision_note_lines());
        for (format, last) in self.ends() {
            note(&words::precision_note_whole(format.name(), number::whole(last as i64)));
        }
        if self.across == Across::Positions {
            note(words::precision_note_sampled());
        }
        legend.extend(self.failures.iter().cloned().map(Legend::Note));
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.facets.is_empty() {
            return Table::default();
        }
        let position = here(cursor);
        let named = |facet: &Facet| {
            Format::ALL
                .map(|format| words::rotation_head_of(&facet.name, format.name()))
                .into_iter()
                .collect::<Vec<_>>()
        };
        let head: Vec<String> = self.facets.iter().flat_map(named).collect();
        let text = |error: f64| {
            if error.is_infinite() { words::precision_none().to_owned() } else { number::digits(error, 3) }
        };
        let first = |head: &str| std::iter::once(head.to_owned());
        if self.across == Across::Planes {
            let planes = self.planes();
            let last = (planes - 1) / ROWS;
            let page = ((cursor.plane.min(planes - 1) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
            let rows = (page * ROWS..((page + 1) * ROWS).min(planes)).map(|plane| {
                let of = |facet: &Facet, format| {
                    facet.freq.get(plane).map_or(String::new(), |freq| text(error(format, self.cast, position, *freq)))
                };
                let cells = self.facets.iter().flat_map(|facet| Format::ALL.map(|format| of(facet, format)));
                first(&number::whole(plane as i64)).chain(cells).collect()
            });
            return Table {
                caption: words::precision_table_planes(number::whole(position as i64)),
                head: first(words::rotation_head_plane()).chain(head).collect(),
                rows: rows.collect(),
                before: page > 0,
                after: page < last,
            };
        }
        // Powers of two, where formats run out of bits, and the cursor's position.
        let powers = (0..u64::BITS).map(|power| 1_u64 << power).take_while(|p| *p <= self.reach);
        let mut positions: Vec<u64> = powers.flat_map(|p| [p, p + 1]).chain([position]).collect();
        positions.sort_unstable();
        positions.dedup();
        let rows = positions.into_iter().map(|p| {
            let of = |facet: &Facet, format| {
                worst(format, self.cast, p, &facet.freq).map_or(String::new(), |(_, error)| text(error))
            };
            let cells = self.facets.iter().flat_map(|facet| Format::ALL.map(|format| of(facet, format)));
            first(&number::whole(p as i64)).chain(cells).collect()
        });
        Table {
            caption: words::precision_table().to_owned(),
            head: first(words::draw_position_head()).chain(head).collect(),
            rows: rows.collect(),
            before: false,
            after: false,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.facets.is_empty() {
            return Response::default();
        }
        let last = self.length as f64 - 1.0;
        let at =
            |position: f64| CursorPatch { position: Some(position.round().clamp(0.0, last)), ..CursorPatch::default() };
        let to = |position: f64| common::moved(at(position));
        let plane = |plane: usize| CursorPatch { plane: Some(plane), ..CursorPatch::default() };
        let step = |by: i64| common::moved(plane(common::plane_by(cursor, by, self.planes())));
        let along = |by: f64| if self.across == Across::Planes { step(by as i64) } else { to(cursor.position + by) };
        match *input {
            Input::Hover { x, y } => match (self.value_at(x, y), self.across) {
                (Some(value), Across::Positions) => common::hovered(at(value)),
                (Some(value), Across::Planes) => common::hovered(plane(value as usize)),
                (None, _) => Response::default(),
            },
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => match (self.value_at(x, y), self.across) {
                (Some(value), Across::Positions) => to(value),
                (Some(value), Across::Planes) => common::moved(plane(value as usize)),
                (None, _) => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => match key.as_str() {
                "ArrowRight" | "ArrowUp" => along(1.0),
                "ArrowLeft" | "ArrowDown" => along(-1.0),
                // On a logarithmic axis a step is a factor.
                "PageUp" => to(cursor.position.max(1.0) * 2.0),
                "PageDown" => to((cursor.position / 2.0).floor()),
                "Home" => to(0.0),
                "End" => to(last),
                "[" => step(-1),
                "]" => step(1),
                _ => Response::default(),
            },
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
