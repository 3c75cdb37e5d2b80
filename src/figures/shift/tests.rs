use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    let scene = scene(&SPEC, schemes, length, options);
    let width = 600.0;
    Model::new(&scene, size(width, (SPEC.height)(&scene, width), 1.0))
}

/// The text of a formula.
fn said(math: &str) -> String {
    let text = math.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect::<String>();
    text.chars().filter(|c| !c.is_whitespace() && !('\u{2061}'..='\u{2064}').contains(c)).collect()
}

#[test]
fn the_matrix_takes_every_position_to_the_one_so_many_tokens_on() {
    for spacing in ["geometric", "linear", "random"] {
        for layout in ["interleaved", "concatenated"] {
            let model = model(&[&format!("sinusoidal(spacing={spacing},layout={layout})")], 100_000, &[]);
            let sheet = &model.sheets[0];
            for offset in [0, 1, 7, -7, 900] {
                let first = sheet.shown(&cursor(1000.0, offset, 2)).unwrap();
                for position in [0.0, 12.0, 12.5, 1000.0, 99_999.0] {
                    let here = cursor(position, offset, 2);
                    let shown = sheet.shown(&here).unwrap();
                    assert_eq!(shown.matrix, first.matrix, "it does not depend on the position");
                    assert!(shown.error() < 1e-15 && sheet.error(&here).unwrap() < 1e-15, "{spacing} {layout}");
                    // It is the position that the other figures call the query's.
                    assert!(
                        (0..32).all(
                            |i| (shown.to[i] - sheet.shown(&cursor(position, 0, 2)).unwrap().from[i]).abs() < 1e-15
                        )
                    );
                }
            }
            // Another shift is another matrix.
            assert!(
                sheet.shown(&cursor(12.0, 4, 2)).unwrap().matrix != sheet.shown(&cursor(12.0, 5, 2)).unwrap().matrix
            );
        }
    }
}

#[test]
fn sines_alone_do_not_tell_the_shift() {
    // k = 10, ω = 1: cos² 10 = 0.704.
    let model = model(&["sinusoidal"], 64, &[("part", "sine")]);
    let here = cursor(32.0, 10, 0);
    let reading = &model.readings(&here)[1];
    let explained: f64 = reading.value.parse().unwrap();
    let factor = number::digits(model.sheets[0].fit(0, 10).unwrap().factor, 3);
    assert_eq!(said(&reading.math), format!("sin((p+10)·1)≈{factor}sin(p·1),R2={}", reading.value));
    assert!((explained - 0.704).abs() < 2e-3, "{explained}");
    let summary = model.summary(&here);
    assert!(summary.contains("70.") && summary.contains("PE(32) is missed by up to"), "{summary}");
    let shown = model.sheets[0].shown(&here).unwrap();
    assert_eq!((shown.dims.len(), shown.dims[1], shown.matrix[1]), (16, 2, 0.0));
    assert!((f64::from(shown.matrix[0]) - libm::cos(10.0)).abs() < 5e-3);
    assert!(shown.error() > 0.1, "{}", shown.error());
    let table = model.table(&here, 0);
    assert_eq!(
        (table.rows.len(), table.rows[0][1].as_str(), table.rows[0][2].as_str()),
        (16, "10", &*number::exact(explained))
    );
    // Nothing is missed where nothing is shifted.
    assert!(model.sheets[0].shown(&cursor(32.0, 0, 0)).unwrap().error() < 1e-15);
}

