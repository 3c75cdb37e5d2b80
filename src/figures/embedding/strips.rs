//! The strips of a word, its position and both, on their canvas.

use super::{Line, Model, REACH};
use crate::draw::{
    Surface, number,
    pen::{Align, DASHES},
    raster::Raster,
    ticks,
};
use crate::figures::{Scene, Size, common};
use crate::state::Cursor;
use crate::words;
use posenc::{input, input::Combine};

/// Left of the strips: what they are.
const LEFT: f64 = 78.0;
/// Right of them.
const RIGHT: f64 = 6.0;
/// Above a scheme's strips: its name.
const HEAD: f64 = 24.0;
/// A strip.
const STRIP: f64 = 26.0;
/// Between two strips.
const GAP: f64 = 5.0;
/// Numbers of dimensions below the strips.
const TICKS: f64 = 20.0;
/// The cosines.
const FOOT: f64 = 26.0;
/// All of a scheme.
const LINE: f64 = HEAD + 3.0 * (STRIP + GAP) + TICKS + FOOT;
/// Room for one number of a dimension.
const TICK: f64 = 44.0;

/// The height of a scene.
pub(super) fn height(scene: &Scene, _width: f64) -> f64 {
    let lines = scene.slots.iter().filter(|slot| common::encoding(slot).is_some()).count();
    LINE * lines.max(1) as f64
}

/// Where everything stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layout {
    lines: usize,
    left: f64,
    width: f64,
    dpr: f64,
}

impl Layout {
    pub(super) fn new(size: Size, lines: usize) -> Self {
        let left = LEFT.min((size.width * 0.3).floor());
        Self { lines, left, width: (size.width - left - RIGHT).floor().max(1.0), dpr: size.dpr }
    }

    /// The scheme at a height.
    pub(super) fn line_at(&self, y: f64) -> Option<usize> {
        let i = (y / LINE).floor();
        (i >= 0.0 && i < self.lines as f64).then_some(i as usize)
    }

    /// The dimension of an input of `whole` numbers at a place.
    pub(super) fn dim_at(&self, x: f64, whole: usize) -> Option<usize> {
        let share = (x - self.left) / self.width;
        (0.0..1.0).contains(&share).then(|| ((share * whole as f64) as usize).min(whole - 1))
    }

    /// Dimensions in a cell.
    pub(super) fn run(&self, whole: usize) -> usize {
        whole.div_ceil(((self.width * self.dpr).floor() as usize).max(1))
    }

    /// The place of a dimension.
    #[cfg(test)]
    pub(super) fn dim_x(&self, dim: f64, whole: usize) -> f64 {
        self.x_of(dim, whole)
    }

    /// Where a dimension begins.
    fn x_of(&self, dim: f64, whole: usize) -> f64 {
        self.left + dim / whole as f64 * self.width
    }
}

/// What the three strips are, without signs.
pub(super) fn names(model: &Model) -> [&'static str; 3] {
    let word = if model.scaled { words::embedding_word_scaled() } else { words::embedding_word() };
    [word, words::embedding_position(), words::embedding_input()]
}

/// The strips of the position that was drawn last.
#[derive(Default)]
pub(super) struct Strips {
    position: Option<f64>,
    rasters: Vec<Raster>,
    /// Cosines with the word and with the position.
    cosines: [f64; 2],
}

impl Strips {
    fn show(&mut self, input: &input::Input, position: f64, run: usize) {
        let strip = |values: &[f64]| {
            let mut raster = Raster::new(values.len(), 1);
            for (cell, value) in raster.cells_mut().iter_mut().zip(values) {
                *cell = *value as f32;
            }
            raster.merge_columns(run);
            raster
        };
        self.rasters = [&input.word, &input.place, &input.sum].map(|values| strip(values)).into();
        self.cosines = [input.cosine_with_word(), input.cosine_with_place()];
        self.position = Some(position);
    }
}

