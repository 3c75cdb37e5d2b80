//! What is found in tables, beside what numpy finds in them, and in tables of which it is known.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests")]

use posenc::analysis::{Analysis, Found, MOST_ROWS, WIDE};
use posenc::{Config, Encoding};
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

fn analyse(columns: usize, rows: &[f32], components: usize) -> Found {
    let mut analysis = Analysis::new(columns, rows, components);
    let mut last = 0.0;
    for _ in 0..1_000_000 {
        let done = analysis.done();
        assert!((last..=1.0 + 1e-9).contains(&done), "{done} after {last}");
        last = done;
        if analysis.step() {
            break;
        }
    }
    analysis.finish()
}

/// Rows of a scheme that has any number of them.
fn rows_of(scheme: &str, rows: usize) -> (usize, Vec<f32>) {
    let config = Config::parse(scheme).unwrap().0;
    let built = match config.build() {
        Err(posenc::Error::NeedsData(asset)) => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/data");
            (asset.decode)(&std::fs::read(folder.join(asset.file)).unwrap())
        }
        built => built,
    };
    let Encoding::Absolute(table) = built.unwrap() else { unreachable!("{scheme}") };
    let mut out = vec![0.0; rows * table.width()];
    table.fill(0.0, 1.0, &mut out);
    (table.width(), out)
}

/// As `tests/tools/analysis.py` makes them.
fn random(rows: usize, columns: usize) -> Vec<f32> {
    let mut state = 1_u32;
    (0..rows * columns)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (f64::from(state >> 8) / f64::from(1 << 23) - 1.0) as f32
        })
        .collect()
}

fn near(given: f64, wanted: &Value, within: f64, what: &str) {
    let wanted = wanted.as_f64().unwrap();
    assert!((given - wanted).abs() <= within, "{what}: {given} and {wanted}");
}

