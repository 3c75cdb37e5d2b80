//! What must hold of numbers that are added to the logits, and of tables of weights.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding, Error,
    bias::{Bias, Row, Softmax, share},
    profile::steps,
    quantised::{Table, encode},
    registry,
    schemes::{
        alibi::{Alibi, Form},
        fire::{Fire, Network},
        kerple::{Kernel, Kerple},
        learned,
        t5::{Buckets, T5},
    },
};
use proptest::prelude::*;

fn bias(text: &str) -> Box<dyn Bias> {
    match Config::parse(text).unwrap().0.build().unwrap() {
        Encoding::Bias(bias) => bias,
        _ => unreachable!("{text} is added to the logits"),
    }
}

/// The rule as the authors' code states it, by recursion: `get_slopes` of the paper's repository.
fn published_slopes(n: usize) -> Vec<f64> {
    if n.is_power_of_two() {
        let start = libm::exp2(-libm::exp2(-(libm::log2(n as f64) - 3.0)));
        return (0..n).map(|i| start * libm::pow(start, i as f64)).collect();
    }
    let closest = 1 << n.ilog2();
    let more = published_slopes(2 * closest).into_iter().step_by(2).take(n - closest);
    published_slopes(closest).into_iter().chain(more).collect()
}

#[test]
fn slopes_of_every_number_of_heads_are_the_published_ones() {
    for heads in 1..=256 {
        let alibi = Alibi::new(heads, 8.0, Form::Relative);
        let expected = published_slopes(heads);
        assert_eq!(alibi.slopes().len(), heads);
        for (h, (slope, expected)) in alibi.slopes().iter().zip(&expected).enumerate() {
            assert!((slope / expected - 1.0).abs() < 1e-13, "{h} of {heads}: {slope}, {expected}");
        }
        // They fall, except where the second list begins.
        let rises: Vec<usize> = (1..heads).filter(|&h| alibi.slopes()[h] >= alibi.slopes()[h - 1]).collect();
        assert_eq!(rises, if heads.is_power_of_two() { vec![] } else { vec![1 << heads.ilog2()] });
    }
    let twelve = Alibi::new(12, 8.0, Form::Relative);
    let halves = [0.5, 0.25, 0.125, 0.0625, 0.031_25, 0.015_625, 0.007_812_5, 0.003_906_25];
    assert_eq!(twelve.slopes()[..8], halves);
    assert_eq!(Alibi::new(0, 8.0, Form::Distance).heads(), 0);
}

#[test]
fn the_forms_of_alibi_differ_by_a_constant_of_the_row() {
    let of = |form: &str| bias(&format!("alibi(num_heads=12,form={form})"));
    let (relative, distance, index, last) = (of("relative"), of("distance"), of("key-index"), of("last-query"));
    for (head, query, length) in [(0, 0, 1), (3, 7, 20), (11, 19, 20)] {
        let row = Row::new(head, query).of(length);
        let less = |form: &dyn Bias| {
            let first = form.bias(row, 0).unwrap();
            (0..length).map(|key| form.bias(row, key).unwrap() - first).collect::<Vec<_>>()
        };
        for (a, b) in less(&*relative).iter().zip(less(&*index)) {
            assert!((a - b).abs() < 1e-13);
        }
        for (a, b) in less(&*relative).iter().zip(less(&*last)) {
            assert!((a - b).abs() < 1e-13);
        }
        for key in 0..=query {
            assert_eq!(relative.bias(row, key), distance.bias(row, key));
        }
        assert_eq!(last.bias(row, length - 1), Ok(0.0));
        assert_eq!(
            last.bias(row, length),
            Err(Error::PastTheEnd { position: length as f64, last: length as usize - 1 })
        );
    }
    assert_eq!(distance.by_offset(0, -4), distance.by_offset(0, 4));
    assert_eq!((index.by_offset(0, 4), last.by_offset(0, 4), relative.by_offset(12, 4)), (None, None, None));
    assert_eq!(relative.bias(Row::new(12, 4), 0), Err(Error::Head { head: 12, heads: 12 }));
    // No number is written "-0".
    assert!([&relative, &distance, &last].iter().all(|b| b.bias(Row::new(0, 4), 4).unwrap().is_sign_positive()));
}

