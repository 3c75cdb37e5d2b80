//! The curves over the length, on their canvas.

use super::{Costing, Line, time};
use crate::draw::{
    Surface,
    charts::{Item, Plot, Span, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::state::Cursor;
use crate::words;
use posenc::costs::Stale;

/// Above the plot: what its numbers are.
pub(super) const ABOVE: f64 = 24.0;
/// Below it: lengths.
pub(super) const BELOW: f64 = 40.0;
/// Left of it: numbers with their units.
const LEFT: f64 = 84.0;
/// Right of it.
const RIGHT: f64 = 22.0;
/// From one point of a curve to the next, in CSS pixels.
const STEP: f64 = 3.0;

impl Costing {
    fn plot(&self, y: Span) -> Plot {
        let left = f64::min(LEFT, (self.size.width * 0.3).floor());
        let (low, high) = self.ends();
        Plot {
            left,
            top: ABOVE,
            width: (self.size.width - left - RIGHT).max(1.0),
            height: (self.size.height - ABOVE - BELOW).max(1.0),
            x: Span::Log(low as f64, high as f64),
            y,
        }
    }

    /// The length at a place of the canvas.
    pub(super) fn length_at(&self, x: f64, y: f64) -> Option<u64> {
        let plot = self.plot(Span::Log(1.0, 10.0));
        let inside = (plot.left - 6.0..=plot.left + plot.width + 6.0).contains(&x)
            && (0.0..=plot.top + plot.height + BELOW).contains(&y);
        inside.then(|| self.length_across(x))
    }

    /// The length at a place across, or at the end that lies that way.
    pub(super) fn length_across(&self, x: f64) -> u64 {
        let (low, high) = self.ends();
        let length = libm::round(self.plot(Span::Log(1.0, 10.0)).x_at(x));
        (length.max(low as f64) as u64).clamp(low, high)
    }

    /// The lengths at which a curve is drawn, in their order; where it jumps or ends, those on both sides.
    pub(super) fn lengths(&self, line: Option<&Line>) -> Vec<u64> {
        let (low, high) = self.ends();
        if self.is_timed() {
            return time::LENGTHS.to_vec();
        }
        let plot = self.plot(Span::Log(1.0, 10.0));
        let steps = libm::ceil(plot.width / STEP).max(1.0) as usize;
        let mut lengths: Vec<u64> =
            (0..=steps).map(|i| self.length_across(plot.left + i as f64 / steps as f64 * plot.width)).collect();
        if let Some(line) = line {
            match line.stale {
                Stale::Never => {}
                Stale::Past(length) | Stale::At(length) => {
                    lengths.extend([0, 1, 2].map(|more| length as u64 + more));
                }
            }
            lengths.extend(line.rows);
        }
        let last = line.and_then(|line| line.rows).unwrap_or(high).min(high);
        lengths.retain(|length| (low..=last).contains(length));
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }
}

fn line(points: Vec<(f64, f64)>, width: f64, colour: &str, dash: &'static [f64]) -> Item {
    Item::Line { points, width, colour: colour.to_owned(), dash }
}

fn colour(on: &Surface, slot: usize) -> &str {
    on.ink.slots.get(slot).unwrap_or(&on.ink.ink)
}

pub(super) fn draw(costing: &Costing, on: &Surface, cursor: &Cursor) {
    let span = costing.span();
    let plot = costing.plot(span.unwrap_or(Span::Log(1.0, 10.0)));
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let hair = 1.0 / on.dpr;
    let most = (plot.height / 34.0).floor().max(2.0) as usize;
    let (low, high) = (plot.y.value(0.0), plot.y.value(1.0));
    let y_ticks = if span.is_some() { ticks::logarithmic(low, high, most) } else { Vec::new() };
    let mut items = Vec::new();
    for tick in &y_ticks {
        let y = on.crisp(plot.y_of(*tick));
        items.push(line(vec![(plot.left, y), (right, y)], hair, &on.ink.hairline, &[]));
    }
    items.push(line(vec![(plot.left, on.crisp(bottom)), (right, on.crisp(bottom))], hair, &on.ink.muted, &[]));
    let here = costing.here(cursor);
    let x = on.crisp(plot.x_of(here as f64));
    // Through the sentence that nothing is measured there is no line.
    if span.is_some() || !costing.is_timed() {
        items.push(line(vec![(x, plot.top), (x, bottom)], 1.0, &on.ink.accent, &[]));
    }
    if span.is_some() {
        let place = |length: u64, value: f64| (plot.x_of(length as f64), plot.y_of(value));
        let anyway = |length: u64| Some(place(length, costing.anyway(length)?));
        let points = costing.lengths(None).into_iter().filter_map(anyway).collect();
        items.push(line(points, 1.0, &on.ink.muted, &[]));
        for own in &costing.lines {
            curve(costing, on, own, &place, &mut items);
        }
        for own in &costing.lines {
            if let Some(value) = costing.value(own, here).filter(|value| *value > 0.0) {
                let at = place(here, value);
                items.push(Item::Point { at, radius: 6.0, colour: on.ink.paper.clone() });
                items.push(Item::Point { at, radius: 4.5, colour: colour(on, own.slot).to_owned() });
            }
        }
    }
    on_canvas(on, &items);
    if span.is_none() {
        let area = (plot.left, plot.top, plot.width, plot.height);
        let text = if costing.unmeasured().is_some() {
            words::cost_time_none().to_owned()
        } else {
            words::cost_all_zero(costing.quantity.name())
        };
        on.message(&text, area);
    }
    on.font(11.0);
    for tick in &y_ticks {
        let text = costing.quantity.text(*tick);
        on.text(&text, plot.left - 6.0, plot.y_of(*tick), Align::Right, &on.ink.muted);
    }
    lengths(on, &plot, here);
    on.font(12.0);
    on.text(&on.fitted(costing.quantity.name(), on.width - 8.0), 4.0, 10.0, Align::Left, &on.ink.muted);
}

fn curve(costing: &Costing, on: &Surface, own: &Line, place: &impl Fn(u64, f64) -> (f64, f64), items: &mut Vec<Item>) {
    let colour = colour(on, own.slot);
    let there = |length: u64| {
        let value = costing.value(own, length).filter(|value| *value > 0.0)?;
        Some(place(length, value))
    };
    let points: Vec<(f64, f64)> = costing.lengths(Some(own)).into_iter().filter_map(there).collect();
    // The end of a table is no end of the axis.
    if let Some(end) = points.last().filter(|_| own.rows.is_some()) {
        items.push(line(vec![(end.0, end.1 - 6.0), (end.0, end.1 + 6.0)], 1.75, colour, &[]));
    }
    if costing.is_timed() {
        items.extend(points.iter().map(|at| Item::Point { at: *at, radius: 3.0, colour: colour.to_owned() }));
    }
    items.push(line(points, 1.75, colour, DASHES.get(own.slot).copied().unwrap_or(&[])));
}

/// The lengths below, with the cursor's.
fn lengths(on: &Surface, plot: &Plot, here: u64) {
    let bottom = plot.top + plot.height;
    let text = |length: f64| number::whole(length as i64);
    let own = text(here as f64);
    let half = on.text_width(&own) / 2.0;
    let middle = plot.x_of(here as f64).min(on.width - half - 2.0);
    let most = (plot.width / 62.0).floor().max(1.0) as usize;
    for tick in ticks::logarithmic(plot.x.value(0.0), plot.x.value(1.0), most) {
        let x = plot.x_of(tick);
        on.line((on.crisp(x), bottom), (on.crisp(x), bottom + 4.0), &on.ink.muted, 1.0 / on.dpr);
        let label = text(tick);
        let own_half = on.text_width(&label) / 2.0;
        let x = x.min(on.width - own_half - 2.0);
        if (x - middle).abs() > half + own_half + 8.0 {
            on.text(&label, x, bottom + 13.0, Align::Centre, &on.ink.muted);
        }
    }
    on.text(&own, middle, bottom + 13.0, Align::Centre, &on.ink.accent);
    let title = on.fitted(words::cost_axis(), on.width - 8.0);
    on.text(&title, plot.left + plot.width / 2.0, bottom + 30.0, Align::Centre, &on.ink.muted);
}
