//! Figures on a real canvas: the pixels are the colour map's.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, clippy::panic, reason = "tests")]

use placewise::draw::charts::{Item, on_canvas};
use placewise::draw::{Ink, Surface, palettes::Palette};
use placewise::figures::{self, Scene, Size, Slot};
use placewise::state::{Cursor, MOST_LENGTH};
use posenc::{Config, Encoding, Error, Settings};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlCanvasElement;

wasm_bindgen_test_configure!(run_in_browser);

static WEIGHTS: &[u8] = include_bytes!("../static/data/learned-rxnmapper.bin");

const CURSOR: Cursor = Cursor { position: 3.0, offset: 2, plane: 0, head: 0, length: None };

fn scene(figure: &str, schemes: &[&str], length: u64) -> Scene {
    let spec = figures::find(figure).expect("a figure");
    let slots = schemes.iter().enumerate().map(|(index, text)| {
        let (config, _) = Config::parse(text).expect("a scheme");
        let encoding = Rc::new(match config.build() {
            Err(Error::NeedsData(asset)) => (asset.decode)(WEIGHTS),
            built => built,
        });
        Slot { index, config, encoding }
    });
    Scene {
        slots: slots.collect(),
        others: Vec::new(),
        length,
        words: Rc::new([]),
        seed: 1,
        options: Settings::new(spec.options),
        palette: "auto",
        said: true,
        own: None,
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
    Surface::new(canvas, (width, height, dpr), ink).expect("a context")
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
            ("heatmap", &["learned", "sinusoidal"]),
            ("offset", &["learned", "alibi", "t5", "none"]),
            ("similarity", &["learned", "sinusoidal", "rope"]),
            ("bias", &["alibi", "t5", "none"]),
        ] {
            for length in [1, 64, 1_000_000] {
                let on = drawn(figure, &scene(figure, schemes, length), (600.0, 500.0, dpr));
                assert!(marked(&on) > 1000, "{figure} at {dpr}, length {length}");
            }
        }
    }
}

/// Sizes have 32 bits here, and 64 in the native tests: a product of them that overflows panics.
#[wasm_bindgen_test]
fn every_scheme_is_answered_at_the_greatest_length() {
    let odd = ["sinusoidal(d_model=7)", "sinusoidal(d_model=4095)", "fourier(concat_pos=true)"];
    for scheme in posenc::registry().iter().map(|scheme| scheme.id).chain(odd) {
        for figure in figures::IDS {
            let scene = scene(figure, &[scheme], MOST_LENGTH as u64);
            let spec = figures::find(figure).expect("a figure");
            let model = (spec.make)(&scene, Size { width: 600.0, height: 400.0, dpr: 1.0 });
            model.draw(&surface(600.0, 400.0, 1.0), &CURSOR);
            model.summary(&CURSOR);
            model.readings(&CURSOR);
            model.legend();
            model.table(&CURSOR, 0);
        }
    }
}

