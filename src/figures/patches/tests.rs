use super::*;
use crate::figures::IN_A_ROW;
use crate::figures::testing::{cursor, notes, scene, size};
use posenc::grid::Grid;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 500.0, 1.0))
}

const SCHEMES: [&str; 12] = [
    "sinusoidal",
    "sinusoidal(d_model=33)",
    "learned",
    "fourier",
    "fourier(axes=2)",
    "rope(head_dim=16,rope_type=yarn,factor=4)",
    "sincos2d",
    "learned2d(grid_size=4)",
    "rope2d(head_dim=16)",
    "rope2d(head_dim=16,convention=dinov3)",
    "rope-mixed(head_dim=16)",
    "mrope(head_dim=16)",
];

/// The vectors of all patches as queries or as keys, from the schemes themselves.
fn vectors(scene: &Scene, grid: Grid, key: bool) -> Vec<Vec<f64>> {
    let chosen = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap();
    let pick = |width: usize| if key { chosen.pair(width).1 } else { chosen.pair(width).0 };
    let vector = |(row, column): (usize, usize)| {
        let position = (row * grid.width + column) as f64;
        match common::encoding(&scene.slots[0]).unwrap() {
            Encoding::Absolute(table) => {
                let mut out = vec![0.0; table.width()];
                table.write_row(position, &mut out).unwrap();
                out
            }
            Encoding::Grid(table) => {
                let mut out = vec![0.0; table.width()];
                table.write_patch(grid, row, column, &mut out).unwrap();
                out
            }
            Encoding::Rotary(rotary) => {
                let mut out = vec![0.0; rotary.head_dim()];
                rotary.rotate(&pick(rotary.head_dim()), position, &mut out).unwrap();
                out
            }
            Encoding::Axial(axial) => {
                let mut out = vec![0.0; axial.head_dim()];
                let mut at = axial.coordinates(grid, row, column).unwrap().to_vec();
                if axial.axes().len() == 3 {
                    at.insert(0, 7.0);
                }
                axial.rotate(&pick(axial.head_dim()), &at, &mut out).unwrap();
                out
            }
            _ => unreachable!(),
        }
    };
    grid.patches().map(vector).collect()
}

#[test]
fn cells_are_the_products_of_the_patches_vectors() {
    let grid = Grid { height: 5, width: 6 };
    for text in SCHEMES {
        for (measure, chosen) in
            [("dot", "ones"), ("cosine", "equal"), ("dot", "independent"), ("cosine", "independent")]
        {
            let options = [("rows", "5"), ("cols", "6"), ("measure", measure), ("vectors", chosen)];
            let model = model(&[text], 64, &options);
            let scene = scene(&SPEC, &[text], 64, &options);
            let (queries, keys) = (vectors(&scene, grid, false), vectors(&scene, grid, true));
            let panel = &model.panels[0];
            let root = panel.source.head_dim().map_or(1.0, |dim| (dim as f64).sqrt());
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for patch in [(0, 0), (2, 5), (4, 1)] {
                panel.paint(patch, |raster| {
                    let a = &queries[model.index(patch)];
                    for (i, (b, cell)) in keys.iter().zip(raster.cells()).enumerate() {
                        let scale = if measure == "dot" { root } else { (dot(a, a) * dot(b, b)).sqrt() };
                        let expected = dot(a, b) / scale;
                        let exact = panel.source.at(patch, model.patch(i));
                        assert!(
                            (exact - expected).abs() < 1e-9,
                            "{text} {options:?} {patch:?} {i}: {exact} {expected}"
                        );
                        assert!((f64::from(*cell) - expected).abs() < 1e-4, "{text} {patch:?} {i}: {cell} {expected}");
                        let palette = model.palette(panel);
                        let inside = *cell >= palette.low() - 1e-4 && *cell <= palette.high() + 1e-4;
                        assert!(inside, "{text}: the colours reach {cell}");
                    }
                });
            }
        }
    }
}

#[test]
fn the_grid_follows_the_length_where_it_is_not_chosen() {
    let grid = |length: u64, rows: &str, cols: &str| {
        let Grid { height, width } = model(&["sincos2d"], length, &[("rows", rows), ("cols", cols)]).layout.grid;
        (height, width)
    };
    assert_eq!(grid(64, "0", "0"), (8, 8));
    assert_eq!(grid(200, "0", "0"), (14, 14));
    assert_eq!(grid(1, "0", "0"), (1, 1));
    assert_eq!(grid(10_000_000, "0", "0"), (64, 64));
    assert_eq!(grid(64, "0", "16"), (4, 16));
    assert_eq!(grid(64, "5", "0"), (5, 12));
    assert_eq!(grid(64, "3", "7"), (3, 7));
    assert_eq!(grid(4, "0", "9"), (1, 9));
}

#[test]
fn rows_and_columns_are_told_apart_by_schemes_for_images_alone() {
    let at = |scheme: &str, other: Patch| {
        let model = model(&[scheme], 64, &[]);
        model.panels[0].source.at((3, 3), other)
    };
    // The patch below and the one to the right are as alike; in one long row the one below is far away.
    for scheme in ["sincos2d", "rope2d"] {
        assert!((at(scheme, (4, 3)) - at(scheme, (3, 4))).abs() < 1e-12, "{scheme}");
    }
    for scheme in ["sinusoidal", "rope"] {
        assert!(at(scheme, (3, 4)) - at(scheme, (4, 3)) > 0.1, "{scheme}");
    }
    let mirrored = |scheme: &str| (at(scheme, (5, 4)) - at(scheme, (5, 2))).abs();
    assert!(mirrored("rope2d") < 1e-12, "left and right are alike to axes");
    assert!(mirrored("rope-mixed") > 1e-3, "and not to slanting directions");
}

