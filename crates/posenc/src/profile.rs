//! A score that depends on the offset alone.
//!
//! For rotations and sinusoids it is a sum of waves over the offset δ = query position − key position:
//! `s(δ) = c + Σ_k a_k·cos(δ·w_k) + b_k·sin(δ·w_k)`.

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

    /// The exact score at an offset, any real number.
    pub fn at(&self, offset: f64) -> f64 {
        let mut sum = self.constant;
        for k in 0..self.freq.len() {
            let (sin, cos) = libm::sincos(offset * self.freq[k]);
            sum += self.cos[k] * cos + self.sin[k] * sin;
        }
        sum
    }

    /// The share of one plane in the score at an offset.
    pub fn plane_at(&self, plane: usize, offset: f64) -> f64 {
        let (sin, cos) = libm::sincos(offset * self.freq[plane]);
        self.cos[plane] * cos + self.sin[plane] * sin
    }

    /// The same scores, `by` offsets later: what turning the query by `by` tokens does.
    #[must_use]
    pub fn aimed(&self, by: f64) -> Self {
        let mut aimed = self.clone();
        for k in 0..self.freq.len() {
            let (sin, cos) = libm::sincos(by * self.freq[k]);
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

    /// The range over each run of whole offsets `edges[i]..edges[i+1]`, looking at `samples` offsets of a run at the
    /// most (`u64::MAX`: at all of them). An empty run shares the offset at its start.
    pub fn ranges(&self, edges: &[i64], samples: u64) -> Vec<Range> {
        let _ = (edges, samples);
        unimplemented!()
    }
}
