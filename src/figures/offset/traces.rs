//! Lines with the range around them, made from profiles, draws and tables.

use super::axis::Axis;
use crate::figures::logits::Logits;
use crate::schemes::{WHOLE, Whole};
use posenc::{
    Absolute,
    profile::{Fading, Ranger},
    vectors::{Band, Bands, dot},
};

/// A line with the range around it, by offset.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Trace {
    /// Offsets, ascending; the middle of a column.
    pub(super) offsets: Vec<f64>,
    /// Least, or the mean less the standard deviation.
    pub(super) low: Vec<f32>,
    /// The line.
    pub(super) mid: Vec<f32>,
    /// Greatest, or the mean and the standard deviation.
    pub(super) high: Vec<f32>,
    /// Whether all offsets were looked at.
    pub(super) exact: bool,
}

impl Trace {
    fn push(&mut self, offset: f64, sums: &Sums) {
        self.offsets.push(offset);
        self.low.push(sums.min);
        self.mid.push(sums.mean());
        self.high.push(sums.max);
    }

    /// What was seen of a column.
    pub(super) fn set(&mut self, column: usize, sums: &Sums) {
        self.low[column] = sums.min;
        self.mid[column] = sums.mean();
        self.high[column] = sums.max;
    }

    /// The mean of a band, and one standard deviation either way.
    pub(super) fn of_band(edges: &[i64], band: &Band) -> Self {
        let middle = |edge: &[i64]| Axis::middle(edge[0], edge[1]);
        let pairs = || band.mean.iter().zip(&band.spread);
        Self {
            offsets: edges.windows(2).map(middle).take(band.mean.len()).collect(),
            low: pairs().map(|(mean, spread)| mean - spread).collect(),
            mid: band.mean.clone(),
            high: pairs().map(|(mean, spread)| mean + spread).collect(),
            exact: band.exact,
        }
    }

    /// The least and the greatest that is drawn.
    pub(super) fn extent(&self) -> Option<(f64, f64)> {
        let low = self.low.iter().copied().filter(|v| v.is_finite()).fold(f32::INFINITY, f32::min);
        let high = self.high.iter().copied().filter(|v| v.is_finite()).fold(f32::NEG_INFINITY, f32::max);
        (low <= high).then_some((low as f64, high as f64))
    }

    /// The place of the column that holds an offset.
    pub(super) fn column(&self, offset: f64) -> Option<usize> {
        if self.offsets.is_empty() {
            return None;
        }
        let after = self.offsets.partition_point(|x| *x < offset).min(self.offsets.len() - 1);
        let before = after.saturating_sub(1);
        let nearer = (self.offsets[before] - offset).abs() <= (self.offsets[after] - offset).abs();
        Some(if nearer { before } else { after })
    }
}

/// Least, greatest and sum of scores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    min: f32,
    max: f32,
    sum: f64,
    /// How many.
    pub(super) count: u64,
}

impl Sums {
    /// Of nothing.
    pub(super) const NONE: Self = Self { min: f32::INFINITY, max: f32::NEG_INFINITY, sum: 0.0, count: 0 };

    fn mean(&self) -> f32 {
        (self.sum / self.count.max(1) as f64) as f32
    }

    /// Takes more of them in.
    pub(super) fn add(&mut self, scores: &[f32]) {
        // Eight at a time: the comparisons then are vector instructions.
        let (mut min, mut max, mut sum) = ([self.min; 8], [self.max; 8], [0.0_f32; 8]);
        let eights = scores.chunks_exact(8);
        let rest = eights.remainder();
        for eight in eights {
            for i in 0..8 {
                min[i] = if eight[i] < min[i] { eight[i] } else { min[i] };
                max[i] = if eight[i] > max[i] { eight[i] } else { max[i] };
                sum[i] += eight[i];
            }
        }
        self.min = min.iter().chain(rest).copied().fold(self.min, f32::min);
        self.max = max.iter().chain(rest).copied().fold(self.max, f32::max);
        self.sum += (sum.iter().sum::<f32>() + rest.iter().sum::<f32>()) as f64;
        self.count += scores.len() as u64;
    }
}