impl Line {
    /// What its colours must reach: all but the rarest of a word's numbers, and of its positions'.
    pub(super) fn bound(&self) -> f64 {
        // A wave lies within 1.
        let places = if self.sheet.is_table() { REACH * self.size } else { 1.0 };
        places.max(REACH * self.factor)
    }
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    for (i, line) in model.lines.iter().enumerate() {
        let strips = &mut *line.strips.borrow_mut();
        if strips.position != Some(cursor.position) {
            strips.show(&model.input(line, cursor.position), cursor.position, model.layout.run(line.whole()));
        }
        let top = i as f64 * LINE;
        head(model, on, line, top, cursor);
        for (n, raster) in strips.rasters.iter_mut().enumerate() {
            strip(model, on, line, (n, raster), top + HEAD + n as f64 * (STRIP + GAP));
        }
        plane(model, on, line, top + HEAD, cursor.plane);
        if strips.rasters.first().is_some_and(|word| word.cells().iter().all(|cell| cell.is_nan())) {
            on.font(12.0);
            let middle = f64::midpoint(model.layout.left, model.layout.x_of(line.width as f64, line.whole()));
            let y = top + HEAD + STRIP / 2.0;
            on.text_on_paper(words::embedding_no_word_here(), middle, y, Align::Centre, &on.ink.ink);
        }
        axis(model, on, line, top + HEAD + 3.0 * (STRIP + GAP));
        if strips.cosines.iter().all(|cosine| cosine.is_finite()) {
            on.font(12.0);
            let [word, position] = strips.cosines.map(number::short);
            let text = words::embedding_cosines(&word, &position);
            let fits = on.text_width(&text) <= model.layout.width;
            let text = if fits { text } else { words::embedding_cosines_short(word, position) };
            let left = if on.text_width(&text) <= model.layout.width { model.layout.left } else { 4.0 };
            on.text(&on.fitted(&text, on.width - left), left, top + LINE - FOOT + 6.0, Align::Left, &on.ink.ink);
        }
    }
}

/// The scheme's line and name, and the word.
fn head(model: &Model, on: &Surface, line: &Line, top: f64, cursor: &Cursor) {
    on.font(12.0);
    let colour = on.ink.slots.get(line.slot).unwrap_or(&on.ink.ink);
    on.dash(DASHES.get(line.slot).copied().unwrap_or(&[]));
    on.line((model.layout.left, top + 11.0), (model.layout.left + 24.0, top + 11.0), colour, 3.0);
    on.dash(&[]);
    let from = model.layout.left + 30.0;
    let place = common::position_label(&model.words, cursor.position);
    let name = on.fitted(&line.name, on.width - from);
    on.text(&name, from, top + 11.0, Align::Left, colour);
    let after = from + on.text_width(&name) + 12.0;
    if after + on.text_width(&place) < on.width {
        on.text(&place, after, top + 11.0, Align::Left, &on.ink.muted);
    }
}

fn strip(model: &Model, on: &Surface, line: &Line, (n, raster): (usize, &mut Raster), top: f64) {
    let layout = &model.layout;
    let side_by_side = line.combine == Combine::Concatenate;
    let (first, count) = match n {
        0 => (0, line.width),
        1 => (line.after(), line.width),
        _ => (0, line.whole()),
    };
    let (from, to) = (layout.x_of(first as f64, line.whole()), layout.x_of((first + count) as f64, line.whole()));
    let cells = (count as f64 / layout.run(line.whole()) as f64, 1.0);
    let rect = (from, top, to - from, STRIP);
    raster.draw(on, &model.palette, cells, rect);
    let plain = names(model);
    let name = match n {
        1 if !side_by_side => words::embedding_plus(),
        2 if !side_by_side => words::embedding_sum(),
        _ => plain[n],
    };
    on.font(12.0);
    on.text(&on.fitted(name, layout.left - 8.0), layout.left - 8.0, top + STRIP / 2.0, Align::Right, &on.ink.muted);
}

/// The dimensions of the cursor's plane, through all strips.
fn plane(model: &Model, on: &Surface, line: &Line, top: f64, plane: usize) {
    for dim in line.dims_of(plane) {
        let (from, to) =
            (model.layout.x_of(dim as f64, line.whole()), model.layout.x_of(dim as f64 + 1.0, line.whole()));
        let wide = (to - from).max(3.0);
        let rect = (f64::midpoint(from, to) - wide / 2.0, top - 2.0, wide, 3.0 * (STRIP + GAP) - GAP + 4.0);
        on.outline(rect, &on.ink.paper, 3.0);
        on.outline(rect, &on.ink.accent, 1.5);
    }
}

/// Numbers of dimensions.
fn axis(model: &Model, on: &Surface, line: &Line, top: f64) {
    on.font(11.0);
    let most = (model.layout.width / TICK).floor().max(1.0) as usize;
    for tick in ticks::whole(0.0, line.whole() as f64 - 1.0, most) {
        let text = number::whole(tick as i64);
        let half = on.text_width(&text) / 2.0;
        let x = model.layout.x_of(tick + 0.5, line.whole()).min(on.width - half);
        on.text(&text, x, top + 8.0, Align::Centre, &on.ink.muted);
    }
    on.text(words::heatmap_dimension(), model.layout.left - 8.0, top + 8.0, Align::Right, &on.ink.muted);
}
