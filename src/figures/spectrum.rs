//! How fast each plane turns: wavelength, frequency, or how much slower a context extension makes it, plane by plane.
//! Planes that do not complete a turn within the trained length are marked: past that length they meet angles that the
//! model has not seen.

mod given;
mod paint;

use super::{
    Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common,
};
use crate::draw::{Surface, charts::Span, number};
use crate::state::MOST_LENGTH;
use crate::{formulas, words};
use given::Given;
use posenc::{Acts, Encoding, Kind, ParamSpec, Scale, Unit, planes, schemes::rope_scaling::Frequencies};

/// `spectrum`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "spectrum",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &["wavelength", "frequency", "divisor"], default: "wavelength" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "trained",
            // 0: each scheme's own original length, or where it has none the length of the sequence.
            kind: Kind::Integer { min: 0, max: MOST_LENGTH, step: 1, default: 0, scale: Scale::Linear },
            unit: Unit::Tokens,
            when: None,
        },
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |_, _| {},
    height: |_, width| (width * 0.5).clamp(220.0, 420.0) + paint::ABOVE + paint::BELOW,
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Rows on a page of the table.
const ROWS: usize = 100;

/// What is shown of a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Tokens in a turn.
    Wavelength,
    /// Radians per token.
    Frequency,
    /// How many times slower than without the context extension.
    Divisor,
}

/// One scheme's planes.
struct Line {
    slot: usize,
    name: String,
    /// Radians per token, at the length of the sequence.
    freq: Vec<f64>,
    /// Where there is a context extension to choose: radians per token without it, and how many times slower each plane
    /// turns with it.
    extension: Option<(Vec<f64>, Vec<f64>)>,
    /// Within how many tokens a turn counts as seen in training.
    trained: f64,
    /// What query and key are multiplied by beside the rotation, where it is not 1.
    attention_factor: Option<f64>,
}

impl Line {
    fn new(scene: &Scene, slot: &Slot) -> Option<Self> {
        let settings = &slot.config.settings;
        let own = settings.iter().find(|(spec, _)| spec.key == "original_max_position_embeddings");
        let own = own.filter(|(spec, _)| settings.relevant(spec)).map(|(spec, _)| settings.integer(spec.key) as f64);
        let trained = match scene.options.integer("trained") {
            0 => own.unwrap_or(scene.length as f64),
            chosen => chosen as f64,
        };
        let (freq, extension, attention_factor) = match common::encoding(slot)? {
            Encoding::Rotary(rotary) => {
                let plain = rotary.frequencies().map(Frequencies::unscaled);
                let extension = plain.zip(planes::divisors(rotary, scene.length as f64));
                let factor = rotary.attention_factor();
                (rotary.inv_freq().to_vec(), extension, (factor != 1.0).then_some(factor))
            }
            Encoding::QueryKey(both) => (both.rotary()?.inv_freq().to_vec(), None, None),
            Encoding::Absolute(table) => (table.waves()?.freq().to_vec(), None, None),
            _ => return None,
        };
        let name = common::name(&scene.slots, slot);
        (!freq.is_empty()).then_some(Self { slot: slot.index, name, freq, extension, trained, attention_factor })
    }

    /// How many times slower a plane turns than without the extension.
    fn divisor(&self, plane: usize) -> f64 {
        self.extension.as_ref().map_or(1.0, |(_, divisors)| divisors[plane])
    }

    /// The frequencies without the extension, where it changes any plane.
    fn plain(&self) -> Option<&[f64]> {
        let (plain, _) = self.extension.as_ref()?;
        (*plain != self.freq).then_some(plain)
    }

    /// Whether the extension changes any plane.
    fn extended(&self) -> bool {
        self.plain().is_some()
    }

    fn value(&self, shown: Shown, plane: usize) -> f64 {
        match shown {
            Shown::Wavelength => planes::wavelength(self.freq[plane]),
            Shown::Frequency => self.freq[plane].abs(),
            Shown::Divisor => self.divisor(plane),
        }
    }

    /// How many planes complete a turn within the trained length.
    fn complete(&self) -> usize {
        self.freq.len() - planes::incomplete(&self.freq, self.trained).count()
    }
}

