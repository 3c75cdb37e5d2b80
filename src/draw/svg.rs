//! A drawing as SVG instead of pixels: what a [`Surface`](super::Surface) is told to draw is written down. Curves go
//! through `plotters`' own SVG backend; tables of cells become images of one pixel a cell.
//!
//! Places are in CSS pixels.

use super::charts::{self, Item};
use super::pen::Align;
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use std::cell::RefCell;
use std::fmt::Write as _;

/// Units of `plotters` to a CSS pixel: it rounds every place to a whole unit.
const FINE: f64 = 16.0;

/// What was drawn.
#[derive(Debug, Default)]
pub struct Sheet {
    body: RefCell<String>,
    dash: RefCell<String>,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type<'a> {
    /// The font's size in CSS pixels.
    pub(super) px: f64,
    /// The font's family.
    pub(super) family: &'a str,
    /// Where the text stands to its place.
    pub(super) align: Align,
    /// The colour of the ground below it, where it has one of its own.
    pub(super) halo: Option<&'a str>,
    /// Whether it runs upwards.
    pub(super) up: bool,
}

/// A place to two decimals, as short as it can be written.
fn n(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // No negative zero.
    format!("{}", rounded + 0.0)
}

/// As the text of an element or an attribute.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no place for other control characters.
            c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => {}
            c => out.push(c),
        }
    }
    out
}

impl Sheet {
    fn push(&self, element: &str) {
        let mut body = self.body.borrow_mut();
        body.push_str(element);
        body.push('\n');
    }

