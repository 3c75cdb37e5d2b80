//! Principal components of rows.

use super::Component;
use super::symmetric::{Reduction, dot, scale_by};
use std::f64::consts::TAU;

/// Products in a step: a few milliseconds.
const STEP: usize = 1 << 21;

/// Where the work is.
#[derive(Debug)]
enum Stage {
    /// Products of rows with rows, or of columns with columns, whichever are fewer; the next one.
    Products(usize, Vec<f64>),
    Reducing(Box<Reduction>),
    /// The values, and the components that are described.
    Described(Vec<f64>, Vec<Vec<f64>>),
}

/// Rows on their way to components.
#[derive(Debug)]
pub(super) struct Components {
    /// Vectors whose products are taken: rows, or columns where these are fewer. Their means are taken off.
    vectors: Vec<f64>,
    /// Numbers in each.
    long: usize,
    by_column: bool,
    places: Vec<usize>,
    all: usize,
    count: usize,
    stage: Stage,
}

impl Components {
    /// Of rows at these places of a table of `all` rows.
    pub(super) fn new(columns: usize, mut rows: Vec<f64>, places: Vec<usize>, all: usize, count: usize) -> Self {
        let n = places.len();
        for column in 0..columns {
            let mean = (0..n).map(|row| rows[row * columns + column]).sum::<f64>() / n as f64;
            (0..n).for_each(|row| rows[row * columns + column] -= mean);
        }
        // Squares of very small or large numbers are none; shares do not change by a scale.
        let most = rows.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if most > 0.0 {
            // Not times 1 / most, which may be infinite.
            for x in &mut rows {
                *x /= most;
            }
        }
        let by_column = columns < n;
        let (vectors, side, long) = if by_column {
            (
                (0..columns)
                    .flat_map(|column| (0..n).map(move |row| (row, column)))
                    .map(|(r, c)| rows[r * columns + c])
                    .collect(),
                columns,
                n,
            )
        } else {
            (rows, n, columns)
        };
        let stage = Stage::Products(0, vec![0.0; side * side]);
        Self { vectors, long, by_column, places, all, count, stage }
    }

    fn side(&self) -> usize {
        self.vectors.len() / self.long.max(1)
    }

    /// Does a step; true when nothing is left.
    pub(super) fn step(&mut self) -> bool {
        let (side, long) = (self.side(), self.long);
        match &mut self.stage {
            Stage::Products(next, products) => {
                let mut done = 0;
                while *next < side && done < STEP {
                    let i = *next;
                    let row = &self.vectors[i * long..(i + 1) * long];
                    for j in 0..=i {
                        let product = dot(row, &self.vectors[j * long..(j + 1) * long]);
                        products[i * side + j] = product;
                        products[j * side + i] = product;
                    }
                    done += (i + 1) * long;
                    *next += 1;
                }
                if *next == side {
                    let products = std::mem::take(products);
                    self.stage = Stage::Reducing(Box::new(Reduction::new(side, products)));
                }
                false
            }
            Stage::Reducing(reduction) => {
                if reduction.step(STEP) {
                    // Rounding leaves values that should be 0 a little to either side.
                    let values: Vec<f64> = reduction.values().into_iter().map(|value| value.max(0.0)).collect();
                    let total: f64 = values.iter().sum();
                    let real = values.iter().take(self.count).filter(|value| **value > 1e-9 * total).count();
                    let vectors = reduction.vectors(&values[..real]);
                    self.stage = Stage::Described(values, vectors);
                }
                false
            }
            Stage::Described(..) => true,
        }
    }

    /// What is done and what there is to do, in products.
    pub(super) fn work(&self) -> (f64, f64) {
        let side = self.side();
        let pairs = |n: usize| n as f64 * n as f64 / 2.0 * self.long as f64;
        let reducing = 4.0 / 3.0 * side as f64 * side as f64 * side as f64;
        let all = pairs(side) + reducing;
        let done = match &self.stage {
            Stage::Products(next, _) => pairs(*next),
            Stage::Reducing(reduction) => pairs(side) + reduction.share() * reducing,
            Stage::Described(..) => all,
        };
        (done, all)
    }

    /// The components and the shares of all.
    pub(super) fn finish(self) -> (Vec<Component>, Vec<f64>) {
        let Stage::Described(values, vectors) = &self.stage else { return (Vec::new(), Vec::new()) };
        let total: f64 = values.iter().sum();
        if total <= 0.0 || total.is_nan() {
            return (Vec::new(), Vec::new());
        }
        let shares: Vec<f64> = values.iter().map(|value| value / total).collect();
        let components = vectors.iter().zip(&shares).map(|(vector, share)| self.describe(vector, *share)).collect();
        (components, shares)
    }

    fn describe(&self, vector: &[f64], share: f64) -> Component {
        let mut along: Vec<f64> = if self.by_column {
            // What a row has of it is its product with it.
            (0..self.long)
                .map(|row| {
                    vector.iter().enumerate().map(|(column, x)| x * self.vectors[column * self.long + row]).sum()
                })
                .collect()
        } else {
            vector.to_vec()
        };
        let norm = dot(&along, &along).sqrt();
        let peak = along.iter().fold(0.0_f64, |peak, x| if x.abs() > peak.abs() { *x } else { peak });
        let scale = if peak < 0.0 { -norm } else { norm };
        scale_by(&mut along, 1.0 / scale);
        let mut spread = vec![f64::NAN; self.all];
        for (place, x) in self.places.iter().zip(&along) {
            spread[*place] = *x;
        }
        let (period, purity) = period(&spread);
        Component { share, along: spread, period, purity }
    }
}

/// The period with the most power of a row of numbers, in places, and its share of all power but the mean's. What is no
/// number counts as the mean.
fn period(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len();
    let known = numbers.iter().filter(|x| x.is_finite());
    let mean = known.clone().sum::<f64>() / known.count() as f64;
    let (mut total, mut best) = (0.0, (0, 0.0));
    for k in 1..=n / 2 {
        let (mut re, mut im) = (0.0, 0.0);
        // e^(−i·2πk/n), turned step by step, and set right often enough.
        let (sin, cos) = libm::sincos(TAU * k as f64 / n as f64);
        let (mut c, mut s) = (1.0, 0.0);
        for (i, x) in numbers.iter().enumerate() {
            if i % 64 == 0 {
                (s, c) = libm::sincos(TAU * ((k * i) % n) as f64 / n as f64);
            }
            let x = if x.is_finite() { x - mean } else { 0.0 };
            re += x * c;
            im += x * s;
            (c, s) = (c * cos - s * sin, s * cos + c * sin);
        }
        // Each but the last stands for two of the transform.
        let power = (re * re + im * im) * if 2 * k == n { 1.0 } else { 2.0 };
        total += power;
        if power > best.1 {
            best = (k, power);
        }
    }
    if best.0 == 0 { (f64::NAN, f64::NAN) } else { (n as f64 / best.0 as f64, best.1 / total) }
}
