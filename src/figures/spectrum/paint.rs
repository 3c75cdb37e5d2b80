//! The curves over the planes, on their canvas.

use super::{Line, Model, Shown};
use crate::draw::{
    Surface,
    charts::{Item, Plot, Span, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::state::Cursor;
use crate::words;

/// Above the plot: what its numbers are.
pub(super) const ABOVE: f64 = 24.0;
/// Below it: planes.
pub(super) const BELOW: f64 = 40.0;
/// Left of it: numbers.
const LEFT: f64 = 76.0;
/// Right of it.
const RIGHT: f64 = 14.0;

impl Model {
    /// Where everything stands.
    fn plot(&self) -> Plot {
        let left = f64::min(LEFT, (self.size.width * 0.3).floor());
        Plot {
            left,
            top: ABOVE,
            width: (self.size.width - left - RIGHT).max(1.0),
            height: (self.size.height - ABOVE - BELOW).max(1.0),
            x: Span::Linear(-0.5, self.planes() as f64 - 0.5),
            y: self.span(),
        }
    }

    /// The plane at a place of the canvas.
    pub(super) fn plane_at(&self, x: f64, y: f64) -> Option<usize> {
        let plot = self.plot();
        let inside = (plot.left - 6.0..=plot.left + plot.width + 6.0).contains(&x)
            && (0.0..=plot.top + plot.height + BELOW).contains(&y);
        let last = self.planes() as f64 - 1.0;
        inside.then(|| plot.x_at(x).round().clamp(0.0, last) as usize)
    }
}

fn line(points: Vec<(f64, f64)>, width: f64, colour: &str, dash: &'static [f64]) -> Item {
    Item::Line { points, width, colour: colour.to_owned(), dash }
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    let plot = model.plot();
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let hair = 1.0 / on.dpr;
    let y_ticks = y_ticks(model, &plot);
    let mut items = Vec::new();
    for tick in &y_ticks {
        let y = on.crisp(plot.y_of(*tick));
        items.push(line(vec![(plot.left, y), (right, y)], hair, &on.ink.hairline, &[]));
    }
    trained(model, on, &plot, &mut items);
    items.push(line(vec![(plot.left, on.crisp(bottom)), (right, on.crisp(bottom))], hair, &on.ink.muted, &[]));
    let x = on.crisp(plot.x_of(cursor.plane as f64));
    if cursor.plane < model.planes() {
        items.push(line(vec![(x, plot.top), (x, bottom)], 1.0, &on.ink.accent, &[]));
    }
    for own in &model.lines {
        curve(model, on, &plot, own, &mut items);
    }
    for (plane, value) in model.given.iter().flat_map(|given| given.values(model.shown)) {
        let at = (plot.x_of(plane as f64), plot.y_of(value));
        items.push(Item::Point { at, radius: 1.5, colour: on.ink.ink.clone() });
    }
    for own in &model.lines {
        dot(model, on, &plot, own, cursor.plane, &mut items);
    }
    on_canvas(on, &items);
    on.font(11.0);
    for tick in &y_ticks {
        on.text(&number::short(*tick), plot.left - 6.0, plot.y_of(*tick), Align::Right, &on.ink.muted);
    }
    planes(model, on, &plot, cursor.plane);
    if let Some((edge, length)) = model.trained().and_then(|length| Some((model.edge(length)?, length))) {
        // Inside the marked area, in the corner where the curves do not come: they run to the other one.
        let (y, x, align) = match model.shown {
            Shown::Frequency => (plot.y_of(edge) + 9.0, right - 6.0, Align::Right),
            _ => (plot.top + 9.0, plot.left + 6.0, Align::Left),
        };
        let y = y.clamp(plot.top + 7.0, bottom - 7.0);
        let text = on.fitted(&words::spectrum_trained(number::whole(length as i64)), plot.width - 12.0);
        on.text(&text, x, y, align, &on.ink.muted);
    }
    on.font(12.0);
    on.text(&on.fitted(model.title(), on.width - 8.0), 4.0, 10.0, Align::Left, &on.ink.muted);
}

fn y_ticks(model: &Model, plot: &Plot) -> Vec<f64> {
    let most = (plot.height / 30.0).floor().max(2.0) as usize;
    let (low, high) = (plot.y.value(0.0), plot.y.value(1.0));
    // Divisors lie within a factor of ten: there are no powers of ten between them.
    if model.shown == Shown::Divisor && high / low < 20.0 {
        ticks::linear(low, high, most)
    } else {
        ticks::logarithmic(low, high, most)
    }
}

/// The area of planes that do not complete a turn within the trained length; where schemes differ in it, the edges.
fn trained(model: &Model, on: &Surface, plot: &Plot, items: &mut Vec<Item>) {
    let right = plot.left + plot.width;
    let place = |length: f64| model.edge(length).map(|edge| plot.y_of(edge));
    if let Some(y) = model.trained().and_then(place) {
        let end = if model.shown == Shown::Frequency { plot.top + plot.height } else { plot.top };
        let points = vec![(plot.left, y), (right, y), (right, end), (plot.left, end)];
        items.push(Item::Area { points, colour: on.ink.muted.clone(), alpha: 0.1 });
        items.push(line(vec![(plot.left, on.crisp(y)), (right, on.crisp(y))], 1.0, &on.ink.muted, &[]));
        return;
    }
    for own in &model.lines {
        if let Some(y) = place(own.trained) {
            let dash = DASHES.get(own.slot).copied().unwrap_or(&[]);
            items.push(line(vec![(plot.left, y), (right, y)], 1.0, colour(on, own.slot), dash));
        }
    }
}

fn colour(on: &Surface, slot: usize) -> &str {
    on.ink.slots.get(slot).unwrap_or(&on.ink.ink)
}

fn curve(model: &Model, on: &Surface, plot: &Plot, own: &Line, items: &mut Vec<Item>) {
    let colour = colour(on, own.slot);
    let place = |plane: usize, value: f64| (plot.x_of(plane as f64), plot.y_of(value));
    let there = |(_, y): &(f64, f64)| y.is_finite();
    if let Some(plain) = own.plain().filter(|_| model.shown != Shown::Divisor) {
        let values = plain.iter().map(|freq| match model.shown {
            Shown::Frequency => freq.abs(),
            _ => posenc::planes::wavelength(*freq),
        });
        let points = values.enumerate().map(|(plane, value)| place(plane, value)).filter(there).collect();
        items.push(line(points, 1.0 / on.dpr, colour, &[]));
    }
    let values = (0..own.freq.len()).map(|plane| (plane, own.value(model.shown, plane)));
    let points: Vec<(f64, f64)> =
        values.filter(|(_, value)| *value > 0.0).map(|(plane, value)| place(plane, value)).filter(there).collect();
    // Planes are whole: where they are far enough apart, they are dots on the line.
    if own.freq.len() as f64 * 7.0 <= plot.width {
        items.extend(points.iter().map(|at| Item::Point { at: *at, radius: 2.0, colour: colour.to_owned() }));
    }
    items.push(line(points, 1.75, colour, DASHES.get(own.slot).copied().unwrap_or(&[])));
}

fn dot(model: &Model, on: &Surface, plot: &Plot, own: &Line, plane: usize, items: &mut Vec<Item>) {
    if plane >= own.freq.len() {
        return;
    }
    let at = (plot.x_of(plane as f64), plot.y_of(own.value(model.shown, plane)));
    if at.1.is_finite() {
        items.push(Item::Point { at, radius: 6.0, colour: on.ink.paper.clone() });
        items.push(Item::Point { at, radius: 4.5, colour: colour(on, own.slot).to_owned() });
    }
}

/// The numbers of the planes, with the cursor's.
fn planes(model: &Model, on: &Surface, plot: &Plot, here: usize) {
    let bottom = plot.top + plot.height;
    let last = model.planes() - 1;
    let most = (plot.width / 44.0).floor().max(1.0) as usize;
    for tick in ticks::whole(0.0, last as f64, most) {
        let x = plot.x_of(tick);
        on.line((on.crisp(x), bottom), (on.crisp(x), bottom + 4.0), &on.ink.muted, 1.0 / on.dpr);
        if here > last || (x - plot.x_of(here as f64)).abs() > 26.0 {
            on.text(&number::whole(tick as i64), x, bottom + 13.0, Align::Centre, &on.ink.muted);
        }
    }
    if here <= last {
        on.text(&number::whole(here as i64), plot.x_of(here as f64), bottom + 13.0, Align::Centre, &on.ink.accent);
    }
    let title = on.fitted(words::spectrum_axis(), on.width - 8.0);
    on.text(&title, plot.left + plot.width / 2.0, bottom + 30.0, Align::Centre, &on.ink.muted);
}
