use super::*;
use crate::state::{CursorPatch, Edit, MOST_LENGTH, Target, Wanted, say};
use posenc::{Kind, ParamSpec, Scale, Settings};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::time::Instant;

fn read(link: &str) -> (State, Vec<Repair>) {
    parse("", link)
}

fn clean(link: &str) -> State {
    let (state, repairs) = read(link);
    assert_eq!(repairs, [], "{link}");
    state
}

#[test]
fn the_example_of_the_contract() {
    // As in design.md, but for schemes that are not there yet.
    let link =
        "#/explore?figures=offset,rotation&schemes=rope(rope_theta=500000),none&length=4096&position=12&offset=7";
    let state = clean(link);
    assert_eq!(state.page, Page::Explore);
    let ids: Vec<&str> = state.figures.iter().map(|figure| figure.id).collect();
    assert_eq!(ids, ["offset", "rotation"]);
    assert_eq!(state.schemes[0].settings.real("rope_theta"), 500_000.0);
    assert_eq!(state.schemes[1].spec.id, "none");
    assert_eq!((state.length(), state.globals.integer("offset")), (4096, 7));
    // position=12 is the default.
    assert_eq!(write(&state), link.replace("&position=12", ""));
}

#[test]
fn pages() {
    for (link, page) in [
        ("", Page::Home),
        ("#/", Page::Home),
        ("#/explore", Page::Explore),
        ("#/learn", Page::Learn(Place::default())),
        ("#/learn/questions", Page::Learn(Place::new("questions"))),
        ("#/learn/questions/07", Page::Learn(Place::new("questions/07"))),
        ("#/learn/order?at=3", Page::Learn(Place { at: 3, ..Place::new("order") })),
        ("#/embed", Page::Embed),
        ("#/about", Page::About),
    ] {
        let state = clean(link);
        assert_eq!(state.page, page);
        assert_eq!(clean(&write(&state)), state);
    }
    for link in ["#/no-such-page", "#/learn/../../etc", "#/learn/%3Cscript%3E", "#/Explore"] {
        let (state, repairs) = read(link);
        assert_eq!((state.page, repairs.len(), repairs[0].key.as_str()), (Page::Home, 1, "page"));
    }
}

#[test]
fn an_anchor_is_no_state() {
    assert!(!is_state("#main") && is_state("#/") && is_state("") && is_state("#/explore?length=3"));
    let (state, repairs) = parse("?length=100", "#main");
    assert_eq!((state.length(), repairs.len()), (100, 0));
}

#[test]
fn the_fragment_wins_over_the_search_and_the_last_of_several_wins() {
    let (state, repairs) = parse("?length=100&position=5&utm_source=mail&fbclid=x", "#/explore?length=200&length=300");
    assert_eq!((state.length(), state.globals.real("position"), repairs.len()), (300, 5.0, 0));
}

#[test]
fn what_is_encoded_is_read() {
    let plain = clean("#/explore?schemes=rope(rope_theta=500000),none&text=a,b (c)");
    let encoded = clean("#/explore?schemes=rope%28rope_theta%3D500000%29%2Cnone&text=a%2Cb%20%28c%29");
    let whole = clean("#%2Fexplore%3Fschemes%3Drope(rope_theta%3D500000)%2Cnone%26text%3Da%252Cb%2520(c)");
    assert_eq!(plain, encoded);
    assert_eq!(plain, whole);
    assert_eq!(write(&plain), "#/explore?schemes=rope(rope_theta=500000),none&text=a,b%20(c)");
    // A program left the last parenthesis out.
    assert_eq!(clean("#/?schemes=none,rope(rope_theta=500000"), clean("#/?schemes=none,rope(rope_theta=500000)"));
}

