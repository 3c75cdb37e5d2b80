//! Numbers that are added to the logits, by head, query and key.
//!
//! A bias acts on `q·k/√d` (T5's on `q·k` itself) before the mask and the softmax. Most depend on the offset δ = query
//! position − key position alone: the matrix of a head is then one curve. Some do not (`ALiBi` as BLOOM and MPT write it,
//! FIRE), so everything but [`Bias::by_offset`] is asked of a [`Row`]: a head, a query, a length.
//!
//! ```
//! use posenc::{Config, Encoding, bias::Row};
//!
//! let Encoding::Bias(alibi) = Config::parse("alibi(num_heads=8)").unwrap().0.build().unwrap() else { unreachable!() };
//! assert_eq!(alibi.bias(Row::new(0, 12), 10).unwrap(), -2.0 * 0.5);
//! assert_eq!(alibi.by_offset(0, 2), Some(-1.0));
//! // The range over ten million offsets, from its ends.
//! let range = alibi.range(Row::new(0, 0), 0, 10_000_000, 64).unwrap();
//! assert!(range.exact && range.max == 0.0 && range.min == -4_999_999.5);
//! ```

mod softmax;

use crate::{
    Error,
    profile::{Range as Values, steps},
};
use std::ops::Range;

pub use softmax::{Softmax, retained, share};

/// One row of one head's matrix: a query and all the keys of its sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The head, from 0.
    pub head: usize,
    /// The query's position, in tokens from 0.
    pub query: i64,
    /// Keys in the sequence, which `ALiBi` as MPT writes it counts from.
    pub length: i64,
}

impl Row {
    /// The row of a query that is the last token of its sequence, as when a model writes.
    pub fn new(head: usize, query: i64) -> Self {
        Self { head, query, length: query.saturating_add(1) }
    }

    /// The same row in a sequence of so many tokens.
    #[must_use]
    pub fn of(self, length: i64) -> Self {
        Self { length, ..self }
    }
}

/// Offsets that share one number, from `start` to before `end`; open to infinity where there is no `end`, and from minus
/// infinity where there is no `start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Which number: the row in the scheme's table.
    pub bucket: usize,
    /// The least offset.
    pub start: Option<i64>,
    /// The first offset that is past it.
    pub end: Option<i64>,
}

/// A number for each head, query and key. Positions and offsets lie within ±2⁵³.
pub trait Bias {
    /// How many heads.
    fn heads(&self) -> usize;

    /// What is added to the logit of the row's query and the key at this position.
    ///
    /// # Errors
    /// [`Error::Head`], and [`Error::PastTheEnd`] where the scheme counts from the end of the sequence and the key lies
    /// past it.
    fn bias(&self, row: Row, key: i64) -> Result<f64, Error>;

    /// What is added at an offset (query − key), where it depends on nothing else; `None` where it does, and where there
    /// is no such head.
    fn by_offset(&self, head: usize, offset: i64) -> Option<f64>;

    /// Whether `q·k` is divided by √d before the bias is added. T5 does not.
    fn scales_logits(&self) -> bool {
        true
    }

    /// Fills one number a key, from `first_key` on.
    ///
    /// # Errors
    /// As [`bias`](Self::bias).
    fn write_row(&self, row: Row, first_key: i64, out: &mut [f64]) -> Result<(), Error> {
        for (i, cell) in out.iter_mut().enumerate() {
            *cell = self.bias(row, first_key.saturating_add(i as i64))?;
        }
        Ok(())
    }

    /// The range over the keys at offsets `start` to before `end` from the row's query; an empty run shares the offset
    /// at its start. Where there is no closed form, `samples` offsets are looked at at the most, in even steps.
    ///
    /// # Errors
    /// As [`bias`](Self::bias).
    fn range(&self, row: Row, start: i64, end: i64, samples: u64) -> Result<Values, Error> {
        sampled(start, end, samples, |offset| self.bias(row, row.query.saturating_sub(offset)))
    }

    /// The range over each run of offsets `edges[i]..edges[i+1]`; see [`range`](Self::range).
    ///
    /// # Errors
    /// As [`bias`](Self::bias).
    fn ranges(&self, row: Row, edges: &[i64], samples: u64) -> Result<Vec<Values>, Error> {
        edges.windows(2).map(|run| self.range(row, run[0], run[1], samples)).collect()
    }

    /// The runs of offsets that share a number, ascending, where the scheme puts offsets into buckets.
    fn spans(&self) -> Option<&[Span]> {
        None
    }

    /// One slope a head, in logits per token, where the bias falls in proportion to the distance.
    fn slopes(&self) -> Option<&[f64]> {
        None
    }

    /// `Σ exp(bias − most)` over the keys: what they weigh in the softmax of a row whose own logits are all equal. `most`
    /// is the row's greatest bias, or near it, so that no exponential overflows. Without a closed form it takes time in
    /// proportion to the number of keys.
    ///
    /// # Errors
    /// As [`bias`](Self::bias).
    fn weight(&self, row: Row, keys: Range<i64>, most: f64) -> Result<f64, Error> {
        let mut sum = 0.0;
        for key in keys {
            sum += libm::exp(self.bias(row, key)? - most);
        }
        Ok(sum)
    }
}

/// Refuses a head that there is none of.
pub(crate) fn check_head(head: usize, heads: usize) -> Result<(), Error> {
    if head < heads { Ok(()) } else { Err(Error::Head { head, heads }) }
}

/// The range of some numbers.
pub(crate) fn range_of(values: impl IntoIterator<Item = f64>) -> Values {
    let mut range = Values { min: f32::INFINITY, max: f32::NEG_INFINITY, exact: true };
    for value in values {
        let value = value as f32;
        range.min = range.min.min(value);
        range.max = range.max.max(value);
    }
    range
}

/// The range over a run of offsets, looked at one by one or in even steps.
pub(crate) fn sampled(
    start: i64,
    end: i64,
    samples: u64,
    at: impl Fn(i64) -> Result<f64, Error>,
) -> Result<Values, Error> {
    let (stride, count) = steps(start, end, samples);
    let mut range = range_of([]);
    for i in 0..count {
        range = range.with(range_of([at(start.saturating_add((stride * i) as i64))?]));
    }
    range.exact = stride == 1;
    Ok(range)
}

/// The range over a run of offsets of a bias that is monotone between the `turns`.
pub(crate) fn monotone(
    start: i64,
    end: i64,
    turns: impl IntoIterator<Item = i64>,
    at: impl Fn(i64) -> Result<f64, Error>,
) -> Result<Values, Error> {
    let last = end.saturating_sub(1).max(start);
    let mut range = range_of([at(start)?, at(last)?]);
    for turn in turns {
        if start < turn && turn < last {
            range = range.with(range_of([at(turn)?]));
        }
    }
    Ok(range)
}

impl std::fmt::Debug for dyn Bias + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bias")
    }
}
