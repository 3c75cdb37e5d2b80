//! Rotation of query and key, plane by plane.
//!
//! Su et al. 2021, `RoFormer`, section 3.2, <https://arxiv.org/abs/2104.09864>.

use crate::{
    Error, phase,
    profile::Profile,
    waves::{Column, State, Waves},
};

/// Which dimensions make a plane, and where the rotated ones are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Plane k is dimensions (k, k + r/2): GPT-NeoX, Hugging Face's Llama.
    Half,
    /// Plane k is dimensions (2k, 2k + 1): `RoFormer`, GPT-J, Meta's Llama.
    Interleaved,
    /// Reads (2k, 2k + 1), writes (k, k + r/2): Hugging Face's DeepSeek-V3.
    InterleavedToHalf,
}

/// A rotation by `position × inv_freq[k]` in plane k.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotary {
    head_dim: usize,
    inv_freq: Vec<f64>,
    layout: Layout,
    attention_factor: f64,
}

impl Rotary {
    /// Rotates the first `2 × inv_freq.len()` of `head_dim` dimensions, and passes the rest.
    ///
    /// # Errors
    /// [`Error::Length`] where there are more planes than dimensions.
    pub fn new(head_dim: usize, inv_freq: Vec<f64>, layout: Layout, attention_factor: f64) -> Result<Self, Error> {
        if inv_freq.len() * 2 > head_dim {
            return Err(Error::Length { what: "inv_freq", given: inv_freq.len(), needed: head_dim / 2 });
        }
        Ok(Self { head_dim, inv_freq, layout, attention_factor })
    }

    /// Dimensions of a query or key.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Radians per token, one per rotated plane.
    pub fn inv_freq(&self) -> &[f64] {
        &self.inv_freq
    }

    /// What cosine and sine are multiplied by (`YaRN`'s and `LongRoPE`'s); 1 for plain `RoPE`.
    pub fn attention_factor(&self) -> f64 {
        self.attention_factor
    }

    /// Which dimensions make a plane.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The two dimensions that plane k is read from.
    pub fn pair(&self, k: usize) -> (usize, usize) {
        match self.layout {
            Layout::Half => (k, k + self.inv_freq.len()),
            Layout::Interleaved | Layout::InterleavedToHalf => (2 * k, 2 * k + 1),
        }
    }

    /// The two dimensions that plane k is written to.
    pub fn pair_out(&self, k: usize) -> (usize, usize) {
        match self.layout {
            Layout::Interleaved => (2 * k, 2 * k + 1),
            Layout::Half | Layout::InterleavedToHalf => (k, k + self.inv_freq.len()),
        }
    }