#[test]
fn what_is_wrong_is_named() {
    for (link, key, given, used, why) in [
        ("length=0", "length", "0", "1", Why::OutOfRange),
        ("offset=3.7", "offset", "3.7", "4", Why::NotWhole),
        ("length=0.2", "length", "0.2", "1", Why::OutOfRange),
        ("length=many", "length", "many", "64", Why::NotANumber),
        ("position=64", "position", "64", "63", Why::OutOfRange),
        ("offset=-1000", "offset", "-1000", "-63", Why::OutOfRange),
        ("plane=16", "plane", "16", "15", Why::OutOfRange),
        ("plane=99&schemes=rope(head_dim=8)", "plane", "99", "3", Why::OutOfRange),
        ("palette=pink", "palette", "pink", "auto", Why::UnknownWord),
        ("play=maybe", "play", "maybe", "false", Why::UnknownWord),
        ("frobnicate=1", "frobnicate", "1", "", Why::UnknownKey),
        ("heatmap.frobnicate=1", "heatmap.frobnicate", "1", "", Why::UnknownKey),
        ("frobnicate.x=1", "frobnicate.x", "1", "", Why::UnknownKey),
        ("figures=offset,spiral", "figures", "spiral", "", Why::UnknownWord),
        ("figures=offset,offset", "figures", "offset", "", Why::OutOfRange),
        ("schemes=rope,spiral(x=1)", "schemes", "spiral", "", Why::UnknownWord),
        ("schemes=rope(rope_theta=0)", "rope_theta", "0", "1", Why::OutOfRange),
        ("schemes=rope(spin=1)", "spin", "1", "", Why::UnknownKey),
        ("schemes=none,none,none,none,rope", "schemes", "rope", "", Why::OutOfRange),
        ("controls=length,spin", "controls", "spin", "", Why::UnknownWord),
        ("text=%FF", "text", "\u{fffd}", "", Why::Unreadable),
    ] {
        let (_, repairs) = read(&format!("#/explore?{link}"));
        let expected = Repair { key: key.into(), given: given.into(), used: used.into(), why };
        assert_eq!(repairs, [expected], "{link}");
        let said = say(&repairs[0]);
        assert!(said.contains(key) && said.contains(used), "{said}");
    }
}

#[test]
fn a_default_that_does_not_fit_is_nobodys_mistake() {
    let state = clean("#/explore?length=5");
    assert_eq!((state.globals.real("position"), state.globals.integer("offset")), (4.0, 4));
    assert_eq!(clean(&write(&state)), state);
}

#[test]
fn controls() {
    assert_eq!(clean("#/embed").controls, Controls::All);
    assert_eq!(clean("#/embed?controls=none").controls, Controls::Only(Vec::new()));
    let keys = ["length".to_owned(), "rope_theta".to_owned()];
    assert_eq!(clean("#/embed?controls=length,rope_theta").controls, Controls::Only(keys.to_vec()));
}

#[test]
fn huge_links_are_cut_and_fast() {
    let pieces =
        ["a=1&", "schemes=rope,", "figures=(((,", "text=%F0%9F%A6%80", "position=9", "&", "=", "%", "(", "controls=x,"];
    for piece in pieces {
        let link = format!("#/explore?length=9&{}", piece.repeat(1_000_000 / piece.len()));
        let start = Instant::now();
        let (state, repairs) = parse(&link[1..], &link);
        // Slow machines and debug builds included; in a browser it is a few milliseconds.
        assert!(start.elapsed().as_secs_f64() < 1.0, "{piece}: {:?}", start.elapsed());
        assert!(!repairs.is_empty() && repairs.len() <= MOST_REPAIRS);
        assert!(repairs.iter().all(|repair| repair.given.chars().count() <= MOST_GIVEN + 1));
        assert_legal(&state);
    }
    let long = format!("#/?text={}", "é".repeat(5000));
    let (state, repairs) = read(&long);
    assert_eq!((state.text.map(|text| text.chars().count()), repairs.len()), (Some(MOST_TEXT), 1));
}

/// The longest text of the widest characters still fits into a link.
#[test]
fn the_longest_text_goes_round() {
    let mut state = State::default();
    state.edit(Edit::Text(Some("🦀".repeat(MOST_TEXT))));
    assert_eq!(clean(&write(&state)), state);
}

