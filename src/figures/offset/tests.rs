use super::*;
use crate::figures::testing::{cursor, scene, size};
use crate::state::Edit;
use posenc::Config;
use posenc::Encoding;

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(700.0, 320.0, 1.0))
}

fn finish(model: &Model) -> usize {
    let mut slices = 1;
    while model.refine() {
        slices += 1;
    }
    slices
}

#[test]
fn one_column_an_offset_is_the_profile() {
    let model = model(&["sinusoidal"], 64, &[]);
    let curves = model.curves.borrow();
    let trace = &curves[0].trace;
    assert!(trace.exact);
    assert_eq!(trace.offsets.len(), 64);
    for (offset, value) in trace.offsets.iter().zip(&trace.mid) {
        let exact: f64 = (0..16).map(|k| (offset * 10_000_f64.powf(-f64::from(k) / 16.0)).cos()).sum();
        assert!((f64::from(*value) - exact).abs() < 1e-4);
    }
    assert_eq!(curves[0].at(0, &model.scene), Some(16.0));
}

#[test]
fn refined_columns_hold_every_offset() {
    for axis in ["linear", "log"] {
        let model = model(&["rope(head_dim=16)"], 200_000, &[("axis", axis)]);
        assert!(!model.curves.borrow()[0].trace.exact);
        assert!(model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note == words::offset_sampled())));
        finish(&model);
        let curves = model.curves.borrow();
        assert!(curves[0].trace.exact);
        let columns = model.axis.edges.len() - 1;
        assert_eq!(curves[0].trace.mid.len(), columns);
        for column in [0, 1, columns / 2, columns - 1] {
            let (start, end) = (model.axis.edges[column], model.axis.edges[column + 1]);
            let all: Vec<f64> = (start..end).map(|offset| curves[0].at(offset, &model.scene).unwrap()).collect();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            assert!((f64::from(curves[0].trace.low[column]) - least).abs() < 1e-4, "{axis} {column}");
            assert!((f64::from(curves[0].trace.high[column]) - greatest).abs() < 1e-4);
            assert!((f64::from(curves[0].trace.mid[column]) - mean).abs() < 1e-4);
        }
    }
}

#[test]
fn what_would_take_seconds_stays_a_sample_and_says_so() {
    let note =
        |model: &Model, text: &str| model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note == text));
    let model = model(&["rope(head_dim=1024)", "rope(head_dim=8)"], 10_000_000, &[]);
    assert!(model.curves.borrow()[1].is_pending(), "the second one is cheap");
    let before = model.curves.borrow()[0].trace.clone();
    assert!(finish(&model) < 150);
    assert!(note(&model, words::offset_sample()) && !note(&model, words::offset_sampled()));
    let curves = model.curves.borrow();
    assert!(!curves[0].trace.exact && curves[1].trace.exact);
    // More is seen of a column than at first, and nothing that is not in it.
    let wider = |i: usize| curves[0].trace.high[i] - curves[0].trace.low[i] > before.high[i] - before.low[i];
    assert!((0..before.mid.len()).filter(|i| wider(*i)).count() > before.mid.len() / 2);
    for (low, high) in curves[0].trace.low.iter().zip(&curves[0].trace.high) {
        assert!(low <= high && *low > -33.0 && *high < 33.0);
    }
}

#[test]
fn the_first_picture_of_a_wide_band_is_bounded() {
    let options = [("vectors", "independent"), ("draws", "256")];
    for sides in ["back", "both"] {
        let options = [options[0], options[1], ("sides", sides)];
        let model = model(&["rope(head_dim=1024)"], 10_000_000, &options);
        let first = model.curves.borrow()[0].trace.mid.clone();
        assert!(first.len() <= 24);
        assert_eq!(model.lab_request().is_some(), sides == "back");
        // The band of all draws follows.
        loop {
            let more = model.refine();
            if model.curves.borrow()[0].trace.mid != first {
                break;
            }
            assert!(more);
        }
        let curves = model.curves.borrow();
        assert!(curves[0].trace.low.iter().zip(&curves[0].trace.high).all(|(low, high)| high - low > 1.0));
    }
}

