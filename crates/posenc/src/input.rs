//! What a model reads at a position: the word's vector and the position's, added or side by side.
//!
//! The first transformer multiplies the word's vector by √d before it adds the position's (Vaswani et al. 2017, section
//! 3.4, <https://arxiv.org/abs/1706.03762>): with numbers drawn from N(0, 1/d) a word is 1 long, a position of sines and
//! cosines √(d/2).
//!
//! ```
//! use posenc::input::{Combine, Input};
//!
//! let input = Input::new(vec![3.0, 0.0], vec![0.0, 4.0], Combine::Add);
//! assert_eq!(input.sum, [3.0, 4.0]);
//! assert_eq!((input.cosine_with_word(), input.cosine_with_place()), (0.6, 0.8));
//! ```

/// How the two vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// Number by number; both are as long.
    Add,
    /// The word's, then the position's.
    Concatenate,
}

/// A word's vector, a position's, and both together. NaN where there is no vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The word's, scaled as it goes in.
    pub word: Vec<f64>,
    /// The position's.
    pub place: Vec<f64>,
    /// Both.
    pub sum: Vec<f64>,
    combine: Combine,
}

impl Input {
    /// Puts two vectors together; where they are added, the shorter one ends with zeros.
    pub fn new(word: Vec<f64>, place: Vec<f64>, combine: Combine) -> Self {
        let sum = match combine {
            Combine::Add => {
                let at = |of: &[f64], i: usize| of.get(i).copied().unwrap_or_default();
                (0..word.len().max(place.len())).map(|i| at(&word, i) + at(&place, i)).collect()
            }
            Combine::Concatenate => word.iter().chain(&place).copied().collect(),
        };
        Self { word, place, sum, combine }
    }

    /// The cosine of the angle between both together and the word alone: what is left of the word.
    pub fn cosine_with_word(&self) -> f64 {
        self.cosine(&self.word, 0)
    }

    /// The same of the position.
    pub fn cosine_with_place(&self) -> f64 {
        self.cosine(&self.place, self.word.len())
    }

    /// With one of the two, which begins at `after` where they stand side by side.
    fn cosine(&self, part: &[f64], after: usize) -> f64 {
        let from = if self.combine == Combine::Concatenate { after } else { 0 };
        let product: f64 = self.sum.iter().skip(from).zip(part).map(|(a, b)| a * b).sum();
        product / (norm(&self.sum) * norm(part))
    }
}

fn norm(x: &[f64]) -> f64 {
    libm::sqrt(x.iter().map(|x| x * x).sum())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::{Config, Encoding, vectors::of_word};

    /// The mean cosines with the word and with the position, of many words at many positions.
    fn means(scheme: &str, factor: f64, combine: Combine) -> (f64, f64) {
        let Encoding::Absolute(table) = Config::parse(scheme).unwrap().0.build().unwrap() else { unreachable!() };
        let (width, words) = (table.width(), 400);
        let mut sums = (0.0, 0.0);
        for i in 0..words {
            let word = of_word(&format!("word{i}"), 1, width).iter().map(|x| x * factor).collect();
            let mut place = vec![0.0; width];
            table.write_row(f64::from(i), &mut place).unwrap();
            let input = Input::new(word, place, combine);
            sums.0 += input.cosine_with_word() / f64::from(words);
            sums.1 += input.cosine_with_place() / f64::from(words);
        }
        sums
    }

    #[test]
    fn without_the_factor_the_position_drowns_the_word() {
        let d = 512.0_f64;
        // N(0, 1/d), times √d or not.
        let (word, place) = means("sinusoidal(d_model=512)", 1.0, Combine::Add);
        assert!((word - 0.82).abs() < 0.01, "{word}");
        assert!((place - (1.0_f64 / 3.0).sqrt()).abs() < 0.01, "{place}");
        let (word, place) = means("sinusoidal(d_model=512)", 1.0 / d.sqrt(), Combine::Add);
        assert!((word - 0.06).abs() < 0.01, "{word}");
        assert!(place > 0.99, "{place}");
    }

    #[test]
    fn side_by_side_both_keep_their_lengths() {
        let input = Input::new(vec![1.0, 2.0], vec![2.0, 4.0], Combine::Concatenate);
        assert_eq!(input.sum, [1.0, 2.0, 2.0, 4.0]);
        assert!((input.cosine_with_word() - 0.2_f64.sqrt()).abs() < 1e-15);
        assert!((input.cosine_with_place() - 0.8_f64.sqrt()).abs() < 1e-15);
        // Added, vectors that point the same way cannot be told apart.
        assert!((Input::new(vec![1.0, 2.0], vec![2.0, 4.0], Combine::Add).cosine_with_word() - 1.0).abs() < 1e-15);
    }
}
