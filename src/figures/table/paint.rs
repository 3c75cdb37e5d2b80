//! The curves on their canvas.

use super::{COMPONENTS, Looked, Model, Panel, distance, told::percent};
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
/// Below it: distances or positions.
pub(super) const BELOW: f64 = 40.0;
/// Left of it: numbers.
const LEFT: f64 = 44.0;
/// Right of it, and between panels.
const RIGHT: f64 = 14.0;
/// Between a component and the next one: what is said of it.
const BETWEEN: f64 = 20.0;

impl Model {
    /// Where the curves of all tables stand.
    fn plot(&self) -> Plot {
        let last = (self.rows() as f64 - 1.0).max(1.0);
        Plot {
            left: LEFT,
            top: ABOVE,
            width: (self.size.width - LEFT - RIGHT).max(1.0),
            height: (self.size.height - ABOVE - BELOW).max(1.0),
            x: if self.logarithmic { Span::Log(1.0, last.max(2.0)) } else { Span::Linear(0.0, last) },
            y: Span::Linear(self.lowest(), 1.0),
        }
    }

    /// The lower end of the axis: below all curves and their spread.
    fn lowest(&self) -> f64 {
        let low = |looked: &Looked| {
            let seen = looked.seen()?;
            let ends = seen.mean.iter().zip(&seen.spread).map(|(mean, spread)| f64::from(mean - spread));
            Some(ends.filter(|end| end.is_finite()).fold(0.0, f64::min))
        };
        let low = self.looked().filter_map(low).fold(0.0, f64::min).max(-1.0);
        libm::floor(10.0 * low) / 10.0
    }

    /// Where a component of a panel stands.
    fn small(&self, panel: usize, component: usize) -> Plot {
        let (across, down) = (self.panels.len().max(1) as f64, COMPONENTS as f64);
        let width = (self.size.width - 2.0 * RIGHT + RIGHT) / across;
        let height = (self.size.height - BELOW) / down;
        let last = self.panels.get(panel).map_or(1.0, |panel| panel.own.rows as f64 - 1.0);
        Plot {
            left: RIGHT + width * panel as f64,
            top: height * component as f64 + BETWEEN,
            width: (width - RIGHT).max(1.0),
            height: (height - BETWEEN).max(1.0),
            x: Span::Linear(0.0, last.max(1.0)),
            y: Span::Linear(-1.0, 1.0),
        }
    }

    /// The distance or the position at a place of the canvas.
    pub(super) fn place_at(&self, x: f64, _: f64) -> Option<i64> {
        let plot = if self.components {
            let all = (0..self.panels.len()).map(|panel| self.small(panel, 0));
            all.into_iter().find(|plot| (plot.left - 6.0..=plot.left + plot.width + 6.0).contains(&x))?
        } else {
            self.plot()
        };
        let inside = (plot.left - 6.0..=plot.left + plot.width + 6.0).contains(&x);
        inside.then(|| plot.x_at(x).round() as i64)
    }
}

fn line(points: Vec<(f64, f64)>, width: f64, colour: &str, dash: &'static [f64]) -> Item {
    Item::Line { points, width, colour: colour.to_owned(), dash }
}

fn colour(on: &Surface, slot: usize) -> &str {
    on.ink.slots.get(slot).unwrap_or(&on.ink.ink)
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    if model.components { components(model, on, cursor) } else { cosines(model, on, cursor) }
}

/// The mean cosine by distance, with its spread.
fn cosines(model: &Model, on: &Surface, cursor: &Cursor) {
    let plot = model.plot();
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let hair = 1.0 / on.dpr;
    let y_ticks = ticks::linear(plot.y.value(0.0), plot.y.value(1.0), (plot.height / 34.0).floor().max(1.0) as usize);
    let mut items = Vec::new();
    for panel in &model.panels {
        band(on, &plot, panel, &mut items);
    }
    for tick in &y_ticks {
        let y = on.crisp(plot.y_of(*tick));
        items.push(line(vec![(plot.left, y), (right, y)], hair, &on.ink.hairline, &[]));
    }
    items.push(line(vec![(plot.left, on.crisp(bottom)), (right, on.crisp(bottom))], hair, &on.ink.muted, &[]));
    let here = plot.x_of(distance(cursor) as f64);
    if here <= right + 1.0 {
        items.push(line(vec![(on.crisp(here), plot.top), (on.crisp(here), bottom)], 1.0, &on.ink.accent, &[]));
    }
    for panel in &model.panels {
        let own = colour(on, panel.slot);
        items.extend(panel.like.iter().map(|like| line(mean(&plot, like), hair, own, &[])));
        let dash = DASHES.get(panel.slot).copied().unwrap_or(&[]);
        items.push(line(mean(&plot, &panel.own), 1.75, own, dash));
    }
    on_canvas(on, &items);
    on.font(11.0);
    for tick in &y_ticks {
        on.text(&number::tick(*tick), plot.left - 6.0, plot.y_of(*tick), Align::Right, &on.ink.muted);
    }
    let most = (plot.width / 58.0).floor().max(1.0) as usize;
    let last = model.rows() as f64 - 1.0;
    let x_ticks = if model.logarithmic {
        ticks::logarithmic(1.0, last.max(2.0), most)
    } else {
        ticks::whole(0.0, last.max(1.0), most)
    };
    axis(on, &plot, &x_ticks, words::table_axis_distance());
    on.font(12.0);
    on.text(&on.fitted(words::table_axis_cosine(), on.width - 8.0), 4.0, 10.0, Align::Left, &on.ink.muted);
    if model.panels.iter().any(|panel| panel.own.seen().is_none()) {
        on.message(words::table_working(), (plot.left, plot.top, plot.width, plot.height));
    }
}

