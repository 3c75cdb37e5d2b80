//! The clocks on their canvas.

use super::{FOOT, HEAD, Model, grid};
use crate::draw::{Surface, number, pen::Align};
use crate::state::Cursor;
use crate::words;

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    if model.dials.is_empty() {
        on.message(&model.failures.join(" "), (0.0, 0.0, on.width, model.height));
        return;
    }
    let ink = &on.ink;
    let colour = |slot: usize| ink.slots.get(slot).unwrap_or(&ink.ink);
    heads(model, on, cursor);
    on.font(11.0);
    model.clocks(cursor, |i, plane, clock, (x, y, cell)| {
        let dial = &model.dials[i];
        let chosen = plane == cursor.plane;
        clock.draw(on, colour(dial.slot), chosen);
        let middle = x + cell / 2.0;
        let below = y + cell + 6.0;
        let title = if chosen { &ink.accent } else { &ink.ink };
        on.text(&words::heatmap_plane(plane), middle, below, Align::Centre, title);
        let wavelength = words::rotation_wavelength(number::digits(dial.wavelength(plane), 3));
        on.text(&wavelength, middle, below + 15.0, Align::Centre, &ink.muted);
        let angle = Model::angle(cursor.offset as f64 * dial.frequency(plane));
        let share = number::digits(dial.share(plane, cursor.offset), 3);
        on.text(&angle, middle, below + 30.0, Align::Centre, &ink.muted);
        on.text(&words::rotation_adds(share), middle, below + 45.0, Align::Centre, &ink.muted);
    });
}

/// Name and score of each scheme, above its clocks.
fn heads(model: &Model, on: &Surface, cursor: &Cursor) {
    let ink = &on.ink;
    let mut top = 0.0;
    for dial in &model.dials {
        let shown = dial.shown(model.scene.options.list("planes"), cursor.plane).len();
        let (columns, cell) = grid(model.width, shown);
        let y = top + HEAD / 2.0 - 1.0;
        on.font(12.0);
        let score =
            dial.score(cursor.offset).map_or_else(String::new, |score| words::rotation_score(number::short(score)));
        on.text(&score, model.width - 4.0, y, Align::Right, &ink.ink);
        let room = (model.width - on.text_width(&score) - 20.0).max(20.0);
        let name = on.fitted(&dial.name, room);
        on.text(&name, 4.0, y, Align::Left, ink.slots.get(dial.slot).unwrap_or(&ink.ink));
        top += HEAD + shown.div_ceil(columns) as f64 * (cell + FOOT);
    }
}
