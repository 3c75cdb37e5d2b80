//! The heatmap on its canvas.

use super::{
    Model, Panel, ends,
    view::{Labels, Layout},
};
use crate::draw::{
    Part, Surface, number,
    pen::{Align, DASHES},
    ticks,
};
use crate::figures::common;
use crate::state::Cursor;
use crate::words;

/// Room for one number of an axis, in CSS pixels.
const TICK: f64 = 44.0;
/// Size of the font of the names, in CSS pixels.
const TITLE: f64 = 12.0;
/// Length of a slot's line above its panel.
const SIGN: f64 = 24.0;
/// From the labels of the rows to the first panel, in CSS pixels: a mark on it reaches as far.
const ROWS: f64 = 2.0;
/// From a panel to the numbers below it, in CSS pixels: its ticks reach that far, and so does the label of its last row.
const DIMS: f64 = 6.0;
/// Half of the widest such number: nearer to an edge it is measured.
const EDGE: f64 = 22.0;

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    if model.panels.is_empty() {
        on.clear();
        on.message(&model.failures.join(" "), (0.0, 0.0, on.width, on.height));
        return;
    }
    let last = model.panels.len() - 1;
    let (first, top, _, height) = model.panels[0].rect;
    let (edge, bottom) = (first - ROWS, top + height + DIMS);
    // From the middle of the gap before a panel to the middle of the one after it.
    let left = |i: usize| if i == 0 { 0.0 } else { model.panels[i].rect.0 - Layout::GAP / 2.0 };
    let right = |i: usize| if i == last { on.width } else { left(i + 1) };
    let fits = |panel: &Panel| on.text_width(&panel.name) <= panel.rect.2 - SIGN - 6.0;
    on.font(TITLE);
    let named = model.panels.iter().all(fits);
    let mut parts = vec![Part::between((0.0, 0.0, edge, bottom), rows_key(model, cursor), || rows(model, on, cursor))];
    for (i, panel) in model.panels.iter().enumerate() {
        let (from, to) = (left(i), right(i));
        parts.push(Part::between((from.max(edge), 0.0, to, bottom), key(model, panel, cursor, named), move || {
            if last > 0 {
                title(on, panel, named);
            }
            let view = &panel.view;
            let cells = (view.dims as f64 / view.columns_run as f64, view.count as f64 / view.run as f64);
            panel.raster.borrow_mut().draw(on, &model.palette, cells, panel.rect);
            ends::draw(on, panel);
            for (_, x) in ticks_of(panel) {
                on.line((on.crisp(x), top + height), (on.crisp(x), top + height + 4.0), &on.ink.muted, 1.0 / on.dpr);
            }
            mark(on, panel, cursor);
        }));
        let view = &panel.view;
        let axis = format!("{} {} {}", view.first_dim, view.dims, model.scene.said);
        parts.push(Part::between((from, bottom, to, on.height), axis, move || dims(on, panel, (from, to))));
    }
    on.parts(parts);
}

/// All that a panel's look follows from.
fn key(model: &Model, panel: &Panel, cursor: &Cursor, named: bool) -> String {
    let scene = &model.scene;
    let config = scene.slots.iter().find(|slot| slot.index == panel.slot).map(|slot| slot.config.to_string());
    let view = &panel.view;
    format!(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
        config.unwrap_or_default(),
        panel.slot,
        panel.name,
        scene.length,
        view.first,
        view.count,
        view.run,
        view.rows,
        view.first_dim,
        view.dims,
        view.columns_run,
        model.spread,
        scene.palette,
        // As f64: there is no other text of an f32, and the code for one is a kilobyte.
        f64::from(model.bound),
        cursor.position.floor(),
        cursor.plane,
        scene.said,
        named,
    )
}

/// All that the labels of the rows follow from.
fn rows_key(model: &Model, cursor: &Cursor) -> String {
    let view = &model.panels[0].view;
    let words = model.scene.words.join(" ");
    format!("{} {} {} {} {words}", view.first, view.count, cursor.position.floor(), model.scene.said)
}

/// A slot's line, as in the legend, and its name where there is room for the names of all (`named`).
fn title(on: &Surface, panel: &Panel, named: bool) {
    on.font(TITLE);
    let (left, _, width, _) = panel.rect;
    let colour = on.ink.slots.get(panel.slot).unwrap_or(&on.ink.ink);
    let sign = SIGN.min(width);
    on.dash(DASHES.get(panel.slot).copied().unwrap_or(&[]));
    on.line((left, 9.0), (left + sign, 9.0), colour, 3.0);
    on.dash(&[]);
    if named {
        on.text(&panel.name, left + sign + 6.0, 9.0, Align::Left, colour);
    }
}

/// Dimensions that have a number below a panel, and where they stand across.
fn ticks_of(panel: &Panel) -> impl Iterator<Item = (f64, f64)> {
    let (view, rect) = (&panel.view, panel.rect);
    let most = (rect.2 / TICK).floor().max(1.0) as usize;
    let last = (view.first_dim + view.dims - 1) as f64;
    let place = move |tick: f64| (tick, view.x_of(rect, tick + 0.5));
    ticks::whole(view.first_dim as f64, last, most).into_iter().map(place)
}