#[test]
fn a_step_of_one_scheme_leaves_the_curves_of_others() {
    let first = model(&["rope(head_dim=16)", "rope(head_dim=8)"], 200_000, &[]);
    finish(&first);
    let second = model(&["rope(head_dim=16,rope_theta=500)", "rope(head_dim=8)"], 200_000, &[]);
    let curves = second.curves.borrow();
    assert_eq!(curves[1].trace, first.curves.borrow()[1].trace);
    assert!(curves[1].trace.exact && !curves[1].is_pending());
    assert!(!curves[0].trace.exact && curves[0].is_pending());
    for other in [model(&["rope(head_dim=8)"], 200_001, &[]), model(&["rope(head_dim=8)"], 200_000, &[("aim", "1")])] {
        assert!(!other.curves.borrow()[0].trace.exact, "another length, another aim: another curve");
    }
}

#[test]
fn runs_cover_every_offset_once() {
    for (length, options) in [
        (1, &[][..]),
        (2, &[("axis", "log")]),
        (5000, &[("sides", "both")]),
        (10_000_000, &[("axis", "log")]),
        (10_000_000, &[]),
    ] {
        let model = model(&["none"], length, options);
        let edges = &model.axis.edges;
        assert!(edges.windows(2).all(|edge| edge[0] < edge[1]));
        assert_eq!((edges[0], edges[edges.len() - 1]), (model.axis.low, model.axis.high + 1));
        assert!(edges.len() <= 1601, "the cost is that of the columns, not of the length");
    }
}

#[test]
fn what_is_different_is_not_overlaid() {
    use Quantity::{Bias, Content, Product, Score};
    let facets = |schemes: &[&str]| -> Vec<Quantity> {
        model(schemes, 64, &[]).facets.iter().map(|facet| facet.quantity).collect()
    };
    assert_eq!(facets(&["none"]), [Content]);
    assert_eq!(facets(&["rope", "none"]), [Score, Content]);
    // Without positions nothing is added, to vectors and to logits.
    assert_eq!(facets(&["sinusoidal", "rope", "none"]), [Product, Score]);
    assert_eq!(facets(&["none", "learned", "alibi", "t5"]), [Bias, Product]);
    let model = model(&["sinusoidal", "rope", "none", "rope(rope_theta=500000)"], 64, &[]);
    let curves = model.curves.borrow();
    let ropes = curves.iter().filter(|curve| curve.quantity == Quantity::Score);
    assert!(ropes.map(|curve| &curve.name).all(|name| name.contains("000")), "twins are told apart");
    assert!(model.facets.windows(2).all(|pair| pair[0].top + pair[0].height < pair[1].top));
}

#[test]
fn aim_moves_the_peak() {
    for scheme in ["rope", "sinusoidal"] {
        let model = model(&[scheme], 256, &[("aim", "40"), ("vectors", "equal")]);
        let curves = model.curves.borrow();
        let trace = &curves[0].trace;
        let peak = (0..trace.mid.len()).max_by(|a, b| trace.mid[*a].total_cmp(&trace.mid[*b])).unwrap();
        assert_eq!(trace.offsets[peak], 40.0, "{scheme}");
    }
}

