//! Schemes that are made of the caller's own table.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests")]

use posenc::grid::Grid;
use posenc::plain::{Plain, encode};
use posenc::{Config, Drawn, Encoding, Error, bias::Row};
use proptest::prelude::*;

/// What a scheme says that it needs, made of this table.
fn made(scheme: &str, columns: usize, weights: &[f32]) -> Result<Encoding, Error> {
    let (config, repairs) = Config::parse(scheme).unwrap();
    assert_eq!((repairs, config.drawn()), (vec![], Drawn::Weights));
    let Err(Error::NeedsData(asset)) = config.build() else { unreachable!("{scheme} needs a table") };
    assert!(asset.file.starts_with(&format!("{}-yours", config.spec.id)));
    (asset.decode)(&encode(columns, weights).unwrap())
}

fn numbers(count: u8) -> Vec<f32> {
    (0..count).map(|i| f32::from(i) * 0.37 - 3.0).collect()
}

#[test]
fn a_learned_table_is_the_given_one() {
    // Rows of about one length: none is short but the last.
    let mut weights: Vec<f32> = numbers(40).iter().map(|x| x + 20.0).collect();
    weights[8..12].fill(f32::NAN);
    weights[36..].fill(1e-3);
    let Encoding::Absolute(learned) = made("learned(table=yours)", 4, &weights).unwrap() else { unreachable!() };
    assert_eq!((learned.width(), learned.rows()), (4, Some(10)));
    let mut row = [0.0; 4];
    learned.write_row(5.0, &mut row).unwrap();
    assert_eq!(row.map(|x| x as f32), weights[20..24]);
    learned.write_row(2.0, &mut row).unwrap();
    assert!(row.iter().all(|x| x.is_nan()));
    assert_eq!(learned.write_row(10.0, &mut row), Err(Error::PastTheEnd { position: 10.0, last: 9 }));
    // A row without numbers is not one that no text reached.
    assert_eq!((0..12).filter(|row| learned.untrained(*row)).collect::<Vec<_>>(), [9]);
}

#[test]
fn a_relative_bias_has_the_numbers_of_its_buckets() {
    // Buckets × heads, as models keep them.
    let weights = numbers(96);
    for (scheme, after) in [("t5(table=yours)", 16 + 5), ("t5(table=yours,bidirectional=false)", 0)] {
        let Encoding::Bias(bias) = made(scheme, 3, &weights).unwrap() else { unreachable!() };
        assert_eq!(bias.heads(), 3);
        for head in 0..3 {
            let row = Row { head, query: 100, length: 200 };
            let at = |key| bias.bias(row, key).unwrap() as f32;
            assert_eq!(at(93), weights[7 * 3 + head], "seven back is the bucket 7");
            assert_eq!(at(105), weights[after * 3 + head], "five ahead");
        }
    }
    assert!(matches!(made("t5(table=yours)", 3, &numbers(3)), Err(Error::Parameter { .. })));
}

#[test]
fn a_grid_of_its_own_size_has_the_rows_as_they_are() {
    let weights = numbers(45);
    for scheme in ["learned2d(table=yours)", "learned2d(table=yours,antialias=true)"] {
        let Encoding::Grid(grid) = made(scheme, 5, &weights).unwrap() else { unreachable!() };
        assert_eq!((grid.width(), grid.size()), (5, Some(3)));
        let mut out = [0.0; 5];
        grid.write_patch(Grid { height: 3, width: 3 }, 1, 2, &mut out).unwrap();
        for (given, wanted) in out.iter().zip(&weights[25..30]) {
            assert!((given - f64::from(*wanted)).abs() < 1e-12, "{scheme}: {given} and {wanted}");
        }
    }
    assert!(matches!(made("learned2d(table=yours)", 5, &numbers(40)), Err(Error::Data(_))));
}

#[test]
fn what_is_no_table_is_refused() {
    let good = encode(2, &numbers(6)).unwrap();
    assert!((0..good.len()).all(|end| Plain::decode(&good[..end]).is_err()));
    assert!(Plain::decode(&[&good[..], &[0]].concat()).is_err());
    let mut huge = good;
    huge[8..16].fill(255);
    assert!(Plain::decode(&huge).is_err());
    assert!(encode(0, &numbers(6)).is_err() && encode(4, &numbers(6)).is_err() && encode(4, &[]).is_err());
    let table = Plain::decode(&encode(2, &numbers(6)).unwrap()).unwrap();
    assert!(table.get(3, 0).is_nan() && table.get(0, 2).is_nan() && table.get(usize::MAX, 1).is_nan());
}

proptest! {
    #[test]
    fn tables_read_back(columns in 1_usize..9, weights in prop::collection::vec(any::<f32>(), 1..60)) {
        let weights = &weights[..weights.len() / columns * columns];
        if let Ok(bytes) = encode(columns, weights) {
            let table = Plain::decode(&bytes).unwrap();
            prop_assert_eq!((table.rows() * columns, table.columns()), (weights.len(), columns));
            prop_assert!(table.weights().iter().zip(weights).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40), good in any::<bool>()) {
        let bytes = if good { [b"POSENCF4".as_slice(), &bytes].concat() } else { bytes };
        let _ = Plain::decode(&bytes);
    }
}
