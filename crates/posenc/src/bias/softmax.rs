//! What a bias alone leaves of attention: its softmax over keys whose own logits are all equal.

use super::{Bias, Row};
use crate::Error;
use std::ops::Range;

/// The attention of one query, the words' own logits being equal: what is left of it is the bias's.
///
/// ```
/// use posenc::{Config, Encoding, bias::{Row, Softmax}};
///
/// let Encoding::Bias(alibi) = Config::parse("alibi").unwrap().0.build().unwrap() else { unreachable!() };
/// let softmax = Softmax::new(&*alibi, Row::new(0, 99), 0..100).unwrap().unwrap();
/// // Slope 1/2: a key has e^−½ of the share of the one after it.
/// assert!((softmax.at(5) / softmax.at(4) - (-0.5_f64).exp()).abs() < 1e-12);
/// assert!((softmax.of(0..100) - 1.0).abs() < 1e-12);
/// ```
#[derive(Debug)]
pub struct Softmax<'a> {
    bias: &'a dyn Bias,
    row: Row,
    keys: Range<i64>,
    most: f64,
    total: f64,
}

impl<'a> Softmax<'a> {
    /// Of a row, over the keys that its query sees; `None` where there are none. It takes the time of
    /// [`Bias::weight`].
    ///
    /// # Errors
    /// As [`Bias::bias`].
    pub fn new(bias: &'a dyn Bias, row: Row, keys: Range<i64>) -> Result<Option<Self>, Error> {
        if keys.is_empty() {
            return Ok(None);
        }
        let offset = |key: i64| row.query.saturating_sub(key);
        let most = f64::from(bias.range(row, offset(keys.end - 1), offset(keys.start) + 1, u64::MAX)?.max);
        let total = bias.weight(row, keys.clone(), most)?;
        Ok((total > 0.0).then_some(Self { bias, row, keys, most, total }))
    }

    /// The share of the key at an offset (query − key); NaN where there is none.
    pub fn at(&self, offset: i64) -> f64 {
        let key = self.row.query.saturating_sub(offset);
        if !self.keys.contains(&key) {
            return f64::NAN;
        }
        self.bias.bias(self.row, key).map_or(f64::NAN, |bias| libm::exp(bias - self.most) / self.total)
    }

    /// The share of some keys together, of those that the query sees.
    pub fn of(&self, keys: Range<i64>) -> f64 {
        let keys = keys.start.max(self.keys.start)..keys.end.min(self.keys.end);
        if keys.is_empty() {
            return 0.0;
        }
        self.bias.weight(self.row, keys, self.most).map_or(f64::NAN, |weight| (weight / self.total).min(1.0))
    }

    /// The share of the keys that are less than `window` tokens away, on either side.
    pub fn retained(&self, window: i64) -> f64 {
        let query = self.row.query;
        self.of(query.saturating_sub(window.saturating_sub(1))..query.saturating_add(window))
    }
}

/// The share of attention that a bias leaves on some keys, of all those in `among`, whose own logits are all equal; 0
/// where there are none.
///
/// # Errors
/// As [`Bias::bias`].
pub fn share(bias: &dyn Bias, row: Row, keys: Range<i64>, among: Range<i64>) -> Result<f64, Error> {
    Ok(Softmax::new(bias, row, among)?.map_or(0.0, |softmax| softmax.of(keys)))
}

/// The share of attention that a bias leaves on the last `window` keys up to the query, of keys from position 0 whose own
/// logits are all equal: its receptive field.
///
/// # Errors
/// As [`Bias::bias`].
///
/// ```
/// use posenc::{Config, Encoding, bias::{Row, retained}};
///
/// let Encoding::Bias(alibi) = Config::parse("alibi").unwrap().0.build().unwrap() else { unreachable!() };
/// // Slope 1/16: the last 64 keys have 98 % of it, however long the text.
/// assert!((retained(&*alibi, Row::new(3, 4095), 64).unwrap() - 0.981_684).abs() < 1e-6);
/// ```
pub fn retained(bias: &dyn Bias, row: Row, window: u64) -> Result<f64, Error> {
    let keys = row.query.saturating_add(1).max(0);
    let first = keys.saturating_sub(i64::try_from(window).unwrap_or(i64::MAX));
    share(bias, row, first..keys, 0..keys)
}
