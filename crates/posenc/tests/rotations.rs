//! What must hold of context extension.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

mod common;

use common::{close, dot, rotary, rotated};
use posenc::{
    Config, Encoding, Error,
    planes::{divisors, incomplete, turns, wavelength},
    vectors::Vectors,
};
use proptest::prelude::*;

/// Which parameter is refused.
fn refused(text: &str) -> &'static str {
    match Config::parse(text).unwrap().0.build() {
        Err(Error::Parameter { key, .. }) => key,
        other => unreachable!("{text}: {other:?}"),
    }
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
