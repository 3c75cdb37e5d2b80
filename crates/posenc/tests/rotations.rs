//! What must hold of context extension, and of every rotation that is not plain.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding, Error, QueryKey, Rotary,
    grid::{AxialRotary, Grid},
    planes::{divisors, incomplete, turns, wavelength},
    profile::steps,
    schemes::irope,
    vectors::Vectors,
};
use proptest::prelude::*;

fn build(text: &str) -> Encoding {
    let (config, repairs) = Config::parse(text).unwrap();
    assert_eq!(repairs, [], "{text}");
    config.build().unwrap()
}

fn rotary(text: &str) -> Rotary {
    match build(text) {
        Encoding::Rotary(rotary) => rotary,
        _ => unreachable!("{text} rotates"),
    }
}

fn axial(text: &str) -> AxialRotary {
    match build(text) {
        Encoding::Axial(axial) => axial,
        _ => unreachable!("{text} rotates by several coordinates"),
    }
}

fn query_key(text: &str) -> Box<dyn QueryKey> {
    match build(text) {
        Encoding::QueryKey(both) => both,
        _ => unreachable!("{text} changes query and key"),
    }
}

/// Which parameter is refused.
fn refused(text: &str) -> &'static str {
    match Config::parse(text).unwrap().0.build() {
        Err(Error::Parameter { key, .. }) => key,
        other => unreachable!("{text}: {other:?}"),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn close(a: f64, b: f64, rel: f64) -> bool {
    (a - b).abs() <= rel * a.abs().max(b.abs())
}

fn rotated(rope: &Rotary, x: &[f64], position: f64) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    rope.rotate(x, position, &mut out).unwrap();
    out
}

/// Every kind of extension, with parameters of its own.
fn extensions() -> impl Strategy<Value = String> {
    let types = prop::sample::select(vec![
        "default",
        "linear",
        "ntk",
        "dynamic",
        "ntk-by-parts",
        "yarn",
        "yarn,ramp=paper",
        "yarn,truncate=false",
        "llama3",
        "longrope",
        "proportional",
    ]);
    (types, 2_u32..40, 0.5..7.0, 0.0..7.0, 4_u32..17, 4_u32..20, 0.5..1.0).prop_map(
        |(rope_type, half, theta, factor, trained, longest, part)| {
            format!(
                "rope(head_dim={},rope_theta={},rope_type={rope_type},factor={},original_max_position_embeddings={},max_position_embeddings={},partial_rotary_factor={part})",
                2 * half,
                10_f64.powf(theta),
                2_f64.powf(factor),
                1 << trained,
                1 << longest,
            )
        },
    )
}

