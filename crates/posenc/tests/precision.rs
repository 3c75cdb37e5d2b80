//! Rounding and angles in few bits, against the `half` crate, against what `numpy` and `ml_dtypes` compute, and against
//! published failures.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests")]

use posenc::precision::{Cast, Format, error, within_a_turn, worst};
use posenc::{Config, Encoding};
use proptest::prelude::*;
use serde_json::Value;

fn format(name: &str) -> Format {
    Format::ALL.into_iter().find(|format| format.name() == name).unwrap()
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap(),
    }
}

fn numpy(part: &str) -> Vec<Vec<Value>> {
    let all: Value = serde_json::from_str(include_str!("precision/numpy.json")).unwrap();
    let rows = all[part].as_array().unwrap();
    assert!(rows.len() > 100);
    rows.iter().map(|row| row.as_array().unwrap().clone()).collect()
}

#[test]
fn numbers_are_rounded_as_numpy_rounds_them() {
    for row in numpy("rounded") {
        let (format, given) = (format(row[0].as_str().unwrap()), number(&row[1]));
        let (rounded, expected) = (format.rounded(given), number(&row[2]));
        // The reader of JSON may miss the last bit of an f64.
        assert!(rounded == expected || (rounded / expected - 1.0).abs() < 4e-16, "{format:?} {given:e} {rounded:e}");
    }
}

