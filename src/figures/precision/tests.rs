use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    let scene = scene(&SPEC, schemes, length, options);
    let width = 600.0;
    Model::new(&scene, size(width, (SPEC.height)(&scene, width), 1.0))
}

fn most(model: &Model, format: Format) -> f64 {
    let place = Format::ALL.iter().position(|other| *other == format).unwrap();
    model.facets[0].curves.points[place].iter().map(|(_, error)| *error).fold(0.0, f64::max)
}

#[test]
fn fewer_bits_are_further_off() {
    let all = model(&["rope"], 131_072, &[]);
    let errors = Format::ALL.map(|format| most(&all, format));
    assert!(errors.is_sorted() && errors[0] < 1e-9 && (1e-3..1e-1).contains(&errors[1]), "{errors:?}");
    // In bf16 the angle is off by many turns.
    assert!(errors[3] > 100.0, "{errors:?}");
    // What is cast last does not grow with the position, and is below the last bit of the format.
    let table = model(&["rope"], 131_072, &[("cast", "table")]);
    assert!(
        most(&table, Format::Bf16) < 0.006 && most(&table, Format::F16) < 0.001 && most(&table, Format::F64) == 0.0
    );
    assert!(table.summary(&cursor(100_000.0, 0, 0)).contains("bf16 is off by 0.00"));
    // f16 has no number past 65504: there its line ends.
    let end = all.facets[0].curves.points[2].last().unwrap().0;
    assert!((40_000.0..65_520.0).contains(&end), "{end}");
    assert!(all.summary(&cursor(70_000.0, 0, 0)).contains("f16 is off by no number"));
}

#[test]
fn positions_that_share_a_number_are_named() {
    let positions = model(&["rope"], 4096, &[("cast", "positions")]);
    let summary = positions.summary(&cursor(1000.0, 0, 0));
    assert!(summary.contains("In bf16, positions 998 to 1002 are one and the same number"), "{summary}");
    assert!(summary.contains("f32 is exact; f16 is exact; bf16 is exact"), "{summary}");
    let next = positions.summary(&cursor(1001.0, 0, 0));
    assert!(next.contains("bf16 is off by 1 rad (16 % of a turn) in plane 0"), "{next}");
    assert!(!positions.summary(&cursor(200.0, 0, 0)).contains("one and the same"));
    let frequencies = model(&["rope"], 4096, &[("cast", "inv_freq")]);
    assert!(!frequencies.summary(&cursor(1000.0, 0, 0)).contains("one and the same"));
}

#[test]
fn readings_and_table_have_the_numbers() {
    let all = model(&["rope"], 4096, &[]);
    let at = cursor(1000.0, 0, 0);
    let readings = all.readings(&at);
    assert_eq!(readings.len(), 5);
    let (plane, error) = worst(Format::Bf16, Cast::All, 1000, &all.facets[0].freq).unwrap();
    let bf16 = &readings[3];
    assert!(bf16.label.contains("bf16") && bf16.label.contains(&plane.to_string()), "{}", bf16.label);
    assert!(bf16.value.starts_with(&number::digits(error, 3)), "{}", bf16.value);
    let table = all.table(&at, 0);
    let row = |position: &str| table.rows.iter().find(|row| row[0] == position).unwrap().clone();
    assert_eq!(row("1000")[4], number::digits(error, 3));
    assert_eq!(row("257").len(), 5);
    let planes = model(&["rope", "sinusoidal(d_model=6)"], 4096, &[("show", "planes")]);
    let table = planes.table(&cursor(257.0, 0, 0), 0);
    assert_eq!((table.rows.len(), table.rows[0].len(), table.after), (50, 9, true));
    assert!(table.rows[2][8] != *"" && table.rows[3][8].is_empty(), "three planes");
    assert_eq!(planes.table(&cursor(257.0, 0, 60), 0).rows.len(), 14);
}

#[test]
fn places_are_positions_or_planes() {
    let here = cursor(12.0, 4, 2);
    let patch = |model: &Model, input: Input| match model.respond(&input, &here).edits.as_slice() {
        [Edit::Cursor(patch)] => Some(*patch),
        _ => None,
    };
    let press = |x: f64| Input::Press { x, y: 100.0, shift: false };
    let key = |key: &str| Input::Key { key: key.to_owned(), shift: false };
    let positions = model(&["rope"], 4096, &[]);
    // The plot is from 76 to 560: a logarithmic axis from 1 to 4096.
    let middle = patch(&positions, press(76.0 + 484.0 / 2.0)).unwrap();
    assert_eq!((middle.position, patch(&positions, press(20.0))), (Some(64.0), None));
    assert_eq!(patch(&positions, key("PageUp")).unwrap().position, Some(24.0));
    assert_eq!(patch(&positions, key("ArrowLeft")).unwrap().position, Some(11.0));
    assert_eq!(patch(&positions, key("End")).unwrap().position, Some(4095.0));
    let planes = model(&["rope"], 4096, &[("show", "planes")]);
    assert_eq!(patch(&planes, press(76.0 + 484.0 / 2.0)).unwrap().plane, Some(32));
    assert_eq!(patch(&planes, key("ArrowRight")).unwrap().plane, Some(3));
    assert_eq!(patch(&planes, key("[")).unwrap().plane, Some(1));
}

#[test]
fn what_has_no_planes_is_said() {
    let some = model(&["rope", "learned", "alibi", "rope2d"], 64, &[]);
    assert_eq!((some.facets.len(), some.failures.len()), (1, 3));
    assert!(notes(&some).contains("Learned"), "{}", notes(&some));
    let none = model(&["learned"], 64, &[]);
    assert_eq!(none.table(&cursor(0.0, 0, 0), 0), Table::default());
}
