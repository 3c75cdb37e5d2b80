//! The fast paths against the slow and obvious ones.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input has failed")]

use posenc::{
    phase,
    profile::{Profile, Range},
    waves::{Column, Waves},
};
use proptest::prelude::*;

/// Sines and cosines of exact products, by mpmath at 300 bits.
#[test]
fn sin_cos_is_that_of_the_exact_product() {
    let mut cases = 0;
    for line in include_str!("data/sin_cos.txt").lines().filter(|line| !line.starts_with('#')) {
        let [position, freq, sin, cos] =
            line.split(' ').map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>().try_into().unwrap();
        let (s, c) = phase::sin_cos(position, freq);
        assert!((s - sin).abs() < 3e-16 && (c - cos).abs() < 3e-16, "{line}: {s} {c}");
        cases += 1;
    }
    assert!(cases > 100);
}

#[test]
fn sin_cos_of_what_is_not_finite_is_nan() {
    for (position, freq) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, f64::NEG_INFINITY), (1e300, 1e300)] {
        let (sin, cos) = phase::sin_cos(position, freq);
        assert!(sin.is_nan() && cos.is_nan(), "{position} {freq}: {sin} {cos}");
    }
    assert_eq!(phase::sin_cos(0.0, 3.0), (0.0, 1.0));
    // Past 2^53 it is no worse than libm.
    assert_eq!(phase::sin_cos(1e17, 0.3), libm::sincos(1e17 * 0.3));
}

/// Means and variances of waves over runs, by mpmath at 300 bits: near multiples of 2π, too.
#[test]
fn fading_is_exact() {
    let mut cases = 0;
    for line in include_str!("data/fading.txt").lines().filter(|line| !line.starts_with('#')) {
        let [count, freq, mean, v_cos, v_sin] =
            line.split(' ').map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>().try_into().unwrap();
        let got = phase::fading(count as u64, freq);
        assert!((got - mean).abs() < 1e-14, "{line}: {got}");
        let (cos, sin) = phase::fading_variances(count as u64, freq);
        assert!((cos - v_cos).abs() < 1e-14 && (sin - v_sin).abs() < 1e-14, "{line}: {cos} {sin}");
        cases += 1;
    }
    assert!(cases >= 60);
    assert_eq!((phase::fading(0, 3.0), phase::fading(1, 3.0), phase::fading(10, 0.0)), (1.0, 1.0, 1.0));
    assert_eq!(phase::fading_variances(1, 3.0), (0.0, 0.0));
}

/// Columns in any order, with constants among them.
fn columns(planes: usize) -> impl Strategy<Value = Vec<Column>> {
    let any = prop_oneof![
        (0..planes).prop_map(Column::Sin),
        (0..planes).prop_map(Column::Cos),
        Just(Column::Constant(0.5)),
        Just(Column::Constant(f64::NAN)),
    ];
    prop_oneof![
        Just((0..planes).flat_map(|k| [Column::Sin(k), Column::Cos(k)]).collect::<Vec<_>>()),
        Just((0..planes).flat_map(|k| [Column::Cos(k), Column::Sin(k)]).collect::<Vec<_>>()),
        Just((0..planes).map(Column::Sin).chain((0..planes).map(Column::Cos)).collect::<Vec<_>>()),
        Just((0..planes).map(Column::Cos).chain((0..planes).map(Column::Sin)).collect::<Vec<_>>()),
        prop::collection::vec(any, 1..20),
    ]
}

fn waves() -> impl Strategy<Value = Waves> {
    let freq = prop_oneof![
        8 => (-5.0..0.6).prop_map(|x: f64| 10_f64.powf(x)),
        1 => Just(0.0),
        1 => Just(std::f64::consts::PI),
        1 => Just(2.0 * std::f64::consts::PI),
    ];
    (1_usize..9).prop_flat_map(move |planes| {
        (prop::collection::vec(freq.clone(), planes), columns(planes))
            .prop_map(|(freq, columns)| Waves::new(freq, columns))
    })
}

fn same(a: f32, b: f64, within: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a as f64 - b).abs() <= within
}

/// Half a unit in the last place of an f32 near 1.
const F32: f64 = 6e-8;

