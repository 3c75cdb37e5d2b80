//! Where the panels stand, and how they are drawn.

use super::{Model, picture, source::Patch};
use crate::draw::{Surface, number, pen::Align, ticks};
use crate::figures::{Scene, common};
use crate::state::Cursor;
use crate::words;
use posenc::{Encoding, grid::Grid};

/// The most rows, and columns, of a grid.
pub(super) const MOST: i64 = 64;
/// Left of the first panel of a line: numbers of rows.
const LEFT: f64 = 30.0;
/// Between panels.
const GAP: f64 = 18.0;
/// Above a panel: its name, and what its places are.
const ABOVE: f64 = 42.0;
/// Below a panel: numbers of columns.
const TICKS: f64 = 20.0;
/// Below the last panel: what the numbers are.
const BELOW: f64 = 18.0;
/// The longest side of a panel.
const MOST_SIDE: f64 = 440.0;
/// Room for one number.
const TICK: f64 = 24.0;

/// A rectangle: left, top, width, height, in CSS pixels.
type Rect = (f64, f64, f64, f64);

/// The grid of a scene: what is not chosen follows from the length of the sequence, which is the image.
pub(super) fn grid(scene: &Scene) -> Grid {
    let wanted = |key| scene.options.integer(key).clamp(0, MOST) as u64;
    let fit = |n: u64| n.clamp(1, MOST as u64);
    let (height, width) = match (wanted("rows"), wanted("cols")) {
        (0, 0) => {
            let side = fit(scene.length.isqrt());
            (side, side)
        }
        (0, width) => (fit(scene.length / width), width),
        (height, 0) => (height, fit(scene.length / height)),
        both => both,
    };
    Grid { height: height as usize, width: width as usize }
}

/// Whether a panel can show what is computed.
pub(super) fn is_drawn(encoding: &Encoding) -> bool {
    matches!(encoding, Encoding::Absolute(_) | Encoding::Grid(_) | Encoding::Rotary(_) | Encoding::Axial(_))
}

/// How many panels there are for so many schemes: the picture is one more.
pub(super) fn panels(schemes: usize) -> usize {
    if schemes == 0 { 0 } else { schemes + 1 }
}

/// Panels in a line.
fn columns(panels: usize, width: f64) -> usize {
    match panels {
        0 | 1 => 1,
        3 | 5 if width >= 600.0 => 3,
        4 if width >= 800.0 => 4,
        _ => 2,
    }
}

/// Places of the panels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Rows and columns of each.
    pub(super) grid: Grid,
    panels: Vec<Rect>,
}

impl Layout {
    pub(super) fn new(grid: Grid, width: f64, panels: usize) -> Self {
        let columns = columns(panels, width);
        let gaps = GAP * (columns - 1) as f64;
        let side = ((width - LEFT - gaps - 4.0) / columns as f64).clamp(1.0, MOST_SIDE);
        let cell = side / grid.width.max(grid.height) as f64;
        // Whole pixels where there are enough of them: all cells are then as large.
        let cell = if cell >= 3.0 { cell.floor() } else { cell };
        let (wide, high) = (cell * grid.width as f64, cell * grid.height as f64);
        // Few panels stand as far apart as their names need.
        let step = side.max(wide) + GAP;
        let panels = (0..panels).map(|i| {
            let left = LEFT.min(width * 0.3) + (i % columns) as f64 * step;
            (left, ABOVE + (i / columns) as f64 * (ABOVE + high + TICKS), wide, high)
        });
        Self { grid, panels: panels.collect() }
    }

    /// The height of everything.
    pub(super) fn height(&self) -> f64 {
        self.panels.last().map_or(160.0, |(_, top, _, high)| top + high + TICKS + BELOW)
    }

    /// The rectangle of a panel.
    pub(super) fn panel(&self, i: usize) -> Rect {
        self.panels[i]
    }

    /// Room for text above a panel.
    fn room(&self, i: usize, width: f64) -> f64 {
        let (left, top, ..) = self.panels[i];
        let next = self.panels.get(i + 1).filter(|next| next.1 == top);
        next.map_or(width - left, |next| next.0 - left - GAP / 2.0)
    }

    /// The patch nearest to a place, of the panel that another place lies in.
    pub(super) fn patch_at(&self, (from_x, from_y): (f64, f64), (x, y): (f64, f64)) -> Option<Patch> {
        let inside = |(left, top, width, height): &&Rect| {
            from_x >= *left && from_x < left + width && from_y >= *top && from_y < top + height
        };
        let (left, top, width, height) = self.panels.iter().find(inside)?;
        let cell = |share: f64, n: usize| ((share.clamp(0.0, 1.0) * n as f64) as usize).min(n - 1);
        Some((cell((y - top) / height, self.grid.height), cell((x - left) / width, self.grid.width)))
    }