fn assert_legal(state: &State) {
    assert!((1..=MOST_FIGURES).contains(&state.figures.len()));
    assert!((1..=MOST_SCHEMES).contains(&state.schemes.len()));
    let length = state.length();
    assert!(length >= 1 && length as i64 <= MOST_LENGTH);
    assert!((0.0..length as f64).contains(&state.globals.real("position")));
    assert!(state.globals.integer("offset").unsigned_abs() < length);
    assert!(state.text.as_ref().is_none_or(|text| text.chars().count() <= MOST_TEXT));
    assert_eq!(state.clone().settle(), []);
    let mut all = vec![&state.globals];
    all.extend(&state.options);
    all.extend(state.schemes.iter().map(|config| &config.settings));
    for (spec, value) in all.into_iter().flat_map(Settings::iter) {
        assert_eq!(spec.read(&value.to_string()), (value.clone(), None), "{}", spec.key);
    }
}

/// A legal value of a parameter, chosen by a number.
fn value_of(spec: &ParamSpec, pick: u64) -> String {
    let share = (pick % 10_007) as f64 / 10_006.0;
    let between = |min: f64, max: f64, scale: Scale| match scale {
        Scale::Linear => min + (max - min) * share,
        Scale::Log => min * (max / min).powf(share),
    };
    match spec.kind {
        Kind::Integer { min, max, scale, .. } => {
            (between(min as f64, max as f64, scale).round() as i64).clamp(min, max).to_string()
        }
        Kind::Real { min, max, scale, .. } => between(min, max, scale).clamp(min, max).to_string(),
        Kind::Choice { options, .. } => options[pick as usize % options.len()].to_owned(),
        Kind::Switch { .. } => (pick.is_multiple_of(2)).to_string(),
        Kind::List { min, max, most } => {
            let list: Vec<String> = (0..pick as usize % (most + 1))
                .map(|i| (min + (pick as i64 ^ i as i64).rem_euclid(max - min + 1)).to_string())
                .collect();
            list.join(":")
        }
        Kind::Reals { min, max, most } => {
            let list: Vec<String> = (0..pick as usize % (most.min(20) + 1))
                .map(|i| (min + (max - min) * ((share + i as f64 / 7.0) % 1.0)).clamp(min, max).to_string())
                .collect();
            list.join(":")
        }
    }
}

fn page() -> impl Strategy<Value = Page> {
    prop_oneof![
        Just(Page::Home),
        Just(Page::Explore),
        Just(Page::Embed),
        Just(Page::About),
        Just(Page::Learn(Place::default())),
        Just(Page::Learn(Place::new("questions"))),
    ]
}

/// Any legal state, made as a person makes it: by edits.
fn any_state() -> impl Strategy<Value = State> {
    let picks = || prop::collection::vec(prop::option::weighted(0.4, any::<u64>()), 64);
    let schemes = prop::collection::vec((any::<prop::sample::Index>(), picks()), 1..=MOST_SCHEMES);
    let figures =
        prop::sample::subsequence(figures::registry().to_vec(), 1..=MOST_FIGURES.min(figures::registry().len()));
    let text = prop::option::of(".{0,60}");
    let controls = prop::option::of(prop::sample::subsequence(
        vec!["figures", "schemes", "text", "length", "rope_theta", "base", "play"],
        0..=4,
    ));
    (page(), figures.prop_shuffle(), schemes, picks(), picks(), text, controls).prop_map(
        |(page, figures, schemes, globals, options, text, controls)| {
            let mut state = State { page, ..State::default() };
            state.edit(Edit::Figures(figures));
            for (slot, (index, picks)) in schemes.into_iter().enumerate() {
                let spec = crate::schemes::offered()[index.index(crate::schemes::offered().len())];
                state.edit(if slot == 0 { Edit::ReplaceScheme(0, spec) } else { Edit::AddScheme(spec) });
                for (param, pick) in spec.params.iter().zip(picks) {
                    if let Some(pick) = pick {
                        state.edit(Edit::Set(Target::Scheme(slot), param.key, value_of(param, pick)));
                    }
                }
            }
            for (param, pick) in GLOBALS.iter().zip(globals) {
                if let Some(pick) = pick {
                    state.edit(Edit::Set(Target::Global, param.key, value_of(param, pick)));
                }
            }
            let all = figures::registry().iter().flat_map(|figure| figure.options.iter().map(|spec| (figure.id, spec)));
            for ((id, param), pick) in all.zip(options) {
                if let Some(pick) = pick {
                    state.edit(Edit::Set(Target::Figure(id), param.key, value_of(param, pick)));
                }
            }
            state.edit(Edit::Text(text));
            state.controls =
                controls.map_or(Controls::All, |keys| Controls::Only(keys.into_iter().map(str::to_owned).collect()));
            state
        },
    )
}

