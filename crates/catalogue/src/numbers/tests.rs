//! The numbers of lessons: those that settle claims (`tests/claims.json`), those that `posenc`'s own tests have, and what is
//! said of expressions that cannot be read.

use super::*;
use serde_json::Value;

/// What an expression is worth.
fn of(expression: &str) -> f64 {
    value(expression).unwrap_or_else(|error| panic!("{error}"))
}

/// A number of `tests/claims.json`, where the path leads.
fn claimed(path: &[&str]) -> f64 {
    let text = include_str!("../../../../tests/claims.json");
    let mut at: &Value = &serde_json::from_str(text).unwrap();
    for step in path {
        at = if at.is_array() { &at[step.parse::<usize>().unwrap()] } else { &at[*step] };
    }
    at.as_f64().unwrap_or_else(|| panic!("{path:?} is no number"))
}

fn agrees(expression: &str, path: &[&str], within: f64) {
    let (found, expected) = (of(expression), claimed(path));
    assert!((found - expected).abs() <= within, "{expression} is {found}, and {path:?} {expected}");
}

#[test]
fn claims_are_settled_by_these_numbers() {
    for (plane, wavelength) in ["0", "1", "2", "3"].into_iter().enumerate() {
        let path = ["a_frequency", "demo", "wavelengths", wavelength];
        agrees(&format!("sinusoidal.wavelength(d_model=8,plane={plane})"), &path, 1e-6);
        let path = ["a_frequency", "demo", "phase_advance_per_step_at_position", "1000", wavelength];
        agrees(&format!("sinusoidal.frequency(d_model=8,plane={plane})"), &path, 1e-12);
        let crossings = "per_1000_positions_[0,1000)_vs_[9000,10000)";
        for (row, from) in [("0", 0), ("1", 9000)] {
            let path = ["a_frequency", "demo_zero_crossings", crossings, row, wavelength];
            agrees(&format!("sinusoidal.crossings(d_model=8,plane={plane},from={from},count=1000)"), &path, 0.0);
        }
    }
    agrees(
        "sinusoidal.combined(d_model=8,offset=3)",
        &["e_linear", "demo", "max residual of alpha*PE(p)+beta*PE(k)"],
        1e-9,
    );
    assert!(of("sinusoidal.residual(d_model=8,offset=3)") < 5e-14);
    let planes =
        "rope_d128_base1e4: planes whose full period is longer than the training length L (angles beyond L never seen)";
    for length in ["512", "2048", "4096"] {
        let path = ["f_extrapolation", "demo", planes, &format!("L={length}")];
        agrees(&format!("rope.incomplete(length={length})"), &path, 0.0);
    }
    for (index, length) in [("0", 512), ("1", 1024), ("2", 65_536)] {
        let buckets = "t5 distinct buckets used for distances < 512, 1024, 65536 (causal 32/128)";
        let path = ["f_extrapolation", "demo", buckets, index];
        agrees(&format!("t5.buckets(bidirectional=false,length={length})"), &path, 0.0);
    }
    let (mass, flat) =
        ("alibi: softmax mass on the last 64 of T uniform-logit keys, slope 1/16", "no-decay baseline mass on last 64");
    for length in ["512", "4096", "65536"] {
        // Slope 1/16 is that of the fourth of eight heads.
        let at = |slope: &str| format!("alibi.retained({slope},length={length},window=64)");
        agrees(&at("head=3"), &["f_extrapolation", "demo", mass, length], 1e-10);
        let found = 64.0 / length.parse::<f64>().unwrap();
        assert!((found - claimed(&["f_extrapolation", "demo", flat, length])).abs() < 1e-15);
    }
    let scores = "rope mean cos over planes at distance 0,512,4096,65536 (score of q=k, no learned weights)";
    for (index, offset) in [("0", 0), ("1", 512), ("2", 4096), ("3", 65_536)] {
        // q = k = all ones of width 128: q·k/√128 is √128 times the mean cosine.
        let expression = format!("rope.curve(offset={offset})");
        let expected = claimed(&["f_extrapolation", "demo", scores, index]) * 128.0_f64.sqrt();
        assert!((of(&expression) - expected).abs() < 1e-7, "{expression}: {}", of(&expression));
    }
    // Of each rotated query the norm is kept, and the score with a key is that of their offset.
    let [near, far] =
        ["query=5,key=3", "query=105,key=103"].map(|at| of(&format!("rope.score({at},vectors=independent)")));
    assert!((near - far).abs() < 1e-12, "{near} {far}");
    assert!((of("rope.norm_ratio(position=100)") - 1.0).abs() < 1e-14);
    assert_eq!(of("rope.year()"), 2021.0);
}

