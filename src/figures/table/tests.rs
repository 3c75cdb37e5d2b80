use super::*;
use crate::draw::number;
use crate::figures::testing::{cursor, notes, scene, size};
use crate::state::Edit;
use lab::{job::Given, protocol::Message, runner::Runner};

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 400.0, 1.0))
}

/// Lets the lab's own jobs answer all that the figure asks; how often it asked.
fn answered(model: &Model) -> usize {
    let mut asked = 0;
    while let Some(request) = model.lab_request() {
        let values = model.lab_values().unwrap_or_default().to_vec();
        let mut runner = Runner::new();
        assert_eq!(runner.run_with(1, &request, Given { values, ..Given::default() }), None);
        let arrays: Vec<Vec<f32>> = loop {
            match runner.step(&|| 0.0) {
                Some(Message::Answer(answer)) => break answer.arrays.into_iter().map(|(_, array)| array).collect(),
                Some(Message::Failed { message, .. }) => unreachable!("{message}"),
                _ => {}
            }
        };
        model.lab_answer(&arrays);
        asked += 1;
        assert!(asked < 20);
    }
    asked
}

#[test]
fn a_real_table_is_described_beside_sines() {
    let model = model(&["learned(table=minilm)"], 64, &[]);
    assert!(model.summary(&cursor(0.0, 0, 0)).contains("being looked at"));
    assert_eq!(answered(&model), 2);
    let said = model.summary(&cursor(0.0, 0, 0));
    assert!(said.contains("0.49") && said.contains("14.3 of 384") && said.contains("99.8"), "{said}");
    let readings = model.readings(&cursor(100.0, 2, 0));
    let reading = |part: &str| readings.iter().find(|reading| reading.label.contains(part)).unwrap().value.clone();
    assert!(reading("distance 2").starts_with("0.59"), "{readings:?}");
    assert!(["99, 101", "101, 99"].iter().any(|near| reading("position 100").starts_with(near)), "{readings:?}");
    let table = model.table(&cursor(0.0, 1, 0), 0);
    assert_eq!((table.rows.len(), table.rows[0][1].as_str(), table.after), (100, "1", true));
    assert!(table.rows[1][1].starts_with("0.85"));
    // The next model knows it.
    assert_eq!(answered(&model_of_the_same(&model)), 0);
}

fn again(looked: &Looked, length: u64) -> Looked {
    let (other, _) = Config::parse("learned").unwrap();
    Looked::new(looked.encoding.clone(), looked.scheme.as_ref().unwrap_or(&other), length).unwrap()
}

/// Another model of the same encodings.
fn model_of_the_same(model: &Model) -> Model {
    let mut next = super::tests::model(&["sinusoidal"], 8, &[]);
    next.panels = model
        .panels
        .iter()
        .map(|panel| Panel {
            slot: panel.slot,
            name: panel.name.clone(),
            own: again(&panel.own, 64),
            like: panel.like.as_ref().map(|like| again(like, panel.own.rows as u64)),
        })
        .collect();
    next
}

#[test]
fn sines_are_their_own_measure() {
    let model = model(&["sinusoidal(d_model=16)"], 40, &[("show", "components")]);
    assert_eq!(answered(&model), 1);
    let said = model.summary(&cursor(0.0, 0, 0));
    assert!(said.contains("4 components explain 80.1 %") && said.contains("40, 20, 6.67, 20 positions"), "{said}");
    let seen = model.panels[0].own.seen().unwrap();
    assert_eq!((seen.mean.len(), seen.components.len(), seen.components[0].along.len()), (40, COMPONENTS, 40));
    assert!(!notes(&model).contains("Thin line"));
    // What is drawn is read and listed.
    let along = f64::from(seen.components[1].along[7]);
    let readings = model.readings(&cursor(7.0, 0, 0));
    let reading = readings.iter().find(|reading| reading.label.contains("component 2 at position 7")).unwrap();
    assert_eq!(reading.value, number::exact(along));
    let table = model.table(&cursor(7.0, 0, 0), 0);
    assert_eq!((table.head.len(), table.rows.len(), &table.rows[7][2]), (1 + COMPONENTS, 40, &reading.value));
}

#[test]
fn rows_that_no_text_reached_are_named() {
    let model = model(&["learned"], 64, &[("show", "components")]);
    assert!(notes(&model).contains("in training: 510, 511"), "{}", notes(&model));
    answered(&model);
    let said = model.summary(&cursor(0.0, 0, 0));
    assert_eq!(said.matches(" % ").count() + said.matches(" %,").count(), 2, "{said}");
}

#[test]
fn what_is_not_there_is_said() {
    let model = model(&["rope", "none"], 40, &[]);
    assert_eq!((model.panels.len(), model.lab_request()), (0, None));
    assert!(!model.summary(&cursor(0.0, 0, 0)).is_empty());
    assert_eq!(Seen::new(&[], 3).nearest(0), [0_u32; 0]);
}

#[test]
fn the_pointer_moves_the_offset_or_the_position() {
    let moved = |show: &str, input: Input| {
        let model = model(&["sinusoidal(d_model=8)"], 101, &[("show", show)]);
        match &model.respond(&input, &cursor(5.0, 7, 0)).edits[..] {
            [Edit::Cursor(patch)] => *patch,
            other => unreachable!("{other:?}"),
        }
    };
    let key = |key: &str| Input::Key { key: key.to_owned(), shift: false };
    assert_eq!(moved("cosine", key("ArrowRight")).offset, Some(8));
    assert_eq!(moved("components", key("ArrowRight")).position, Some(6.0));
    assert_eq!(moved("components", key("End")).position, Some(100.0));
    assert_eq!(moved("cosine", Input::Press { x: 1.0e4_f64.min(686.0), y: 50.0, shift: false }).offset, Some(100));
}