/// Zero at every offset.
pub(super) fn flat_trace(axis: &Axis) -> Trace {
    let zero = vec![0.0; 2];
    let offsets = vec![axis.low as f64, axis.high as f64];
    Trace { offsets, low: zero.clone(), mid: zero.clone(), high: zero, exact: true }
}

/// What a head adds: in the middle of each column, and the range over the column.
pub(super) fn bias_trace(logits: &Logits, head: usize, axis: &Axis) -> Trace {
    let mut trace = Trace { exact: true, ..Trace::default() };
    for edge in axis.edges.windows(2) {
        let middle = Axis::middle(edge[0], edge[1]).floor();
        let value = logits.at(head, middle as i64) as f32;
        let range = logits.range(head, edge[0], edge[1]);
        trace.exact &= range.is_none_or(|range| range.exact);
        trace.offsets.push(middle);
        trace.low.push(range.map_or(value, |range| range.min));
        trace.mid.push(value);
        trace.high.push(range.map_or(value, |range| range.max));
    }
    trace
}

/// Waves that fade: in the middle of each column, and the range over some offsets of the column.
pub(super) fn fading_trace(fading: &Fading, axis: &Axis) -> Trace {
    const SAMPLES: u64 = 16;
    let mut trace = Trace { exact: true, ..Trace::default() };
    for (edge, range) in axis.edges.windows(2).zip(fading.ranges(&axis.edges, SAMPLES)) {
        let middle = Axis::middle(edge[0], edge[1]).floor();
        let value = fading.at(middle) as f32;
        trace.exact &= range.exact;
        trace.offsets.push(middle);
        trace.low.push(range.min.min(value));
        trace.mid.push(value);
        trace.high.push(range.max.max(value));
    }
    trace
}

/// A band, made at once.
pub(super) fn band_trace(mut bands: Bands, edges: &[i64]) -> Trace {
    while !bands.step() {}
    Trace::of_band(edges, &bands.finish())
}

/// A function of the offset: exact where that is cheap, else `samples` offsets of a column.
pub(super) fn profile_trace(ranger: &mut Ranger, axis: &Axis, samples: u64) -> Trace {
    let columns = axis.edges.len() - 1;
    let mut trace = Trace::default();
    let offsets = axis.high - axis.low + 1;
    if offsets as u64 <= columns as u64 * samples {
        // All of them, in one stretch: on a logarithmic axis too, where the last columns hold most.
        let (mut column, mut at, mut sums) = (0, axis.low, Sums::NONE);
        ranger.each(axis.low, axis.high + 1, u64::MAX, |mut scores| {
            while !scores.is_empty() && column < columns {
                let end = axis.edges[column + 1];
                let (here, rest) = scores.split_at(((end - at) as usize).min(scores.len()));
                sums.add(here);
                at += here.len() as i64;
                scores = rest;
                if at == end {
                    trace.push(Axis::middle(axis.edges[column], end), &sums);
                    sums = Sums::NONE;
                    column += 1;
                }
            }
        });
        trace.exact = true;
        return trace;
    }
    trace.exact = true;
    for edge in axis.edges.windows(2) {
        let mut sums = Sums::NONE;
        trace.exact &= ranger.each(edge[0], edge[1], samples, |scores| sums.add(scores));
        trace.push(Axis::middle(edge[0], edge[1]), &sums);
    }
    trace
}

/// Multiplications of every pair of rows of a table, at the most: about a second of slices.
const MOST_PAIRS: usize = 150_000_000;

/// Every pair of rows of a table, column by column.
pub(super) struct Pairs {
    rows: Vec<f32>,
    width: usize,
    column: usize,
    trace: Trace,
    _here: Whole,
}

