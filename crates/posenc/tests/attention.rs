//! Attention with every scheme, and what popular write-ups say of it.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding, Error,
    attention::{Head, attend, log_sum_exp, logits, scale, softmax},
    bias::{Row, retained},
    content::{Content, Tokens},
    grid::Grid,
    random::Normal,
    registry,
    schemes::{
        cope::Cope,
        deberta,
        shaw::Shaw,
        t5::{Buckets, T5},
        transformer_xl::{Distances, TransformerXl},
        tupe::Tupe,
    },
};

fn build(text: &str) -> Encoding {
    Config::parse(text).unwrap().0.build().unwrap()
}

fn content(text: &str) -> Box<dyn Content> {
    let Encoding::Content(content) = build(text) else { unreachable!("{text} reads content") };
    content
}

fn most(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const N: usize = 6;
const WIDTH: usize = 8;
const ORDER: [usize; N] = [3, 0, 5, 1, 4, 2];

/// Rows in another order.
fn reordered(x: &[f64], width: usize) -> Vec<f64> {
    ORDER.iter().flat_map(|&i| x[i * width..(i + 1) * width].to_vec()).collect()
}

/// How far the outputs of reordered tokens are from the reordered outputs.
fn not_equivariant(encoding: &Encoding, causal: bool) -> f64 {
    let x = Normal::new(7).vector(N * WIDTH);
    let head = Head::random(WIDTH, WIDTH, 8);
    let attend = |x: &[f64]| head.attend(encoding, 0, x, causal).unwrap().output;
    most(&attend(&reordered(&x, WIDTH)), &reordered(&attend(&x), WIDTH))
}

/// "Self-attention is permutation-invariant." It is equivariant: outputs move with their inputs. A read-out that pools them
/// is invariant. A mask or any position breaks it.
#[test]
fn without_positions_outputs_move_with_the_words() {
    assert!(not_equivariant(&Encoding::None, false) < 1e-14);
    let x = Normal::new(7).vector(N * WIDTH);
    let head = Head::random(WIDTH, WIDTH, 8);
    let attend = |x: &[f64]| head.attend(&Encoding::None, 0, x, false).unwrap().output;
    let (plain, moved) = (attend(&x), attend(&reordered(&x, WIDTH)));
    assert!(most(&plain, &moved) > 0.1, "outputs are not the same: not invariant");
    let pooled = |y: &[f64]| (0..WIDTH).map(|c| y.iter().skip(c).step_by(WIDTH).sum::<f64>()).collect::<Vec<_>>();
    assert!(most(&pooled(&plain), &pooled(&moved)) < 1e-14);

    assert!(not_equivariant(&Encoding::None, true) > 0.1, "a causal mask gives order away");
    for scheme in [
        "sinusoidal(d_model=8)",
        "rope(head_dim=8)",
        "alibi",
        "t5",
        "kerple",
        "sandwich(d_bar=8)",
        "fire(init_seed=2)",
        "shaw(head_dim=8)",
        "transformer-xl(head_dim=8)",
        "deberta(head_dim=8)",
        "tupe(head_dim=8)",
        "cope(head_dim=8)",
    ] {
        assert!(not_equivariant(&build(scheme), false) > 1e-5, "{scheme}: {}", not_equivariant(&build(scheme), false));
    }
}

/// "Relative positions extrapolate." What helps is a decay: `ALiBi` keeps its mass on the last keys at any length. T5 has used
/// all its buckets by its greatest distance.
#[test]
fn a_decay_keeps_its_window_at_any_length() {
    // Slope 1/16 is the fourth of eight heads.
    let Encoding::Bias(alibi) = build("alibi(num_heads=8)") else { unreachable!() };
    let expected = [(512, 0.981_684_361_111_278_2), (4096, 0.981_684_361_111_265_7), (65_536, 0.981_684_361_111_265_7)];
    for (length, mass) in expected {
        let mut row = vec![0.0; length];
        alibi.write_row(Row::new(3, length as i64 - 1), 0, &mut row).unwrap();
        softmax(&mut row);
        let found = row[length - 64..].iter().sum::<f64>();
        assert!((found - mass).abs() < 1e-12, "{length}: {found}");
        assert!((retained(&*alibi, Row::new(3, length as i64 - 1), 64).unwrap() - mass).abs() < 1e-12);
        let mut even = vec![0.0; length];
        softmax(&mut even);
        assert!((even[length - 64..].iter().sum::<f64>() - 64.0 / length as f64).abs() < 1e-12);
    }
    let buckets = Buckets::new(32, 128, false).unwrap();
    for distances in [512, 1024, 65_536] {
        let mut used: Vec<usize> = (0..distances).map(|n| buckets.bucket(n)).collect();
        used.dedup();
        assert_eq!(used.len(), 32);
    }
}

/// The logarithm of a weight is its logit less this, however large the logits are.
#[test]
fn logits_less_their_log_sum_exp_are_logarithms_of_weights() {
    for shift in [0.0, 700.0, -1e6] {
        let logits: Vec<f64> = [0.3, -1.5, 2.0, f64::NEG_INFINITY].map(|x| x + shift).into();
        let total = log_sum_exp(logits.iter().copied());
        let mut weights = logits.clone();
        softmax(&mut weights);
        for (logit, weight) in logits.iter().zip(&weights) {
            assert!((libm::exp(logit - total) - weight).abs() < 1e-9, "{logit} {weight}");
        }
    }
    assert_eq!(log_sum_exp(std::iter::empty()), f64::NEG_INFINITY);
    assert_eq!(log_sum_exp([f64::NEG_INFINITY; 2].into_iter()), f64::NEG_INFINITY);
}

#[test]
fn products_are_scaled_by_the_root_of_the_width() {
    assert_eq!(scale(&Encoding::None, 64), 0.125);
    // DeBERTa adds three products, and scales by the root of so many widths.
    let deberta = Config::parse("deberta").unwrap().0.build().unwrap();
    let three = 1.0 / libm::sqrt(3.0 * 64.0);
    assert!((scale(&deberta, 64) - three).abs() < 1e-15, "{}", scale(&deberta, 64));
}

/// BLOOM's slope × key index, MPT's and the paper's −slope × distance are the same after a causal softmax.
#[test]
fn forms_of_alibi_are_one_after_a_causal_softmax() {
    let x = Normal::new(1).vector(N * WIDTH);
    let head = Head::random(WIDTH, WIDTH, 2);
    let seen = |form: &str, causal| {
        let alibi = build(&format!("alibi(num_heads=12,form={form})"));
        head.attend(&alibi, 8, &x, causal).unwrap().weights
    };
    for form in ["distance", "key-index", "last-query"] {
        assert!(most(&seen("relative", true), &seen(form, true)) < 1e-15, "{form}");
    }
    // Where a model looks both ways, only the distance does what is meant.
    assert!(most(&seen("distance", false), &seen("key-index", false)) > 0.1);
}

#[test]
fn sandwich_rises_at_fourteen() {
    let Encoding::Bias(sandwich) = build("sandwich") else { unreachable!() };
    let at = |offset| sandwich.by_offset(0, offset).unwrap();
    let first = (1..100).find(|&offset| at(offset) > at(offset - 1));
    assert_eq!(first, Some(14));
}

/// Each scheme, and those of its ways to act that differ in attention.
const SCHEMES: &[&str] = &[
    "none",
    "sinusoidal(d_model=8)",
    "fourier(num_bands=4,extent=6)",
    "sincos2d(d_model=8)",
    "learned2d(d_model=8)",
    "rope(head_dim=8)",
    "rope(head_dim=8,rope_type=yarn,factor=8)",
    "xpos(head_dim=8)",
    "irope(head_dim=8)",
    "irope(head_dim=8,layer=3)",
    "rope2d(head_dim=8)",
    "rope-mixed(head_dim=8)",
    "mrope(head_dim=8)",
    "alibi(form=last-query)",
    "t5(bidirectional=false)",
    "kerple(kernel=power)",
    "sandwich",
    "fire",
    "shaw(head_dim=8,left_max_position_embeddings=2,right_max_position_embeddings=0)",
    "transformer-xl(head_dim=8,d_model=16)",
    "deberta(head_dim=8,position_buckets=0,max_relative_positions=4)",
    "tupe(head_dim=8,relative_bias=false)",
    "cope(head_dim=8,npos_max=3,scaling=repository)",
];

#[test]
fn every_scheme_attends_causally() {
    let x = Normal::new(3).vector(N * WIDTH);
    for spec in registry() {
        // A table of weights comes from a file.
        assert!(spec.id == "learned" || SCHEMES.iter().any(|scheme| scheme.split('(').next() == Some(spec.id)));
    }
    for scheme in SCHEMES {
        let encoding = build(scheme);
        let head = Head::random(WIDTH, WIDTH, 4);
        let seen = head.attend(&encoding, 0, &x, true).unwrap();
        for (query, row) in seen.weights.chunks_exact(N).enumerate() {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{scheme}");
            assert!(row[query + 1..].iter().all(|w| *w == 0.0), "{scheme}");
        }
        // What comes later changes nothing.
        let mut other = x.clone();
        for cell in &mut other[4 * WIDTH..] {
            *cell += 1.0;
        }
        let changed = head.attend(&encoding, 0, &other, true).unwrap();
        // MPT counts from the end, but the length is the same.
        assert_eq!(seen.output[..4 * WIDTH], changed.output[..4 * WIDTH], "{scheme}");
        // Schemes without an absolute position are the same wherever the text starts.
        let by_position =
            ["sinusoidal(d_model=8)", "fourier(num_bands=4,extent=6)", "fire", "tupe(head_dim=8,relative_bias=false)"];
        if !by_position.contains(scheme) {
            let later = head.clone().from(1000).attend(&encoding, 0, &x, true).unwrap();
            assert!(most(&seen.output, &later.output) < 1e-12, "{scheme}");
        }
    }
}

#[test]
fn t5_does_not_divide_and_deberta_divides_by_three() {
    let (q, k) = (Normal::new(1).vector(N * WIDTH), Normal::new(2).vector(N * WIDTH));
    let tokens = Tokens::new(WIDTH, &q, &k).unwrap();
    let zeros = T5::new(1, Buckets::new(32, 128, true).unwrap(), vec![0.0; 32]).unwrap();
    let plain = logits(&Encoding::None, 0, &tokens, false).unwrap();
    let t5 = logits(&Encoding::Bias(Box::new(zeros)), 0, &tokens, false).unwrap();
    let root = (WIDTH as f64).sqrt();
    assert!(most(&t5, &plain.iter().map(|x| x * root).collect::<Vec<_>>()) < 1e-13);
    let buckets = deberta::Buckets::new(4, 8).unwrap();
    let zeros = deberta::Deberta::new(WIDTH, buckets, vec![0.0; 8 * WIDTH], vec![0.0; 8 * WIDTH]).unwrap();
    let third = logits(&Encoding::Content(Box::new(zeros)), 0, &tokens, false).unwrap();
    assert!(most(&third, &plain.iter().map(|x| x / 3.0_f64.sqrt()).collect::<Vec<_>>()) < 1e-14);
}

#[test]
fn shaw_is_constant_past_its_limits_and_reaches_the_values() {
    let shaw = Shaw::new(1, 2, 1, vec![1.0, 2.0, 3.0, 4.0], Some(vec![10.0, 20.0, 30.0, 40.0])).unwrap();
    assert_eq!([-9, -2, -1, 0, 1, 9].map(|by| shaw.row(100, 100 + by)), [0, 0, 1, 2, 3, 3]);
    // All weights are equal where the query is 0: the output is the mean of the values and of what is added to them.
    let encoding = Encoding::Content(Box::new(shaw));
    let tokens = [0.0; 4];
    let seen = attend(&encoding, 0, &Tokens::new(1, &tokens, &tokens).unwrap(), &[0.0; 4], false).unwrap();
    assert_eq!(
        seen.output,
        [
            (30.0 + 40.0 * 3.0) / 4.0,
            (20.0 + 30.0 + 80.0) / 4.0,
            (10.0 + 20.0 + 30.0 + 40.0) / 4.0,
            (20.0 + 20.0 + 30.0) / 4.0
        ]
    );
    assert!(matches!(Shaw::new(1, 2, 1, vec![0.0; 3], None), Err(Error::Length { needed: 4, .. })));
}

/// Both ways of giving the distances, and the sinusoid that one of them is.
#[test]
fn transformer_xl_projects_the_concatenated_sinusoid() {
    let mut random = Normal::new(5);
    let (u, v, w_r) = (random.vector(4), random.vector(4), random.vector(8 * 4));
    let freq = (0..4).map(|k| libm::pow(10_000.0, -2.0 * f64::from(k) / 8.0)).collect();
    let computed = TransformerXl::new(u.clone(), v.clone(), Distances::Sinusoid { freq, w_r: w_r.clone() }).unwrap();
    let rows: Vec<f64> = (0..5).flat_map(|n| computed.r(n).unwrap()).collect();
    let Encoding::Absolute(sinusoid) = build("sinusoidal(d_model=8,layout=concatenated)") else { unreachable!() };
    for n in 0..5 {
        let mut wave = [0.0; 8];
        sinusoid.write_row(f64::from(n), &mut wave).unwrap();
        for c in 0..4 {
            let product: f64 = (0..8).map(|r| wave[r] * w_r[4 * r + c]).sum();
            assert!((product - rows[4 * n as usize + c]).abs() < 1e-14);
        }
    }
    let given = TransformerXl::new(u, v, Distances::Projected(rows)).unwrap();
    let (q, k) = (random.vector(5 * 4), random.vector(5 * 4));
    let tokens = Tokens::new(4, &q, &k).unwrap();
    let (mut a, mut b) = ([0.0; 5], [0.0; 5]);
    for query in 0..5 {
        computed.write_row(&tokens, query, true, &mut a).unwrap();
        given.write_row(&tokens, query, true, &mut b).unwrap();
        assert!(most(&a, &b) < 1e-13);
    }
    // Rows that were not given are missed by name.
    assert_eq!(given.write_row(&tokens, 0, false, &mut b), Err(Error::NoRow(-1.0)));
    assert!(matches!(given.r(5), Err(Error::PastTheEnd { last: 4, .. })));
}

#[test]
fn deberta_buckets_are_odd_and_monotone() {
    let buckets = deberta::Buckets::new(256, 512).unwrap();
    for r in 1..3000_i64 {
        assert_eq!(buckets.bucket(-r), -buckets.bucket(r));
        assert!(buckets.bucket(r) >= buckets.bucket(r - 1));
    }
    assert_eq!((buckets.row(0), buckets.row(i64::MAX), buckets.row(i64::MIN)), (256, 511, 0));
    let plain = deberta::Buckets::new(0, 4).unwrap();
    assert_eq!([-9, -4, -1, 0, 3, 9].map(|r| plain.row(r)), [0, 0, 3, 4, 7, 7]);
    for (buckets, most) in [(1, 8), (-2, 8), (8, 5), (8, 0), (0, 0)] {
        assert!(matches!(deberta::Buckets::new(buckets, most), Err(Error::Parameter { .. })), "{buckets} {most}");
    }
}

/// There are no numbers of other code for TUPE: its properties instead.
#[test]
fn tupe_adds_the_same_whatever_the_words() {
    let tupe = content("tupe(head_dim=8,max_positions=6)");
    let mut rows = Vec::new();
    for seed in [1, 2] {
        let (q, k) = (Normal::new(seed).vector(N * WIDTH), Normal::new(seed + 9).vector(N * WIDTH));
        let tokens = Tokens::new(WIDTH, &q, &k).unwrap();
        let mut row = [0.0; N];
        tupe.write_row(&tokens, 3, false, &mut row).unwrap();
        rows.push(row);
    }
    assert_eq!(rows[0], rows[1]);
    assert_eq!((tupe.scale(), tupe.rows()), (1.0 / 16.0_f64.sqrt(), Some(6)));

    // By hand: products of rows shifted by one, T5's bias of the offset, and two numbers of [CLS].
    let (q, k): (Vec<f64>, Vec<f64>) = ((1..=4).map(f64::from).collect(), (5..=8).map(f64::from).collect());
    let t5 = T5::new(1, Buckets::new(4, 20, true).unwrap(), vec![0.0, 0.1, 0.2, 0.3]).unwrap();
    let root = 2.0_f64.sqrt();
    let tupe = Tupe::new(1, q.clone(), k.clone(), Some(t5), Some([1000.0, 2000.0])).unwrap();
    let [from_cls, to_cls] = [1000.0 + 5.0 / root, 2000.0 + 12.0 / root];
    assert_eq!([tupe.at(0, 0), tupe.at(0, 2), tupe.at(1, 0), tupe.at(2, 0)], [from_cls, from_cls, to_cls, to_cls]);
    assert!((tupe.at(1, 2) - (3.0 * 8.0 / root + 0.3)).abs() < 1e-14);
    assert!((tupe.at(2, 1) - (4.0 * 7.0 / root + 0.1)).abs() < 1e-14);
    assert!(tupe.at(3, 0).is_nan());
    let tied = Tupe::new(1, q, k, None, None).unwrap();
    assert!((tied.at(0, 1) - 2.0 * 7.0 / root).abs() < 1e-14);
    assert!(Tupe::new(2, vec![0.0; 3], vec![0.0; 3], None, None).is_err());
    let zeros = [0.0; 2];
    let tokens = Tokens::new(1, &zeros, &zeros).unwrap();
    assert_eq!(tied.write_row(&tokens.from(-1), 0, false, &mut [0.0; 2]), Err(Error::NoRow(-1.0)));
    assert!(matches!(tied.write_row(&tokens.from(2), 0, false, &mut [0.0; 2]), Err(Error::PastTheEnd { last: 2, .. })));
}

#[test]
fn cope_counts_gates() {
    // Gates wide open count tokens: the bias is then that of the distance, cut at the last vector.
    let cope = Cope::new(1, vec![0.0, 10.0, 20.0, 30.0], 1.0, 1.0).unwrap();
    let (q, k) = ([1.0; 6], [1000.0; 6]);
    let tokens = Tokens::new(1, &q, &k).unwrap();
    let mut row = [0.0; 6];
    cope.write_row(&tokens, 4, true, &mut row).unwrap();
    assert_eq!(row, [30.0, 30.0, 30.0, 20.0, 10.0, 0.0]);
    // Shut, they count nothing; half open, there is something between.
    cope.write_row(&Tokens::new(1, &q, &[-1000.0; 6]).unwrap(), 4, true, &mut row).unwrap();
    assert_eq!(row, [0.0; 6]);
    cope.write_row(&Tokens::new(1, &q, &[0.0; 6]).unwrap(), 4, true, &mut row).unwrap();
    assert_eq!(row, [25.0, 20.0, 15.0, 10.0, 5.0, 0.0]);
    // A separator's gate alone: position counts separators.
    let k = [-1000.0, 1000.0, -1000.0, -1000.0, 1000.0, -1000.0];
    cope.write_row(&Tokens::new(1, &q, &k).unwrap(), 5, true, &mut row).unwrap();
    assert_eq!(row, [20.0, 20.0, 10.0, 10.0, 10.0, 0.0]);
    assert!(Cope::new(2, vec![0.0; 3], 1.0, 1.0).is_err() && Cope::new(1, vec![], 1.0, 1.0).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = [0.0; 12];
    assert!(
        Tokens::new(0, &[], &[]).is_err() && Tokens::new(5, &x, &x).is_err() && Tokens::new(4, &x, &x[..8]).is_err()
    );
    let tokens = Tokens::new(4, &x, &x).unwrap();
    let eight = content("shaw(head_dim=8)");
    assert!(matches!(eight.write_row(&tokens, 0, false, &mut [0.0; 3]), Err(Error::Length { needed: 8, .. })));
    let four = content("shaw(head_dim=4)");
    assert!(four.write_row(&tokens, 3, false, &mut [0.0; 3]).is_err());
    assert!(four.write_row(&tokens, 0, false, &mut [0.0; 4]).is_err());
    assert!(attend(&Encoding::None, 0, &tokens, &x[..4], false).is_err());
    assert_eq!(attend(&build("alibi(num_heads=2)"), 2, &tokens, &x, false), Err(Error::Head { head: 2, heads: 2 }));
    assert!(attend(&build("rope(head_dim=8)"), 0, &tokens, &x, false).is_err());
    let head = Head::identity(4);
    assert!(head.attend(&Encoding::None, 0, &x[..5], false).is_err());
    assert!(head.attend(&build("sinusoidal(d_model=6)"), 0, &x, false).is_err());
    assert!(Head::new(4, 4, vec![0.0; 16], vec![0.0; 16], vec![0.0; 15]).is_err());
    assert_eq!(head.attend(&Encoding::None, 0, &[], true).unwrap().weights, Vec::<f64>::new());
    // A learned table that ends is asked past its end.
    let learned = posenc::schemes::learned::decode(&posenc::quantised::encode(4, &[1.0; 8]).unwrap()).unwrap();
    assert_eq!(head.attend(&learned, 0, &x, true), Err(Error::PastTheEnd { position: 2.0, last: 1 }));
    let mut nothing = [f64::NEG_INFINITY; 2];
    softmax(&mut nothing);
    assert_eq!(nothing, [0.0, 0.0]);
}

/// Rotations of a place: text is a line of equal coordinates, patches have a row and a column.
#[test]
fn patches_attend_by_row_and_column() {
    let grid = Grid { height: 2, width: 3 };
    let x = Normal::new(3).vector(N * WIDTH);
    let (q, k) = (Normal::new(4).vector(N * WIDTH), Normal::new(5).vector(N * WIDTH));
    let tokens = Tokens::new(WIDTH, &q, &k).unwrap();
    for scheme in ["rope2d(head_dim=8)", "rope-mixed(head_dim=8)"] {
        let encoding = build(scheme);
        let Encoding::Axial(axial) = &encoding else { unreachable!() };
        let all = logits(&encoding, 0, &tokens.on(grid).unwrap(), false).unwrap();
        // Patch 4 is row 1, column 1; patch 2 is row 0, column 2.
        let score = axial.score(tokens.q(4), tokens.k(2), &[1.0, -1.0]).unwrap();
        assert!((all[4 * N + 2] - score).abs() < 1e-13, "{scheme}");
        let text = logits(&encoding, 0, &tokens, false).unwrap();
        let along = Encoding::Rotary(axial.along(&[1.0, 1.0]).unwrap());
        assert!(most(&text, &logits(&along, 0, &tokens, false).unwrap()) < 1e-13, "{scheme}");
    }
    for scheme in ["xpos(head_dim=8)", "irope(head_dim=8,layer=3)"] {
        let encoding = build(scheme);
        let Encoding::QueryKey(both) = &encoding else { unreachable!() };
        let all = logits(&encoding, 0, &tokens, true).unwrap();
        let score = both.score(tokens.q(4), tokens.k(2), 4.0, 2.0).unwrap();
        assert!((all[4 * N + 2] - score).abs() < 1e-13, "{scheme}");
    }
    for scheme in ["sincos2d(d_model=8)", "mrope(head_dim=8)"] {
        let head = Head::random(WIDTH, WIDTH, 4).on(grid);
        let encoding = build(scheme);
        assert!(head.attend(&encoding, 0, &x, false).is_ok(), "{scheme}");
        assert!(head.attend(&encoding, 0, &x[WIDTH..], false).is_err(), "{scheme}");
    }
    assert!(matches!(tokens.on(Grid { height: 2, width: 2 }), Err(Error::Length { needed: 4, .. })));
}
