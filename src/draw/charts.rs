//! Charts: a plot area with its scales, and lines, areas and points drawn through `plotters`.
//!
//! Places are in CSS pixels. Text is the pen's: `plotters` measures it through the page, which costs a layout a label.

use super::pen::tell_dash;
use super::shades::{self, Shape};
use super::{Surface, css_rgb};
use plotters::coord::{Shift, cartesian::Cartesian2d, types::RangedCoordf64};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::prelude::{DrawingArea, DrawingBackend, IntoDrawingArea, RGBAColor, ShapeStyle};
use plotters_backend::BackendColor;
use plotters_canvas::CanvasBackend;
use std::cell::Cell;
use std::rc::Rc;
use web_sys::{CanvasRenderingContext2d, Path2d};

/// A scale from one end of an axis to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Span {
    /// Equal steps.
    Linear(f64, f64),
    /// Equal ratios; both ends are above zero.
    Log(f64, f64),
}

impl Span {
    /// Where a value lies: 0 at the first end, 1 at the other. Below the first end of a logarithmic scale is its end.
    pub fn share(self, value: f64) -> f64 {
        match self {
            Self::Linear(a, b) if a == b => 0.5 + (value - a),
            Self::Linear(a, b) => (value - a) / (b - a),
            Self::Log(a, b) if a == b => 0.5,
            Self::Log(a, b) => libm::log(value.max(a) / a) / libm::log(b / a),
        }
    }

    /// The value at a share.
    pub fn value(self, share: f64) -> f64 {
        match self {
            Self::Linear(a, b) => a + share * (b - a),
            Self::Log(a, b) => a * libm::exp(share * libm::log(b / a)),
        }
    }
}

/// A plot area with its scales; what is hit on it is found by their inverse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plot {
    /// Its left edge.
    pub left: f64,
    /// Its upper edge.
    pub top: f64,
    /// Its width, above zero.
    pub width: f64,
    /// Its height, above zero.
    pub height: f64,
    /// Across.
    pub x: Span,
    /// From the lower edge to the upper.
    pub y: Span,
}

impl Plot {
    /// Where a value lies across.
    pub fn x_of(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * self.width
    }

    /// Where a value lies from above.
    pub fn y_of(&self, value: f64) -> f64 {
        self.top + (1.0 - self.y.share(value)) * self.height
    }

    /// The value across at a place.
    pub fn x_at(&self, x: f64) -> f64 {
        self.x.value((x - self.left) / self.width)
    }
}

/// Something drawn on a chart, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<(f64, f64)>,
        /// CSS pixels.
        width: f64,
        /// A CSS colour.
        colour: String,
        /// Stroke and gap by turns; none for an unbroken line.
        dash: &'static [f64],
    },
    /// An area between its edges.
    Area {
        /// Its outline.
        points: Vec<(f64, f64)>,
        /// A CSS colour.
        colour: String,
        /// 0 is clear, 1 covers.
        alpha: f64,
    },
    /// A band between two edges over the same places. On a canvas it is the ground: it is drawn before the rest.
    Band {
        /// Places across, ascending.
        x: Vec<f64>,
        /// The upper edge.
        upper: Vec<f64>,
        /// The lower edge.
        lower: Vec<f64>,
        /// A CSS colour.
        colour: String,
        /// 0 is clear, 1 covers.
        alpha: f64,
    },
    /// A dot.
    Point {
        /// Where.
        at: (f64, f64),
        /// CSS pixels.
        radius: f64,
        /// A CSS colour.
        colour: String,
    },
}

/// The area between an upper and a lower edge over the same places.
pub fn band(x: &[f64], upper: &[f64], lower: &[f64]) -> Vec<(f64, f64)> {
    let there = x.iter().copied().zip(upper.iter().copied());
    let back = x.iter().copied().zip(lower.iter().copied()).rev();
    there.chain(back).collect()
}

