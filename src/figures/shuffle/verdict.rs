//! Whether outputs only move with their words, and whether their mean stays: the largest differences, measured.

use super::order;
use crate::figures::attending::{Mind, Seen, Sentence};
use posenc::{
    Error,
    attention::{self, Reordered},
};

/// Up to this much is rounding: sums of the same numbers in another order.
pub(super) const ROUNDING: f64 = 1e-9;

/// The largest differences between what is computed of reordered words and what is reordered of the computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    /// Of any number of any word's output.
    pub(super) outputs: f64,
    /// Of any number of the mean of all outputs.
    pub(super) mean: f64,
}

impl Verdict {
    /// Whether outputs move with their words, and that is all.
    pub(super) fn is_equivariant(&self) -> bool {
        self.outputs <= ROUNDING
    }

    /// Whether the mean stays as it is.
    pub(super) fn is_invariant(&self) -> bool {
        self.mean <= ROUNDING
    }
}

/// Two places where the same word stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Twins {
    /// Its first place.
    pub(super) first: usize,
    /// Its second place.
    pub(super) second: usize,
    /// Whether both have the same row of attention and the same output, bit by bit.
    pub(super) same: bool,
    /// The largest difference between their rows of attention.
    pub(super) most: f64,
}

/// What was measured of one scheme and head.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    /// Attention over the words as they are read.
    pub(super) seen: Seen,
    /// How much the output of the word at each place is another than in the text's order, at the most.
    pub(super) changes: Vec<f64>,
    /// Without and with a causal mask. Of the order on screen, or where that is the text's own, of its reverse.
    pub(super) verdicts: [Verdict; 2],
    /// The first word that is there twice, if any.
    pub(super) twins: Option<Twins>,
}

impl Measured {
    /// Of a head over words in an order.
    pub(super) fn new(mind: &Mind, sentence: &Sentence, order: &[usize], head: usize) -> Result<Self, Error> {
        let read = |order: &[usize], causal: bool| {
            let words: Vec<&str> = order.iter().map(|place| sentence.words[*place].as_str()).collect();
            mind.attend(sentence, &words, causal, head)
        };
        let plain = order::identity(order.len());
        let tried: Vec<usize> =
            if order::is_identity(order) { plain.iter().rev().copied().collect() } else { order.to_vec() };
        let mut verdicts = [Verdict { outputs: 0.0, mean: 0.0 }; 2];
        for (verdict, causal) in verdicts.iter_mut().zip([false, true]) {
            let (before, after) = (read(&plain, causal)?, read(&tried, causal)?);
            let moved = Reordered::new(&before.outputs, &after.outputs, after.width, &tried);
            *verdict = Verdict { outputs: moved.most(), mean: moved.mean };
        }
        let (before, seen) = (read(&plain, sentence.causal)?, read(order, sentence.causal)?);
        let changes = Reordered::new(&before.outputs, &seen.outputs, seen.width, order).changes;
        let twins = twins(sentence, &seen, order);
        Ok(Self { seen, changes, verdicts, twins })
    }
}

fn twins(sentence: &Sentence, seen: &Seen, order: &[usize]) -> Option<Twins> {
    let words: Vec<&String> = order.iter().map(|place| &sentence.words[*place]).collect();
    let (first, second) = attention::twins(&words)?;
    let rows = |of: &[f64], width: usize| [first, second].map(|place| of[place * width..(place + 1) * width].to_vec());
    let [a, b] = rows(&seen.weights, order.len());
    let [x, y] = rows(&seen.outputs, seen.width);
    let bits = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    Some(Twins {
        first,
        second,
        same: bits(&a, &b) && bits(&x, &y),
        most: attention::rows_differ(&seen.weights, order.len(), first, second),
    })
}
