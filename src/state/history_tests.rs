use super::super::{Controls, CursorPatch, Page, Target};
use super::*;
use crate::figures;

fn set(key: &'static str, value: &str) -> Edit {
    Edit::Set(Target::Global, key, value.into())
}

fn app() -> App {
    App::new(State::default(), Vec::new())
}

fn after(app: &App, action: Action) -> App {
    app.apply(action).expect("the action changes something")
}

#[test]
fn one_gesture_is_one_step() {
    let gesture = Some(new_gesture());
    let mut dragged = app();
    for position in ["13", "14", "15"] {
        dragged = after(&dragged, Action::Edit(set("position", position), gesture));
    }
    let other = after(&dragged, Action::Edit(set("offset", "7"), Some(new_gesture())));
    let back = after(&other, Action::Undo);
    assert_eq!(back.state, dragged.state);
    let start = after(&back, Action::Undo);
    assert_eq!(start.state, State::default());
    assert!(!start.can_undo() && start.can_redo());
    let forward = after(&after(&start, Action::Redo), Action::Redo);
    assert_eq!(forward.state, other.state);
    assert!(forward.apply(Action::Redo).is_none());
}

#[test]
fn edits_without_a_gesture_are_steps_of_their_own() {
    let one = after(&app(), Action::Edit(set("position", "13"), None));
    let two = after(&one, Action::Edit(set("position", "14"), None));
    assert_eq!(after(&two, Action::Undo).state, one.state);
}

#[test]
fn an_undo_ends_the_gesture() {
    let gesture = Some(new_gesture());
    let moved = after(&app(), Action::Edit(set("position", "13"), gesture));
    let back = after(&moved, Action::Undo);
    let again = after(&back, Action::Edit(set("position", "20"), gesture));
    assert!(again.can_undo() && !again.can_redo());
    assert_eq!(after(&again, Action::Undo).state, State::default());
}

#[test]
fn what_changes_nothing_is_no_step() {
    assert!(app().apply(Action::Edit(set("position", "12"), None)).is_none());
    assert!(app().apply(Action::Undo).is_none());
    assert!(app().apply(Action::Dismiss).is_none());
    assert!(app().apply(Action::Opened(Box::default(), Vec::new())).is_none());
}

#[test]
fn a_page_is_no_step_and_undo_stays_on_it() {
    let moved = after(&app(), Action::Edit(set("position", "13"), None));
    let gone = after(&moved, Action::Edit(Edit::Go(Page::Explore), None));
    let opened = after(&gone, Action::Opened(Box::new(State { page: Page::About, ..gone.state.clone() }), Vec::new()));
    let back = after(&opened, Action::Undo);
    assert_eq!(back.state, State { page: Page::About, ..State::default() });
    assert!(!back.can_undo());
}

#[test]
fn opening_a_link_is_a_step() {
    let mut linked = State::default();
    linked.edit(set("length", "1000"));
    let opened = after(&app(), Action::Opened(Box::new(linked.clone()), Vec::new()));
    assert_eq!(opened.state, linked);
    assert_eq!(after(&opened, Action::Undo).state, State::default());
}

#[test]
fn the_past_is_bounded() {
    let mut app = app();
    for position in 0..MOST_STEPS + 50 {
        let position = if position % 2 == 0 { "1" } else { "2" };
        app = after(&app, Action::Edit(set("position", position), None));
    }
    assert_eq!(app.past.len(), MOST_STEPS);
}

#[test]
fn a_length_dragged_down_and_up_leaves_the_cursor() {
    let gesture = Some(new_gesture());
    let short = after(&app(), Action::Edit(set("length", "3"), gesture));
    assert_eq!(short.state.globals.real("position"), 2.0);
    assert_eq!(short.state.globals.integer("offset"), 2);
    let long = after(&short, Action::Edit(set("length", "64"), gesture));
    assert_eq!(long.state, State::default());
    let apart = after(&short, Action::Edit(set("length", "64"), Some(new_gesture())));
    assert_eq!(apart.state.globals.real("position"), 2.0);
}

