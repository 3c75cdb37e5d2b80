//! Tokens in another order: whether what attention makes of them only moves with them.

/// The greatest differences between attention's outputs for reordered tokens and its outputs for the tokens, reordered.
///
/// Where the outputs only move, attention is **equivariant** to the order; where their mean stays, what is read from it is
/// **invariant**.
///
/// ```
/// use posenc::{Encoding, attention::{Head, Reordered}};
///
/// // Three tokens of two numbers, and the same the other way round.
/// let (x, back) = ([1.0, 0.0, 0.0, 1.0, 0.5, 0.5], [0.5, 0.5, 0.0, 1.0, 1.0, 0.0]);
/// let head = Head::identity(2);
/// let outputs = |x: &[f64], causal: bool| head.attend(&Encoding::None, 0, x, causal).unwrap().output;
/// let free = Reordered::new(&outputs(&x, false), &outputs(&back, false), 2, &[2, 1, 0]);
/// assert!(free.most() < 1e-15 && free.mean < 1e-15);
/// let causal = Reordered::new(&outputs(&x, true), &outputs(&back, true), 2, &[2, 1, 0]);
/// assert!(causal.most() > 0.1 && causal.mean > 0.1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reordered {
    /// Of the numbers of the token's output, by the token's place in the new order.
    pub changes: Vec<f64>,
    /// Of the numbers of the mean of all outputs.
    pub mean: f64,
}

impl Reordered {
    /// Outputs of so many numbers each, before and after; `order` has the old place of the token at each new place.
    /// A place that is none has changed by infinity.
    pub fn new(before: &[f64], after: &[f64], width: usize, order: &[usize]) -> Self {
        let width = width.max(1);
        let change = |(new, old): (usize, &usize)| match (row(after, width, new), row(before, width, *old)) {
            (Some(after), Some(before)) => most(before, after),
            _ => f64::INFINITY,
        };
        Self {
            changes: order.iter().enumerate().map(change).collect(),
            mean: most(&mean(before, width), &mean(after, width)),
        }
    }

    /// The greatest of [`changes`](Self::changes).
    pub fn most(&self) -> f64 {
        self.changes.iter().copied().fold(0.0, f64::max)
    }
}

/// The first two places that hold the same, if any: without positions, what is alike is treated alike.
///
/// ```
/// use posenc::attention::twins;
///
/// assert_eq!(twins(&["the", "dog", "chased", "the", "cat"]), Some((0, 3)));
/// assert_eq!(twins(&["the", "dog"]), None);
/// ```
pub fn twins<T: PartialEq>(words: &[T]) -> Option<(usize, usize)> {
    let pairs = (0..words.len()).flat_map(|first| (first + 1..words.len()).map(move |second| (first, second)));
    pairs.into_iter().find(|(first, second)| words[*first] == words[*second])
}

/// The greatest difference between two rows, of so many numbers each, of a matrix; infinite where one is none.
///
/// ```
/// assert_eq!(posenc::attention::rows_differ(&[0.5, 0.5, 0.25, 0.75], 2, 0, 1), 0.25);
/// ```
pub fn rows_differ(matrix: &[f64], width: usize, first: usize, second: usize) -> f64 {
    match (row(matrix, width, first), row(matrix, width, second)) {
        (Some(first), Some(second)) => most(first, second),
        _ => f64::INFINITY,
    }
}

fn row(of: &[f64], width: usize, place: usize) -> Option<&[f64]> {
    of.get(place.checked_mul(width)?..)?.get(..width)
}

fn most(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn mean(rows: &[f64], width: usize) -> Vec<f64> {
    let count = (rows.len() / width).max(1) as f64;
    (0..width).map(|i| rows.iter().skip(i).step_by(width).sum::<f64>() / count).collect()
}