proptest! {
    /// The recurrence, rounded to f32, is what the exact sine would be rounded to, but for ties.
    #[test]
    fn fill_is_exact(waves in waves(), start in -3_000_000_i64..3_000_000, quarter_steps in 1_i64..80, rows in 1_usize..150) {
        let width = waves.columns().len();
        let step = quarter_steps as f64 / 4.0;
        let mut table = vec![0.0; rows * width];
        waves.fill(start as f64, step, &mut table);
        for (i, cell) in table.iter().enumerate() {
            let exact = waves.at(start as f64 + (i / width) as f64 * step, i % width);
            // 1e-12 beside the rounding to f32, which is at most half a unit of the cell's own last place.
            let unit = (exact.abs() as f32).to_bits().checked_add(1).map_or(0.0, |b| f32::from_bits(b) as f64 - (exact.abs() as f32) as f64);
            prop_assert!(same(*cell, exact, unit / 2.0 + 1e-12), "row {} column {}: {cell} {exact}", i / width, i % width);
        }
    }

    #[test]
    fn mean_and_spread_are_those_of_the_rows(waves in waves(), start in -1_000_000_i64..1_000_000, run in 1_u64..300, rows in 1_usize..40, left in 0_u64..300) {
        let width = waves.columns().len();
        let total = ((rows as u64 - 1) * run + 1 + left % run) as usize;
        let (mut mean, mut spread) = (vec![9.0; (rows + 1) * width], vec![9.0; (rows + 1) * width]);
        waves.fill_mean_of(start as f64, run, total as u64, &mut mean);
        waves.fill_spread_of(start as f64, run, total as u64, &mut spread);
        for row in 0..=rows {
            let positions = (row * run as usize)..((row + 1) * run as usize).min(total);
            for c in 0..width {
                let cell = row * width + c;
                if positions.is_empty() {
                    prop_assert!(mean[cell].is_nan() && spread[cell].is_nan());
                    continue;
                }
                let n = positions.len() as f64;
                let values: Vec<f64> = positions.clone().map(|i| waves.at((start + i as i64) as f64, c)).collect();
                let m = values.iter().sum::<f64>() / n;
                let sd = (values.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / n).sqrt();
                prop_assert!(same(mean[cell], m, F32), "mean {} {m}", mean[cell]);
                prop_assert!(same(spread[cell], sd, F32), "spread {} {sd}", spread[cell]);
            }
        }
        // Without a total, the last run goes on past the end.
        let mut open = vec![0.0; rows * width];
        waves.fill_mean(start as f64, run, &mut open);
        for c in 0..width {
            let m = (0..run).map(|j| waves.at((start + ((rows as u64 - 1) * run + j) as i64) as f64, c)).sum::<f64>() / run as f64;
            prop_assert!(same(open[(rows - 1) * width + c], m, F32));
        }
    }

    #[test]
    fn selected_columns_are_those_of_the_whole(waves in waves(), from in 0_usize..20, to in 0_usize..24) {
        let part = waves.select(from..to);
        let end = to.min(waves.columns().len());
        prop_assert_eq!(part.columns().len(), end.saturating_sub(from));
        for c in 0..part.columns().len() {
            prop_assert_eq!(part.at(77.0, c).to_bits(), waves.at(77.0, from + c).to_bits());
        }
    }
}

/// Small relative spread must not drown in cancellation.
#[test]
fn spread_of_a_slow_wave_is_relatively_exact() {
    for freq in [1e-7, 1e-5, 1e-3] {
        for run in [2_u64, 10, 100, 1000] {
            let waves = Waves::new(vec![freq], vec![Column::Sin(0), Column::Cos(0)]);
            for start in [0, 7, 100_000] {
                let mut spread = [0.0; 2];
                waves.fill_spread(start as f64, run, &mut spread);
                for (c, got) in spread.iter().enumerate() {
                    // Differences from the middle, by the formulas of sums, so that this does not cancel either.
                    let middle = start as f64 + (run - 1) as f64 / 2.0;
                    let n = run as f64;
                    let value = |j: u64| {
                        let half = (start as f64 + j as f64 - middle) * freq / 2.0;
                        let other = middle * freq + half;
                        if c == 0 { 2.0 * half.sin() * other.cos() } else { -2.0 * half.sin() * other.sin() }
                    };
                    let mean = (0..run).map(value).sum::<f64>() / n;
                    let sd = ((0..run).map(|j| (value(j) - mean).powi(2)).sum::<f64>() / n).sqrt();
                    assert!((*got as f64 - sd).abs() <= 1e-6 * sd, "{freq} {run} {start} {c}: {got} {sd}");
                }
            }
        }
    }
}

#[test]
fn columns_without_a_plane_are_nan() {
    let waves = Waves::new(vec![1.0], vec![Column::Sin(1), Column::Cos(0)]);
    let mut row = [0.0; 2];
    waves.fill(0.0, 1.0, &mut row);
    assert!(row[0].is_nan());
    assert_eq!(row[1], 1.0);
    assert!(waves.at(0.0, 2).is_nan());
}

fn profiles() -> impl Strategy<Value = Profile> {
    (1_usize..40).prop_flat_map(|planes| {
        (
            prop::collection::vec((-6.0..0.5).prop_map(|x: f64| 10_f64.powf(x)), planes),
            prop::collection::vec(-1.0..1.0, planes),
            prop::collection::vec(-1.0..1.0, planes),
            -1.0..1.0,
        )
            .prop_map(|(freq, cos, sin, constant)| Profile::new(freq, cos, sin, constant))
    })
}

/// What a score may be off by: f32 sums.
fn size(profile: &Profile) -> f64 {
    profile.cos().iter().chain(profile.sin()).map(|x| x.abs()).sum::<f64>() + profile.constant().abs()
}

fn brute(profile: &Profile, start: i64, end: i64, stride: i64) -> Range {
    let mut range = Range { min: f32::INFINITY, max: f32::NEG_INFINITY, exact: stride == 1 };
    let mut at = start;
    loop {
        let score = profile.at(at as f64) as f32;
        range = Range { min: range.min.min(score), max: range.max.max(score), exact: range.exact };
        at += stride;
        if at >= end {
            return range;
        }
    }
}