/// What people, mail programs and editors do to a link.
fn mutated() -> impl Strategy<Value = String> {
    let at = || any::<prop::sample::Index>();
    let piece = prop_oneof![
        ".{0,3}".boxed(),
        "[0-9a-z=&,().%?#/:-]{0,12}".boxed(),
        prop::sample::select(vec![
            "=",
            "&",
            "%",
            "(",
            ")",
            ",",
            "=NaN",
            "=1e999",
            "=-0",
            "=inf",
            "=99999999999999999999"
        ])
        .prop_map(str::to_owned)
        .boxed(),
    ];
    (any_state(), prop::collection::vec((at(), at(), piece), 1..6)).prop_map(|(state, changes)| {
        let mut link: Vec<char> = write(&state).chars().collect();
        for (from, to, piece) in changes {
            let (a, b) = (from.index(link.len() + 1), to.index(link.len() + 1));
            // Short cuts mostly: whole halves leave little to read.
            let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 8));
            link.splice(a..b, piece.chars());
        }
        link.into_iter().collect()
    })
}

fn heals(link: &str) {
    let (state, repairs) = parse(link, link);
    assert_legal(&state);
    assert!(repairs.len() <= MOST_REPAIRS);
    assert!(repairs.iter().all(|repair| !say(repair).is_empty()));
    assert_eq!(clean(&write(&state)), state, "{link}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_state_goes_round(state in any_state()) {
        assert_legal(&state);
        prop_assert_eq!(clean(&write(&state)), state);
    }

    #[test]
    fn garbage_heals(link in "\\PC{0,200}") {
        heals(&link);
        heals(&format!("#/explore?{link}"));
    }

    #[test]
    fn mutated_links_heal(link in mutated()) {
        heals(&link);
    }

    #[test]
    fn cursor_edits_stay_legal(state in any_state(), position in any::<f64>(), offset in any::<i64>(), plane in any::<usize>()) {
        let mut state = state;
        let patch = CursorPatch { position: Some(position), offset: Some(offset), plane: Some(plane), head: None, length: None };
        state.edit(Edit::Cursor(patch));
        assert_legal(&state);
    }
}

