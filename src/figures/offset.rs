//! Score against offset = query position − key position, to millions of tokens.
//!
//! A column of pixels that covers many offsets shows their mean and range: of a sample of them at once, so that the
//! cost does not grow with the length, then of all, slice by slice.

mod axis;
mod curves;
mod paint;
mod quantity;
mod traces;

use super::{Cursor, CursorPatch, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{
    Surface,
    charts::{Plot, Span},
    number,
};
use crate::{formulas, words};
use axis::Axis;
use curves::Curve;
#[cfg(feature = "full")]
pub(super) use curves::forget;
use posenc::{Acts, Kind, ParamSpec, Scale, Unit, vectors::Vectors};
use quantity::Quantity;
use std::cell::{Ref, RefCell};

/// `offset`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "offset",
    options: &[
        common::axis(None),
        common::sides(Some(("axis", &["linear"]))),
        ParamSpec {
            key: "aim",
            kind: Kind::Integer { min: -4096, max: 4096, step: 1, default: 0, scale: Scale::Linear },
            unit: Unit::Tokens,
            when: None,
        },
        common::VECTORS,
        ParamSpec {
            key: "draws",
            kind: Kind::Integer { min: 2, max: 256, step: 1, default: 32, scale: Scale::Log },
            unit: Unit::None,
            when: Some(("vectors", &["independent"])),
        },
    ],
    suits: |scheme| scheme.acts != Acts::Content,
    settle: |_, _| {},
    height,
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Left of the plots: numbers.
const LEFT: f64 = 54.0;
/// Right of the plots.
const RIGHT: f64 = 14.0;
/// Above each plot: what its numbers are.
const ABOVE: f64 = 30.0;
/// Below the last plot: offsets.
const BELOW: f64 = 40.0;
/// Right of the plots where the names of the curves stand there: of one width, so that a name that changes with a
/// parameter leaves the axis as it is.
const NAMES: f64 = 160.0;
/// Between a plot and the names.
const GAP: f64 = 8.0;
/// Where offset 0 stands on a logarithmic axis, left of 1.
const ZERO: f64 = 22.0;

/// A cursor for what is said of all heads.
const NOWHERE: Cursor = Cursor {
    position: 0.0,
    offset: 0,
    plane: 0,
    head: 0,
    #[cfg(feature = "full")]
    length: None,
};

/// What the curves of these slots measure, in order, each once.
fn quantities<'a>(list: impl Iterator<Item = &'a Quantity>) -> Vec<Quantity> {
    let mut found = Vec::new();
    for quantity in list {
        if !found.contains(quantity) {
            found.push(*quantity);
        }
    }
    found
}

fn height(scene: &Scene, width: f64) -> f64 {
    let each =
        scene.slots.iter().filter_map(common::encoding).filter_map(|encoding| quantity::quantity(scene, encoding));
    let each: Vec<Quantity> = each.collect();
    let facets = quantities(each.iter()).len().max(1) as f64;
    let plot = (width * 0.36).clamp(150.0, 320.0);
    let plot = if facets > 1.0 { plot * 0.75 } else { plot };
    facets * (plot + ABOVE) + BELOW
}

/// Whether the names of the curves stand right of the plots. The legend has them all the same.
fn has_names(scene: &Scene, width: f64) -> bool {
    NAMES <= width * 0.3 && scene.slots.iter().filter(|slot| common::encoding(slot).is_some()).count() > 1
}

/// One plot: the curves whose numbers are the same quantity.
struct Facet {
    quantity: Quantity,
    top: f64,
    height: f64,
}

