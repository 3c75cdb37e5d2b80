use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::{Cursor, Edit};
use posenc::bias::{Row, retained};
use posenc::{Config, Encoding};

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 320.0, 1.0))
}

fn at(position: f64, offset: i64, head: usize) -> Cursor {
    Cursor { head, ..cursor(position, offset, 0) }
}

fn bias(text: &str) -> Box<dyn posenc::bias::Bias> {
    let Encoding::Bias(bias) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
    bias
}

#[test]
fn a_ruler_gives_every_offset_a_cell() {
    for (length, both, log) in
        [(1, false, true), (300, false, false), (300, true, false), (300, true, true), (77, false, true)]
    {
        let ruler = Ruler::new(length, both, log);
        assert_eq!(ruler.share(ruler.low() as f64), 0.0);
        assert!((ruler.share(ruler.high() as f64 + 1.0) - 1.0).abs() < 1e-12);
        for offset in ruler.low()..=ruler.high() {
            let (from, to) = (ruler.share(offset as f64), ruler.share(offset as f64 + 1.0));
            assert!(to > from);
            for share in [from, f64::midpoint(from, to)] {
                assert_eq!(ruler.offset(share), offset, "{length} {both} {log}");
            }
        }
    }
    let long = Ruler::new(10_000_000, true, true);
    let columns = long.columns(900);
    assert_eq!(columns.len(), 900);
    assert!(columns.is_sorted() && columns.contains(&0) && !long.is_whole(900));
    assert_eq!(Ruler::new(40, false, false).columns(900), (0..40).collect::<Vec<i64>>());
}

#[test]
fn the_readings_are_those_of_the_scheme() {
    for text in ["alibi(num_heads=12)", "t5", "alibi(form=distance)", "t5(bidirectional=false)"] {
        let exact = bias(text);
        for show in ["heads", "matrix", "softmax", "retained", "slopes"] {
            let model = model(&[text], 100, &[("show", show)]);
            for (offset, head) in [(0, 0), (7, 3), (99, 7), (-5, 2)] {
                let readings = model.readings(&at(99.0, offset, head));
                assert_eq!(readings[0].value, number::exact(exact.by_offset(head, offset).unwrap()), "{text} {show}");
                assert!(readings[0].math.contains("<math"));
                assert!(model.summary(&at(99.0, offset, head)).contains(&number::whole(offset)));
            }
        }
        // A head that the scheme does not have is its last.
        let heads = exact.heads();
        let last = model(&[text], 100, &[]).readings(&at(0.0, 3, 200));
        assert_eq!(last[0].value, number::exact(exact.by_offset(heads - 1, 3).unwrap()));
    }
}

