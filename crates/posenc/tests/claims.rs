//! What popular write-ups say of these schemes, and the numbers that settle it.
//!
//! | claim | test |
//! | --- | --- |
//! | the frequency increases with the position | `frequency_goes_with_the_column_not_the_position` |
//! | RoPE comes from the team of Chain of Thought | `rope_has_its_own_authors` |
//! | R(p) = diag(ω^−p) | `rotation_is_no_diagonal_of_powers` |
//! | attention is permutation-invariant | `without_positions_outputs_move_with_the_words`, in `attention.rs` |
//! | PE(p + k) is a combination of PE(p) and PE(k) | `a_shift_is_linear_in_the_position_alone` |
//! | relative positions extrapolate | `slow_planes_never_complete_a_turn`; `a_decay_keeps_its_window_at_any_length` and `sandwich_rises_at_fourteen`, in `attention.rs` |
//! | slope × key index is −slope × distance | `forms_of_alibi_are_one_after_a_causal_softmax`, in `attention.rs` |
//! | `YaRN` is the formula in its paper | `yarn_in_its_paper_is_not_yarn_in_its_code` |
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{Absolute, Config, Encoding, Rotary, planes::incomplete, profile::Profile};

fn absolute(text: &str) -> Box<dyn Absolute> {
    let Encoding::Absolute(scheme) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
    scheme
}

fn rotary(text: &str) -> Rotary {
    let Encoding::Rotary(rope) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
    rope
}

/// "The frequency of these functions increases with the position." It is one frequency a column at every position, and it
/// falls along the columns.
#[test]
fn frequency_goes_with_the_column_not_the_position() {
    let scheme = absolute("sinusoidal(d_model=8)");
    let waves = scheme.waves().unwrap();
    for (w, expected) in waves.freq().iter().zip([1.0, 0.1, 0.01, 0.001]) {
        assert!((w - expected).abs() < 1e-15);
    }
    // The phase advances by w a step, wherever the step is.
    for p in [0.0, 10.0, 1000.0, 100_000.0] {
        for (k, w) in waves.freq().iter().enumerate() {
            let (sin, cos) = (waves.at(p, 2 * k), waves.at(p, 2 * k + 1));
            let (sin_next, cos_next) = (waves.at(p + 1.0, 2 * k), waves.at(p + 1.0, 2 * k + 1));
            let advance = libm::atan2(sin_next * cos - cos_next * sin, cos_next * cos + sin_next * sin);
            assert!((advance - w).abs() < 1e-15, "plane {k} at {p}: {advance}");
        }
    }
    // Changes of sign of the four sines, early and late.
    let crossings = |from: i64, column: usize| {
        let value = |p: i64| waves.at(p as f64, column);
        (from + 1..from + 1000).filter(|&p| (value(p - 1) < 0.0) != (value(p) < 0.0)).count()
    };
    let planes = |from| [0, 2, 4, 6].map(|column| crossings(from, column));
    assert_eq!(planes(0), [317, 31, 3, 0]);
    assert_eq!(planes(9000), [318, 32, 3, 1]);
}

/// "`RoPE` was introduced by the team behind Chain of Thought." The spec names who did: none of these wrote that paper
/// (Wei et al. 2022, <https://arxiv.org/abs/2201.11903>).
#[test]
fn rope_has_its_own_authors() {
    let paper = posenc::schemes::rope::SPEC.paper;
    assert!(paper.title.starts_with("Su et al. 2021, RoFormer"));
    assert_eq!(paper.url, "https://arxiv.org/abs/2104.09864");
    let rope = ["Su", "Lu", "Pan", "Wen", "Liu"];
    let chain_of_thought = ["Wei", "Wang", "Schuurmans", "Bosma", "Ichter", "Xia", "Chi", "Le", "Zhou"];
    assert!(!rope.iter().any(|name| chain_of_thought.contains(name)));
}