impl Pairs {
    /// Of the rows within a length, where they are few enough.
    pub(super) fn new(table: &dyn Absolute, length: u64) -> Option<Self> {
        let here = WHOLE?;
        let (width, rows) = (table.width().max(1), table.rows()?.min(length as usize));
        // A number has 32 bits in a browser.
        if (rows.saturating_mul(rows) / 2).saturating_mul(width) > MOST_PAIRS {
            return None;
        }
        let mut cells = vec![0.0; rows * width];
        table.fill(0.0, 1.0, &mut cells);
        Some(Self { rows: cells, width, column: 0, trace: Trace { exact: true, ..Trace::default() }, _here: here })
    }

    /// Does so many multiplications; the trace once all are done.
    pub(super) fn step(&mut self, axis: &Axis, most: usize) -> Option<Trace> {
        let (mut left, width) = (most, self.width);
        let rows = self.rows.len() / width;
        while let (Some(edge), true) = (axis.edges.get(self.column..self.column + 2), left > 0) {
            self.column += 1;
            let mut sums = Sums::NONE;
            let mut there = (0_i64, 0_i64);
            for offset in edge[0]..edge[1] {
                let by = offset.unsigned_abs() as usize;
                if by >= rows {
                    continue;
                }
                let later = self.rows.chunks_exact(width).skip(by);
                let products: Vec<f32> = self.rows.chunks_exact(width).zip(later).map(|(a, b)| dot(a, b)).collect();
                sums.add(&products);
                left = left.saturating_sub(products.len() * width);
                there = (there.0 + offset, there.1 + 1);
            }
            if sums.count > 0 {
                self.trace.push(there.0 as f64 / there.1 as f64, &sums);
            }
        }
        (self.column + 1 >= axis.edges.len()).then(|| std::mem::take(&mut self.trace))
    }
}

/// Mean and range of the products of rows so far apart, over positions that are spread over the sequence.
pub(super) fn table_trace(table: &dyn Absolute, axis: &Axis, length: u64) -> Trace {
    const POSITIONS: u64 = 8;
    const MOST_NUMBERS: usize = 250_000;
    const MOST_PRODUCTS: usize = 1_000_000;
    let width = table.width().max(1);
    let columns = (MOST_NUMBERS / (2 * POSITIONS as usize * width)).clamp(4, 160);
    let rows = table.rows().map_or(length, |rows| length.min(rows as u64)).max(1);
    let (mut near, mut far) = (vec![0.0; width], vec![0.0; width]);
    let mut trace = Trace { exact: false, ..Trace::default() };
    // A short table is written once, and every pair of its rows is looked at.
    let numbers = (rows as usize).saturating_mul(width);
    let mut all =
        vec![0.0; if numbers.saturating_mul(columns.min(rows as usize)) <= MOST_PRODUCTS { numbers } else { 0 }];
    for (position, row) in all.chunks_exact_mut(width).enumerate() {
        if table.write_row(position as f64, row).is_err() {
            row.fill(f64::NAN);
        }
    }
    for edge in axis.runs(columns).windows(2) {
        let offset = Axis::middle(edge[0], edge[1]).floor();
        let room = rows as f64 - 1.0 - offset.abs();
        if room < 0.0 {
            continue;
        }
        let mut sums = Sums::NONE;
        if !all.is_empty() {
            let later = all.chunks_exact(width).skip(offset.abs() as usize);
            for (a, b) in all.chunks_exact(width).zip(later) {
                sums.add(&[a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() as f32]);
            }
            trace.push(offset, &sums);
            continue;
        }
        for i in 0..POSITIONS {
            let position = (room * i as f64 / (POSITIONS - 1) as f64).floor();
            let there = table.write_row(position, &mut near).and(table.write_row(position + offset.abs(), &mut far));
            if there.is_ok() {
                sums.add(&[near.iter().zip(&far).map(|(a, b)| a * b).sum::<f64>() as f32]);
            }
        }
        trace.push(offset, &sums);
    }
    trace
}