#[test]
fn buckets_are_monotone_and_clamped_to_two_to_the_31() {
    for (count, distance) in [(32, 128), (8, 16), (4, 20), (64, 1000), (512, 1_000_000), (3, 2), (256, 130)] {
        for bidirectional in [false, true] {
            let Ok(buckets) = Buckets::new(count, distance, bidirectional) else {
                assert!(count == 3 && bidirectional, "{count} {distance}");
                continue;
            };
            let far = 1_i64 << 31;
            let last = buckets.count() - 1;
            let side = if bidirectional { (count / 2) as usize } else { count as usize };
            assert_eq!(buckets.bucket(far), side - 1);
            assert_eq!(buckets.bucket(i64::MAX), side - 1);
            assert_eq!(buckets.bucket(-far), if bidirectional { last } else { 0 });
            assert_eq!(buckets.bucket(i64::MIN), if bidirectional { last } else { 0 });
            let mut before = (0, 0);
            for n in (0..3000).chain((3000..far).step_by(7_654_321)) {
                let now = (buckets.bucket(n), buckets.bucket(-n));
                assert!(now.0 >= before.0 && now.0 < side, "{count} {distance} at {n}");
                assert!(now.1 >= before.1 && now.1 <= last);
                before = now;
            }
            // The spans say the same, and leave no gap.
            let spans = buckets.spans();
            assert_eq!((spans[0].start, spans[spans.len() - 1].end), (None, None));
            for pair in spans.windows(2) {
                assert_eq!(pair[0].end, pair[1].start);
                assert!(pair[0].bucket != pair[1].bucket || !bidirectional);
            }
            for span in spans {
                let (first, end) = (span.start.unwrap_or(-far), span.end.unwrap_or(far));
                assert!(first < end);
                assert_eq!((buckets.bucket(first), buckets.bucket(end - 1)), (span.bucket, span.bucket));
            }
        }
    }
    for (count, distance, bidirectional) in
        [(1, 128, false), (3, 128, true), (32, 16, false), (32, 8, true), (-4, 9, true)]
    {
        assert!(matches!(Buckets::new(count, distance, bidirectional), Err(Error::Parameter { .. })));
    }
}

#[test]
fn a_t5_table_is_of_its_size_and_by_bucket() {
    let buckets = Buckets::new(4, 20, false).unwrap();
    assert!(matches!(T5::new(2, buckets.clone(), vec![0.0; 7]), Err(Error::Length { needed: 8, .. })));
    let t5 = T5::new(2, buckets, (0..8).map(f64::from).collect()).unwrap();
    assert_eq!((t5.by_offset(1, 0), t5.by_offset(1, -9), t5.by_offset(0, 1000)), (Some(4.0), Some(4.0), Some(3.0)));
    assert_eq!((t5.value(1, 3), t5.value(1, 4), t5.value(2, 0)), (Some(7.0), None, None));
    assert!(!t5.scales_logits() && Alibi::new(2, 8.0, Form::Relative).scales_logits());
    // Made-up tables: the same each time, one head not changed by others, and of a size that T5's have.
    let buckets = Buckets::new(32, 128, true).unwrap();
    let (few, many) = (T5::synthetic(3, buckets.clone()), T5::synthetic(12, buckets));
    for bucket in 0..32 {
        assert_eq!(few.value(2, bucket), many.value(2, bucket));
        assert!((0..12).all(|head| many.value(head, bucket).unwrap().abs() < 20.0));
    }
}

#[test]
fn kerple_holds_alibi_and_clamps() {
    let alibi = Alibi::new(8, 8.0, Form::Distance);
    let power = Kerple::new(Kernel::Power, vec![1.0; 8], alibi.slopes().iter().map(|m| m.max(0.01)).collect()).unwrap();
    for offset in [-100, 0, 1, 77] {
        // The slopes from 2^-7 on lie below the authors' least.
        for head in 0..6 {
            assert_eq!(power.by_offset(head, offset), alibi.by_offset(head, offset));
        }
    }
    let clamped = Kerple::new(Kernel::Log, vec![5.0, -1.0], vec![-1.0, 2.0]).unwrap();
    assert_eq!((clamped.p(), clamped.a()), ([5.0, 0.01].as_slice(), [0.01, 2.0].as_slice()));
    assert!(matches!(Kerple::new(Kernel::Log, vec![1.0], vec![]), Err(Error::Length { .. })));
}