/// "R(p) = diag(ω^−p)." It is blocks of rotations: the score at (5, 3), (15, 13) and (105, 103) is the same, and norms
/// are kept, where a diagonal of powers does neither.
#[test]
fn rotation_is_no_diagonal_of_powers() {
    let rope = rotary("rope(head_dim=8)");
    let (q, k): (Vec<f64>, Vec<f64>) = (0..8).map(|i| (0.1 * f64::from(i + 1), 0.8 - 0.1 * f64::from(i))).unzip();
    let at = |x: &[f64], position: f64| {
        let mut out = vec![0.0; 8];
        rope.rotate(x, position, &mut out).unwrap();
        out
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let powers = |x: &[f64], position: f64| -> Vec<f64> {
        (0..8).map(|i| x[i] * libm::pow(libm::pow(10_000.0, -2.0 * (i / 2) as f64 / 8.0), position / 100.0)).collect()
    };
    let scores = |turn: &dyn Fn(&[f64], f64) -> Vec<f64>| {
        [(5.0, 3.0), (15.0, 13.0), (105.0, 103.0)].map(|(m, n)| dot(&turn(&q, m), &turn(&k, n)))
    };
    let [a, b, c] = scores(&at);
    assert!((a - b).abs() < 1e-14 && (a - c).abs() < 1e-14, "{a} {b} {c}");
    let [a, b, c] = scores(&powers);
    assert!(a > 1.1 * b && b > 1.5 * c, "{a} {b} {c}");
    let norm = |x: &[f64]| dot(x, x).sqrt();
    assert!((norm(&at(&q, 100.0)) / norm(&q) - 1.0).abs() < 1e-15);
    assert!(norm(&powers(&q, 100.0)) / norm(&q) < 0.5);
}

/// "PE(p + k) is a linear combination of PE(p) and PE(k)." It is linear in PE(p) alone, by a matrix of k; no two numbers
/// combine the two.
#[test]
fn a_shift_is_linear_in_the_position_alone() {
    let scheme = absolute("sinusoidal(d_model=8)");
    let row = |p: i64| {
        let mut row = vec![0.0; 8];
        scheme.write_row(p as f64, &mut row).unwrap();
        row
    };
    let shift = scheme.waves().unwrap().shift(3.0).unwrap();
    let mut turned = vec![0.0; 8];
    for p in 0..5000 {
        shift.apply(&row(p), &mut turned).unwrap();
        for (a, b) in turned.iter().zip(row(p + 3)) {
            assert!((a - b).abs() < 5e-14);
        }
    }
    // The rows of sine and cosine: [[cos, sin], [−sin, cos]].
    let (sin, cos) = libm::sincos(3.0);
    assert_eq!([shift.entry(0, 0), shift.entry(0, 1), shift.entry(1, 0), shift.entry(1, 1)], [cos, sin, -sin, cos]);
    assert_eq!(shift.entry(0, 2), 0.0);
    // The best α·PE(p) + β·PE(k) misses by far, even where the two numbers are fitted anew at each p.
    let fit = |positions: std::ops::Range<i64>| {
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let sum = |f: &dyn Fn(i64) -> f64| positions.clone().map(f).sum::<f64>();
        let k = row(3);
        let (aa, ab, at) =
            (sum(&|p| dot(&row(p), &row(p))), sum(&|p| dot(&row(p), &k)), sum(&|p| dot(&row(p), &row(p + 3))));
        let (bb, bt) = (sum(&|_| dot(&k, &k)), sum(&|p| dot(&k, &row(p + 3))));
        let determinant = aa * bb - ab * ab;
        let (alpha, beta) = ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant);
        let miss = |p: i64| {
            let (a, target) = (row(p), row(p + 3));
            (0..8).map(|i| (alpha * a[i] + beta * k[i] - target[i]).abs()).fold(0.0, f64::max)
        };
        [alpha, beta, positions.clone().map(miss).fold(0.0, f64::max)]
    };
    for (found, expected) in fit(1..400).iter().zip([0.470_003_115_8, 0.102_353_200_3, 1.568_128_089_8]) {
        assert!((found - expected).abs() < 1e-9, "{found}");
    }
    for (p, expected) in [(1, 0.785_623_274), (10, 1.310_985_802), (100, 0.828_573_656_5)] {
        assert!((fit(p..p + 1)[2] - expected).abs() < 1e-9, "{p}");
    }
}

/// "Relative positions extrapolate." `RoPE` is relative, and its slow planes never finish a turn within a usual training
/// length: beyond it they meet angles that were never seen.
#[test]
fn slow_planes_never_complete_a_turn() {
    let rope = rotary("rope");
    let unseen = |length: f64| incomplete(rope.inv_freq(), length).count();
    assert_eq!([unseen(512.0), unseen(2048.0), unseen(4096.0)], [33, 23, 18]);
    // Mean cosine over the planes, which is the score of equal q and k of one weight: no monotone decay either.
    let mean = Profile::new(rope.inv_freq().to_vec(), vec![1.0 / 64.0; 64], vec![0.0; 64], 0.0);
    let expected = [(0.0, 1.0), (512.0, 0.219_424_372_6), (4096.0, -0.052_853_342_57), (65_536.0, -0.007_479_501_67)];
    for (offset, score) in expected {
        assert!((mean.at(offset) - score).abs() < 1e-10, "{offset}: {}", mean.at(offset));
    }
}