/// "Attention is permutation-invariant": what `claims.json` has of random matrices holds of the figures' head too.
#[test]
fn outputs_move_with_their_words_and_no_more() {
    assert!(of("none.moved(order=4:3:2:1:0)") < 1e-12 && of("none.mean_moved(order=4:3:2:1:0)") < 1e-12);
    assert!(claimed(&["d_permutation", "demo", "||f(PX)-P f(X)||_inf"]) < 1e-12);
    for other in
        ["none.moved(order=4:3:2:1:0,causal=true)", "alibi.moved(order=4:3:2:1:0)", "sinusoidal.moved(order=4:3:2:1:0)"]
    {
        assert!(of(other) > 0.01, "{other}: {}", of(other));
    }
    assert_eq!(of("none.twins()"), 0.0);
    assert!(of("rope.twins(head_dim=64)") > 0.01);
    let row: f64 = (0..5).map(|key| of(&format!("none.attention(query=1,key={key})"))).sum();
    assert!((row - 1.0).abs() < 1e-14);
    assert_eq!(of("none.attention(query=1,key=3,causal=true)"), 0.0);
}

#[test]
fn numbers_that_are_known() {
    // The product of two sinusoidal positions, from the answer that says it never rises.
    assert_eq!(of("sinusoidal.first_rise(d_model=512)"), 44.0);
    assert_eq!(of("sinusoidal.rises(d_model=512,to=511)"), 201.0);
    for (offset, product) in [(0, 256.0), (1, 249.1), (10, 173.8), (100, 112.0), (511, 67.7)] {
        let found = of(&format!("sinusoidal.dot(d_model=512,offset={offset})"));
        assert!((found - product).abs() < 0.05, "{offset}: {found}");
        assert!((of(&format!("sinusoidal.curve(d_model=512,offset={offset})")) - found).abs() < 1e-9);
    }
    assert!((of("sinusoidal.explained(plane=0,offset=10)") - 0.704).abs() < 1e-3);
    assert!((of("sinusoidal.mean_with_word(d_model=512)") - 0.82).abs() < 0.01);
    assert!((of("sinusoidal.mean_with_word(d_model=512,scaled=false)") - 0.06).abs() < 0.01);
    // The all-ones curve of d = 128, which a page says falls.
    assert_eq!(of("rope.rises(to=4096)"), 1992.0);
    assert_eq!(of("sandwich.first_rise()"), 14.0);
    assert_eq!(of("rope.peak(by=30,to=200)"), 30.0);
    assert!((of("rope.aimed(by=30,offset=30)") - of("rope.curve(offset=0)")).abs() < 1e-9);
    // Code that mixes two layouts turns nothing: lengths and scores change. With no turn at all it is right.
    assert!((of("rope.wired_norm(head_dim=8,code=mixed-join,position=0)") - 1.0).abs() < 1e-14);
    assert!((of("rope.wired_norm(head_dim=8,code=mixed-join,position=7)") - 1.0).abs() > 0.01);
    let [near, far] =
        ["query=5,key=2", "query=105,key=102"].map(|at| of(&format!("rope.wired(head_dim=8,code=mixed-join,{at})")));
    assert!((near - far).abs() > 0.1, "{near} {far}");
    // NVIDIA/Megatron-LM#535: positions in bfloat16.
    assert_eq!(of("rope.last_whole(format=bf16)"), 256.0);
    assert_eq!(of("rope.angle_error(format=bf16,cast=positions,plane=0,position=257)"), 1.0);
    // Slopes and buckets as their papers' code has them.
    assert_eq!([0, 7].map(|head| of(&format!("alibi.slope(head={head})"))), [0.5, 0.003_906_25]);
    assert!((of("alibi.slope(num_heads=12,head=8)") - 0.5_f64.sqrt()).abs() < 1e-12);
    assert_eq!(of("t5.bucket(bidirectional=false,offset=113)"), 31.0);
    assert_eq!(of("t5.bucket(bidirectional=false,offset=112)"), 30.0);
    // NTK, as `planes::divisors` has it.
    assert!((of("rope.divisor(head_dim=64,rope_type=ntk,factor=4,plane=7)") - 1.367_568_3).abs() < 1e-6);
    // The tables that were measured (schemes.md): MiniLM's, and RXNMapper's.
    assert_eq!(of("learned.rows(table=minilm)"), 512.0);
    assert_eq!(of("learned.nearest_is_next(table=minilm)"), 511.0);
    assert!((of("learned.mean_cosine(table=minilm,offset=1)") - 0.851).abs() < 2e-3);
    assert!((of("learned.mean_cosine(table=minilm,offset=64)") - 0.137).abs() < 2e-3);
    assert_eq!(of("learned.parameters(length=512)"), 393_216.0);
    assert_eq!(of("rope.parameters()"), 0.0);
    assert!(of("rope.models()") > 30.0 && of("sinusoidal.models()") == 0.0);
    assert!(
        (of("sinusoidal.mean(d_model=512,from=0,to=1)")
            - f64::midpoint(256.0, of("sinusoidal.dot(d_model=512,offset=1)")))
        .abs()
            < 1e-9
    );
    assert!((of("sinusoidal.norm(d_model=512,position=77)") - 16.0).abs() < 1e-12);
    assert!((of("sinusoidal.degrees(plane=0,position=7)") - (7.0_f64.to_degrees() - 360.0)).abs() < 1e-9);
}

