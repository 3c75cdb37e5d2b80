use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::link;

fn scene_of(schemes: &[&str], text: &str, options: &[(&str, &str)]) -> Scene {
    let mut scene = scene(&SPEC, schemes, 64, options);
    scene.words = text.split_whitespace().map(str::to_owned).collect();
    scene
}

fn model(schemes: &[&str], text: &str, options: &[(&str, &str)]) -> Model {
    Model::new(&scene_of(schemes, text, options), size(900.0, 600.0, 1.0))
}

/// The text that is shown where nobody typed one.
fn usual(schemes: &[&str], options: &[(&str, &str)]) -> Model {
    model(schemes, words::default_text(), options)
}

fn measured(model: &Model, slot: usize) -> Rc<Measured> {
    let panel = model.panels.iter().find(|panel| panel.slot == Some(slot)).unwrap();
    model.measured(panel, &cursor(0.0, 0, 0)).unwrap()
}

#[test]
fn without_positions_both_rows_of_the_are_the_same_bit_by_bit() {
    let plain = usual(&["none"], &[]);
    assert_eq!(plain.read.join(" "), "the dog chased the cat");
    assert!(notes(&plain).contains("the dog chased the cat"));
    let none = measured(&plain, 0);
    let row = |place: usize| none.seen.weights[place * 5..(place + 1) * 5].iter().map(|weight| weight.to_bits());
    assert!(row(0).eq(row(3)) && !row(0).eq(row(1)));
    let output = |place: usize| none.seen.outputs[place * none.seen.width..][..none.seen.width].iter();
    assert!(output(0).map(|x| x.to_bits()).eq(output(3).map(|x| x.to_bits())));
    let twins = none.twins.unwrap();
    assert_eq!((twins.first, twins.second, twins.same, twins.most), (0, 3, true, 0.0));
    assert!(plain.summary(&cursor(0.0, 0, 0)).contains("to the last bit"), "{}", plain.summary(&cursor(0.0, 0, 0)));
    // A position, or the mask alone, tells them apart.
    for (scheme, causal) in [("rope", "false"), ("sinusoidal", "false"), ("none", "true")] {
        let other = usual(&[scheme], &[("causal", causal)]);
        let twins = measured(&other, 0).twins.unwrap();
        assert!(!twins.same && twins.most > 1e-3, "{scheme} {causal}");
        let said = other.summary(&cursor(0.0, 0, 0));
        assert!(said.contains("differ by up to"), "{scheme} {causal} {said}");
    }
}

#[test]
fn only_without_positions_and_mask_do_outputs_just_move() {
    let none = measured(&usual(&["none"], &[("order", "4:1:2:0:3")]), 0);
    let [free, masked] = none.verdicts;
    assert!(free.is_equivariant() && free.is_invariant(), "{free:?}");
    assert!(masked.outputs > 1e-2 && masked.mean > 1e-3, "{masked:?}");
    for scheme in ["sinusoidal", "rope", "xpos", "alibi", "t5", "shaw", "transformer-xl", "deberta", "tupe", "cope"] {
        let [free, masked] = measured(&usual(&[scheme], &[("order", "4:1:2:0:3")]), 0).verdicts;
        assert!(!free.is_equivariant() && !masked.is_equivariant(), "{scheme} {free:?}");
        assert!(!masked.is_invariant(), "{scheme}");
    }
    // In the order of the text nothing would be measured: then it is the reverse.
    let still = usual(&["none", "rope"], &[]);
    assert!(measured(&still, 0).verdicts[0].is_equivariant());
    assert!(!measured(&still, 1).verdicts[0].is_equivariant());
    assert!(still.summary(&cursor(0.0, 0, 0)).contains("the other way round"));
    assert!(measured(&still, 1).changes.iter().all(|change| *change == 0.0), "nothing has moved");
}

/// What was measured is what the outputs themselves say.
#[test]
fn the_largest_difference_is_that_of_the_outputs() {
    let order = [2, 0, 1, 4, 3];
    let model = usual(&["rope(head_dim=8)"], &[("order", "2:0:1:4:3")]);
    let mind = &model.panels[1].mind;
    let plain = mind.attend(&model.sentence, &model.sentence.words, true, 0).unwrap();
    let moved = mind.attend(&model.sentence, &model.read, true, 0).unwrap();
    let (mut outputs, mut mean) = (0.0_f64, 0.0_f64);
    for column in 0..8 {
        let (mut before, mut after) = (0.0, 0.0);
        for (place, from) in order.into_iter().enumerate() {
            let (a, b) = (plain.outputs[from * 8 + column], moved.outputs[place * 8 + column]);
            outputs = outputs.max((a - b).abs());
            before += a / 5.0;
            after += b / 5.0;
        }
        mean = mean.max((before - after).abs());
    }
    let masked = measured(&model, 0).verdicts[1];
    assert!((masked.outputs - outputs).abs() < 1e-12 && (masked.mean - mean).abs() < 1e-12);
    let readings = model.readings(&cursor(0.0, 0, 0));
    assert_eq!(readings.len(), 8);
    assert_eq!((&*readings[6].value, &*readings[7].value), (&*number::exact(outputs), &*number::exact(mean)));
    let table = model.table(&cursor(0.0, 0, 0), 0);
    assert_eq!(table.rows[3][1..3], [words::shuffle_no().to_owned(), number::exact(outputs)]);
    assert_eq!(table.rows[0][1], words::shuffle_yes());
}

