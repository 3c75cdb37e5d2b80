//! What the tests of rotations share.

use posenc::{Config, Encoding, Rotary};

/// What a scheme computes; its text is taken as it is given.
pub(crate) fn build(text: &str) -> Encoding {
    let (config, repairs) = Config::parse(text).unwrap();
    assert_eq!(repairs, [], "{text}");
    config.build().unwrap()
}

pub(crate) fn rotary(text: &str) -> Rotary {
    match build(text) {
        Encoding::Rotary(rotary) => rotary,
        _ => unreachable!("{text} rotates"),
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn close(a: f64, b: f64, rel: f64) -> bool {
    (a - b).abs() <= rel * a.abs().max(b.abs())
}

pub(crate) fn rotated(rope: &Rotary, x: &[f64], position: f64) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    rope.rotate(x, position, &mut out).unwrap();
    out
}
