//! Word + position = input: the vector of the cursor's word, that of its position, and what the model reads, as strips
//! whose dimensions stand below each other; and the cosines that say what is left of each.

mod strips;

use super::heatmap::view::Sheet;
use super::{
    Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common,
};
use crate::draw::{Surface, number, palettes::Palette};
use crate::{formulas, words};
use posenc::{Acts, Drawn, Kind, ParamSpec, Unit, input, input::Combine, vectors::of_word};
use std::cell::RefCell;
use std::rc::Rc;
use strips::{Layout, Strips};

const fn choice(key: &'static str, options: &'static [&'static str], default: &'static str) -> ParamSpec {
    ParamSpec { key, kind: Kind::Choice { options, default }, unit: Unit::None, when: None }
}

/// `embedding`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "embedding",
    options: &[choice("scale", &["sqrt", "none"], "sqrt"), choice("combine", &["add", "concatenate"], "add")],
    suits: |scheme| scheme.acts == Acts::Embedding,
    settle: |_, _| {},
    height: strips::height,
    plays: true,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Rows on a page of the table.
const ROWS: usize = 70;
/// The colours reach so many times the size of a vector's numbers.
const REACH: f64 = 3.0;
/// So many times smaller than the colours' ends, numbers look alike.
const FAINT: f64 = 20.0;

/// One scheme.
struct Line {
    slot: usize,
    name: String,
    sheet: Sheet,
    width: usize,
    /// Whether the positions' vectors are those of a model.
    real: bool,
    /// The root of the mean square of the positions' numbers.
    size: f64,
    /// What the word's numbers from N(0, 1) are multiplied by.
    factor: f64,
    combine: Combine,
    strips: RefCell<Strips>,
}

impl Line {
    fn new(scene: &Scene, slot: &Slot, sheet: Sheet) -> Self {
        let width = sheet.width();
        let combine =
            if scene.options.choice("combine") == "concatenate" { Combine::Concatenate } else { Combine::Add };
        Self {
            slot: slot.index,
            name: common::name(&scene.slots, slot),
            width,
            real: slot.config.drawn() == Drawn::Weights,
            factor: if scene.options.choice("scale") == "none" { 1.0 / libm::sqrt(width as f64) } else { 1.0 },
            size: sheet.size(),
            sheet,
            combine,
            strips: RefCell::default(),
        }
    }

    /// Numbers in the input.
    fn whole(&self) -> usize {
        if self.combine == Combine::Concatenate { 2 * self.width } else { self.width }
    }

    /// Where the position's dimensions begin in the input.
    fn after(&self) -> usize {
        self.whole() - self.width
    }

    /// The dimension of the position's vector at one of the input.
    fn place_dim(&self, dim: usize) -> Option<usize> {
        dim.checked_sub(self.after()).filter(|dim| *dim < self.width)
    }

    /// The plane of a dimension of the input; the word's own have those of the position's.
    fn plane_of(&self, dim: usize) -> Option<usize> {
        self.sheet.plane_of(dim % self.width)
    }

    /// The dimensions of a plane in the input, from the least.
    fn dims_of(&self, plane: usize) -> Vec<usize> {
        let (a, b) = self.sheet.dims_of(plane);
        let mut dims: Vec<usize> = [a, b].into_iter().flatten().map(|dim| dim + self.after()).collect();
        dims.sort_unstable();
        dims
    }
}

struct Model {
    lines: Vec<Line>,
    failures: Vec<String>,
    layout: Layout,
    palette: Palette,
    /// Whether words are multiplied by √d.
    scaled: bool,
    words: Rc<[String]>,
    length: u64,
    seed: u64,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let sheets = scene.slots.iter().filter_map(|slot| Some((slot, Sheet::of(slot)?)));
        let lines: Vec<Line> = sheets.map(|(slot, sheet)| Line::new(scene, slot, sheet)).collect();
        // One scale for all, whatever the position: where the word is faint beside it, it is to look so.
        let bound = lines.iter().map(Line::bound).fold(0.0, f64::max);
        let bound = if bound > 0.0 { bound as f32 } else { 1.0 };
        Self {
            failures: common::failures(scene),
            layout: Layout::new(size, lines.len()),
            palette: Palette::new(scene.palette, -bound, bound),
            scaled: scene.options.choice("scale") != "none",
            lines,
            words: scene.words.clone(),
            length: scene.length,
            seed: scene.seed,
        }
    }

    /// The vectors of a scheme at a position; NaN where the text has no word, or the scheme no vector.
    fn input(&self, line: &Line, position: f64) -> input::Input {
        let word = match common::word_at(&self.words, position) {
            Some(word) => of_word(word, self.seed, line.width).iter().map(|x| x * line.factor).collect(),
            None => vec![f64::NAN; line.width],
        };
        let place = (0..line.width).map(|dim| line.sheet.at(position, dim)).collect();
        input::Input::new(word, place, line.combine)
    }

    fn sentence(&self, line: &Line, cursor: &Cursor) -> String {
        let place = common::position_label(&self.words, cursor.position);
        if let Some(rows) = line.sheet.end().filter(|_| !line.sheet.has(cursor.position)) {
            return words::weights_past_the_end(&line.name, number::place(cursor.position), rows - 1);
        }
        if common::word_at(&self.words, cursor.position).is_none() {
            return words::embedding_summary_no_word(&line.name, place);
        }
        let input = self.input(line, cursor.position);
        let [word, position] = [input.cosine_with_word(), input.cosine_with_place()].map(number::short);
        words::embedding_summary(&line.name, place, word, position)
    }

    /// The plane under a place, of the scheme whose strips are nearest.
    fn plane_at(&self, x: f64, y: f64) -> Option<usize> {
        let i = self.layout.line_at(y)?;
        let line = self.lines.get(i)?;
        line.plane_of(self.layout.dim_at(x, line.whole())?)
    }

    fn key(&self, key: &str, cursor: &Cursor) -> Response {
        const LEAP: f64 = 8.0;
        let planes = self.lines.iter().filter_map(|line| line.sheet.plane_of(line.width - 1)).max().unwrap_or(0) + 1;
        let to = |position: f64| {
            let position = Some(position.clamp(0.0, self.length as f64 - 1.0));
            common::moved(CursorPatch { position, ..CursorPatch::default() })
        };
        let plane = |by: i64| {
            let plane = Some(common::plane_by(cursor, by, planes));
            common::moved(CursorPatch { plane, ..CursorPatch::default() })
        };
        match key {
            "ArrowDown" => to(cursor.position.floor() + 1.0),
            "ArrowUp" => to(cursor.position.ceil() - 1.0),
            "ArrowRight" => plane(1),
            "ArrowLeft" => plane(-1),
            "PageDown" => to(cursor.position.floor() + LEAP),
            "PageUp" => to(cursor.position.ceil() - LEAP),
            "Home" => to(0.0),
            "End" => to(f64::MAX),
            _ => Response::default(),
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.lines.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        strips::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = self.lines.iter().map(|line| self.sentence(line, cursor));
        own.chain(self.failures.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        for line in &self.lines {
            let input = self.input(line, cursor.position);
            if input.sum.iter().any(|x| x.is_nan()) {
                continue;
            }
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(line.slot), label, value, math });
            };
            let value = number::exact(input.cosine_with_word());
            // √d and N(0, 1/d) together are N(0, 1).
            let math =
                if self.scaled { formulas::embedding_scaled_word(&value) } else { formulas::embedding_word(&value) };
            push(words::embedding_reading_word(&line.name), value, math);
            let value = number::exact(input.cosine_with_place());
            let math = formulas::embedding_position(&value);
            push(words::embedding_reading_position(&line.name), value, math);
            for dim in line.dims_of(cursor.plane) {
                let value = number::exact(input.sum[dim]);
                let math = match line.combine {
                    Combine::Concatenate => formulas::embedding_side_by_side(dim, dim - line.after(), &value),
                    Combine::Add => {
                        let (word, place) = (number::short(input.word[dim]), input.place[dim]);
                        let size = number::short(place.abs());
                        if place < 0.0 {
                            formulas::embedding_difference(dim, word, size, &value)
                        } else {
                            formulas::embedding_sum(dim, word, size, &value)
                        }
                    }
                };
                push(words::embedding_reading_dim(&line.name, dim), value, math);
            }
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        let high = f64::from(self.palette.high());
        let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short((2.0 * t - 1.0) * high))).to_vec();
        let label = words::heatmap_value().to_owned();
        let mut legend = vec![Legend::Scale { label, stops: self.palette.stops(11), ticks }];
        let mut note = |text: String| legend.push(Legend::Note(text));
        note(words::embedding_made_up().to_owned());
        if self.lines.iter().any(|line| line.combine == Combine::Concatenate) {
            note(words::embedding_padded().to_owned());
        }
        for line in self.lines.iter().filter(|line| line.real) {
            note(words::embedding_real_positions(&line.name));
        }
        for line in self.lines.iter().filter(|line| line.size * FAINT < high) {
            note(words::embedding_faint(&line.name, number::short(line.size)));
        }
        if self.scaled {
            note(words::embedding_longer().to_owned());
        }
        note(words::embedding_clipped(number::short(high)));
        let run = self.lines.iter().map(|line| self.layout.run(line.whole())).max().unwrap_or(1);
        if run > 1 {
            note(words::heatmap_columns_of(run));
        }
        for line in &self.lines {
            if let Some(rows) = line.sheet.end() {
                note(words::weights_end(&line.name, rows - 1));
            }
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        let Some(first) = self.lines.first() else { return Table::default() };
        let most = self.lines.iter().map(Line::whole).max().unwrap_or(1);
        let here = first.dims_of(cursor.plane).first().copied().unwrap_or(0);
        let last = (most - 1) / ROWS;
        let shown = ((here / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let dims = shown * ROWS..((shown + 1) * ROWS).min(most);
        let names = strips::names(self);
        let mut head = vec![words::embedding_head_dim().to_owned()];
        for line in &self.lines {
            head.extend(names.map(|part| words::embedding_head(&line.name, part)));
        }
        let inputs: Vec<_> = self.lines.iter().map(|line| (line, self.input(line, cursor.position))).collect();
        let rows = dims.clone().map(|dim| {
            let cells = inputs.iter().flat_map(|(line, input)| {
                let place = line.place_dim(dim).and_then(|dim| input.place.get(dim));
                [input.word.get(dim), place, input.sum.get(dim)]
                    .map(|value| value.map_or(String::new(), |value| number::exact(*value)))
            });
            std::iter::once(number::whole(dim as i64)).chain(cells).collect()
        });
        let place = common::position_label(&self.words, cursor.position);
        Table {
            caption: words::embedding_table(
                number::whole(dims.start as i64),
                number::whole(dims.end as i64 - 1),
                place,
            ),
            head,
            rows: rows.collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.lines.is_empty() {
            return Response::default();
        }
        let patch = |x: f64, y: f64| {
            self.plane_at(x, y).map(|plane| CursorPatch { plane: Some(plane), ..CursorPatch::default() })
        };
        match *input {
            Input::Hover { x, y } => patch(x, y).map(common::hovered).unwrap_or_default(),
            Input::Press { x, y, .. } | Input::Drag { x, y, .. } => {
                patch(x, y).map_or(Response { used: true, ..Response::default() }, common::moved)
            }
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => self.key(key, cursor),
        }
    }
}

#[cfg(test)]
mod tests;
