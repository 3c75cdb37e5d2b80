//! What popular write-ups say of these schemes, and the numbers that settle it.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{Absolute, Config, Encoding, Rotary, profile::Profile};

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
    // The best α·PE(p) + β·PE(k), fitted anew at each p, misses by more than half.
    for p in [1, 10, 100] {
        let (a, b, target) = (row(p), row(3), row(p + 3));
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let (aa, ab, bb, at, bt) = (dot(&a, &a), dot(&a, &b), dot(&b, &b), dot(&a, &target), dot(&b, &target));
        let determinant = aa * bb - ab * ab;
        let (alpha, beta) = ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant);
        let miss = (0..8).map(|i| (alpha * a[i] + beta * b[i] - target[i]).abs()).fold(0.0, f64::max);
        assert!(miss > 0.5, "{p}: {miss}");
    }
}

/// "Relative positions extrapolate." `RoPE` is relative, and its slow planes never finish a turn within a usual training
/// length: beyond it they meet angles that were never seen.
#[test]
fn slow_planes_never_complete_a_turn() {
    let rope = rotary("rope");
    let unseen = |length: f64| rope.inv_freq().iter().filter(|w| std::f64::consts::TAU / **w > length).count();
    assert_eq!([unseen(512.0), unseen(2048.0), unseen(4096.0)], [33, 23, 18]);
    // Mean cosine over the planes, which is the score of equal q and k of one weight: no monotone decay either.
    let mean = Profile::new(rope.inv_freq().to_vec(), vec![1.0 / 64.0; 64], vec![0.0; 64], 0.0);
    let expected = [(0.0, 1.0), (512.0, 0.219_424_372_6), (4096.0, -0.052_853_342_57), (65_536.0, -0.007_479_501_67)];
    for (offset, score) in expected {
        assert!((mean.at(offset) - score).abs() < 1e-10, "{offset}: {}", mean.at(offset));
    }
}

/// Without positions there is nothing to compute: outputs move with the inputs because no number depends on the place.
#[test]
fn none_has_no_positions() {
    assert!(matches!(Config::parse("none").unwrap().0.build().unwrap(), Encoding::None));
}