#[test]
fn a_notice_replaces_the_one_before() {
    let one = after(&app(), Action::Edit(set("length", "0"), None));
    let two = after(&one, Action::Edit(set("length", "-5"), None));
    assert_eq!(two.notices.len(), 1);
    assert_eq!((two.notices[0].given.as_str(), two.notices[0].used.as_str()), ("-5", "1"));
    assert!(after(&two, Action::Dismiss).notices.is_empty());
    assert_eq!(after(&two, Action::Edit(set("seed", "7"), None)).notices, two.notices);
    assert!(after(&two, Action::Edit(set("length", "100"), None)).notices.is_empty());
}

#[test]
fn the_cursor_stays_within_the_sequence() {
    let mut state = State::default();
    let patch =
        CursorPatch { position: Some(1e9), offset: Some(-1_000_000), plane: Some(99), head: None, length: None };
    assert_eq!(state.edit(Edit::Cursor(patch)), None);
    assert_eq!(state.globals.real("position"), 63.0);
    assert_eq!(state.globals.integer("offset"), -63);
    assert_eq!(state.globals.integer("plane"), 15);
    state.edit(Edit::Cursor(CursorPatch { position: Some(f64::NAN), ..CursorPatch::default() }));
    assert_eq!(state.globals.real("position"), 63.0);
    let repair = state.edit(set("position", "64")).expect("it is past the end");
    assert_eq!((repair.given.as_str(), repair.used.as_str()), ("64", "63"));
}

#[test]
fn a_narrower_scheme_brings_the_plane_in() {
    let mut state = State::default();
    state.edit(set("plane", "15"));
    state.edit(Edit::Set(Target::Scheme(0), "d_model", "4".into()));
    assert_eq!(state.globals.integer("plane"), 1);
    state.edit(Edit::ReplaceScheme(0, &posenc::schemes::none::SPEC));
    assert_eq!(state.globals.integer("plane"), 1);
}

#[test]
fn fewer_heads_bring_the_head_in() {
    let mut state = State::default();
    state.edit(set("head", "200"));
    assert_eq!(state.globals.integer("head"), 200, "no scheme has heads: it is kept");
    state.edit(Edit::AddScheme(&posenc::schemes::alibi::SPEC));
    assert_eq!(state.globals.integer("head"), 7);
    state.edit(Edit::Set(Target::Scheme(1), "num_heads", "12".into()));
    state.edit(Edit::Cursor(CursorPatch { head: Some(99), ..CursorPatch::default() }));
    assert_eq!(state.globals.integer("head"), 11);
    let repair = state.edit(set("head", "12"));
    assert_eq!(repair.map(|repair| repair.used), Some("11".to_owned()));
}

#[test]
fn a_table_has_planes_before_it_is_here() {
    let mut state = State::default();
    state.edit(Edit::ReplaceScheme(0, &posenc::schemes::learned::SPEC));
    assert_eq!(state.planes(), 64);
    state.edit(Edit::Set(Target::Scheme(0), "table", "minilm".into()));
    assert_eq!(state.planes(), 192);
}

#[test]
fn lists_stay_within_their_bounds() {
    let mut state = State::default();
    for _ in 0..10 {
        state.edit(Edit::AddScheme(&posenc::schemes::rope::SPEC));
    }
    assert_eq!(state.schemes.len(), super::super::MOST_SCHEMES);
    for _ in 0..10 {
        state.edit(Edit::RemoveScheme(0));
    }
    assert_eq!(state.schemes.len(), 1);
    state.edit(Edit::Figures(vec![&figures::rotation::SPEC; 9]));
    assert_eq!(state.figures, [&figures::rotation::SPEC]);
    state.edit(Edit::Figures(Vec::new()));
    assert_eq!(state.figures, [&figures::rotation::SPEC]);
    state.edit(Edit::MoveFigure("rotation", 3));
    state.edit(Edit::MoveFigure("bias", 0));
    assert_eq!(state.figures, [&figures::rotation::SPEC]);
    state.edit(Edit::Text(Some("ü".repeat(9999))));
    assert_eq!(state.text.as_ref().map(|text| text.chars().count()), Some(super::super::MOST_TEXT));
}

