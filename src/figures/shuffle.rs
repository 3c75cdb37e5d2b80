//! Words in another order: whether what attention makes of them only moves with them, with each scheme and without any,
//! measured.

mod order;
mod strip;
mod verdict;

use super::attending::{self, Mind, Sentence};
use super::lettered::{self, Lettered, Room};
use super::{
    Cursor, CursorPatch, Edit, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common,
};
use crate::draw::{Surface, number, palettes::Palette, pen::Align, raster::Raster};
use crate::state::{State, Target};
use crate::{formulas, words};
use posenc::{Acts, Kind, ParamSpec, Scale, Settings, Unit};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use strip::{Place, Strip};
use verdict::{Measured, Verdict};

/// `shuffle`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "shuffle",
    options: &[
        // Where each word of the text that is read first, second, … stands in it; empty leaves it as it is.
        ParamSpec {
            key: "order",
            kind: Kind::List { min: 0, max: MOST - 1, most: MOST as usize },
            unit: Unit::None,
            when: None,
        },
        attending::causal(false),
        attending::TEMPERATURE,
        ParamSpec {
            key: "words",
            kind: Kind::Integer { min: 2, max: MOST, step: 1, default: 8, scale: Scale::Linear },
            unit: Unit::Tokens,
            when: None,
        },
        attending::SPREAD,
    ],
    suits: |_| true,
    settle,
    height: |scene, width| lettered::height(panels(scene), width, &room(width)),
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// The most words.
const MOST: i64 = 16;

/// Above the panels the words; under each name two lines of verdict, right of each panel the outputs and their changes.
fn room(width: f64) -> Room {
    Room { above: strip::HEIGHT, between: 2.0 * LINE, beside: (width * 0.12).clamp(28.0, 84.0).floor() }
}

/// So many of a vector's numbers are shown.
const NUMBERS: usize = 8;

/// A line of verdict.
const LINE: f64 = 15.0;