proptest! {
    /// A rotation times the attention factor, which the passed dimensions do not have.
    #[test]
    fn norms_are_kept_but_for_the_attention_factor(text in extensions(), seed in 0_u64..1000, position in -1e6..1e6, length in 0.0..1e7) {
        let Ok(Encoding::Rotary(rope)) = Config::parse(&text).unwrap().0.build() else { return Ok(()) };
        let rope = rope.at_length(length);
        prop_assert!(rope.attention_factor() >= 1.0);
        let (x, _) = Vectors::Equal { seed }.pair(rope.head_dim());
        let y = rotated(&rope, &x, position);
        for k in 0..rope.inv_freq().len() {
            let ((i, j), (a, b)) = (rope.pair(k), rope.pair_out(k));
            prop_assert!(close(x[i].hypot(x[j]) * rope.attention_factor(), y[a].hypot(y[b]), 1e-14));
        }
        let rest = 2 * rope.inv_freq().len();
        prop_assert_eq!(&x[rest..], &y[rest..]);
    }

    #[test]
    fn scores_depend_on_the_offset_alone(text in extensions(), seed in 0_u64..1000, m in -100_000_i64..100_000, n in -100_000_i64..100_000, by in -100_000_i64..100_000, length in 0.0..1e7) {
        let Ok(Encoding::Rotary(rope)) = Config::parse(&text).unwrap().0.build() else { return Ok(()) };
        let rope = rope.at_length(length);
        let (q, k) = Vectors::Independent { seed }.pair(rope.head_dim());
        let score = |m: i64, n: i64| dot(&rotated(&rope, &q, m as f64), &rotated(&rope, &k, n as f64));
        let size = (dot(&q, &q) + dot(&k, &k)) * rope.attention_factor().powi(2);
        prop_assert!((score(m, n) - score(m + by, n + by)).abs() < 1e-13 * size);
        let profile = rope.profile(&q, &k).unwrap().scaled((rope.head_dim() as f64).sqrt());
        prop_assert!((score(m, n) - profile.at((m - n) as f64)).abs() < 1e-13 * size);
    }

    /// Whatever the length: finite, from 0 to 1, and no plane turns faster than plainly.
    #[test]
    fn no_plane_turns_faster(text in extensions(), length in prop_oneof![any::<f64>(), 0.0..1e8]) {
        let Ok(Encoding::Rotary(rope)) = Config::parse(&text).unwrap().0.build() else { return Ok(()) };
        let plain = rope.frequencies().unwrap().unscaled();
        let now = rope.inv_freq_at(length);
        prop_assert_eq!(now.len(), plain.len());
        for (w, plain) in now.iter().zip(&plain) {
            prop_assert!((0.0..=plain * (1.0 + 1e-15)).contains(w), "{text} {length}: {w} {plain}");
        }
        let there = rope.at_length(length);
        prop_assert_eq!(there.inv_freq(), &now[..]);
        if !rope.frequencies().unwrap().follow_length() {
            prop_assert_eq!(rope.at_length(length), rope);
        }
    }

    #[test]
    fn a_factor_of_one_changes_nothing(half in 2_i64..64, theta in 0.5..7.0, trained in 1..100_000, rope_type in prop::sample::select(vec!["linear", "ntk", "ntk-by-parts", "yarn", "yarn,ramp=paper", "llama3", "proportional", "longrope"])) {
        let text = format!("rope(head_dim={},rope_theta={},rope_type={rope_type},original_max_position_embeddings={trained},max_position_embeddings={trained})", 2 * half, 10_f64.powf(theta));
        let rope = rotary(&text);
        prop_assert_eq!(rope.attention_factor(), 1.0);
        prop_assert_eq!(rope.softmax_scale(4), 0.5);
        for (w, plain) in rope.inv_freq_at(1e9).iter().zip(rope.frequencies().unwrap().unscaled()) {
            prop_assert!(close(*w, plain, 1e-15), "{text}: {w} {plain}");
        }
    }

    /// A plane that turns slower by its divisor has a wavelength that is longer by it.
    #[test]
    fn divisors_lengthen_the_waves(text in extensions(), length in 0.0..1e7, trained in 1.0..1e6) {
        let Ok(Encoding::Rotary(rope)) = Config::parse(&text).unwrap().0.build() else { return Ok(()) };
        let (plain, freq) = (rope.frequencies().unwrap().unscaled(), rope.inv_freq_at(length));
        let divisors = divisors(&rope, length).unwrap();
        prop_assert_eq!(divisors.len(), freq.len());
        let slow: Vec<usize> = incomplete(&freq, trained).collect();
        for (k, by) in divisors.iter().enumerate() {
            prop_assert!(*by >= 1.0 - 1e-12);
            prop_assert!(freq[k] == 0.0 || close(wavelength(freq[k]), wavelength(plain[k]) * by, 1e-14));
            prop_assert_eq!(freq[k] == 0.0, wavelength(freq[k]).is_infinite());
            // Not a single turn, within rounding.
            let few = turns(freq[k], trained);
            prop_assert!(slow.contains(&k) == (few < 1.0) || (few - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn linear_divides_positions(half in 1_usize..64, factor in 1.0..100.0, position in -1e5..1e5, seed in 0_u64..1000) {
        let [linear, plain] = [format!(",rope_type=linear,factor={factor}"), String::new()].map(|more| rotary(&format!("rope(head_dim={}{more})", 2 * half)));
        let (x, _) = Vectors::Equal { seed }.pair(2 * half);
        let (a, b) = (rotated(&linear, &x, position), rotated(&plain, &x, position / factor));
        let within = 1e-15 * (1.0 + position.abs()) * dot(&x, &x).sqrt();
        prop_assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < within), "{a:?} {b:?}");
    }

    #[test]
    fn ntk_keeps_the_fastest_and_divides_the_slowest(half in 2_usize..256, theta in 0.0..8.0, factor in 1.0..1000.0) {
        let rope = rotary(&format!("rope(head_dim={},rope_theta={},rope_type=ntk,factor={factor})", 2 * half, 10_f64.powf(theta)));
        let plain = rope.frequencies().unwrap().unscaled();
        prop_assert_eq!(rope.inv_freq()[0], 1.0);
        prop_assert!(close(plain[half - 1] / rope.inv_freq()[half - 1], factor, 1e-12));
        // Geometric in between: divided by factor^(k/(half - 1)).
        for (k, (w, plain)) in rope.inv_freq().iter().zip(&plain).enumerate() {
            prop_assert!(close(plain / w, factor.powf(k as f64 / (half - 1) as f64), 1e-12));
        }
    }

    #[test]
    fn dynamic_follows_the_length(half in 2_usize..100, factor in 1.0..50.0, trained in 1_i64..100_000, times in 0.0..50.0) {
        let rope = rotary(&format!("rope(head_dim={},rope_type=dynamic,factor={factor},max_position_embeddings={trained})", 2 * half));
        let plain = rope.frequencies().unwrap().unscaled();
        let length = times * trained as f64;
        let now = rope.inv_freq_at(length);
        if times <= 1.0 {
            prop_assert_eq!(&now, &plain);
        } else {
            prop_assert!(close(plain[half - 1] / now[half - 1], factor * times - (factor - 1.0), 1e-9));
            prop_assert_eq!(now[0], 1.0);
        }
        // Longer is never faster.
        prop_assert!(rope.inv_freq_at(length * 1.5).iter().zip(&now).all(|(longer, now)| longer <= now));
    }

    /// The same formula under two names.
    #[test]
    fn llama3_is_ntk_by_parts(half in 1_usize..100, theta in 0.0..8.0, factor in 1.0..100.0, trained in 1_i64..1_000_000, low in 0.01..5.0, more in 0.0..60.0) {
        let rest = format!("head_dim={},rope_theta={},factor={factor},original_max_position_embeddings={trained}", 2 * half, 10_f64.powf(theta));
        let high = low + more;
        let llama3 = rotary(&format!("rope({rest},rope_type=llama3,low_freq_factor={low},high_freq_factor={high})"));
        let parts = rotary(&format!("rope({rest},rope_type=ntk-by-parts,beta_slow={low},beta_fast={high})"));
        prop_assert_eq!(llama3.inv_freq(), parts.inv_freq());
        // Its ends, by the wavelength as the model's code has them.
        for (w, plain) in llama3.inv_freq().iter().zip(llama3.frequencies().unwrap().unscaled()) {
            let wavelength = std::f64::consts::TAU / plain;
            if wavelength < trained as f64 / high * (1.0 - 1e-12) {
                prop_assert_eq!(*w, plain);
            } else if wavelength > trained as f64 / low * (1.0 + 1e-12) {
                prop_assert!(close(*w, plain / factor, 1e-15));
            }
        }
    }

    #[test]
    fn yarn_ramps_from_one_to_the_factor(half in 2_usize..128, theta in 3.0..7.0, factor in 1.0..100.0, trained in 512_i64..100_000, truncate in any::<bool>()) {
        let rest = format!("head_dim={},rope_theta={},factor={factor},original_max_position_embeddings={trained},rope_type=yarn", 2 * half, 10_f64.powf(theta));
        let code = rotary(&format!("rope({rest},truncate={truncate})"));
        let (low, high) = code.frequencies().unwrap().ramp_planes().unwrap();
        let plain = code.frequencies().unwrap().unscaled();
        let divisor = |k: usize| plain[k] / code.inv_freq()[k];
        prop_assume!(low < high);
        for k in 0..half {
            prop_assert!(k == 0 || divisor(k) >= divisor(k - 1) * (1.0 - 1e-14));
            if k as f64 <= low {
                prop_assert_eq!(divisor(k), 1.0);
            } else if k as f64 >= high {
                prop_assert!(close(divisor(k), factor, 1e-14));
            } else {
                // The frequency is linear in the plane's number between the two, as a share of the plain one.
                let share = (k as f64 - low) / (high - low);
                prop_assert!(close(1.0 / divisor(k), 1.0 - share * (1.0 - 1.0 / factor), 1e-13));
            }
        }
        // The paper's ramp, by turns; without thirds parties' numbers.
        let paper = rotary(&format!("rope({rest},ramp=paper)"));
        prop_assert_eq!(paper.attention_factor(), code.attention_factor());
        for (w, plain) in paper.inv_freq().iter().zip(&plain) {
            let turns = trained as f64 * plain / std::f64::consts::TAU;
            let kept = ((turns - 1.0) / 31.0).clamp(0.0, 1.0);
            prop_assert!(close(*w, kept * plain + (1.0 - kept) * plain / factor, 1e-14));
        }
    }

    #[test]
    fn longrope_switches_once(head in prop::sample::select(vec![("head_dim=96", "phi-3.5-mini"), ("head_dim=128,partial_rotary_factor=0.75", "phi-4-mini"), ("head_dim=20", "ntk")]), trained in 2_i64..10_000, times in 1_i64..100) {
        let rope = rotary(&format!("rope({},preset={},rope_type=longrope,original_max_position_embeddings={trained},max_position_embeddings={})", head.0, head.1, trained * times));
        let at = |length: i64| rope.at_length(length as f64);
        prop_assert_eq!(at(trained), rope.clone());
        prop_assert_eq!(at(1), rope.clone());
        prop_assert_eq!(at(trained + 1), at(trained * 1000));
        let square = 1.0 + (times as f64).ln() / (trained as f64).ln();
        prop_assert!(close(rope.attention_factor().powi(2), square, 1e-12));
        prop_assert_eq!(at(trained + 1).attention_factor(), rope.attention_factor());
    }

    #[test]
    fn proportional_keeps_the_fast_planes(half in 1_usize..100, share in 0.0..=1.0_f64, factor in 1.0..10.0) {
        let [rope, plain] = [format!(",rope_type=proportional,partial_rotary_factor={share},factor={factor}"), String::new()].map(|more| rotary(&format!("rope(head_dim={}{more})", 2 * half)));
        let kept = (share * half as f64) as usize;
        prop_assert_eq!(rope.inv_freq().len(), half);
        for (k, (w, plain)) in rope.inv_freq().iter().zip(plain.inv_freq()).enumerate() {
            prop_assert_eq!(*w, if k < kept { plain / factor } else { 0.0 });
        }
        // A plane that does not turn is paired like the others: nothing is a prefix.
        prop_assert_eq!(rope.pair(half - 1), (half - 1, 2 * half - 1));
    }

    #[test]
    fn xpos_is_rope_that_fades(half in 1_usize..40, seed in 0_u64..1000, base in 16.0..2000.0, m in -10_000_i64..10_000, offset in 0_i64..3000, layout in prop::sample::select(vec!["half", "interleaved", "interleaved-to-half"])) {
        let both = query_key(&format!("xpos(head_dim={},scale_base={base},layout={layout})", 2 * half));
        let rope = both.rotary().unwrap();
        prop_assert!(both.by_offset());
        let (q, k) = Vectors::Independent { seed }.pair(2 * half);
        let score = both.score(&q, &k, (m + offset) as f64, m as f64).unwrap();
        let size = (dot(&q, &q) + dot(&k, &k)) / (2.0 * half as f64).sqrt();
        prop_assert!((score - both.score(&q, &k, offset as f64, 0.0).unwrap()).abs() <= 1e-13 * size);
        // Plane by plane: the rotation's score times ζ^(δ/base).
        let mut expected = 0.0;
        for plane in 0..half {
            let (i, j) = rope.pair(plane);
            let (sin, cos) = (offset as f64 * rope.inv_freq()[plane]).sin_cos();
            let zeta = (2.0 * plane as f64 / (2.0 * half as f64) + 0.4) / 1.4;
            let fade = zeta.powf(offset as f64 / base);
            prop_assert!(close(both.query_magnitude(plane, offset as f64) * both.key_magnitude(plane, 0.0), fade, 1e-11));
            expected += fade * ((q[i] * k[i] + q[j] * k[j]) * cos + (q[i] * k[j] - q[j] * k[i]) * sin);
        }
        prop_assert!((score * (2.0 * half as f64).sqrt() - expected).abs() < 1e-9 * size * (2.0 * half as f64).sqrt(), "{score} {expected}");
        // The vectors themselves, as far as they are numbers.
        let (mut a, mut b) = (vec![0.0; 2 * half], vec![0.0; 2 * half]);
        both.query(&q, 300.0, &mut a).unwrap();
        both.key(&k, 300.0 - offset as f64, &mut b).unwrap();
        prop_assert!((dot(&a, &b) - expected).abs() < 1e-9 * (expected.abs() + dot(&q, &q) + dot(&k, &k)) , "{} {expected}", dot(&a, &b));
        both.query(&q, 1e12, &mut a).unwrap();
        both.key(&k, 1e12, &mut b).unwrap();
        prop_assert!(a.iter().chain(&b).all(|x| x.is_finite()));
    }

    /// As a function of the offset, near and far, and over runs of offsets.
    #[test]
    fn xpos_has_a_profile(half in 1_usize..20, seed in 0_u64..1000, base in 16.0..2000.0, from in -300_i64..5000, runs in prop::collection::vec(0_i64..3000, 1..6), samples in prop_oneof![Just(u64::MAX), 1_u64..100]) {
        let xpos = query_key(&format!("xpos(head_dim={},scale_base={base})", 2 * half));
        let (q, k) = Vectors::Independent { seed }.pair(2 * half);
        let profile = xpos.profile(&q, &k).unwrap().unwrap();
        let size = |offset: i64| {
            let planes = profile.profile().cos().iter().zip(profile.profile().sin()).enumerate();
            planes.map(|(p, (a, b))| (a.abs() + b.abs()) * profile.left(p, offset as f64)).sum::<f64>()
        };
        let score = |offset: i64| xpos.score(&q, &k, offset as f64, 0.0).unwrap();
        let mut edges = vec![from];
        edges.extend(runs.iter().scan(from, |at, run| { *at += run; Some(*at) }));
        for (run, range) in edges.windows(2).zip(profile.ranges(&edges, samples)) {
            prop_assert!((profile.at(run[0] as f64) - score(run[0])).abs() <= 1e-13 * size(run[0]));
            let (stride, count) = steps(run[0], run[1], samples);
            prop_assert_eq!(range.exact, stride == 1);
            let offsets = (0..count).map(|i| run[0] + (i * stride) as i64);
            let (mut min, mut max, mut most) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
            for offset in offsets {
                (min, max, most) = (min.min(score(offset)), max.max(score(offset)), most.max(size(offset)));
            }
            // Rounded to f32, after up to a thousand steps; the smallest of f32 have few digits.
            let allowed = 1e-6 * most + f64::from(f32::MIN_POSITIVE);
            prop_assert!((f64::from(range.min) - min).abs() <= allowed && (f64::from(range.max) - max).abs() <= allowed, "{range:?} {min} {max}");
        }
        prop_assert!(query_key("irope(layer=3)").profile(&q, &k).unwrap().is_none());
    }

    #[test]
    fn temperature_grows_in_steps(position in 0.0..1e7_f64, scale in 0.0..2.0, floor in 1.0..100_000.0_f64) {
        let t = irope::query_temperature(position, scale, floor);
        prop_assert!(close(t, 1.0 + scale * (1.0 + ((position + 1.0) / floor).floor()).ln(), 1e-13));
        prop_assert!(irope::query_temperature(position + 1.0, scale, floor) >= t);
        prop_assert_eq!(irope::query_temperature(-5.0, scale, floor), irope::query_temperature(0.0, scale, floor));
    }

    /// Of every convention: norms are kept, the score goes by the offsets, and a line is a rotation of one coordinate.
    #[test]
    fn rotations_of_a_place(
        text in prop_oneof![
            (1_usize..20, prop::sample::select(vec!["rope-vit", "timm", "qwen2-vl", "pixtral", "dinov3"])).prop_map(|(n, c)| format!("rope2d(head_dim={},convention={c})", 4 * n)),
            (1_usize..20, 0..20).prop_map(|(n, head)| format!("rope-mixed(head_dim={},head={head})", 4 * n)),
            (1_usize..40, any::<bool>()).prop_map(|(n, i)| format!("mrope(head_dim={},interleaved={i})", 2 * n)),
        ],
        seed in 0_u64..1000,
        places in prop::collection::vec(prop::collection::vec(-50_i32..50, 3), 3),
    ) {
        let rope = axial(&text);
        let n = rope.axes().len();
        let place = |i: usize| places[i][..n].iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
        let plus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
        let (q, k) = Vectors::Independent { seed }.pair(rope.head_dim());
        let at = |x: &[f64], place: &[f64]| {
            let mut out = vec![0.0; x.len()];
            rope.rotate(x, place, &mut out).unwrap();
            out
        };
        let size = dot(&q, &q) + dot(&k, &k);
        let (m, n, by) = (place(0), place(1), place(2));
        prop_assert!((dot(&at(&q, &m), &at(&q, &m)) - dot(&q, &q)).abs() < 1e-13 * size);
        let score = dot(&at(&q, &m), &at(&k, &n));
        prop_assert!((score - dot(&at(&q, &plus(&m, &by)), &at(&k, &plus(&n, &by)))).abs() < 1e-12 * size);
        let by_offset = rope.score(&q, &k, &minus(&m, &n)).unwrap() * (rope.head_dim() as f64).sqrt();
        prop_assert!((score - by_offset).abs() < 1e-12 * size);
        let line = rope.along(&m).unwrap();
        let (a, b) = (rotated(&line, &q, 3.0), at(&q, &m.iter().map(|x| 3.0 * x).collect::<Vec<_>>()));
        prop_assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12 * size));
        // Wrong lengths are errors.
        prop_assert!(rope.rotate(&q, &[1.0], &mut vec![0.0; q.len()]).is_err());
        prop_assert!(rope.sin_cos(0, &[]).is_err() && rope.along(&[]).is_err());
        prop_assert!(rope.rotate(&[], &m, &mut []).is_err());
    }

    /// timm's convention is rope-vit's with rows and columns exchanged.
    #[test]
    fn timm_exchanges_rows_and_columns(quarter in 1_usize..20, row in -20..20, column in -20..20) {
        let [vit, timm, qwen] = ["rope-vit", "timm", "qwen2-vl"].map(|c| axial(&format!("rope2d(head_dim={},convention={c})", 4 * quarter)));
        let (row, column) = (f64::from(row), f64::from(column));
        for k in 0..vit.planes() {
            prop_assert_eq!(timm.sin_cos(k, &[row, column]).unwrap(), vit.sin_cos(k, &[column, row]).unwrap());
            prop_assert_eq!(timm.freq(k), qwen.freq(k));
            prop_assert_eq!((timm.pair(k), qwen.pair(k)), ((2 * k, 2 * k + 1), (k, k + 2 * quarter)));
        }
    }

    /// Pixtral's rows and columns share one ladder, step by step.
    #[test]
    fn pixtral_deals_one_ladder_out(quarter in 1_usize..20) {
        let pixtral = axial(&format!("rope2d(head_dim={},rope_theta=10000,convention=pixtral)", 4 * quarter));
        let ladder = rotary(&format!("rope(head_dim={})", 4 * quarter));
        for k in 0..quarter {
            prop_assert_eq!(pixtral.freq(k), [ladder.inv_freq()[2 * k], 0.0]);
            prop_assert_eq!(pixtral.freq(quarter + k), [0.0, ladder.inv_freq()[2 * k + 1]]);
        }
    }

    /// The middle of the image is the same place at every odd resolution.
    #[test]
    fn dinov3_does_not_depend_on_the_resolution(height in 0_usize..20, width in 0_usize..20) {
        let rope = axial("rope2d(head_dim=16,convention=dinov3)");
        let grid = Grid { height: 2 * height + 1, width: 2 * width + 1 };
        prop_assert_eq!(rope.coordinates(grid, height, width).unwrap(), [0.0, 0.0]);
        let [top, _] = rope.coordinates(grid, 0, 0).unwrap();
        let [bottom, _] = rope.coordinates(grid, 2 * height, 0).unwrap();
        prop_assert!((top + bottom).abs() < 1e-14 && bottom < std::f64::consts::TAU);
        prop_assert!(rope.coordinates(grid, 2 * height + 1, 0).is_err());
    }

    #[test]
    fn text_in_mrope_is_rope(half in 1_usize..100, interleaved in any::<bool>(), theta in 0.0..8.0) {
        let theta = 10_f64.powf(theta);
        let mrope = axial(&format!("mrope(head_dim={},rope_theta={theta},interleaved={interleaved})", 2 * half));
        let rope = rotary(&format!("rope(head_dim={},rope_theta={theta})", 2 * half));
        let text = mrope.along(&[1.0; 3]).unwrap();
        prop_assert_eq!(text.inv_freq(), rope.inv_freq());
        // Each plane has one axis.
        prop_assert!((0..half).all(|k| mrope.freq(k).iter().filter(|w| **w != 0.0).count() == 1));
    }
}

