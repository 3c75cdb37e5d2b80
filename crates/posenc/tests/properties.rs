//! What must hold of every scheme, whatever its parameters.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Absolute, Config, Encoding, Kind, Layout, ParamSpec, Rotary, SchemeSpec, Value, registry,
    vectors::{Bands, Vectors},
};
use proptest::prelude::*;

fn rotary(text: &str) -> Rotary {
    match Config::parse(text).unwrap().0.build().unwrap() {
        Encoding::Rotary(rotary) => rotary,
        _ => unreachable!("{text} rotates"),
    }
}

fn absolute(text: &str) -> Box<dyn Absolute> {
    match Config::parse(text).unwrap().0.build().unwrap() {
        Encoding::Absolute(scheme) => scheme,
        _ => unreachable!("{text} is added"),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn rotated(rope: &Rotary, x: &[f64], position: f64) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    rope.rotate(x, position, &mut out).unwrap();
    out
}

prop_compose! {
    fn ropes()(half in 1_i64..70, theta in 0.0..7.0, layout in prop::sample::select(vec!["half", "interleaved", "interleaved-to-half"]), part in 0.0..1.0)
        -> Rotary {
        rotary(&format!("rope(head_dim={},rope_theta={},layout={layout},partial_rotary_factor={part})", 2 * half, 10_f64.powf(theta)))
    }
}

proptest! {
    #[test]
    fn rotation_keeps_the_norm(rope in ropes(), seed in 0_u64..1000, position in -1e7..1e7) {
        let (x, _) = Vectors::Equal { seed }.pair(rope.head_dim());
        let y = rotated(&rope, &x, position);
        prop_assert!((dot(&x, &x) - dot(&y, &y)).abs() < 1e-12 * dot(&x, &x));
        // Each plane's too.
        for k in 0..rope.inv_freq().len() {
            let ((i, j), (a, b)) = (rope.pair(k), rope.pair_out(k));
            prop_assert!((x[i].hypot(x[j]) - y[a].hypot(y[b])).abs() < 1e-14 * (1.0 + x[i].hypot(x[j])));
        }
    }

    #[test]
    fn score_depends_on_the_offset_alone(rope in ropes(), seed in 0_u64..1000, m in -1_000_000_i64..1_000_000, n in -1_000_000_i64..1_000_000, by in -1_000_000_i64..1_000_000) {
        let (q, k) = Vectors::Independent { seed }.pair(rope.head_dim());
        let score = |m: i64, n: i64| dot(&rotated(&rope, &q, m as f64), &rotated(&rope, &k, n as f64));
        let size = dot(&q, &q) + dot(&k, &k);
        prop_assert!((score(m, n) - score(m + by, n + by)).abs() < 1e-13 * size);
        // And is what the profile says.
        let profile = rope.profile(&q, &k).unwrap().scaled((rope.head_dim() as f64).sqrt());
        prop_assert!((score(m, n) - profile.at((m - n) as f64)).abs() < 1e-13 * size);
    }

    #[test]
    fn aiming_moves_the_peak(rope in ropes(), seed in 0_u64..1000, aim in -5000_i64..5000) {
        let (q, _) = Vectors::Equal { seed }.pair(rope.head_dim());
        let profile = rope.profile(&q, &q).unwrap();
        let aimed = profile.aimed(aim as f64);
        prop_assert!((aimed.at(aim as f64) - profile.at(0.0)).abs() < 1e-12 * profile.at(0.0));
        for offset in aim - 50..aim + 50 {
            prop_assert!(aimed.at(offset as f64) <= profile.at(0.0) * (1.0 + 1e-12));
        }
        // Turning the query does it.
        let turned = rotated(&rope, &q, -aim as f64);
        if rope.layout() != Layout::InterleavedToHalf {
            let by_hand = rope.profile(&turned, &q).unwrap();
            prop_assert!((by_hand.at(123.0) - aimed.at(123.0)).abs() < 1e-12 * profile.at(0.0));
        }
    }

    #[test]
    fn whole_sequences_rotate_like_single_vectors(rope in ropes(), seed in 0_u64..1000, start in -100_000_i64..100_000, rows in 1_usize..70) {
        let d = rope.head_dim();
        let (x, _) = Vectors::Equal { seed }.pair(d * rows);
        let from: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let mut to = vec![0.0; d * rows];
        rope.rotate_rows(&from, start as f64, 1.0, &mut to).unwrap();
        for r in 0..rows {
            let x: Vec<f64> = from[r * d..(r + 1) * d].iter().map(|x| *x as f64).collect();
            let exact = rotated(&rope, &x, (start + r as i64) as f64);
            for (got, exact) in to[r * d..(r + 1) * d].iter().zip(exact) {
                prop_assert!((*got as f64 - exact).abs() < 2e-6, "{got} {exact}");
            }
        }
    }

    /// The three layouts are one rotation, with its dimensions in another order.
    #[test]
    fn layouts_differ_by_a_permutation(half in 1_usize..40, seed in 0_u64..1000, position in -1e6..1e6) {
        let [h, i, to] = ["half", "interleaved", "interleaved-to-half"].map(|layout| rotary(&format!("rope(head_dim={},layout={layout})", 2 * half)));
        let (x, _) = Vectors::Equal { seed }.pair(2 * half);
        let split: Vec<f64> = (0..half).map(|k| x[2 * k]).chain((0..half).map(|k| x[2 * k + 1])).collect();
        let (a, b, c) = (rotated(&h, &split, position), rotated(&i, &x, position), rotated(&to, &x, position));
        prop_assert_eq!(&a, &c);
        for k in 0..half {
            prop_assert_eq!((a[k], a[k + half]), (b[2 * k], b[2 * k + 1]));
        }
    }

    /// PE(p + k) = M_k·PE(p) with the same M_k for every p: for any frequencies and both layouts.
    #[test]
    fn a_shift_is_a_matrix(
        half in 1_usize..40,
        spacing in prop::sample::select(vec!["geometric", "linear", "random"]),
        layout in prop::sample::select(vec!["interleaved", "concatenated"]),
        seed in 0..9999, by in -10_000_i64..10_000,
        positions in prop::collection::vec(-1_000_000_i64..1_000_000, 5),
    ) {
        let scheme = absolute(&format!("sinusoidal(d_model={},spacing={spacing},spacing_seed={seed},layout={layout})", 2 * half));
        let d = scheme.width();
        let shift = scheme.waves().unwrap().shift(by as f64).unwrap();
        for p in positions {
            let (mut here, mut there, mut turned) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
            scheme.write_row(p as f64, &mut here).unwrap();
            scheme.write_row((p + by) as f64, &mut there).unwrap();
            shift.apply(&here, &mut turned).unwrap();
            for r in 0..d {
                prop_assert!((turned[r] - there[r]).abs() < 1e-15, "{} {}", turned[r], there[r]);
                let by_entries: f64 = (0..d).map(|c| shift.entry(r, c) * here[c]).sum();
                prop_assert!((by_entries - there[r]).abs() < 1e-15);
            }
        }
        // Orthogonal: its rows are of length 1.
        for r in 0..d {
            let length: f64 = (0..d).map(|c| shift.entry(r, c).powi(2)).sum();
            prop_assert!((length - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn product_of_rows_is_their_profile(half in 1_usize..40, layout in prop::sample::select(vec!["interleaved", "concatenated"]), p in -1000_i64..100_000, offset in -1000_i64..1000) {
        let scheme = absolute(&format!("sinusoidal(d_model={},layout={layout})", 2 * half));
        let (mut a, mut b) = (vec![0.0; 2 * half], vec![0.0; 2 * half]);
        scheme.write_row(p as f64, &mut a).unwrap();
        scheme.write_row((p + offset) as f64, &mut b).unwrap();
        prop_assert!((dot(&a, &b) - scheme.profile().unwrap().at(offset as f64)).abs() < 1e-13 * half as f64);
    }
}

#[test]
fn an_odd_width_has_no_shift_and_no_profile() {
    for odd in ["own-exponent", "round-up"] {
        let scheme = absolute(&format!("sinusoidal(d_model=7,odd={odd})"));
        assert!(scheme.waves().unwrap().shift(1.0).is_none() && scheme.profile().is_none(), "{odd}");
    }
    // A column of zeros is no wave: nothing is missing.
    let scheme = absolute("sinusoidal(d_model=7,odd=zero-pad)");
    assert!(scheme.waves().unwrap().shift(1.0).is_some() && scheme.profile().is_some());
}

#[test]
fn vectors_are_fixed_by_their_seed() {
    assert_eq!(Vectors::Ones.pair(3), (vec![1.0; 3], vec![1.0; 3]));
    let (q, k) = Vectors::Equal { seed: 7 }.pair(64);
    assert_eq!(q, k);
    assert_eq!(q, Vectors::Equal { seed: 7 }.pair(64).0);
    assert_ne!(q, Vectors::Equal { seed: 8 }.pair(64).0);
    let (q, k) = Vectors::Independent { seed: 7 }.pair(64);
    assert_ne!(q, k);
    for word in Vectors::WORDS {
        assert_eq!(Vectors::from_word(word, 3).unwrap().word(), word);
    }
    assert_eq!(Vectors::from_word("other", 3), None);
    // N(0, 1), to four standard errors.
    let (x, _) = Vectors::Equal { seed: 1 }.pair(100_000);
    let mean = x.iter().sum::<f64>() / 1e5;
    let variance = dot(&x, &x) / 1e5 - mean * mean;
    assert!(
        mean.abs() < 4.0 / 1e5_f64.sqrt() && (variance - 1.0).abs() < 4.0 * (2.0 / 1e5_f64).sqrt(),
        "{mean} {variance}"
    );
}

fn band(vectors: Vectors, draws: u32, edges: &[i64], samples: u64) -> posenc::vectors::Band {
    let mut bands = Bands::new(&rotary("rope(head_dim=64)"), vectors, draws, edges, samples, 0.0);
    let mut before = 0.0;
    while !bands.step() {
        assert!(bands.done() > before && bands.done() < 1.0);
        before = bands.done();
    }
    assert_eq!(bands.done(), 1.0);
    bands.finish()
}

const EDGES: [i64; 9] = [0, 1, 2, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/// The decay that people quote needs q ≈ k.
#[test]
fn independent_vectors_give_a_flat_mean_and_a_flat_band() {
    let draws = 400;
    let flat = band(Vectors::Independent { seed: 1 }, draws, &EDGES, 64);
    let equal = band(Vectors::Equal { seed: 1 }, draws, &EDGES, 64);
    for i in 0..EDGES.len() - 1 {
        // q·k/√d of independent N(0, 1) entries: mean 0, variance 1, at every offset.
        assert!(flat.mean[i].abs() < 5.0 / (draws as f32).sqrt(), "{:?}", flat.mean);
        assert!((flat.spread[i] - 1.0).abs() < 0.15, "{:?}", flat.spread);
        assert!(flat.min[i] < flat.mean[i] && flat.max[i] > flat.mean[i]);
    }
    // Equal ones start at √d = 8 and fall.
    assert!((equal.mean[0] - 8.0).abs() < 0.4 && equal.mean[3] < 6.0 && equal.mean[7] < 1.0, "{:?}", equal.mean);
}

#[test]
fn a_band_is_what_its_draws_are() {
    let (rope, edges, draws) = (rotary("rope(head_dim=64)"), [-7_i64, 0, 0, 3, 90, 500], 9);
    for vectors in [Vectors::Independent { seed: 5 }, Vectors::Equal { seed: 5 }, Vectors::Ones] {
        let band = band(vectors, draws, &edges, u64::MAX);
        assert!(band.exact);
        let mut stream = vectors.stream();
        let profiles: Vec<_> = (0..draws)
            .map(|_| {
                let (q, k) = vectors.draw(&mut stream, 64);
                rope.profile(&q, &k).unwrap()
            })
            .collect();
        for i in 0..edges.len() - 1 {
            let offsets: Vec<i64> = (edges[i]..edges[i + 1].max(edges[i] + 1)).collect();
            let scores: Vec<Vec<f64>> =
                offsets.iter().map(|o| profiles.iter().map(|p| p.at(*o as f64)).collect()).collect();
            let all: Vec<f64> = scores.concat();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let variance = scores
                .iter()
                .map(|at| {
                    let mean = at.iter().sum::<f64>() / at.len() as f64;
                    at.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / at.len() as f64
                })
                .sum::<f64>()
                / scores.len() as f64;
            let close = |got: f32, expected: f64| (got as f64 - expected).abs() < 2e-5;
            assert!(close(band.mean[i], mean), "{} {mean}", band.mean[i]);
            assert!(close(band.spread[i], variance.sqrt()), "{} {}", band.spread[i], variance.sqrt());
            assert!(close(band.min[i], all.iter().copied().fold(f64::INFINITY, f64::min)));
            assert!(close(band.max[i], all.iter().copied().fold(f64::NEG_INFINITY, f64::max)));
        }
    }
    assert!(band(Vectors::Ones, 9, &edges, u64::MAX).spread.iter().all(|s| *s == 0.0));
    assert!(!band(Vectors::Ones, 9, &edges, 5).exact);
}

/// A table without closed forms: rows 0..100 of the position's square, and of 5.
#[derive(Debug)]
struct Squares;

impl Absolute for Squares {
    fn width(&self) -> usize {
        2
    }
    fn rows(&self) -> Option<usize> {
        Some(100)
    }
    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), posenc::Error> {
        if position >= 100.0 {
            return Err(posenc::Error::PastTheEnd { position, last: 99 });
        }
        out.copy_from_slice(&[position * position, 5.0]);
        Ok(())
    }
}

#[test]
fn tables_without_waves_are_averaged_row_by_row() {
    let mut out = [0.0; 6];
    Squares.fill(98.0, 1.0, &mut out);
    assert_eq!(out[..4], [9604.0, 5.0, 9801.0, 5.0]);
    assert!(out[4].is_nan() && out[5].is_nan());
    Squares.fill_mean(0.0, 3, 5, &mut out);
    assert_eq!(out[..4], [5.0 / 3.0, 5.0, 12.5, 5.0]);
    assert!(out[4].is_nan());
    Squares.fill_spread(0.0, 3, 5, &mut out);
    assert_eq!(out[..4], [(26.0_f64 / 9.0).sqrt() as f32, 0.0, 3.5, 0.0]);
    // The table's own end cuts a run short, too.
    Squares.fill_mean(99.0, 3, 1000, &mut out);
    assert_eq!(out[..2], [9801.0, 5.0]);
    assert!(out[2].is_nan());
    // And with waves, the same three calls are the closed forms.
    let scheme = absolute("sinusoidal(d_model=4)");
    let (mut a, mut b) = ([0.0; 12], [0.0; 12]);
    scheme.fill_mean(0.0, 10, 25, &mut a);
    scheme.waves().unwrap().fill_mean_of(0.0, 10, 25, &mut b);
    assert_eq!(a, b);
    let mut rows = [0.0; 4 * 25];
    scheme.fill(0.0, 1.0, &mut rows);
    let last: f32 = rows[4 * 20..].iter().step_by(4).sum::<f32>() / 5.0;
    assert!((a[8] - last).abs() < 1e-6);
}

fn value(spec: &'static ParamSpec) -> BoxedStrategy<String> {
    match spec.kind {
        Kind::Integer { min, max, .. } => (min..=max).prop_map(|v| v.to_string()).boxed(),
        Kind::Real { min, max, .. } => prop_oneof![
            (0.0..=1.0_f64).prop_map(move |t| min + t * (max - min)),
            Just(min),
            Just(max),
            Just(f64::midpoint(min, max)),
        ]
        .prop_map(move |v| v.clamp(min, max).to_string())
        .boxed(),
        Kind::Choice { options, .. } => prop::sample::select(options).prop_map(str::to_owned).boxed(),
        Kind::Switch { .. } => any::<bool>().prop_map(|v| v.to_string()).boxed(),
        Kind::List { min, max, most } => prop::collection::vec(min..=max, 0..=most)
            .prop_map(|list| list.iter().map(i64::to_string).collect::<Vec<_>>().join(":"))
            .boxed(),
        Kind::Reals { min, max, most } => prop::collection::vec(min..=max, 0..=most.min(100))
            .prop_map(|list| list.iter().map(f64::to_string).collect::<Vec<_>>().join(":"))
            .boxed(),
    }
}

fn configs() -> impl Strategy<Value = Config> {
    prop::sample::select(registry()).prop_flat_map(|spec: &'static SchemeSpec| {
        let settings: Vec<_> =
            spec.params.iter().map(|p| (any::<bool>(), value(p)).prop_map(|(set, v)| set.then_some(v))).collect();
        settings.prop_map(move |values| {
            let mut config = Config::new(spec);
            for (param, value) in spec.params.iter().zip(values) {
                if let Some(value) = value {
                    assert_eq!(config.settings.set(param.key, &value), None, "{} = {value}", param.key);
                }
            }
            config
        })
    })
}

/// Always legal, whatever was asked for.
fn assert_legal(config: &Config) {
    for (spec, value) in config.settings.iter() {
        match (spec.kind, value) {
            (Kind::Integer { min, max, .. }, Value::Integer(v)) => assert!((min..=max).contains(v)),
            (Kind::Real { min, max, .. }, Value::Real(v)) => assert!((min..=max).contains(v)),
            (Kind::Choice { options, .. }, Value::Choice(v)) => assert!(options.contains(v)),
            (Kind::Switch { .. }, Value::Switch(_)) => {}
            (Kind::List { min, max, most }, Value::List(v)) => {
                assert!(v.len() <= most && v.iter().all(|v| (min..=max).contains(v)));
            }
            (Kind::Reals { min, max, most }, Value::Reals(v)) => {
                assert!(v.len() <= most && v.iter().all(|v| (min..=max).contains(v)));
            }
            (kind, value) => unreachable!("{value:?} is no {kind:?}"),
        }
    }
}

/// Text that is nearly a scheme.
fn nearly() -> impl Strategy<Value = String> {
    let keys: Vec<&str> =
        registry().iter().flat_map(|s| s.params.iter().map(|p| p.key)).chain(["x", "", "=", "é"]).collect();
    let ids: Vec<&str> = registry().iter().map(|s| s.id).chain(["", "x", "rope "]).collect();
    let values = prop_oneof![
        prop::sample::select(vec![
            "",
            "-0",
            "0",
            "-1",
            "1e999",
            "-1e999",
            "NaN",
            "inf",
            "1e18",
            "9223372036854775808",
            "0.5",
            "half",
            "interleaved",
            "true",
            ":",
            "1:2",
            "=",
            "(",
            "1e-400"
        ])
        .prop_map(str::to_owned),
        any::<f64>().prop_map(|v| v.to_string()),
        any::<i64>().prop_map(|v| v.to_string()),
        ".{0,8}",
    ];
    let pair = (prop::sample::select(keys), values).prop_map(|(key, value)| format!("{key}={value}"));
    (prop::sample::select(ids), prop::collection::vec(pair, 0..8), prop::sample::select(vec!["", ")", "))", "()", " "]))
        .prop_map(|(id, pairs, end)| format!("{id}({}{end}", pairs.join(",")))
}

proptest! {
    #[test]
    fn config_text_reads_back(config in configs()) {
        let text = config.to_string();
        let (again, repairs) = Config::parse(&text).unwrap();
        prop_assert_eq!(repairs, vec![], "{}", &text);
        prop_assert_eq!(&again, &config, "{}", &text);
        prop_assert_eq!(again.to_string(), text);
    }

    /// Whatever is legal builds, or says which parameter is in the way; and does not take unbounded memory.
    #[test]
    fn what_is_legal_builds_or_says_why_not(config in configs()) {
        match config.build() {
            Ok(Encoding::Absolute(scheme)) => {
                let mut row = vec![0.0; scheme.width()];
                prop_assert!(scheme.width() <= 4096);
                scheme.write_row(3.0, &mut row).unwrap();
                prop_assert!(row.iter().all(|x| x.abs() <= 1.0), "{config}: {row:?}");
                prop_assert!(scheme.write_row(3.0, &mut vec![0.0; scheme.width() + 1]).is_err());
            }
            Ok(Encoding::Rotary(rope)) => {
                prop_assert!(rope.head_dim() <= 1024 && rope.inv_freq().iter().all(|w| (0.0..=1.0).contains(w)), "{config}");
                prop_assert!(rope.rotate(&[], 0.0, &mut vec![0.0; rope.head_dim()]).is_err());
            }
            Ok(_) => {}
            Err(posenc::Error::NeedsData(asset)) => prop_assert!(asset.file.starts_with(config.spec.id)),
            Err(posenc::Error::Parameter { key, .. }) => prop_assert!(config.settings.get(key).is_some()),
            Err(other) => prop_assert!(false, "{config}: {other}"),
        }
    }

    #[test]
    fn garbage_is_repaired_or_refused(text in prop_oneof![".{0,60}", nearly()]) {
        if let Ok((config, repairs)) = Config::parse(&text) {
            assert_legal(&config);
            prop_assert!(repairs.len() <= text.len());
            // What was repaired reads back without repairs.
            let (again, repairs) = Config::parse(&config.to_string()).unwrap();
            prop_assert_eq!(repairs, vec![]);
            prop_assert_eq!(again, config);
        }
    }
}

#[test]
fn zero_has_no_sign() {
    let (config, repairs) = Config::parse("rope(partial_rotary_factor=-0)").unwrap();
    assert_eq!((config.to_string().as_str(), repairs), ("rope(partial_rotary_factor=0)", vec![]));
}

#[test]
fn a_long_list_is_bounded() {
    let spec =
        ParamSpec { key: "l", kind: Kind::List { min: 0, max: 9, most: 3 }, unit: posenc::Unit::None, when: None };
    let (value, why) = spec.read(&"7:".repeat(100_000));
    assert_eq!((value, why), (Value::List(vec![7; 3]), Some(posenc::Why::OutOfRange)));
    assert_eq!(spec.read("-1:x:20"), (Value::List(vec![0, 9]), Some(posenc::Why::OutOfRange)));
}

#[test]
fn ranges_in_a_list_are_read_and_bounded() {
    let spec =
        ParamSpec { key: "l", kind: Kind::List { min: -5, max: 99, most: 6 }, unit: posenc::Unit::None, when: None };
    let whole = |list: &[i64]| (Value::List(list.to_vec()), None);
    assert_eq!(spec.read("0-3:9"), whole(&[0, 1, 2, 3, 9]));
    assert_eq!(spec.read("-5--3:7"), whole(&[-5, -4, -3, 7]));
    assert_eq!(spec.read("4-4"), whole(&[4]));
    assert_eq!(spec.read("0-9223372036854775807").1, Some(posenc::Why::OutOfRange));
    for text in ["4-2", "1-", "-", "1-x", "1-2-3"] {
        assert_eq!(spec.read(text), (Value::List(Vec::new()), Some(posenc::Why::NotANumber)), "{text}");
    }
}

#[test]
fn what_is_for_odd_numbers_is_relevant_for_these() {
    let relevant = |text: &str| {
        let (config, _) = Config::parse(text).unwrap();
        let spec = config.spec.params.iter().find(|param| param.key == "odd").unwrap();
        config.settings.relevant(spec)
    };
    assert!(relevant("sinusoidal(d_model=33)") && !relevant("sinusoidal(d_model=32)"));
}

#[test]
fn numbers_that_follow_are_those_that_are_used() {
    let of = |text: &str, name: &str| Config::parse(text).unwrap().0.build().unwrap().number(name);
    // 0.1·ln 4 + 1, and DeepSeek-V2's equal weights, whose quotient is 1.
    let automatic = of("rope(rope_type=yarn,factor=4)", "attention_factor").unwrap();
    assert!((automatic - (0.1 * 4_f64.ln() + 1.0)).abs() < 1e-15);
    assert_eq!(of("rope(rope_type=yarn,factor=4)", "mscale"), Some(1.0));
    let both = "rope(rope_type=yarn,factor=40,mscale=0.707,mscale_all_dim=0.707)";
    assert_eq!((of(both, "attention_factor"), of(both, "mscale")), (Some(1.0), Some(0.707)));
    let given = "rope(rope_type=yarn,factor=4,attention_factor=2)";
    assert_eq!((of(given, "attention_factor"), of(given, "mscale")), (Some(2.0), None));
    assert_eq!(of("rope(head_dim=64,partial_rotary_factor=0.5)", "rotated"), Some(32.0));
    assert_eq!(of("sinusoidal(d_model=7)", "planes"), Some(4.0));
}
