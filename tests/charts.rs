//! The drawing of charts against a picture that was looked at. `UPDATE=1 cargo test --test charts` takes the new one.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::expect_used, reason = "tests")]

use placewise::draw::charts::{Item, Plot, Span, band, draw};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use std::{env, fs, path::Path};

#[test]
fn lines_bands_and_points() {
    let plot = Plot {
        left: 40.0,
        top: 10.0,
        width: 240.0,
        height: 120.0,
        x: Span::Log(1.0, 1000.0),
        y: Span::Linear(-1.0, 1.0),
    };
    let offsets: Vec<f64> = (0..=12).map(|i| 10_f64.powf(f64::from(i) / 4.0)).collect();
    let x: Vec<f64> = offsets.iter().map(|offset| plot.x_of(*offset)).collect();
    let y = |shift: f64| -> Vec<f64> { (0..=12).map(|i| plot.y_of((12.0 - f64::from(i)) / 12.0 - shift)).collect() };
    let line = x.iter().copied().zip(y(0.5)).collect();
    let items = [
        Item::Area { points: band(&x, &y(0.25), &y(0.75)), colour: "#0066aa".to_owned(), alpha: 0.25 },
        Item::Line { points: line, width: 1.75, colour: "#0066aa".to_owned(), dash: &[7.0, 4.0] },
        Item::Point { at: (plot.x_of(100.0), plot.y_of(0.0)), radius: 4.5, colour: "rgb(170, 0, 85)".to_owned() },
    ];
    let dashes = std::cell::RefCell::new(Vec::new());
    let mut svg = String::new();
    {
        // Two units a CSS pixel.
        let area = SVGBackend::with_string(&mut svg, (600, 300)).into_drawing_area();
        draw(&area, (300.0, 150.0), 2.0, &items, &|dash| dashes.borrow_mut().push(dash.to_vec())).expect("a drawing");
        area.present().expect("a picture");
    }
    assert_eq!(*dashes.borrow(), [vec![7.0, 4.0], vec![]], "each line's dashes, and none after the last");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/charts.svg");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &svg).expect("the picture is written");
    }
    let golden = fs::read_to_string(&path).expect("tests/charts.svg");
    assert_eq!(svg.trim(), golden.trim(), "if the new one is right: UPDATE=1 cargo test --test charts");
}