fn edges() -> impl Strategy<Value = Vec<i64>> {
    let lengths = prop_oneof![
        prop::collection::vec(0_i64..5, 1..60),
        prop::collection::vec(60_i64..70, 1..20),
        prop::collection::vec(0_i64..1500, 1..6),
        (1_usize..14).prop_map(|n| (0..n).map(|i| 1_i64 << (i * 2 / 3)).collect()),
    ];
    (-10_000_000_i64..10_000_000, lengths).prop_map(|(start, lengths)| {
        let mut edges = vec![start];
        for length in lengths {
            edges.push(edges[edges.len() - 1] + length);
        }
        edges
    })
}

proptest! {
    #[test]
    fn ranges_are_those_of_every_offset(profile in profiles(), edges in edges()) {
        let ranges = profile.ranges(&edges, u64::MAX);
        prop_assert_eq!(ranges.len(), edges.len() - 1);
        let within = 2e-6 * size(&profile);
        // In one go, and run by run in descending order.
        let mut ranger = profile.ranger();
        for (i, range) in ranges.iter().enumerate().rev() {
            let expected = brute(&profile, edges[i], edges[i + 1], 1);
            for got in [*range, ranger.range(edges[i], edges[i + 1], u64::MAX)] {
                prop_assert!(got.exact);
                prop_assert!(same(got.min, expected.min as f64, within), "{got:?} {expected:?}");
                prop_assert!(same(got.max, expected.max as f64, within), "{got:?} {expected:?}");
            }
        }
    }

    #[test]
    fn sampled_ranges_are_those_of_the_sample(profile in profiles(), edges in edges(), samples in 1_u64..100) {
        let within = 2e-6 * size(&profile);
        for (i, range) in profile.ranges(&edges, samples).iter().enumerate() {
            let n = (edges[i + 1] - edges[i]) as u64;
            let stride = n.div_ceil(samples).max(1).next_power_of_two();
            prop_assert!(n.div_ceil(stride) <= samples);
            let expected = brute(&profile, edges[i], edges[i + 1], stride as i64);
            prop_assert_eq!(range.exact, n <= samples);
            prop_assert!(same(range.min, expected.min as f64, within), "{range:?} {expected:?}");
            prop_assert!(same(range.max, expected.max as f64, within), "{range:?} {expected:?}");
        }
    }

    #[test]
    fn profile_mean_is_that_of_every_offset(profile in profiles(), start in -1_000_000_i64..1_000_000, count in 0_u64..400) {
        let n = count.max(1);
        let expected = (0..n).map(|j| profile.at((start + j as i64) as f64)).sum::<f64>() / n as f64;
        prop_assert!((profile.mean(start, count) - expected).abs() < 1e-12 * size(&profile).max(1.0));
    }

    #[test]
    fn aimed_is_the_profile_elsewhere(profile in profiles(), by in -1000.0..1000.0, offset in -1000.0..1000.0) {
        let (aimed, exact) = (profile.aimed(by).at(offset), profile.at(offset - by));
        prop_assert!((aimed - exact).abs() < 1e-11 * size(&profile).max(1.0), "{aimed} {exact}");
    }
}

/// A million columns far out, in ascending order: the phases must not drift.
#[test]
fn ranger_does_not_drift() {
    let freq: Vec<f64> = (0..64).map(|k| 10_000_f64.powf(-f64::from(k) / 64.0)).collect();
    let profile = Profile::new(freq, vec![1.0; 64], vec![0.5; 64], 0.0);
    let mut ranger = profile.ranger();
    for i in 0..20_000_i64 {
        let (start, end) = (9_000_000 + 3 * i, 9_000_000 + 3 * i + 3);
        let got = ranger.range(start, end, u64::MAX);
        if i % 97 == 0 {
            let expected = brute(&profile, start, end, 1);
            assert!((got.min - expected.min).abs() < 1e-4 && (got.max - expected.max).abs() < 1e-4, "{i}");
        }
    }
}

#[test]
fn odd_edges_are_no_trouble() {
    let profile = Profile::new(vec![0.3], vec![1.0], vec![0.0], 0.0);
    assert_eq!(profile.ranges(&[], 1), []);
    assert_eq!(profile.ranges(&[5], 1), []);
    // Descending counts as empty; so does a length that does not fit.
    let range = profile.ranges(&[5, 3], 10)[0];
    assert!((range.min as f64 - profile.at(5.0)).abs() < 1e-6 && range.min == range.max);
    // No samples are one.
    assert_eq!(profile.ranges(&[0, 100], 0)[0].max, 1.0);
    // Far and long, with few samples: it ends.
    assert!(profile.ranges(&[i64::MIN, i64::MAX, i64::MAX], 64).len() == 2);
    // No planes at all.
    let flat = Profile::new(vec![], vec![], vec![], 2.5);
    assert_eq!(flat.ranges(&[0, 1000], u64::MAX)[0], Range { min: 2.5, max: 2.5, exact: true });
}
