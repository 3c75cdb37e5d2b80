use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;

fn model(schemes: &[&str], options: &[(&str, &str)]) -> Model {
    let scene = scene(&SPEC, schemes, 4096, options);
    let width = 600.0;
    Model::new(&scene, size(width, (SPEC.height)(&scene, width), 1.0))
}

fn value(model: &Model, at: &Cursor, label: &str) -> f64 {
    let readings = model.readings(at);
    let reading = readings.iter().find(|reading| reading.label.contains(label)).unwrap();
    posenc::number::parse(&reading.value.replace('−', "-")).unwrap()
}

#[test]
fn both_layouts_give_the_same_scores() {
    for scheme in ["rope", "rope(layout=interleaved)", "rope(layout=interleaved-to-half)", "xpos", "rope(head_dim=6)"] {
        let model = model(&[scheme], &[]);
        for at in [cursor(0.0, 0, 0), cursor(12.0, 4, 3), cursor(4000.0, 3999, 1), cursor(12.5, -3, 0)] {
            let (own, other) = model.sheets[0].measured(&at).unwrap();
            assert!((own.score - other.score).abs() < 1e-12, "{scheme} {own:?} {other:?}");
            assert!((own.score - own.shifted).abs() < 1e-12 && (own.norms.0 - own.norms.1).abs() < 1e-12);
        }
        assert!(model.summary(&cursor(12.0, 4, 3)).contains("differ by"));
    }
    // The half of a plane goes to its neighbour's place.
    let model = model(&["rope(head_dim=8)"], &[]);
    assert_eq!(model.sheets[0].order, [0, 4, 1, 5, 2, 6, 3, 7]);
    let rows = model.table(&cursor(12.0, 4, 0), 0).rows;
    assert_eq!(rows[5], ["5", "1", "1", "3"], "dimension 5 is of plane 1, turns with 1, goes to place 3");
}

/// PE-Lab's code: <https://github.com/NVIDIA/ngpt/issues/10> is the other of the kind.
#[test]
fn mixed_code_fails_both_tests_with_numbers() {
    for show in ["mixed-join", "mixed-table"] {
        let model = model(&["rope(head_dim=8)"], &[("show", show)]);
        let at = cursor(5.0, 2, 1);
        let ratio = value(&model, &at, "length after by length before");
        assert!((ratio - 1.0).abs() > 0.01, "{show} {ratio}");
        let (here, shifted) = (value(&model, &at, "by this code"), value(&model, &at, "shifted by 100"));
        assert!((here - shifted).abs() > 0.05, "{show} {here} {shifted}");
        assert!(model.summary(&at).contains("no rotation"));
        // At the first position nothing is turned yet.
        assert!((value(&model, &cursor(0.0, 0, 1), "length after by length before") - 1.0).abs() < 1e-12);
    }
    let one = model(&["rope(head_dim=2)"], &[("show", "mixed-join")]);
    assert!(one.summary(&cursor(5.0, 2, 0)).contains("nothing to mix"));
    let model = model(&["rope(head_dim=8)"], &[("show", "mixed-join")]);
    let rows = model.table(&cursor(12.0, 4, 0), 0).rows;
    // cat(-x[1::2], x[::2]): output 1 has the sine of input 3, output 5 that of input 2.
    assert_eq!(
        (&rows[1][1..], &rows[5][1..]),
        (&["1", "3", "1"].map(String::from)[..], &["5", "2", "1"].map(String::from)[..])
    );
}

#[test]
fn weights_that_were_not_permuted_pass_all_tests_but_one() {
    let model = model(&["rope(head_dim=32)"], &[("show", "unpermuted")]);
    let at = cursor(12.0, 4, 0);
    let (own, shown) = model.sheets[0].measured(&at).unwrap();
    assert!((shown.score - shown.shifted).abs() < 1e-12 && (shown.norms.0 - shown.norms.1).abs() < 1e-12);
    assert!((own.score - shown.score).abs() > 0.05, "{own:?} {shown:?}");
    let summary = model.summary(&at);
    assert!(summary.contains(&number::short(own.score)) && summary.contains(&number::short(shown.score)), "{summary}");
}

#[test]
fn outputs_are_those_of_the_code() {
    let model = model(&["rope(head_dim=8)"], &[("show", "mixed-join")]);
    let at = cursor(5.0, 2, 1);
    let turned = model.sheets[0].turned(5.0).unwrap();
    for i in [1, 5] {
        assert_eq!(
            value(&model, &at, &format!("output {i} ")),
            posenc::number::parse(&number::exact(turned[i]).replace('−', "-")).unwrap()
        );
    }
    assert!(model.readings(&cursor(5.0, 2, 99)).len() == 3, "a plane that it does not have");
}

#[test]
fn places_choose_planes_and_keys_move_the_cursor() {
    let model = model(&["rope(head_dim=8)", "rope(head_dim=8,layout=interleaved)"], &[]);
    let here = cursor(12.0, 4, 2);
    let patch = |input: Input| match model.respond(&input, &here) {
        Response { edits, .. } if edits.is_empty() => None,
        response => match response.edits.as_slice() {
            [Edit::Cursor(patch)] => Some(*patch),
            _ => None,
        },
    };
    let plane = |x: f64, y: f64| patch(Input::Press { x, y, shift: false }).and_then(|patch| patch.plane);
    // Strips from 10 to 590, eight dimensions: in halves above, interleaved below.
    let (above, below) = (22.0 + 20.0 + 44.0 + 8.0, 22.0 + 20.0 + 44.0 + 16.0 + 84.0 + 8.0);
    let x = |dim: f64| 10.0 + (dim + 0.5) / 8.0 * 580.0;
    assert_eq!([0.0, 1.0, 5.0].map(|dim| plane(x(dim), above)), [Some(0), Some(1), Some(1)]);
    assert_eq!([0.0, 1.0, 5.0].map(|dim| plane(x(dim), below)), [Some(0), Some(0), Some(2)]);
    assert_eq!([plane(2.0, above), plane(300.0, 5000.0)], [None, None]);
    let key = |key: &str| patch(Input::Key { key: key.to_owned(), shift: false }).unwrap();
    assert_eq!((key("ArrowRight").position, key("ArrowUp").offset), (Some(13.0), Some(5)));
    assert_eq!((key("End").position, key("]").plane, key("PageDown").position), (Some(4095.0), Some(3), Some(2.0)));
    let hover = model.respond(&Input::Hover { x: x(5.0), y: above }, &here);
    assert_eq!(hover.hover.and_then(|patch| patch.plane), Some(1));
}

#[test]
fn what_is_not_shown_is_said() {
    let some = model(&["rope", "sinusoidal", "rope2d", "rope(partial_rotary_factor=0.25)"], &[]);
    assert_eq!((some.sheets.len(), some.failures.len()), (2, 2));
    let said = notes(&some);
    assert!(said.contains("24 of 64 planes") && said.contains("last 96 dimensions are not turned"), "{said}");
    assert!(said.contains("patches") && said.contains("Sinusoidal"), "{said}");
    let none = model(&["rope(partial_rotary_factor=0)"], &[]);
    assert_eq!(none.table(&cursor(1.0, 0, 0), 0), Table::default());
    assert!(!none.summary(&cursor(1.0, 0, 0)).is_empty());
    // Wide vectors are paged, and the cursor's plane is on its page.
    let wide = model(&["rope(head_dim=1024)"], &[]);
    let table = wide.table(&cursor(1.0, 0, 200), 0);
    assert!(table.before && table.after && table.rows.iter().any(|row| row[0] == "200"));
}