#[test]
fn softmax_leaves_shares_that_add_up() {
    let schemes = ["alibi(num_heads=12)", "t5", "none", "alibi(form=key-index)"];
    for sides in ["back", "both"] {
        let model = model(&schemes, 120, &[("show", "softmax"), ("sides", sides), ("window", "9")]);
        for entry in &model.board.entries {
            for head in [0, 5] {
                let softmax = model.board.softmax(entry, &at(70.0, 0, head)).unwrap();
                let shares: Vec<f64> = (-49..=70).map(|offset| softmax.at(offset)).collect();
                let seen = if sides == "both" { &shares[..] } else { &shares[49..] };
                assert!((seen.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{} {sides}", entry.name);
                assert!(sides == "both" || shares[..49].iter().all(|share| share.is_nan()));
                assert!(softmax.at(71).is_nan() && softmax.at(-50).is_nan());
                let within: f64 = (-8..=8).map(|offset| softmax.at(offset)).filter(|share| share.is_finite()).sum();
                assert!((softmax.retained(9) - within).abs() < 1e-9);
                if sides == "back" && entry.name.starts_with("ALiBi") {
                    let exact = retained(entry.logits.bias(), Row::new(head, 70), 9).unwrap();
                    assert!((softmax.retained(9) - exact).abs() < 1e-6);
                }
            }
        }
    }
    // Without positions attention is even.
    let none = model(&["none"], 50, &[("show", "softmax"), ("window", "10")]);
    assert_eq!(none.readings(&at(39.0, 4, 0))[1].value, number::exact(1.0 / 40.0));
    assert_eq!(none.readings(&at(39.0, 4, 0))[2].value, number::exact(0.25));
    assert!(none.summary(&at(3.0, 4, 0)).contains("no key"));
}

#[test]
fn tables_list_what_is_drawn() {
    let schemes = ["alibi(num_heads=12)", "t5", "none"];
    let (alibi, t5) = (bias(schemes[0]), bias(schemes[1]));
    let here = at(59.0, 39, 6);
    let heads = model(&schemes, 1000, &[]).table(&here, 0);
    let row = heads.rows.iter().find(|row| row[0] == "39").unwrap();
    let column = heads.head.iter().position(|head| head == "ALiBi, head 6").unwrap();
    assert_eq!(row[column], number::exact(alibi.by_offset(6, 39).unwrap()));
    let column = heads.head.iter().position(|head| head == "T5 bias, head 6").unwrap();
    assert_eq!(row[column], number::exact(t5.by_offset(6, 39).unwrap()));
    let matrix = model(&schemes, 1000, &[("show", "matrix")]).table(&here, 0);
    let row = matrix.rows.iter().find(|row| row[0] == "59").unwrap();
    let cell = |name: &str, key: i64| {
        let head = words::square_key(name, number::whole(key));
        row[matrix.head.iter().position(|h| *h == head).unwrap()].clone()
    };
    assert_eq!(cell("ALiBi, head 6", 20), number::exact(alibi.by_offset(6, 39).unwrap()));
    assert_eq!(cell("No positions", 20), "0");
    let near = model(&schemes, 1000, &[("show", "matrix")]).table(&at(59.0, 0, 6), 0);
    let row = near.rows.iter().find(|row| row[0] == "59").unwrap();
    let head = words::square_key("T5 bias, head 6", number::whole(60));
    assert_eq!(row[near.head.iter().position(|h| *h == head).unwrap()], "–", "masked");
    let slopes = model(&schemes, 64, &[("show", "slopes")]).table(&here, 0);
    assert_eq!(slopes.rows.len(), 12);
    assert_eq!((slopes.rows[8][1].as_str(), slopes.rows[8][2].as_str()), (&*number::exact(0.5_f64.sqrt()), ""));
}

#[test]
fn what_must_be_said_is_said() {
    assert!(notes(&model(&["t5"], 64, &[])).contains("made up"));
    for form in ["key-index", "last-query"] {
        assert!(notes(&model(&[&format!("alibi(form={form})")], 64, &[])).contains("last query"));
    }
    let twelve = notes(&model(&["alibi(num_heads=12)"], 64, &[("show", "slopes")]));
    assert!(twelve.contains("first 8 slopes") && twelve.contains("16 heads"), "{twelve}");
    assert!(!notes(&model(&["alibi"], 64, &[("show", "slopes")])).contains("first"));
    assert!(notes(&model(&["t5"], 64, &[("show", "slopes")])).contains("no slopes"));
    assert!(notes(&model(&["alibi"], 100_000, &[])).contains(words::bias_centre()));
    assert!(!notes(&model(&["alibi"], 64, &[])).contains(words::bias_centre()));
    assert!(notes(&model(&["alibi(num_heads=512)"], 64, &[])).contains(words::bias_some_heads()));
    let others = model(&["sinusoidal", "rope"], 64, &[]);
    assert_eq!(others.table(&at(0.0, 0, 0), 0), Table::default());
    let said = others.summary(&at(0.0, 0, 0));
    assert!(said.contains("Sinusoidal adds a vector") && said.contains("RoPE turns"), "{said}");
}

#[test]
fn a_matrix_is_the_bias_of_its_pairs() {
    for (text, length) in [("t5", 40), ("alibi(form=key-index)", 40), ("alibi", 5000)] {
        let scene = scene(&SPEC, &[text], length, &[("show", "matrix")]);
        let board = Board::new(&scene);
        let part = matrix::Matrix::new(&board, &scene, size(500.0, 500.0, 1.0));
        let (square, cells) = part.cells(&board, 3);
        for row in 0..square.cells {
            for column in 0..square.cells {
                let (query, key) = (square.middle(row) as i64, square.middle(column) as i64);
                let cell = cells[row * square.cells + column];
                if key > query {
                    assert!(cell.is_nan());
                } else {
                    assert_eq!(cell, board.entries[0].logits.cell(3, query, key) as f32, "{text} {query} {key}");
                }
            }
        }
    }
}

#[test]
fn keys_and_pointer_set_offset_and_head() {
    let edits = |model: &Model, key: &str, here: Cursor| match model
        .respond(&Input::Key { key: key.to_owned(), shift: false }, &here)
        .edits[..]
    {
        [Edit::Cursor(patch)] => patch.on(here),
        _ => panic!("{key} does nothing"),
    };
    let here = at(30.0, 4, 2);
    let heads = model(&["alibi", "t5(num_heads=4)"], 64, &[]);
    for (key, wanted) in [
        ("ArrowRight", at(30.0, 5, 2)),
        ("ArrowLeft", at(30.0, 3, 2)),
        ("ArrowDown", at(30.0, 4, 3)),
        ("ArrowUp", at(30.0, 4, 1)),
        ("PageUp", at(30.0, 10, 2)),
        ("Home", at(30.0, 0, 2)),
        ("End", at(30.0, 63, 2)),
    ] {
        assert_eq!(edits(&heads, key, here), wanted, "{key}");
    }
    assert_eq!(edits(&heads, "ArrowDown", at(30.0, 4, 7)).head, 7, "the last head");
    let slopes = model(&["alibi"], 64, &[("show", "slopes")]);
    assert_eq!(edits(&slopes, "ArrowRight", here), at(30.0, 4, 3));
    assert_eq!(edits(&slopes, "End", here), at(30.0, 4, 7));
    let matrix = model(&["alibi"], 64, &[("show", "matrix")]);
    assert_eq!(edits(&matrix, "]", here), at(30.0, 4, 3));
    assert_eq!(edits(&matrix, "ArrowDown", here), at(31.0, 5, 2), "the key stays");
    assert_eq!(edits(&matrix, "ArrowLeft", here), at(30.0, 5, 2), "the query stays");
    // Lanes of 18 pixels a head begin at 24, offsets at 54.
    let hover =
        heads.respond(&Input::Hover { x: 54.0 + 632.0 * 10.5 / 64.0, y: 24.0 + 18.0 * 5.5 }, &here).hover.unwrap();
    assert_eq!((hover.offset, hover.head), (Some(10), Some(5)));
    assert_eq!(heads.respond(&Input::Hover { x: 5.0, y: 30.0 }, &here), Response::default());
}