#[test]
fn independent_vectors_have_a_flat_mean_and_ask_the_worker_when_large() {
    let options = [("vectors", "independent"), ("draws", "64")];
    let small = model(&["rope(head_dim=32)"], 500, &options);
    assert_eq!(small.lab_request(), None);
    finish(&small);
    let curves = small.curves.borrow();
    let trace = &curves[0].trace;
    assert!(trace.exact);
    assert_eq!(trace.mid.len(), 500);
    assert!(trace.mid.iter().all(|mean| mean.abs() < 0.75), "64 draws of a score of deviation 1");
    assert!(small.summary(&cursor(0.0, 3, 0)).contains(words::offset_independent()));
    drop(curves);

    let large = model(&["none", "rope(head_dim=32)", "rope(head_dim=8)"], 1_000_000, &options);
    for scheme in ["rope(head_dim=32)", "rope(head_dim=8)"] {
        let request = large.lab_request().unwrap();
        assert!(request.starts_with(&format!("band?scheme={scheme}&length=1000000")), "{request}");
        let (read, repairs) = lab::protocol::Request::parse(&request).unwrap();
        assert!(repairs.is_empty(), "{repairs:?}");
        let lab::protocol::Request::Band(band) = read else { unreachable!() };
        assert_eq!((band.settings.integer("draws"), band.settings.integer("seed")), (64, 1));
        assert!(!large.refine(), "what the worker does is not done here too");
        let arrays = [vec![0.0, 1.0, 500_000.0, 1_000_000.0], vec![0.0, 0.1, 0.2], vec![1.0; 3]];
        large.lab_answer(&arrays);
    }
    assert_eq!(large.lab_request(), None);
    assert_eq!(large.curves.borrow()[1].trace.mid, [0.0, 0.1, 0.2]);
}

#[test]
fn an_odd_width_says_that_it_is_not_relative() {
    let model = model(&["sinusoidal(d_model=33,base=20)"], 100, &[]);
    let curves = model.curves.borrow();
    assert!(curves[0].is_table());
    assert!(curves[0].trace.high.iter().zip(&curves[0].trace.low).any(|(high, low)| high - low > 0.1));
    drop(curves);
    assert!(model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains("position too"))));
}

#[test]
fn a_place_and_its_offset_are_each_others_inverse() {
    for options in [&[][..], &[("axis", "log")], &[("sides", "both")]] {
        let model = model(&["rope"], 300, options);
        let (low, high) = model.ends();
        for offset in low..=high {
            assert_eq!(model.offset_at(model.x_of(offset).unwrap()), offset, "{options:?}");
        }
        assert_eq!(model.x_of(high + 1), None);
    }
}

#[test]
fn keys_and_pointer_set_the_offset() {
    let linear = model(&["rope"], 300, &[]);
    let log = model(&["rope"], 300, &[("axis", "log")]);
    let to = |model: &Model, key: &str, offset: i64| match model.key(key, &cursor(0.0, offset, 0)).edits[..] {
        [Edit::Cursor(patch)] => patch.offset,
        _ => None,
    };
    assert_eq!(to(&linear, "ArrowRight", 4), Some(5));
    assert_eq!(to(&linear, "ArrowLeft", 0), Some(0));
    assert_eq!(to(&linear, "PageUp", 4), Some(14));
    assert_eq!(to(&log, "PageUp", 4), Some(40));
    assert_eq!(to(&log, "PageDown", 40), Some(4));
    assert_eq!(to(&log, "ArrowLeft", 1), Some(0));
    assert_eq!(to(&linear, "End", 4), Some(299));
    let x = linear.x_of(77).unwrap();
    let hover = linear.respond(&Input::Hover { x, y: 60.0 }, &cursor(0.0, 0, 0)).hover.unwrap();
    assert_eq!(hover.offset, Some(77));
    let press = linear.respond(&Input::Press { x: 9000.0, y: 60.0, shift: false }, &cursor(0.0, 0, 0));
    assert!(matches!(press.edits[..], [Edit::Cursor(CursorPatch { offset: Some(299), .. })]));
}

#[test]
fn tables_and_readings_are_exact() {
    let model = model(&["rope(head_dim=64)", "none"], 1000, &[]);
    let table = model.table(&cursor(0.0, 250, 0), 0);
    assert_eq!(table.rows[50][0], "250");
    assert!(table.rows.len() * table.head.len() <= 1000 && table.before && table.after);
    let Encoding::Rotary(rope) = Config::parse("rope(head_dim=64)").unwrap().0.build().unwrap() else { panic!() };
    let exact = rope.profile(&[1.0; 64], &[1.0; 64]).unwrap().at(250.0);
    assert_eq!(table.rows[50][1], number::exact(exact));
    let readings = model.readings(&cursor(0.0, 250, 0));
    assert_eq!(readings[0].value, number::exact(exact));
    assert!(readings[0].math.contains("<math") && readings[0].math.contains("250"));
    assert!(!model.table(&cursor(0.0, 250, 0), 99).after);
}

