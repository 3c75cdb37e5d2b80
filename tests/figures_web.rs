//! Figures on a real canvas: the pixels are the colour map's.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, clippy::panic, reason = "tests")]

use placewise::draw::{Ink, Surface, palettes::Palette};
use placewise::figures::{self, Scene, Size, Slot};
use placewise::state::Cursor;
use posenc::{Config, Encoding, Settings};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlCanvasElement;

wasm_bindgen_test_configure!(run_in_browser);

const CURSOR: Cursor = Cursor { position: 3.0, offset: 2, plane: 0, head: 0 };

fn scene(figure: &str, schemes: &[&str], length: u64) -> Scene {
    let spec = figures::find(figure).expect("a figure");
    let slots = schemes.iter().enumerate().map(|(index, text)| {
        let (config, _) = Config::parse(text).expect("a scheme");
        let encoding = Rc::new(config.build());
        Slot { index, config, encoding }
    });
    Scene {
        slots: slots.collect(),
        length,
        words: Rc::new([]),
        seed: 1,
        options: Settings::new(spec.options),
        palette: "auto",
        said: true,
    }
}

fn surface(width: f64, height: f64, dpr: f64) -> Surface {
    let document = web_sys::window().and_then(|window| window.document()).expect("a page");
    let canvas: HtmlCanvasElement = document.create_element("canvas").expect("a canvas").unchecked_into();
    let ink = Ink {
        paper: "#ffffff".to_owned(),
        ink: "#111111".to_owned(),
        muted: "#666666".to_owned(),
        hairline: "#dddddd".to_owned(),
        accent: "#aa0055".to_owned(),
        slots: ["#0066aa", "#bb4400", "#117744", "#774499"].map(str::to_owned),
        font: "sans-serif".to_owned(),
    };
    Surface::new(canvas, width, height, dpr, ink).expect("a context")
}

fn pixel(on: &Surface, x: f64, y: f64) -> [u8; 4] {
    let data = on.context.get_image_data(x, y, 1.0, 1.0).expect("pixels").data();
    [data[0], data[1], data[2], data[3]]
}

/// Draws, and gives the canvas back.
fn drawn(figure: &str, scene: &Scene, (width, height, dpr): (f64, f64, f64)) -> Surface {
    let spec = figures::find(figure).expect("a figure");
    let model = (spec.make)(scene, Size { width, height, dpr });
    let on = surface(width, height, dpr);
    model.draw(&on, &CURSOR);
    on
}

/// Pixels of the canvas that were drawn on.
fn marked(on: &Surface) -> usize {
    let (width, height) = (f64::from(on.canvas.width()), f64::from(on.canvas.height()));
    let data = on.context.get_image_data(0.0, 0.0, width, height).expect("pixels").data();
    data.chunks(4).filter(|pixel| pixel[3] > 0).count()
}

#[wasm_bindgen_test]
fn a_heatmaps_pixels_are_the_colour_maps_entries() {
    // Numbers at the left take 64 pixels, 34 are above and below: cells of 20 × 20 pixels.
    let (columns, rows, cell) = (16, 10, 20.0);
    let size = (64.0 + 4.0 + 16.0 * cell, 34.0 + 34.0 + 10.0 * cell, 1.0);
    let scene = scene("heatmap", &["sinusoidal(d_model=16)"], rows as u64);
    let on = drawn("heatmap", &scene, size);
    let Ok(Encoding::Absolute(table)) = scene.slots[0].encoding.as_ref() else { panic!("a table") };
    let palette = Palette::new("auto", -1.0, 1.0);
    let mut row = vec![0.0; columns];
    for position in 0..rows {
        table.write_row(position as f64, &mut row).expect("a row");
        for (dim, value) in row.iter().enumerate() {
            // In the middle of a cell, off the cursor's outlines.
            let (x, y) = (64.0 + (dim as f64 + 0.5) * cell, 34.0 + (position as f64 + 0.5) * cell);
            assert_eq!(pixel(&on, x, y), palette.colour(*value as f32), "position {position}, dimension {dim}");
        }
    }
}

#[wasm_bindgen_test]
fn every_figure_draws_at_every_density() {
    for dpr in [1.0, 2.0, 2.625] {
        for (figure, schemes) in [
            ("heatmap", &["sinusoidal", "rope"][..]),
            ("offset", &["sinusoidal", "rope", "none"]),
            ("rotation", &["sinusoidal", "rope"]),
        ] {
            for length in [1, 64, 1_000_000] {
                let on = drawn(figure, &scene(figure, schemes, length), (600.0, 500.0, dpr));
                assert!(marked(&on) > 1000, "{figure} at {dpr}, length {length}");
            }
        }
    }
}

#[wasm_bindgen_test]
fn what_cannot_be_drawn_is_said_on_the_canvas() {
    for figure in ["heatmap", "offset", "rotation"] {
        let on = drawn(figure, &scene(figure, &["rope(head_dim=7)"], 64), (400.0, 200.0, 1.0));
        assert!(marked(&on) > 50, "{figure}");
    }
}

#[wasm_bindgen_test]
fn a_tiny_canvas_is_no_error() {
    for figure in ["heatmap", "offset", "rotation"] {
        drawn(figure, &scene(figure, &["sinusoidal(d_model=1)", "rope(head_dim=2)"], 1), (40.0, 40.0, 1.0));
        drawn(figure, &scene(figure, &["sinusoidal(d_model=4096)"], 10_000_000), (1.0, 1.0, 1.0));
    }
}
