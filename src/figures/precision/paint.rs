//! Errors on logarithmic axes, a plot for each scheme.

use super::{Across, Cursor, Facet, Model, here};
use crate::draw::{
    Surface,
    charts::{Item, Plot, Span, on_canvas},
    number,
    pen::{Align, DASHES},
    ticks,
};
use crate::words;
use posenc::precision::{Format, error, worst};
use std::f64::consts::PI;

/// Above a plot: what its numbers are, or the scheme's name.
const ABOVE: f64 = 24.0;
/// Below it: positions or planes.
const BELOW: f64 = 40.0;
/// Left of it: numbers.
const LEFT: f64 = 76.0;
/// Right of it: the formats' names.
const RIGHT: f64 = 40.0;
/// Canvases at least this wide have two plots in a row.
const TWO: f64 = 700.0;
/// Between plots.
const GAP: f64 = 16.0;
/// The least error on the axis, and the greatest: a number of turns that nobody would look at more closely.
const ERRORS: (f64, f64) = (1e-17, 1e5);

fn columns(facets: usize, width: f64) -> usize {
    if facets > 1 && width >= TWO { 2 } else { 1 }
}

fn facet_height(facets: usize, width: f64) -> f64 {
    let wide = width / columns(facets, width) as f64;
    (wide * 0.5).clamp(200.0, 400.0) + ABOVE + BELOW
}

/// The height of so many plots on a width.
pub(super) fn height(facets: usize, width: f64) -> f64 {
    facets.max(1).div_ceil(columns(facets, width)) as f64 * facet_height(facets, width)
}

/// An error's place on the axis; none where there is nothing to see.
fn drawn(error: f64) -> Option<f64> {
    (error >= ERRORS.0 && error.is_finite()).then_some(error.min(ERRORS.1))
}

impl Model {
    /// Where a scheme's plot stands; `y` is the same for all.
    fn plot(&self, i: usize, y: Span) -> Plot {
        let facets = self.facets.len();
        let columns = columns(facets, self.size.width);
        let wide = ((self.size.width - GAP * (columns as f64 - 1.0)) / columns as f64).max(1.0);
        let high = facet_height(facets, self.size.width);
        let left = f64::min(LEFT, (wide * 0.3).floor());
        Plot {
            left: (i % columns) as f64 * (wide + GAP) + left,
            top: (i / columns) as f64 * high + ABOVE,
            width: (wide - left - RIGHT).max(1.0),
            height: (high - ABOVE - BELOW).max(1.0),
            x: self.across(),
            y,
        }
    }

    /// The points of a format's line: place on the axis across, and error.
    fn points(&self, facet: &Facet, format: Format, cursor: &Cursor) -> Vec<(f64, f64)> {
        if self.across == Across::Positions {
            let place = Format::ALL.iter().position(|other| *other == format).unwrap_or(0);
            return facet.curves.points[place].clone();
        }
        let of = |(plane, freq): (usize, &f64)| (plane as f64, error(format, self.cast, here(cursor), *freq).abs());
        facet.freq.iter().enumerate().map(of).collect()
    }

    /// The position or plane at a place of the canvas.
    pub(super) fn value_at(&self, x: f64, y: f64) -> Option<f64> {
        let inside = |plot: &Plot| {
            (plot.left - 6.0..=plot.left + plot.width + 6.0).contains(&x)
                && (plot.top - ABOVE..=plot.top + plot.height + BELOW).contains(&y)
        };
        let plot = (0..self.facets.len()).map(|i| self.plot(i, Span::Log(1.0, 10.0))).find(inside)?;
        let last = if self.across == Across::Planes { self.planes() as f64 - 1.0 } else { self.reach as f64 };
        Some(plot.x_at(x).round().clamp(0.0, last))
    }
}

/// The axis of errors: that of all lines, and half a turn.
fn errors(lines: &[Vec<Vec<(f64, f64)>>]) -> Span {
    let values = lines.iter().flatten().flatten().filter_map(|(_, error)| drawn(*error));
    let (low, high) = values.fold((PI, PI), |(low, high), error| (low.min(error), high.max(error)));
    Span::Log((low / 3.0).max(ERRORS.0), (high * 3.0).min(ERRORS.1 * 3.0))
}

