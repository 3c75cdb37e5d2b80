//! Scores whose waves fade with the offset, as `xPos` has them.

use super::{Profile, Range, steps};
use crate::phase;

/// Steps from one with exact phases to the next.
const ANCHOR: u64 = 1024;

/// `s(δ) = constant + Σ_k e^(−decay[k]·δ)·(cos[k]·cos(δ·freq[k]) + sin[k]·sin(δ·freq[k]))`: a [`Profile`] whose planes fade, each
/// at a rate of its own. Ahead of the query (δ < 0) they grow.
///
/// ```
/// use posenc::profile::{Fading, Profile};
///
/// let wave = Profile::new(vec![0.5], vec![2.0], vec![0.0], 0.0);
/// let fading = Fading::new(wave.clone(), vec![0.01]);
/// assert_eq!(fading.at(0.0), wave.at(0.0));
/// assert!((fading.at(100.0) - wave.at(100.0) * (-1.0_f64).exp()).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fading {
    profile: Profile,
    decay: Vec<f64>,
}

/// What one plane of a step of so many offsets is multiplied by: its decay, and cosine and sine of its turn.
struct Step {
    stride: u64,
    by: Vec<(f64, f64)>,
}

impl Fading {
    /// A sum of waves, and how fast each fades, per token.
    pub fn new(profile: Profile, decay: Vec<f64>) -> Self {
        debug_assert!(profile.freq.len() == decay.len());
        Self { profile, decay }
    }

    /// The waves without their fading.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How fast each plane fades, per token.
    pub fn decay(&self) -> &[f64] {
        &self.decay
    }

    /// What is left of a plane at an offset, within what an `f64` holds.
    pub fn left(&self, plane: usize, offset: f64) -> f64 {
        libm::exp((-self.decay[plane] * offset).clamp(-700.0, 700.0))
    }

    /// The exact score at an offset, any real number.
    pub fn at(&self, offset: f64) -> f64 {
        self.profile.constant + (0..self.decay.len()).map(|k| self.plane_at(k, offset)).sum::<f64>()
    }

    /// The share of one plane in the score at an offset.
    pub fn plane_at(&self, plane: usize, offset: f64) -> f64 {
        self.left(plane, offset) * self.profile.plane_at(plane, offset)
    }

    /// The range over each run of whole offsets `edges[i]..edges[i+1]`, looking at `samples` offsets of a run at the most;
    /// as [`Profile::ranges`], at a complex multiplication a plane and offset.
    pub fn ranges(&self, edges: &[i64], samples: u64) -> Vec<Range> {
        let mut step = self.step(1);
        edges
            .windows(2)
            .map(|run| {
                let (stride, count) = steps(run[0], run[1], samples);
                if step.stride != stride {
                    step = self.step(stride);
                }
                self.range(run[0], count, &step)
            })
            .collect()
    }

    fn step(&self, stride: u64) -> Step {
        let by = self.profile.freq.iter().enumerate().map(|(k, w)| {
            let (sin, cos) = phase::sin_cos(stride as f64, *w);
            let left = self.left(k, stride as f64);
            (left * cos, left * sin)
        });
        Step { stride, by: by.collect() }
    }

    fn range(&self, start: i64, count: u64, step: &Step) -> Range {
        let mut range = Range { exact: step.stride == 1, ..Range::NOTHING };
        // Each plane's wave, and the same a quarter turn on.
        let mut state = vec![(0.0, 0.0); self.decay.len()];
        for i in 0..count {
            if i % ANCHOR == 0 {
                let offset = start.saturating_add((i * step.stride) as i64) as f64;
                for (k, (x, y)) in state.iter_mut().enumerate() {
                    let (sin, cos) = phase::sin_cos(offset, self.profile.freq[k]);
                    let (a, b, left) = (self.profile.cos[k], self.profile.sin[k], self.left(k, offset));
                    (*x, *y) = (left * (a * cos + b * sin), left * (b * cos - a * sin));
                }
            } else {
                for ((x, y), (cos, sin)) in state.iter_mut().zip(&step.by) {
                    (*x, *y) = (*x * cos + *y * sin, *y * cos - *x * sin);
                }
            }
            let score = (self.profile.constant + state.iter().map(|(x, _)| x).sum::<f64>()) as f32;
            range = range.with(Range { min: score, max: score, exact: true });
        }
        range
    }
}
