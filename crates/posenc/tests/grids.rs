//! What must hold of tables of patches, and of features in bands.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_methods, reason = "an oracle may use the platform's functions")]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Absolute, Config, Encoding, Error,
    grid::{Grid, GridProfile, GridTable},
    schemes::{fourier::Fourier, learned2d::resample},
};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};

fn grid_table(text: &str) -> Box<dyn GridTable> {
    match Config::parse(text).unwrap().0.build().unwrap() {
        Encoding::Grid(table) => table,
        _ => unreachable!("{text} has patches"),
    }
}

fn absolute(text: &str) -> Box<dyn Absolute> {
    match Config::parse(text).unwrap().0.build().unwrap() {
        Encoding::Absolute(table) => table,
        _ => unreachable!("{text} has positions"),
    }
}

fn refused(text: &str) -> &'static str {
    match Config::parse(text).unwrap().0.build() {
        Err(Error::Parameter { key, .. }) => key,
        other => unreachable!("{text}: {other:?}"),
    }
}

fn patch(table: &dyn GridTable, grid: Grid, row: usize, column: usize) -> Vec<f64> {
    let mut out = vec![0.0; table.width()];
    table.write_patch(grid, row, column, &mut out).unwrap();
    out
}

fn row(table: &dyn Absolute, position: f64) -> Vec<f64> {
    let mut out = vec![0.0; table.width()];
    table.write_row(position, &mut out).unwrap();
    out
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

const LAYOUTS: [&str; 5] =
    ["height-first", "width-first", "sines-then-cosines", "rows-then-columns-interleaved", "detr"];

proptest! {
    /// Every layout holds the same numbers, but for DETR's, which counts from 1.
    #[test]
    fn layouts_of_sincos2d_are_permutations(quarter in 1_usize..20, base in 1.0..1e5_f64, row in 0_usize..30, column in 0_usize..30) {
        let grid = Grid { height: 32, width: 32 };
        let tables = LAYOUTS.map(|layout| grid_table(&format!("sincos2d(d_model={},base={base},layout={layout})", 4 * quarter)));
        let first = sorted(patch(tables[0].as_ref(), grid, row, column));
        for table in &tables[1..4] {
            prop_assert_eq!(&sorted(patch(table.as_ref(), grid, row, column)), &first);
        }
        // DETR's is the interleaved one, a patch further.
        prop_assert_eq!(patch(tables[4].as_ref(), grid, row, column), patch(tables[3].as_ref(), grid, row + 1, column + 1));
        // MAE's is the other with rows and columns exchanged.
        prop_assert_eq!(patch(tables[1].as_ref(), grid, row, column), patch(tables[0].as_ref(), grid, column, row));
    }

    /// The product of two patches depends on the two offsets alone.
    #[test]
    fn products_of_patches_go_by_offsets(quarter in 1_usize..20, layout in prop::sample::select(&LAYOUTS[..]), at in (0_usize..9, 0_usize..9), by in (0_usize..9, 0_usize..9), shift in (0_usize..9, 0_usize..9), normalize in any::<bool>()) {
        let grid = Grid { height: 40, width: 40 };
        let table = grid_table(&format!("sincos2d(d_model={},layout={layout},normalize={normalize})", 4 * quarter));
        let product = |a: (usize, usize)| {
            dot(&patch(table.as_ref(), grid, a.0, a.1), &patch(table.as_ref(), grid, a.0 + by.0, a.1 + by.1))
        };
        prop_assert!((product(at) - product((at.0 + shift.0, at.1 + shift.1))).abs() < 1e-12 * quarter as f64);
        let own = patch(table.as_ref(), grid, at.0, at.1);
        prop_assert!((dot(&own, &own) - 2.0 * quarter as f64).abs() < 1e-12 * quarter as f64);
    }

    /// A width that is no multiple of 4 cuts the column's share.
    #[test]
    fn the_column_is_cut(half in 1_usize..40, row in 0_usize..30, column in 0_usize..30) {
        let grid = Grid { height: 32, width: 32 };
        let cut = grid_table(&format!("sincos2d(d_model={},layout=rows-then-columns-interleaved)", 2 * half));
        let whole = grid_table(&format!("sincos2d(d_model={},layout=rows-then-columns-interleaved)", 2 * half + 2 * (half % 2)));
        prop_assert_eq!(&patch(cut.as_ref(), grid, row, column)[..], &patch(whole.as_ref(), grid, row, column)[..2 * half]);
    }

    /// NeRF's features, written out.
    #[test]
    fn nerf_is_its_formula(n in 1_usize..12, pi in any::<bool>(), log in any::<bool>(), concat in any::<bool>(), extent in 4_i64..1000, position in 0.0..1000.0_f64) {
        let text = format!("fourier(num_bands={n},times_pi={pi},log_sampling={log},concat_pos={concat},extent={extent})");
        let got = row(absolute(&text).as_ref(), position);
        let v = 2.0 * position / (extent as f64 - 1.0) - 1.0;
        let mut expected = if concat { vec![v] } else { vec![] };
        for k in 0..n {
            let last = 2_f64.powi(n as i32 - 1);
            let freq = if log { 2_f64.powi(k as i32) } else { 1.0 + (last - 1.0) * k as f64 / (n.max(2) - 1) as f64 };
            let (sin, cos) = (v * freq * if pi { PI } else { 1.0 }).sin_cos();
            expected.extend([sin, cos]);
        }
        prop_assert_eq!(got.len(), expected.len());
        let within = 1e-15 * (1.0 + v.abs()) * 2_f64.powi(n as i32 + 3);
        prop_assert!(got.iter().zip(&expected).all(|(a, b)| (a - b).abs() < within), "{got:?} {expected:?}");
    }

    /// The product of two positions is the profile, for every variant.
    #[test]
    fn products_of_features_are_their_profile(variant in prop::sample::select(vec!["nerf", "gaussian", "gaussian,layout=sin-then-cos", "perceiver"]), n in 1_usize..9, extent in 4_i64..1000, p in 0.0..1000.0, offset in -100.0..100.0) {
        let table = absolute(&format!("fourier(variant={variant},num_bands={n},extent={extent})"));
        let product = dot(&row(table.as_ref(), p), &row(table.as_ref(), p + offset));
        prop_assert!((product - table.profile().unwrap().at(offset)).abs() < 1e-9 * n as f64);
        let with_position = absolute(&format!("fourier(variant={variant},concat_pos=true)"));
        prop_assert!(with_position.profile().is_none());
    }

    /// The weights of a resampling sum to 1, and a grid of its own size is left alone.
    #[test]
    fn resampling_keeps_constants_and_sizes(old in (1_usize..12, 1_usize..12), new in (1_usize..16, 1_usize..16), antialias in any::<bool>(), value in -5.0..5.0, values in prop::collection::vec(-1.0..1.0, 144)) {
        let (old, new) = ([old.0, old.1], [new.0, new.1]);
        let flat = resample(&vec![value; old[0] * old[1]], old, new, antialias).unwrap();
        prop_assert_eq!(flat.len(), new[0] * new[1]);
        prop_assert!(flat.iter().all(|x| (x - value).abs() < 1e-13));
        let grid = &values[..old[0] * old[1]];
        let same = resample(grid, old, old, antialias).unwrap();
        prop_assert!(same.iter().zip(grid).all(|(a, b)| (a - b).abs() < 1e-15), "{same:?} {grid:?}");
        // Rows and columns are treated alike.
        let turned: Vec<f64> = (0..old[1]).flat_map(|j| (0..old[0]).map(move |i| grid[i * old[1] + j])).collect();
        let a = resample(grid, old, new, antialias).unwrap();
        let b = resample(&turned, [old[1], old[0]], [new[1], new[0]], antialias).unwrap();
        for i in 0..new[0] {
            for j in 0..new[1] {
                prop_assert!((a[i * new[1] + j] - b[j * new[0] + i]).abs() < 1e-13);
            }
        }
    }

    /// The table of a stretched grid is its columns, each resampled.
    #[test]
    fn learned_patches_are_resampled(size in 1_usize..8, height in 1_usize..12, width in 1_usize..12, antialias in any::<bool>(), seed in 0..99) {
        let table = grid_table(&format!("learned2d(d_model=3,grid_size={size},antialias={antialias},table_seed={seed})"));
        let own = Grid { height: size, width: size };
        let grid = Grid { height, width };
        let mut filled = vec![0.0; 3 * height * width];
        table.fill(grid, &mut filled);
        for c in 0..3 {
            let column: Vec<f64> = own.patches().map(|(i, j)| patch(table.as_ref(), own, i, j)[c]).collect();
            prop_assert!(column.iter().all(|x| x.abs() <= 1.0));
            let stretched = resample(&column, [size, size], [height, width], antialias).unwrap();
            for (at, (i, j)) in grid.patches().enumerate() {
                let got = patch(table.as_ref(), grid, i, j)[c];
                prop_assert!((got - stretched[at]).abs() < 1e-13);
                prop_assert_eq!(filled[3 * at + c], got as f32);
            }
        }
    }
}

/// `DETR`'s normalised coordinates: the last row is a whole turn of the slowest unit.
#[test]
fn detr_normalises_by_the_last() {
    let table = grid_table("sincos2d(d_model=8,layout=detr,normalize=true)");
    for height in [1, 2, 7] {
        let grid = Grid { height, width: 1 };
        let last = patch(table.as_ref(), grid, height - 1, 0);
        assert!(last[0].abs() < 1e-5 && (last[1] - 1.0).abs() < 1e-9, "{last:?}");
        let first = patch(table.as_ref(), grid, 0, 0);
        assert!((first[0] - (TAU / (height as f64 + 1e-6)).sin()).abs() < 1e-14);
    }
}

#[test]
fn gaussian_bands_are_drawn_or_given() {
    let given = absolute("fourier(variant=gaussian,B=0.25:-1,extent=5)");
    // v = -1/2 at position 1: cos and sin of -π/4 and π.
    for (got, expected) in row(given.as_ref(), 1.0).iter().zip([0.5_f64.sqrt(), -1.0, -(0.5_f64.sqrt()), 0.0]) {
        assert!((got - expected).abs() < 1e-15);
    }
    let turned = row(absolute("fourier(variant=gaussian,B=0.25:-1,extent=5,layout=sin-then-cos)").as_ref(), 1.0);
    assert_eq!(turned[2..], row(given.as_ref(), 1.0)[..2]);
    let drawn = |text: &str| {
        let settings = Config::parse(text).unwrap().0.settings;
        Fourier::new(&settings).unwrap().bands().map(|b| b[0] / TAU).collect::<Vec<_>>()
    };
    let bands = drawn("fourier(variant=gaussian,num_bands=256,sigma=3)");
    let variance = dot(&bands, &bands) / 256.0;
    assert!((variance / 9.0 - 1.0).abs() < 0.4, "{variance}");
    let wide = drawn("fourier(variant=gaussian,num_bands=256,sigma=30)");
    assert!(bands.iter().zip(&wide).all(|(a, b)| (10.0 * a - b).abs() < 1e-12 * b.abs()));
    assert_ne!(bands, drawn("fourier(variant=gaussian,num_bands=256,sigma=3,bands_seed=2)"));
}

#[test]
fn perceiver_ends_at_half_the_resolution() {
    let settings =
        Config::parse("fourier(variant=perceiver,num_bands=5,axes=2,max_resolution=8:20)").unwrap().0.settings;
    let fourier = Fourier::new(&settings).unwrap();
    let bands: Vec<&[f64]> = fourier.bands().collect();
    assert_eq!((bands[0], bands[4]), (&[PI, 0.0][..], &[4.0 * PI, 0.0][..]));
    assert_eq!((bands[5], bands[9]), (&[0.0, PI][..], &[0.0, 10.0 * PI][..]));
    assert!(!fourier.is_empty() && fourier.len() == 20);
    // Of patches: from -1 in the first to 1 in the last.
    let table = grid_table("fourier(axes=2,concat_pos=true,num_bands=1)");
    let grid = Grid { height: 3, width: 5 };
    assert_eq!(patch(table.as_ref(), grid, 0, 4)[..2], [-1.0, 1.0]);
    assert_eq!(patch(table.as_ref(), grid, 1, 1)[..2], [0.0, -0.5]);
    assert_eq!(patch(table.as_ref(), Grid { height: 1, width: 1 }, 0, 0)[..2], [-1.0, -1.0]);
}

#[test]
fn what_is_not_defined_is_refused_by_name() {
    for (text, key) in [
        ("sincos2d(d_model=6)", "d_model"),
        ("sincos2d(d_model=6,layout=detr)", "d_model"),
        ("sincos2d(d_model=7,layout=rows-then-columns-interleaved)", "d_model"),
        ("fourier(variant=gaussian,axes=2,B=1:2:3)", "B"),
        ("fourier(variant=perceiver,max_resolution=8:8)", "max_resolution"),
        ("fourier(variant=perceiver,axes=2,max_resolution=8)", "max_resolution"),
    ] {
        assert_eq!(refused(text), key, "{text}");
    }
    assert!(resample(&[1.0], [1, 2], [1, 1], false).is_err() && resample(&[], [0, 0], [1, 1], true).is_err());
    assert_eq!(resample(&[1.0], [1, 1], [0, 3], false), Ok(vec![]));
    for text in ["sincos2d", "learned2d", "fourier(axes=2)"] {
        let table = grid_table(text);
        let mut out = vec![0.0; table.width()];
        let grid = Grid { height: 2, width: 3 };
        assert!(matches!(table.write_patch(grid, 2, 0, &mut out), Err(Error::PastTheEnd { last: 1, .. })), "{text}");
        assert!(matches!(table.write_patch(grid, 0, 3, &mut out), Err(Error::PastTheEnd { last: 2, .. })), "{text}");
        assert!(matches!(table.write_patch(grid, 0, 0, &mut [0.0]), Err(Error::Length { .. })), "{text}");
        assert!(table.write_patch(Grid { height: 0, width: 0 }, 0, 0, &mut out).is_err());
    }
}

/// Query and key of the same length that are not alike.
fn pair(width: usize) -> (Vec<f64>, Vec<f64>) {
    let wave = |by: f64| (0..width).map(|i| (by * (i as f64 + 1.0)).sin()).collect();
    (wave(1.3), wave(0.7))
}

#[test]
fn products_are_the_profile_of_the_grid() {
    let grids = [(5, 3), (1, 7), (8, 8)].map(|(height, width)| Grid { height, width });
    let tables = LAYOUTS.map(|layout| format!("sincos2d(d_model=16,layout={layout})"));
    let normalized = "sincos2d(d_model=16,layout=detr,normalize=true)".to_owned();
    let cut = "sincos2d(d_model=10,layout=rows-then-columns-interleaved)".to_owned();
    for (grid, text) in grids.iter().flat_map(|grid| tables.iter().chain([&normalized, &cut]).map(move |t| (*grid, t)))
    {
        let table = grid_table(text);
        let expected = |a: (usize, usize), b: (usize, usize)| {
            dot(&patch(&*table, grid, a.0, a.1), &patch(&*table, grid, b.0, b.1))
        };
        agrees(grid, &table.profile(grid).unwrap(), text, &expected);
    }
    assert!(grid_table("learned2d").profile(grids[0]).is_none());
}

#[test]
fn scores_of_rotations_are_the_profile_of_the_grid() {
    let conventions = ["rope-vit", "timm", "qwen2-vl", "pixtral", "dinov3"];
    let axial = conventions.map(|name| format!("rope2d(head_dim=16,convention={name})"));
    let more =
        ["rope-mixed(head_dim=16)", "mrope(head_dim=16)", "mrope(head_dim=32,interleaved=true)"].map(str::to_owned);
    for grid in [(5, 3), (1, 7)].map(|(height, width)| Grid { height, width }) {
        for text in axial.iter().chain(&more) {
            let Encoding::Axial(axial) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
            let (q, k) = pair(axial.head_dim());
            let at = |(row, column)| {
                let at = axial.coordinates(grid, row, column).unwrap().to_vec();
                if axial.axes().len() == 3 { [vec![4.0], at].concat() } else { at }
            };
            let expected = |a: (usize, usize), b: (usize, usize)| {
                let (mut turned, mut key) = (vec![0.0; q.len()], vec![0.0; k.len()]);
                axial.rotate(&q, &at(a), &mut turned).unwrap();
                axial.rotate(&k, &at(b), &mut key).unwrap();
                dot(&turned, &key) / (q.len() as f64).sqrt()
            };
            agrees(grid, &GridProfile::of_axial(&axial, &q, &k, grid).unwrap(), text, &expected);
        }
        let Encoding::Rotary(rope) = Config::parse("rope(head_dim=8)").unwrap().0.build().unwrap() else {
            unreachable!()
        };
        let (q, k) = pair(8);
        let expected = |a: (usize, usize), b: (usize, usize)| {
            let turned = |x: &[f64], (row, column): (usize, usize)| {
                let mut out = vec![0.0; x.len()];
                rope.rotate(x, (row * grid.width + column) as f64, &mut out).unwrap();
                out
            };
            dot(&turned(&q, a), &turned(&k, b)) / 8.0_f64.sqrt()
        };
        agrees(grid, &GridProfile::of_raster(&rope.profile(&q, &k).unwrap(), grid), "rope", &expected);
    }
}

/// Every pair of patches, exactly and as the prepared scores have it.
fn agrees(grid: Grid, profile: &GridProfile, text: &str, expected: &dyn Fn((usize, usize), (usize, usize)) -> f64) {
    let scores = profile.scores(grid);
    let (low, high) = scores.range();
    let mut row = vec![0.0; grid.height * grid.width];
    for a in grid.patches() {
        scores.fill(a, &mut row);
        for (b, score) in grid.patches().zip(&row) {
            let exact = profile.at(a.0 as i64 - b.0 as i64, a.1 as i64 - b.1 as i64);
            let wanted = expected(a, b);
            assert!((exact - wanted).abs() < 1e-11, "{text} {a:?} {b:?}: {exact} {wanted}");
            assert!((f64::from(*score) - wanted).abs() < 2e-5, "{text} {a:?} {b:?}: {score} {wanted}");
            assert!(*score >= low && *score <= high);
        }
    }
}

/// The closed forms of runs of positions are what the rows give one by one.
#[test]
fn features_of_many_positions_are_averaged_in_closed_form() {
    let concat = "fourier(num_bands=5,extent=100,concat_pos=true)";
    for text in [concat, "fourier(variant=perceiver,num_bands=6,extent=1000)", "fourier(variant=gaussian,sigma=20)"] {
        let table = absolute(text);
        let width = table.width();
        // Four whole runs of 13, one of 8, and one of nothing.
        let (start, run, total) = (17.0, 13, 60);
        let (mut mean, mut spread) = (vec![0.0; 6 * width], vec![0.0; 6 * width]);
        table.fill_mean(start, run, total, &mut mean);
        table.fill_spread(start, run, total, &mut spread);
        for r in 0..5_u64 {
            let rows: Vec<Vec<f64>> =
                (r * run..((r + 1) * run).min(total)).map(|i| row(table.as_ref(), start + i as f64)).collect();
            let n = rows.len() as f64;
            for column in 0..width {
                let wanted = rows.iter().map(|row| row[column]).sum::<f64>() / n;
                let squares = rows.iter().map(|row| (row[column] - wanted).powi(2)).sum::<f64>() / n;
                let at = r as usize * width + column;
                assert!((f64::from(mean[at]) - wanted).abs() < 1e-5, "{text} {r} {column}: {} {wanted}", mean[at]);
                assert!((f64::from(spread[at]) - squares.sqrt()).abs() < 1e-5, "{text} {r} {column}");
            }
        }
        assert!(mean[5 * width..].iter().all(|value| value.is_nan()), "{text}");
        assert!(spread[5 * width..].iter().all(|value| value.is_nan()), "{text}");
    }
}