    /// The middle of a patch of a panel.
    #[cfg(test)]
    pub(super) fn middle(&self, panel: usize, (row, column): Patch) -> (f64, f64) {
        let (x, y, wide, high) = self.cell(panel, (row, column));
        (x + wide / 2.0, y + high / 2.0)
    }

    fn cell(&self, panel: usize, (row, column): Patch) -> Rect {
        let (left, top, width, height) = self.panels[panel];
        let (wide, high) = (width / self.grid.width as f64, height / self.grid.height as f64);
        (left + column as f64 * wide, top + row as f64 * high, wide, high)
    }
}

/// The height of a scene on a width.
pub(super) fn height(scene: &Scene, width: f64) -> f64 {
    let schemes = scene.slots.iter().filter(|slot| common::encoding(slot).is_some_and(is_drawn)).count();
    Layout::new(grid(scene), width, panels(schemes)).height()
}

/// Draws all panels.
pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    let layout = &model.layout;
    let chosen = model.chosen(cursor);
    let other = model.other(cursor).filter(|other| *other != chosen);
    head(layout, on, 0, (words::patches_picture(), &on.ink.ink), words::patches_picture_by());
    axes(layout, on, 0);
    picture::draw(on, picture::View { layout: layout.clone(), chosen, other });
    for (i, panel) in (1..).zip(&model.panels) {
        let rect = layout.panels[i];
        panel.paint(chosen, |raster| {
            let cells = (layout.grid.width as f64, layout.grid.height as f64);
            raster.draw(on, model.palette(panel), cells, rect);
        });
        let colour = on.ink.slots.get(panel.slot).unwrap_or(&on.ink.ink);
        head(layout, on, i, (&panel.name, colour), &panel.kind);
        axes(layout, on, i);
        if let Some(other) = other {
            mark(layout, on, i, other, &on.ink.ink, 1.0);
        }
        mark(layout, on, i, chosen, &on.ink.accent, 2.0);
    }
    on.font(11.0);
    let (left, ..) = layout.panels[0];
    let text = on.fitted(words::patches_axes(), on.width - left);
    on.text(&text, left, layout.height() - 8.0, Align::Left, &on.ink.muted);
}

/// A panel's name in its colour, and what its places are.
fn head(layout: &Layout, on: &Surface, i: usize, (name, colour): (&str, &str), kind: &str) {
    let (left, top, ..) = layout.panels[i];
    let room = layout.room(i, on.width);
    on.font(12.0);
    on.text(&on.fitted(name, room), left, top - 27.0, Align::Left, colour);
    on.font(11.0);
    on.text(&on.fitted(kind, room), left, top - 11.0, Align::Left, &on.ink.muted);
}

fn axes(layout: &Layout, on: &Surface, i: usize) {
    let (left, top, width, height) = layout.panels[i];
    on.font(11.0);
    let most = |length: f64| (length / TICK).floor().max(1.0) as usize;
    for tick in ticks::whole(0.0, layout.grid.width as f64 - 1.0, most(width)) {
        let (x, ..) = layout.cell(i, (0, tick as usize));
        let x = x + width / layout.grid.width as f64 / 2.0;
        on.text(&number::whole(tick as i64), x, top + height + 10.0, Align::Centre, &on.ink.muted);
    }
    if left > LEFT + 1.0 {
        return;
    }
    for tick in ticks::whole(0.0, layout.grid.height as f64 - 1.0, most(height)) {
        let (_, y, ..) = layout.cell(i, (tick as usize, 0));
        let y = y + height / layout.grid.height as f64 / 2.0;
        on.text(&number::whole(tick as i64), left - 6.0, y, Align::Right, &on.ink.muted);
    }
}

/// A patch's outline, which reads on every colour.
pub(super) fn mark(layout: &Layout, on: &Surface, i: usize, patch: Patch, colour: &str, stroke: f64) {
    let (x, y, wide, high) = layout.cell(i, patch);
    let grow = |at: f64, size: f64| {
        let larger = size.max(5.0);
        (at - (larger - size) / 2.0, larger)
    };
    let ((x, wide), (y, high)) = (grow(x, wide), grow(y, high));
    on.outline((x, y, wide, high), &on.ink.paper, stroke + 2.5);
    on.outline((x, y, wide, high), colour, stroke);
}
