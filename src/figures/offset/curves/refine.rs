//! What is put off when a curve is first drawn, and done in slices: the exact mean and range of every column.

use super::{Curve, SAMPLES, Source};
use crate::figures::offset::{
    axis::Axis,
    traces::{Sums, Trace},
};
use posenc::profile::Ranger;

/// Planes × offsets that one slice of refining evaluates: about 4 ms in a browser.
const SLICE: u64 = 6_000_000;

/// Planes × offsets that are refined of one picture, all curves together: about 2 s of slices. Past that, as many offsets
/// of each column are looked at as this allows.
pub(super) const REFINED: u64 = 125 * SLICE;

/// Where refining stands: the column, the offset in it, and what was seen of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refining {
    column: usize,
    at: i64,
    sums: Sums,
}

impl Refining {
    pub(super) fn new(axis: &Axis) -> Self {
        Self { column: 0, at: axis.low, sums: Sums::NONE }
    }
}

impl Curve {
    /// Does a slice of what was put off; whether there is more.
    pub(in crate::figures::offset) fn refine(&mut self, axis: &Axis) -> bool {
        if let Some(pairs) = &mut self.pairs {
            let Some(trace) = pairs.step(axis, SLICE as usize) else { return true };
            self.trace = trace;
            self.pairs = None;
            return false;
        }
        if let Some((bands, _)) = &mut self.coarse {
            if bands.step()
                && let Some((bands, edges)) = self.coarse.take()
            {
                self.trace = Trace::of_band(&edges, &bands.finish());
                self.trace.exact = false;
                return self.bands.is_some();
            }
            return true;
        }
        if let Some(bands) = &mut self.bands {
            // A step of them is a slice of its own.
            if !bands.step() {
                return true;
            }
            if let Some(bands) = self.bands.take() {
                self.trace = Trace::of_band(&axis.edges, &bands.finish());
            }
            return false;
        }
        let (Some(state), Source::Profile(ranger)) = (&mut self.refining, &mut self.source) else { return false };
        let mut left = (SLICE / planes(ranger)).max(SAMPLES) as i64;
        while state.column + 1 < axis.edges.len() {
            if left <= 0 {
                return true;
            }
            let (start, end) = (axis.edges[state.column], axis.edges[state.column + 1]);
            if (end - start) as u64 > self.depth.max(self.samples) {
                // Their number keeps within a slice.
                let mut sums = Sums::NONE;
                ranger.each(start, end, self.depth, |scores| sums.add(scores));
                left -= sums.count as i64;
                self.trace.set(state.column, &sums);
            } else if end - start > self.samples as i64 {
                let until = end.min(state.at + left);
                ranger.each(state.at, until, u64::MAX, |scores| state.sums.add(scores));
                left -= until - state.at;
                state.at = until;
                if until < end {
                    return true;
                }
                self.trace.set(state.column, &state.sums);
            }
            *state = Refining { column: state.column + 1, at: end, sums: Sums::NONE };
        }
        self.trace.exact = self.depth == u64::MAX;
        self.refining = None;
        false
    }

    /// Planes × offsets that refining all of it would cost; nothing where nothing is refined.
    fn work(&self, axis: &Axis) -> u64 {
        match (&self.refining, &self.source) {
            (Some(_), Source::Profile(ranger)) => planes(ranger) * (axis.high - axis.low + 1) as u64,
            _ => 0,
        }
    }

    /// Bounds what refining costs, in planes × offsets.
    fn bound(&mut self, axis: &Axis, most: u64) {
        let (true, Source::Profile(ranger)) = (self.work(axis) > most, &self.source) else { return };
        let columns = axis.edges.len().saturating_sub(1).max(1) as u64;
        self.depth = (most / (planes(ranger) * columns)).min(SLICE / planes(ranger));
        if self.depth <= self.samples {
            self.refining = None;
        }
    }
}

pub(super) fn planes(ranger: &Ranger) -> u64 {
    ranger.profile().freq().len().max(1) as u64
}

/// Bounds what refining costs, all curves together: what is cheap is done in full, and the rest share what is left.
pub(in crate::figures::offset) fn bound(curves: &mut [Curve], axis: &Axis) {
    let work: u64 = curves.iter().map(|curve| curve.work(axis)).sum();
    if work <= REFINED {
        return;
    }
    let share = REFINED / curves.len().max(1) as u64;
    let cheap = || curves.iter().map(|curve| curve.work(axis)).filter(|work| *work <= share);
    let dear = curves.len() - cheap().count();
    let most = (REFINED - cheap().sum::<u64>()) / dear.max(1) as u64;
    for curve in curves {
        curve.bound(axis, most);
    }
}
