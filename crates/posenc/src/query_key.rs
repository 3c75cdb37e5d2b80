//! What is done to queries and to keys, where it is not one rotation of both.

use crate::{Error, Rotary, profile::Fading};

/// A change of queries and keys by their positions, in tokens.
///
/// ```
/// use posenc::{Config, Encoding};
///
/// let Encoding::QueryKey(xpos) = Config::parse("xpos(head_dim=8)").unwrap().0.build().unwrap() else { unreachable!() };
/// let ones = [1.0; 8];
/// // The score of a key 512 tokens back is damped.
/// let (near, far) = (xpos.score(&ones, &ones, 600.0, 600.0), xpos.score(&ones, &ones, 600.0, 88.0));
/// assert!(far.unwrap().abs() < near.unwrap());
/// ```
pub trait QueryKey {
    /// Dimensions of a query or key.
    fn head_dim(&self) -> usize;

    /// A query at its position.
    ///
    /// # Errors
    /// [`Error::Length`] where `x` or `out` is not [`head_dim`](Self::head_dim) long.
    fn query(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error>;

    /// A key at its position.
    ///
    /// # Errors
    /// [`Error::Length`] where `x` or `out` is not [`head_dim`](Self::head_dim) long.
    fn key(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error>;

    /// The rotation that is part of it.
    fn rotary(&self) -> Option<&Rotary> {
        None
    }

    /// Whether [`score`](Self::score) depends on the offset of the two positions alone.
    fn by_offset(&self) -> bool;

    /// [`score`](Self::score) as a function of the offset, where it is waves that fade.
    ///
    /// # Errors
    /// [`Error::Length`] where `q` or `k` is not [`head_dim`](Self::head_dim) long.
    fn profile(&self, _q: &[f64], _k: &[f64]) -> Result<Option<Fading>, Error> {
        Ok(None)
    }

    /// What the query's magnitude is multiplied by at a position and in a plane, beside being rotated; the key's is
    /// [`key_magnitude`](Self::key_magnitude).
    fn query_magnitude(&self, plane: usize, position: f64) -> f64;

    /// What the key's magnitude is multiplied by at a position and in a plane.
    fn key_magnitude(&self, plane: usize, position: f64) -> f64;

    /// The score of a query at one position and a key at another, divided by √`head_dim`.
    ///
    /// # Errors
    /// [`Error::Length`] where `q` or `k` is not [`head_dim`](Self::head_dim) long.
    fn score(&self, q: &[f64], k: &[f64], query_position: f64, key_position: f64) -> Result<f64, Error> {
        let (mut a, mut b) = (vec![0.0; self.head_dim()], vec![0.0; self.head_dim()]);
        self.query(q, query_position, &mut a)?;
        self.key(k, key_position, &mut b)?;
        let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        Ok(dot / libm::sqrt(self.head_dim() as f64))
    }
}

impl std::fmt::Debug for dyn QueryKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("QueryKey")
    }
}
