//! What schemes cost in a model, against the length of the sequence: operations, memory, parameters, and what a cache of
//! keys must know. The numbers are [`posenc::costs`]'. Or the time that they take here, which is measured.
//!
//! Both axes are logarithmic: what grows as the length or as its square is a straight line. A logarithmic axis has no zero,
//! so what costs nothing is said and not drawn. The cursor across is the length of the sequence, which all figures share.

mod model;
mod paint;
mod quantity;
mod time;

use super::{
    Cursor, CursorPatch, Edit, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common,
};
use crate::draw::{Surface, charts::Span, number};
use crate::state::{MOST_LENGTH, Target};
use crate::{formulas, words};
use model::Model;
use posenc::{
    Acts, Config, Error,
    costs::{Cache, Costs, Shape, Stale},
};
use quantity::Quantity;
use std::cell::RefCell;

/// `cost`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "cost",
    options: &[
        quantity::SHOW,
        model::MODEL,
        model::LAYERS,
        model::HEADS,
        model::KV_HEADS,
        model::HEAD_DIM,
        model::CAUSAL,
        model::DTYPE,
    ],
    suits: |_| true,
    settle: model::settle,
    height: |_, width| (width * 0.5).clamp(220.0, 420.0) + paint::ABOVE + paint::BELOW,
    plays: false,
    make: |scene, size| Box::new(Costing::new(scene, size)),
};

/// The lengths from here to there are always shown; a shorter or longer sequence's too.
const ALWAYS: (u64, u64) = (16, 1 << 20);
/// Steps of the arrow keys in a doubling of the length.
const STEPS: f64 = 4.0;

/// One scheme.
struct Line {
    slot: usize,
    name: String,
    config: Config,
    /// The greatest length that there are numbers for.
    rows: Option<u64>,
    /// When keys in a cache no longer fit.
    stale: Stale,
    /// Whether what is shown is zero at every length.
    zero: bool,
    /// What was measured.
    seconds: RefCell<Option<time::Seconds>>,
}

struct Costing {
    lines: Vec<Line>,
    failures: Vec<String>,
    /// Of the measurement.
    notes: Vec<String>,
    quantity: Quantity,
    model: Model,
    /// The sequence's length.
    length: u64,
    size: Size,
}

impl Costing {
    fn new(scene: &Scene, size: Size) -> Self {
        let quantity = Quantity::from_word(scene.options.choice(quantity::SHOW.key));
        let model = Model::new(&scene.options);
        let mut failures = Vec::new();
        if scene.slots.is_empty() {
            failures.push(words::draw_none_suits().to_owned());
        }
        let mut lines = Vec::new();
        for slot in &scene.slots {
            let name = common::name(&scene.slots, slot);
            match slot.encoding.as_ref() {
                // What a table costs is known without its numbers.
                Ok(_) | Err(Error::NeedsData(_)) => {}
                Err(error) => {
                    failures.push(words::draw_error(name, error));
                    continue;
                }
            }
            let config = slot.config.clone();
            let seconds = if quantity == Quantity::Time { time::measured(&config) } else { None };
            let costs = config.costs(&model.at(1));
            let nothing = [1, ALWAYS.1].iter().all(|length| {
                let shape = model.at(*length);
                quantity.of(&config.costs(&shape), &shape, &model) == 0.0
            });
            let zero = nothing || (quantity == Quantity::Time && config.spec.acts == Acts::Nothing);
            let stale = match costs.cache {
                Cache::Rotated { stale, .. } => stale,
                _ => Stale::Never,
            };
            let rows = costs.rows.map(|rows| rows as u64);
            lines.push(Line { slot: slot.index, name, config, rows, stale, zero, seconds: RefCell::new(seconds) });
        }
        let notes = match quantity {
            Quantity::Time => time::notes(scene, |slot| common::name(&scene.slots, slot)),
            _ => Vec::new(),
        };
        Self { lines, failures, notes, quantity, model, length: scene.length.max(1), size }
    }

    fn is_timed(&self) -> bool {
        self.quantity == Quantity::Time
    }