/// "`YaRN` is the formula in its paper." The paper ramps by turns, the authors' code by the number of the plane: planes in
/// between differ by up to 4.3.
#[test]
fn yarn_in_its_paper_is_not_yarn_in_its_code() {
    let models = [
        // Llama 2, Qwen2.5, DeepSeek.
        ("head_dim=128,rope_theta=10000,factor=16,original_max_position_embeddings=4096", 3.041_414_887_471_059, 38),
        (
            "head_dim=128,rope_theta=1000000,factor=4,original_max_position_embeddings=32768",
            1.712_996_533_687_394_2,
            32,
        ),
        ("head_dim=64,rope_theta=10000,factor=40,original_max_position_embeddings=4096", 4.281_892_356_354_578, 20),
    ];
    for (model, ratio, plane) in models {
        let [code, paper, parts] = ["yarn", "yarn,ramp=paper", "ntk-by-parts"]
            .map(|rope_type| rotary(&format!("rope({model},rope_type={rope_type})")));
        let ratios = code.inv_freq().iter().zip(paper.inv_freq()).map(|(a, b)| (a / b).max(b / a));
        let (at, worst) = ratios.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(at, plane, "{model}");
        assert!((worst - ratio).abs() < 1e-12, "{model}: {worst}");
        // What is printed is NTK-by-parts, and Llama 3's scaling with its limits.
        assert_eq!(paper.inv_freq(), parts.inv_freq());
    }
}

/// What reports of bugs settled: the right number, and the wrong one that was computed.
#[test]
fn context_extension_as_the_bug_reports_have_it() {
    // A factor that was replaced by max/original had no effect (transformers 38224).
    let qwen = rotary(
        "rope(rope_theta=1000000,rope_type=yarn,factor=4,max_position_embeddings=32768,original_max_position_embeddings=32768)",
    );
    assert!((qwen.inv_freq()[63] - 3.1023e-7).abs() < 1e-11, "{}", qwen.inv_freq()[63]);
    assert!((qwen.attention_factor() - 1.138_63).abs() < 1e-5);
    // mscale and mscale_all_dim were not read, or llama.cpp's 1 + 0.1 ln s used (vllm 48621, llama.cpp 17945).
    let ministral = "rope(rope_theta=1000000,rope_type=yarn,factor=16,original_max_position_embeddings=16384,mscale=1,mscale_all_dim=1)";
    assert_eq!(rotary(ministral).attention_factor(), 1.0);
    assert!(
        (rotary(&ministral.replace(",mscale=1,mscale_all_dim=1", "")).attention_factor() - 1.277_258_872_2).abs()
            < 1e-10
    );
    // attention_factor was not read (vllm 46280).
    let laguna = "rope(rope_type=yarn,factor=64,attention_factor=1)";
    assert_eq!(rotary(laguna).attention_factor(), 1.0);
    assert!((rotary(&laguna.replace(",attention_factor=1", "")).attention_factor() - 1.415_888_3).abs() < 1e-7);
    // truncate was not read: gpt-oss ramps between real numbers (vllm 28244).
    let oss = "rope(head_dim=64,rope_theta=150000,rope_type=yarn,factor=32,original_max_position_embeddings=4096,truncate=false)";
    let (low, high) = rotary(oss).frequencies().unwrap().ramp_planes().unwrap();
    assert!(
        (low - 8.092_779_115_512_402).abs() < 1e-12 && (high - 17.398_024_501_588_56).abs() < 1e-12,
        "{low} {high}"
    );
    let rounded = rotary(&oss.replace("false", "true"));
    assert_eq!(rounded.frequencies().unwrap().ramp_planes(), Some((8.0, 18.0)));
    // The softmax scale lacked mscale squared (transformers 47435).
    for (mscale, by) in [(1.0, 1.8739), (0.707, 1.5896)] {
        let deepseek =
            rotary(&format!("rope(head_dim=64,rope_type=yarn,factor=40,mscale={mscale},mscale_all_dim={mscale})"));
        assert!((deepseek.softmax_scale(192) * 192.0_f64.sqrt() - by).abs() < 1e-4);
        assert_eq!(deepseek.attention_factor(), 1.0);
    }
    // dynamic was evaluated once, at factor times the trained length (vllm 41236): 3 times slower, where 2 × 4096 tokens
    // really give 3 and 3 × 4096 give 5.
    let dynamic = rotary("rope(rope_type=dynamic,factor=2)");
    let slower = |length: f64| dynamic.inv_freq()[63] / dynamic.at_length(length).inv_freq()[63];
    assert!((slower(8192.0) - 3.0).abs() < 1e-12 && (slower(12_288.0) - 5.0).abs() < 1e-12);
    // Keys cached with the short factors, queries with the long ones: garbage from token 4097 on (transformers 33129).
    let phi = rotary(
        "rope(head_dim=96,rope_type=longrope,preset=phi-3.5-mini,max_position_embeddings=131072,original_max_position_embeddings=4096)",
    );
    let (short, long) = (phi.at_length(4096.0), phi.at_length(4097.0));
    assert_eq!(short, phi);
    assert!(
        (short.inv_freq()[47] / long.inv_freq()[47] - 64.839_996_337_890_62 / 2.839_999_437_332_153_3).abs() < 1e-12
    );
    assert!((phi.attention_factor() - 1.190_238_071_423_808_3).abs() < 1e-12);
    assert_eq!(long.attention_factor(), phi.attention_factor());
    // Llama 3.1 8B and 3.2 1B: which planes are left alone, and which slowed in full.
    for (model, unchanged, slowed) in
        [("head_dim=128,factor=8", 0..29, 35..64), ("head_dim=64,factor=32", 0..15, 18..32)]
    {
        let llama =
            rotary(&format!("rope({model},rope_theta=500000,rope_type=llama3,original_max_position_embeddings=8192)"));
        let factor = if llama.head_dim() == 128 { 8.0 } else { 32.0 };
        for (k, (w, plain)) in llama.inv_freq().iter().zip(llama.frequencies().unwrap().unscaled()).enumerate() {
            assert_eq!(*w == plain, unchanged.contains(&k), "{model} {k}");
            assert_eq!((plain / w - factor).abs() < 1e-12, slowed.contains(&k), "{model} {k}");
        }
    }
}