#[test]
fn a_bias_is_the_curve_of_the_cursors_head() {
    for axis in ["linear", "log"] {
        let model = model(&["alibi", "none", "t5"], 20_000, &[("axis", axis)]);
        assert_eq!(model.facets.len(), 1);
        for head in [0, 5, 99] {
            let here = Cursor { head, ..cursor(0.0, 300, 0) };
            let head = head.min(7);
            let slope = 0.5_f64.powi(head as i32 + 1);
            assert_eq!(model.readings(&here)[0].value, number::exact(-300.0 * slope));
            assert_eq!(model.readings(&here)[1].value, "0", "no positions: nothing is added");
            assert!(model.summary(&here).contains(&format!("head {head} at offset 300")));
            let curves = model.curves.borrow();
            let trace = &curves[0].trace;
            assert!(trace.exact);
            for (column, edge) in model.axis.edges.windows(2).enumerate() {
                assert_eq!(trace.high[column], (-slope * edge[0] as f64) as f32);
                assert_eq!(trace.low[column], (-slope * (edge[1] - 1) as f64) as f32);
                assert!(trace.low[column] <= trace.mid[column] && trace.mid[column] <= trace.high[column]);
            }
        }
        let table = model.table(&Cursor { head: 1, ..cursor(0.0, 8, 0) }, 0);
        let row = table.rows.iter().find(|row| row[0] == "8").unwrap();
        assert_eq!(row[1..3], ["−2", "0"]);
        assert!(model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains("made up"))));
    }
}

#[test]
fn a_learned_table_is_the_mean_and_range_of_all_its_pairs() {
    let model = model(&["learned"], 600, &[]);
    assert!(model.curves.borrow()[0].is_pending());
    finish(&model);
    let scene = scene(&SPEC, &["learned"], 600, &[]);
    let Ok(Encoding::Absolute(table)) = scene.slots[0].encoding.as_ref() else { panic!() };
    let row = |position: i64| {
        let mut row = vec![0.0; table.width()];
        table.write_row(position as f64, &mut row).unwrap();
        row
    };
    let curves = model.curves.borrow();
    assert!(curves[0].trace.exact && curves[0].trace.offsets.last() == Some(&511.0));
    for offset in [0, 1, 100, 511] {
        let pairs = (0..512 - offset).map(|p| row(p).iter().zip(row(p + offset)).map(|(a, b)| a * b).sum::<f64>());
        let products: Vec<f64> = pairs.collect();
        let mean = products.iter().sum::<f64>() / products.len() as f64;
        let column = curves[0].trace.column(offset as f64).unwrap();
        assert!((curves[0].at(offset, &model.scene).unwrap() - mean).abs() < 1e-4, "{offset}");
        let most = products.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!((f64::from(curves[0].trace.high[column]) - most).abs() < 1e-4);
    }
    drop(curves);
    assert!(
        model.summary(&cursor(0.0, 512, 0)).contains("512 rows are 512 apart"),
        "{}",
        model.summary(&cursor(0.0, 512, 0))
    );
    assert_eq!(model.readings(&cursor(0.0, 512, 0))[0].value, "–");
    // Another look at the same finds it done.
    assert!(!super::tests::model(&["learned"], 600, &[]).curves.borrow()[0].is_pending());
}