/// Numbers of dimensions, below a panel, within its part of the canvas.
fn dims(on: &Surface, panel: &Panel, (from, to): (f64, f64)) {
    let (left, top, width, height) = panel.rect;
    on.font(11.0);
    for (tick, x) in ticks_of(panel) {
        let text = number::whole(tick as i64);
        let half = if x - from < EDGE || to - x < EDGE { on.text_width(&text) / 2.0 } else { 0.0 };
        let x = x.min(to - half).max(from + half);
        on.text(&text, x, top + height + 12.0, Align::Centre, &on.ink.muted);
    }
    if on.text_width(words::heatmap_dimension()) <= width + Layout::GAP {
        on.text(words::heatmap_dimension(), left + width / 2.0, on.height - 6.0, Align::Centre, &on.ink.muted);
    }
}

/// The cursor's row and the columns of its plane.
fn mark(on: &Surface, panel: &Panel, cursor: &Cursor) {
    let (view, (left, top, width, height)) = (&panel.view, panel.rect);
    let accent = &on.ink.accent;
    let (cosine, sine) = panel.sheet.dims_of(cursor.plane);
    let mut label = None;
    for dim in [sine, cosine].into_iter().flatten() {
        if dim < view.first_dim || dim >= view.first_dim + view.dims {
            continue;
        }
        let (from, to) = (view.x_of(panel.rect, dim as f64), view.x_of(panel.rect, dim as f64 + 1.0));
        let wide = (to - from).max(3.0);
        // Within the panel: what is left of it is another part.
        let from = ((from + to - wide) / 2.0).max(left);
        on.fill((from, top - 5.0, wide, 4.0), accent);
        outlined(on, (from, top, wide, height));
        label = label.or(Some(f64::midpoint(from, to)));
    }
    if let Some(x) = label {
        on.font(11.0);
        let text = words::heatmap_plane(cursor.plane);
        // Beside a neighbour's, the number alone.
        let text = if on.text_width(&text) <= width + Layout::GAP / 2.0 { text } else { cursor.plane.to_string() };
        let half = on.text_width(&text) / 2.0;
        let x = x.clamp(left + half, (left + width - half).max(left + half));
        on.text(&text, x, top - 12.0, Align::Centre, accent);
    }
    let row = cursor.position.floor();
    if row >= view.first as f64 && row < (view.first + view.count) as f64 {
        let (from, to) = (view.y_of(panel.rect, row), view.y_of(panel.rect, row + 1.0));
        let high = (to - from).max(3.0);
        outlined(on, (left, (from + to - high) / 2.0, width, high));
    }
}

/// An outline that reads on every colour: the accent between two hairlines of paper.
fn outlined(on: &Surface, rect: (f64, f64, f64, f64)) {
    on.outline(rect, &on.ink.paper, 3.0);
    on.outline(rect, &on.ink.accent, 1.5);
}

/// Labels of rows, left of the panels, and the cursor's.
fn rows(model: &Model, on: &Surface, cursor: &Cursor) {
    let Some(panel) = model.panels.first() else { return };
    let (view, (left, top, _, height)) = (&panel.view, panel.rect);
    let ink = &on.ink;
    let current = cursor.position.floor();
    let middle = |position: f64| view.y_of(panel.rect, position + 0.5);
    let last = (view.first + view.count - 1) as f64;
    on.font(11.0);
    if on.text_width(words::draw_position_head()) <= left - 8.0 {
        on.text(words::draw_position_head(), left - 8.0, top - 12.0, Align::Right, &ink.muted);
    }
    match model.layout.labels {
        Labels::Numbers => {
            let most = (height / 28.0).floor().max(1.0) as usize;
            let shown = current >= view.first as f64 && current <= last;
            for tick in ticks::whole(view.first as f64, last, most) {
                let y = middle(tick).clamp(top, top + height);
                on.line((left - 6.0, on.crisp(y)), (left - ROWS, on.crisp(y)), &ink.muted, 1.0 / on.dpr);
                if !shown || (y - middle(current)).abs() > 13.0 {
                    on.text(&number::whole(tick as i64), left - 8.0, y, Align::Right, &ink.muted);
                }
            }
            if shown {
                on.text(&number::whole(current as i64), left - 8.0, middle(current), Align::Right, &ink.accent);
            }
        }
        labels => {
            let columns = if labels == Labels::Staggered { 2.0 } else { 1.0 };
            let row = height / view.count as f64;
            on.font((row * columns * 0.8).clamp(9.0, 12.0));
            let room = (left - 8.0) / columns - 6.0;
            for position in view.first..view.first + view.count {
                let word = common::word_at(&model.scene.words, position as f64);
                let y = middle(position as f64);
                let outer = labels == Labels::Staggered && position % 2 == 1;
                let right = if outer { left - 8.0 - room - 6.0 } else { left - 8.0 };
                let here = position as f64 == current;
                let colour = if here { &ink.accent } else { &ink.ink };
                let text = match word {
                    Some(word) => on.fitted(word, room),
                    // Past the text, every fifth position by its number.
                    None if position % 5 == 0 || here => number::whole(position as i64),
                    None => continue,
                };
                if outer {
                    // The leader runs between the words of the inner column.
                    on.line((right + 2.0, on.crisp(y)), (left - ROWS, on.crisp(y)), &ink.hairline, 1.0 / on.dpr);
                } else {
                    on.line((left - 6.0, on.crisp(y)), (left - ROWS, on.crisp(y)), &ink.hairline, 1.0 / on.dpr);
                }
                on.text(&text, right, y, Align::Right, colour);
            }
        }
    }
}