#[test]
fn fire_depends_on_the_query_past_its_length_only() {
    let fire = bias("fire(num_heads=4,init_L=100)");
    let at = |head, query: i64, offset: i64| fire.bias(Row::new(head, query), query - offset).unwrap();
    for head in 0..4 {
        for offset in 0..=50 {
            assert_eq!(at(head, 50, offset), at(head, 100, offset));
        }
        assert!(at(head, 101, 50) != at(head, 100, 50));
    }
    let network = Network { w1: vec![1.0], b1: vec![0.0], w2: vec![1.0, 2.0], b2: vec![0.0] };
    assert!(matches!(Fire::new(0.1, 512.0, 1e-6, network), Err(Error::Length { what: "w2", .. })));
    // The input stays between 0 and 1 however long the text.
    let network = Network { w1: vec![1.0], b1: vec![0.0], w2: vec![1.0], b2: vec![0.0] };
    let fire = Fire::new(0.1, 512.0, 1e-6, network).unwrap();
    for query in [0, 1, 511, 512, 100_000, 1 << 40] {
        for offset in [0, 1, query / 2, query] {
            assert!((0.0..=1.0).contains(&fire.input(query, offset.min(query))), "{query} {offset}");
        }
    }
}

/// The least and greatest of every offset of a run, or of the sample that is looked at.
fn brute(bias: &dyn Bias, row: Row, start: i64, end: i64, samples: u64) -> (f32, f32) {
    let (stride, count) = steps(start, end, samples);
    (0..count)
        .map(|i| bias.bias(row, row.query - (start + (i * stride) as i64)).unwrap() as f32)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), x| (min.min(x), max.max(x)))
}

fn biases() -> impl Strategy<Value = String> {
    let seed = 0..100_i64;
    prop_oneof![
        (1..40, prop::sample::select(vec!["relative", "distance", "key-index", "last-query"]))
            .prop_map(|(heads, form)| format!("alibi(num_heads={heads},form={form})")),
        (4..200, 500..100_000, any::<bool>()).prop_map(|(buckets, distance, both)| format!(
            "t5(relative_attention_num_buckets={buckets},relative_attention_max_distance={distance},bidirectional={both})"
        )),
        (seed.clone(), prop::sample::select(vec!["log", "power"]))
            .prop_map(|(seed, kernel)| format!("kerple(init_seed={seed},kernel={kernel})")),
        (seed, 0.01..10.0, 1.0..5000.0)
            .prop_map(|(seed, c, length)| format!("fire(init_seed={seed},init_c={c},init_L={length})")),
        (1..64).prop_map(|half| format!("sandwich(d_bar={})", 2 * half)),
    ]
}

