//! Scores over whole axes of offsets, quickly: see the module above.

use super::{Profile, Range};
use crate::phase;

/// Offsets in a block, half of them on either side of its middle.
const BLOCK: usize = 2 * HALF;
const HALF: usize = 32;
/// Turns from one with exact phases to the next: they stay within 1e-12.
const ANCHOR: u32 = 1024;

/// A [`Profile`], prepared for the evaluation of many whole offsets. It can be kept, to refine a plot slice by slice.
///
/// It remembers where it was: runs in ascending order are the fastest. The results do not depend on the order by more
/// than rounding.
#[derive(Debug, Clone)]
pub struct Ranger {
    phases: Phases,
    weights: Weights,
}

/// What depends on the frequencies alone: profiles of the same ones share it.
#[derive(Debug, Clone)]
pub(crate) struct Phases {
    /// Half of each frequency: places are counted in half tokens, since the middle of an even block lies between two.
    half_freq: Vec<f64>,
    /// Turns by so many half tokens: the latest distances, and powers of two.
    turns: Vec<Turn>,
    powers: Vec<Option<Turn>>,
    next_turn: usize,
    tables: Vec<Table>,
    /// Single-precision copies of turned weights.
    even: Vec<f32>,
    odd: Vec<f32>,
}

/// The weights of a profile, turned to a place.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    profile: Profile,
    cos: Vec<f64>,
    sin: Vec<f64>,
    place: i64,
    /// Steps taken since the phases were exact; none where they have never been.
    steps_taken: Option<u32>,
}

/// The stride and the count of the offsets that are looked at of a run: all, or, where there are more than `samples`,
/// every stride-th, the stride being the least power of two that keeps within `samples`. An empty run has one.
pub fn steps(start: i64, end: i64, samples: u64) -> (u64, u64) {
    let length = end.checked_sub(start).and_then(|n| u64::try_from(n).ok()).unwrap_or(0).max(1);
    let stride = length.div_ceil(samples.max(1)).checked_next_power_of_two().unwrap_or(1 << 62);
    (stride, length.div_ceil(stride))
}

/// Cosines and sines of one distance, one per plane.
#[derive(Debug, Clone)]
struct Turn {
    distance: i64,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

/// Cosines and sines of `(x + ½)·stride·w`, x in `0..HALF`, one row a plane.
#[derive(Debug, Clone)]
struct Table {
    stride: u64,
    cos: Vec<[f32; HALF]>,
    sin: Vec<[f32; HALF]>,
}

/// How many distances are remembered: a linear axis has two between its columns and one within each.
const TURNS: usize = 6;

impl Ranger {
    /// Prepares a profile.
    pub fn new(profile: &Profile) -> Self {
        Self { phases: Phases::new(&profile.freq), weights: Weights::new(profile.clone()) }
    }

    /// The profile that was prepared.
    pub fn profile(&self) -> &Profile {
        &self.weights.profile
    }

    /// The range over one run of whole offsets; see [`Profile::ranges`].
    pub fn range(&mut self, start: i64, end: i64, samples: u64) -> Range {
        let mut range = Range::NOTHING;
        range.exact = self.each(start, end, samples, |scores| {
            let (min, max) = extremes(scores);
            range.min = range.min.min(min);
            range.max = range.max.max(max);
        });
        range
    }

    /// The range over each run; see [`Profile::ranges`].
    pub fn ranges(&mut self, edges: &[i64], samples: u64) -> Vec<Range> {
        let mut ranges = Vec::with_capacity(edges.len().saturating_sub(1));
        let mut i = 0;
        while i + 1 < edges.len() {
            // Runs that are looked at in full and are no longer than a few blocks are done together, block by block:
            // their ends then cost nothing.
            let short = |i: usize| {
                let n = edges[i + 1].saturating_sub(edges[i]);
                n > 0 && n as u64 <= samples && n <= 8 * BLOCK as i64
            };
            let together = (i..edges.len() - 1).take_while(|&i| short(i)).count();
            if together > 1 {
                self.together(&edges[i..=i + together], &mut ranges);
                i += together;
            } else {
                ranges.push(self.range(edges[i], edges[i + 1], samples));
                i += 1;
            }
        }
        ranges
    }

    /// Runs without a gap, each with at least one offset, looked at in full.
    fn together(&mut self, edges: &[i64], ranges: &mut Vec<Range>) {
        let mut run = 0;
        let mut range = Range::NOTHING;
        let mut at = edges[0];
        self.each(edges[0], edges[edges.len() - 1], u64::MAX, |mut scores| {
            while !scores.is_empty() {
                let here = ((edges[run + 1] - at) as usize).min(scores.len());
                let (min, max) = extremes(&scores[..here]);
                range.min = range.min.min(min);
                range.max = range.max.max(max);
                scores = &scores[here..];
                at += here as i64;
                if at == edges[run + 1] {
                    ranges.push(range);
                    range = Range::NOTHING;
                    run += 1;
                }
            }
        });
    }