struct Model {
    lines: Vec<Line>,
    /// Of a person's own weights.
    given: Option<Given>,
    failures: Vec<String>,
    shown: Shown,
    size: Size,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let shown = match scene.options.choice("show") {
            "frequency" => Shown::Frequency,
            "divisor" => Shown::Divisor,
            _ => Shown::Wavelength,
        };
        let mut failures = common::failures(scene);
        let mut lines = Vec::new();
        for slot in &scene.slots {
            match Line::new(scene, slot) {
                Some(line) => lines.push(line),
                None if common::encoding(slot).is_some() => {
                    failures.push(words::rotation_no_planes(common::name(&scene.slots, slot)));
                }
                None => {}
            }
        }
        let given = Given::beside(scene, &lines);
        Self { lines, given, failures, shown, size }
    }

    /// The most planes that a scheme has.
    fn planes(&self) -> usize {
        self.lines.iter().map(|line| line.freq.len()).max().unwrap_or(1)
    }

    /// The trained length, where it is one and the same for all.
    fn trained(&self) -> Option<f64> {
        let first = self.lines.first()?.trained;
        self.lines.iter().all(|line| line.trained == first).then_some(first)
    }

    /// Where the trained length stands on the axis of what is shown.
    fn edge(&self, trained: f64) -> Option<f64> {
        match self.shown {
            Shown::Wavelength => Some(trained),
            // What turns once in it: a frequency and its wavelength have one formula both ways.
            Shown::Frequency => Some(planes::wavelength(trained)),
            Shown::Divisor => None,
        }
    }

    /// The logarithmic axis on which all values stand, and the trained lengths.
    fn span(&self) -> Span {
        let values = self.lines.iter().flat_map(|line| {
            let own = (0..line.freq.len()).map(|plane| line.value(self.shown, plane));
            own.chain(self.edge(line.trained))
        });
        let values = values.chain(self.given.iter().flat_map(|given| given.values(self.shown)).map(|(_, value)| value));
        let (low, high) = values
            .filter(|value| value.is_finite() && *value > 0.0)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        if high > 0.0 { Span::Log(low / 1.3, high * 1.3) } else { Span::Log(0.5, 2.0) }
    }

    fn title(&self) -> &'static str {
        match self.shown {
            Shown::Wavelength => words::spectrum_wavelength(),
            Shown::Frequency => words::spectrum_frequency(),
            Shown::Divisor => words::spectrum_divisor(),
        }
    }

    fn to_plane(&self, plane: i64) -> Response {
        let plane = Some(plane.clamp(0, self.planes() as i64 - 1) as usize);
        common::moved(CursorPatch { plane, ..CursorPatch::default() })
    }

    fn sentence(line: &Line, cursor: &Cursor) -> String {
        let (all, complete) = (line.freq.len(), line.complete());
        let trained = number::whole(line.trained as i64);
        let turns = words::spectrum_complete(complete, all, trained);
        let Some(freq) = line.freq.get(cursor.plane) else {
            return words::spectrum_summary_no_plane(&line.name, cursor.plane, turns);
        };
        let wavelength = wavelength(*freq);
        match line.divisor(cursor.plane) {
            _ if !line.extended() => words::spectrum_summary(&line.name, cursor.plane, wavelength, turns),
            1.0 => words::spectrum_summary_same(&line.name, cursor.plane, wavelength, turns),
            divisor => {
                let divisor = number::short(divisor);
                words::spectrum_summary_extended(&line.name, cursor.plane, wavelength, divisor, turns)
            }
        }
    }
}

