//! The clocks on their canvas.

use super::{Dial, HEAD, Model, Strip};
use crate::draw::{Part, Surface, number, pen::Align};
use crate::state::Cursor;
use crate::words;

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    if model.dials.is_empty() {
        on.clear();
        on.message(&model.failures.join(" "), (0.0, 0.0, on.width, model.height));
        return;
    }
    let strips = model.strips(cursor);
    let parts = strips.iter().zip(&model.dials).map(|(at, dial)| {
        let rect = (0.0, at.top, on.width, at.height());
        Part { rect, key: key(model, dial, at, cursor), draw: Box::new(move || strip(model, on, cursor, dial, at)) }
    });
    on.parts(parts.collect());
}

/// All that a strip's look follows from.
fn key(model: &Model, dial: &Dial, strip: &Strip, cursor: &Cursor) -> String {
    let scene = &model.scene;
    let config = scene.slots.iter().find(|slot| slot.index == dial.slot).map(|slot| slot.config.to_string());
    let planes: Vec<String> = strip.planes.iter().map(ToString::to_string).collect();
    format!(
        "{} {} {} {} {} {} {} {} {} {} {}",
        config.unwrap_or_default(),
        dial.slot,
        dial.name,
        scene.length,
        scene.said,
        scene.options.choice("vectors"),
        scene.seed,
        planes.join(","),
        cursor.plane,
        cursor.position,
        cursor.offset
    )
}

/// A scheme's name, score and clocks.
fn strip(model: &Model, on: &Surface, cursor: &Cursor, dial: &Dial, strip: &Strip) {
    let ink = &on.ink;
    let colour = |slot: usize| ink.slots.get(slot).unwrap_or(&ink.ink);
    head(model, on, cursor, dial, strip.top);
    on.font(11.0);
    strip.clocks(dial, cursor, |plane, clock, (x, y, cell)| {
        let chosen = plane == cursor.plane;
        clock.draw(on, colour(dial.slot), chosen);
        let middle = x + cell / 2.0;
        let below = y + cell + 6.0;
        let title = if chosen { &ink.accent } else { &ink.ink };
        on.text(&words::heatmap_plane(plane), middle, below, Align::Centre, title);
        let tokens = number::digits(dial.wavelength(plane), 3);
        let mut wavelength = words::rotation_wavelength(&tokens);
        if on.text_width(&wavelength) > cell - 4.0 {
            wavelength = words::rotation_wavelength_short(&tokens);
        }
        on.text(&wavelength, middle, below + 15.0, Align::Centre, &ink.muted);
        let one = dial.is_one(cursor);
        let tokens = if one { cursor.position } else { cursor.offset as f64 };
        let angle = Model::angle(tokens * dial.frequency(plane));
        on.text(&angle, middle, below + 30.0, Align::Centre, &ink.muted);
        if !one {
            let share = number::digits(dial.share(plane, cursor.position, cursor.offset), 3);
            on.text(&words::rotation_adds(share), middle, below + 45.0, Align::Centre, &ink.muted);
        }
    });
}

/// Name and score of a scheme, above its clocks.
fn head(model: &Model, on: &Surface, cursor: &Cursor, dial: &Dial, top: f64) {
    let ink = &on.ink;
    let y = top + HEAD / 2.0 - 1.0;
    on.font(12.0);
    let score = match dial.score(cursor.offset).map(number::short) {
        Some(score) if dial.rotary => words::rotation_score(score),
        Some(product) if !dial.is_one(cursor) => words::rotation_product_short(product),
        _ => String::new(),
    };
    on.text(&score, model.width - 4.0, y, Align::Right, &ink.ink);
    let room = (model.width - on.text_width(&score) - 20.0).max(20.0);
    let name = on.fitted(&dial.name, room);
    on.text(&name, 4.0, y, Align::Left, ink.slots.get(dial.slot).unwrap_or(&ink.ink));
}