#[test]
fn what_is_not_defined_is_refused_by_name() {
    for (text, key) in [
        ("rope(head_dim=3)", "head_dim"),
        ("rope(head_dim=2,rope_type=ntk,factor=4)", "head_dim"),
        ("rope(head_dim=2,rope_type=dynamic,factor=4)", "head_dim"),
        ("rope(head_dim=8,partial_rotary_factor=0.25,rope_type=ntk)", "head_dim"),
        ("rope(rope_theta=1,rope_type=yarn,factor=4)", "rope_theta"),
        ("rope(rope_type=yarn,beta_slow=33)", "beta_slow"),
        ("rope(rope_type=ntk-by-parts,beta_slow=2,beta_fast=1)", "beta_slow"),
        ("rope(rope_type=llama3,low_freq_factor=5)", "low_freq_factor"),
        ("rope(rope_type=longrope,preset=phi-3.5-mini)", "preset"),
        ("rope(rope_type=longrope,head_dim=8,short_factor=1:1:1)", "short_factor"),
        ("rope(rope_type=longrope,head_dim=8,long_factor=1:1:1:1:1)", "long_factor"),
        ("xpos(head_dim=5)", "head_dim"),
        ("irope(head_dim=5)", "head_dim"),
        ("irope(num_hidden_layers=4,layer=4)", "layer"),
        ("rope2d(head_dim=6)", "head_dim"),
        ("rope-mixed(head_dim=6)", "head_dim"),
        ("rope-mixed(head_dim=8,freqs_x=1:2:3:4)", "freqs_y"),
        ("rope-mixed(head_dim=8,freqs_x=1:2:3,freqs_y=1:2:3:4)", "freqs_x"),
        ("mrope(head_dim=5)", "head_dim"),
        ("mrope(mrope_section=16:24:23)", "mrope_section"),
        ("mrope(mrope_section=64)", "mrope_section"),
        ("mrope(head_dim=16,mrope_section=1:1:6,interleaved=true)", "mrope_section"),
    ] {
        assert_eq!(refused(text), key, "{text}");
    }
    // These are defined, though they look like division by zero.
    for text in [
        "rope(head_dim=2,rope_type=yarn,factor=4)",
        "rope(rope_theta=1,rope_type=yarn,factor=4,ramp=paper)",
        "rope(rope_type=llama3,low_freq_factor=1,high_freq_factor=1,factor=16)",
        "rope(rope_type=yarn,beta_fast=4,beta_slow=4,truncate=false,factor=4)",
        "rope(rope_type=yarn,original_max_position_embeddings=1,factor=4)",
        "rope(rope_type=longrope,original_max_position_embeddings=1)",
        "rope(head_dim=2,partial_rotary_factor=0.1,rope_type=ntk,factor=4)",
        "rope(rope_theta=10,head_dim=16,rope_type=yarn,original_max_position_embeddings=16777216,factor=4)",
    ] {
        let rope = rotary(text);
        assert!(rope.inv_freq_at(1e6).iter().all(|w| w.is_finite()) && rope.attention_factor().is_finite(), "{text}");
    }
}