thread_local! {
    /// The place in the order of the word that is dragged.
    static HELD: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The words that are reordered: those of the text, or a short sentence where nobody has typed one.
fn sentence(text: &[String]) -> Vec<String> {
    let usual = words::default_text().split_whitespace();
    if text.iter().map(String::as_str).eq(usual) {
        return words::default_short_text().split_whitespace().map(str::to_owned).collect();
    }
    text.to_vec()
}

/// How many of them are looked at.
fn count(text: &[String], length: u64, options: &Settings) -> usize {
    let most = (options.integer("words").max(1) as u64).min(length) as usize;
    sentence(text).len().min(most)
}

/// An order that is none is mended: what is there twice or is no word goes, what is missing comes last.
fn settle(state: &State, options: &mut Settings) {
    let wanted = options.list("order");
    // Nearly always: the words need not be counted.
    if wanted.is_empty() {
        return;
    }
    let text = state.words();
    let mended = order::mended(wanted, count(&text, state.length(), options));
    let written = order::written(&mended);
    if written != order::listed(wanted) {
        let _ = options.set("order", &written);
    }
}

fn panels(scene: &Scene) -> usize {
    let own = scene.slots.iter().filter(|slot| common::encoding(slot).is_some()).count();
    own + usize::from(own > 0 && has_reference(scene))
}

/// Whether the words alone are looked at too: not where a scheme without positions is on screen.
fn has_reference(scene: &Scene) -> bool {
    scene.slots.iter().all(|slot| slot.config.spec.acts != Acts::Nothing)
}

/// What is shown of a vector.
fn first(vector: &[f64]) -> Vec<f64> {
    vector.iter().take(NUMBERS).copied().collect()
}

/// What is shown of the outputs, by the places of the words as they are read.
fn outputs(measured: &Measured) -> Vec<Vec<f64>> {
    measured.seen.outputs.chunks_exact(measured.seen.width.max(1)).map(first).collect()
}

/// One scheme.
struct Panel {
    /// `None` for the words alone.
    slot: Option<usize>,
    name: String,
    mind: Mind,
    about: Vec<String>,
    measured: RefCell<Option<(usize, Rc<Measured>)>>,
}

impl Panel {
    fn label(&self, cursor: &Cursor) -> String {
        self.mind.label(&self.name, cursor)
    }
}

struct Model {
    /// The words as typed.
    sentence: Sentence,
    /// Their places in the order in which they are read.
    order: Vec<usize>,
    /// The words in that order.
    read: Vec<String>,
    /// The first numbers of the words' vectors, in the order as typed: what goes in, before any position.
    inputs: Vec<Vec<f64>>,
    panels: Vec<Panel>,
    failures: Vec<String>,
    notes: Vec<String>,
    palette: &'static str,
    /// The colours of inputs and outputs.
    numbers: Palette,
    lettered: Lettered,
    strip: Strip,
    rasters: RefCell<Vec<Raster>>,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let own = sentence(&scene.words);
        let own_text = own[..] != scene.words[..];
        let scene = &Scene { words: own.into(), ..scene.clone() };
        let sentence = Sentence::of(scene);
        let order = order::mended(scene.options.list("order"), sentence.count());
        let read: Vec<String> = order.iter().map(|place| sentence.words[*place].clone()).collect();
        let width = attending::width(scene);
        let inputs: Vec<Vec<f64>> = sentence.words.iter().map(|word| first(&sentence.vector(word, width))).collect();
        let mut shown = inputs.concat();
        let mut failures = common::failures(scene);
        let panel = |slot: Option<usize>, name: String, mind: Mind, about: Vec<String>| Panel {
            slot,
            name,
            mind,
            about,
            measured: RefCell::default(),
        };
        let mut panels = Vec::new();
        for slot in &scene.slots {
            let Some(mind) = Mind::of(slot, width) else { continue };
            let name = common::name(&scene.slots, slot);
            match Measured::new(&mind, &sentence, &order, 0) {
                Ok(measured) => {
                    shown.extend(outputs(&measured).concat());
                    let about = mind.about(&name, slot);
                    panels.push(panel(Some(slot.index), name, mind, about));
                }
                Err(error) => failures.push(words::draw_error(name, error)),
            }
        }
        if !panels.is_empty() && has_reference(scene) {
            let name = words::attention_without(number::whole(width as i64));
            panels.insert(0, panel(None, name, Mind::without(width), Vec::new()));
        }
        if sentence.words.is_empty() {
            panels.clear();
            failures.push(words::attending_no_words().to_owned());
        }
        // Each number that comes out is a mean of such as go in: without positions none is greater.
        let bound = shown.iter().fold(0.0, |most: f64, value| most.max(value.abs())) as f32;
        let mut notes = vec![words::shuffle_how().to_owned()];
        if own_text {
            notes.push(words::shuffle_own_text(words::default_short_text()));
        }
        notes.extend(attending::about_words(scene, &sentence));
        Self {
            lettered: Lettered::new(&read, panels.len(), size, &room(size.width)),
            strip: Strip::new(sentence.count(), size.width),
            sentence,
            order,
            read,
            inputs,
            panels,
            failures,
            notes,
            palette: scene.palette,
            numbers: Palette::new(scene.palette, -bound, bound),
            rasters: RefCell::default(),
        }
    }

    /// What was measured of a panel, for the cursor's head.
    fn measured(&self, panel: &Panel, cursor: &Cursor) -> Option<Rc<Measured>> {
        let head = cursor.head.min(panel.mind.heads() - 1);
        if let Some((_, measured)) = panel.measured.borrow().as_ref().filter(|(known, _)| *known == head) {
            return Some(measured.clone());
        }
        let measured = Rc::new(Measured::new(&panel.mind, &self.sentence, &self.order, head).ok()?);
        panel.measured.replace(Some((head, measured.clone())));
        Some(measured)
    }

    fn heads(&self) -> usize {
        self.panels.iter().map(|panel| panel.mind.heads()).max().unwrap_or(1)
    }

    /// Another order.
    fn reorder(order: &[usize]) -> Response {
        let edit = Edit::Set(Target::Figure(SPEC.id), "order", order::written(order));
        Response { hover: None, edits: vec![edit], used: true }
    }

    /// The word at the cursor one place on or back; the cursor goes with it.
    fn carry(&self, cursor: &Cursor, by: i64) -> Response {
        let last = self.order.len() as i64 - 1;
        let from = (cursor.position.floor() as i64).clamp(0, last);
        let to = (from + by).clamp(0, last);
        let mut response = Self::reorder(&order::moved(&self.order, from as usize, to as usize));
        let patch = CursorPatch { position: Some(to as f64), ..CursorPatch::default() };
        response.edits.push(Edit::Cursor(patch));
        response
    }

    fn at_place(&self, place: Place) -> Response {
        match place {
            Place::Word(i) => {
                HELD.set(Some(i));
                common::moved(CursorPatch { position: Some(i as f64), ..CursorPatch::default() })
            }
            Place::Shuffle => Self::reorder(&order::shuffled(&self.order, self.sentence.seed)),
            Place::Restore => Self::reorder(&order::identity(self.order.len())),
        }
    }

    /// Whether a difference is none but for rounding, in words.
    fn verdict(verdict: &Verdict) -> String {
        let (outputs, mean) = (number::digits(verdict.outputs, 2), number::digits(verdict.mean, 2));
        match (verdict.is_equivariant(), verdict.is_invariant()) {
            (true, true) => words::shuffle_moves(outputs, mean),
            (true, false) => words::shuffle_moves_only(outputs, mean),
            (false, true) => words::shuffle_mean_stays(outputs, mean),
            (false, false) => words::shuffle_changes(outputs, mean),
        }
    }

    fn sentences(&self, cursor: &Cursor) -> Vec<String> {
        let mut sentences = Vec::new();
        if order::is_identity(&self.order) {
            sentences.push(words::shuffle_reverse().to_owned());
        }
        for panel in &self.panels {
            let Some(measured) = self.measured(panel, cursor) else { continue };
            let [free, masked] = measured.verdicts.each_ref().map(Self::verdict);
            sentences.push(words::shuffle_summary(panel.label(cursor), free, masked));
        }
        sentences.extend(self.twins(cursor));
        sentences
    }

    /// What is said of a word that is there twice: with which schemes its two rows are the same, and with which not.
    fn twins(&self, cursor: &Cursor) -> Vec<String> {
        let (mut same, mut differ, mut place) = (Vec::new(), Vec::new(), None);
        for panel in &self.panels {
            let Some(twins) = self.measured(panel, cursor).and_then(|measured| measured.twins) else { continue };
            place = Some((twins.first, twins.second));
            if twins.same {
                same.push(panel.label(cursor));
            } else {
                differ.push(words::shuffle_amount(panel.label(cursor), number::digits(twins.most, 2)));
            }
        }
        let Some((first, second)) = place else { return Vec::new() };
        let word = &self.read[first];
        let (same, differ) = (same.join(words::shuffle_between()), differ.join(words::shuffle_between()));
        match (same.is_empty(), differ.is_empty()) {
            (true, _) => vec![words::shuffle_twins_all_differ(word, first, second, differ)],
            (false, true) => vec![words::shuffle_twins_same(word, first, second, same)],
            (false, false) => {
                vec![words::shuffle_twins_same(word, first, second, same), words::shuffle_twins_differ(differ)]
            }
        }
    }

    /// Draws the verdict under a panel's name, and right of each row the output and how much of it changed.
    fn changes(&self, on: &Surface, i: usize, measured: &Measured, most: f64) {
        let (left, top, width, height) = self.lettered.panel(i);
        let high = height / self.read.len().max(1) as f64;
        // Half for the outputs, half for the bars.
        let room = (room(on.width).beside / 2.0 - 6.0).floor();
        for (row, output) in outputs(measured).iter().enumerate() {
            let tall = (high - 2.0).clamp(1.0, 10.0);
            let y = top + (row as f64 + 0.5) * high - tall / 2.0;
            strip::numbers(on, &self.numbers, (left + width + 4.0, y, room, tall), output);
        }
        let x = left + width + room + 10.0;
        on.font(11.0);
        let masks = [words::shuffle_free(), words::shuffle_masked()];
        for (line, (verdict, mask)) in measured.verdicts.iter().zip(masks).enumerate() {
            let (text, ink) = if verdict.is_equivariant() {
                (words::shuffle_short_moves(mask), &on.ink.muted)
            } else {
                (words::shuffle_short_changes(mask, number::digits(verdict.outputs, 2)), &on.ink.ink)
            };
            let y = top - 2.0 * LINE + (line as f64 + 0.3) * LINE;
            on.text(&on.fitted(&text, width + 2.0 * room), left, y, Align::Left, ink);
        }
        on.fill((x, top, 1.0, height), &on.ink.hairline);
        for (row, change) in measured.changes.iter().enumerate() {
            let wide = if *change <= verdict::ROUNDING { 0.0 } else { (change / most * room).max(1.0) };
            let tall = (high - 2.0).clamp(1.0, 10.0);
            on.fill((x, top + (row as f64 + 0.5) * high - tall / 2.0, wide, tall), &on.ink.accent);
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.panels.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        let n = self.read.len();
        let each: Vec<_> = self.panels.iter().map(|panel| self.measured(panel, cursor)).collect();
        self.strip.draw(on, (&self.sentence.words, &self.inputs), &self.order, &self.numbers, cursor);
        let most = each.iter().flatten().flat_map(|m| &m.changes).copied().fold(0.0, f64::max);
        let values = each.iter().flatten().flat_map(|m| &m.seen.weights).copied();
        let palette = Palette::new(self.palette, 0.0, values.fold(0.0, f64::max) as f32);
        let mut rasters = self.rasters.borrow_mut();
        rasters.resize_with(each.len(), || Raster::new(n, n));
        for (i, ((panel, measured), raster)) in self.panels.iter().zip(&each).zip(rasters.iter_mut()).enumerate() {
            let Some(measured) = measured else { continue };
            for (place, (cell, weight)) in raster.cells_mut().iter_mut().zip(&measured.seen.weights).enumerate() {
                let seen = self.sentence.keys(place / n).contains(&(place % n));
                *cell = if seen { *weight as f32 } else { f32::NAN };
            }
            let colour = panel.slot.and_then(|slot| on.ink.slots.get(slot)).unwrap_or(&on.ink.ink);
            self.lettered.draw(on, i, (&panel.label(cursor), colour), (raster, &palette), cursor);
            self.changes(on, i, measured, most);
        }
        let ends = (number::short(0.0), number::short(f64::from(palette.high())));
        self.lettered.bar(on, &palette, words::attention_weights(), ends);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = if self.panels.is_empty() { Vec::new() } else { self.sentences(cursor) };
        let all: Vec<String> = own.into_iter().chain(self.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        for panel in &self.panels {
            let Some(measured) = self.measured(panel, cursor) else { continue };
            for (verdict, mask) in measured.verdicts.iter().zip([words::shuffle_free(), words::shuffle_masked()]) {
                let name = panel.label(cursor);
                let (outputs, mean) = (number::exact(verdict.outputs), number::exact(verdict.mean));
                readings.push(Reading {
                    slot: panel.slot,
                    label: words::shuffle_reading_outputs(&name, mask),
                    math: formulas::shuffle_outputs(&outputs),
                    value: outputs,
                });
                readings.push(Reading {
                    slot: panel.slot,
                    label: words::shuffle_reading_mean(&name, mask),
                    math: formulas::shuffle_mean(&mean),
                    value: mean,
                });
            }
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        if self.panels.is_empty() {
            return Vec::new();
        }
        let mut notes = self.notes.clone();
        notes.push(words::shuffle_numbers(NUMBERS));
        notes.push(words::shuffle_bars().to_owned());
        if self.sentence.causal {
            notes.push(words::bias_masked().to_owned());
        }
        notes.extend(self.panels.iter().flat_map(|panel| panel.about.clone()));
        notes.extend(self.failures.iter().cloned());
        let high = f64::from(self.numbers.high());
        let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short((2.0 * t - 1.0) * high))).to_vec();
        let label = words::shuffle_scale().to_owned();
        let scale = Legend::Scale { label, stops: self.numbers.stops(11), ticks };
        std::iter::once(scale).chain(notes.into_iter().map(Legend::Note)).collect()
    }

    fn table(&self, cursor: &Cursor, _page: i64) -> Table {
        if self.panels.is_empty() {
            return Table::default();
        }
        let yes = |holds: bool| if holds { words::shuffle_yes() } else { words::shuffle_no() }.to_owned();
        let mut rows = Vec::new();
        for panel in &self.panels {
            let Some(measured) = self.measured(panel, cursor) else { continue };
            for (verdict, mask) in measured.verdicts.iter().zip([words::shuffle_free(), words::shuffle_masked()]) {
                rows.push(vec![
                    words::shuffle_row(panel.label(cursor), mask),
                    yes(verdict.is_equivariant()),
                    number::exact(verdict.outputs),
                    yes(verdict.is_invariant()),
                    number::exact(verdict.mean),
                ]);
            }
        }
        let head = [
            words::shuffle_head_scheme(),
            words::shuffle_head_equivariant(),
            words::shuffle_head_outputs(),
            words::shuffle_head_invariant(),
            words::shuffle_head_mean(),
        ];
        Table {
            caption: words::shuffle_table(self.read.join(" ")),
            head: head.map(str::to_owned).to_vec(),
            rows,
            before: false,
            after: false,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.panels.is_empty() {
            return Response::default();
        }
        match *input {
            Input::Press { x, y, .. } => {
                HELD.set(None);
                match self.strip.at(x, y) {
                    Some(place) => return self.at_place(place),
                    None if y < strip::HEIGHT => return Response { used: true, ..Response::default() },
                    None => {}
                }
            }
            Input::Drag { from_y, x, .. } if from_y < strip::HEIGHT => {
                let Some(from) = HELD.get().filter(|from| *from < self.order.len()) else {
                    return Response { used: true, ..Response::default() };
                };
                let to = self.strip.place(x);
                if to == from {
                    return Response { used: true, ..Response::default() };
                }
                HELD.set(Some(to));
                let mut response = Self::reorder(&order::moved(&self.order, from, to));
                let patch = CursorPatch { position: Some(to as f64), ..CursorPatch::default() };
                response.edits.push(Edit::Cursor(patch));
                return response;
            }
            Input::Key { ref key, shift } => match (key.as_str(), shift) {
                ("ArrowLeft", true) => return self.carry(cursor, -1),
                ("ArrowRight", true) => return self.carry(cursor, 1),
                ("s" | "S", _) => return self.at_place(Place::Shuffle),
                ("0", _) => return self.at_place(Place::Restore),
                _ => {}
            },
            _ => {}
        }
        self.lettered.respond(input, cursor, self.heads())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
