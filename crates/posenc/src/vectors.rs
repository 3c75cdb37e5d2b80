//! The choice of query and key for a rotation: its scores depend on them as much as on the offset.
//!
//! The decay with the offset that is often quoted is that of q ≈ k. Of independent random q and k every offset has the
//! mean 0 and the same spread: [`Bands`] shows it, over many draws.
//!
//! ```
//! use posenc::{Config, Encoding, vectors::{Bands, Vectors}};
//!
//! let Encoding::Rotary(rope) = Config::parse("rope(head_dim=32)").unwrap().0.build().unwrap() else { unreachable!() };
//! let mut bands = Bands::new(&rope, Vectors::Equal { seed: 1 }, 50, &[0, 1, 1000], 64, 0.0);
//! while !bands.step() {}
//! let band = bands.finish();
//! // q·q/√32 has the mean √32 = 5.66 at offset 0, and less further out.
//! assert!((band.mean[0] - 5.66).abs() < 1.0 && band.mean[1] < 3.0);
//! ```

use crate::{
    Rotary,
    profile::{Phases, Profile, Weights, steps},
    random::Normal,
};

/// A made-up vector of a word: `width` normal numbers, mean 0 and variance 1, fixed by its letters and the seed. Case, and
/// marks at the ends, are no part of the word. A narrower vector is the beginning of a wider one.
///
/// The letters are hashed by FNV-1a, 64 bits wide.
///
/// ```
/// use posenc::vectors::of_word;
///
/// assert_eq!(of_word("Dog,", 1, 8), of_word("dog", 1, 8));
/// assert_ne!(of_word("dog", 1, 8), of_word("cat", 1, 8));
/// assert_ne!(of_word("dog", 1, 8), of_word("dog", 2, 8));
/// ```
pub fn of_word(word: &str, seed: u64, width: usize) -> Vec<f64> {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = if bare.is_empty() { word } else { bare }.to_lowercase();
    let bytes = seed.to_le_bytes().into_iter().chain(bare.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Normal::new(hash).vector(width)
}

/// Which query and key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// All ones, both: every plane has the same weight.
    Ones,
    /// The same vector of N(0, 1) entries twice.
    Equal {
        /// Of the vector.
        seed: u64,
    },
    /// Two vectors of N(0, 1) entries, drawn independently.
    Independent {
        /// Of both.
        seed: u64,
    },
}

