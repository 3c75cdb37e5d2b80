//! The curves on their canvas.

use super::{ABOVE, Curve, Facet, GAP, Model, Quantity, ZERO};
use crate::draw::{
    Part, Surface,
    charts::{Item, Plot, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::state::Cursor;
use crate::words;

/// From one label at a line to the next, in CSS pixels.
const LABEL: f64 = 15.0;
/// How far what is drawn on a plot reaches beyond it, in CSS pixels: the dots of the cursor, ticks and the mark of `aim`.
const MARKS: f64 = 7.0;
/// From a plot to the middle of the title above it, in CSS pixels.
const TITLE: f64 = 15.0;

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    if model.facets.is_empty() {
        on.clear();
        on.message(&model.failures.join(" "), (0.0, 0.0, on.width, on.height));
        return;
    }
    let curves = model.curves.borrow();
    let x_ticks = x_ticks(model);
    let own =
        |facet: &Facet| -> Vec<&Curve> { curves.iter().filter(|curve| curve.quantity == facet.quantity).collect() };
    let facets: Vec<(Plot, Vec<&Curve>)> =
        model.facets.iter().map(|facet| (model.plot(facet, &curves), own(facet))).collect();
    let axis = model.left - if model.axis.log { ZERO } else { 0.0 } - MARKS;
    let mut parts = Vec::new();
    for (i, ((plot, own), facet)) in facets.iter().zip(&model.facets).enumerate() {
        let (over, top) = (if i == 0 { 0.0 } else { plot.top - ABOVE + MARKS }, plot.top - MARKS);
        let under = facets.get(i + 1).map_or(plot.top + plot.height, |(next, _)| next.top - ABOVE) + MARKS;
        let what = format!("{} {}", Model::quantity_name(facet.quantity), model.scene.said);
        let scale = format!("{} {} {what}", plot.y.value(0.0), plot.y.value(1.0));
        parts.push(Part::between((0.0, over, on.width, top), what, move || title(on, facet, plot)));
        parts.push(Part::between((0.0, top, axis, under), scale, move || y_axis(on, facet, plot, axis)));
        let key = key(model, plot, own, cursor);
        let ticks = &x_ticks;
        parts.push(Part::between((axis, top, on.width, under), key, move || {
            curves_of(model, on, facet, (plot, own), ticks, cursor);
        }));
    }
    if let Some((plot, _)) = facets.last() {
        let rect = (0.0, plot.top + plot.height + MARKS, on.width, on.height);
        let key = format!("{} {}", places(model, plot), cursor.offset);
        parts.push(Part::between(rect, key, || x_axis(model, on, plot, &x_ticks, cursor)));
    }
    on.parts(parts);
}

/// The plot of a facet, and the names beside it.
fn curves_of(
    model: &Model,
    on: &Surface,
    facet: &Facet,
    (plot, own): (&Plot, &[&Curve]),
    x_ticks: &[f64],
    cursor: &Cursor,
) {
    let mut items = Vec::new();
    grid(model, on, facet, plot, x_ticks, &mut items);
    for curve in own {
        shape(on, plot, curve, &mut items);
    }
    cursor_line(model, on, plot, cursor, &mut items);
    for curve in own {
        cursor_dot(model, on, plot, curve, cursor, &mut items);
    }
    on_canvas(on, &items);
    if model.names {
        on.font(12.0);
        names(model, on, plot, own.iter().copied());
    }
}

/// What is measured, above a facet.
fn title(on: &Surface, facet: &Facet, plot: &Plot) {
    on.font(12.0);
    let title = on.fitted(Model::quantity_name(facet.quantity), on.width - 8.0);
    on.text(&title, 4.0, plot.top - TITLE, Align::Left, &on.ink.muted);
}

/// Where the offsets stand, and whether all words are here.
fn places(model: &Model, plot: &Plot) -> String {
    let axis = &model.axis;
    format!("{} {} {} {} {} {}", plot.left, plot.width, axis.low, axis.high, axis.log, model.scene.said)
}

/// All that a facet's look follows from.
fn key(model: &Model, plot: &Plot, curves: &[&Curve], cursor: &Cursor) -> String {
    let mut key = format!("{} {} {} {}", places(model, plot), model.aim, model.names, cursor.offset);
    for curve in curves {
        // Its numbers stand for all that they follow from, and change as they are refined.
        let trace = &curve.trace;
        let values =
            [&trace.low, &trace.mid, &trace.high].into_iter().flatten().map(|value| u64::from(value.to_bits()));
        let all = values.chain(trace.offsets.iter().map(|offset| offset.to_bits()));
        let sum = all.fold(0xcbf2_9ce4_8422_2325_u64, |sum, bits| (sum ^ bits).wrapping_mul(0x100_0000_01b3));
        for part in [curve.slot.to_string(), curve.name.clone(), curve.is_table().to_string(), sum.to_string()] {
            key.push(' ');
            key.push_str(&part);
        }
    }
    key
}

fn x_ticks(model: &Model) -> Vec<f64> {
    let (low, high) = (model.axis.low as f64, model.axis.high as f64);
    let room = if high >= 1e6 { 84.0 } else { 58.0 };
    let most = (model.width / room).floor().max(1.0) as usize;
    if model.axis.log { ticks::logarithmic(low, high, most) } else { ticks::whole(low, high, most) }
}

fn y_ticks(facet: &Facet, plot: &Plot) -> Vec<f64> {
    if facet.quantity == Quantity::Content {
        return Vec::new();
    }
    let most = (plot.height / 34.0).floor().max(1.0) as usize;
    ticks::linear(plot.y.value(0.0), plot.y.value(1.0), most)
}

fn line(points: Vec<(f64, f64)>, width: f64, colour: &str) -> Item {
    Item::Line { points, width, colour: colour.to_owned(), dash: &[] }
}

fn grid(model: &Model, on: &Surface, facet: &Facet, plot: &Plot, x_ticks: &[f64], items: &mut Vec<Item>) {
    let hair = 1.0 / on.dpr;
    let left = model.left - if model.axis.log { ZERO } else { 0.0 };
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    for tick in y_ticks(facet, plot) {
        let y = on.crisp(plot.y_of(tick));
        items.push(line(vec![(left, y), (right, y)], hair, &on.ink.hairline));
    }
    for tick in x_ticks {
        let x = on.crisp(plot.x_of(*tick));
        items.push(line(vec![(x, bottom), (x, bottom + 4.0)], hair, &on.ink.muted));
    }
    items.push(line(vec![(left, on.crisp(bottom)), (right, on.crisp(bottom))], hair, &on.ink.muted));
}

fn colour(on: &Surface, slot: usize) -> &str {
    on.ink.slots.get(slot).unwrap_or(&on.ink.ink)
}

/// A curve: its range where a column covers many offsets, and its line.
fn shape(on: &Surface, plot: &Plot, curve: &Curve, items: &mut Vec<Item>) {
    let trace = &curve.trace;
    let colour = colour(on, curve.slot);
    let x: Vec<f64> = trace.offsets.iter().map(|offset| plot.x_of(*offset)).collect();
    let down = |values: &[f32]| -> Vec<f64> { values.iter().map(|v| plot.y_of(f64::from(*v))).collect() };
    if trace.low.iter().zip(&trace.high).any(|(low, high)| high > low) {
        let (upper, lower) = (down(&trace.high), down(&trace.low));
        items.push(Item::Band { x: x.clone(), upper, lower, colour: colour.to_owned(), alpha: 0.25 });
    }
    let y = down(&trace.mid);
    let points: Vec<(f64, f64)> = x.iter().copied().zip(y).filter(|(_, y)| y.is_finite()).collect();
    // Whole offsets alone have a score: where they are far enough apart, they are dots on the line.
    if curve.is_profile() && points.len() as f64 * 7.0 <= plot.width {
        items.extend(points.iter().map(|at| Item::Point { at: *at, radius: 2.0, colour: colour.to_owned() }));
    }
    let dash = DASHES.get(curve.slot).copied().unwrap_or(&[]);
    items.push(Item::Line { points, width: 1.75, colour: colour.to_owned(), dash });
}

fn cursor_line(model: &Model, on: &Surface, plot: &Plot, cursor: &Cursor, items: &mut Vec<Item>) {
    let bottom = plot.top + plot.height;
    if let Some(x) = model.x_of(cursor.offset) {
        let x = on.crisp(x);
        items.push(line(vec![(x, plot.top), (x, bottom)], 1.0, &on.ink.accent));
    }
    if model.aim != 0
        && let Some(x) = model.x_of(model.aim)
    {
        let points = vec![(x, bottom), (x - 4.0, bottom + 5.0), (x + 4.0, bottom + 5.0)];
        items.push(Item::Area { points, colour: on.ink.ink.clone(), alpha: 1.0 });
    }
}

fn cursor_dot(model: &Model, on: &Surface, plot: &Plot, curve: &Curve, cursor: &Cursor, items: &mut Vec<Item>) {
    let zero = model.axis.log.then(|| model.x_of(0)).flatten();
    let mut dot = |x: Option<f64>, offset: i64, radius: f64| {
        let value = if curve.quantity == Quantity::Content { Some(0.0) } else { curve.at(offset, &model.scene) };
        let value = value.filter(|value| value.is_finite());
        if let (Some(x), Some(value)) = (x, value) {
            let at = (x, plot.y_of(value).clamp(plot.top, plot.top + plot.height));
            items.push(Item::Point { at, radius: radius + 1.5, colour: on.ink.paper.clone() });
            items.push(Item::Point { at, radius, colour: colour(on, curve.slot).to_owned() });
        }
    };
    if zero.is_some() && !curve.is_table() && !curve.is_band() {
        dot(zero, 0, 2.5);
    }
    dot(model.x_of(cursor.offset), cursor.offset, 4.5);
}

fn y_axis(on: &Surface, facet: &Facet, plot: &Plot, right: f64) {
    on.font(11.0);
    for tick in y_ticks(facet, plot) {
        on.text(&number::tick(tick), right, plot.y_of(tick), Align::Right, &on.ink.muted);
    }
    if facet.quantity == Quantity::Content {
        on.text(words::offset_content_tick(), right, plot.y_of(0.0), Align::Right, &on.ink.muted);
    }
}

fn x_axis(model: &Model, on: &Surface, plot: &Plot, x_ticks: &[f64], cursor: &Cursor) {
    on.font(11.0);
    let y = plot.top + plot.height + 13.0;
    let right = on.width - 2.0;
    let place = |text: &str, x: f64| {
        let half = on.text_width(text) / 2.0;
        x.min(right - half).max(half)
    };
    let here = model.x_of(cursor.offset).map(|x| {
        let text = number::whole(cursor.offset);
        (place(&text, x), on.text_width(&text), text)
    });
    let free =
        |x: f64, width: f64| here.as_ref().is_none_or(|(at, wide, _)| (x - at).abs() > (width + wide) / 2.0 + 6.0);
    let label = |tick: f64, x: f64| {
        let text = number::whole(tick as i64);
        let x = place(&text, x);
        if free(x, on.text_width(&text)) {
            on.text(&text, x, y, Align::Centre, &on.ink.muted);
        }
    };
    for tick in x_ticks {
        label(*tick, plot.x_of(*tick));
    }
    if model.axis.log
        && let Some(x) = model.x_of(0)
    {
        label(0.0, x);
    }
    if let Some((x, _, text)) = &here {
        on.text(text, *x, y, Align::Centre, &on.ink.accent);
    }
    let title = on.fitted(words::offset_axis(), on.width - 8.0);
    on.text(&title, plot.left + plot.width / 2.0, on.height - 8.0, Align::Centre, &on.ink.muted);
}

/// Names right of the ends of the lines, pushed apart: where one is too long, the scheme's with the number of the slot.
fn names<'a>(model: &Model, on: &Surface, plot: &Plot, curves: impl Iterator<Item = &'a Curve>) {
    let mut labels: Vec<(f64, &Curve)> = Vec::new();
    for curve in curves {
        let end = curve.trace.mid.last().copied().filter(|v| v.is_finite());
        let y = end.map_or(plot.top + plot.height / 2.0, |end| plot.y_of(f64::from(end)));
        // Four at the most: a sort would be more code than the rest.
        labels.insert(labels.partition_point(|(above, _)| *above <= y), (y, curve));
    }
    let count = labels.len();
    let mut least = plot.top + 6.0;
    for (i, (y, curve)) in labels.into_iter().enumerate() {
        // Room is kept for those below.
        let most = plot.top + plot.height - 6.0 - (count - 1 - i) as f64 * LABEL;
        let y = y.min(most).max(least);
        least = y + LABEL;
        let left = plot.left + plot.width + GAP;
        let mut name = curve.label();
        if on.text_width(&name) > on.width - left
            && let Some(slot) = model.scene.slots.iter().find(|slot| slot.index == curve.slot)
        {
            name = words::draw_numbered(words::scheme_name(slot.config.spec.id), curve.slot + 1);
        }
        on.text(&name, left, y, Align::Left, colour(on, curve.slot));
    }
}
