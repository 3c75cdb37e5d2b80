//! A score that depends on the offset alone.
//!
//! For rotations and sinusoids it is a sum of waves over the offset δ = query position − key position:
//! `s(δ) = c + Σ_k a_k·cos(δ·w_k) + b_k·sin(δ·w_k)`, `w_k` in radians per token.
//!
//! One score costs a sine and a cosine a plane. A whole axis of them costs far less: [`Ranger`] turns the weights
//! `(a_k, b_k)` to the middle c of a block of 64 offsets, one complex multiplication a plane, and there
//! `s(c ± x) = Σ A_k·cos(x·w_k) ± Σ B_k·sin(x·w_k)`, two products of the turned weights with one small table that
//! serves every block. Phases are f64, the products f32: a score is good to about 1e-6 of `Σ |a_k| + |b_k|`.
//!
//! ```
//! use posenc::profile::Profile;
//!
//! let profile = Profile::new(vec![1.0, 0.1], vec![1.0, 1.0], vec![0.0, 0.0], 0.0);
//! assert_eq!(profile.at(0.0), 2.0);
//! // Two columns of a plot that cover 50 offsets each.
//! let ranges = profile.ranges(&[0, 50, 100], u64::MAX);
//! assert_eq!(ranges.len(), 2);
//! assert!((ranges[0].max - 2.0).abs() < 1e-5 && ranges[0].exact);
//! ```

mod fading;
mod ranger;

use crate::phase;

pub use fading::Fading;
pub(crate) use ranger::{Phases, Weights};
pub use ranger::{Ranger, steps};

/// `s(δ) = constant + Σ cos[k]·cos(δ·freq[k]) + sin[k]·sin(δ·freq[k])`.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    freq: Vec<f64>,
    cos: Vec<f64>,
    sin: Vec<f64>,
    constant: f64,
}

/// The least and the greatest score over a run of offsets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Least.
    pub min: f32,
    /// Greatest.
    pub max: f32,
    /// Whether every offset of the run was looked at, not a sample.
    pub exact: bool,
}

impl Range {
    const NOTHING: Self = Self { min: f32::INFINITY, max: f32::NEG_INFINITY, exact: true };

    /// The range of both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max), exact: self.exact && other.exact }
    }
}

impl Profile {
    /// A sum of waves: radians per token and the weights of cosine and sine, one each per plane, and a constant.
    pub fn new(freq: Vec<f64>, cos: Vec<f64>, sin: Vec<f64>, constant: f64) -> Self {
        debug_assert!(freq.len() == cos.len() && freq.len() == sin.len());
        Self { freq, cos, sin, constant }
    }

    /// Radians per token, one per plane.
    pub fn freq(&self) -> &[f64] {
        &self.freq
    }

    /// The weights of the cosines, one per plane.
    pub fn cos(&self) -> &[f64] {
        &self.cos
    }

    /// The weights of the sines, one per plane.
    pub fn sin(&self) -> &[f64] {
        &self.sin
    }

    /// What does not depend on the offset.
    pub fn constant(&self) -> f64 {
        self.constant
    }

    /// The exact score at an offset, any real number.
    pub fn at(&self, offset: f64) -> f64 {
        let mut sum = self.constant;
        for k in 0..self.freq.len() {
            sum += self.plane_at(k, offset);
        }
        sum
    }

    /// The share of one plane in the score at an offset.
    pub fn plane_at(&self, plane: usize, offset: f64) -> f64 {
        let (sin, cos) = phase::sin_cos(offset, self.freq[plane]);
        self.cos[plane] * cos + self.sin[plane] * sin
    }

    /// The exact mean of the scores at the `count` whole offsets from `start`, in closed form; of none, the score at
    /// `start`.
    pub fn mean(&self, start: i64, count: u64) -> f64 {
        let count = count.max(1);
        let middle = start as f64 + (count as f64 - 1.0) / 2.0;
        let planes = 0..self.freq.len();
        self.constant + planes.map(|k| phase::fading(count, self.freq[k]) * self.plane_at(k, middle)).sum::<f64>()
    }

    /// The same scores `by` offsets later, `s(δ − by)`: what turning the query by `−by` tokens does. The peak of q = k
    /// moves from 0 to `by`.
    #[must_use]
    pub fn aimed(&self, by: f64) -> Self {
        let mut aimed = self.clone();
        for k in 0..self.freq.len() {
            let (sin, cos) = phase::sin_cos(by, self.freq[k]);
            aimed.cos[k] = self.cos[k] * cos - self.sin[k] * sin;
            aimed.sin[k] = self.cos[k] * sin + self.sin[k] * cos;
        }
        aimed
    }

    /// Every weight times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            freq: self.freq.clone(),
            cos: self.cos.iter().map(|a| a * factor).collect(),
            sin: self.sin.iter().map(|b| b * factor).collect(),
            constant: self.constant * factor,
        }
    }

    /// The mean of some profiles of the same frequencies; flat at 0 where there is none.
    #[must_use]
    pub fn mean_of(profiles: &[Self]) -> Self {
        let Some(first) = profiles.first() else { return Self::new(Vec::new(), Vec::new(), Vec::new(), 0.0) };
        let n = profiles.len() as f64;
        let mean = |weight: &dyn Fn(&Self) -> f64| profiles.iter().map(weight).sum::<f64>() / n;
        let planes = 0..first.freq.len();
        Self {
            freq: first.freq.clone(),
            cos: planes.clone().map(|k| mean(&|p| p.cos[k])).collect(),
            sin: planes.map(|k| mean(&|p| p.sin[k])).collect(),
            constant: mean(&|p| p.constant),
        }
    }

    /// The scores less those of a profile of the same frequencies.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        Self {
            freq: self.freq.clone(),
            cos: less(&self.cos, &other.cos),
            sin: less(&self.sin, &other.sin),
            constant: self.constant - other.constant,
        }
    }

    /// Prepares the evaluation of many whole offsets.
    pub fn ranger(&self) -> Ranger {
        Ranger::new(self)
    }

    /// The range over each run of whole offsets `edges[i]..edges[i+1]`, looking at `samples` offsets of a run at the
    /// most (`u64::MAX`: at all of them). An empty run shares the offset at its start.
    ///
    /// Edges ascend, and lie within ±2⁵³; a run that does not ascend counts as empty. A run of more than `samples`
    /// offsets is looked at in even steps of a power of two.
    pub fn ranges(&self, edges: &[i64], samples: u64) -> Vec<Range> {
        self.ranger().ranges(edges, samples)
    }
}