#[test]
fn tables_have_what_numpy_finds_in_them() {
    let all: Value = serde_json::from_str(include_str!("data/analysis.json")).unwrap();
    let mut seen = 0;
    for (name, wanted) in all.as_object().unwrap() {
        let (columns, rows) = match name.as_str() {
            "minilm" => rows_of("learned(table=minilm)", 512),
            "rxnmapper" => rows_of("learned(table=rxnmapper)", 512),
            "random-48-64" => (64, random(48, 64)),
            "random-64-20" => (20, random(64, 20)),
            other => unreachable!("{other}"),
        };
        let found = analyse(columns, &rows, 6);
        for (i, distance) in wanted["distances"].as_array().unwrap().iter().enumerate() {
            let distance = distance.as_u64().unwrap() as usize;
            near(found.mean[distance], &wanted["mean"][i], 1e-12, &format!("{name}: mean at {distance}"));
            near(found.spread[distance], &wanted["spread"][i], 1e-7, &format!("{name}: spread at {distance}"));
        }
        near(found.toeplitz, &wanted["toeplitz"], 1e-10, &format!("{name}: Toeplitz share"));
        near(found.rank, &wanted["rank"], 1e-8, &format!("{name}: rank"));
        let nearest: Vec<u64> = found.nearest.iter().map(|near| near[0] as u64).collect();
        let theirs: Vec<u64> =
            wanted["nearest"].as_array().unwrap().iter().map(|near| near.as_u64().unwrap()).collect();
        assert_eq!(nearest, theirs, "{name}");
        assert_eq!(found.components.len(), 6);
        assert!((found.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (k, (component, wanted)) in
            found.components.iter().zip(wanted["components"].as_array().unwrap()).enumerate()
        {
            let what = format!("{name}: component {k}");
            near(component.share, &wanted["share"], 1e-12, &what);
            near(component.period, &wanted["period"], 1e-9, &what);
            near(component.purity, &wanted["purity"], 1e-6, &what);
            let step = (component.along.len() / 8).max(1);
            for (x, wanted) in component.along.iter().step_by(step).zip(wanted["along"].as_array().unwrap()) {
                near(*x, wanted, 1e-6, &what);
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 24);
}

#[test]
fn of_sinusoids_the_cosine_depends_on_the_distance_alone() {
    let (columns, rows) = rows_of("sinusoidal(d_model=32)", 128);
    let found = analyse(columns, &rows, 4);
    assert!((found.toeplitz - 1.0).abs() < 1e-9, "{}", found.toeplitz);
    assert!(found.spread.iter().all(|spread| *spread < 1e-6));
    assert_eq!(found.next_to_it(), 1.0);
    let waves: f64 = (0..16).map(|k| libm::cos(libm::pow(10_000.0, -f64::from(k) / 16.0))).sum();
    assert!((found.mean[1] - waves / 16.0).abs() < 1e-7);
}

#[test]
fn rows_that_have_nothing_to_do_with_each_other_have_no_toeplitz_share() {
    let found = analyse(64, &random(400, 64), 2);
    assert!(found.toeplitz.abs() < 3.0 * 2.0 / 400.0, "{}", found.toeplitz);
    // All directions count alike.
    assert!(found.rank > 55.0 && found.rank <= 64.0, "{}", found.rank);
}

#[test]
fn one_wave_is_two_components_of_its_period() {
    let turn = |p: usize| std::f64::consts::TAU * p as f64 / 8.0;
    let rows: Vec<f32> =
        (0..64).flat_map(|p| [libm::cos(turn(p)), libm::sin(turn(p)), 0.0].map(|x| x as f32)).collect();
    let found = analyse(3, &rows, 5);
    assert_eq!(found.components.len(), 2);
    assert!((found.rank - 2.0).abs() < 1e-6, "{}", found.rank);
    for component in &found.components {
        assert!((component.share - 0.5).abs() < 1e-7 && component.period == 8.0 && component.purity > 1.0 - 1e-9);
    }
    // At right angles, and each of length 1.
    let [a, b] = [&found.components[0].along, &found.components[1].along];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    assert!(dot(a, b).abs() < 1e-9 && (dot(a, a) - 1.0).abs() < 1e-12);
}

#[test]
fn rows_along_one_line_are_of_rank_one() {
    let rows: Vec<f32> = (1..=20).flat_map(|p| [1.0, -2.0, 0.5].map(|x| x * p as f32)).collect();
    let found = analyse(3, &rows, 4);
    assert!((found.rank - 1.0).abs() < 1e-9 && found.components.len() == 1);
    assert!(found.toeplitz.is_nan() && found.mean.iter().all(|cosine| (cosine - 1.0).abs() < 1e-12));
}

#[test]
fn odd_tables_have_an_answer() {
    for (columns, rows) in [
        (3, vec![]),
        (1, vec![1.0]),
        (2, vec![0.0; 8]),
        (2, vec![f32::NAN; 8]),
        (2, vec![1.0; 8]),
        (2, vec![f32::MAX, -f32::MAX, f32::MIN_POSITIVE, 1e-45]),
        (5, vec![1.0, 2.0]),
    ] {
        let found = analyse(columns, &rows, 3);
        assert_eq!(found.nearest.len(), rows.len() / columns);
        assert!(found.components.iter().all(|one| one.share.is_finite()), "{rows:?}");
    }
    let mut rows = random(40, 6);
    rows[12..18].fill(f32::NAN);
    rows[30] = f32::INFINITY;
    rows[60..66].fill(0.0);
    let found = analyse(6, &rows, 2);
    assert_eq!([2, 5, 10].map(|row| found.nearest[row].len()), [0; 3]);
    assert_eq!((found.left_out, found.nearest[3].len()), (3, 4));
    assert!(found.components[0].along[2].is_nan() && found.components[0].along[3].is_finite());
    assert!(found.mean.iter().take(39).all(|cosine| cosine.is_finite()));
    // Of a longer table the first rows.
    assert_eq!(analyse(1, &vec![1.0; MOST_ROWS + 5], 1).nearest.len(), MOST_ROWS);
    assert_eq!(analyse(WIDE + 1, &vec![1.0; (WIDE + 1) * (WIDE + 2)], 1).nearest.len(), WIDE);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Rows turned, all by the same rotation, have the same cosines and the same components.
    #[test]
    fn a_rotation_changes_nothing(seed in prop::collection::vec(-1.0_f32..1.0, 12..80), angle in 0.0_f64..6.3) {
        let rows = &seed[..seed.len() / 4 * 4];
        let (s, c) = libm::sincos(angle);
        let turned: Vec<f32> = rows.chunks_exact(4).flat_map(|row| {
            let [x, y, z, w] = [0, 1, 2, 3].map(|i| f64::from(row[i]));
            [x * c - y * s, x * s + y * c, z * c - w * s, z * s + w * c].map(|x| x as f32)
        }).collect();
        let (one, other) = (analyse(4, rows, 4), analyse(4, &turned, 4));
        for (a, b) in one.shares.iter().zip(&other.shares) {
            prop_assert!((a - b).abs() < 1e-5);
        }
        for (a, b) in one.mean.iter().zip(&other.mean) {
            prop_assert!((a - b).abs() < 1e-4 || (a.is_nan() && b.is_nan()));
        }
    }

    /// Shares are those of the variances along the components: what the rows have of each, squared, is λ.
    #[test]
    fn components_are_at_right_angles(seed in prop::collection::vec(-1.0_f32..1.0, 30..200), columns in 1_usize..12) {
        let found = analyse(columns, &seed, 8);
        for (i, a) in found.components.iter().enumerate() {
            for (j, b) in found.components.iter().enumerate() {
                let dot: f64 = a.along.iter().zip(&b.along).map(|(x, y)| x * y).sum();
                let wanted = if i == j { 1.0 } else { 0.0 };
                prop_assert!((dot - wanted).abs() < 1e-5, "{i} and {j}: {dot}");
            }
        }
        prop_assert!(found.rank.is_nan() || (found.rank > 0.999 && found.rank <= columns as f64 + 1e-9));
    }
}
