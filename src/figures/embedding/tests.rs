use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 400.0, 1.0))
}

#[test]
fn the_input_is_the_word_and_the_position() {
    for text in ["sinusoidal", "learned(table=minilm)", "fourier"] {
        for (scale, factor) in [("sqrt", 1.0), ("none", 0.0)] {
            let model = model(&[text], 64, &[("scale", scale)]);
            let line = &model.lines[0];
            let factor = if factor > 0.0 { factor } else { 1.0 / (line.width as f64).sqrt() };
            let input = model.input(line, 1.0);
            let word = of_word("cat", 1, line.width);
            for (dim, word) in word.iter().enumerate() {
                let expected = word * factor + line.sheet.at(1.0, dim);
                assert!((input.sum[dim] - expected).abs() < 1e-12, "{text} {scale} {dim}");
            }
        }
    }
}

#[test]
fn side_by_side_the_strips_stand_over_their_parts() {
    let model = model(&["sinusoidal(d_model=8)"], 64, &[("combine", "concatenate")]);
    let line = &model.lines[0];
    assert_eq!((line.whole(), line.after(), line.dims_of(1)), (16, 8, vec![10, 11]));
    let table = model.table(&cursor(1.0, 0, 1), 0);
    assert_eq!(table.rows.len(), 16);
    // The position's column begins where the word's ends.
    assert_eq!((table.rows[7][2].as_str(), table.rows[8][1].as_str()), ("", ""));
    assert_eq!((&table.rows[3][1], &table.rows[9][2]), (&table.rows[3][3], &table.rows[9][3]));
    assert_eq!(model.plane_at(model.layout.dim_x(10.5, 16), 40.0), Some(1));
    assert_eq!(model.plane_at(model.layout.dim_x(2.5, 16), 40.0), Some(1));
}

#[test]
fn the_factor_keeps_the_word() {
    let cosine = |scale: &str| {
        let model = model(&["sinusoidal(d_model=512)"], 64, &[("scale", scale)]);
        let input = model.input(&model.lines[0], 2.0);
        input.cosine_with_word()
    };
    assert!((cosine("sqrt") - 0.82).abs() < 0.06 && (cosine("none") - 0.06).abs() < 0.08);
    let readings = model(&["sinusoidal"], 64, &[]).readings(&cursor(2.0, 0, 3));
    assert_eq!(readings.len(), 4);
    assert!(readings[2].label.contains("dimension 6"), "{}", readings[2].label);
}

#[test]
fn what_is_made_up_and_what_is_missing_is_said() {
    let model = model(&["learned", "sinusoidal", "rope", "alibi"], 600, &[]);
    let said = notes(&model);
    assert!(said.contains("made up") && said.contains("the position’s vectors are a model’s"), "{said}");
    let summary = model.summary(&cursor(550.0, 0, 0));
    assert!(summary.contains("no row for position 550") && summary.contains("no word there"), "{summary}");
    assert!(summary.contains("RoPE turns query and key") && summary.contains("ALiBi adds nothing"), "{summary}");
    assert!(model.readings(&cursor(550.0, 0, 0)).is_empty());
    assert!(model.summary(&cursor(1.0, 0, 0)).contains("“cat”"));
}

#[test]
fn places_and_keys_move_the_cursor() {
    let model = model(&["sinusoidal", "learned"], 64, &[]);
    let patch = |response: Response| match response.edits.as_slice() {
        [Edit::Cursor(patch)] => *patch,
        _ => CursorPatch::default(),
    };
    let press = |dim: f64, y: f64, whole: usize| {
        patch(model.respond(&Input::Press { x: model.layout.dim_x(dim, whole), y, shift: false }, &cursor(0.0, 0, 0)))
    };
    assert_eq!((press(6.5, 50.0, 32).plane, press(100.5, 250.0, 128).plane), (Some(3), Some(50)));
    let key = |key: &str| patch(model.respond(&Input::Key { key: key.to_owned(), shift: false }, &cursor(4.0, 0, 2)));
    assert_eq!(
        (key("ArrowDown").position, key("ArrowUp").position, key("End").position),
        (Some(5.0), Some(3.0), Some(63.0))
    );
    assert_eq!((key("ArrowRight").plane, key("ArrowLeft").plane), (Some(3), Some(1)));
}

#[test]
fn the_colours_reach_all_but_the_rarest_numbers() {
    let high = |scheme: &str, scale: &str| f64::from(model(&[scheme], 64, &[("scale", scale)]).palette.high());
    assert_eq!((high("sinusoidal", "sqrt"), high("sinusoidal", "none")), (3.0, 1.0));
    // One outlier of the table is forty times as large as its other numbers.
    assert!(high("learned(table=minilm)", "none") < 0.2);
    assert!(notes(&model(&["sinusoidal", "learned(table=minilm)"], 64, &[])).contains("are faint"));
}