/// The length comes in when an encoding is built, too.
#[test]
fn a_config_is_built_for_a_length() {
    let config = Config::parse("rope(rope_type=dynamic,factor=2)").unwrap().0;
    let at = |length: f64| match config.build_at(length).unwrap() {
        Encoding::Rotary(rope) => rope,
        _ => unreachable!(),
    };
    assert_eq!(at(4096.0), rotary("rope(rope_type=dynamic,factor=2)"));
    assert_eq!(at(8192.0), at(4096.0).at_length(8192.0));
    assert_ne!(at(8192.0), at(4096.0));
    assert!(matches!(Config::parse("sincos2d").unwrap().0.build_at(9.0), Ok(Encoding::Grid(_))));
}

/// Only what matters is offered: `truncate` needs the code's ramp, which needs `YaRN`.
#[test]
fn only_relevant_parameters_are_offered() {
    let offered = |text: &str| {
        let settings = Config::parse(text).unwrap().0.settings;
        let relevant = settings.specs().iter().filter(|spec| settings.relevant(spec)).map(|spec| spec.key);
        relevant.skip(5).collect::<Vec<_>>()
    };
    assert_eq!(offered("rope"), [""; 0]);
    assert_eq!(offered("rope(rope_type=linear)"), ["factor"]);
    assert_eq!(offered("rope(rope_type=dynamic)"), ["factor", "max_position_embeddings"]);
    let llama3 = ["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"];
    assert_eq!(offered("rope(rope_type=llama3)"), llama3);
    assert!(offered("rope(rope_type=yarn)").contains(&"truncate"));
    assert!(!offered("rope(rope_type=yarn,ramp=paper)").contains(&"truncate"));
    assert!(!offered("rope(rope_type=longrope)").contains(&"factor"));
}

