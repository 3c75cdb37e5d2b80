//! Which dimensions of a query or key turn together, and what comes of code that mixes two conventions.
//!
//! A plane of `RoPE` is two dimensions. Half-split code pairs (k, k + r/2), interleaved code (2k, 2k + 1); one is the other
//! after a [`permutation`] of the dimensions, so that weights made for one layout run in the other once their rows are
//! permuted: `q·k` is the same. A [`Wiring`] is what code really does: which two inputs each output is made of, and by which
//! plane's angle. It is a rotation only where the two outputs of a plane are made of the same two inputs.
//!
//! ```
//! use posenc::{Layout, pairing::{Wiring, permutation, permuted}};
//!
//! let half = Wiring::Layout(Layout::Half);
//! assert!(half.is_rotation(4) && !Wiring::MixedJoin.is_rotation(4));
//! // inter[2k] = half[k], inter[2k+1] = half[k + r/2].
//! let order = permutation(Layout::Half, Layout::Interleaved, 3, 7);
//! assert_eq!(order, [0, 3, 1, 4, 2, 5, 6]);
//! assert_eq!(permuted(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], &order)[1], 13.0);
//! ```

use crate::{Error, Layout, phase};

/// For each dimension of a vector in the layout `to`, the dimension of the same vector in the layout `from` that it is: the
/// first `2 × planes` change places, the rest stay.
pub fn permutation(from: Layout, to: Layout, planes: usize, head_dim: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..head_dim.max(2 * planes)).collect();
    for k in 0..planes {
        let ((a, b), (i, j)) = (from.pair(k, planes), to.pair(k, planes));
        (order[i], order[j]) = (a, b);
    }
    order
}

/// The vector with its dimensions in this order. A place past its end is 0.
pub fn permuted(x: &[f64], order: &[usize]) -> Vec<f64> {
    order.iter().map(|i| x.get(*i).copied().unwrap_or(0.0)).collect()
}

/// How code puts the turned vector together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wiring {
    /// As a layout says.
    Layout(Layout),
    /// Split as if interleaved, joined as if in halves: `x1, x2 = x[::2], x[1::2]; cat(-x2, x1)`, with a table of angles in
    /// halves. Public code prints it.
    MixedJoin,
    /// Turned in halves, with a table of angles for pairs (`repeat_interleave` where `repeat` is wanted):
    /// <https://github.com/NVIDIA/ngpt/issues/10>.
    MixedTable,
}

/// What one output is made of: `x[own]·cos θ + sign·x[partner]·sin θ`, θ being the angle of `plane`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    /// The input that keeps its cosine.
    pub own: usize,
    /// The input that comes with the sine.
    pub partner: usize,
    /// −1 or 1.
    pub sign: f64,
    /// The plane whose angle it is.
    pub plane: usize,
}

impl Wiring {
    /// What output `i` of the first `2 × planes` is made of.
    pub fn wire(self, i: usize, planes: usize) -> Wire {
        let (first, halved) = (i < planes, i % planes.max(1));
        let sign = |first: bool| if first { -1.0 } else { 1.0 };
        let half = Wire { own: i, partner: if first { i + planes } else { halved }, sign: sign(first), plane: halved };
        match self {
            Self::Layout(Layout::Half) => half,
            Self::Layout(Layout::Interleaved) => {
                Wire { own: i, partner: i ^ 1, sign: sign(i.is_multiple_of(2)), plane: i / 2 }
            }
            Self::Layout(Layout::InterleavedToHalf) => {
                let (a, b) = (2 * halved, 2 * halved + 1);
                let (own, partner) = if first { (a, b) } else { (b, a) };
                Wire { own, partner, ..half }
            }
            Self::MixedJoin => Wire { partner: 2 * halved + usize::from(first), ..half },
            Self::MixedTable => Wire { plane: i / 2, ..half },
        }
    }

    /// Whether it is a rotation: the two outputs of a plane are made of the same two inputs, turned by the same angle. Only
    /// then are lengths kept, and scores a function of the offset.
    pub fn is_rotation(self, planes: usize) -> bool {
        let wires: Vec<Wire> = (0..2 * planes).map(|i| self.wire(i, planes)).collect();
        let paired = |wire: &Wire, other: &Wire| {
            other.own == wire.partner
                && other.partner == wire.own
                && other.plane == wire.plane
                && other.sign == -wire.sign
        };
        wires.iter().all(|wire| wires.iter().filter(|other| paired(wire, other)).count() == 1)
    }

    /// A vector as this code turns it for a position; what follows the first `2 × inv_freq.len()` dimensions is passed.
    ///
    /// # Errors
    /// [`Error::Length`] where there are more planes than dimensions.
    pub fn turned(self, x: &[f64], position: f64, inv_freq: &[f64]) -> Result<Vec<f64>, Error> {
        let planes = inv_freq.len();
        if 2 * planes > x.len() {
            return Err(Error::Length { what: "x", given: x.len(), needed: 2 * planes });
        }
        let angles: Vec<(f64, f64)> = inv_freq.iter().map(|w| phase::sin_cos(position, *w)).collect();
        let mut out = x.to_vec();
        for (i, out) in out.iter_mut().enumerate().take(2 * planes) {
            let Wire { own, partner, sign, plane } = self.wire(i, planes);
            let (sin, cos) = angles[plane];
            *out = x[own] * cos + sign * x[partner] * sin;
        }
        Ok(out)
    }
}

/// What a rotation promises, measured with one query and one key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The length of the query before it is turned, and after.
    pub norms: (f64, f64),
    /// `q·k/√head_dim` at the two positions.
    pub score: f64,
    /// The same with both positions shifted: equal, if the score depends on the offset alone.
    pub shifted: f64,
}

impl Measured {
    /// Turns a query and a key by some code, at two positions and at the same two shifted by `by` tokens.
    ///
    /// # Errors
    /// [`Error::Length`] where there are more planes than dimensions, or `k` is not as long as `q`.
    pub fn new(
        wiring: Wiring,
        inv_freq: &[f64],
        (q, k): (&[f64], &[f64]),
        (query, key): (f64, f64),
        by: f64,
    ) -> Result<Self, Error> {
        if k.len() != q.len() {
            return Err(Error::Length { what: "k", given: k.len(), needed: q.len() });
        }
        let score = |query: f64, key: f64| -> Result<f64, Error> {
            let (q, k) = (wiring.turned(q, query, inv_freq)?, wiring.turned(k, key, inv_freq)?);
            Ok(dot(&q, &k) / libm::sqrt(q.len() as f64))
        };
        let turned = wiring.turned(q, query, inv_freq)?;
        Ok(Self {
            norms: (libm::sqrt(dot(q, q)), libm::sqrt(dot(&turned, &turned))),
            score: score(query, key)?,
            shifted: score(query + by, key + by)?,
        })
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