    /// The first scheme that is to be measured and is not.
    fn unmeasured(&self) -> Option<&Line> {
        let mut waiting = self.lines.iter().filter(|line| self.is_timed() && !line.zero && time::can(&line.config));
        waiting.find(|line| line.seconds.borrow().is_none())
    }

    /// The shortest and the longest sequence that is shown.
    fn ends(&self) -> (u64, u64) {
        if self.is_timed() {
            return (time::LENGTHS[0], time::LENGTHS[time::LENGTHS.len() - 1]);
        }
        (self.length.min(ALWAYS.0), self.length.max(ALWAYS.1))
    }

    /// The length that is pointed at, or the sequence's.
    fn here(&self, cursor: &Cursor) -> u64 {
        let length = cursor.length.unwrap_or(self.length).max(1);
        if self.is_timed() { time::nearest(length) } else { length }
    }

    fn costs(&self, line: &Line, length: u64) -> (Costs, Shape) {
        let shape = self.model.at(length);
        (line.config.costs(&shape), shape)
    }

    /// What is shown of a scheme at a length; none past the end of its table, or where nothing was measured.
    fn value(&self, line: &Line, length: u64) -> Option<f64> {
        if self.is_timed() && line.zero {
            return Some(0.0);
        }
        if self.is_timed() {
            let seconds = line.seconds.borrow().as_ref()?.get(time::place(length)?).copied();
            return seconds.map(f64::from).filter(|seconds| seconds.is_finite());
        }
        if line.rows.is_some_and(|rows| length > rows) {
            return None;
        }
        let (costs, shape) = self.costs(line, length);
        Some(self.quantity.of(&costs, &shape, &self.model))
    }

    fn anyway(&self, length: u64) -> Option<f64> {
        self.quantity.anyway(&self.model.at(length), &self.model)
    }

    /// The logarithmic axis on which all that is drawn stands; none where that is nothing.
    fn span(&self) -> Option<Span> {
        let (low, high) = self.ends();
        let own = self.lines.iter().flat_map(|line| {
            let last = line.rows.unwrap_or(high).min(high);
            let lengths = if self.is_timed() { time::LENGTHS.to_vec() } else { vec![low, last] };
            lengths.into_iter().map(|length| self.value(line, length))
        });
        let values = own.chain([low, high].map(|length| self.anyway(length))).flatten().filter(|value| *value > 0.0);
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        (high > 0.0).then_some(Span::Log(low / 2.0, high * 2.0))
    }

    fn to_length(&self, length: u64) -> Response {
        let length = length.clamp(1, MOST_LENGTH as u64);
        let edits = if length == self.length {
            Vec::new()
        } else {
            vec![Edit::Set(Target::Global, "length", length.to_string())]
        };
        Response { hover: None, edits, used: true }
    }

    /// The next length of those that the arrow keys go to: powers of two, and some between them.
    fn next(&self, up: bool) -> u64 {
        if self.is_timed() {
            return time::next(self.length, up);
        }
        let step = |k: f64| libm::round(libm::exp2(k / STEPS)) as u64;
        let mut k = libm::round(STEPS * libm::log2(self.length as f64));
        let beyond = |length: u64| if up { length > self.length } else { length < self.length };
        while !beyond(step(k)) && (up || k > 0.0) {
            k += if up { 1.0 } else { -1.0 };
        }
        step(k)
    }

    /// A scheme with what is shown of it, and how that compares with what the model costs anyway.
    fn item(&self, line: &Line, value: f64, anyway: Option<f64>) -> String {
        let text = self.quantity.text(value);
        match anyway.map(|anyway| value / anyway) {
            Some(share) if value > 0.0 => {
                let share = if share < 1.0 {
                    words::cost_percent(number::digits(100.0 * share, 3))
                } else {
                    words::cost_times(number::digits(share, 3))
                };
                words::cost_item_share(&line.name, text, share)
            }
            _ => words::cost_item(&line.name, text),
        }
    }
}

