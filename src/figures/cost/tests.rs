use super::*;
use crate::figures::testing::{cursor, notes, scene, size};
use posenc::Settings;

fn costing(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Costing {
    Costing::new(&scene(&SPEC, schemes, length, options), size(700.0, 400.0, 1.0))
}

fn here() -> Cursor {
    cursor(0.0, 0, 0)
}

#[test]
fn the_numbers_are_the_published_ones() {
    let value = |schemes: &str, length, options: &[(&str, &str)]| {
        let costing = costing(&[schemes], length, options);
        costing.value(&costing.lines[0], length)
    };
    // BERT's 512 rows of 768 numbers; in two bytes each.
    let bert = [("model", "bert-base"), ("show", "parameters")];
    assert_eq!(value("learned", 512, &bert), Some(393_216.0));
    assert_eq!(value("learned", 512, &[bert[0], ("show", "memory")]), Some(786_432.0));
    assert_eq!(value("learned", 513, &bert), None);
    // ALiBi written out for 8,192 tokens and 32 heads: 4 GiB a layer, and twice that in float32.
    assert_eq!(value("alibi", 8192, &[("show", "matrix")]), Some(4_294_967_296.0));
    assert_eq!(value("alibi", 8192, &[("show", "matrix"), ("dtype", "float32")]), Some(8_589_934_592.0));
    // 3 · 128 operations a query or key, 40 of them in 32 layers.
    assert_eq!(value("rope", 8192, &[("show", "next-token")]), Some(491_520.0));
    assert_eq!(value("rope", 100, &[]), Some(100.0 * (491_520.0 + 128.0)));
    assert_eq!(value("none", 8192, &[]), Some(0.0));
}

#[test]
fn a_model_of_ones_own_is_as_its_options_say() {
    let options = [("model", "own"), ("num_hidden_layers", "2"), ("num_attention_heads", "4"), ("head_dim", "16")];
    let shape = costing(&["rope"], 64, &options).model.at(7);
    assert_eq!((shape.layers, shape.heads, shape.head_dim, shape.length, shape.causal), (2.0, 4.0, 16.0, 7.0, true));
    // Keys have no more heads than queries.
    let mut settings = Settings::new(SPEC.options);
    for (key, value) in options {
        assert_eq!(settings.set(key, value), None);
    }
    (SPEC.settle)(&crate::state::State::default(), &mut settings);
    assert_eq!(settings.integer("num_key_value_heads"), 4);
    // The numbers of a model that is chosen do not follow the sliders.
    let bert = costing(&["rope"], 64, &[("model", "bert-base"), ("num_hidden_layers", "2")]).model.at(7);
    assert_eq!((bert.layers, bert.causal), (12.0, false));
}

#[test]
fn nothing_is_said_and_not_drawn() {
    let costing = costing(&["none", "rope"], 4096, &[]);
    let summary = costing.summary(&here());
    assert!(
        summary.contains("At 4096 tokens") && summary.contains("No positions 0 FLOP, RoPE 2.014 GFLOP"),
        "{summary}"
    );
    // 491,648 a token, against 4 · 128 · 4097 / 2 pairs a token in 1,024 heads.
    assert!(summary.contains(&format!("({}\u{a0}%)", number::digits(100.0 * 491_648.0 / (2048.5 * 524_288.0), 3))));
    let labels: Vec<String> = costing
        .legend()
        .into_iter()
        .filter_map(|entry| match entry {
            Legend::Slot { label, .. } => Some(label),
            _ => None,
        })
        .collect();
    assert_eq!(labels, ["No positions: 0, so no line", "RoPE"]);
    let table = costing.table(&here(), 0);
    assert_eq!(table.rows.iter().find(|row| row[0] == "4096").map(|row| row[1].as_str()), Some("0 FLOP"));
    // Where all cost nothing, there is no axis.
    assert!(self::costing(&["none", "rope", "alibi"], 64, &[("show", "parameters")]).span().is_none());
    assert!(self::costing(&["t5"], 64, &[("show", "parameters")]).span().is_some());
}

#[test]
fn all_that_is_drawn_stands_on_the_axes() {
    let schemes = ["learned", "rope(rope_type=longrope,max_position_embeddings=131072)", "fire", "sandwich"];
    for show in ["compute", "next-token", "memory", "matrix", "parameters"] {
        for length in [1, 64, 10_000_000] {
            let costing = costing(&schemes, length, &[("show", show)]);
            let Some(Span::Log(low, high)) = costing.span() else { continue };
            for line in &costing.lines {
                for length in costing.lengths(Some(line)) {
                    let value = costing.value(line, length).unwrap_or_default();
                    assert!(value == 0.0 || (low..=high).contains(&value), "{show} {} {length}: {value}", line.name);
                }
            }
            assert_eq!(costing.lengths(Some(&costing.lines[0])).last(), Some(&512));
        }
    }
}

#[test]
fn what_a_cache_keeps_is_said() {
    let dynamic = "rope(rope_type=dynamic,factor=2,max_position_embeddings=4096)";
    let costing = costing(&["sinusoidal", "rope", "alibi", dynamic], 8192, &[("show", "next-token")]);
    let readings = costing.readings(&here());
    let words: Vec<&str> =
        readings.iter().filter(|reading| reading.label.ends_with("in the cache")).map(|r| r.value.as_str()).collect();
    assert!(words[0].contains("since the embedding") && words[1].contains("stay right"), "{words:?}");
    assert!(words[2].contains("without places") && words[3].contains("past 4096"), "{words:?}");
    // 8 heads of keys in 32 layers, 3 · 128 operations each, for all keys but the last.
    let again = readings.iter().find(|reading| reading.value == words[3]).map(|reading| reading.math.clone());
    assert!(again.is_some_and(|math| math.contains(&quantity::operations(8191.0 * 98_304.0))));
    assert!(notes(&costing).contains("past 4096 tokens"));
    // 131,072 bytes a token.
    assert_eq!(readings.last().map(|reading| reading.value.clone()), Some(quantity::bytes(131_072.0 * 8192.0)));
}

#[test]
fn a_table_that_ends_is_said() {
    let costing = costing(&["learned", "sinusoidal"], 1000, &[]);
    assert!(costing.summary(&here()).contains("cannot read 1000 tokens: its table has 512 rows"));
    assert!(notes(&costing).contains("row 511"));
    let table = costing.table(&here(), 0);
    let row = |length: &str| table.rows.iter().find(|row| row[0] == length).map(|row| row[1].clone());
    assert_eq!((row("1000").as_deref(), row("512").is_some_and(|cell| !cell.is_empty())), (Some(""), true));
    // It needs no weights.
    assert_eq!(costing.failures, Vec::<String>::new());
}

#[test]
fn pointer_and_keys_choose_the_length() {
    let costing = costing(&["rope"], 4096, &[]);
    let length = |response: Response| match response.edits.as_slice() {
        [Edit::Set(Target::Global, "length", text)] => text.parse::<u64>().ok(),
        _ => None,
    };
    let press = |x: f64| length(costing.respond(&Input::Press { x, y: 100.0, shift: false }, &here()));
    assert_eq!((press(84.0), press(678.0)), (Some(16), Some(1 << 20)));
    // Half way, on a logarithmic axis, is √(16 · 2²⁰), which is the length already: no change.
    assert_eq!(press(381.0), None);
    let drag = Input::Drag { from_x: 300.0, from_y: 50.0, x: 5000.0, y: 900.0, shift: false };
    assert_eq!(length(costing.respond(&drag, &here())), Some(1 << 20));
    let key = |key: &str| length(costing.respond(&Input::Key { key: key.to_owned(), shift: false }, &here()));
    assert_eq!(
        [key("ArrowRight"), key("ArrowLeft"), key("PageUp"), key("PageDown")],
        [4871, 3444, 8192, 2048].map(Some)
    );
    // Pointing changes nothing, and what is said follows it.
    let hover = costing.respond(&Input::Hover { x: 84.0, y: 100.0 }, &here());
    let patch = hover.hover.unwrap_or_default();
    assert_eq!((hover.edits.len(), patch.length), (0, Some(16)));
    assert!(costing.summary(&patch.on(here())).contains("At 16 tokens"));
}

#[test]
fn arrow_keys_come_back_and_never_stick() {
    for start in [1, 2, 3, 5, 64, 1000, 9_999_999, 10_000_000] {
        let at = |length: u64| costing(&["rope"], length, &[]);
        let up = at(start).next(true);
        assert!(up > start);
        let down = at(start).next(false);
        assert!(down < start || start == 1, "{start} to {down}");
        assert!(at(up).next(false) <= start.max(1) || start == 1);
    }
    // Powers of two are among the steps.
    let mut length = 16;
    for _ in 0..4 {
        length = costing(&["rope"], length, &[]).next(true);
    }
    assert_eq!(length, 32);
}

/// What the lab answers, `factor` nanoseconds a token at the first length and four times as much at each next.
fn answer(factor: f32) -> Vec<Vec<f32>> {
    let lengths = time::LENGTHS.map(|length| length as f32).to_vec();
    let seconds = (0..lengths.len()).map(|i| factor * 1e-9 * 4.0_f32.powi(i as i32)).collect();
    vec![lengths, seconds]
}

#[test]
fn time_waits_for_a_person_and_is_measured_a_scheme_at_a_time() {
    let schemes = ["alibi", "none", "rope(head_dim=32)", "alibi"];
    let costing = costing(&schemes, 4096, &[("show", "time")]);
    assert!(costing.lab_offer().is_some(), "a button");
    assert!(costing.span().is_none() && costing.summary(&here()).contains("Nothing is measured yet"));
    assert!(notes(&costing).contains("no GPU kernel"));
    assert!(notes(&costing).contains("RoPE: one query and one key of 32 numbers are turned"));
    assert_eq!(costing.lab_request().as_deref(), Some("time?scheme=alibi"));
    costing.lab_answer(&answer(10.0));
    // Once for both that are the same; nothing is asked of what does nothing.
    assert_eq!(costing.lab_request().as_deref(), Some("time?scheme=rope(head_dim=32)"));
    costing.lab_answer(&answer(1.0));
    assert_eq!(costing.lab_request(), None);
    let Some(Span::Log(low, high)) = costing.span() else { unreachable!() };
    assert!(low < 1e-9 && high > 10e-9 * 1024.0);
    // 4⁴ times as long at 4096 tokens as at 16.
    let summary = costing.summary(&here());
    assert!(summary.contains("At 4096 tokens") && summary.contains("RoPE 256 ns"), "{summary}");
    assert!(summary.contains("2.6 µs") && summary.contains("No positions 0 ns"), "{summary}");
    let table = costing.table(&here(), 0);
    assert_eq!(
        table.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(),
        ["16", "64", "256", "1024", "4096", "16\u{202f}384"]
    );
    assert_eq!(table.rows[0][3], "1 ns");
    let plain = number::plainly(|| costing.table(&here(), 0));
    assert_eq!(plain.head[3], "RoPE, in seconds");
    let cell: f32 = plain.rows[4][1].parse().unwrap_or_default();
    assert!((cell - 2.56e-6).abs() < 1e-9, "in seconds where it is for programs: {cell}");
    // What was measured is known to the next figure of these schemes, and forgotten where a person wants it anew.
    let next = self::costing(&["rope(head_dim=32)", "rope"], 64, &[("show", "time")]);
    assert_eq!(next.lab_request().as_deref(), Some("time?scheme=rope"));
    next.lab_begin();
    assert_eq!(next.lab_request().as_deref(), Some("time?scheme=rope(head_dim=32)"));
    // Whatever else is shown is counted, and asks for nothing.
    let counted = self::costing(&["rope"], 64, &[]);
    assert_eq!((counted.lab_offer(), counted.lab_request()), (None, None));
}

#[test]
fn a_table_is_timed_as_far_as_it_goes() {
    let costing = costing(&["learned"], 4096, &[("show", "time")]);
    let mut times = answer(5.0);
    times[1][4..].fill(f32::NAN);
    costing.lab_answer(&times);
    assert!(costing.summary(&here()).contains("cannot read 4096 tokens"));
    let table = costing.table(&here(), 0);
    assert_eq!((table.rows[0][1].as_str(), table.rows[5][1].as_str()), ("5 ns", ""));
    assert!(notes(&costing).contains("a row of 128 numbers"));
    // Keys go from one measured length to the next.
    let response = costing.respond(&Input::Key { key: "ArrowLeft".to_owned(), shift: false }, &here());
    assert_eq!(response.edits, [Edit::Set(Target::Global, "length", "1024".to_owned())]);
    // Weights that a person brought are not in the lab.
    assert!(!time::can(
        &Config::parse("learned(table=yours)").map(|(config, _)| config).unwrap_or(costing.lines[0].config.clone())
    ));
}
