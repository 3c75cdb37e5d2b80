//! Two strips of dimensions, coloured by plane; arcs between the two of a plane, and lines from the upper to the lower.

use super::sheet::Sheet;
use super::{Cursor, Model, Size, pair, pairs};
use crate::draw::{
    Surface, number,
    pen::{Align, DASHES},
    raster::Raster,
    ticks,
};
use crate::words;

/// A rectangle: left, top, width, height, in CSS pixels.
type Rect = (f64, f64, f64, f64);

/// Above a panel where there are several: the scheme's name.
const NAME: f64 = 22.0;
/// What a strip is, above or below its arcs.
const LABEL: f64 = 20.0;
/// Arcs.
const ARCS: f64 = 44.0;
/// A strip.
const STRIP: f64 = 16.0;
/// Between the strips: lines from one to the other.
const BETWEEN: f64 = 84.0;
/// Below a panel: what was measured.
const BELOW: f64 = 44.0;
/// Canvases at least this wide have two panels in a row.
const TWO: f64 = 700.0;
/// Between panels.
const GAP: f64 = 28.0;
/// Left and right of a strip: half of a number.
const SIDE: f64 = 10.0;

fn columns(panels: usize, width: f64) -> usize {
    if panels > 1 && width >= TWO { 2 } else { 1 }
}

fn panel_height(panels: usize) -> f64 {
    let name = if panels > 1 { NAME } else { 0.0 };
    name + 2.0 * (LABEL + ARCS + STRIP) + BETWEEN + BELOW
}

/// The height of so many panels on a width.
pub(super) fn height(panels: usize, width: f64) -> f64 {
    panels.max(1).div_ceil(columns(panels, width)) as f64 * panel_height(panels)
}

/// Where the panels' upper strips stand.
pub(super) struct Places {
    strips: Vec<Rect>,
}

impl Places {
    pub(super) fn new(sheets: &[Sheet], size: Size) -> Self {
        let panels = sheets.len();
        let columns = columns(panels, size.width);
        let wide = ((size.width - GAP * (columns as f64 - 1.0)) / columns as f64).max(1.0);
        let name = if panels > 1 { NAME } else { 0.0 };
        let strip = |i: usize| {
            let (left, top) = ((i % columns) as f64 * (wide + GAP), (i / columns) as f64 * panel_height(panels));
            (left + SIDE, top + name + LABEL + ARCS, (wide - 2.0 * SIDE).max(1.0), STRIP)
        };
        Self { strips: (0..panels).map(strip).collect() }
    }

    fn lower(&self, panel: usize) -> Rect {
        let (left, top, width, height) = self.strips[panel];
        (left, top + height + BETWEEN, width, height)
    }
}

impl Model {
    /// The plane of the dimension at a place of the canvas: as the nearer strip is read.
    pub(super) fn plane_at(&self, x: f64, y: f64) -> Option<usize> {
        let inside = |(left, top, width, height): &Rect| {
            let bottom = top + 2.0 * height + BETWEEN + ARCS;
            (*left..=left + width).contains(&x) && (top - ARCS..=bottom).contains(&y)
        };
        let panel = self.places.strips.iter().position(inside)?;
        let (left, top, width, height) = self.places.strips[panel];
        let sheet = &self.sheets[panel];
        let dim = ((x - left) / width * sheet.head_dim() as f64).floor().max(0.0) as usize;
        let below = y > top + height + BETWEEN / 2.0;
        *sheet.planes_by_dim(below).get(dim.min(sheet.head_dim() - 1))?
    }
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    for (i, sheet) in model.sheets.iter().enumerate() {
        if model.sheets.len() > 1 {
            name(on, model.places.strips[i], sheet);
        }
        panel(model, on, i, sheet, cursor);
    }
}

