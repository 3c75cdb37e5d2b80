//! What a scheme adds to the scores, by head and offset: a bias, or zero where there are no positions at all.

use super::{Cursor, Scene, Slot, common};
use crate::draw::number;
use crate::{formulas, words};
use posenc::{
    Drawn, Encoding, Error,
    bias::{Bias, Row, Softmax},
    profile::Range as Values,
    schemes::none::Nothing,
};
use std::ops::Range;
use std::rc::Rc;

/// What a slot adds to the scores.
pub(crate) struct Logits {
    encoding: Rc<Result<Encoding, Error>>,
    length: i64,
    synthetic: bool,
    _here: crate::schemes::Whole,
}

impl Logits {
    /// Of a slot, if it adds anything, or nothing at all.
    pub(crate) fn of(scene: &Scene, slot: &Slot) -> Option<Self> {
        let here = crate::schemes::WHOLE?;
        matches!(common::encoding(slot)?, Encoding::Bias(_) | Encoding::None).then(|| Self {
            encoding: slot.encoding.clone(),
            length: scene.length.max(1) as i64,
            synthetic: slot.config.drawn() == Drawn::Synthetic,
            _here: here,
        })
    }

    /// The numbers.
    pub(crate) fn bias(&self) -> &dyn Bias {
        match self.encoding.as_ref() {
            Ok(Encoding::Bias(bias)) => bias.as_ref(),
            _ => &Nothing,
        }
    }

    /// How many heads.
    pub(crate) fn heads(&self) -> usize {
        self.bias().heads().max(1)
    }

    /// The cursor's head, or the last where there are fewer.
    pub(crate) fn head(&self, cursor: &Cursor) -> usize {
        cursor.head.min(self.heads() - 1)
    }

    /// The scheme's name, and which head is shown where it has several.
    pub(crate) fn label(&self, name: &str, head: usize) -> String {
        if self.heads() > 1 { words::logits_head(name, head) } else { name.to_owned() }
    }

    /// Whether the offset is all that matters; else the last query is shown.
    pub(crate) fn by_offset(&self) -> bool {
        self.bias().by_offset(0, 0).is_some()
    }

    /// The row of a query.
    pub(crate) fn row(&self, head: usize, query: i64) -> Row {
        Row::new(head, query).of(self.length)
    }

    /// What is added at an offset; NaN where there is no such key.
    pub(crate) fn at(&self, head: usize, offset: i64) -> f64 {
        let bias = self.bias();
        bias.by_offset(head, offset).unwrap_or_else(|| {
            let last = self.length - 1;
            self.cell(head, last, last - offset)
        })
    }

    /// What is added to the score of a query and a key; NaN where there is none.
    pub(crate) fn cell(&self, head: usize, query: i64, key: i64) -> f64 {
        self.bias().bias(self.row(head, query), key).unwrap_or(f64::NAN)
    }

    /// Least and greatest at the offsets `start` to before `end`.
    pub(crate) fn range(&self, head: usize, start: i64, end: i64) -> Option<Values> {
        const SAMPLES: u64 = 64;
        self.bias().range(self.row(head, self.length - 1), start, end, SAMPLES).ok()
    }

    /// The bucket of an offset, where there are such.
    pub(crate) fn bucket(&self, offset: i64) -> Option<usize> {
        let spans = self.bias().spans()?;
        let place = spans.partition_point(|span| span.end.is_some_and(|end| end <= offset));
        spans.get(place).map(|span| span.bucket)
    }

    /// What must be said of its numbers, if anything: that they are made up, or those of one query.
    pub(crate) fn about(&self, name: &str) -> Option<String> {
        if self.synthetic {
            return Some(words::logits_synthetic(name));
        }
        (!self.by_offset()).then(|| words::logits_last_query(name))
    }

    /// The formula of the number at an offset.
    pub(crate) fn math(&self, head: usize, offset: i64) -> String {
        let value = number::exact(self.at(head, offset));
        let shown = number::whole(offset);
        if let Some(bucket) = self.bucket(offset) {
            return formulas::bias_bucket(shown, bucket, value);
        }
        match self.bias().slopes().and_then(|slopes| slopes.get(head)) {
            Some(slope) if self.by_offset() && offset >= 0 => formulas::bias_slope(number::exact(*slope), shown, value),
            _ => formulas::bias_plain(shown, value),
        }
    }

    /// The keys that a query sees.
    pub(crate) fn keys(&self, query: i64, causal: bool) -> Range<i64> {
        0..if causal { query + 1 } else { self.length }
    }

    /// What is left of a row by softmax, the words' own scores being equal; `None` where it has no keys.
    pub(crate) fn softmax(&self, head: usize, query: i64, causal: bool) -> Option<Softmax<'_>> {
        Softmax::new(self.bias(), self.row(head, query), self.keys(query, causal)).ok()?
    }
}
