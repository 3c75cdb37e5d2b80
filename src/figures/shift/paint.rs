//! The matrix and, below it on the same columns, the vector, the product, what it should be, and the difference.

use super::sheet::{Part, Sheet, Shown, ends};
use super::{Cursor, Model, Size};
use crate::draw::{
    Surface, number,
    pen::{Align, DASHES},
    raster::Raster,
    ticks,
};
use crate::words;

/// A rectangle: left, top, width, height, in CSS pixels.
type Rect = (f64, f64, f64, f64);

/// Left of a matrix: numbers of dimensions.
const LEFT: f64 = 38.0;
/// Between panels.
const GAP: f64 = 24.0;
/// A scheme's name, above its panel where there are several.
const NAME: f64 = 20.0;
/// What a part is, above it.
const LABEL: f64 = 22.0;
/// A vector.
const STRIP: f64 = 15.0;
/// Vectors below a matrix.
const STRIPS: f64 = 4.0;
/// Below a panel: numbers of dimensions.
const BELOW: f64 = 24.0;
/// Canvases at least this wide have two panels in a row.
const TWO: f64 = 560.0;

fn columns(panels: usize, width: f64) -> usize {
    if panels > 1 && width >= TWO { 2 } else { 1 }
}

fn panel_width(panels: usize, width: f64) -> f64 {
    let columns = columns(panels, width) as f64;
    ((width - GAP * (columns - 1.0)) / columns).max(1.0)
}

/// The height of a matrix in a panel: cells are wider than high where there is room.
fn matrix_height(width: f64) -> f64 {
    ((width - LEFT) * 0.62).clamp(1.0, 320.0)
}

fn panel_height(panels: usize, width: f64) -> f64 {
    let name = if panels > 1 { NAME } else { 0.0 };
    name + LABEL + matrix_height(panel_width(panels, width)) + STRIPS * (LABEL + STRIP) + BELOW
}

/// The height of so many panels on a width.
pub(super) fn height(panels: usize, width: f64) -> f64 {
    let panels = panels.max(1);
    panels.div_ceil(columns(panels, width)) as f64 * panel_height(panels, width)
}

/// Where the panels stand.
pub(super) struct Layout {
    matrices: Vec<Rect>,
}

impl Layout {
    /// So many panels on a canvas.
    pub(super) fn new(panels: usize, size: Size) -> Self {
        let columns = columns(panels, size.width);
        let (wide, high) = (panel_width(panels, size.width), panel_height(panels, size.width));
        let name = if panels > 1 { NAME } else { 0.0 };
        let matrix = |i: usize| {
            let (left, top) = ((i % columns) as f64 * (wide + GAP), (i / columns) as f64 * high);
            (left + LEFT, top + name + LABEL, (wide - LEFT).max(1.0), matrix_height(wide))
        };
        Self { matrices: (0..panels).map(matrix).collect() }
    }

    /// The vectors of a panel.
    fn strip(&self, panel: usize, which: usize) -> Rect {
        let (left, top, width, height) = self.matrices[panel];
        (left, top + height + LABEL + which as f64 * (LABEL + STRIP), width, STRIP)
    }
}

impl Model {
    /// The plane of the column at a place of the canvas, be it of a matrix or of a vector.
    pub(super) fn plane_at(&self, x: f64, y: f64, cursor: &Cursor) -> Option<usize> {
        let on = |(left, top, width, height): &Rect| {
            let bottom = top + height + STRIPS * (LABEL + STRIP);
            (*left..=left + width).contains(&x) && (*top..=bottom).contains(&y)
        };
        let panel = self.layout.matrices.iter().position(on)?;
        let (left, _, width, _) = self.layout.matrices[panel];
        let sheet = &self.sheets[panel];
        let dims = sheet.dims(cursor.plane);
        let place = ((x - left) / width * dims.len() as f64).floor().max(0.0) as usize;
        sheet.plane_of(*dims.get(place.min(dims.len().checked_sub(1)?))?)
    }
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    for (i, sheet) in model.sheets.iter().enumerate() {
        let Some(shown) = sheet.shown(cursor) else { continue };
        if model.sheets.len() > 1 {
            name(on, model.layout.matrices[i], sheet);
        }
        panel(model, on, i, &shown, cursor);
    }
}

/// A slot's line, as in other figures, and its name.
fn name(on: &Surface, (left, top, width, _): Rect, sheet: &Sheet) {
    const SIGN: f64 = 24.0;
    let (left, y) = (left - LEFT, top - LABEL - NAME / 2.0 + 2.0);
    let colour = on.ink.slots.get(sheet.slot).unwrap_or(&on.ink.ink);
    on.dash(DASHES.get(sheet.slot).copied().unwrap_or(&[]));
    on.line((left, y), (left + SIGN, y), colour, 3.0);
    on.dash(&[]);
    on.font(12.0);
    let text = on.fitted(&sheet.name, width + LEFT - SIGN - 6.0);
    on.text(&text, left + SIGN + 6.0, y, Align::Left, colour);
}