    /// Rotates a query or key to its position, any real number.
    ///
    /// # Errors
    /// [`Error::Length`] where `x` or `out` is not [`head_dim`](Self::head_dim) long.
    pub fn rotate(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error> {
        for (what, given) in [("x", x.len()), ("out", out.len())] {
            if given != self.head_dim {
                return Err(Error::Length { what, given, needed: self.head_dim });
            }
        }
        out.copy_from_slice(x);
        for (k, w) in self.inv_freq.iter().enumerate() {
            let (i, j) = self.pair(k);
            let (to_i, to_j) = self.pair_out(k);
            let (sin, cos) = phase::sin_cos(position, *w);
            out[to_i] = (x[i] * cos - x[j] * sin) * self.attention_factor;
            out[to_j] = (x[j] * cos + x[i] * sin) * self.attention_factor;
        }
        Ok(())
    }

    /// Rotates rows of [`head_dim`](Self::head_dim) numbers, row r to position `start + r·step`: a whole sequence of
    /// queries or keys, at a complex multiplication a plane.
    ///
    /// # Errors
    /// [`Error::Length`] where `x` is not whole rows, or `out` not as long.
    pub fn rotate_rows(&self, x: &[f32], start: f64, step: f64, out: &mut [f32]) -> Result<(), Error> {
        if !x.len().is_multiple_of(self.head_dim.max(1)) {
            let needed = x.len().next_multiple_of(self.head_dim);
            return Err(Error::Length { what: "x", given: x.len(), needed });
        }
        if out.len() != x.len() {
            return Err(Error::Length { what: "out", given: out.len(), needed: x.len() });
        }
        let planes = self.inv_freq.len();
        let mut state = State::new(&self.inv_freq, step);
        let (mut cos, mut sin) = (vec![0.0_f32; planes], vec![0.0_f32; planes]);
        let rows = x.chunks_exact(self.head_dim.max(1)).zip(out.chunks_exact_mut(self.head_dim.max(1)));
        for (r, (x, out)) in rows.enumerate() {
            state.go_to_row(r, &self.inv_freq, start, step, None);
            for ((cos, sin), (c, s)) in cos.iter_mut().zip(&mut sin).zip(state.cos.iter().zip(&state.sin)) {
                (*cos, *sin) = ((c * self.attention_factor) as f32, (s * self.attention_factor) as f32);
            }
            let (x, x_rest) = x.split_at(2 * planes);
            let (out, out_rest) = out.split_at_mut(2 * planes);
            out_rest.copy_from_slice(x_rest);
            turn(self.layout, x, &cos, &sin, out);
        }
        Ok(())
    }

    /// Cosine and sine by dimension as a table over positions: of each plane's two dimensions the first shows the
    /// cosine, the second the sine; a dimension that is not rotated shows NaN.
    pub fn waves(&self) -> Waves {
        let mut columns = vec![Column::Constant(f64::NAN); self.head_dim];
        for k in 0..self.inv_freq.len() {
            let (i, j) = self.pair_out(k);
            columns[i] = Column::Cos(k);
            columns[j] = Column::Sin(k);
        }
        Waves::new(self.inv_freq.clone(), columns)
    }

    /// The score `R(m)q · R(n)k / √head_dim` as a function of the offset m − n.
    ///
    /// # Errors
    /// [`Error::Length`] where `q` or `k` is not [`head_dim`](Self::head_dim) long.
    pub fn profile(&self, q: &[f64], k: &[f64]) -> Result<Profile, Error> {
        for (what, given) in [("q", q.len()), ("k", k.len())] {
            if given != self.head_dim {
                return Err(Error::Length { what, given, needed: self.head_dim });
            }
        }
        let scale = 1.0 / libm::sqrt(self.head_dim as f64);
        let square = self.attention_factor * self.attention_factor * scale;
        let (mut cos, mut sin) = (Vec::new(), Vec::new());
        for plane in 0..self.inv_freq.len() {
            let (i, j) = self.pair(plane);
            cos.push((q[i] * k[i] + q[j] * k[j]) * square);
            sin.push((q[i] * k[j] - q[j] * k[i]) * square);
        }
        let rest = (2 * self.inv_freq.len()..self.head_dim).map(|i| q[i] * k[i]).sum::<f64>() * scale;
        Ok(Profile::new(self.inv_freq.clone(), cos, sin, rest))
    }
}

/// Turns one row, a loop for each layout so that each is one stretch of memory.
fn turn(layout: Layout, x: &[f32], cos: &[f32], sin: &[f32], out: &mut [f32]) {
    let planes = cos.len();
    match layout {
        Layout::Half => {
            let (x, y) = x.split_at(planes);
            let (to_x, to_y) = out.split_at_mut(planes);
            for k in 0..planes.min(x.len()).min(y.len()).min(sin.len()).min(to_x.len()).min(to_y.len()) {
                to_x[k] = x[k] * cos[k] - y[k] * sin[k];
                to_y[k] = y[k] * cos[k] + x[k] * sin[k];
            }
        }
        Layout::Interleaved => {
            let pairs = out.chunks_exact_mut(2).zip(x.chunks_exact(2));
            for ((to, from), (c, s)) in pairs.zip(cos.iter().zip(sin)) {
                to[0] = from[0] * c - from[1] * s;
                to[1] = from[1] * c + from[0] * s;
            }
        }
        Layout::InterleavedToHalf => {
            let (to_x, to_y) = out.split_at_mut(planes);
            for (((to_x, to_y), from), (c, s)) in
                to_x.iter_mut().zip(to_y).zip(x.chunks_exact(2)).zip(cos.iter().zip(sin))
            {
                *to_x = from[0] * c - from[1] * s;
                *to_y = from[1] * c + from[0] * s;
            }
        }
    }
}