    /// The whole as a file, on a ground of this colour. The title is for who does not see it.
    pub fn file(&self, (width, height): (f64, f64), ground: &str, title: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n{}</svg>\n",
            xml(title),
            xml(ground),
            self.body.borrow(),
            w = n(width),
            h = n(height),
        )
    }

    /// Puts another sheet at a place.
    pub fn inset(&self, other: &Self, (x, y): (f64, f64)) {
        self.push(&format!("<g transform=\"translate({} {})\">\n{}</g>", n(x), n(y), other.body.borrow()));
    }

    pub(super) fn text(&self, text: &str, (x, y): (f64, f64), colour: &str, set: Type<'_>) {
        let anchor = match set.align {
            Align::Left => "start",
            Align::Centre => "middle",
            Align::Right => "end",
        };
        let mut more = String::new();
        if let Some(halo) = set.halo {
            let _ = write!(
                more,
                " stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                xml(halo)
            );
        }
        if set.up {
            let _ = write!(more, " transform=\"rotate(-90 {} {})\"", n(x), n(y));
        }
        // A third of the size below the middle of the capitals is the line that letters stand on. Not every program
        // knows a baseline in the middle.
        let dy = n(set.px * 0.35);
        self.push(&format!(
            "<text x=\"{}\" y=\"{}\" dy=\"{dy}\" font-size=\"{}\" font-family=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{more}>{}</text>",
            n(x),
            n(y),
            n(set.px),
            xml(set.family),
            xml(colour),
            xml(text),
        ));
    }

    /// Dashes of the lines that follow, in CSS pixels.
    pub(super) fn dash(&self, dash: &[f64]) {
        let list: Vec<String> = dash.iter().map(|length| n(*length)).collect();
        *self.dash.borrow_mut() =
            if list.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", list.join(" ")) };
    }

    pub(super) fn line(&self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        self.push(&format!(
            "<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
            n(from.0),
            n(from.1),
            n(to.0),
            n(to.1),
            xml(colour),
            n(width),
            self.dash.borrow(),
        ));
    }

    pub(super) fn outline(&self, rect: (f64, f64, f64, f64), colour: &str, stroke: f64) {
        let dash = self.dash.borrow().clone();
        self.rect(rect, &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dash}", xml(colour), n(stroke)));
    }

    pub(super) fn fill(&self, rect: (f64, f64, f64, f64), colour: &str) {
        self.rect(rect, &format!("fill=\"{}\"", xml(colour)));
    }

    fn rect(&self, (x, y, width, height): (f64, f64, f64, f64), style: &str) {
        // A canvas takes a negative size; SVG does not.
        let (x, width) = if width < 0.0 { (x + width, -width) } else { (x, width) };
        let (y, height) = if height < 0.0 { (y + height, -height) } else { (y, height) };
        self.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {style}/>",
            n(x),
            n(y),
            n(width),
            n(height)
        ));
    }

    /// Lines, all of one colour, within a rectangle.
    pub(super) fn lines_in(
        &self,
        (x, y, width, height): (f64, f64, f64, f64),
        lines: &[[(f64, f64); 2]],
        colour: &str,
    ) {
        let mut path = String::new();
        for [from, to] in lines {
            let _ = write!(path, "M{} {}L{} {}", n(from.0 - x), n(from.1 - y), n(to.0 - x), n(to.1 - y));
        }
        // A picture in a picture shows nothing past its edges.
        self.push(&format!(
            "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><path d=\"{path}\" stroke=\"{}\"/></svg>",
            n(x),
            n(y),
            n(width),
            n(height),
            xml(colour),
        ));
    }

    pub(super) fn dot(&self, (x, y): (f64, f64), radius: f64, fill: &str, outline: &str, stroke: f64) {
        self.push(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            n(x),
            n(y),
            n(radius),
            xml(fill),
            xml(outline),
            n(stroke),
        ));
    }

    /// A part of a circle between two angles in radians, clockwise where the second is the greater.
    pub(super) fn arc(&self, (x, y): (f64, f64), radius: f64, (from, to): (f64, f64), colour: &str, width: f64) {
        let turn = to - from;
        if turn.abs() >= std::f64::consts::TAU {
            return self.dot((x, y), radius, "none", colour, width);
        }
        let at = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            format!("{} {}", n(x + radius * cos), n(y + radius * sin))
        };
        self.push(&format!(
            "<path d=\"M{}A{r} {r} 0 {} {} {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
            at(from),
            u8::from(turn.abs() > std::f64::consts::PI),
            u8::from(turn > 0.0),
            at(to),
            xml(colour),
            n(width),
            self.dash.borrow(),
            r = n(radius),
        ));
    }

    /// A part of an image, given as an address of its data, over a rectangle; `size` and `part` are in its pixels.
    pub(crate) fn image(
        &self,
        data: &str,
        size: (f64, f64),
        part: (f64, f64, f64, f64),
        (x, y, width, height): (f64, f64, f64, f64),
        smooth: bool,
    ) {
        let rendering = if smooth { "" } else { " style=\"image-rendering: pixelated\"" };
        self.push(&format!(
            "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"{} {} {} {}\" preserveAspectRatio=\"none\">\
             <image width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"{rendering} href=\"{}\"/></svg>",
            n(x),
            n(y),
            n(width),
            n(height),
            n(part.0),
            n(part.1),
            n(part.2),
            n(part.3),
            n(size.0),
            n(size.1),
            xml(data),
        ));
    }

    /// Items of a chart on an area of this size, by `plotters`.
    pub(super) fn items(&self, (width, height): (f64, f64), items: &[Item]) {
        let units = ((width * FINE).round() as u32, (height * FINE).round() as u32);
        let bands = items.iter().filter(|item| matches!(item, Item::Band { .. }));
        let rest = items.iter().filter(|item| !matches!(item, Item::Band { .. }));
        // As on a canvas: bands are the ground.
        for item in bands.chain(rest) {
            let dash = match item {
                Item::Line { dash, .. } if !dash.is_empty() => {
                    let list: Vec<String> = dash.iter().map(|length| n(*length * FINE)).collect();
                    format!(" stroke-dasharray=\"{}\"", list.join(" "))
                }
                _ => String::new(),
            };
            let mut svg = String::new();
            let drawn = {
                let area = SVGBackend::with_string(&mut svg, units).into_drawing_area();
                charts::draw(&area, (width, height), FINE, [item], &|_| ()).is_ok() && area.present().is_ok()
            };
            // What is in its `<svg>`: one more of them for every line would only be larger.
            let inside = svg.find('>').zip(svg.rfind("</svg>")).and_then(|(start, end)| svg.get(start + 1..end));
            if let Some(inside) = inside.filter(|_| drawn) {
                self.push(&format!(
                    "<g transform=\"scale({})\" stroke-linejoin=\"round\"{dash}>{}</g>",
                    1.0 / FINE,
                    inside.trim()
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_xml() {
        let sheet = Sheet::default();
        let set =
            Type { px: 13.0, family: "\"Segoe UI\", sans-serif", align: Align::Right, halo: Some("#fff"), up: true };
        sheet.text("a < b & \"c\"\u{1}", (1.234_56, -0.001), "#000", set);
        sheet.dash(&[2.0, 3.0]);
        sheet.line((0.0, 0.0), (1.0, 2.5), "red", 1.75);
        sheet.dash(&[]);
        sheet.fill((5.0, 5.0, -5.0, 2.0), "#123");
        let file = sheet.file((100.0, 50.0), "#fff", "A & B");
        for part in [
            "<title>A &amp; B</title>",
            ">a &lt; b &amp; &quot;c&quot;</text>",
            "x=\"1.23\" y=\"0\"",
            "font-family=\"&quot;Segoe UI&quot;, sans-serif\"",
            "transform=\"rotate(-90 1.23 0)\"",
            "d=\"M0 0L1 2.5\" stroke=\"red\" stroke-width=\"1.75\" stroke-dasharray=\"2 3\"/>",
            "<rect x=\"0\" y=\"5\" width=\"5\" height=\"2\" fill=\"#123\"/>",
        ] {
            assert!(file.contains(part), "{part} in {file}");
        }
    }

    #[test]
    fn curves_are_those_of_plotters() {
        let sheet = Sheet::default();
        let line = Item::Line {
            points: vec![(0.0, 0.0), (10.0, 5.0)],
            width: 2.0,
            colour: "#ff0000".into(),
            dash: &[1.0, 2.0],
        };
        sheet.items((20.0, 10.0), &[line]);
        let body = sheet.body.borrow();
        assert!(body.contains("<polyline") && body.contains("points=\"0,0 160,80 \""), "{body}");
        assert!(body.contains("stroke-dasharray=\"16 32\"") && body.contains("scale(0.0625)"), "{body}");
    }

    #[test]
    fn an_arc_goes_the_shorter_way_or_the_longer() {
        let sheet = Sheet::default();
        sheet.arc((0.0, 0.0), 1.0, (0.0, 1.0), "red", 1.0);
        sheet.arc((0.0, 0.0), 1.0, (0.0, -4.0), "red", 1.0);
        let body = sheet.body.borrow();
        assert!(body.contains("M1 0A1 1 0 0 1 0.54 0.84") && body.contains("M1 0A1 1 0 1 0 -0.65 0.76"), "{body}");
    }
}