/// Draws items on an area whose size is `width` × `height` CSS pixels, `scale` of its units to a CSS pixel. `dash` is
/// told the dashes of each line, in units.
///
/// # Errors
/// What the backend says.
pub fn draw<'a, B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    (width, height): (f64, f64),
    scale: f64,
    items: impl IntoIterator<Item = &'a Item>,
    dash: &dyn Fn(&'static [f64]),
) -> Result<(), String> {
    let units = area.dim_in_pixel();
    let spec = Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
        0.0..width.max(1.0),
        0.0..height.max(1.0),
        (0..units.0 as i32, 0..units.1 as i32),
    );
    let area = area.clone().apply_coord_spec(spec);
    let style = |colour: &str, alpha: f64, stroke: f64, filled: bool| {
        let (r, g, b) = css_rgb(colour);
        let stroke_width = (stroke * scale).round().max(1.0) as u32;
        ShapeStyle { color: RGBAColor(r, g, b, alpha), filled, stroke_width }
    };
    for item in items {
        match item {
            Item::Line { points, width, colour, dash: dashes } => {
                dash(dashes);
                area.draw(&PathElement::new(points.clone(), style(colour, 1.0, *width, false)))
            }
            Item::Area { points, colour, alpha } => {
                area.draw(&Polygon::new(points.clone(), style(colour, *alpha, 1.0, true)))
            }
            Item::Band { x, upper, lower, colour, alpha } => {
                area.draw(&Polygon::new(band(x, upper, lower), style(colour, *alpha, 1.0, true)))
            }
            Item::Point { at, radius, colour } => {
                area.draw(&Circle::new(*at, radius * scale, style(colour, 1.0, 1.0, true)))
            }
        }
        .map_err(|error| error.to_string())?;
    }
    dash(&[]);
    Ok(())
}

/// Units of `plotters` to a device pixel: it rounds every place to a whole unit, which on device pixels would show as
/// steps in a flat curve.
const FINE: f64 = 8.0;

/// Draws items on a canvas, whose ground the bands become.
pub fn on_canvas(surface: &Surface, items: &[Item]) {
    #[cfg(feature = "full")]
    if let Some(sheet) = &surface.sheet {
        return sheet.items((surface.width, surface.height), items);
    }
    let Some(backend) = CanvasBackend::with_canvas_object(surface.canvas.clone()) else { return };
    let context = &surface.context;
    let size = (surface.canvas.width() as usize, surface.canvas.height() as usize);
    let bands: Vec<Shape<'_>> = items.iter().filter_map(|item| Shape::of(item, surface.dpr)).collect();
    if let Some(ground) = shades::ground(&bands, size) {
        ground.put(context);
    }
    context.save();
    context.set_line_join("round");
    let _ = context.set_transform(1.0 / FINE, 0.0, 0.0, 1.0 / FINE, 0.0, 0.0);
    let scale = surface.dpr * FINE;
    let size = ((surface.width * scale).round() as u32, (surface.height * scale).round() as u32);
    let dashes = Rc::new(Cell::new(&[] as &[f64]));
    let area = Fine { backend, context: context.clone(), size, scale, dashes: dashes.clone() }.into_drawing_area();
    let rest = items.iter().filter(|item| !matches!(item, Item::Band { .. }));
    // A canvas that refuses one line refuses them all; there is nobody to tell.
    let _ = draw(&area, (surface.width, surface.height), scale, rest, &|dash| dashes.set(dash));
    context.restore();
}

/// Calls `see` with each corner of a line in dashes (stroke and gap by turns, `scale` units each; none for an unbroken
/// line), and whether a stroke begins there. A canvas that is told dashes finds them anew for each of its strokes.
fn dashed(
    points: impl IntoIterator<Item = (f64, f64)>,
    dashes: &[f64],
    scale: f64,
    mut see: impl FnMut(bool, f64, f64),
) {
    let mut turns = dashes.iter().map(|length| length * scale).cycle();
    // What is left of the stroke or the gap, and which of the two it is.
    let (mut left, mut drawn) = (turns.next().unwrap_or(f64::INFINITY), true);
    let mut last = None::<(f64, f64)>;
    for (x, y) in points {
        let Some((from_x, from_y)) = last.replace((x, y)) else {
            see(true, x, y);
            continue;
        };
        let (dx, dy) = (x - from_x, y - from_y);
        let length = (dx * dx + dy * dy).sqrt();
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let share = gone / length;
            see(!drawn, from_x + share * dx, from_y + share * dy);
            drawn = !drawn;
            left = turns.next().unwrap_or(f64::INFINITY);
        }
        left -= length - gone;
        if drawn {
            see(false, x, y);
        }
    }
}

/// The widest line that is drawn as hairlines, in device pixels: past that, there would be gaps between them.
const THIN: f64 = 2.25;

/// A canvas that counts finer units than its pixels.
struct Fine {
    backend: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    /// Units to a CSS pixel.
    scale: f64,
    /// Of the line that is drawn, in CSS pixels.
    dashes: Rc<Cell<&'static [f64]>>,
}