#[test]
fn what_has_no_such_matrix_is_said() {
    let odd = model(&["sinusoidal(d_model=7)"], 64, &[]);
    assert!(odd.summary(&cursor(12.0, 4, 0)).contains("has no cosine"), "{}", odd.summary(&cursor(12.0, 4, 0)));
    assert_eq!(odd.table(&cursor(12.0, 4, 0), 0), Table::default());
    // It takes no room beside one that is shown.
    let height = |schemes: &[&str]| (SPEC.height)(&scene(&SPEC, schemes, 64, &[]), 300.0);
    assert_eq!(height(&["sinusoidal(d_model=7)", "sinusoidal"]), height(&["sinusoidal"]));
    assert!(height(&["sinusoidal(d_model=7)"]) < 150.0);
    // A column of zeros lacks nothing, and sines alone have none to lack.
    assert_eq!(model(&["sinusoidal(d_model=7,odd=zero-pad)"], 64, &[]).sheets.len(), 1);
    assert_eq!(model(&["sinusoidal(d_model=7)"], 64, &[("part", "sine")]).sheets.len(), 1);
    let some = model(&["rope", "sinusoidal", "learned"], 64, &[]);
    assert_eq!((some.sheets.len(), some.failures.len()), (1, 2));
    assert!(notes(&some).contains("RoPE"), "{}", notes(&some));
}

#[test]
fn wide_vectors_are_shown_by_blocks_of_planes() {
    for (layout, beside) in [("interleaved", 1), ("concatenated", 64)] {
        let model = model(&[&format!("sinusoidal(d_model=4096,layout={layout})")], 64, &[]);
        let shown = model.sheets[0].shown(&cursor(40.0, 4, 100)).unwrap();
        let planes: Vec<_> = shown.dims.iter().map(|dim| model.sheets[0].plane_of(*dim).unwrap()).collect();
        assert_eq!((shown.dims.len(), planes.iter().min(), planes.iter().max()), (128, Some(&64), Some(&127)));
        // The partner of the first column.
        assert!(shown.matrix[0] != 0.0 && shown.matrix[beside] != 0.0 && shown.matrix[2] == 0.0, "{layout}");
        assert!(notes(&model).contains("64 of 2048"), "{}", notes(&model));
    }
}

#[test]
fn readings_have_the_block_and_its_numbers() {
    let model = model(&["sinusoidal(d_model=4)"], 64, &[]);
    let readings = model.readings(&cursor(12.0, 4, 0));
    assert_eq!(readings.len(), 2);
    assert_eq!(readings[1].value, "4 rad");
    for number in [libm::cos(4.0), libm::sin(4.0), libm::sin(8.0), libm::cos(8.0), libm::sin(12.0), libm::cos(12.0)] {
        assert!(readings[1].math.contains(&number::digits(number, 3)), "{number} in {}", readings[1].math);
    }
    let error: String = readings[0].value.clone();
    assert!(error == "0" || error.contains("×10⁻¹"), "{error}");
    assert_eq!(model.readings(&cursor(12.0, 4, 9)).len(), 1, "a plane that it does not have");
}

#[test]
fn places_choose_planes_and_keys_move_the_cursor() {
    let model = model(&["sinusoidal", "sinusoidal(layout=concatenated)"], 64, &[]);
    let here = cursor(12.0, 4, 2);
    let patch = |input: Input| match model.respond(&input, &here) {
        Response { edits, .. } if edits.is_empty() => None,
        response => match response.edits.as_slice() {
            [Edit::Cursor(patch)] => Some(*patch),
            _ => None,
        },
    };
    let plane = |x: f64, y: f64| patch(Input::Press { x, y, shift: false }).and_then(|patch| patch.plane);
    // Two panels side by side, the second half sines, half cosines.
    assert_eq!([plane(39.0, 60.0), plane(287.0, 60.0), plane(10.0, 60.0)], [Some(0), Some(15), None]);
    assert_eq!([plane(351.0, 60.0), plane(470.0, 60.0), plane(480.0, 60.0)], [Some(0), Some(15), Some(0)]);
    let key = |key: &str| patch(Input::Key { key: key.to_owned(), shift: false }).unwrap();
    assert_eq!((key("ArrowRight").position, key("ArrowUp").offset), (Some(13.0), Some(5)));
    assert_eq!((key("End").position, key("]").plane, key("PageDown").position), (Some(63.0), Some(3), Some(2.0)));
    let hover = model.respond(&Input::Hover { x: 287.0, y: 60.0 }, &here);
    assert_eq!(hover.hover.and_then(|patch| patch.plane), Some(15));
}