/// Links leave defaults out: a default that changed would change every link that is out there.
/// `UPDATE_DEFAULTS=1` writes the file; only lines for new keys may be new.
#[test]
fn defaults_are_pinned() {
    let mut table = String::new();
    let mut put = |key: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(table, "{key} = {value}");
    };
    let usual = State::default();
    let ids: Vec<&str> = usual.figures.iter().map(|figure| figure.id).collect();
    put("figures", &ids.join(","));
    put("schemes", &usual.schemes[0]);
    for (spec, value) in usual.globals.iter() {
        put(spec.key, value);
    }
    for scheme in crate::schemes::offered() {
        for spec in scheme.params {
            put(&format!("{}({})", scheme.id, spec.key), &spec.default_value());
        }
    }
    for figure in figures::registry() {
        for spec in figure.options {
            put(&format!("{}.{}", figure.id, spec.key), &spec.default_value());
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/defaults.txt");
    if std::env::var_os("UPDATE_DEFAULTS").is_some() {
        std::fs::write(path, &table).expect("the table of defaults can be written");
    }
    let pinned = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(table, pinned, "a default changed or is new; see the comment at this test");
}

#[test]
fn the_first_script_knows_what_is_first() {
    let script = include_str!("../../static/boot.js");
    let pattern = script.split_once("(?!(").and_then(|(_, rest)| rest.split_once(")?"));
    let schemes = schemes::FIRST.iter().map(|spec| spec.id);
    let first: Vec<&str> = schemes.chain(figures::first_screen().iter().map(|spec| spec.id)).collect();
    assert_eq!(pattern.expect("the list in boot.js").0.split('|').collect::<Vec<_>>(), first);
}

#[test]
#[cfg(feature = "full")]
fn every_id_is_offered() {
    assert!(figures::registry().iter().map(|spec| spec.id).eq(figures::IDS));
    let (_, repairs) = parse("", "#/explore?schemes=alibi,alby&figures=bias&bias.no=1");
    assert!(!repairs.is_empty() && !is_later(&Page::Learn(Place::new("questions")), &repairs));
}

#[test]
fn what_is_wanted_is_in_the_link() {
    let state = clean("#/explore?schemes=rope(rope_theta=500000),none&length=128");
    let with = |wanted: &[Wanted]| write_with(&state, wanted);
    let alibi = Wanted::Scheme(Some(1), "alibi");
    let bias = Wanted::Figure("bias");
    assert_eq!(with(&[]), write(&state));
    assert_eq!(with(std::slice::from_ref(&alibi)), "#/explore?schemes=rope(rope_theta=500000),alibi&length=128");
    assert_eq!(with(&[Wanted::Scheme(None, "t5")]), "#/explore?schemes=rope(rope_theta=500000),none,t5&length=128");
    assert_eq!(
        with(&[alibi.clone(), bias.clone(), Wanted::Scheme(Some(1), "t5")]),
        "#/explore?figures=heatmap,offset,bias&schemes=rope(rope_theta=500000),t5&length=128"
    );
    assert_eq!(with(&[bias.clone(), bias.clone()]), write(&state));
    assert_eq!(with(&[Wanted::Place("offset", 1)]), write(&state));
    assert_eq!(
        with(&[Wanted::Place("offset", 0), Wanted::Place("bias", 0), Wanted::Place("offset", 2)]),
        "#/explore?figures=offset,heatmap&schemes=rope(rope_theta=500000),none&length=128"
    );
    // A scheme that went meanwhile does not take the choice with it.
    assert_eq!(with(&[Wanted::Scheme(Some(3), "t5")]), "#/explore?schemes=rope(rope_theta=500000),none,t5&length=128");
    assert_eq!(with(&[bias, Wanted::Link("#/embed".to_owned())]), "#/embed");
}

#[test]
fn an_id_that_is_unknown_is_told_from_other_mistakes() {
    for (link, named) in [
        ("#/explore?schemes=rope,later", true),
        ("#/explore?schemes=rope%2Clater%28num_heads%3D4%29", true),
        ("#%2Fexplore%3Ffigures%3Doffset%2Clater", true),
        ("#/embed?later.view=all", true),
        ("#/explore?schemes=latest&text=later&later=3", false),
        ("#/explore?length=later", false),
        ("#/explore?schemes=sinusoidal,rope,none&figures=heatmap,offset", false),
    ] {
        assert_eq!(names(&parse("", link).1, |id| id == "later"), named, "{link}");
    }
}

/// The links that the fuzzer begins with, and those that it has found.
#[test]
fn every_link_of_the_corpus_heals() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/links");
    let files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus").map(|file| file.expect("a file").path()).collect();
    assert!(files.len() >= 6);
    for file in files {
        let bytes = std::fs::read(&file).expect("a link");
        let text = String::from_utf8_lossy(&bytes);
        let (search, fragment) = text.split_once('#').unwrap_or(("", &text));
        let written = write(&parse(search, &format!("#/{fragment}")).0);
        let (again, repairs) = parse("", &written);
        assert_eq!((repairs, write(&again)), (Vec::new(), written), "{}", file.display());
    }
}