proptest! {
    #[test]
    fn ranges_are_those_of_every_offset(text in biases(), query in 0_i64..5000, from in -4000_i64..4000, length in 0_i64..3000, head in 0_usize..8) {
        let bias = bias(&text);
        let from = if text.contains("last-query") { from.max(0) } else { from };
        let row = Row::new(head % bias.heads(), query);
        let (end, sandwich) = (from + length, text.starts_with("sandwich"));
        let range = bias.range(row, from, end, u64::MAX).unwrap();
        let (min, max) = brute(&*bias, row, from, end, u64::MAX);
        prop_assert!(range.exact);
        if sandwich {
            prop_assert!((range.min - min).abs() < 3e-4 && (range.max - max).abs() < 3e-4, "{text}: {range:?} {min} {max}");
        } else {
            prop_assert_eq!((range.min, range.max), (min, max), "{}", text);
        }
        // One run after the other is the same.
        let edges = [from, from + length / 3, end];
        let each = bias.ranges(row, &edges, u64::MAX).unwrap();
        let allowed = if sandwich { 3e-4 } else { 0.0 };
        prop_assert!(length < 3 || (each[0].with(each[1]).max - range.max).abs() <= allowed);
    }

    #[test]
    fn weights_and_shares_are_those_of_every_key(text in biases(), query in 0_i64..800, ahead in 0_i64..300, from in 0_i64..1000, count in 0_i64..700, head in 0_usize..40) {
        let bias = bias(&text);
        let length = query + 1 + ahead;
        let row = Row::new(head % bias.heads(), query).of(length);
        let keys = from.min(length)..(from + count).min(length);
        let at = |key: i64| bias.bias(row, key).unwrap();
        let most = (0..length).map(at).fold(f64::NEG_INFINITY, f64::max);
        let sum = |keys: std::ops::Range<i64>| keys.map(|key| libm::exp(at(key) - most)).sum::<f64>();
        let exact = sum(keys.clone());
        let weight = bias.weight(row, keys.clone(), most).unwrap();
        prop_assert!((weight - exact).abs() <= 1e-9 * exact.max(1e-12), "{text}: {weight} {exact}");
        let whole = share(&*bias, row, keys.clone(), 0..length).unwrap();
        prop_assert!((whole - exact / sum(0..length)).abs() < 1e-6, "{text}: {whole}");
        prop_assert_eq!(share(&*bias, row, -5..length + 5, 0..length).unwrap(), 1.0);
        prop_assert_eq!(share(&*bias, row, 0..0, 0..length).unwrap(), 0.0);
        let softmax = Softmax::new(&*bias, row, 0..length).unwrap().unwrap();
        let shares = sum(0..length);
        let (mut all, mut within) = (0.0, 0.0);
        for key in 0..length {
            let found = softmax.at(query - key);
            prop_assert!((found - libm::exp(at(key) - most) / shares).abs() < 1e-6);
            all += found;
            within += if (query - key).abs() < 9 { found } else { 0.0 };
        }
        prop_assert!((all - 1.0).abs() < 1e-9 && (softmax.retained(9) - within).abs() < 1e-9);
        prop_assert!(softmax.at(query + 1).is_nan() && softmax.at(query - length).is_nan());
        prop_assert!(Softmax::new(&*bias, row, 3..3).unwrap().is_none());
    }

    #[test]
    fn an_offset_is_all_that_matters_where_it_is_said_to(text in biases(), query in 0_i64..1_000_000, by in 0_i64..1_000_000, offset in 0_i64..10_000) {
        let bias = bias(&text);
        for head in 0..bias.heads() {
            let at = |query: i64| bias.bias(Row::new(head, query), query - offset).unwrap();
            match bias.by_offset(head, offset) {
                Some(value) => {
                    prop_assert_eq!(value, at(query));
                    prop_assert_eq!(value, at(query + by));
                }
                None => prop_assert!(text.starts_with("fire") || text.contains("key-index") || text.contains("last-query")),
            }
            prop_assert!(at(query).is_finite());
        }
        prop_assert_eq!(bias.by_offset(bias.heads(), offset), None);
        let none = Row::new(bias.heads(), query);
        prop_assert!(bias.bias(none, 0).is_err() && bias.range(none, 0, 99, 9).is_err() && bias.write_row(none, 0, &mut [0.0]).is_err());
    }

    #[test]
    fn hostile_bytes_are_a_table_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..200), magic in any::<bool>(), rows in 0_u32..20, columns in 0_u32..20) {
        if magic {
            let mut head = b"POSENCQ8".to_vec();
            head.extend(rows.to_le_bytes());
            head.extend(columns.to_le_bytes());
            head.append(&mut bytes);
            bytes = head;
        }
        match Table::decode(&bytes) {
            Ok(table) => {
                prop_assert_eq!(bytes.len(), 16 + table.rows() * (4 + table.columns()));
                prop_assert!((0..table.rows()).all(|r| (0..table.columns()).all(|c| table.get(r, c).is_finite())));
            }
            Err(error) => prop_assert!(matches!(error, Error::Data(_))),
        }
    }

    #[test]
    fn a_quantised_weight_is_within_its_bound(columns in 1_usize..9, weights in prop::collection::vec(-1e6_f32..1e6, 1..64), small in any::<bool>()) {
        let rows = weights.len() / columns;
        let scale = if small { 1e-7 } else { 1.0 };
        let weights: Vec<f32> = weights[..rows * columns].iter().map(|w| w * scale).collect();
        if rows == 0 {
            prop_assert!(encode(columns, &weights).is_err());
            return Ok(());
        }
        let bytes = encode(columns, &weights).unwrap();
        let table = Table::decode(&bytes).unwrap();
        for (i, weight) in weights.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            prop_assert!((table.get(row, column) - f64::from(*weight)).abs() <= table.bound(row));
        }
    }
}