impl Vectors {
    /// The words of links, in the order of the variants.
    pub const WORDS: [&'static str; 3] = ["ones", "equal", "independent"];

    /// The choice of this word, if it is one.
    pub fn from_word(word: &str, seed: u64) -> Option<Self> {
        match word {
            "ones" => Some(Self::Ones),
            "equal" => Some(Self::Equal { seed }),
            "independent" => Some(Self::Independent { seed }),
            _ => None,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ones => "ones",
            Self::Equal { .. } => "equal",
            Self::Independent { .. } => "independent",
        }
    }

    /// Whether another seed gives other vectors.
    pub fn is_random(self) -> bool {
        self != Self::Ones
    }

    /// The stream that [`draw`](Self::draw) reads; fixed by the seed.
    pub fn stream(self) -> Normal {
        match self {
            Self::Ones => Normal::new(0),
            Self::Equal { seed } | Self::Independent { seed } => Normal::new(seed),
        }
    }

    /// The next query and key of a stream.
    pub fn draw(self, stream: &mut Normal, head_dim: usize) -> (Vec<f64>, Vec<f64>) {
        match self {
            Self::Ones => (vec![1.0; head_dim], vec![1.0; head_dim]),
            Self::Equal { .. } => {
                let q = stream.vector(head_dim);
                (q.clone(), q)
            }
            Self::Independent { .. } => {
                let q = stream.vector(head_dim);
                (q, stream.vector(head_dim))
            }
        }
    }

    /// The query and key of the seed: the first draw of its stream.
    pub fn pair(self, head_dim: usize) -> (Vec<f64>, Vec<f64>) {
        self.draw(&mut self.stream(), head_dim)
    }
}

/// The length of a vector: ‖x‖.
pub fn norm(x: &[f64]) -> f64 {
    libm::sqrt(x.iter().map(|x| x * x).sum())
}

/// Makes a vector one long in its own direction, so that products are cosines; one without a direction becomes NaN.
pub fn normalise(x: &mut [f64]) {
    let norm = norm(x);
    for x in x {
        *x /= norm;
    }
}

/// The product of two vectors: eight sums side by side, which become vector instructions.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (eights, others) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = eights.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0_f32; 8];
    for (a, b) in eights.zip(others) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Mean and standard deviation (divided by n) of `PE(p)·PE(p + offset)` over all positions of a table, rows × `width`;
/// the sign of the offset does not matter. `None` where no two rows are so far apart.
///
/// ```
/// use posenc::vectors::products;
///
/// // 1·3, 3·2 and 2·5.
/// let (mean, spread) = products(&[1.0, 3.0, 2.0, 5.0], 1, 1).unwrap();
/// assert!((mean - 19.0 / 3.0).abs() < 1e-12 && (spread - (74.0_f64 / 9.0).sqrt()).abs() < 1e-12);
/// assert_eq!(products(&[1.0, 3.0], 1, 2), None);
/// ```
pub fn products(rows: &[f32], width: usize, offset: i64) -> Option<(f64, f64)> {
    let width = width.max(1);
    let later = rows.chunks_exact(width).skip(usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX));
    let products: Vec<f64> = rows.chunks_exact(width).zip(later).map(|(a, b)| f64::from(dot(a, b))).collect();
    let count = products.len() as f64;
    let mean = products.iter().sum::<f64>() / count;
    let squares: f64 = products.iter().map(|product| (product - mean) * (product - mean)).sum();
    (count > 0.0).then(|| (mean, libm::sqrt(squares / count)))
}

/// Scores over many draws of q and k: one number for each run of offsets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Band {
    /// The mean, over draws and offsets of the run.
    pub mean: Vec<f32>,
    /// The standard deviation over draws at one offset: the root of the mean, over offsets of the run, of the variance
    /// over draws (divided by their number).
    pub spread: Vec<f32>,
    /// The least score of any draw at any offset of the run.
    pub min: Vec<f32>,
    /// The greatest.
    pub max: Vec<f32>,
    /// Whether every offset of every run was looked at.
    pub exact: bool,
}

/// Makes a [`Band`], slice by slice.
///
/// Each draw is a sum of waves, and so are the mean of the draws and each draw's deviation from it: the variance is
/// summed from deviations, without cancellation.
#[derive(Debug)]
pub struct Bands {
    rotary: Rotary,
    vectors: Vectors,
    aim: f64,
    draws: usize,
    stream: Normal,
    profiles: Vec<Profile>,
    phases: Phases,
    mean: Weights,
    deviations: Vec<Weights>,
    edges: Vec<i64>,
    samples: u64,
    /// Offsets in one step, so that a step's work is bounded.
    piece: u64,
    column: usize,
    /// Offsets of the column that are done.
    within: u64,
    sums: Sums,
    band: Band,
}

#[derive(Debug)]
struct Sums {
    mean: f64,
    squares: f64,
    min: f32,
    max: f32,
}

impl Sums {
    const NONE: Self = Self { mean: 0.0, squares: 0.0, min: f32::INFINITY, max: f32::NEG_INFINITY };
}

/// Plane-offsets of one step: a few milliseconds on a slow machine.
const STEP: u64 = 4_000_000;
/// Random numbers of one step: the same.
const STEP_RANDOM: usize = 32_768;

