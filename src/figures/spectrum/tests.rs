use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 400.0, 1.0))
}

#[test]
fn planes_that_turn_within_the_length_are_counted() {
    // 10,000^(-2k/128) makes a turn within 4,096 tokens up to plane 45.
    let model = model(&["rope"], 4096, &[]);
    assert_eq!(model.lines[0].complete(), 46);
    let summary = model.summary(&cursor(0.0, 0, 0));
    assert!(summary.contains("46 of 64") && summary.contains("6.283"), "{summary}");
    let (below, above) = (model.lines[0].value(Shown::Wavelength, 45), model.lines[0].value(Shown::Wavelength, 46));
    assert!(below <= 4096.0 && above > 4096.0);
}

#[test]
fn the_trained_length_is_the_schemes_own_then_the_sequences_or_the_one_that_is_chosen() {
    let schemes = ["rope", "rope(rope_type=yarn,factor=4,original_max_position_embeddings=2048)"];
    let automatic = model(&schemes, 512, &[]);
    assert_eq!([automatic.lines[0].trained, automatic.lines[1].trained], [512.0, 2048.0]);
    assert_eq!(automatic.trained(), None);
    let chosen = model(&schemes, 512, &[("trained", "4096")]);
    assert_eq!(chosen.trained(), Some(4096.0));
}

#[test]
fn divisors_are_those_of_the_extension() {
    let ntk = model(&["rope(head_dim=64,rope_type=ntk,factor=4)"], 64, &[("show", "divisor")]);
    // 4^(2k/62).
    for (plane, expected) in [(0, 1.0), (7, 1.367_568_3), (24, 2.924_899_6), (31, 4.0)] {
        assert!((ntk.lines[0].divisor(plane) - expected).abs() < 1e-6);
    }
    let linear = model(&["rope(rope_type=linear,factor=8)"], 64, &[("show", "divisor")]);
    assert!((0..64).all(|plane| (linear.lines[0].divisor(plane) - 8.0).abs() < 1e-12));
    let table = linear.table(&cursor(0.0, 0, 3), 0);
    assert_eq!((table.head.len(), table.rows.len(), table.rows[3][2].as_str()), (3, 64, "8"));
    assert!(!model(&["rope"], 64, &[]).lines[0].extended());
    assert!(ntk.summary(&cursor(0.0, 0, 0)).contains("as without the extension"));
    assert!(ntk.summary(&cursor(0.0, 0, 31)).contains("4 times slower"));
}

#[test]
fn the_length_moves_what_follows_it() {
    let at = |scheme: &str, length: u64| {
        let model = model(&[scheme], length, &[]);
        model.lines[0].divisor(40)
    };
    let dynamic = "rope(rope_type=dynamic,factor=2,max_position_embeddings=4096)";
    assert_eq!(at(dynamic, 4096), 1.0);
    assert!(at(dynamic, 8192) > 1.1 && at(dynamic, 32_768) > at(dynamic, 8192));
    // LongRoPE's factors change at the original length.
    let list = |factor: &str| [factor; 64].join(":");
    let factors = format!("short_factor={},long_factor={}", list("1"), list("4"));
    let longrope = format!("rope(rope_type=longrope,original_max_position_embeddings=4096,{factors})");
    assert_eq!((at(&longrope, 4096), at(&longrope, 4097)), (1.0, 4.0));
}

#[test]
fn what_does_not_turn_is_said() {
    let model = model(&["rope(rope_type=proportional,partial_rotary_factor=0.25)", "learned", "none"], 64, &[]);
    assert!(notes(&model).contains("planes do not turn"), "{}", notes(&model));
    assert_eq!(model.lines.len(), 1);
    assert_eq!(model.failures.len(), 2, "{:?}", model.failures);
    let summary = model.summary(&cursor(0.0, 0, 63));
    assert!(summary.contains("stands still"), "{summary}");
    let reading = &model.readings(&cursor(0.0, 0, 63))[0];
    assert_eq!(reading.value, "∞");
}

#[test]
fn places_and_keys_choose_planes() {
    let model = model(&["rope", "sinusoidal(d_model=64)"], 64, &[]);
    let plane = |response: Response| match response.edits.as_slice() {
        [Edit::Cursor(patch)] => patch.plane,
        _ => None,
    };
    let press = |x: f64| plane(model.respond(&Input::Press { x, y: 100.0, shift: false }, &cursor(0.0, 0, 0)));
    assert_eq!((press(76.0), press(686.0)), (Some(0), Some(63)));
    let key = |key: &str, from: usize| {
        plane(model.respond(&Input::Key { key: key.to_owned(), shift: false }, &cursor(0.0, 0, from)))
    };
    assert_eq!((key("ArrowRight", 62), key("ArrowRight", 63), key("PageDown", 3)), (Some(63), Some(63), Some(0)));
    // The second scheme has 32 planes.
    assert!(model.summary(&cursor(0.0, 0, 40)).contains("no plane 40"));
    assert_eq!(model.table(&cursor(0.0, 0, 0), 0).rows[40][2], "");
}

#[test]
fn planes_of_schemes_that_do_more_than_turn_are_shown() {
    let model = model(&["xpos", "irope", "irope(layer=3)"], 4096, &[]);
    assert_eq!(model.lines.len(), 2);
    assert_eq!(model.lines[0].freq, self::model(&["rope"], 4096, &[]).lines[0].freq);
    assert!(notes(&model).contains("no planes"));
}

#[test]
fn frequencies_of_weights_stand_beside_the_schemes() {
    let mut model = model(&["rope(head_dim=8)", "rope(head_dim=8,rope_theta=500000)"], 64, &[]);
    let freq: Vec<f64> = model.lines[0].freq.iter().map(|freq| f64::from(*freq as f32)).collect();
    // Others than a scheme has are of no use here.
    assert!(Given::new("a", &freq[1..], &model.lines).is_none() && Given::new("a", &[], &model.lines).is_none());
    model.given = Given::new("m.safetensors", &freq, &model.lines);
    let here = cursor(0.0, 0, 3);
    let said = model.summary(&here);
    assert!(said.contains("m.safetensors is that of RoPE (rope_theta 10000)"), "{said}");
    // 50^(-3/4).
    let differs = "is not that of RoPE (rope_theta 500000): they differ most in plane 3, where RoPE (rope_theta 500000) turns 0.05318 times as fast";
    assert!(said.contains(differs), "{said}");
    let readings = model.readings(&here);
    let reading = readings.iter().find(|reading| reading.label.contains("m.safetensors")).unwrap();
    let table = model.table(&here, 0);
    assert_eq!((table.head.len(), table.rows[3].len(), table.rows[3][3].as_str()), (4, 4, "6283.19"));
    assert!(reading.math.contains("6283.19"), "{reading:?}");
    assert!(notes(&model).contains("Small dots"));
    assert_eq!(model.given.as_ref().unwrap().values(Shown::Divisor).count(), 0);
    assert_eq!(model.given.as_ref().unwrap().values(Shown::Frequency).last(), Some((3, freq[3])));
}