impl Fine {
    /// A thin line as three hairlines beside one another: where the browser draws without a graphics card, the outline
    /// of a stroke with a thousand corners costs ten times as much as they do together.
    fn hairlines(&self, path: impl IntoIterator<Item = (i32, i32)>, colour: BackendColor, width: f64) -> Option<()> {
        let line = Path2d::new().ok()?;
        let points = path.into_iter().map(|(x, y)| (f64::from(x), f64::from(y)));
        dashed(
            points,
            self.dashes.get(),
            self.scale,
            |begins, x, y| {
                if begins { line.move_to(x, y) } else { line.line_to(x, y) }
            },
        );
        let (r, g, b) = colour.rgb;
        self.context.set_stroke_style_str(&format!("rgba({r},{g},{b},{})", colour.alpha));
        self.context.set_line_width(FINE);
        for (x, y) in [(-1.0, -1.0), (2.0, -1.0), (-1.0, 2.0), (0.0, 0.0)] {
            let by = (width - 1.0) / 3.0;
            let _ = self.context.set_transform(1.0 / FINE, 0.0, 0.0, 1.0 / FINE, x * by, y * by);
            // The last turn puts the transform back.
            if (x, y) != (0.0, 0.0) {
                self.context.stroke_with_path(&line);
            }
        }
        Some(())
    }
}

type Fallible<B> = Result<(), plotters_backend::DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

impl DrawingBackend for Fine {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Fallible<CanvasBackend> {
        self.backend.ensure_prepared()
    }

    fn present(&mut self) -> Fallible<CanvasBackend> {
        self.backend.present()
    }

    fn draw_pixel(&mut self, point: (i32, i32), colour: BackendColor) -> Fallible<CanvasBackend> {
        self.backend.draw_pixel(point, colour)
    }

    fn draw_path<S: plotters_backend::BackendStyle, I: IntoIterator<Item = (i32, i32)>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Fallible<CanvasBackend> {
        let width = f64::from(style.stroke_width()) / FINE;
        if width > 1.0 && width <= THIN {
            // A browser without paths of their own has no such canvas either.
            let _ = self.hairlines(path, style.color(), width);
            return Ok(());
        }
        tell_dash(&self.context, self.dashes.get(), self.scale);
        let drawn = self.backend.draw_path(path, style);
        // A thin line has dashes of its own.
        tell_dash(&self.context, &[], self.scale);
        drawn
    }

    fn fill_polygon<S: plotters_backend::BackendStyle, I: IntoIterator<Item = (i32, i32)>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Fallible<CanvasBackend> {
        self.backend.fill_polygon(path, style)
    }

    fn draw_circle<S: plotters_backend::BackendStyle>(
        &mut self,
        centre: (i32, i32),
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Fallible<CanvasBackend> {
        self.backend.draw_circle(centre, radius, style, fill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_and_their_inverse() {
        for span in [Span::Linear(-5.0, 20.0), Span::Log(1.0, 1e6)] {
            for share in [0.0, 0.25, 0.5, 1.0] {
                assert!((span.share(span.value(share)) - share).abs() < 1e-12);
            }
        }
        assert_eq!(Span::Log(1.0, 100.0).share(0.0), 0.0);
        assert_eq!(Span::Linear(3.0, 3.0).share(3.0), 0.5);
        let plot = Plot {
            left: 40.0,
            top: 10.0,
            width: 300.0,
            height: 100.0,
            x: Span::Linear(0.0, 63.0),
            y: Span::Linear(-1.0, 1.0),
        };
        assert_eq!(plot.x_of(0.0), 40.0);
        assert_eq!(plot.y_of(1.0), 10.0);
        assert_eq!(plot.y_of(-1.0), 110.0);
        assert!((plot.x_at(plot.x_of(17.0)) - 17.0).abs() < 1e-12);
    }

    #[test]
    fn dashes_are_as_long_as_they_are_said_to_be() {
        let corners = |points: &[(f64, f64)], dashes: &[f64]| {
            let mut seen = Vec::new();
            dashed(points.iter().copied(), dashes, 2.0, |begins, x, y| seen.push((begins, x, y)));
            seen
        };
        let bent = [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0)];
        assert_eq!(corners(&bent, &[]), [(true, 0.0, 0.0), (false, 10.0, 0.0), (false, 10.0, 5.0)]);
        // Three units of stroke and one of gap by turns, around the corner.
        let seen = corners(&bent, &[1.5, 0.5]);
        let wanted = [
            (true, 0.0, 0.0),
            (false, 3.0, 0.0),
            (true, 4.0, 0.0),
            (false, 7.0, 0.0),
            (true, 8.0, 0.0),
            (false, 10.0, 0.0),
            (false, 10.0, 1.0),
            (true, 10.0, 2.0),
            (false, 10.0, 5.0),
        ];
        assert_eq!(seen, wanted);
        // Points on one another are no trouble.
        assert_eq!(corners(&[(1.0, 1.0), (1.0, 1.0)], &[1.0]).len(), 2);
    }

    #[test]
    fn a_band_goes_there_and_back() {
        assert_eq!(band(&[0.0, 1.0], &[5.0, 6.0], &[1.0, 2.0]), [(0.0, 5.0), (1.0, 6.0), (1.0, 2.0), (0.0, 1.0)]);
    }
}
