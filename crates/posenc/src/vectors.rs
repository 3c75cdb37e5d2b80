//! The choice of query and key for a rotation: its scores depend on them as much as on the offset.

use crate::random::Normal;

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