/// The points of a mean; a distance of 0 has no place on a logarithmic axis.
fn mean(plot: &Plot, looked: &Looked) -> Vec<(f64, f64)> {
    let Some(seen) = looked.seen() else { return Vec::new() };
    let from = usize::from(matches!(plot.x, Span::Log(..)));
    let points = seen.mean.iter().enumerate().skip(from).filter(|(_, cosine)| cosine.is_finite());
    points.map(|(apart, cosine)| (plot.x_of(apart as f64), plot.y_of(f64::from(*cosine)))).collect()
}

fn band(on: &Surface, plot: &Plot, panel: &Panel, items: &mut Vec<Item>) {
    let Some(seen) = panel.own.seen() else { return };
    let from = usize::from(matches!(plot.x, Span::Log(..)));
    let known = |apart: &usize| seen.mean[*apart].is_finite() && seen.spread[*apart].is_finite();
    let places: Vec<usize> = (from..seen.mean.len().min(seen.spread.len())).filter(known).collect();
    let edge = |sign: f32| {
        let at = |apart: &usize| plot.y_of(f64::from(seen.mean[*apart] + sign * seen.spread[*apart]));
        places.iter().map(at).collect::<Vec<f64>>()
    };
    let x = places.iter().map(|apart| plot.x_of(*apart as f64)).collect();
    let colour = colour(on, panel.slot).to_owned();
    items.push(Item::Band { x, upper: edge(1.0), lower: edge(-1.0), colour, alpha: 0.2 });
}

fn axis(on: &Surface, plot: &Plot, ticks: &[f64], title: &str) {
    let bottom = plot.top + plot.height;
    for tick in ticks {
        let x = plot.x_of(*tick);
        on.line((on.crisp(x), bottom), (on.crisp(x), bottom + 4.0), &on.ink.muted, 1.0 / on.dpr);
        on.text(&number::whole(*tick as i64), x, bottom + 13.0, Align::Centre, &on.ink.muted);
    }
    let title = on.fitted(title, plot.width);
    on.text(&title, plot.left + plot.width / 2.0, bottom + 30.0, Align::Centre, &on.ink.muted);
}

/// What the rows have of each component, the greatest above.
fn components(model: &Model, on: &Surface, cursor: &Cursor) {
    let mut items = Vec::new();
    let hair = 1.0 / on.dpr;
    for (place, panel) in model.panels.iter().enumerate() {
        let seen = panel.own.seen();
        for component in 0..COMPONENTS {
            let plot = model.small(place, component);
            let zero = on.crisp(plot.y_of(0.0));
            items.push(line(vec![(plot.left, zero), (plot.left + plot.width, zero)], hair, &on.ink.hairline, &[]));
            let here = plot.x_of(cursor.position.floor());
            if here <= plot.left + plot.width + 1.0 {
                let here = on.crisp(here);
                items.push(line(vec![(here, plot.top), (here, plot.top + plot.height)], 1.0, &on.ink.accent, &[]));
            }
            let Some(one) = seen.as_ref().and_then(|seen| seen.components.get(component)) else { continue };
            let most = one.along.iter().filter(|x| x.is_finite()).fold(0.0_f32, |most, x| most.max(x.abs()));
            let known = one.along.iter().enumerate().filter(|(_, x)| x.is_finite());
            let points = known.map(|(row, x)| (plot.x_of(row as f64), plot.y_of(f64::from(x / most)))).collect();
            items.push(line(points, 1.25, colour(on, panel.slot), &[]));
        }
    }
    on_canvas(on, &items);
    on.font(11.0);
    for (place, panel) in model.panels.iter().enumerate() {
        let seen = panel.own.seen();
        for component in 0..COMPONENTS {
            let plot = model.small(place, component);
            let said = match seen.as_ref().map(|seen| seen.components.get(component)) {
                None => words::table_working().to_owned(),
                Some(None) => words::table_no_component(component + 1),
                Some(Some(one)) => {
                    let (share, period) = (percent(one.share), number::digits(one.period, 3));
                    let said = words::table_component(component + 1, &share, &period);
                    let fits = on.text_width(&said) <= plot.width;
                    if fits { said } else { words::table_component_short(share, period) }
                }
            };
            let said = on.fitted(&said, plot.width);
            on.text(&said, plot.left, plot.top - 8.0, Align::Left, &on.ink.muted);
        }
        let plot = model.small(place, COMPONENTS - 1);
        let most = (plot.width / 58.0).floor().max(1.0) as usize;
        let last = panel.own.rows as f64 - 1.0;
        axis(on, &plot, &ticks::whole(0.0, last.max(1.0), most), words::table_axis_position());
    }
}
