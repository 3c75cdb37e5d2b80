//! Both layouts are one rotation, and code that mixes them is none.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests")]

use posenc::pairing::{Measured, Wiring, permutation, permuted};
use posenc::{Config, Encoding, Layout, Rotary, random::Normal};
use proptest::prelude::*;

const LAYOUTS: [Layout; 3] = [Layout::Half, Layout::Interleaved, Layout::InterleavedToHalf];

fn rope(text: &str) -> Rotary {
    let Encoding::Rotary(rope) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
    rope
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + b.abs())
}

proptest! {
    #[test]
    fn a_layouts_wiring_is_its_rotation(
        planes in 1_usize..40, rest in 0_usize..5, position in 0.0..100_000.0_f64, seed in any::<u64>(), which in 0..3_usize,
    ) {
        let layout = LAYOUTS[which];
        let freq: Vec<f64> = (0..planes).map(|k| libm::pow(10_000.0, -(k as f64) / planes as f64)).collect();
        let x = Normal::new(seed).vector(2 * planes + rest);
        let rotary = Rotary::new(x.len(), freq.clone(), layout, 1.0).unwrap();
        let mut expected = vec![0.0; x.len()];
        rotary.rotate(&x, position, &mut expected).unwrap();
        prop_assert_eq!(Wiring::Layout(layout).turned(&x, position, &freq).unwrap(), expected);
    }

    #[test]
    fn permuted_weights_give_the_same_scores(
        planes in 1_usize..40, query in 0..100_000_u32, key in 0..100_000_u32, seed in any::<u64>(),
    ) {
        let freq: Vec<f64> = (0..planes).map(|k| libm::pow(10_000.0, -(k as f64) / planes as f64)).collect();
        let mut stream = Normal::new(seed);
        let (q, k) = (stream.vector(2 * planes), stream.vector(2 * planes));
        let at = (f64::from(query), f64::from(key));
        let plain = Measured::new(Wiring::Layout(Layout::Half), &freq, (&q, &k), at, 100.0).unwrap();
        for to in LAYOUTS {
            let order = permutation(Layout::Half, to, planes, q.len());
            let (q, k) = (permuted(&q, &order), permuted(&k, &order));
            let other = Measured::new(Wiring::Layout(to), &freq, (&q, &k), at, 100.0).unwrap();
            prop_assert!(close(other.score, plain.score), "{other:?} {plain:?}");
            prop_assert!(close(other.shifted, other.score) && close(other.norms.0, other.norms.1), "{other:?}");
        }
        // There and back.
        let there = permutation(Layout::Half, Layout::Interleaved, planes, q.len());
        let back = permutation(Layout::Interleaved, Layout::Half, planes, q.len());
        prop_assert_eq!(permuted(&permuted(&q, &there), &back), q);
    }
}

#[test]
fn only_rotations_are_rotations() {
    for planes in 1..20 {
        // One that writes elsewhere than it reads is a rotation and a permutation: of three planes and more, its own
        // inputs are no longer its outputs.
        for layout in [Layout::Half, Layout::Interleaved] {
            assert!(Wiring::Layout(layout).is_rotation(planes));
        }
        assert!(Wiring::Layout(Layout::InterleavedToHalf).is_rotation(planes));
        // Of one plane there is nothing to mix.
        assert_eq!(Wiring::MixedJoin.is_rotation(planes), planes == 1);
        assert_eq!(Wiring::MixedTable.is_rotation(planes), planes == 1);
    }
}

/// `claims.json`, `c_diag`: the scores of a rotation at (5,3), (15,13) and (105,103) are one number.
#[test]
fn mixed_code_keeps_neither_lengths_nor_scores() {
    let rope = rope("rope(head_dim=8)");
    let mut stream = Normal::new(1);
    let (q, k) = (stream.vector(8), stream.vector(8));
    let measured = |wiring| Measured::new(wiring, rope.inv_freq(), (&q, &k), (5.0, 3.0), 100.0).unwrap();
    let right = measured(Wiring::Layout(Layout::Half));
    assert!(close(right.score, right.shifted) && close(right.norms.0, right.norms.1), "{right:?}");
    for wiring in [Wiring::MixedJoin, Wiring::MixedTable] {
        let wrong = measured(wiring);
        assert!((wrong.norms.1 / wrong.norms.0 - 1.0).abs() > 0.02, "{wiring:?} {wrong:?}");
        assert!((wrong.shifted - wrong.score).abs() > 0.05, "{wiring:?} {wrong:?}");
    }
    // At position 0 nothing is turned, and nothing is wrong: which is why the mistake is not seen there.
    let start = Measured::new(Wiring::MixedJoin, rope.inv_freq(), (&q, &k), (0.0, 0.0), 0.0).unwrap();
    assert!(close(start.norms.0, start.norms.1));
}

/// Weights of one layout in the other's code: a rotation, but not that of the model.
#[test]
fn weights_of_the_other_layout_pass_every_test_but_their_own() {
    let rope = rope("rope(head_dim=64)");
    let mut stream = Normal::new(3);
    let (q, k) = (stream.vector(64), stream.vector(64));
    let at = (12.0, 8.0);
    let own = Measured::new(Wiring::Layout(Layout::Half), rope.inv_freq(), (&q, &k), at, 100.0).unwrap();
    let other = Measured::new(Wiring::Layout(Layout::Interleaved), rope.inv_freq(), (&q, &k), at, 100.0).unwrap();
    assert!(close(other.norms.0, other.norms.1) && close(other.score, other.shifted), "{other:?}");
    assert!((other.score - own.score).abs() > 0.1, "{own:?} {other:?}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = [1.0; 4];
    assert!(Wiring::MixedJoin.turned(&x, 1.0, &[1.0; 3]).is_err());
    assert!(Measured::new(Wiring::MixedTable, &[1.0], (&x, &x[..3]), (0.0, 0.0), 1.0).is_err());
}