#[test]
fn tables_that_are_none_are_refused() {
    let good = encode(3, &[1.0; 6]).unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Table::decode(&bad)
    };
    assert!(Table::decode(&good).is_ok());
    for (at, bytes) in [
        (0, b"POSENCQ9".as_slice()),
        (8, &[255; 8]),
        (8, &[0; 4]),
        (12, &[4, 0, 0, 0]),
        (16, &f32::NAN.to_le_bytes()),
        (16, &f32::INFINITY.to_le_bytes()),
        (20, &(-1.0_f32).to_le_bytes()),
        (24, &[128]),
    ] {
        assert!(matches!(with(at, bytes), Err(Error::Data(_))), "{at}");
    }
    assert!((0..good.len()).all(|n| Table::decode(&good[..n]).is_err()));
    for (columns, weights) in [(0, vec![1.0]), (2, vec![1.0]), (1, vec![f32::NAN]), (1, vec![])] {
        assert!(encode(columns, &weights).is_err());
    }
}

/// The files that the page fetches, against weights of the tables that they were made from.
#[test]
fn the_shipped_tables_are_those_of_the_models() {
    for (name, rows, columns, worst, last_rows) in
        [("rxnmapper", 512, 128, 0.0021, vec![510, 511]), ("minilm", 512, 384, 0.0075, vec![])]
    {
        let Err(Error::NeedsData(asset)) = Config::parse(&format!("learned(table={name})")).unwrap().0.build() else {
            unreachable!("it is kept in a file")
        };
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/data");
        let bytes = std::fs::read(folder.join(asset.file)).unwrap();
        let Encoding::Absolute(learned) = (asset.decode)(&bytes).unwrap() else { unreachable!() };
        assert_eq!((learned.width(), learned.rows()), (columns, Some(rows)));
        let table = Table::decode(&bytes).unwrap();
        let mut compared = 0;
        for line in include_str!("data/learned.txt").lines().filter(|line| line.starts_with(name)) {
            let fields: Vec<&str> = line.split(' ').collect();
            let [row, column] = [1, 2].map(|i| fields[i].parse::<usize>().unwrap());
            let weight: f64 = fields[3].parse().unwrap();
            let mut out = vec![0.0; columns];
            learned.write_row(row as f64, &mut out).unwrap();
            assert!((out[column] - weight).abs() <= table.bound(row), "{line}: {}", out[column]);
            compared += 1;
        }
        assert_eq!(compared, 66);
        assert!((0..rows).all(|row| table.bound(row) < worst));
        let untrained: Vec<u64> = (0..600).filter(|row| learned.untrained(*row)).collect();
        assert_eq!(untrained, last_rows);
        let mut out = vec![0.0; columns];
        for (position, error) in [
            (512.0, Error::PastTheEnd { position: 512.0, last: 511 }),
            (1e300, Error::PastTheEnd { position: 1e300, last: 511 }),
            (-1.0, Error::NoRow(-1.0)),
            (0.5, Error::NoRow(0.5)),
        ] {
            assert_eq!(learned.write_row(position, &mut out), Err(error));
        }
        assert!(matches!(learned.write_row(f64::NAN, &mut out), Err(Error::NoRow(_))));
        assert!(matches!(learned.write_row(0.0, &mut [0.0]), Err(Error::Length { .. })));
        // A fast table is NaN past the end.
        let mut rows = vec![0.0; 2 * columns];
        learned.fill(511.0, 1.0, &mut rows);
        assert!(rows[..columns].iter().all(|x| x.is_finite()) && rows[columns..].iter().all(|x| x.is_nan()));
    }
    assert!(learned::decode(b"POSENCQ8").is_err());
}

#[test]
fn a_spec_that_needs_a_file_says_which() {
    for spec in registry() {
        if let Err(error) = Config::new(spec).build() {
            assert!(
                matches!(&error, Error::NeedsData(asset) if asset.file.starts_with(spec.id)),
                "{}: {error}",
                spec.id
            );
        }
    }
}