fn line(points: Vec<(f64, f64)>, width: f64, colour: &str, dash: &'static [f64]) -> Item {
    Item::Line { points, width, colour: colour.to_owned(), dash }
}

pub(super) fn draw(model: &Model, on: &Surface, cursor: &Cursor) {
    let of = |facet: &Facet| Format::ALL.map(|format| model.points(facet, format, cursor)).to_vec();
    let lines: Vec<_> = model.facets.iter().map(of).collect();
    let errors = errors(&lines);
    let plots: Vec<Plot> = (0..model.facets.len()).map(|i| model.plot(i, errors)).collect();
    let mut items = Vec::new();
    for ((facet, plot), lines) in model.facets.iter().zip(&plots).zip(&lines) {
        ground(model, on, plot, cursor, &mut items);
        curves(model, on, facet, plot, lines, cursor, &mut items);
    }
    on_canvas(on, &items);
    for ((facet, plot), lines) in model.facets.iter().zip(&plots).zip(&lines) {
        text(model, on, facet, plot, lines, cursor);
    }
}

/// Where on the axis across the cursor stands.
fn place(model: &Model, cursor: &Cursor) -> f64 {
    match model.across {
        Across::Positions => here(cursor).max(1) as f64,
        Across::Planes => cursor.plane.min(model.planes() - 1) as f64,
    }
}

/// Rules, the line of half a turn, where positions begin to share numbers, and the cursor.
fn ground(model: &Model, on: &Surface, plot: &Plot, cursor: &Cursor, items: &mut Vec<Item>) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    let hair = 1.0 / on.dpr;
    for tick in rules(plot) {
        let y = on.crisp(plot.y_of(tick));
        items.push(line(vec![(plot.left, y), (right, y)], hair, &on.ink.hairline, &[]));
    }
    let half = plot.y_of(PI);
    items.push(Item::Area {
        points: vec![(plot.left, half), (right, half), (right, plot.top), (plot.left, plot.top)],
        colour: on.ink.muted.clone(),
        alpha: 0.1,
    });
    items.push(line(vec![(plot.left, on.crisp(half)), (right, on.crisp(half))], 1.0, &on.ink.muted, &[]));
    for (_, last) in model.ends() {
        let x = on.crisp(plot.x_of(last as f64));
        items.push(line(vec![(x, plot.top), (x, bottom)], hair, &on.ink.muted, DASHES[1]));
    }
    items.push(line(vec![(plot.left, on.crisp(bottom)), (right, on.crisp(bottom))], hair, &on.ink.muted, &[]));
    let x = on.crisp(plot.x_of(place(model, cursor)));
    items.push(line(vec![(x, plot.top), (x, bottom)], 1.0, &on.ink.accent, &[]));
}

fn rules(plot: &Plot) -> Vec<f64> {
    let most = (plot.height / 30.0).floor().max(2.0) as usize;
    ticks::logarithmic(plot.y.value(0.0), plot.y.value(1.0), most)
}

fn colour<'a>(on: &'a Surface, facet: &Facet) -> &'a str {
    on.ink.slots.get(facet.slot).unwrap_or(&on.ink.ink)
}

/// A line for each format, and the cursor's errors on them.
fn curves(
    model: &Model,
    on: &Surface,
    facet: &Facet,
    plot: &Plot,
    lines: &[Vec<(f64, f64)>],
    cursor: &Cursor,
    items: &mut Vec<Item>,
) {
    for ((format, points), dash) in Format::ALL.iter().zip(lines).zip(DASHES) {
        let points = points.iter().filter_map(|(x, error)| Some((plot.x_of(*x), plot.y_of(drawn(*error)?))));
        items.push(line(points.collect(), 1.75, colour(on, facet), dash));
        let here = match model.across {
            Across::Positions => worst(*format, model.cast, here(cursor), &facet.freq).map(|(_, error)| error),
            Across::Planes => facet.freq.get(cursor.plane).map(|w| error(*format, model.cast, here(cursor), *w).abs()),
        };
        if let Some(error) = here.and_then(drawn).filter(|_| place(model, cursor) <= model.across().value(1.0)) {
            let at = (plot.x_of(place(model, cursor)), plot.y_of(error));
            items.push(Item::Point { at, radius: 5.5, colour: on.ink.paper.clone() });
            items.push(Item::Point { at, radius: 4.0, colour: colour(on, facet).to_owned() });
        }
    }
}

