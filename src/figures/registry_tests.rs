//! What holds for every figure.

use super::{
    FigureSpec, Input, Legend, registry,
    testing::{cursor, scene, size},
};
use crate::words;
use posenc::Kind;

#[test]
fn every_figure_and_option_has_words() {
    for figure in registry() {
        assert!(words::by_key(&format!("figure.{}.title", figure.id)).is_some(), "{}", figure.id);
        assert!(words::by_key(&format!("figure.{}.about", figure.id)).is_some(), "{}", figure.id);
        for option in figure.options {
            let key = format!("option.{}.{}", figure.id, option.key);
            assert!(words::by_key(&key).is_some(), "{key}");
            if let Kind::Choice { options, .. } = option.kind {
                for word in options {
                    assert!(words::by_key(&format!("{key}.{word}")).is_some(), "{key}.{word}");
                }
            }
        }
    }
}

#[test]
fn no_figure_of_the_first_module_plays() {
    assert!(super::FIRST.iter().all(|figure| !figure.plays), "what playing takes is not in that module");
}

/// The options of each view of a figure.
fn shows(figure: &FigureSpec) -> Vec<Vec<(&'static str, &'static str)>> {
    match figure.options.iter().find(|option| option.key == "show").map(|option| option.kind) {
        Some(Kind::Choice { options, .. }) => {
            // One side with one axis, the other with the other.
            let rest = [[("sides", "both"), ("axis", "log")], [("sides", "back"), ("axis", "linear")]];
            let rest =
                rest.map(|rest| rest.into_iter().filter(|(key, _)| figure.options.iter().any(|o| o.key == *key)));
            options
                .iter()
                .zip(rest.iter().cycle())
                .map(|(show, rest)| std::iter::once(("show", *show)).chain(rest.clone()).collect())
                .collect()
        }
        _ => vec![Vec::new()],
    }
}

#[test]
fn tiny_and_huge_scenes_are_answered() {
    let sizes = [size(40.0, 40.0, 1.0), size(1.0, 1.0, 0.5), size(320.0, 300.0, 3.0), size(4000.0, 2500.0, 2.0)];
    let schemes: [&[&str]; 13] = [
        &[],
        &["none"],
        &["alibi(num_heads=1,form=key-index)", "t5(num_heads=512)", "none", "alibi(num_heads=12,form=last-query)"],
        &["learned", "alibi(num_heads=512)", "rope"],
        &["learned(table=minilm)", "t5(bidirectional=false)", "sinusoidal", "none"],
        &["sinusoidal(d_model=1)", "rope(head_dim=2)"],
        &["sinusoidal(d_model=4095)"],
        &["rope(partial_rotary_factor=0)", "rope(head_dim=5)"],
        &["sincos2d(d_model=4)", "learned2d(d_model=1,grid_size=1)", "rope2d(head_dim=4)", "mrope"],
        &["xpos", "irope(layer=3)", "irope"],
        &["xpos(scale_base=1)"],
        &["shaw", "transformer-xl(head_dim=3,d_model=2)", "deberta(position_buckets=0)", "tupe(max_positions=2)"],
        &["sinusoidal(d_model=4096)", "rope(head_dim=1024)", "rope", "sinusoidal"],
    ];
    let inputs = [
        Input::Hover { x: 30.0, y: 30.0 },
        Input::Press { x: -5.0, y: 1e6, shift: false },
        Input::Drag { from_x: 20.0, from_y: 35.0, x: 1e5, y: -1e5, shift: true },
        Input::Drag { from_x: 20.0, from_y: 35.0, x: 20.0, y: 35.0, shift: false },
        Input::Zoom { x: 20.0, y: 20.0, factor: 1e9 },
        Input::Zoom { x: 20.0, y: 20.0, factor: 0.0 },
        Input::Key { key: "+".to_owned(), shift: false },
        Input::Key { key: "End".to_owned(), shift: false },
        Input::Key { key: "PageUp".to_owned(), shift: true },
    ];
    for figure in registry() {
        for schemes in schemes {
            for length in [1, 2, 10_000_000] {
                for show in shows(figure) {
                    let scene = scene(figure, schemes, length, &show);
                    for size in sizes {
                        assert!((figure.height)(&scene, size.width).is_finite());
                        let model = (figure.make)(&scene, size);
                        for cursor in [cursor(0.0, 0, 0), cursor(length as f64 - 1.0, 1 - length as i64, 2047)] {
                            assert!(!model.summary(&cursor).is_empty(), "{} {schemes:?}", figure.id);
                            model.readings(&cursor);
                            for page in [-1, 0, 1] {
                                let table = model.table(&cursor, page);
                                assert!(table.rows.len() * table.head.len() <= 1000);
                                assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
                            }
                            for input in &inputs {
                                model.respond(input, &cursor);
                            }
                        }
                        assert!(model.legend().iter().all(|entry| *entry != Legend::Note(String::new())));
                        model.refine();
                    }
                }
            }
        }
    }
}