    /// Calls `see` with the scores of a run, up to 64 at a time, of all of its offsets or, where there are more than
    /// `samples`, of every stride-th from `start` on (see [`steps`]). An empty run shows the score at its start. Says
    /// whether all were shown.
    pub fn each(&mut self, start: i64, end: i64, samples: u64, see: impl FnMut(&[f32])) -> bool {
        let (stride, count) = steps(start, end, samples);
        self.scores(start, stride, count, see);
        stride == 1
    }

    /// Calls `see` with the scores at `start + i·stride`, i in `0..count`, up to 64 at a time.
    pub fn scores(&mut self, start: i64, stride: u64, count: u64, see: impl FnMut(&[f32])) {
        self.weights.scores(&mut self.phases, start, stride, count, see);
    }
}

impl Weights {
    pub(crate) fn new(profile: Profile) -> Self {
        let planes = profile.freq.len();
        Self { profile, cos: vec![0.0; planes], sin: vec![0.0; planes], place: 0, steps_taken: None }
    }

    /// As [`Ranger::scores`], with the phases of these weights' frequencies.
    pub(crate) fn scores(
        &mut self,
        phases: &mut Phases,
        start: i64,
        stride: u64,
        count: u64,
        mut see: impl FnMut(&[f32]),
    ) {
        let mut left = count;
        let mut at = start;
        let mut scores = [0.0; BLOCK];
        while left > 0 {
            let count = left.min(BLOCK as u64) as usize;
            self.block(phases, at, stride, count, &mut scores);
            see(&scores[..count]);
            left -= count as u64;
            at = at.saturating_add((stride as i64).saturating_mul(count as i64));
        }
    }

    /// The scores at `at + i·stride`, i in `0..count`.
    fn block(&mut self, phases: &mut Phases, at: i64, stride: u64, count: usize, scores: &mut [f32; BLOCK]) {
        let half = count.div_ceil(2);
        // In half tokens, the middle of 2·half offsets.
        let middle = at.saturating_mul(2).saturating_add((2 * half as i64 - 1).saturating_mul(stride as i64));
        self.turn_to(phases, middle);
        let turned = self.cos.iter().zip(&self.sin);
        for ((even, odd), (cos, sin)) in phases.even.iter_mut().zip(&mut phases.odd).zip(turned) {
            *even = *cos as f32;
            *odd = *sin as f32;
        }
        let table = table(&mut phases.tables, &phases.half_freq, stride);
        let (even, odd) = if half <= HALF / 4 {
            (product::<{ HALF / 4 }>(&phases.even, &table.cos), product::<{ HALF / 4 }>(&phases.odd, &table.sin))
        } else {
            (product::<HALF>(&phases.even, &table.cos), product::<HALF>(&phases.odd, &table.sin))
        };
        let constant = self.profile.constant as f32;
        for x in 0..half {
            scores[half + x] = constant + even[x] + odd[x];
            scores[half - 1 - x] = constant + even[x] - odd[x];
        }
    }

    /// Turns the weights to a place, in half tokens.
    fn turn_to(&mut self, phases: &mut Phases, place: i64) {
        match self.steps_taken {
            Some(_) if place == self.place => return,
            Some(taken) if taken < ANCHOR => {
                if let Some(turn) = place.checked_sub(self.place).and_then(|distance| phases.turn(distance)) {
                    turn.apply(&mut self.cos, &mut self.sin);
                    self.place = place;
                    self.steps_taken = Some(taken + 1);
                    return;
                }
            }
            _ => {}
        }
        for (k, &w) in phases.half_freq.iter().enumerate() {
            let (sin, cos) = phase::sin_cos(place as f64, w);
            (self.cos[k], self.sin[k]) = turned(self.profile.cos[k], self.profile.sin[k], cos, sin);
        }
        self.place = place;
        self.steps_taken = Some(0);
    }
}

impl Phases {
    pub(crate) fn new(freq: &[f64]) -> Self {
        Self {
            half_freq: freq.iter().map(|w| w / 2.0).collect(),
            turns: Vec::new(),
            powers: vec![None; 16],
            next_turn: 0,
            tables: Vec::new(),
            even: vec![0.0; freq.len()],
            odd: vec![0.0; freq.len()],
        }
    }

    /// The turn by a distance, unless it is so far that exact phases are no dearer.
    fn turn(&mut self, distance: i64) -> Option<&Turn> {
        let known = self.turns.iter().position(|turn| turn.distance == distance);
        let place = if let Some(place) = known {
            place
        } else {
            let turn = self.product(distance)?;
            // It is remembered, since it may come again, in place of the oldest.
            let place = self.next_turn;
            self.next_turn = (self.next_turn + 1) % TURNS;
            if place < self.turns.len() {
                self.turns[place] = turn;
            } else {
                self.turns.push(turn);
            }
            place
        };
        self.turns.get(place)
    }

