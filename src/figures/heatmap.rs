//! Position × dimension: the table of an absolute scheme, the cosines and sines of a rotation.
//!
//! The raster is filled once for a view, from closed forms: a row of pixels that covers many positions is the mean (or
//! the standard deviation) over all of them at the cost of one position. The cursor is drawn over it.

mod ends;
mod paint;
pub(super) mod view;

use super::{
    Cursor, CursorPatch, Edit, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common,
};
use crate::draw::{Surface, number, palettes::Palette, raster::Raster};
use crate::state::{MOST_LENGTH, Target};
use crate::{formulas, words};
use posenc::{Acts, Config, Kind, ParamSpec, Unit};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use view::{Layout, Sheet, View};

/// `heatmap`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "heatmap",
    options: &[
        ParamSpec {
            key: "cells",
            kind: Kind::Choice { options: &["mean", "spread"], default: "mean" },
            unit: Unit::None,
            when: None,
        },
        common::window_option("first_position", MOST_LENGTH - 1, Unit::Tokens, None),
        common::window_option("positions", MOST_LENGTH, Unit::Tokens, None),
        common::window_option("first_dim", 4095, Unit::Dimensions, None),
        common::window_option("dims", 4096, Unit::Dimensions, None),
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |state, options| {
        common::window(options, "first_position", "positions", || state.length() as usize);
        common::window(options, "first_dim", "dims", || state.width());
    },
    height: view::height,
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

thread_local! {
    /// First position and first dimension of the view in which the pointer went down: a pan counts from there.
    static PRESSED: Cell<(f64, f64)> = const { Cell::new((0.0, 0.0)) };
    /// The tables of the last model: a step of one scheme's slider leaves the others as they are.
    static LAST: RefCell<Vec<Filled>> = const { RefCell::new(Vec::new()) };
}

/// Forgets the tables of the last model.
#[cfg(feature = "full")]
pub(super) fn forget() {
    drop(LAST.take());
}

/// A filled table, and all that its cells follow from.
struct Filled {
    config: Config,
    length: u64,
    view: View,
    spread: bool,
    raster: Rc<RefCell<Raster>>,
}

/// One scheme's table.
struct Panel {
    name: String,
    slot: usize,
    sheet: Sheet,
    view: View,
    raster: Rc<RefCell<Raster>>,
    /// Its rectangle.
    rect: (f64, f64, f64, f64),
}

struct Model {
    scene: Scene,
    failures: Vec<String>,
    layout: Layout,
    panels: Vec<Panel>,
    palette: Palette,
    /// The largest absolute value of the colours.
    bound: f32,
    planes: usize,
    /// Whether cells show the spread within them.
    spread: bool,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let sheets: Vec<(usize, Sheet)> =
            scene.slots.iter().filter_map(|slot| Some((slot.index, Sheet::of(slot)?))).collect();
        let layout = Layout::new(scene, size, sheets.len());
        let wanted = scene.options.choice("cells") == "spread";
        let mut bound = 0.0_f32;
        let mut coarse = false;
        let mut panels = Vec::new();
        let mut filled = Vec::new();
        for (i, (slot, sheet)) in sheets.into_iter().enumerate() {
            let rect = layout.panel(i);
            let view = View::new(scene, &sheet, rect, size.dpr, layout.panels);
            let spread = wanted && view.run > 1;
            let Some(slot) = scene.slots.iter().find(|s| s.index == slot) else { continue };
            let same = |filled: &&Filled| {
                filled.view == view
                    && filled.spread == spread
                    && filled.length == scene.length
                    && filled.config == slot.config
            };
            let known = LAST.with_borrow(|last| last.iter().find(same).map(|filled| filled.raster.clone()));
            let raster = known.unwrap_or_else(|| {
                let mut raster = Raster::new(view.dims, view.rows);
                sheet.fill(&view, spread, raster.cells_mut());
                raster.merge_columns(view.columns_run);
                Rc::new(RefCell::new(raster))
            });
            coarse |= view.run > 1;
            bound = bound.max(sheet.bound(raster.borrow().cells()));
            let config = slot.config.clone();
            filled.push(Filled { config, length: scene.length, view, spread, raster: raster.clone() });
            panels.push(Panel { name: common::name(&scene.slots, slot), slot: slot.index, sheet, view, raster, rect });
        }
        drop(LAST.replace(filled));
        // Where no cell stands for several positions there is no spread, and the values are shown.
        let spread = wanted && coarse;
        let bound = if bound > 0.0 { bound } else { 1.0 };
        let palette = Palette::new(scene.palette, if spread { 0.0 } else { -bound }, bound);
        let mut failures = common::failures(scene);
        failures.extend(common::undrawn(scene));
        Self {
            failures,
            planes: common::planes(&scene.slots),
            scene: scene.clone(),
            layout,
            panels,
            palette,
            bound,
            spread,
        }
    }

    fn last(&self) -> f64 {
        (self.scene.length - 1) as f64
    }

    /// The panel at a place, or the first: their positions are the same.
    fn panel_at(&self, x: f64) -> Option<&Panel> {
        self.panels.iter().find(|panel| x < panel.rect.0 + panel.rect.2).or(self.panels.last())
    }

    /// The cell at a place, within the view.
    fn cell_at(&self, x: f64, y: f64) -> Option<CursorPatch> {
        let panel = self.panel_at(x)?;
        let position = panel.view.position_at(panel.rect, y);
        let dim = panel.view.dim_at(panel.rect, x);
        Some(CursorPatch {
            position: Some(position as f64),
            plane: panel.sheet.plane_of(dim),
            ..CursorPatch::default()
        })
    }

    fn inside(&self, x: f64, y: f64) -> bool {
        self.panels.iter().any(|panel| {
            let (left, top, width, height) = panel.rect;
            x >= left && x < left + width && y >= top && y < top + height
        })
    }

    /// Shows so many positions and dimensions, from a first one each; all of them is written as 0.
    fn show(&self, first: f64, positions: f64, first_dim: f64, dims: f64) -> Response {
        let length = self.scene.length as f64;
        let widest = self.panels.iter().map(|panel| panel.sheet.width()).max().unwrap_or(1) as f64;
        let axis = |first: f64, count: f64, all: f64| {
            let count = count.round().clamp(1.0, all);
            let first = first.round().clamp(0.0, all - count);
            (first, if count >= all { 0.0 } else { count })
        };
        let (first, positions) = axis(first, positions, length);
        let (first_dim, dims) = axis(first_dim, dims, widest);
        let set = |key, value: f64| Edit::Set(Target::Figure(SPEC.id), key, (value as i64).to_string());
        let wanted = [("first_position", first), ("positions", positions), ("first_dim", first_dim), ("dims", dims)];
        let changed = wanted.into_iter().filter(|(key, value)| self.scene.options.integer(key) != *value as i64);
        let edits = changed.map(|(key, value)| set(key, value)).collect();
        Response { hover: None, edits, used: true }
    }

    /// Zooms so that the cell at a share of the view stays where it is.
    fn zoom(&self, (across, down): (f64, f64), factor: f64) -> Response {
        let Some(panel) = self.panels.first() else { return Response::default() };
        if !factor.is_finite() || factor <= 0.0 {
            return Response::default();
        }
        let view = &panel.view;
        let (count, dims) = (view.count as f64, view.dims as f64);
        let widest = self.panels.iter().map(|panel| panel.sheet.width()).max().unwrap_or(1) as f64;
        // A whole step at least, else a small table would never grow or shrink.
        let scaled = |count: f64, all: f64| {
            let next = (count / factor).round();
            let next = if factor < 1.0 { next.max(count + 1.0) } else { next };
            next.clamp(2.0_f64.min(all), all)
        };
        let (next, next_dims) = (scaled(count, self.scene.length as f64), scaled(dims, widest));
        self.show(
            view.first as f64 + down * (count - next),
            next,
            view.first_dim as f64 + across * (dims - next_dims),
            next_dims,
        )
    }

    fn pan(&self, from: (f64, f64), to: (f64, f64)) -> Response {
        let Some(panel) = self.panel_at(from.0) else { return Response::default() };
        let (view, (.., width, height)) = (&panel.view, panel.rect);
        let (first, first_dim) = PRESSED.get();
        self.show(
            first - (to.1 - from.1) / height * view.count as f64,
            view.count as f64,
            first_dim - (to.0 - from.0) / width * view.dims as f64,
            view.dims as f64,
        )
    }

    fn key(&self, key: &str, cursor: &Cursor) -> Response {
        let Some(panel) = self.panels.first() else { return Response::default() };
        let page = (panel.view.count / 10).max(1) as f64;
        let to = |position: f64| {
            common::moved(CursorPatch { position: Some(position.clamp(0.0, self.last())), ..CursorPatch::default() })
        };
        let plane = |by: i64| {
            let plane = Some(common::plane_by(cursor, by, self.planes));
            common::moved(CursorPatch { plane, ..CursorPatch::default() })
        };
        // The first whole position after, or before, one that lies between two.
        let (next, before) = (cursor.position.floor() + 1.0, cursor.position.ceil() - 1.0);
        let share = (
            (panel.sheet.dims_of(cursor.plane).0.unwrap_or(0) as f64 - panel.view.first_dim as f64)
                / panel.view.dims.max(1) as f64,
            (cursor.position - panel.view.first as f64) / panel.view.count.max(1) as f64,
        );
        let share = (share.0.clamp(0.0, 1.0), share.1.clamp(0.0, 1.0));
        match key {
            "ArrowDown" => to(next),
            "ArrowUp" => to(before),
            "ArrowRight" => plane(1),
            "ArrowLeft" => plane(-1),
            "PageDown" => to(cursor.position.floor() + page),
            "PageUp" => to(cursor.position.ceil() - page),
            "Home" => to(0.0),
            "End" => to(self.last()),
            "+" | "=" => self.zoom(share, 1.5),
            "-" | "_" => self.zoom(share, 1.0 / 1.5),
            "0" => self.show(0.0, f64::MAX, 0.0, f64::MAX),
            _ => Response::default(),
        }
    }

    /// Sine, cosine or constant at a cell, as a reading with its formula.
    fn reading(panel: &Panel, dim: usize, cursor: &Cursor) -> Option<Reading> {
        let value = panel.sheet.at(cursor.position, dim);
        let text = number::exact(value);
        let position = number::place(cursor.position);
        let frequency = panel.sheet.frequency(cursor.plane).map(number::exact);
        let math = match (panel.sheet.is_sine(dim), frequency) {
            (Some(true), Some(frequency)) => formulas::heatmap_sin(position, frequency, &text),
            (Some(false), Some(frequency)) => formulas::heatmap_cos(position, frequency, &text),
            (None, _) if panel.sheet.is_table() && value.is_finite() => formulas::heatmap_row(position, dim, &text),
            _ => return None,
        };
        Some(Reading { slot: Some(panel.slot), label: words::heatmap_reading(&panel.name, dim), value: text, math })
    }

    /// What the colour of a cell says, where it is that of many positions in one dimension.
    fn cell(&self, panel: &Panel, dim: usize, cursor: &Cursor) -> Option<Reading> {
        let view = &panel.view;
        let row = (cursor.position as u64).checked_sub(view.first)? / view.run;
        let column = dim.checked_sub(view.first_dim).filter(|column| *column < view.dims)?;
        if view.run < 2 || view.columns_run > 1 || row >= view.rows as u64 {
            return None;
        }
        let value = *panel.raster.borrow().cells().get(row as usize * view.dims + column).filter(|v| v.is_finite())?;
        let first = view.first + row * view.run;
        let last = (first + view.run).min(view.first + view.count) - 1;
        let label = if self.spread { words::heatmap_reading_spread } else { words::heatmap_reading_mean };
        let [first, last] = [first, last].map(|position| number::whole(position as i64));
        let (label, value) = (label(&panel.name, dim, first, last), number::short(f64::from(value)));
        Some(Reading { slot: Some(panel.slot), label, value, math: String::new() })
    }
}