#[wasm_bindgen_test]
fn what_cannot_be_drawn_is_said_on_the_canvas() {
    for figure in ["heatmap", "offset", "rotation", "similarity"] {
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
    for show in ["heads", "matrix", "softmax", "retained", "slopes"] {
        for (schemes, length, size) in
            [(&["alibi", "t5"], 1, (40.0, 40.0, 1.0)), (&["none", "alibi"], 10_000_000, (1.0, 1.0, 1.0))]
        {
            let mut scene = scene("bias", schemes, length);
            assert_eq!(scene.options.set("show", show), None);
            drawn("bias", &scene, size);
        }
    }
}

#[wasm_bindgen_test]
fn a_bias_lane_is_heads_by_offset() {
    // 54 pixels of numbers at the left, 14 at the right; lanes of 18 pixels a head begin at 24.
    let scene = scene("bias", &["alibi"], 16);
    let on = drawn("bias", &scene, (54.0 + 14.0 + 16.0 * 20.0, 24.0 + 8.0 * 18.0 + 60.0, 1.0));
    let Ok(Encoding::Bias(alibi)) = scene.slots[0].encoding.as_ref() else { panic!("a bias") };
    let palette = Palette::new("auto", -7.5, 0.0);
    for head in 0..8 {
        for offset in 0..16_i64 {
            if offset == CURSOR.offset {
                continue;
            }
            let value = alibi.by_offset(head, offset).expect("a bias") as f32;
            let (x, y) = (54.0 + (offset as f64 + 0.5) * 20.0, 24.0 + (head as f64 + 0.5) * 18.0);
            assert_eq!(pixel(&on, x, y), palette.colour(value), "head {head}, offset {offset}");
        }
    }
}

#[wasm_bindgen_test]
fn a_matrix_is_masked_and_a_similarity_is_not() {
    let mut masked = scene("bias", &["alibi"], 20);
    assert_eq!(masked.options.set("show", "matrix"), None);
    // 50 pixels at the left, 4 at the right, cells of 20 × 20; 24 above, 40 and the colours' bar below.
    let size = (50.0 + 4.0 + 400.0, 24.0 + 400.0 + 40.0 + 34.0, 1.0);
    let on = drawn("bias", &masked, size);
    let similar = scene("similarity", &["learned"], 20);
    let other = drawn("similarity", &similar, (size.0, size.1 - 34.0, 1.0));
    let Ok(Encoding::Absolute(table)) = similar.slots[0].encoding.as_ref() else { panic!("a table") };
    let row = |position: usize| {
        let mut row = vec![0.0; table.width()];
        table.write_row(position as f64, &mut row).expect("a row");
        row
    };
    let product = |a: usize, b: usize| row(a).iter().zip(row(b)).map(|(a, b)| a * b).sum::<f64>() as f32;
    let most = (0..400).map(|i| product(i / 20, i % 20).abs()).fold(0.0, f32::max);
    let (bias, products) = (Palette::new("auto", -8.0, 0.0), Palette::new("auto", -most, most));
    for query in 0..20 {
        for key in 0..20 {
            if query == CURSOR.position as usize {
                continue;
            }
            let (x, y) = (50.0 + (key as f64 + 0.5) * 20.0, 24.0 + (query as f64 + 0.5) * 20.0);
            let value = if key > query { f32::NAN } else { -0.5 * (query - key) as f32 };
            assert_eq!(pixel(&on, x, y), bias.colour(value), "query {query}, key {key}");
            let (seen, wanted) = (pixel(&other, x, y), products.colour(product(query, key)));
            // Products of single precision may fall into the next of 255 colours.
            let near = seen.iter().zip(&wanted).all(|(a, b)| a.abs_diff(*b) <= 8);
            assert!(near, "query {query}, key {key}: {seen:?} {wanted:?}");
        }
    }
}

#[wasm_bindgen_test]
fn a_canvas_that_is_drawn_in_parts_looks_as_one_drawn_anew() {
    let all = |on: &Surface| {
        let (width, height) = (f64::from(on.canvas.width()), f64::from(on.canvas.height()));
        on.context.get_image_data(0.0, 0.0, width, height).expect("pixels").data().0
    };
    for (figure, option) in [
        ("heatmap", ("positions", "0")),
        ("heatmap", ("positions", "12")),
        ("offset", ("axis", "linear")),
        ("offset", ("axis", "log")),
        ("rotation", ("vectors", "ones")),
    ] {
        let spec = figures::find(figure).expect("a figure");
        for dpr in [1.0, 1.25, 1.5] {
            let size = Size { width: 640.0, height: 560.0, dpr };
            let kept = surface(size.width, size.height, size.dpr);
            let mut before = Vec::new();
            for (schemes, cursor) in [
                (["sinusoidal", "rope", "rope(rope_theta=500000)"], CURSOR),
                (["sinusoidal", "rope(rope_theta=300)", "rope(rope_theta=500000)"], CURSOR),
                (["sinusoidal(base=50)", "rope(rope_theta=300)", "rope(rope_theta=500000)"], CURSOR),
                (
                    ["sinusoidal(base=50)", "rope(rope_theta=300)", "rope"],
                    Cursor { offset: 9, position: 30.0, ..CURSOR },
                ),
                (
                    ["sinusoidal(base=50)", "rope(rope_theta=300)", "rope"],
                    Cursor { offset: 0, position: 3.0, ..CURSOR },
                ),
                (["sinusoidal", "rope(rope_theta=300)", "rope"], Cursor { offset: 63, position: 63.0, ..CURSOR }),
                (["rope", "sinusoidal", "sinusoidal"], Cursor { offset: 63, position: 63.0, ..CURSOR }),
                (["rope", "rope", "rope"], CURSOR),
                (["sinusoidal", "sinusoidal", "sinusoidal"], CURSOR),
                (["sinusoidal(d_model=16)", "sinusoidal(d_model=8)", "rope(head_dim=12)"], CURSOR),
            ] {
                let mut scene = scene(figure, &schemes, 64);
                assert_eq!(scene.options.set(option.0, option.1), None);
                scene.words = ["Königsberg", "jumps", "gyrates", "quickly", "by"].map(str::to_owned).into();
                let model = (spec.make)(&scene, size);
                model.draw(&kept, &cursor);
                let fresh = surface(size.width, size.height, size.dpr);
                model.draw(&fresh, &cursor);
                let (seen, wanted) = (all(&kept), all(&fresh));
                let width = kept.canvas.width() as usize;
                let others = seen.iter().zip(&wanted).enumerate().filter(|(_, (a, b))| a != b);
                let places: Vec<_> = others.map(|(i, _)| (i / 4 % width, i / 4 / width)).collect();
                assert_eq!(places, [], "{figure}, {option:?}, density {dpr}: pixels that differ after {schemes:?}");
                assert_ne!(before, seen, "{figure} follows its scheme");
                before = seen;
            }
        }
    }
}

#[wasm_bindgen_test]
fn the_dashes_of_a_line_are_its_own() {
    // At one density lines are hairlines beside one another, at the other the canvas strokes them.
    for dpr in [1.0, 2.0] {
        let on = surface(100.0, 60.0, dpr);
        let line = |y: f64, width: f64, dash: &'static [f64]| Item::Line {
            points: vec![(0.0, y), (100.0, y)],
            width,
            colour: "#112233".to_owned(),
            dash,
        };
        let lines = [
            line(9.5, 1.0, &[]),
            line(20.5, 1.75, &[6.0, 4.0]),
            line(30.5, 1.0, &[]),
            line(40.5, 4.0, &[6.0, 4.0]),
            line(50.5, 1.0, &[]),
        ];
        on_canvas(&on, &lines);
        let seen = |y: f64| (2..98).filter(|x| pixel(&on, f64::from(*x) * dpr, (y * dpr).floor())[3] > 0).count();
        for y in [9.5, 30.5, 50.5] {
            assert_eq!(seen(y), 96, "the line at {y}, density {dpr}");
        }
        for y in [20.5, 40.5] {
            assert!((50..85).contains(&seen(y)), "{} pixels of the line at {y}, density {dpr}", seen(y));
        }
    }
}