#[test]
fn places_and_keys_choose_patches() {
    let model = model(&["sincos2d", "rope2d", "sinusoidal"], 64, &[]);
    let here = cursor(12.0, 4, 0);
    assert_eq!((model.chosen(&here), model.other(&here)), ((1, 4), Some((1, 0))));
    let position = |response: Response| match response.edits.as_slice() {
        [Edit::Cursor(patch)] => patch.position,
        _ => None,
    };
    // The picture, and a panel a scheme.
    for panel in 0..4 {
        let (x, y) = model.layout.middle(panel, (5, 2));
        assert_eq!(position(model.respond(&Input::Press { x, y, shift: false }, &here)), Some(42.0));
        let hover = model.respond(&Input::Hover { x, y }, &here).hover.unwrap();
        assert_eq!(hover, CursorPatch { offset: Some(12 - 42), ..CursorPatch::default() });
        assert_eq!(model.other(&hover.on(here)), Some((5, 2)));
    }
    let key = |key: &str, shift: bool| model.respond(&Input::Key { key: key.to_owned(), shift }, &here);
    assert_eq!(position(key("ArrowDown", false)), Some(20.0));
    assert_eq!(position(key("ArrowRight", false)), Some(13.0));
    assert_eq!((position(key("Home", false)), position(key("End", false))), (Some(0.0), Some(63.0)));
    let patch = CursorPatch { offset: Some(12 - 16), ..CursorPatch::default() };
    assert_eq!(key("ArrowDown", true).edits, [Edit::Cursor(patch)]);
    // The end of a row is no way to the next one.
    let end = model.respond(&Input::Key { key: "ArrowRight".to_owned(), shift: false }, &cursor(15.0, 0, 0));
    assert_eq!(position(end), Some(15.0));
}

#[test]
fn an_image_longer_than_the_sequence_makes_it_longer() {
    let model = model(&["sincos2d"], 64, &[("rows", "10"), ("cols", "10")]);
    assert!(notes(&model).contains("64 positions, the image 100"), "{}", notes(&model));
    let (x, y) = model.layout.middle(0, (9, 9));
    let edits = model.respond(&Input::Press { x, y, shift: false }, &cursor(0.0, 0, 0)).edits;
    assert_eq!(edits[0], Edit::Set(Target::Global, "length", "100".to_owned()));
    assert_eq!(model.respond(&Input::Hover { x, y }, &cursor(0.0, 0, 0)), Response::default());
    // A position past the image is said.
    let small = super::tests::model(&["sincos2d"], 64, &[("rows", "2"), ("cols", "2")]);
    assert_eq!(small.chosen(&cursor(50.0, 0, 0)), (1, 1));
    assert!(small.summary(&cursor(50.0, 0, 0)).contains("past the image of 4"));
}

#[test]
fn what_is_made_up_resized_or_ends_is_said() {
    let model = model(&["learned2d", "learned2d(grid_size=30,antialias=true)", "learned", "rope-mixed"], 900, &[]);
    let kinds: Vec<&str> = model.panels.iter().map(|panel| panel.kind.as_str()).collect();
    assert!(kinds[0].contains("made up, 14 × 14, resized to 30 × 30"), "{kinds:?}");
    assert_eq!((kinds[1], kinds[3]), ("made up, 30 × 30", words::patches_untrained()));
    let said = notes(&model);
    assert!(said.contains("without antialiasing") && said.contains("made up here"), "{said}");
    assert!(said.contains("ends with row 511"), "{said}");
    let summary = model.summary(&cursor(600.0, 1, 0));
    assert!(summary.contains("no row for position 600") && summary.contains("row 20, column 0"), "{summary}");
    let table = model.table(&cursor(600.0, 1, 0), 0);
    assert_eq!((table.head.len(), table.rows[0][0].as_str(), table.rows[0][5].as_str()), (7, "600", "–"));
}

#[test]
fn other_figures_send_patches_here() {
    for figure in crate::figures::registry().iter().filter(|figure| IN_A_ROW.contains(&figure.id)) {
        let schemes = ["rope2d", "sincos2d"].map(|id| posenc::find(id).unwrap());
        let suited = schemes.iter().filter(|scheme| (figure.suits)(scheme)).count();
        let scene = scene(figure, &["rope2d", "sincos2d"], 64, &[]);
        assert_eq!((scene.slots.len(), scene.others.len()), (0, 2), "{}", figure.id);
        assert!(suited > 0, "{}: another reason", figure.id);
        let said = (figure.make)(&scene, size(700.0, 300.0, 1.0)).summary(&cursor(0.0, 0, 0));
        assert!(said.contains("2-D RoPE places the patches") && said.contains("Patches of an image"), "{said}");
    }
}

#[test]
fn the_largest_grid_of_the_widest_table_is_bounded() {
    for text in ["sincos2d(d_model=4096)", "sinusoidal(d_model=4095)", "learned2d(d_model=1024)"] {
        let model = model(&[text], 4096, &[]);
        let value = model.panels[0].source.at((40, 3), (41, 3));
        model.panels[0].paint((40, 3), |raster| {
            let cell = f64::from(raster.cells()[41 * 64 + 3]);
            assert!((cell - value).abs() < 1e-4, "{text}: {cell} {value}");
        });
    }
}
