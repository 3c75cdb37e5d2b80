//! What the fast paths cost, each beside a plain pass over the same memory in the same run: ratios mean the same on
//! every machine. `cargo bench -p posenc`.
#![expect(clippy::expect_used, reason = "a bench that cannot build its scheme has failed")]
#![expect(clippy::disallowed_methods, reason = "no result depends on these bits")]

use posenc::{Config, Encoding, profile::Profile, vectors::Vectors};
use std::{hint::black_box, time::Instant};

/// The shortest time of one call, in seconds: what the machine's other work adds is not counted.
fn time(mut work: impl FnMut()) -> f64 {
    work();
    let times = (0..25).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn line(what: &str, seconds: f64, base: f64) {
    println!("{what:<58} {:>9.3} ms   {:>7.1}x", seconds * 1e3, seconds / base);
}

fn build(text: &str) -> Encoding {
    Config::parse(text).expect("a scheme").0.build().expect("a defined scheme")
}

fn main() {
    let (rows, width) = (4096, 512);
    let mut table = vec![0.0_f32; rows * width];
    let mut value = 0.0;
    let fill = time(|| {
        value += 1.0;
        black_box(&mut table[..]).fill(value);
    });
    println!("table of {rows} x {width}");
    line("  plain fill", fill, fill);
    for text in ["sinusoidal(d_model=512)", "sinusoidal(d_model=512,layout=concatenated)"] {
        let Encoding::Absolute(scheme) = build(text) else { unreachable!() };
        let waves = scheme.waves().expect("waves");
        line(&format!("  {text}"), time(|| waves.fill(0.0, 1.0, black_box(&mut table))), fill);
        line("    mean of runs of 244", time(|| waves.fill_mean(0.0, 244, black_box(&mut table))), fill);
        line("    spread of runs of 244", time(|| waves.fill_spread(0.0, 244, black_box(&mut table))), fill);
    }
    let Encoding::Rotary(rope) = build("rope(head_dim=512)") else { unreachable!() };
    line("  rope(head_dim=512)", time(|| rope.waves().fill(0.0, 1.0, black_box(&mut table))), fill);

    let (rows, width) = (65_536, 128);
    let Encoding::Rotary(rope) = build("rope") else { unreachable!() };
    let from = vec![0.5_f32; rows * width];
    let mut to = vec![0.0_f32; rows * width];
    println!("rotate {rows} x {width}");
    let copy = time(|| black_box(&mut to[..]).copy_from_slice(black_box(&from)));
    line("  plain copy", copy, copy);
    line("  rotate_rows", time(|| rope.rotate_rows(&from, 0.0, 1.0, black_box(&mut to)).expect("rows")), copy);

    println!("ranges of profiles, 64 planes (against a plain fill of one f32 an offset)");
    let profiles: Vec<Profile> = ["rope", "rope(rope_theta=500000)", "rope(rope_theta=1000000)"]
        .iter()
        .map(|text| {
            let Encoding::Rotary(rope) = build(text) else { unreachable!() };
            let (q, k) = Vectors::Equal { seed: 1 }.pair(128);
            rope.profile(&q, &k).expect("lengths")
        })
        .collect();
    for (length, columns, samples, log, count) in [
        (65_536_i64, 1000_i64, u64::MAX, false, 3),
        (65_536, 1000, 64, false, 3),
        (1_000_000, 1000, 64, false, 3),
        (10_000_000, 1000, 64, false, 3),
        (1_000_000, 1000, 64, true, 3),
        (10_000_000, 1000, u64::MAX, false, 1),
        (10_000_000, 1000, u64::MAX, true, 1),
    ] {
        let edges: Vec<i64> = (0..=columns)
            .map(|i| {
                let part = i as f64 / columns as f64;
                if log { (length as f64).powf(part) as i64 } else { (length as f64 * part) as i64 }
            })
            .collect();
        let mut scores = vec![0.0_f32; length as usize * count];
        let base = time(|| black_box(&mut scores[..]).fill(1.0));
        let took = time(|| {
            for profile in &profiles[..count] {
                black_box(profile.ranges(black_box(&edges), samples));
            }
        });
        let which = if samples == u64::MAX { "all".into() } else { format!("{samples} a column") };
        let axis = if log { "log" } else { "linear" };
        line(&format!("  {count} x {length} offsets, {columns} columns, {axis}, {which}"), took, base);
    }
}
