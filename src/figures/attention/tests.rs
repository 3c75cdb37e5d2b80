use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::{CursorPatch, Edit};
use posenc::{Encoding, attention::Head, vectors::of_word};

const TEXT: &str = "the dog chased the cat and then the cat chased the dog";

const SCHEMES: [&str; 12] = [
    "none",
    "sinusoidal",
    "learned",
    "rope(head_dim=16)",
    "xpos(head_dim=16)",
    "irope(layer=3)",
    "alibi",
    "shaw(head_dim=16)",
    "transformer-xl(head_dim=16)",
    "deberta(head_dim=16)",
    "tupe(head_dim=16)",
    "cope(head_dim=16)",
];

fn scene_of(schemes: &[&str], text: &str, options: &[(&str, &str)]) -> Scene {
    let mut scene = scene(&SPEC, schemes, 64, options);
    scene.words = text.split_whitespace().map(str::to_owned).collect();
    scene
}

fn model(schemes: &[&str], text: &str, options: &[(&str, &str)]) -> Model {
    Model::new(&scene_of(schemes, text, options), size(900.0, 600.0, 1.0))
}

fn vectors(words: &[String], width: usize, spread: f64) -> Vec<f64> {
    words.iter().flat_map(|word| of_word(word, 1, width)).map(|z| z * spread).collect()
}

/// The weights of a head that projects by the identity are those of the figure.
#[test]
fn attention_is_that_of_the_head_of_posenc() {
    for text in SCHEMES {
        for causal in ["true", "false"] {
            let model = model(&[text], TEXT, &[("causal", causal)]);
            let panel = model.panels.iter().find(|panel| panel.slot == Some(0)).unwrap();
            let head = 3_usize.min(panel.mind.heads() - 1);
            let seen = panel.mind.seen(&model.sentence, 3).unwrap();
            let x = vectors(&model.sentence.words, seen.width, 0.35);
            let wanted = Head::identity(seen.width).attend(panel.mind.encoding(), head, &x, causal == "true").unwrap();
            assert_eq!(seen.scores, wanted.logits, "{text}");
            for (a, b) in [(&seen.weights, &wanted.weights), (&seen.outputs, &wanted.output)] {
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{text} {causal}");
            }
        }
    }
}

/// T5 does not divide: with smaller queries, what is left without its bias is what the others have.
#[test]
fn a_scheme_that_does_not_divide_gets_smaller_queries() {
    let model = model(&["t5"], TEXT, &[]);
    let [alone, t5] = &model.panels[..] else { panic!("two panels") };
    let Encoding::Bias(bias) = t5.mind.encoding() else { panic!("a bias") };
    let (plain, with) = (alone.mind.seen(&model.sentence, 0).unwrap(), t5.mind.seen(&model.sentence, 0).unwrap());
    let n = model.sentence.count();
    for query in 0..n {
        for key in 0..=query {
            let added = with.scores[query * n + key] - plain.scores[query * n + key];
            assert!((added - bias.by_offset(0, query as i64 - key as i64).unwrap()).abs() < 1e-12);
        }
    }
    assert!(notes(&model).contains("queries are divided by it"));
}

#[test]
fn without_positions_the_same_word_attends_alike() {
    let model = model(&["none"], TEXT, &[("causal", "false")]);
    assert_eq!(model.panels.len(), 1, "no second panel of the same");
    let seen = model.panels[0].mind.seen(&model.sentence, 0).unwrap();
    let n = model.sentence.count();
    assert_eq!(seen.weights[..n], seen.weights[3 * n..4 * n], "the first and the second “the”");
    assert_ne!(seen.weights[..n], seen.weights[n..2 * n]);
    // Without the words' strength too, attention is even.
    let even = self::model(&["none"], TEXT, &[("spread", "0")]);
    assert_eq!(even.readings(&cursor(3.0, 1, 0))[1].value, "0.25");
}

