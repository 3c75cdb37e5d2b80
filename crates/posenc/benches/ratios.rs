//! What the fast paths cost, each as a ratio to a plain pass over the same memory: ratios mean the same on every machine.
//! `cargo bench -p posenc`, or `cargo xtask bench posenc`; it fails when a figure is missed.
//!
//! Criterion measures the ratio itself: every round does the work and the plain pass one after the other, so that what
//! else the machine does meets both. Figures are held against the median round, and against the shortest time.
#![expect(clippy::expect_used, reason = "a bench that cannot build its scheme has failed")]
#![expect(
    clippy::disallowed_methods,
    reason = "no result depends on these bits; brute force may use the platform's functions"
)]

use criterion::{
    Criterion, Throughput,
    measurement::{Measurement, ValueFormatter},
};
use posenc::{Config, Encoding, Rotary, profile::Profile, vectors::Vectors};
use std::{
    cell::RefCell,
    hint::black_box,
    process::ExitCode,
    time::{Duration, Instant},
};

/// How many times as long as the plain pass.
struct Ratio;

impl Measurement for Ratio {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {}

    fn end(&self, (): ()) -> f64 {
        0.0
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Ratio {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "x"
    }

    fn scale_throughputs(&self, _typical: f64, _throughput: &Throughput, _values: &mut [f64]) -> &'static str {
        "x"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "x"
    }
}

/// What was found, over all rounds.
struct Found {
    /// The shortest time of the work, in seconds.
    shortest: f64,
    /// How many times as long as the plain pass the work took, in the median round.
    ratio: f64,
}

fn seconds(work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The benches, and what they missed.
struct Bench {
    criterion: Criterion<Ratio>,
    missed: Vec<String>,
}

impl Bench {
    /// Measures some work against a plain pass; nothing where the command line left it out.
    fn against(&mut self, name: &str, mut plain: impl FnMut(), mut work: impl FnMut()) -> Option<Found> {
        let (mut shortest, mut ratios) = (f64::INFINITY, Vec::new());
        self.criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let (mut works, mut plains) = (0.0, 0.0);
                for _ in 0..rounds {
                    let (plain, work) = (seconds(&mut plain), seconds(&mut work));
                    ratios.push(work / plain);
                    shortest = shortest.min(work);
                    (works, plains) = (works + work, plains + plain);
                }
                rounds as f64 * works / plains
            });
        });
        ratios.sort_by(f64::total_cmp);
        let ratio = *ratios.get(ratios.len() / 2)?;
        println!("{:24}median {ratio:.2}x, shortest {:.3} ms", "", shortest * 1e3);
        Some(Found { shortest, ratio })
    }

    /// A figure to reach.
    fn figure(&mut self, what: &str, reached: bool) {
        println!("{:24}{} {what}", "", if reached { "reached:" } else { "MISSED:" });
        if !reached {
            self.missed.push(what.into());
        }
    }

    /// The same work on two sizes.
    fn of_two<T: Copy>(&mut self, name: &str, work: &mut impl FnMut(T), sizes: [T; 2]) -> Option<Found> {
        let work = RefCell::new(work);
        self.against(name, || work.borrow_mut()(sizes[0]), || work.borrow_mut()(sizes[1]))
    }

    /// Work on four times as much takes four times as long. What fits a cache is a little faster.
    fn grows(&mut self, name: &str, mut work: impl FnMut(usize), size: usize) {
        if let Some(found) = self.of_two(name, &mut work, [size, 4 * size]) {
            self.figure(&format!("{name}: linear (3x to 5x)"), (3.0..5.0).contains(&found.ratio));
        }
    }
}

fn build(text: &str) -> Encoding {
    Config::parse(text).expect("a scheme").0.build().expect("a defined scheme")
}

fn rotary(text: &str) -> Rotary {
    let Encoding::Rotary(rope) = build(text) else { unreachable!("a rotation") };
    rope
}

fn main() -> ExitCode {
    let criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .with_measurement(Ratio)
        .configure_from_args();
    let mut bench = Bench { criterion, missed: Vec::new() };
    tables(&mut bench);
    rotations(&mut bench);
    profiles(&mut bench);
    if bench.missed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nmissed:\n  {}", bench.missed.join("\n  "));
    ExitCode::FAILURE
}

/// Tables of 4,096 × 512, against a fill.
fn tables(bench: &mut Bench) {
    let (rows, width) = (4096, 512);
    let (mut table, mut plain) = (vec![0.0_f32; rows * width], vec![0.0_f32; rows * width]);
    let mut value = 0.0;
    let mut fill = || {
        value += 1.0;
        black_box(&mut plain[..]).fill(value);
    };
    for text in ["sinusoidal(d_model=512)", "sinusoidal(d_model=512,layout=concatenated)"] {
        let Encoding::Absolute(scheme) = build(text) else { unreachable!() };
        let waves = scheme.waves().expect("waves");
        bench.against(&format!("table/{text}"), &mut fill, || waves.fill(0.0, 1.0, black_box(&mut table)));
    }
    let rope = rotary("rope(head_dim=512)").waves();
    bench.against("table/rope(head_dim=512)", &mut fill, || rope.fill(0.0, 1.0, black_box(&mut table)));
    let Encoding::Absolute(scheme) = build("sinusoidal(d_model=512)") else { unreachable!() };
    let waves = scheme.waves().expect("waves");
    bench.against("mean of runs of 244", &mut fill, || waves.fill_mean(0.0, 244, black_box(&mut table)));
    bench.against("spread of runs of 244", &mut fill, || waves.fill_spread(0.0, 244, black_box(&mut table)));
    // A run's mean has a closed form: its cost does not depend on the run. (Far from 0 sines cost more.)
    let mut mean = |run| waves.fill_mean(0.0, run, black_box(&mut table));
    let runs = [16, 256];
    if let Some(found) = bench.of_two("mean of runs of 16, and of 256", &mut mean, runs) {
        bench.figure("a mean costs the same for any run (0.7x to 1.4x)", (0.7..1.4).contains(&found.ratio));
    }
    let mut table = vec![0.0_f32; 8 * rows * width];
    let fill = |rows: usize| waves.fill(0.0, 1.0, black_box(&mut table[..rows * width]));
    bench.grows("table of 8,192 rows, and of 32,768", fill, 2 * rows);
}