struct Model {
    scene: Scene,
    failures: Vec<String>,
    axis: Axis,
    left: f64,
    /// Whether names stand right of the plots.
    names: bool,
    width: f64,
    facets: Vec<Facet>,
    curves: RefCell<Vec<Curve>>,
    vectors: Vectors,
    aim: i64,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let log = scene.options.choice("axis") == "log";
        let left = f64::min(LEFT, size.width * 0.3) + if log { ZERO } else { 0.0 };
        let names = has_names(scene, size.width);
        let width = (size.width - left - if names { NAMES } else { RIGHT }).max(1.0);
        let axis = Axis::new(scene, width);
        let mut curves: Vec<Curve> = scene.slots.iter().filter_map(|slot| Curve::new(scene, slot, &axis)).collect();
        curves::bound(&mut curves, &axis);
        curves::keep(&curves);
        let list = quantities(curves.iter().map(|curve| &curve.quantity));
        let each = ((size.height - BELOW) / list.len().max(1) as f64).max(ABOVE + 1.0);
        let facets = list
            .into_iter()
            .enumerate()
            .map(|(i, quantity)| Facet { quantity, top: i as f64 * each + ABOVE, height: each - ABOVE })
            .collect();
        Self {
            failures: common::failures(scene),
            axis,
            left,
            names,
            width,
            facets,
            vectors: curves::vectors(scene),
            aim: scene.options.integer("aim"),
            curves: RefCell::new(curves),
            scene: scene.clone(),
        }
    }

    /// The plot of a facet: its scale holds every curve.
    fn plot(&self, facet: &Facet, curves: &[Curve]) -> Plot {
        let own = curves.iter().filter(|curve| curve.quantity == facet.quantity);
        let extent = own.filter_map(|curve| curve.trace.extent()).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (low, high) = extent.unwrap_or((0.0, 0.0));
        let pad = (high - low) * 0.06;
        let (low, high) = if pad > 1e-9 { (low - pad, high + pad) } else { (low - 1.0, high + 1.0) };
        Plot {
            left: self.left,
            top: facet.top,
            width: self.width,
            height: facet.height.max(1.0),
            x: self.axis.span(),
            y: Span::Linear(low, high),
        }
    }

    /// Where an offset stands, if it is on the axis.
    fn x_of(&self, offset: i64) -> Option<f64> {
        if self.axis.log && offset == 0 {
            return Some(self.left - ZERO + 4.0);
        }
        let share = self.axis.span().share(offset as f64);
        (offset >= self.axis.low && offset <= self.axis.high).then_some(self.left + share * self.width)
    }

    /// The offset at a place.
    fn offset_at(&self, x: f64) -> i64 {
        if self.axis.log && x < self.left - ZERO / 2.0 {
            return 0;
        }
        let share = ((x - self.left) / self.width).clamp(0.0, 1.0);
        (self.axis.span().value(share).round() as i64).clamp(self.axis.low, self.axis.high)
    }

    /// The least and the greatest offset that the cursor reaches.
    fn ends(&self) -> (i64, i64) {
        (if self.axis.log { 0 } else { self.axis.low }, self.axis.high.min(self.scene.length as i64 - 1))
    }

    fn key(&self, key: &str, cursor: &Cursor) -> Response {
        let (low, high) = self.ends();
        let offset = match key {
            "ArrowRight" | "ArrowUp" => cursor.offset + 1,
            "ArrowLeft" | "ArrowDown" => cursor.offset - 1,
            "PageUp" if self.axis.log => cursor.offset.max(1).saturating_mul(10),
            "PageDown" if self.axis.log => cursor.offset / 10,
            "PageUp" => cursor.offset + 10,
            "PageDown" => cursor.offset - 10,
            "Home" => low,
            "End" => high,
            _ => return Response::default(),
        };
        common::moved(CursorPatch { offset: Some(offset.clamp(low, high.max(low))), ..CursorPatch::default() })
    }

    fn quantity_name(quantity: Quantity) -> &'static str {
        match quantity {
            Quantity::Product => words::offset_product(),
            Quantity::Score => words::offset_score(),
            Quantity::Bias => words::offset_bias(),
            Quantity::Content => words::offset_content(),
        }
    }

    /// What is said of q and k, where some scheme has them.
    fn about_vectors(&self, curves: &[Curve]) -> Option<&'static str> {
        curves.iter().any(|curve| curve.quantity == Quantity::Score).then(|| match self.vectors {
            Vectors::Ones => words::offset_ones(),
            Vectors::Equal { .. } => words::offset_equal(),
            Vectors::Independent { .. } => words::offset_independent(),
        })
    }

    /// The curves, those of heads turned to the cursor's.
    fn curves_at(&self, cursor: &Cursor) -> Ref<'_, Vec<Curve>> {
        if let Ok(mut curves) = self.curves.try_borrow_mut() {
            curves.iter_mut().for_each(|curve| curve.turn_to(cursor, &self.axis));
        }
        self.curves.borrow()
    }

    fn reading(&self, curve: &Curve, cursor: &Cursor) -> Reading {
        let offset = cursor.offset;
        let value = curve.at(offset, &self.scene).map(number::exact).unwrap_or_default();
        let turned = number::whole(offset - self.aim);
        let bias = curve.logits(cursor).map(|(logits, head)| logits.math(head, offset));
        let math = bias.unwrap_or_else(|| match curve.quantity {
            Quantity::Content => formulas::offset_content(),
            _ if curve.is_flat() => formulas::offset_nothing(&value),
            Quantity::Product if curve.is_profile() => formulas::offset_product(turned, &value),
            Quantity::Product => formulas::offset_product_mean(number::whole(offset), &value),
            Quantity::Score if curve.is_fading() => {
                formulas::offset_fading(curve.head_dim, number::whole(offset), turned, &value)
            }
            Quantity::Score if curve.is_profile() => formulas::offset_score(turned, curve.head_dim, &value),
            Quantity::Score | Quantity::Bias => formulas::offset_score_mean(turned, curve.head_dim, &value),
        });
        let value = match curve.mean_at(offset, &self.scene).and_then(|mean| mean.spread) {
            _ if curve.quantity == Quantity::Content => words::offset_any().to_owned(),
            Some(spread) => words::offset_give_or_take(&value, number::short(spread)),
            None => value,
        };
        Reading {
            slot: Some(curve.slot),
            label: words::offset_reading(curve.label(), number::whole(offset)),
            value,
            math,
        }
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        paint::draw(self, on, cursor);
    }

    fn refine(&self) -> bool {
        let mut curves = self.curves.borrow_mut();
        // One curve a slice.
        for curve in curves.iter_mut() {
            if curve.refine(&self.axis) {
                return true;
            }
        }
        curves::keep(&curves);
        false
    }

    fn lab_request(&self) -> Option<String> {
        self.curves.borrow().iter().find_map(|curve| curve.request(&self.scene, &self.axis))
    }

    fn lab_answer(&self, arrays: &[Vec<f32>]) {
        let mut curves = self.curves.borrow_mut();
        // Curves are asked for one after another.
        if let Some(curve) = curves.iter_mut().find(|curve| curve.request(&self.scene, &self.axis).is_some()) {
            curve.answer(&self.axis, arrays);
        }
        curves::keep(&curves);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let curves = self.curves_at(cursor);
        let offset = number::whole(cursor.offset);
        let mut sentences = self.failures.clone();
        for curve in curves.iter() {
            let quantity = Self::quantity_name(curve.quantity);
            if let Some(rows) = curve.rows().filter(|_| curve.is_past_the_end(cursor.offset)) {
                sentences.push(words::offset_past_the_end(&curve.name, rows, &offset));
                continue;
            }
            sentences.push(match curve.at(cursor.offset, &self.scene).map(number::short) {
                None => words::offset_summary_flat(&curve.name),
                Some(value) if curve.is_table() => words::offset_summary_mean(&curve.name, &offset, value, quantity),
                Some(value) if curve.is_band() => words::offset_summary_mean_of(
                    &curve.name,
                    &offset,
                    value,
                    self.scene.options.integer("draws"),
                    quantity,
                ),
                Some(value) => words::offset_summary(curve.label(), &offset, value, quantity),
            });
        }
        sentences.extend(self.about_vectors(&curves).map(str::to_owned));
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        self.curves_at(cursor).iter().map(|curve| self.reading(curve, cursor)).collect()
    }

    fn legend(&self) -> Vec<Legend> {
        let curves = self.curves.borrow();
        let mut legend: Vec<Legend> = curves
            .iter()
            .map(|curve| {
                let label = words::offset_curve(&curve.name, Self::quantity_name(curve.quantity));
                Legend::Slot { slot: curve.slot, label }
            })
            .collect();
        let mut note = |text: String| legend.push(Legend::Note(text));
        if let Some(about) = self.about_vectors(&curves) {
            note(about.to_owned());
        }
        let profiles = || curves.iter().filter(|curve| curve.is_profile());
        if profiles().next().is_some() && self.axis.most() > 1 {
            note(words::offset_range(number::whole(self.axis.most())));
        }
        if curves.iter().any(|curve| curve.quantity == Quantity::Bias && !curve.is_flat()) {
            note(words::logits_column().to_owned());
        }
        for curve in curves.iter().filter(|curve| curve.is_fading()) {
            if self.axis.most() > 1 {
                note(words::offset_middle(&curve.name));
            }
            if self.vectors.word() == "independent" {
                note(words::similarity_independent().to_owned());
            }
        }
        if curves.iter().any(Curve::is_band) {
            note(words::offset_band(self.scene.options.integer("draws")));
        }
        if curves.iter().any(Curve::is_pending) {
            note(words::offset_sampled().to_owned());
        } else if curves.iter().any(|curve| !curve.trace.exact && !curve.is_table()) {
            note(words::offset_sample().to_owned());
        }
        for curve in curves.iter().filter(|curve| curve.is_table()) {
            note(if curve.trace.exact {
                words::offset_not_relative_all(&curve.name)
            } else {
                words::offset_not_relative(&curve.name)
            });
            if let Some(rows) = curve.rows() {
                note(words::weights_end(&curve.name, rows - 1));
            }
        }
        legend.extend(curves.iter().filter_map(|curve| curve.logits(&NOWHERE)?.0.about(&curve.name)).map(Legend::Note));
        let mut note = |text: String| legend.push(Legend::Note(text));
        if curves.iter().any(|curve| curve.quantity == Quantity::Content) {
            note(words::offset_flat().to_owned());
        }
        if self.aim != 0 {
            note(words::offset_aimed(number::whole(self.aim)));
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        const ROWS: i64 = 100;
        let curves = self.curves_at(cursor);
        if curves.is_empty() {
            return Table::default();
        }
        let (low, high) = self.ends();
        let page_of = |offset: i64| (offset.clamp(low, high.max(low)) - low) / ROWS;
        let shown = (page_of(cursor.offset) + page).clamp(0, page_of(high));
        let first = low + shown * ROWS;
        let last = (first + ROWS - 1).min(high);
        let mut head = vec![words::offset_head().to_owned()];
        for curve in curves.iter() {
            head.push(words::offset_curve(curve.label(), Self::quantity_name(curve.quantity)));
        }
        let rows = (first..=last)
            .map(|offset| {
                let mut row = vec![number::whole(offset)];
                row.extend(curves.iter().map(|curve| {
                    curve.at(offset, &self.scene).map_or_else(|| words::offset_any().to_owned(), number::exact)
                }));
                row
            })
            .collect();
        Table {
            caption: words::offset_table(number::whole(first), number::whole(last)),
            head,
            rows,
            before: first > low,
            after: last < high,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.facets.is_empty() {
            return Response::default();
        }
        let at = |x: f64| CursorPatch { offset: Some(self.offset_at(x)), ..CursorPatch::default() };
        let left = self.left - if self.axis.log { ZERO } else { 0.0 };
        match *input {
            Input::Hover { x, y } => {
                let bottom = self.facets.last().map_or(0.0, |facet| facet.top + facet.height);
                if x >= left - 4.0 && x <= self.left + self.width + 4.0 && y <= bottom + 4.0 {
                    common::hovered(at(x))
                } else {
                    Response::default()
                }
            }
            Input::Press { x, .. } | Input::Drag { x, .. } => common::moved(at(x)),
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, .. } => self.key(key, cursor),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