#[test]
fn a_number_is_written_as_figures_write_it() {
    let text = |expression: &str| evaluate(expression).unwrap();
    assert_eq!(text(" sinusoidal.dot( d_model = 512, offset=0 ) "), "256");
    assert_eq!(text("sinusoidal.wavelength(plane=15)"), "35\u{202f}333");
    assert_eq!(text("sinusoidal.sine(plane=0,position=4)"), "−0.7568");
    assert_eq!(text("sinusoidal.sine(plane=0,position=4); .2"), "−0.76");
    assert_eq!(text("sinusoidal.sine(plane=0,position=0); .2"), "0.00");
    assert_eq!(text("alibi.retained(head=3,length=4096,window=64); %"), "98\u{202f}%");
    assert_eq!(text("alibi.retained(head=3,length=4096,window=64); .1%"), "98.2\u{202f}%");
    assert_eq!(text("sinusoidal.residual(offset=3); x"), "10⁻¹⁵");
    assert!(evaluate("sinusoidal.dot(offset=1); .x").unwrap_err().contains("decimals"));
    assert!(evaluate("none.twins(); x").unwrap_err().contains("no power of ten"));
}

#[test]
fn what_is_wrong_is_said_with_what_there_is() {
    for (expression, said) in [
        ("sinusoidal", "not of the form"),
        ("sinus.dot(offset=1)", "there are sinusoidal, learned,"),
        ("sinusoidal.product(offset=1)", "there are planes, frequency,"),
        ("sinusoidal.dot(distance=1)", "it has position, offset; the scheme has d_model, base,"),
        ("sinusoidal.dot(offset)", "not of the form name=value"),
        ("sinusoidal.dot()", "needs \"offset\""),
        ("sinusoidal.dot(d_model=0,offset=1)", "cannot be \"0\"; the nearest is \"1\""),
        ("sinusoidal.dot(offset=near)", "no number"),
        ("sinusoidal.frequency(plane=16)", "none of the 16 from 0"),
        ("alibi.dot(offset=1)", "alibi has no vector"),
        ("alibi.frequency(plane=0)", "alibi has no vector"),
        ("sinusoidal.bucket(offset=1)", "sinusoidal has no bias"),
        ("learned.dot(position=3,offset=4)", "has no row"),
        ("rope.curve(offset=1,vectors=twos)", "ones, equal, independent"),
        ("none.moved(order=0:1)", "each of the places 0 to 4 once"),
        ("alibi.slope(head=8)", "head 8 is none"),
    ] {
        let error = evaluate(expression).unwrap_err();
        assert!(error.contains(said), "{expression}: {error}");
    }
}