#[test]
fn an_order_is_mended_and_that_is_noticed() {
    assert_eq!(order::mended(&[3, 3, 9, 0], 5), [3, 0, 1, 2, 4]);
    assert_eq!(order::mended(&[], 3), [0, 1, 2]);
    assert_eq!((order::written(&[0, 1, 2]), order::written(&[1, 0, 2])), (String::new(), "1:0:2".to_owned()));
    assert_eq!(order::moved(&[0, 1, 2, 3], 0, 2), [1, 2, 0, 3]);
    for count in 0..7 {
        let mut order = order::identity(count);
        for _ in 0..20 {
            let next = order::shuffled(&order, 1);
            let mut sorted = next.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, order::identity(count));
            assert!(count < 2 || next != order);
            order = next;
        }
    }
    let parsed = |order: &str| {
        let (state, repairs) = link::parse("", &format!("#/explore?figures=shuffle&shuffle.order={order}"));
        (state.options(&SPEC).get("order").unwrap().to_string(), repairs)
    };
    let (order, repairs) = parsed("4:1:2:0:3");
    assert!(order == "4:1:2:0:3" && repairs.is_empty(), "{order} {repairs:?}");
    let (order, repairs) = parsed("4:4:0");
    assert_eq!((&*order, &*repairs[0].key, &*repairs[0].used), ("4:0:1:2:3", "shuffle.order", "4:0:1:2:3"));
    let (order, repairs) = parsed("0:1:2:3:4");
    assert!(order.is_empty() && repairs.len() <= 1, "{order}");
}

#[test]
fn words_are_dragged_carried_and_shuffled() {
    let model = usual(&["rope"], &[]);
    let order = |response: &Response| match &response.edits[..] {
        [Edit::Set(_, "order", order), ..] => order.clone(),
        _ => panic!("{response:?}"),
    };
    let key = |key: &str, shift: bool, here: &Cursor| model.respond(&Input::Key { key: key.to_owned(), shift }, here);
    let here = cursor(1.0, 0, 0);
    let carried = key("ArrowRight", true, &here);
    assert_eq!(order(&carried), "0:2:1:3:4");
    assert!(matches!(carried.edits[1], Edit::Cursor(patch) if patch.position == Some(2.0)));
    assert_eq!(order(&key("ArrowLeft", true, &here)), "1:0:2:3:4");
    assert_eq!(order(&key("ArrowLeft", true, &cursor(0.0, 0, 0))), "", "there is no place before the first");
    let shuffled = order(&key("s", false, &here));
    assert!(!shuffled.is_empty());
    assert_eq!(
        order(
            &usual(&["rope"], &[("order", &shuffled)])
                .respond(&Input::Key { key: "0".to_owned(), shift: false }, &here)
        ),
        ""
    );
    // Without Shift the cursor moves.
    assert!(matches!(key("ArrowRight", false, &here).edits[..], [Edit::Cursor(_)]));
    // From the first word to the third, 130 pixels wide each.
    model.respond(&Input::Press { x: 20.0, y: 75.0, shift: false }, &here);
    let drag = |x: f64| model.respond(&Input::Drag { from_x: 20.0, from_y: 75.0, x, y: 75.0, shift: false }, &here);
    assert!(drag(40.0).edits.is_empty());
    assert_eq!(order(&drag(300.0)), "1:2:0:3:4");
    let press = |x: f64, y: f64| model.respond(&Input::Press { x, y, shift: false }, &here);
    assert_eq!(order(&press(20.0, 120.0)), shuffled, "the button does what the key does");
    assert_eq!(order(&press(200.0, 120.0)), "");
    assert!(press(500.0, 120.0).edits.is_empty() && press(20.0, 12.0).edits.is_empty());
}

#[test]
fn texts_of_no_word_and_of_many_are_answered() {
    let empty = model(&["rope"], "", &[]);
    assert!(empty.summary(&cursor(0.0, 0, 0)).contains("no word"));
    assert_eq!(
        empty.respond(&Input::Key { key: "s".to_owned(), shift: false }, &cursor(0.0, 0, 0)),
        Response::default()
    );
    let one = model(&["rope"], "alone", &[("order", "0")]);
    assert_eq!(one.read, ["alone"]);
    let long = model(&["rope"], &"many words ".repeat(40), &[("words", "16")]);
    assert!(long.read.len() == 16 && notes(&long).contains("first 16 of 80"));
}
