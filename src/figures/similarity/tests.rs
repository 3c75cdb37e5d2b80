use super::*;
use crate::figures::testing::{cursor, scene, size};
use crate::state::{CursorPatch, Edit};
use posenc::Encoding;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(460.0, 460.0, 1.0))
}

/// Every pair, from the vectors themselves.
fn pairs(scene: &Scene, length: usize, cosine: bool) -> Vec<f64> {
    let vectors = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap();
    let rows = |key: bool| -> Vec<Vec<f64>> {
        let row = |position: usize| match scene.slots[0].encoding.as_ref() {
            Ok(Encoding::Absolute(table)) => {
                let mut row = vec![0.0; table.width()];
                table.write_row(position as f64, &mut row).unwrap();
                row
            }
            Ok(Encoding::Rotary(rotary)) => {
                let (q, k) = vectors.pair(rotary.head_dim());
                let mut row = vec![0.0; rotary.head_dim()];
                rotary.rotate(if key { &k } else { &q }, position as f64, &mut row).unwrap();
                // Divided by √d, once.
                if !key && !cosine {
                    for x in &mut row {
                        *x /= (rotary.head_dim() as f64).sqrt();
                    }
                }
                row
            }
            _ => unreachable!(),
        };
        (0..length).map(row).collect()
    };
    let norm = |x: &[f64]| if cosine { x.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
    let (queries, keys) = (rows(false), rows(true));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / (norm(a) * norm(b));
    queries.iter().flat_map(|q| keys.iter().map(|k| product(q, k)).collect::<Vec<_>>()).collect()
}

const SCHEMES: [&str; 6] = [
    "sinusoidal",
    "sinusoidal(d_model=33,base=20)",
    "rope(head_dim=16)",
    "rope(head_dim=16,partial_rotary_factor=0.5,rope_type=yarn,factor=4)",
    "learned",
    "learned(table=minilm)",
];

#[test]
fn cells_are_the_products_of_their_pairs() {
    for text in SCHEMES {
        for measure in ["dot", "cosine"] {
            for vectors in ["ones", "equal", "independent"] {
                let options = [("measure", measure), ("vectors", vectors)];
                let model = model(&[text], 50, &options);
                let exact = pairs(&scene(&SPEC, &[text], 50, &options), 50, measure == "cosine");
                let raster = model.panels[0].raster.borrow();
                assert_eq!((model.square.cells, model.square.run), (50, 1));
                for (i, (cell, exact)) in raster.cells().iter().zip(&exact).enumerate() {
                    assert!((f64::from(*cell) - exact).abs() < 2e-4, "{text} {options:?} {i}: {cell} {exact}");
                    let value = model.panels[0].source.at(i as i64 / 50, i as i64 % 50);
                    assert!((value - exact).abs() < 1e-9, "{text} {options:?} {i}: {value} {exact}");
                }
            }
        }
    }
}

#[test]
fn a_cell_of_many_is_their_mean() {
    for text in ["sinusoidal", "rope(head_dim=16)", "learned"] {
        let options = [("vectors", "independent")];
        let small = Model::new(&scene(&SPEC, &[text], 60, &options), size(70.0, 72.0, 1.0));
        let (n, run) = (small.square.cells, small.square.run as usize);
        assert!(run > 1, "{run}");
        let exact = pairs(&scene(&SPEC, &[text], 60, &options), 60, false);
        let raster = small.panels[0].raster.borrow();
        for row in 0..60 / run {
            for column in 0..60 / run {
                let all = (0..run * run).map(|i| exact[(row * run + i / run) * 60 + column * run + i % run]);
                let mean = all.sum::<f64>() / (run * run) as f64;
                assert!((f64::from(raster.cells()[row * n + column]) - mean).abs() < 2e-4, "{text} {row} {column}");
            }
        }
        let run = number::whole(run as i64);
        assert!(small.legend().contains(&Legend::Note(words::square_mean(&run))));
    }
    let cosine = Model::new(&scene(&SPEC, &["learned"], 60, &[("measure", "cosine")]), size(70.0, 72.0, 1.0));
    assert!(cosine.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains("in the middle"))));
}

#[test]
fn ten_million_positions_cost_what_is_on_screen() {
    let model =
        model(&["sinusoidal(d_model=4096)", "rope(head_dim=1024)", "sinusoidal(d_model=4095)"], 10_000_000, &[]);
    assert!(model.square.cells <= 577);
    let diagonal = model.panels[1].raster.borrow().cells()[0];
    assert!(diagonal.is_finite());
    // A long run blurs all planes but the slow ones: less is left than of one pair.
    assert!(f64::from(diagonal) < model.panels[1].source.at(0, 0));
}

