//! Rotation of query and key, plane by plane.
//!
//! Su et al. 2021, `RoFormer`, section 3.2, <https://arxiv.org/abs/2104.09864>.

use crate::{
    Error, phase,
    profile::Profile,
    schemes::rope_scaling::Frequencies,
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

impl Layout {
    /// The words of parameters, in the order of the variants.
    pub const WORDS: [&'static str; 3] = ["half", "interleaved", "interleaved-to-half"];

    /// The layout of this word; [`Half`](Self::Half) where it is none.
    pub fn from_word(word: &str) -> Self {
        match word {
            "interleaved" => Self::Interleaved,
            "interleaved-to-half" => Self::InterleavedToHalf,
            _ => Self::Half,
        }
    }

    /// The two dimensions that plane k of so many is read from.
    pub fn pair(self, k: usize, planes: usize) -> (usize, usize) {
        match self {
            Self::Half => (k, k + planes),
            Self::Interleaved | Self::InterleavedToHalf => (2 * k, 2 * k + 1),
        }
    }

    /// The two dimensions that plane k of so many is written to.
    pub fn pair_out(self, k: usize, planes: usize) -> (usize, usize) {
        match self {
            Self::Interleaved => (2 * k, 2 * k + 1),
            Self::Half | Self::InterleavedToHalf => (k, k + planes),
        }
    }
}

/// A rotation by `position × inv_freq[k]` in plane k.
///
/// Where the frequencies follow the length of the sequence (`dynamic`, `longrope`), this is the rotation at one length:
/// as it is built, at lengths up to the trained one. [`at_length`](Self::at_length) gives that of any other.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotary {
    head_dim: usize,
    inv_freq: Vec<f64>,
    layout: Layout,
    attention_factor: f64,
    frequencies: Option<Frequencies>,
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
        Ok(Self { head_dim, inv_freq, layout, attention_factor, frequencies: None })
    }

    /// As [`new`](Self::new), with frequencies that may follow the length, and their attention factor.
    ///
    /// # Errors
    /// [`Error::Length`] where there are more planes than dimensions.
    pub fn extended(head_dim: usize, frequencies: Frequencies, layout: Layout) -> Result<Self, Error> {
        let plain = Self::new(head_dim, frequencies.at(0.0), layout, frequencies.attention_factor())?;
        Ok(Self { frequencies: Some(frequencies), ..plain })
    }

    /// The rotation while the sequence is so many tokens long. What was rotated at another length does not fit it: keys
    /// in a cache would have to be rotated anew.
    ///
    /// ```
    /// use posenc::{Config, Encoding};
    ///
    /// let text = "rope(rope_type=dynamic,factor=2,max_position_embeddings=4096)";
    /// let Encoding::Rotary(rope) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
    /// assert_eq!(rope.at_length(4096.0), rope);
    /// assert!(rope.at_length(8192.0).inv_freq()[63] < rope.inv_freq()[63] / 2.9);
    /// ```
    #[must_use]
    pub fn at_length(&self, length: f64) -> Self {
        Self { inv_freq: self.inv_freq_at(length), ..self.clone() }
    }

    /// Radians per token of each plane while the sequence is so many tokens long.
    pub fn inv_freq_at(&self, length: f64) -> Vec<f64> {
        self.frequencies.as_ref().map_or_else(|| self.inv_freq.clone(), |frequencies| frequencies.at(length))
    }

    /// How the frequencies came about, where the scheme has a context extension.
    pub fn frequencies(&self) -> Option<&Frequencies> {
        self.frequencies.as_ref()
    }

    /// What this model multiplies a product of query and key by, `width` dimensions long, before the softmax: 1/√width,
    /// and `DeepSeek`'s [`softmax_factor`](crate::schemes::rope_scaling::softmax_factor) where the scheme has
    /// `mscale_all_dim`. Only `DeepSeek`'s code does the second; [`profile`](Self::profile) does not.
    pub fn softmax_scale(&self, width: usize) -> f64 {
        self.frequencies.as_ref().map_or(1.0, Frequencies::softmax_factor) / libm::sqrt(width as f64)
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
        self.layout.pair(k, self.inv_freq.len())
    }

    /// The two dimensions that plane k is written to.
    pub fn pair_out(&self, k: usize) -> (usize, usize) {
        self.layout.pair_out(k, self.inv_freq.len())
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