/// A slot's line, as in other figures, and its name.
fn name(on: &Surface, (left, top, width, _): Rect, sheet: &Sheet) {
    const SIGN: f64 = 24.0;
    let y = top - ARCS - LABEL - NAME / 2.0 + 2.0;
    let colour = on.ink.slots.get(sheet.slot).unwrap_or(&on.ink.ink);
    on.dash(DASHES.get(sheet.slot).copied().unwrap_or(&[]));
    on.line((left, y), (left + SIGN, y), colour, 3.0);
    on.dash(&[]);
    on.font(12.0);
    let text = on.fitted(&sheet.name, width - SIGN - 6.0);
    on.text(&text, left + SIGN + 6.0, y, Align::Left, colour);
}

/// A strip and where its dimensions stand on it.
struct Strip {
    rect: Rect,
    dims: f64,
}

impl Strip {
    fn x(&self, dim: usize) -> f64 {
        self.rect.0 + (dim as f64 + 0.5) / self.dims * self.rect.2
    }

    fn top(&self) -> f64 {
        self.rect.1
    }

    fn bottom(&self) -> f64 {
        self.rect.1 + self.rect.3
    }

    /// The cell of a dimension, wide enough to be seen.
    fn cell(&self, dim: usize) -> Rect {
        let wide = (self.rect.2 / self.dims).max(3.0);
        (self.x(dim) - wide / 2.0, self.rect.1, wide, self.rect.3)
    }
}

fn panel(model: &Model, on: &Surface, i: usize, sheet: &Sheet, cursor: &Cursor) {
    let dims = sheet.head_dim() as f64;
    let upper = Strip { rect: model.places.strips[i], dims };
    let lower = Strip { rect: model.places.lower(i), dims };
    let hair = 1.0 / on.dpr;
    let here = cursor.plane.min(sheet.planes() - 1);
    for plane in sheet.drawn().into_iter().filter(|plane| *plane != here) {
        between(on, sheet, plane, (&upper, &lower), (&on.ink.muted, hair));
        arcs(on, sheet, plane, (&upper, &lower), (&on.ink.muted, hair));
    }
    for (strip, below) in [(&upper, false), (&lower, true)] {
        cells(model, on, sheet, strip, below);
    }
    between(on, sheet, here, (&upper, &lower), (&on.ink.accent, 2.0));
    arcs(on, sheet, here, (&upper, &lower), (&on.ink.accent, 2.0));
    for (strip, (a, b)) in [(&upper, sheet.pair(here)), (&lower, sheet.pair_below(here))] {
        for dim in [a, b] {
            on.outline(strip.cell(dim), &on.ink.paper, 3.0);
            on.outline(strip.cell(dim), &on.ink.accent, 1.5);
        }
    }
    numbers(on, &upper, upper.bottom() + 9.0);
    labels(model, on, sheet, here, (&upper, &lower));
    measured(model, on, sheet, cursor, &lower);
}

/// The dimensions of a strip in the colours of their planes.
fn cells(model: &Model, on: &Surface, sheet: &Sheet, strip: &Strip, below: bool) {
    let mut raster = Raster::new(sheet.head_dim(), 1);
    let planes = sheet.planes_by_dim(below);
    for (cell, plane) in raster.cells_mut().iter_mut().zip(&planes) {
        *cell = plane.map_or(f32::NAN, |plane| plane as f32);
    }
    raster.draw(on, &model.palette(sheet), (sheet.head_dim() as f64, 1.0), strip.rect);
    on.outline(strip.rect, &on.ink.hairline, 1.0);
}

/// What goes from the upper strip to the lower: where each dimension of a plane comes to stand; or of what its outputs are
/// made, with the cosine (unbroken) and with the sine (dashed).
fn between(on: &Surface, sheet: &Sheet, plane: usize, strips: (&Strip, &Strip), (colour, width): (&str, f64)) {
    let line = |from: usize, to: usize| {
        on.line((strips.0.x(from), strips.0.bottom() + 16.0), (strips.1.x(to), strips.1.top() - 2.0), colour, width);
    };
    if sheet.is_mixed() {
        for (to, wire) in sheet.wires(plane) {
            line(wire.own, to);
            on.dash(&[4.0, 3.0]);
            line(wire.partner, to);
            on.dash(&[]);
        }
        return;
    }
    let (a, b) = sheet.pair_below(plane);
    for to in [a, b] {
        line(sheet.order[to], to);
    }
}