impl Bands {
    /// Prepares `draws` draws (at least one) over the runs `edges[i]..edges[i+1]`, of which `samples` offsets are looked
    /// at at the most, as in [`Profile::ranges`]. The query is aimed at the offset `aim` (see [`Profile::aimed`]).
    pub fn new(rotary: &Rotary, vectors: Vectors, draws: u32, edges: &[i64], samples: u64, aim: f64) -> Self {
        let draws = if vectors.is_random() { draws.max(1) } else { 1 };
        let planes = rotary.inv_freq().len().max(1) as u64;
        Self {
            rotary: rotary.clone(),
            vectors,
            aim,
            draws: draws as usize,
            stream: vectors.stream(),
            profiles: Vec::new(),
            phases: Phases::new(rotary.inv_freq()),
            mean: Weights::new(Profile::mean_of(&[])),
            deviations: Vec::new(),
            edges: edges.to_vec(),
            samples,
            piece: (STEP / (planes * u64::from(draws))).clamp(64, 4096) / 64 * 64,
            column: 0,
            within: 0,
            sums: Sums::NONE,
            band: Band { exact: true, ..Band::default() },
        }
    }

    /// Runs in all.
    pub fn columns(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    /// How much is done, from 0 to 1.
    pub fn done(&self) -> f64 {
        let columns = self.columns();
        if self.deviations.is_empty() {
            // The draws count as one column more.
            return self.profiles.len() as f64 / self.draws as f64 / (columns as f64 + 1.0);
        }
        if self.column >= columns {
            return 1.0;
        }
        let (_, count) = steps(self.edges[self.column], self.edges[self.column + 1], self.samples);
        (1.0 + self.column as f64 + self.within as f64 / count as f64) / (columns as f64 + 1.0)
    }

    /// Does one slice. True when nothing is left.
    pub fn step(&mut self) -> bool {
        if self.deviations.is_empty() {
            self.draw();
            return false;
        }
        if self.column >= self.columns() {
            return true;
        }
        let start = self.edges[self.column];
        let (stride, count) = steps(start, self.edges[self.column + 1], self.samples);
        let now = self.piece.min(count - self.within);
        let from = start.saturating_add((stride * self.within) as i64);

        let mut means = Vec::with_capacity(now as usize);
        self.mean.scores(&mut self.phases, from, stride, now, |scores| means.extend_from_slice(scores));
        let sums = &mut self.sums;
        sums.mean += means.iter().map(|&score| score as f64).sum::<f64>();
        for deviation in &mut self.deviations {
            let mut at = 0;
            deviation.scores(&mut self.phases, from, stride, now, |scores| {
                let mut squares = 0.0_f32;
                for (score, mean) in scores.iter().zip(&means[at..]) {
                    squares += score * score;
                    let score = mean + score;
                    sums.min = sums.min.min(score);
                    sums.max = sums.max.max(score);
                }
                sums.squares += squares as f64;
                at += scores.len();
            });
        }

        self.within += now;
        if self.within == count {
            let n = count as f64;
            self.band.mean.push((sums.mean / n) as f32);
            self.band.spread.push((sums.squares / (n * self.deviations.len() as f64)).sqrt() as f32);
            self.band.min.push(sums.min);
            self.band.max.push(sums.max);
            self.band.exact &= stride == 1;
            self.sums = Sums::NONE;
            self.within = 0;
            self.column += 1;
        }
        self.column == self.columns()
    }

    /// Draws some more, and once all are drawn, takes their mean.
    fn draw(&mut self) {
        let dimensions = self.rotary.head_dim();
        let some = (STEP_RANDOM / (2 * dimensions).max(1)).max(1).min(self.draws - self.profiles.len());
        for _ in 0..some {
            let (q, k) = self.vectors.draw(&mut self.stream, dimensions);
            // The lengths fit: both are of `head_dim`.
            if let Ok(profile) = self.rotary.profile(&q, &k) {
                self.profiles.push(profile.aimed(self.aim));
            }
        }
        if self.profiles.len() == self.draws {
            let mean = Profile::mean_of(&self.profiles);
            self.deviations = self.profiles.drain(..).map(|profile| Weights::new(profile.less(&mean))).collect();
            self.mean = Weights::new(mean);
        }
    }

    /// The band, as far as it was made.
    pub fn finish(self) -> Band {
        self.band
    }
}
