//! What must hold of the rotations that are not `RoPE`'s: those that fade, those of some layers only, those of a place with
//! several coordinates.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

mod common;

use common::{build, close, dot, rotary, rotated};
use posenc::{
    Encoding, QueryKey,
    grid::{AxialRotary, Grid},
    profile::steps,
    schemes::irope,
    vectors::Vectors,
};
use proptest::prelude::*;

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
proptest! {
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