/// The arcs between the two dimensions of a plane: above the upper strip, and below the lower.
fn arcs(on: &Surface, sheet: &Sheet, plane: usize, strips: (&Strip, &Strip), (colour, width): (&str, f64)) {
    let (a, b) = sheet.pair(plane);
    on.bow((strips.0.x(a), strips.0.x(b)), strips.0.top() - 2.0, -arc_height(strips.0, a, b), colour, width);
    let (a, b) = sheet.pair_below(plane);
    on.bow((strips.1.x(a), strips.1.x(b)), strips.1.bottom() + 2.0, arc_height(strips.1, a, b), colour, width);
}

/// Neighbours have low arcs.
fn arc_height(strip: &Strip, a: usize, b: usize) -> f64 {
    ((strip.x(b) - strip.x(a)) * 0.5 + 8.0).min(ARCS - 4.0)
}

/// Numbers of dimensions.
fn numbers(on: &Surface, strip: &Strip, y: f64) {
    on.font(11.0);
    let most = (strip.rect.2 / 40.0).floor().max(1.0) as usize;
    for tick in ticks::whole(0.0, strip.dims - 1.0, most) {
        on.text(&number::whole(tick as i64), strip.x(tick as usize), y, Align::Centre, &on.ink.muted);
    }
}

/// What a strip is, and the cursor's plane on it.
fn labels(model: &Model, on: &Surface, sheet: &Sheet, here: usize, (upper, lower): (&Strip, &Strip)) {
    let (above, below) = (pair(sheet.pair(here)), pair(sheet.pair_below(here)));
    let plane = number::whole(here as i64);
    let (above, below) = match model.show {
        super::Show::Both => (
            words::layout_label_above(pairs(sheet.upper), &plane, above),
            words::layout_label_below(pairs(sheet.lower), &plane, below),
        ),
        super::Show::Unpermuted => (
            words::layout_label_trained(pairs(sheet.upper), &plane, above),
            words::layout_label_run(pairs(sheet.lower), &plane, below),
        ),
        super::Show::MixedJoin => (words::layout_label_split(&plane, above), words::layout_label_joined(&plane, below)),
        super::Show::MixedTable => {
            (words::layout_label_turned(&plane, above), words::layout_label_angles(&plane, below))
        }
    };
    on.font(12.0);
    let (left, width) = (upper.rect.0, upper.rect.2);
    on.text(&on.fitted(&above, width), left, upper.top() - ARCS - LABEL / 2.0, Align::Left, &on.ink.muted);
    on.text(&on.fitted(&below, width), left, lower.bottom() + ARCS + LABEL / 2.0, Align::Left, &on.ink.muted);
}

/// What was measured, in two lines.
fn measured(model: &Model, on: &Surface, sheet: &Sheet, cursor: &Cursor, lower: &Strip) {
    let Some((own, shown)) = sheet.measured(cursor) else { return };
    let short = number::short;
    let shift = number::place(super::SHIFT);
    let lines = match model.show {
        super::Show::Both => [
            words::layout_line_scores(short(own.score), short(shown.score)),
            words::layout_line_equal(number::digits((own.score - shown.score).abs(), 2)),
        ],
        super::Show::Unpermuted => [
            words::layout_line_scores(short(own.score), short(shown.score)),
            words::layout_line_shift(short(shown.score), shift, short(shown.shifted)),
        ],
        super::Show::MixedJoin | super::Show::MixedTable => [
            words::layout_line_norms(short(shown.norms.0), short(shown.norms.1)),
            words::layout_line_shift(short(shown.score), shift, short(shown.shifted)),
        ],
    };
    on.font(12.0);
    for (i, line) in lines.iter().enumerate() {
        let y = lower.bottom() + ARCS + LABEL + 12.0 + i as f64 * 17.0;
        on.text(&on.fitted(line, lower.rect.2), lower.rect.0, y, Align::Left, &on.ink.ink);
    }
}