fn panel(model: &Model, on: &Surface, i: usize, shown: &Shown, cursor: &Cursor) {
    let count = shown.dims.len();
    let matrix = model.layout.matrices[i];
    let (from, to) = ends(cursor);
    let (from, to, by) = (number::place(from), number::place(to), number::whole(cursor.offset));
    let sheet = &model.sheets[i];
    cells(model, on, &shown.matrix, (count, count), matrix);
    let as_cells = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<f32>>();
    let parts = [
        (as_cells(&shown.from), words::shift_from(&from)),
        (as_cells(&shown.product), words::shift_product(&from)),
        (as_cells(&shown.to), words::shift_to(&to)),
        (as_cells(&shown.difference()), words::shift_difference(number::digits(shown.error(), 2))),
    ];
    on.font(12.0);
    let title = match sheet.part {
        Part::Both => words::shift_matrix(&by),
        Part::Sine => words::shift_matrix_sine(&by),
    };
    label(on, matrix, &title);
    for (which, (values, text)) in parts.iter().enumerate() {
        let rect = model.layout.strip(i, which);
        cells(model, on, values, (count, 1), rect);
        on.outline(rect, &on.ink.hairline, 1.0);
        on.font(12.0);
        label(on, rect, text);
    }
    on.outline(matrix, &on.ink.hairline, 1.0);
    mark(model, on, i, shown, cursor);
    dims(model, on, i, shown);
}

/// What a part is, above it.
fn label(on: &Surface, (left, top, width, _): Rect, text: &str) {
    on.text(&on.fitted(text, width), left, top - 9.0, Align::Left, &on.ink.muted);
}

fn cells(model: &Model, on: &Surface, values: &[f32], (columns, rows): (usize, usize), rect: Rect) {
    let mut raster = Raster::new(columns, rows);
    raster.cells_mut().copy_from_slice(values);
    raster.draw(on, &model.palette, (columns as f64, rows as f64), rect);
}

/// The columns of the cursor's plane, as stretches of neighbours: where the first begins, and where the last ends.
fn stretches(sheet: &Sheet, dims: &[usize], plane: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (place, dim) in dims.iter().enumerate() {
        if sheet.plane_of(*dim) != Some(plane) {
            continue;
        }
        match found.last_mut() {
            Some((_, end)) if *end == place => *end = place + 1,
            _ => found.push((place, place + 1)),
        }
    }
    found
}

/// The block of the cursor's plane, and its numbers in the vectors.
fn mark(model: &Model, on: &Surface, i: usize, shown: &Shown, cursor: &Cursor) {
    let count = shown.dims.len() as f64;
    let (left, top, width, height) = model.layout.matrices[i];
    let own = stretches(&model.sheets[i], &shown.dims, cursor.plane);
    let across = |(from, to): (usize, usize)| {
        let (x, wide) = (left + from as f64 / count * width, (to - from) as f64 / count * width);
        (x, wide.max(3.0))
    };
    let down = |(from, to): (usize, usize)| {
        let (y, high) = (top + from as f64 / count * height, (to - from) as f64 / count * height);
        (y, high.max(3.0))
    };
    for stretch in &own {
        let (x, wide) = across(*stretch);
        for row in &own {
            let (y, high) = down(*row);
            outlined(on, (x, y, wide, high));
        }
        for which in 0..STRIPS as usize {
            let (_, y, _, high) = model.layout.strip(i, which);
            outlined(on, (x, y, wide, high));
        }
    }
}

/// An outline that reads on every colour: the accent between two hairlines of paper.
fn outlined(on: &Surface, rect: Rect) {
    on.outline(rect, &on.ink.paper, 3.0);
    on.outline(rect, &on.ink.accent, 1.5);
}

/// The numbers of the dimensions, left of the matrix and below the last vector.
fn dims(model: &Model, on: &Surface, i: usize, shown: &Shown) {
    let (left, top, width, height) = model.layout.matrices[i];
    let (_, strip, _, high) = model.layout.strip(i, STRIPS as usize - 1);
    let bottom = strip + high;
    let (count, ink) = (shown.dims.len() as f64, &on.ink.muted);
    on.font(11.0);
    let text = |tick: f64| shown.dims.get(tick as usize).map(|dim| number::whole(*dim as i64)).unwrap_or_default();
    let most = |length: f64, each: f64| (length / each).floor().max(1.0) as usize;
    for tick in ticks::whole(0.0, count - 1.0, most(width, 40.0)) {
        let x = left + (tick + 0.5) / count * width;
        on.line((on.crisp(x), bottom), (on.crisp(x), bottom + 4.0), ink, 1.0 / on.dpr);
        let text = text(tick);
        let x = x.min(left + width - on.text_width(&text) / 2.0 + 4.0);
        on.text(&text, x, bottom + 12.0, Align::Centre, ink);
    }
    for tick in ticks::whole(0.0, count - 1.0, most(height, 26.0)) {
        let y = top + (tick + 0.5) / count * height;
        on.line((left - 5.0, on.crisp(y)), (left - 1.0, on.crisp(y)), ink, 1.0 / on.dpr);
        on.text(&text(tick), left - 8.0, y, Align::Right, ink);
    }
}