fn text(model: &Model, on: &Surface, facet: &Facet, plot: &Plot, lines: &[Vec<(f64, f64)>], cursor: &Cursor) {
    let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
    on.font(11.0);
    for tick in rules(plot) {
        on.text(&number::short(tick), plot.left - 6.0, plot.y_of(tick), Align::Right, &on.ink.muted);
    }
    across(model, on, plot, cursor);
    // On a small plot they would cross the lines; the legend says it too.
    for (format, last) in model.ends().into_iter().filter(|_| plot.height > 250.0) {
        let label = words::precision_collide(format.name(), number::whole(last as i64));
        on.text_up(&label, plot.x_of(last as f64) + 8.0, plot.top + plot.height * 0.48, &on.ink.muted);
    }
    let half = on.fitted(words::precision_half_turn(), plot.width * 0.5);
    on.text_on_paper(&half, plot.left + 6.0, plot.y_of(PI) - 8.0, Align::Left, &on.ink.muted);
    // The name of each format where its line ends; those that would touch are moved apart.
    let mut taken: Vec<f64> = Vec::new();
    for (format, points) in Format::ALL.iter().zip(lines) {
        let Some((x, error)) = points.iter().rev().find_map(|(x, error)| Some((*x, drawn(*error)?))) else { continue };
        let mut y = plot.y_of(error);
        while taken.iter().any(|other| (y - other).abs() < 12.0) {
            y -= 1.0;
        }
        taken.push(y);
        let x = (plot.x_of(x) + 6.0).min(right + 6.0);
        on.text_on_paper(format.name(), x, y, Align::Left, colour(on, facet));
    }
    on.font(12.0);
    let title = match (model.facets.len(), model.across) {
        (1, Across::Positions) => words::precision_title().to_owned(),
        (1, Across::Planes) => words::precision_title_planes(number::whole(here(cursor) as i64)),
        _ => facet.name.clone(),
    };
    let ink = if model.facets.len() > 1 { colour(on, facet) } else { &on.ink.muted };
    let left = plot.left - f64::min(LEFT, plot.left) + 4.0;
    on.text(&on.fitted(&title, right - left), left, plot.top - ABOVE + 10.0, Align::Left, ink);
    let axis = match model.across {
        Across::Positions => words::precision_axis(),
        Across::Planes => words::spectrum_axis(),
    };
    let axis = on.fitted(axis, plot.width);
    on.text(&axis, plot.left + plot.width / 2.0, bottom + 30.0, Align::Centre, &on.ink.muted);
}

/// The numbers of the axis across, with the cursor's.
fn across(model: &Model, on: &Surface, plot: &Plot, cursor: &Cursor) {
    let bottom = plot.top + plot.height;
    let here = place(model, cursor);
    let most = (plot.width / 56.0).floor().max(2.0) as usize;
    let ticks = match model.across {
        Across::Positions => ticks::logarithmic(1.0, model.reach as f64, most),
        Across::Planes => ticks::whole(0.0, model.planes() as f64 - 1.0, most),
    };
    for tick in ticks {
        let x = plot.x_of(tick);
        on.line((on.crisp(x), bottom), (on.crisp(x), bottom + 4.0), &on.ink.muted, 1.0 / on.dpr);
        if (x - plot.x_of(here)).abs() > 40.0 {
            on.text(&number::short(tick), x, bottom + 13.0, Align::Centre, &on.ink.muted);
        }
    }
    on.text(&number::place(here), plot.x_of(here), bottom + 13.0, Align::Centre, &on.ink.accent);
}