/// So many of `width` dimensions that both of a plane are among: around them, or half around each where they are far
/// apart.
fn columns_about(plane: (Option<usize>, Option<usize>), width: usize, each: usize) -> Vec<usize> {
    let (a, b) = (plane.0.or(plane.1).unwrap_or(0), plane.1.or(plane.0).unwrap_or(0));
    let (low, high) = (a.min(b), a.max(b));
    let half = each / 2;
    let near = high - low < each;
    let mut columns = Vec::new();
    for (from, to, each) in if near { [(low, high, each), (0, 0, 0)] } else { [(low, low, half), (high, high, half)] } {
        let before = each.saturating_sub(to - from + 1) / 2;
        // Pairs that are neighbours stay together.
        let first = (from.saturating_sub(before) / 2 * 2).max((to + 1).saturating_sub(each));
        let first = first.min(width.saturating_sub(each));
        for dim in first..(first + each).min(width) {
            columns.push(dim);
        }
    }
    columns
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        paint::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let place = common::position_label(&self.scene.words, cursor.position);
        let mut sentences = self.failures.clone();
        for panel in &self.panels {
            let (cosine, sine) = panel.sheet.dims_of(cursor.plane);
            let value = |dim: Option<usize>| dim.map(|dim| number::short(panel.sheet.at(cursor.position, dim)));
            if let Some(rows) = panel.sheet.end().filter(|_| !panel.sheet.has(cursor.position)) {
                sentences.push(words::weights_past_the_end(&panel.name, number::place(cursor.position), rows - 1));
                continue;
            }
            if let (true, Some(first), Some(second)) = (panel.sheet.is_table(), sine, cosine) {
                let value = |dim| number::short(panel.sheet.at(cursor.position, dim));
                sentences.push(words::heatmap_summary_row(
                    &panel.name,
                    &place,
                    first,
                    value(first),
                    second,
                    value(second),
                ));
                continue;
            }
            sentences.push(match (value(sine), value(cosine)) {
                (Some(sine), Some(cosine)) => words::heatmap_summary(&panel.name, &place, cursor.plane, sine, cosine),
                (Some(value), None) | (None, Some(value)) => {
                    words::heatmap_summary_one(&panel.name, &place, cursor.plane, value)
                }
                (None, None) => words::heatmap_summary_none(&panel.name, cursor.plane),
            });
        }
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        for panel in &self.panels {
            let (cosine, sine) = panel.sheet.dims_of(cursor.plane);
            for dim in [sine, cosine].into_iter().flatten() {
                readings.extend(Self::reading(panel, dim, cursor));
                readings.extend(self.cell(panel, dim, cursor));
            }
        }
        readings
    }

    fn legend(&self) -> Vec<Legend> {
        if self.panels.is_empty() {
            return Vec::new();
        }
        let (low, high) = (self.palette.low() as f64, self.palette.high() as f64);
        let label = if self.spread { words::heatmap_spread() } else { words::heatmap_value() };
        let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short(low + t * (high - low)))).to_vec();
        let mut legend = vec![Legend::Scale { label: label.to_owned(), stops: self.palette.stops(11), ticks }];
        if self.panels.len() > 1 {
            for panel in &self.panels {
                legend.push(Legend::Slot { slot: panel.slot, label: panel.name.clone() });
            }
        }
        for panel in &self.panels {
            let view = &panel.view;
            if view.run > 1 {
                let run = number::whole(view.run as i64);
                legend.push(Legend::Note(if self.spread {
                    words::heatmap_spread_of(run)
                } else {
                    words::heatmap_mean_of(run)
                }));
                break;
            }
        }
        if let Some(panel) = self.panels.iter().find(|panel| panel.view.columns_run > 1) {
            legend.push(Legend::Note(words::heatmap_columns_of(panel.view.columns_run)));
        }
        if self.scene.options.choice("cells") == "spread" && !self.spread {
            legend.push(Legend::Note(words::heatmap_no_spread().to_owned()));
        }
        for panel in self.panels.iter().filter(|panel| panel.sheet.has_gaps()) {
            legend.push(Legend::Note(words::heatmap_not_rotated(&panel.name)));
        }
        for panel in &self.panels {
            let Some(rows) = panel.sheet.end() else { continue };
            let raster = panel.raster.borrow();
            let known = || raster.cells().iter().filter(|value| value.is_finite());
            let mean = known().map(|value| value.abs()).sum::<f32>() / known().count().max(1) as f32;
            // Another scheme has the greater values, and most of these are near the middle of its colours.
            if panel.sheet.bound(raster.cells()) < self.bound && mean * 5.0 < self.bound {
                legend.push(Legend::Note(words::weights_faint(&panel.name, number::short(f64::from(mean)))));
            }
            legend.push(Legend::Note(words::weights_end(&panel.name, rows - 1)));
            let untrained = panel.sheet.untrained(&panel.view);
            if !untrained.is_empty() {
                let list: Vec<String> = untrained.iter().take(6).map(|row| number::whole(*row as i64)).collect();
                legend.push(Legend::Note(words::weights_untrained(&panel.name, list.join(", "))));
            }
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        const ROWS: i64 = 40;
        const COLUMNS: usize = 24;
        if self.panels.is_empty() {
            return Table::default();
        }
        let each = number::columns(COLUMNS / self.panels.len());
        let mut head = vec![words::draw_position_head().to_owned()];
        let mut columns = Vec::new();
        for panel in &self.panels {
            for dim in columns_about(panel.sheet.dims_of(cursor.plane), panel.sheet.width(), each) {
                head.push(if self.panels.len() > 1 {
                    words::heatmap_head_of(&panel.name, dim)
                } else {
                    words::heatmap_head(dim)
                });
                columns.push((panel, dim));
            }
        }
        let length = self.scene.length as i64;
        let current = cursor.position as i64 / ROWS;
        let shown = (current + page).clamp(0, (length - 1) / ROWS);
        let rows = (shown * ROWS..((shown + 1) * ROWS).min(length))
            .map(|position| {
                let mut row = vec![match common::word_at(&self.scene.words, position as f64) {
                    Some(word) if !number::is_plain() => words::draw_row_word(number::whole(position), word),
                    _ => number::whole(position),
                }];
                row.extend(columns.iter().map(|(panel, dim)| number::exact(panel.sheet.at(position as f64, *dim))));
                row
            })
            .collect();
        Table {
            caption: words::heatmap_table(
                number::whole(shown * ROWS),
                number::whole(((shown + 1) * ROWS).min(length) - 1),
            ),
            head,
            rows,
            before: shown > 0,
            after: (shown + 1) * ROWS < length,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        match *input {
            Input::Hover { x, y } if self.inside(x, y) => self.cell_at(x, y).map(common::hovered).unwrap_or_default(),
            Input::Press { x, y, shift } => {
                if let Some(panel) = self.panel_at(x) {
                    PRESSED.set((panel.view.first as f64, panel.view.first_dim as f64));
                }
                if shift || !self.inside(x, y) {
                    return Response { used: !self.panels.is_empty(), ..Response::default() };
                }
                self.cell_at(x, y).map(common::moved).unwrap_or_default()
            }
            Input::Drag { from_x, from_y, x, y, shift } => {
                if shift || !self.inside(from_x, from_y) {
                    return self.pan((from_x, from_y), (x, y));
                }
                self.cell_at(x, y).map(common::moved).unwrap_or_default()
            }
            Input::Zoom { x, y, factor } => {
                let Some(panel) = self.panel_at(x) else { return Response::default() };
                let (left, top, width, height) = panel.rect;
                self.zoom((((x - left) / width).clamp(0.0, 1.0), ((y - top) / height).clamp(0.0, 1.0)), factor)
            }
            Input::Key { ref key, .. } => self.key(key, cursor),
            Input::Hover { .. } => Response::default(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