/// `xPos` decoded with a centre of the query and another of the cached keys, each the middle of its own length, is wrong:
/// here by nearly a fifth. With one centre for both it does not matter which.
#[test]
fn xpos_needs_one_centre() {
    use posenc::{QueryKey as _, schemes::xpos::Xpos};
    let xpos = Xpos::new(64, 10_000.0, 512.0, posenc::Layout::Interleaved).unwrap();
    let logit = |query_centre: f64, key_centre: f64| {
        let (mut q, mut k) = ([0.0; 64], [0.0; 64]);
        xpos.clone().about(query_centre).query(&[1.0; 64], 511.0, &mut q).unwrap();
        xpos.clone().about(key_centre).key(&[1.0; 64], 509.0, &mut k).unwrap();
        q.iter().zip(k).map(|(q, k)| q * k).sum::<f64>()
    };
    let right = logit(256.0, 256.0);
    assert!((logit(0.0, 0.0) - right).abs() < 1e-12 && (logit(-3.5, -3.5) - right).abs() < 1e-12);
    // A single query of a cache of 512 keys: length 1 has the middle 0.
    assert!((logit(0.0, 256.0) / right - 1.0).abs() > 0.18, "{} {right}", logit(0.0, 256.0));
}

/// "The sine of a position follows from the sine of another." Not without the cosine: over many positions the best factor
/// explains cos²(kω) of it, and the sines of other planes explain nothing of the rest.
#[test]
fn a_shift_needs_the_cosines() {
    for spacing in ["geometric", "linear", "random"] {
        let scheme = absolute(&format!("sinusoidal(d_model=16,spacing={spacing})"));
        let waves = scheme.waves().unwrap();
        for by in [1.0, 10.0, -10.0, 500.0] {
            for (plane, w) in waves.freq().iter().enumerate() {
                let fit = waves.sine_alone(plane, by, 4000).unwrap();
                let cos = libm::cos(by * w);
                assert!((fit.factor - cos).abs() < 2e-3, "{spacing} {plane} {by}: {}", fit.factor);
                assert!((fit.explained - cos * cos).abs() < 2e-3, "{spacing} {plane} {by}: {}", fit.explained);
            }
        }
    }
    // k = 10, ω = 1.
    let scheme = absolute("sinusoidal(d_model=16)");
    let waves = scheme.waves().unwrap();
    let fit = waves.sine_alone(0, 10.0, 4000).unwrap();
    assert!((fit.explained - 0.704).abs() < 5e-4, "{}", fit.explained);
    let rest = |p: f64| waves.at(p + 10.0, 0) - fit.factor * waves.at(p, 0);
    for other in (2..16).step_by(2) {
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for p in 0..200_000 {
            let (x, y) = (waves.at(f64::from(p), other), rest(f64::from(p)));
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        }
        assert!(xy * xy / (xx * yy) < 1e-6, "dimension {other}");
    }
    // With its cosine, all of it.
    let shift = waves.shift(10.0).unwrap();
    let exact = |p: f64| shift.entry(0, 0) * waves.at(p, 0) + shift.entry(0, 1) * waves.at(p, 1);
    assert!((0..5000).all(|p| (exact(f64::from(p)) - waves.at(f64::from(p) + 10.0, 0)).abs() < 1e-14));
    assert!(waves.sine_alone(8, 10.0, 100).is_none());
}