#[test]
fn a_table_ends_and_says_where() {
    let model = model(&["learned", "sinusoidal"], 600, &[]);
    let note = |text: &str| model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains(text)));
    assert!(note("ends with row 511") && note("510, 511"));
    assert!(model.summary(&cursor(530.0, 4, 0)).contains("no row for position 530"));
    assert_eq!(model.readings(&cursor(530.0, 4, 0))[0].value, "–");
    assert_ne!(model.readings(&cursor(530.0, 4, 0))[1].value, "–");
    let raster = model.panels[0].raster.borrow();
    assert!(raster.cells().last().unwrap().is_nan() && raster.cells()[0].is_finite());
    assert!(model.summary(&cursor(2.0, 4, 0)).contains("no key"));
}

#[test]
fn scales_are_shared_by_what_is_the_same() {
    let scales = |schemes: &[&str], measure: &str| {
        let model = model(schemes, 64, &[("measure", measure)]);
        model.legend().iter().filter(|entry| matches!(entry, Legend::Scale { .. })).count()
    };
    assert_eq!(scales(&["sinusoidal", "learned"], "dot"), 1);
    assert_eq!(scales(&["sinusoidal", "rope"], "dot"), 2);
    assert_eq!(scales(&["sinusoidal", "rope", "learned"], "cosine"), 1);
    let both = model(&["sinusoidal", "learned"], 64, &[]);
    assert_eq!(both.palette(&both.panels[0]), both.palette(&both.panels[1]));
    assert!(both.legend().contains(&Legend::Note(words::similarity_faint().to_owned())));
    let others = model(&["alibi", "none", "sinusoidal"], 64, &[]);
    assert_eq!(others.panels.len(), 1);
    let said = others.summary(&cursor(9.0, 4, 0));
    assert!(said.contains("ALiBi adds nothing to the vectors") && said.contains("No positions: no place"), "{said}");
}

#[test]
fn a_step_of_one_scheme_leaves_the_panels_of_others() {
    let first = model(&["learned", "sinusoidal"], 64, &[]);
    let second = model(&["learned", "sinusoidal(base=50)"], 64, &[]);
    assert!(Rc::ptr_eq(&first.panels[0].raster, &second.panels[0].raster));
    assert!(!Rc::ptr_eq(&first.panels[1].raster, &second.panels[1].raster));
    let third = model(&["learned", "sinusoidal(base=50)"], 65, &[]);
    assert!(!Rc::ptr_eq(&third.panels[0].raster, &second.panels[0].raster));
}

#[test]
fn the_window_zooms_pans_and_points() {
    let model = model(&["sinusoidal", "rope"], 1000, &[("first_position", "100"), ("positions", "200")]);
    let (left, top, width, height) = model.square.panel(1);
    let place = |query: f64, key: f64| {
        (left + (key - 100.0 + 0.5) / 200.0 * width, top + (query - 100.0 + 0.5) / 200.0 * height)
    };
    let (x, y) = place(150.0, 120.0);
    let hover = model.respond(&Input::Hover { x, y }, &cursor(0.0, 0, 0)).hover.unwrap();
    assert_eq!(hover, CursorPatch { position: Some(150.0), offset: Some(30), ..CursorPatch::default() });
    let set = |response: Response| -> Vec<(&'static str, String)> {
        let edit = |edit| match edit {
            Edit::Set(_, key, value) => Some((key, value)),
            _ => None,
        };
        response.edits.into_iter().filter_map(edit).collect()
    };
    let key = |key: &str| model.respond(&Input::Key { key: key.to_owned(), shift: false }, &cursor(150.0, 30, 0));
    assert_eq!(set(key("0")), [("first_position", "0".to_owned()), ("positions", "0".to_owned())]);
    let zoomed = set(key("+"));
    assert_eq!(zoomed[1], ("positions", "133".to_owned()));
    let middle =
        set(model
            .respond(&Input::Zoom { x: left + width / 2.0, y: top + height / 2.0, factor: 2.0 }, &cursor(0.0, 0, 0)));
    assert_eq!(middle, [("first_position", "150".to_owned()), ("positions", "100".to_owned())]);
    model.respond(&Input::Press { x, y, shift: true }, &cursor(0.0, 0, 0));
    let pan = Input::Drag { from_x: x, from_y: y, x: x - 20.0, y: y - 20.0, shift: true };
    let panned: i64 = set(model.respond(&pan, &cursor(0.0, 0, 0)))[0].1.parse().unwrap();
    assert!(panned > 110 && panned < 140, "{panned}");
}

#[test]
fn what_is_no_table_and_no_rotation_is_named() {
    let model = model(&["xpos", "rope"], 64, &[]);
    assert_eq!(model.panels.len(), 1);
    assert!(model.summary(&cursor(9.0, 4, 0)).contains("xPos changes queries and keys"));
    let alone = scene(&SPEC, &["xpos"], 64, &[]);
    assert!((SPEC.height)(&alone, 600.0) < 200.0);
}