/// What keys in a cache are, in words.
fn cache(cache: Cache) -> String {
    match cache {
        Cache::Raw => words::cost_cache_raw().to_owned(),
        Cache::Placed => words::cost_cache_placed().to_owned(),
        Cache::Rotated { stale: Stale::Never, .. } => words::cost_cache_rotated().to_owned(),
        Cache::Rotated { stale: Stale::Past(length), .. } => words::cost_cache_past(number::whole(length as i64)),
        Cache::Rotated { stale: Stale::At(length), .. } => words::cost_cache_once(number::whole(length as i64)),
        Cache::Centred => words::cost_cache_centred().to_owned(),
        Cache::Nothing => words::cost_cache_none().to_owned(),
    }
}

impl Figure for Costing {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.lines.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        paint::draw(self, on, cursor);
    }

    fn lab_offer(&self) -> Option<&'static str> {
        let can = self.lines.iter().any(|line| !line.zero && time::can(&line.config));
        (self.is_timed() && can).then(words::cost_time_measure)
    }

    fn lab_begin(&self) {
        for line in &self.lines {
            time::forget(&line.config);
            line.seconds.take();
        }
    }

    fn lab_request(&self) -> Option<String> {
        self.unmeasured().map(|line| time::request(&line.config))
    }

    fn lab_answer(&self, arrays: &[Vec<f32>]) {
        let Some(config) = self.unmeasured().map(|line| line.config.clone()) else { return };
        if let [_, seconds, ..] = arrays {
            time::keep(&config, seconds);
            // The same scheme may be there twice.
            for line in self.lines.iter().filter(|line| line.config == config) {
                *line.seconds.borrow_mut() = time::measured(&config);
            }
        }
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let length = self.here(cursor);
        let tokens = number::whole(length as i64);
        let anyway = self.anyway(length);
        let (mut sentences, mut ended, mut compared) = (Vec::new(), Vec::new(), false);
        let mut list: Option<String> = None;
        for line in &self.lines {
            let Some(value) = self.value(line, length) else {
                let Some(rows) = line.rows.filter(|rows| length > *rows) else { continue };
                let rows = rows as i64;
                ended.push(words::cost_past_the_end(&line.name, &tokens, number::whole(rows)));
                continue;
            };
            let item = self.item(line, value, anyway);
            compared |= value > 0.0;
            list = Some(list.map_or_else(|| item.clone(), |list| words::cost_items(list, &item)));
        }
        if let Some(list) = list {
            sentences.push(words::cost_summary(&tokens, self.quantity.name(), list));
        }
        if let Some(anyway) = anyway.filter(|_| compared) {
            sentences.push(words::cost_in_brackets(self.quantity.anyway_name(), self.quantity.text(anyway)));
        }
        if self.is_timed() && self.lines.iter().all(|line| line.seconds.borrow().is_none()) {
            sentences.push(words::cost_time_none().to_owned());
        }
        sentences.extend(ended.into_iter().chain(self.failures.iter().cloned()));
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let length = self.here(cursor);
        let tokens = number::whole(length as i64);
        let mut readings = Vec::new();
        let mut push = |slot: Option<usize>, label: String, value: String, math: String| {
            readings.push(Reading { slot, label, value, math });
        };
        for line in &self.lines {
            let (costs, shape) = self.costs(line, length);
            let slot = Some(line.slot);
            if let Some(value) = self.value(line, length) {
                push(
                    slot,
                    words::cost_reading(&line.name, self.quantity.name()),
                    self.quantity.text(value),
                    self.quantity.formula(&costs, &shape, &self.model),
                );
            }
            if self.is_timed() {
                continue;
            }
            let again = match costs.cache {
                Cache::Rotated { again, .. } if costs.again(&shape) > 0.0 => {
                    formulas::cost_again(&tokens, number::exact(again), quantity::operations(costs.again(&shape)))
                }
                _ => String::new(),
            };
            push(slot, words::cost_reading_cache(&line.name), cache(costs.cache), again);
        }
        if !self.lines.is_empty() && !self.is_timed() {
            let shape = self.model.at(length);
            let size = quantity::bytes(shape.cache() * self.model.bytes);
            let [dim, heads, layers, each] = [shape.head_dim, shape.kv_heads, shape.layers, self.model.bytes]
                .map(|count| number::whole(count as i64));
            push(
                None,
                words::cost_reading_kv_cache().to_owned(),
                size.clone(),
                formulas::cost_cache(dim, heads, layers, &tokens, each, size),
            );
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        let entry = |line: &Line| {
            let label = if line.zero { words::cost_zero(&line.name) } else { line.name.clone() };
            Legend::Slot { slot: line.slot, label }
        };
        let mut legend: Vec<Legend> = self.lines.iter().map(entry).collect();
        if legend.is_empty() {
            return legend;
        }
        let mut note = |text: String| legend.push(Legend::Note(text));
        if self.anyway(self.length).is_some() {
            note(words::cost_grey(self.quantity.anyway_name()));
        }
        match self.quantity {
            Quantity::NextToken if !self.model.at(1).causal => note(words::cost_not_causal().to_owned()),
            Quantity::Matrix => note(words::cost_need_not().to_owned()),
            _ => {}
        }
        self.notes.iter().cloned().for_each(&mut note);
        for line in &self.lines {
            if let Some(rows) = line.rows {
                note(words::weights_end(&line.name, number::whole(rows as i64 - 1)));
            }
            match line.stale {
                _ if self.is_timed() => {}
                Stale::Never => {}
                Stale::Past(length) => note(words::cost_stale_past(&line.name, number::whole(length as i64))),
                Stale::At(length) => note(words::cost_stale_once(&line.name, number::whole(length as i64))),
            }
        }
        for failure in &self.failures {
            note(failure.clone());
        }
        legend
    }

    fn table(&self, cursor: &Cursor, _page: i64) -> Table {
        if self.lines.is_empty() {
            return Table::default();
        }
        let (low, high) = self.ends();
        let doublings = (0..).map(|power| 1_u64 << power).take_while(|length| *length <= high);
        let mut lengths: Vec<u64> = doublings.filter(|length| *length >= low).collect();
        lengths.extend([low, high, self.here(cursor)]);
        if self.is_timed() {
            lengths = time::LENGTHS.to_vec();
        }
        lengths.sort_unstable();
        lengths.dedup();
        let mut head = vec![words::cost_head_length().to_owned()];
        let seconds = self.is_timed() && number::is_plain();
        let name = |line: &Line| if seconds { words::cost_time_head(&line.name) } else { line.name.clone() };
        head.extend(self.lines.iter().map(name));
        let anyway = self.anyway(self.length).is_some();
        if anyway {
            head.push(self.quantity.anyway_name().to_owned());
        }
        let row = |length: &u64| {
            let own = self.lines.iter().map(|line| self.value(line, *length));
            let values = own.chain(anyway.then(|| self.anyway(*length)));
            let cells = values.map(|value| value.map_or_else(String::new, |value| self.quantity.text(value)));
            std::iter::once(number::whole(*length as i64)).chain(cells).collect()
        };
        Table {
            caption: words::cost_table(self.quantity.name()),
            head,
            rows: lengths.iter().map(row).collect(),
            before: false,
            after: false,
        }
    }

    fn respond(&self, input: &Input, _cursor: &Cursor) -> Response {
        if self.lines.is_empty() {
            return Response::default();
        }
        let (low, high) = self.ends();
        match *input {
            Input::Hover { x, y } => match self.length_at(x, y) {
                length @ Some(_) => common::hovered(CursorPatch { length, ..CursorPatch::default() }),
                None => Response::default(),
            },
            Input::Press { x, y, .. } => match self.length_at(x, y) {
                Some(length) => self.to_length(length),
                None => Response { used: true, ..Response::default() },
            },
            Input::Drag { from_x, from_y, x, .. } => match self.length_at(from_x, from_y) {
                Some(_) => self.to_length(self.length_across(x)),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => match key.as_str() {
                "ArrowRight" | "ArrowUp" => self.to_length(self.next(true)),
                "ArrowLeft" | "ArrowDown" => self.to_length(self.next(false)),
                "PageUp" => self.to_length(self.length * 2),
                "PageDown" => self.to_length(self.length / 2),
                "Home" => self.to_length(low),
                "End" => self.to_length(high),
                _ => Response::default(),
            },
        }
    }
}

#[cfg(test)]
mod tests;