#[test]
fn what_is_read_at_an_offset_is_the_same_at_every_width_and_from_the_first() {
    for (scheme, options) in [("learned", &[][..]), ("rope", &[("vectors", "independent")])] {
        let scene = scene(&SPEC, &[scheme], 512, options);
        let [wide, narrow] = [1200.0, 300.0].map(|width| Model::new(&scene, size(width, 300.0, 1.0)));
        let here = cursor(0.0, 8, 0);
        assert_eq!(wide.readings(&here)[0].value, narrow.readings(&here)[0].value, "{scheme}");
        let before = narrow.readings(&here)[0].value.clone();
        finish(&narrow);
        assert_eq!(narrow.readings(&here)[0].value, before, "{scheme}");
        assert!(before.contains('±'), "{before}");
        // One standard deviation of what the table lists, one by one.
        if let Ok(Encoding::Rotary(rotary)) = scene.slots[0].encoding.as_ref() {
            let mut stream = narrow.vectors.stream();
            let scores: Vec<f64> = (0..scene.options.integer("draws"))
                .map(|_| {
                    let (q, k) = narrow.vectors.draw(&mut stream, rotary.head_dim());
                    rotary.profile(&q, &k).unwrap().at(8.0)
                })
                .collect();
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let spread = (scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / scores.len() as f64).sqrt();
            let curves = narrow.curves.borrow();
            let measured = curves[0].mean_at(8, &scene).unwrap();
            assert!((measured.value - mean).abs() < 1e-5 && (measured.spread.unwrap() - spread).abs() < 1e-5);
        }
    }
}

#[test]
fn the_mean_of_most_draws_in_the_widest_head_is_that_of_all_of_them() {
    let options = [("vectors", "independent"), ("draws", "256")];
    for length in [4096, 1_000_000] {
        let model = model(&["rope(head_dim=1024)"], length, &options);
        let Ok(Encoding::Rotary(rotary)) = model.scene.slots[0].encoding.as_ref() else { panic!() };
        let mut stream = model.vectors.stream();
        let drawn = (0..256).map(|_| model.vectors.draw(&mut stream, 1024));
        let profiles: Vec<_> = drawn.map(|(q, k)| rotary.profile(&q, &k).unwrap()).collect();
        let mean = |offset: f64| profiles.iter().map(|profile| profile.at(offset)).sum::<f64>() / 256.0;
        // From the first, before the curve is there.
        let said = &model.readings(&cursor(0.0, 4, 0))[0].value;
        assert!(said.starts_with(&number::exact(mean(4.0))), "{said}");
        let table = model.table(&cursor(0.0, 4, 0), 0);
        for offset in [0, 3, 7] {
            let row = table.rows.iter().find(|row| row[0] == offset.to_string()).unwrap();
            assert_eq!(row[1], number::exact(mean(f64::from(offset))), "{offset} of {length}");
        }
    }
}

#[test]
fn waves_that_fade_are_the_scores_of_their_pairs() {
    for vectors in ["ones", "equal", "independent"] {
        let options = [("vectors", vectors)];
        let model = model(&["xpos(head_dim=16)", "irope(layer=3)"], 5000, &options);
        let scene = scene(&SPEC, &["xpos(head_dim=16)"], 5000, &options);
        let Ok(Encoding::QueryKey(xpos)) = scene.slots[0].encoding.as_ref() else { panic!() };
        let (q, k) = curves::vectors(&scene).pair(16);
        let curves = model.curves.borrow();
        for offset in [0, 1, 77, 4999] {
            let exact = xpos.score(&q, &k, 4999.0, (4999 - offset) as f64).unwrap();
            assert!((curves[0].at(offset, &model.scene).unwrap() - exact).abs() < 1e-9, "{vectors} {offset}");
            let column = curves[0].trace.column(offset as f64).unwrap();
            let (low, high) = (curves[0].trace.low[column], curves[0].trace.high[column]);
            assert!(f64::from(low) - 0.2 <= exact && exact <= f64::from(high) + 0.2, "{vectors} {offset}");
        }
        drop(curves);
        let here = cursor(0.0, 77, 0);
        assert!(
            model.readings(&here)[0].math.contains("<msqrt><mn>16</mn></msqrt>"),
            "{}",
            model.readings(&here)[0].math
        );
        assert!(model.summary(&here).contains("iRoPE: q·k is the same at every offset"));
        assert!(model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains("the middle one"))));
    }
}

#[test]
fn a_scheme_that_reads_words_is_sent_where_there_are_some() {
    let said = model(&["shaw"], 64, &[]).summary(&cursor(0.0, 4, 0));
    assert!(said.contains("see the figure “Attention between words”"), "{said}");
}