    /// A turn as a product of turns by powers of two.
    fn product(&mut self, distance: i64) -> Option<Turn> {
        let bits = distance.unsigned_abs();
        if bits >> self.powers.len() != 0 {
            return None;
        }
        let planes = self.half_freq.len();
        let mut turn = Turn { distance, cos: vec![1.0; planes], sin: vec![0.0; planes] };
        for (bit, power) in self.powers.iter_mut().enumerate() {
            if bits >> bit & 1 == 1 {
                let power = power.get_or_insert_with(|| Turn::new(1 << bit, &self.half_freq));
                power.add_to(&mut turn, distance < 0);
            }
        }
        Some(turn)
    }
}

impl Turn {
    fn new(distance: i64, half_freq: &[f64]) -> Self {
        let (sin, cos) = half_freq.iter().map(|&w| phase::sin_cos(distance as f64, w)).unzip();
        Self { distance, cos, sin }
    }

    /// Turns weights by this distance.
    fn apply(&self, a: &mut [f64], b: &mut [f64]) {
        for ((a, b), (cos, sin)) in a.iter_mut().zip(b).zip(self.cos.iter().zip(&self.sin)) {
            (*a, *b) = turned(*a, *b, *cos, *sin);
        }
    }

    /// Adds this distance to another turn's angles, or takes it away from them.
    fn add_to(&self, turn: &mut Self, away: bool) {
        let sign = if away { -1.0 } else { 1.0 };
        for ((c, s), (cos, sin)) in turn.cos.iter_mut().zip(&mut turn.sin).zip(self.cos.iter().zip(&self.sin)) {
            (*c, *s) = (*c * cos - sign * *s * sin, *s * cos + sign * *c * sin);
        }
    }
}

/// `a·cos(θ + x) + b·sin(θ + x) = A·cos x + B·sin x`: the weights A and B.
fn turned(a: f64, b: f64, cos: f64, sin: f64) -> (f64, f64) {
    (a * cos + b * sin, b * cos - a * sin)
}

/// The table of a stride, made when it is first asked for. A plot needs one or, on a logarithmic axis, a few.
fn table<'a>(tables: &'a mut Vec<Table>, half_freq: &[f64], stride: u64) -> &'a Table {
    let place = tables.iter().position(|table| table.stride == stride).unwrap_or_else(|| {
        let (mut cos_rows, mut sin_rows) = (Vec::new(), Vec::new());
        for &w in half_freq {
            // At half a stride, and onward a stride at a time. f64 all along: it loses 32 roundings at the most.
            let (mut sin, mut cos) = phase::sin_cos(stride as f64, w);
            let (step_sin, step_cos) = phase::sin_cos(2.0 * stride as f64, w);
            let (mut cos_row, mut sin_row) = ([0.0; HALF], [0.0; HALF]);
            for x in 0..HALF {
                cos_row[x] = cos as f32;
                sin_row[x] = sin as f32;
                (cos, sin) = (cos * step_cos - sin * step_sin, sin * step_cos + cos * step_sin);
            }
            cos_rows.push(cos_row);
            sin_rows.push(sin_row);
        }
        tables.push(Table { stride, cos: cos_rows, sin: sin_rows });
        tables.len() - 1
    });
    &tables[place]
}

/// `Σ_k weights[k]·rows[k][x]` for the first N columns x. Fixed lengths: the sums stay in registers.
fn product<const N: usize>(weights: &[f32], rows: &[[f32; HALF]]) -> [f32; HALF] {
    let mut sums = [0.0_f32; N];
    for (weight, row) in weights.iter().zip(rows) {
        for (sum, value) in sums.iter_mut().zip(&row[..N]) {
            *sum += weight * value;
        }
    }
    let mut out = [0.0; HALF];
    out[..N].copy_from_slice(&sums);
    out
}

/// Least and greatest, eight at a time.
fn extremes(scores: &[f32]) -> (f32, f32) {
    let (mut min, mut max) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
    let mut eights = scores.chunks_exact(8);
    for eight in &mut eights {
        for i in 0..8 {
            // Not f32::min: a plain comparison is one instruction.
            min[i] = if eight[i] < min[i] { eight[i] } else { min[i] };
            max[i] = if eight[i] > max[i] { eight[i] } else { max[i] };
        }
    }
    let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
    for value in min.iter().chain(eights.remainder()) {
        least = least.min(*value);
    }
    for value in max.iter().chain(eights.remainder()) {
        greatest = greatest.max(*value);
    }
    (least, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_weights_stay_within_1e_12() {
        let freq: Vec<f64> = (0..8).map(|k| libm::pow(10_000.0, -f64::from(k) / 8.0)).collect();
        let profile = Profile::new(freq.clone(), vec![0.6; 8], vec![0.8; 8], 0.0);
        let (mut phases, mut weights) = (Phases::new(&freq), Weights::new(profile));
        let mut worst: f64 = 0.0;
        for i in 0..200_000_i64 {
            let place = 2_000_001 + 131 * i + i % 2;
            weights.turn_to(&mut phases, place);
            if i % 511 == 0 {
                for (k, w) in phases.half_freq.iter().enumerate() {
                    let (sin, cos) = phase::sin_cos(place as f64, *w);
                    let (a, b) = turned(0.6, 0.8, cos, sin);
                    worst = worst.max((weights.cos[k] - a).abs()).max((weights.sin[k] - b).abs());
                }
            }
        }
        // More than nothing: most are not exact.
        assert!(worst > 1e-16 && worst < 1e-12, "{worst:e}");
    }
}