#[test]
fn temperature_sharpens_and_flattens() {
    let of = |temperature: &str| {
        let model = model(&["rope"], TEXT, &[("temperature", temperature)]);
        let seen = model.panels[1].mind.seen(&model.sentence, 0).unwrap();
        let last = seen.weights[11 * 12..].to_vec();
        assert!((last.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        last.into_iter().fold(0.0, f64::max)
    };
    let (cold, usual, hot) = (of("0.1"), of("1"), of("20"));
    assert!(cold > 0.99 && cold > usual && usual > hot && hot < 0.1, "{cold} {usual} {hot}");
}

#[test]
fn readings_put_the_numbers_in() {
    let model = model(&["alibi", "rope", "deberta"], TEXT, &[("temperature", "2")]);
    let here = Cursor { head: 2, ..cursor(7.0, 5, 0) };
    let readings = model.readings(&here);
    assert_eq!(readings.len(), 8, "two of each panel");
    let Encoding::Bias(alibi) = model.panels[1].mind.encoding() else { panic!("a bias") };
    assert!(readings[2].math.contains(&number::short(alibi.by_offset(2, 5).unwrap())), "{}", readings[2].math);
    for (i, panel) in model.panels.iter().enumerate() {
        let seen = panel.mind.seen(&model.sentence, 2).unwrap();
        let at = 7 * model.sentence.count() + 2;
        assert_eq!(readings[2 * i].value, number::exact(seen.scores[at]));
        assert_eq!(readings[2 * i + 1].value, number::exact(seen.weights[at]));
        let row = &seen.scores[7 * model.sentence.count()..][..8];
        let weight = (seen.scores[at] / 2.0).exp() / row.iter().map(|score| (score / 2.0).exp()).sum::<f64>();
        assert_eq!(readings[2 * i + 1].value, number::exact(weight), "{}", panel.name);
    }
    let share = number::digits(model.panels[1].mind.seen(&model.sentence, 2).unwrap().weights[7 * 12 + 2] * 100.0, 3);
    let said = model.summary(&here);
    assert!(said.starts_with("Of its attention, “the” (7) gives to “chased” (2): "), "{said}");
    assert!(said.contains(&format!(", {share} % with ALiBi, head 2, ")), "{said}");
}

#[test]
fn what_must_be_said_is_said() {
    let model = model(&["rope", "shaw"], &TEXT.repeat(9), &[]);
    assert!(notes(&model).contains("The first 16 of") && notes(&model).contains("made up"));
    assert!(notes(&model).contains("Shaw et al.: its learned numbers are made up"));
    assert!(model.summary(&cursor(30.0, 2, 0)).contains("At position 30 there is no word"));
    assert!(model.summary(&cursor(3.0, 5, 0)).contains("At position −2 there is no word"));
    assert!(model.summary(&cursor(3.0, -5, 0)).contains("does not see"));
    assert!(model.readings(&cursor(3.0, -5, 0)).is_empty());
    let empty = self::model(&["rope"], "", &[]);
    assert!(empty.summary(&cursor(0.0, 0, 0)).contains("no word"));
    assert_eq!(empty.table(&cursor(0.0, 0, 0), 0), Table::default());
    // A table of two places has none for the third word; the others are shown.
    let short = self::model(&["tupe(max_positions=2)", "rope"], TEXT, &[]);
    assert_eq!(short.panels.len(), 2);
    assert!(short.summary(&cursor(3.0, 1, 0)).contains("TUPE cannot be drawn"));
}

#[test]
fn tables_list_what_is_drawn() {
    for (show, masked) in [("weights", "–"), ("scores", "–")] {
        let model = model(&["sinusoidal"], TEXT, &[("show", show)]);
        let table = model.table(&cursor(5.0, 2, 0), 0);
        assert_eq!((table.rows.len(), table.head.len()), (12, 25));
        let column = table.head.iter().position(|head| head == "Sinusoidal, key 3 the").unwrap();
        let seen = model.panels[1].mind.seen(&model.sentence, 0).unwrap();
        assert_eq!(table.rows[5][column], number::exact(model.shown.of(&seen)[5 * 12 + 3]));
        assert_eq!((table.rows[2][column].as_str(), table.rows[5][0].as_str()), (masked, "5 and"));
    }
}

#[test]
fn one_scale_holds_all_panels() {
    let model = model(&["alibi", "rope"], TEXT, &[]);
    let filled = Filled::new(&model, &cursor(0.0, 0, 0));
    assert_eq!(filled.rasters.len(), 3);
    // Of the rows with more than half of the keys.
    let cells = || filled.rasters.iter().flat_map(|raster| raster.cells().chunks(12).skip(6).flatten());
    let most = cells().filter(|cell| cell.is_finite()).fold(0.0_f32, |most, cell| most.max(*cell));
    assert_eq!((filled.palette.low(), filled.palette.high()), (0.0, most));
    assert!(filled.rasters[0].cells()[1].is_nan() && filled.rasters[0].cells()[0] == 1.0);
    assert!(filled.ends().1.starts_with('≥'), "the lone key of the first word has more");
}

#[test]
fn pointer_and_keys_move_the_cursor() {
    let model = model(&["rope", "alibi"], TEXT, &[]);
    let (left, top, side, _) = model.lettered.panel(1);
    let place = |query: f64, key: f64| (left + (key + 0.5) * side / 12.0, top + (query + 0.5) * side / 12.0);
    let (x, y) = place(7.0, 3.0);
    let hover = model.respond(&Input::Hover { x, y }, &cursor(0.0, 0, 0)).hover.unwrap();
    assert_eq!(hover, CursorPatch { position: Some(7.0), offset: Some(4), ..CursorPatch::default() });
    assert_eq!(model.respond(&Input::Hover { x: 1.0, y: 1.0 }, &cursor(0.0, 0, 0)), Response::default());
    let edits = |key: &str, here: Cursor| match model
        .respond(&Input::Key { key: key.to_owned(), shift: false }, &here)
        .edits[..]
    {
        [Edit::Cursor(patch)] => patch.on(here),
        _ => panic!("{key} does nothing"),
    };
    let here = cursor(7.0, 4, 0);
    for (key, wanted) in [
        ("ArrowDown", cursor(8.0, 5, 0)),
        ("ArrowLeft", cursor(7.0, 5, 0)),
        ("Home", cursor(7.0, 7, 0)),
        ("End", cursor(7.0, -4, 0)),
        ("PageUp", cursor(2.0, -1, 0)),
        ("]", Cursor { head: 1, ..here }),
    ] {
        assert_eq!(edits(key, here), wanted, "{key}");
    }
    assert_eq!(edits("]", Cursor { head: 7, ..here }).head, 7, "the last head");
    assert_eq!(edits("ArrowUp", cursor(40.0, 2, 0)).position, 10.0, "from past the words to the last but one");
}