#[test]
fn a_figure_moves_to_a_place_as_one_step_that_the_link_remembers() {
    let board = |app: &App| app.state.figures.iter().map(|figure| figure.id).collect::<Vec<_>>().join(",");
    let (state, _) = link::parse("", "#/explore?figures=heatmap,offset,rotation");
    let app = App::new(state, Vec::new());
    for (id, to, expected) in [
        ("heatmap", 2, "offset,rotation,heatmap"),
        ("heatmap", 1, "offset,heatmap,rotation"),
        ("rotation", 0, "rotation,heatmap,offset"),
        ("heatmap", 99, "offset,rotation,heatmap"),
    ] {
        let moved = app.apply(Action::Edit(Edit::MoveFigure(id, to), None)).expect("a change");
        assert_eq!(board(&moved), expected);
        assert!(link::write(&moved.state).contains(expected));
        assert_eq!(board(&moved.apply(Action::Undo).expect("a step")), "heatmap,offset,rotation");
    }
    assert_eq!(app.apply(Action::Edit(Edit::MoveFigure("offset", 1), None)), None);
    assert_eq!(app.apply(Action::Edit(Edit::MoveFigure("bias", 1), None)), None);
}

#[test]
fn replacing_a_scheme_keeps_what_both_have() {
    let mut state = State::default();
    state.edit(Edit::Set(Target::Scheme(0), "layout", "concatenated".into()));
    state.edit(Edit::ReplaceScheme(0, &posenc::schemes::rope::SPEC));
    assert_eq!(state.schemes[0].spec.id, "rope");
    // `concatenated` is no layout of rope's: the default is the nearest.
    assert_eq!(state.schemes[0].settings.choice("layout"), "half");
}

#[test]
fn a_reset_keeps_the_page_and_its_look() {
    let mut state = State::default();
    state.edit(Edit::Go(Page::Explore));
    state.edit(set("theme", "dark"));
    state.edit(set("length", "1000"));
    state.controls = Controls::Only(Vec::new());
    state.edit(Edit::ResetAll);
    let mut expected = State { page: Page::Explore, ..State::default() };
    expected.edit(set("theme", "dark"));
    assert_eq!(state, expected);
}

#[test]
fn the_past_is_handed_over_as_links() {
    let mut app = App::default();
    for length in ["100", "200", "300"] {
        let edit = Edit::Set(Target::Global, "length", length.to_owned());
        app = app.apply(Action::Edit(edit, None)).expect("a change");
    }
    let links = app.links();
    assert_eq!(links.len(), 4);
    let (state, _) = link::parse("", "#/explore?schemes=none");
    let resumed = App::new(state, Vec::new()).resumed(&links);
    let lengths: Vec<u64> = std::iter::successors(Some(resumed), |app| app.apply(Action::Undo))
        .skip(1)
        .map(|app| app.state.length())
        .collect();
    assert_eq!(lengths, [300, 200, 100, State::default().length()]);
    assert_eq!(App::default().apply(Action::Later(Wanted::Figure("bias"))), None);
    // What is wanted may leave all as it was: that is no step.
    assert_eq!(App::new(app.state.clone(), Vec::new()).resumed(&links).links(), links);
}

#[test]
fn a_length_dragged_down_and_up_leaves_what_a_figure_shows() {
    let first = |app: &App| app.state.options(&figures::heatmap::SPEC).integer("first_position");
    let shown = after(&app(), Action::Edit(Edit::Set(Target::Figure("heatmap"), "first_position", "40".into()), None));
    let gesture = Some(new_gesture());
    let low = after(&shown, Action::Edit(set("length", "10"), gesture));
    assert_eq!(first(&low), 9);
    let high = after(&low, Action::Edit(set("length", "64"), gesture));
    assert_eq!(first(&high), 40);
}

#[test]
fn what_a_figure_cannot_show_is_said() {
    let past = app().apply(Action::Edit(Edit::Set(Target::Figure("heatmap"), "first_position", "500".into()), None));
    let past = past.expect("it is set as far as it goes");
    assert_eq!(past.state.options(&figures::heatmap::SPEC).integer("first_position"), 63);
    assert_eq!((past.notices[0].key.as_str(), past.notices[0].used.as_str()), ("heatmap.first_position", "63"));
    let many = after(&app(), Action::Edit(Edit::Set(Target::Figure("heatmap"), "positions", "65".into()), None));
    assert_eq!(many.notices[0].used, "0", "all of them");
}