/// The layers that a config calls `no_rope_layers`: 1 means that the layer rotates.
#[test]
fn every_fourth_layer_has_no_positions() {
    for layer in 0..48 {
        let encoding = build(&format!("irope(layer={layer})"));
        assert_eq!(matches!(encoding, Encoding::QueryKey(_)), layer % 4 == 3, "{layer}");
        assert_eq!(irope::rope_layers(48, 4)[layer], layer % 4 != 3);
    }
    assert_eq!(irope::rope_layers(3, 1), [false; 3]);
    assert_eq!(irope::rope_layers(2, 0), [false; 2]);
    let nope = query_key("irope(head_dim=2,layer=3)");
    assert!(!nope.by_offset() && query_key("irope(layer=3,attn_scale=0)").by_offset());
    assert!(nope.rotary().is_none());
    let score = |m: f64, n: f64| nope.score(&[1.0, 2.0], &[3.0, -1.0], m, n).unwrap() * 2.0_f64.sqrt();
    assert!((score(10.0, 3.0) - 1.0).abs() < 1e-15 && (score(8190.0, 9.0) - 1.0).abs() < 1e-15);
    assert!((score(8191.0, 9.0) - (1.0 + 0.1 * 2.0_f64.ln())).abs() < 1e-12);
    assert!(nope.query(&[1.0], 0.0, &mut [0.0, 0.0]).is_err() && nope.key(&[1.0, 1.0], 0.0, &mut [0.0]).is_err());
    // A rotating layer is RoPE.
    assert_eq!(rotary("irope").inv_freq(), rotary("rope(rope_theta=500000)").inv_freq(),);
}

/// The published initialisation: of each length two directions at a right angle, another angle for each head.
#[test]
fn rope_mixed_starts_in_directions() {
    for head in 0..8 {
        let rope = axial(&format!("rope-mixed(head_dim=16,head={head})"));
        for k in 0..4 {
            let (a, b) = (rope.freq(k), rope.freq(k + 4));
            let length = 10_f64.powf(-4.0 * k as f64 / 16.0);
            assert!(close(a[0].hypot(a[1]), length, 1e-14) && close(b[0].hypot(b[1]), length, 1e-14));
            assert!(dot(a, b).abs() < 1e-15);
        }
        let other = axial(&format!("rope-mixed(head_dim=16,head={head},freqs_seed=2)"));
        assert_ne!(rope, other);
        assert_ne!(rope, axial(&format!("rope-mixed(head_dim=16,head={})", head + 1)));
    }
}