/// Queries or keys of 65,536 × 128, against a copy.
fn rotations(bench: &mut Bench) {
    let (rows, width) = (65_536, 128);
    let from = vec![0.5_f32; rows * width];
    let (mut to, mut copy) = (vec![0.0_f32; rows * width], vec![0.0_f32; rows * width]);
    for layout in ["half", "interleaved"] {
        let rope = rotary(&format!("rope(layout={layout})"));
        let found = bench.against(
            &format!("rotate 65,536 x 128, {layout}"),
            || black_box(&mut copy[..]).copy_from_slice(black_box(&from)),
            || rope.rotate_rows(&from, 0.0, 1.0, black_box(&mut to)).expect("rows"),
        );
        if let Some(found) = found {
            bench.figure(&format!("rotating 65,536 x 128 ({layout}) within 4x the copy"), found.ratio <= 4.0);
        }
    }
    let rope = rotary("rope");
    let (from, mut to) = (vec![0.5_f32; 2 * rows * width], vec![0.0_f32; 2 * rows * width]);
    let turn = |rows: usize| {
        let cells = rows * width;
        rope.rotate_rows(&from[..cells], 0.0, 1.0, black_box(&mut to[..cells])).expect("rows");
    };
    bench.grows("rotate 32,768 rows, and 131,072", turn, rows / 2);
}

fn columns(length: i64, count: i64, log: bool) -> Vec<i64> {
    let edge = |i: i64| {
        let part = i as f64 / count as f64;
        if log { (length as f64).powf(part) as i64 } else { (length as f64 * part) as i64 }
    };
    (0..=count).map(edge).collect()
}

/// Ranges of a score over millions of offsets, 64 planes, against a fill of one number an offset.
fn profiles(bench: &mut Bench) {
    let rope = rotary("rope");
    let (q, k) = Vectors::Equal { seed: 1 }.pair(128);
    let profile = rope.profile(&q, &k).expect("lengths");
    let mut scores = vec![0.0_f32; 10_000_000];
    for (length, samples, log) in [
        (1_000_000_i64, u64::MAX, false),
        (10_000_000, 64, false),
        (10_000_000, u64::MAX, true),
        (10_000_000, u64::MAX, false),
    ] {
        let edges = columns(length, 1200, log);
        let axis = if log { "log" } else { "linear" };
        let looked = if samples == u64::MAX { "all".into() } else { format!("{samples} a column") };
        let found = bench.against(
            &format!("{length} offsets, 1,200 columns, {axis}, {looked}"),
            || black_box(&mut scores[..length as usize]).fill(1.0),
            || {
                black_box(profile.ranges(black_box(&edges), samples));
            },
        );
        if let Some(found) = found
            && (length, samples) == (10_000_000, u64::MAX)
        {
            let what =
                format!("ten million offsets, 1,200 columns ({axis}) within 150 ms: {:.0} ms", found.shortest * 1e3);
            bench.figure(&what, found.shortest <= 0.150);
            if !log {
                let worst = worst_share(&profile, &edges);
                bench.figure(&format!("ranges within 1 % of brute force: {worst:.1e}"), worst <= 0.01);
            }
        }
    }
    bench.grows(
        "ranges of 1,000,000 offsets, and of 4,000,000",
        |length| {
            black_box(profile.ranges(black_box(&columns(length as i64, 1200, false)), u64::MAX));
        },
        1_000_000,
    );
}

/// How far a range's ends are from those of every score of its run, as a share of these: the worst of all runs.
fn worst_share(profile: &Profile, edges: &[i64]) -> f64 {
    let score = |offset: i64| -> f64 {
        let planes = profile.freq().iter().zip(profile.cos().iter().zip(profile.sin()));
        let plane = |(w, (a, b)): (&f64, (&f64, &f64))| {
            let (sin, cos) = (offset as f64 * w).sin_cos();
            a * cos + b * sin
        };
        profile.constant() + planes.map(plane).sum::<f64>()
    };
    let ranges = profile.ranges(edges, u64::MAX);
    let mut worst: f64 = 0.0;
    for (run, range) in edges.windows(2).zip(ranges) {
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for offset in run[0]..run[1] {
            let score = score(offset);
            (min, max) = (min.min(score), max.max(score));
        }
        let off = (f64::from(range.min) - min).abs().max((f64::from(range.max) - max).abs());
        worst = worst.max(off / (max - min));
    }
    worst
}
