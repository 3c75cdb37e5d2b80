use super::*;
use crate::figures::testing::{cursor, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(640.0, 400.0, 1.0))
}

fn clocks(model: &Model, at: &Cursor) -> Vec<(usize, usize, Clock)> {
    let mut list = Vec::new();
    model.clocks(at, |dial, plane, clock| list.push((dial, plane, clock)));
    list
}

fn patch(response: &Response) -> CursorPatch {
    match response.edits[..] {
        [Edit::Cursor(patch)] => patch,
        _ => CursorPatch::default(),
    }
}

#[test]
fn the_angle_between_the_hands_is_the_offsets() {
    for scheme in ["rope(head_dim=64)", "sinusoidal(d_model=64)"] {
        let model = model(&[scheme], 1000, &[]);
        for at in [cursor(12.0, 4, 3), cursor(412.5, 4, 3)] {
            for (_, plane, clock) in clocks(&model, &at) {
                let w = 10_000_f64.powf(-(plane as f64) / 32.0);
                assert!((clock.between - 4.0 * w).abs() < 1e-9);
                assert!((clock.query.angle - clock.key.angle - clock.between).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_score_stays_when_both_shift() {
    let model = model(&["rope(head_dim=64)", "sinusoidal(d_model=64)"], 1000, &[("vectors", "independent")]);
    for dial in &model.dials {
        let exact = dial.score(7).unwrap();
        for position in [10.0, 10.25, 500.0] {
            assert!((dial.measured(position, 7).unwrap() - exact).abs() < 1e-9);
        }
        let shares: f64 = (0..dial.planes()).map(|plane| dial.share(plane, 0.0, 7)).sum();
        assert!((shares - exact).abs() < 1e-9);
    }
    let readings = model.readings(&cursor(10.0, 7, 3));
    assert_eq!(readings[1].value, readings[2].value);
}

#[test]
fn planes_are_chosen_over_the_spectrum_with_the_cursors() {
    let model = model(&["rope(head_dim=128)"], 64, &[]);
    let dial = &model.dials[0];
    assert_eq!(dial.shown(&[], 0), [0, 13, 25, 38, 50, 63]);
    assert_eq!(dial.shown(&[], 27), [0, 13, 27, 38, 50, 63]);
    assert_eq!(dial.shown(&[], 9999), [0, 13, 25, 38, 50, 63]);
    assert_eq!(dial.shown(&[5, 5, 70, 2], 0), [5, 2]);
    assert_eq!(dial.shown(&[70], 0).len(), 6);
}

#[test]
fn dragging_a_hand_brings_it_below_the_pointer() {
    let model = model(&["rope(head_dim=64)"], 100_000, &[]);
    let at = cursor(500.0, 20, 19);
    let (_, _, clock) = clocks(&model, &at).into_iter().find(|(_, plane, _)| *plane == 19).unwrap();
    // w = 10000^(-19/32) = 0.00422 rad a token.
    let w = model.dials[0].frequency(19);
    for part in [Part::Query, Part::Key, Part::Face] {
        let hand = if part == Part::Key { clock.key } else { clock.query };
        let mut held = Held { dial: 0, plane: 19, part, position: 500.0, last: hand.angle, turned: 0.0 };
        let angle = hand.angle + 0.3;
        let (x, y) = (clock.x + 30.0 * angle.cos(), clock.y - 30.0 * angle.sin());
        held.last = nearest_turn(hand.angle, 0.0);
        let moved = model.drag(&mut held, x, y, &at).unwrap().on(at);
        let tokens = 0.3 / w;
        match part {
            Part::Query => {
                assert!((moved.position - 500.0 - tokens).abs() <= 0.5);
                assert_eq!(moved.position - moved.offset as f64, 480.0, "the key stays");
            }
            Part::Key => {
                assert_eq!(moved.position, 500.0);
                assert!((20.0 - moved.offset as f64 - tokens).abs() <= 0.5);
            }
            Part::Face => {
                assert!((moved.position - 500.0 - tokens).abs() <= 0.5);
                assert_eq!(moved.offset, 20);
            }
        }
    }
}

#[test]
fn a_press_chooses_the_plane() {
    let model = model(&["rope(head_dim=64)"], 100, &[]);
    let at = cursor(12.0, 4, 0);
    let (_, plane, clock) = clocks(&model, &at)[2];
    let press = |x, y| model.respond(&Input::Press { x, y, shift: false }, &at);
    assert_eq!(patch(&press(clock.x, clock.y)).plane, Some(plane));
    assert!(!press(clock.x, clock.y + clock.radius * 3.0).used || clock.radius > 0.0);
    let lost = model.respond(&Input::Press { x: -100.0, y: -100.0, shift: false }, &at);
    assert!(!lost.used);
    let drag = Input::Drag { from_x: 0.0, from_y: 0.0, x: 5.0, y: 5.0, shift: false };
    assert_eq!(model.respond(&drag, &at), Response::default());
}

#[test]
fn keys_shift_both_or_change_the_offset() {
    let model = model(&["rope(head_dim=8)"], 100, &[]);
    let key = |key: &str, shift: bool| patch(&model.key(key, shift, &cursor(12.0, 4, 1)));
    assert_eq!(key("ArrowRight", false).position, Some(13.0));
    assert_eq!(key("ArrowLeft", true).position, Some(11.9));
    assert_eq!(key("ArrowUp", false).offset, Some(5));
    assert_eq!(key("]", false).plane, Some(2));
    assert_eq!(key("[", false).plane, Some(0));
    assert_eq!(key("End", false).position, Some(99.0));
}

#[test]
fn clocks_fit_their_width() {
    for width in [40.0, 320.0, 1000.0, 4000.0] {
        for schemes in [&["rope"][..], &["rope", "sinusoidal"]] {
            let scene = scene(&SPEC, schemes, 64, &[]);
            let height = (SPEC.height)(&scene, width);
            let model = Model::new(&scene, size(width, height, 1.0));
            for (_, _, clock) in clocks(&model, &cursor(0.0, 0, 0)) {
                assert!(clock.x - clock.radius >= 0.0 && clock.x + clock.radius <= width);
                assert!(clock.y + clock.radius + 60.0 <= height);
            }
        }
    }
}

#[test]
fn tables_list_the_planes() {
    let model = model(&["rope(head_dim=256)", "sinusoidal"], 100, &[]);
    let table = model.table(&cursor(0.0, 4, 60), 0);
    assert!(table.before && table.after);
    assert!(table.rows.len() * table.head.len() <= 1000);
    assert_eq!(table.rows[10][0], "60");
    assert_eq!(table.rows[10][8], "", "the sinusoid has 16 planes");
    assert_eq!(model.table(&cursor(0.0, 4, 60), 7).rows.len(), 28);
}

#[test]
fn the_height_knows_the_planes_of_every_scheme() {
    for scheme in posenc::registry() {
        let scene = scene(&SPEC, &[scheme.id], 64, &[]);
        for slot in &scene.slots {
            let made = Dial::new(&scene, slot).map_or(0, |dial| dial.planes());
            assert_eq!(dial::planes(slot), made, "{}", slot.config.spec.id);
        }
    }
}

#[test]
fn planes_that_fade_keep_their_angles_and_lose_length() {
    let model = model(&["xpos(head_dim=16)", "rope(head_dim=16)"], 1000, &[]);
    let (near, far) = (clocks(&model, &cursor(500.0, 4, 0)), clocks(&model, &cursor(500.0, 260, 0)));
    for ((_, _, near), (dial, plane, far)) in near.iter().zip(&far) {
        // ζ_k^(256/512), where RoPE's hands stay as long.
        let zeta = (2.0 * *plane as f64 / 16.0 + 0.4) / 1.4;
        let left = if *dial == 0 { zeta.sqrt() } else { 1.0 };
        assert!((far.query.length / near.query.length - left).abs() < 1e-9, "{dial} {plane}");
        assert_eq!(far.key.length, near.key.length);
    }
    for dial in &model.dials {
        let (score, measured) = (dial.score(260).unwrap(), dial.measured(500.0, 260).unwrap());
        assert!((score - measured).abs() < 1e-9, "{}", dial.name);
        let shares: f64 = (0..8).map(|plane| dial.share(plane, 0.0, 260)).sum();
        assert!((shares - score).abs() < 1e-9);
    }
    assert!(super::tests::model(&["irope(layer=3)"], 64, &[]).summary(&cursor(0.0, 0, 0)).contains("no planes"));
}

#[test]
fn a_plane_without_its_cosine_adds_what_its_sine_does() {
    for scheme in [
        "sinusoidal(d_model=7)",
        "sinusoidal(d_model=1)",
        "sinusoidal(d_model=7,odd=round-up)",
        "sinusoidal(d_model=7,odd=zero-pad)",
    ] {
        let model = model(&[scheme], 64, &[]);
        let dial = &model.dials[0];
        let shares: f64 = (0..dial.planes()).map(|plane| dial.share(plane, 12.0, 4)).sum();
        let product = dial.measured(12.0, 4).unwrap();
        assert!((shares - product).abs() < 1e-12, "{scheme}: {shares} of {product}");
    }
    let model = model(&["sinusoidal(d_model=1)"], 64, &[]);
    assert!((model.dials[0].share(0, 12.0, 4) - 12.0_f64.sin() * 8.0_f64.sin()).abs() < 1e-12);
    let said = model.summary(&cursor(12.0, 4, 0));
    assert!(said.contains("positions 12 and 8") && said.contains("changes with the place"), "{said}");
}