#[test]
fn angles_are_those_of_numpy() {
    for row in numpy("angles") {
        let (format, position, freq) =
            (format(row[0].as_str().unwrap()), row[1].as_u64().unwrap(), row[2].as_f64().unwrap());
        let (angle, exact) = (number(&row[3]), position as f64 * freq);
        let off = error(format, Cast::All, position, freq);
        // The difference of two numbers of some size is known to a part in 10¹⁵ of that size.
        let near = (off - (angle - exact)).abs() <= 4e-16 * exact.max(angle.min(1e9));
        assert!(near || (off.is_infinite() && angle.is_infinite()), "{format:?} {position} {freq}: {off} {angle}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn numbers_are_rounded_as_the_half_crate_rounds_them(bits in any::<u32>(), small in -70_000.0..70_000.0_f32) {
        // From f32: from f64 that crate first drops bits, and a number just past the middle falls on it.
        for x in [f32::from_bits(bits), small] {
            prop_assume!(!x.is_nan());
            prop_assert_eq!(Format::F16.rounded(f64::from(x)), half::f16::from_f32(x).to_f64());
            prop_assert_eq!(Format::Bf16.rounded(f64::from(x)), half::bf16::from_f32(x).to_f64());
        }
    }

    #[test]
    fn the_nearest_number_is_taken(x in -1e5..1e5_f64) {
        prop_assert_eq!(Format::F32.rounded(x), f64::from(x as f32));
        prop_assert_eq!(Format::F64.rounded(x), x);
        for format in Format::ALL {
            let rounded = format.rounded(x);
            prop_assert_eq!(format.rounded(rounded), rounded, "it is one of the format's");
            prop_assert_eq!(format.rounded(-x), -rounded);
            if rounded.is_finite() && x.abs() > 1e-3 {
                prop_assert!((rounded - x).abs() <= x.abs() * libm::scalbn(1.0, -(format.bits() as i32)));
            }
        }
    }

    #[test]
    fn numbers_that_are_shared_lie_side_by_side(position in 0..70_000_u64) {
        for format in Format::ALL {
            let Some((first, last)) = format.sharing(position) else {
                prop_assert!(format == Format::F16 && position > 65_504);
                continue;
            };
            let at = |p: u64| format.rounded(p as f64);
            prop_assert!(first <= position && position <= last);
            prop_assert!((first..=last).all(|p| at(p) == at(position)));
            prop_assert!((first == 0 || at(first - 1) != at(position)) && at(last + 1) != at(position));
            prop_assert!(position >= format.last_whole() || first == last);
        }
    }
}

#[test]
fn whole_numbers_collide_past_256_in_bf16() {
    let last = Format::ALL.map(|format| (format.name(), format.last_whole()));
    assert_eq!(last, [("f64", 1 << 53), ("f32", 16_777_216), ("f16", 2048), ("bf16", 256)]);
    for format in [Format::F32, Format::F16, Format::Bf16] {
        let last = format.last_whole();
        assert_eq!(format.sharing(last), Some((last, last + 1)));
        assert_eq!(format.sharing(last - 1), Some((last - 1, last - 1)));
    }
    assert_eq!((Format::F16.greatest(), Format::F16.sharing(65_520)), (65_504.0, None));
    assert_eq!(Format::F32.greatest(), f64::from(f32::MAX));
    assert_eq!(Format::F64.greatest(), f64::MAX);
    assert_eq!(Format::Bf16.greatest(), half::bf16::MAX.to_f64());
    // ALiBi in bfloat16: keys 256 and 257 tie.
    assert_eq!(Format::Bf16.rounded(256.0), Format::Bf16.rounded(257.0));
}

/// "float32: max angle error 1.4e-4 at p=4095, 4.2e-3 at 131,071, 5.2e-2 at 1e6 (128 dims)".
#[test]
fn float32_loses_what_was_measured() {
    let (config, _) = Config::parse("sinusoidal(d_model=128)").unwrap();
    let Encoding::Absolute(table) = config.build().unwrap() else { unreachable!() };
    let freq = table.waves().unwrap().freq();
    for (position, expected) in [(4095, 1.4e-4), (1_000_000, 5.2e-2)] {
        let most = worst(Format::F32, Cast::All, position, freq).unwrap().1;
        assert!((most / expected - 1.0_f64).abs() < 0.05, "{position}: {most:e}");
    }
    // In between it was 4.2e-3 with frequencies that were made by powers in float32, and so were off by more than a half of
    // their last bit. Here they are rounded once.
    let most = worst(Format::F32, Cast::All, 131_071, freq).unwrap().1;
    assert!((2e-3..4.2e-3).contains(&most), "{most:e}");
    let (plane, most) = worst(Format::F32, Cast::All, 4095, freq).unwrap();
    assert_eq!(error(Format::F32, Cast::All, 4095, freq[plane]).abs(), most);
    assert_eq!(worst(Format::F32, Cast::All, 1, &[]), None);
}

/// EleutherAI/gpt-neox#1003: the outer product in fp16 makes 1044.2678 to 1045, so that the cosine has the wrong sign.
#[test]
fn the_failure_of_gpt_neox_is_reproduced() {
    let freq = libm::pow(10_000.0, -1.0 / 16.0);
    let exact = 1857.0 * freq;
    assert!((exact - 1044.2678).abs() < 1e-4);
    let off = error(Format::F16, Cast::All, 1857, freq);
    assert!((exact + off - 1045.0).abs() < 1e-9, "{off}");
    assert!(libm::cos(exact) > 0.3 && libm::cos(exact + off) < -0.4);
}

#[test]
fn what_is_cast_last_is_off_by_a_last_bit() {
    for position in [1, 1000, 100_000] {
        for freq in [1.0, 0.3, 1e-4] {
            for (format, most) in [(Format::F32, 1e-7), (Format::F16, 1e-3), (Format::Bf16, 6e-3)] {
                assert!(error(format, Cast::Table, position, freq).abs() < most, "{format:?} {position} {freq}");
            }
        }
    }
    // f64 keeps the whole product but for its last bit; nothing of it is lost by casting positions or frequencies.
    assert!(error(Format::F64, Cast::All, 999_983, 0.1).abs() < 1e-11);
    assert_eq!([Cast::Positions, Cast::Frequencies].map(|cast| error(Format::F64, cast, 999_983, 0.1)), [0.0; 2]);
    // Past its greatest number f16 has no angle at all.
    assert!(error(Format::F16, Cast::All, 70_000, 0.0).is_infinite());
    assert_eq!(worst(Format::F16, Cast::Positions, 70_000, &[1.0, 0.5]), Some((0, f64::INFINITY)));
}

#[test]
fn an_error_is_a_share_of_a_turn() {
    use std::f64::consts::TAU;
    assert!((within_a_turn(TAU * 3.25) - 0.25).abs() < 1e-12 && (within_a_turn(-TAU * 0.75) - 0.25).abs() < 1e-12);
    assert_eq!(within_a_turn(f64::INFINITY), 0.5);
}