/// A wavelength in words.
fn wavelength(freq: f64) -> String {
    let tokens = planes::wavelength(freq);
    if tokens.is_finite() { words::spectrum_tokens(number::short(tokens)) } else { words::spectrum_still().to_owned() }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.lines.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        paint::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = self.lines.iter().map(|line| Self::sentence(line, cursor));
        let given = self.given.iter().map(|given| given.sentence(&self.lines));
        let all: Vec<String> = own.chain(given).chain(self.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let plane = cursor.plane;
        let mut readings = Vec::new();
        for line in &self.lines {
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(line.slot), label, value, math });
            };
            if let Some(freq) = line.freq.get(plane) {
                let (tokens, freq_text) = (number::exact(planes::wavelength(*freq)), number::exact(*freq));
                push(
                    words::spectrum_reading(&line.name, plane),
                    tokens.clone(),
                    formulas::spectrum_wavelength(plane, freq_text, tokens),
                );
                let turns = number::exact(planes::turns(*freq, line.trained));
                push(
                    words::spectrum_reading_turns(&line.name, number::whole(line.trained as i64)),
                    turns.clone(),
                    formulas::spectrum_turns(
                        number::whole(line.trained as i64),
                        number::exact(planes::wavelength(*freq)),
                        turns,
                    ),
                );
                if let Some(plain) = line.plain() {
                    let divisor = number::exact(line.divisor(plane));
                    push(
                        words::spectrum_reading_divisor(&line.name, plane),
                        divisor.clone(),
                        formulas::spectrum_divisor(number::exact(plain[plane]), number::exact(*freq), divisor),
                    );
                }
            }
            if let Some(factor) = line.attention_factor {
                let square = number::exact(factor * factor);
                push(
                    words::spectrum_reading_factor(&line.name),
                    number::exact(factor),
                    formulas::spectrum_factor(number::exact(factor), square),
                );
            }
        }
        readings.extend(self.given.as_ref().and_then(|given| given.reading(plane)));
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend: Vec<Legend> =
            self.lines.iter().map(|line| Legend::Slot { slot: line.slot, label: line.name.clone() }).collect();
        legend
            .extend(self.given.iter().filter(|_| self.shown != Shown::Divisor).map(|given| Legend::Note(given.note())));
        if self.shown != Shown::Divisor && self.lines.iter().any(Line::extended) {
            legend.push(Legend::Note(words::spectrum_thin().to_owned()));
        }
        if self.shown != Shown::Divisor && !self.lines.is_empty() && self.trained().is_none() {
            legend.push(Legend::Note(words::spectrum_rules().to_owned()));
        }
        for line in &self.lines {
            let still = line.freq.iter().filter(|freq| **freq == 0.0).count();
            if still > 0 {
                legend.push(Legend::Note(words::spectrum_stopped(&line.name, still)));
            }
        }
        legend.extend(self.failures.iter().filter(|_| !self.lines.is_empty()).cloned().map(Legend::Note));
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.lines.is_empty() {
            return Table::default();
        }
        let planes = self.planes();
        let last = (planes - 1) / ROWS;
        let shown = ((cursor.plane.min(planes - 1) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let columns = |line: &Line| {
            let mut columns = vec![Shown::Wavelength];
            if line.extended() {
                columns.push(Shown::Divisor);
            }
            columns
        };
        let head = self.lines.iter().flat_map(|line| {
            columns(line).into_iter().map(|shown| {
                let what = match shown {
                    Shown::Divisor => words::spectrum_divisor(),
                    _ => words::spectrum_wavelength(),
                };
                words::rotation_head_of(&line.name, what)
            })
        });
        let rows = (shown * ROWS..((shown + 1) * ROWS).min(planes)).map(|plane| {
            let cells = self.lines.iter().flat_map(|line| {
                columns(line).into_iter().map(move |shown| match line.freq.get(plane) {
                    Some(_) => number::exact(line.value(shown, plane)),
                    None => String::new(),
                })
            });
            let given = self.given.iter().map(|given| given.cell(plane));
            std::iter::once(number::whole(plane as i64)).chain(cells).chain(given).collect()
        });
        Table {
            caption: words::spectrum_table().to_owned(),
            head: std::iter::once(words::rotation_head_plane().to_owned())
                .chain(head)
                .chain(self.given.iter().map(Given::head))
                .collect(),
            rows: rows.collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        const LEAP: i64 = 8;
        if self.lines.is_empty() {
            return Response::default();
        }
        let plane = cursor.plane as i64;
        match *input {
            Input::Hover { x, y } => match self.plane_at(x, y) {
                Some(plane) => common::hovered(CursorPatch { plane: Some(plane), ..CursorPatch::default() }),
                None => Response::default(),
            },
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => match self.plane_at(x, y) {
                Some(plane) => self.to_plane(plane as i64),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => match key.as_str() {
                "ArrowRight" | "ArrowUp" => self.to_plane(plane + 1),
                "ArrowLeft" | "ArrowDown" => self.to_plane(plane - 1),
                "PageUp" => self.to_plane(plane + LEAP),
                "PageDown" => self.to_plane(plane - LEAP),
                "Home" => self.to_plane(0),
                "End" => self.to_plane(i64::MAX),
                _ => Response::default(),
            },
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
