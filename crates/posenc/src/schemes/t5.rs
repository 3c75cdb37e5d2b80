//! T5's relative position bias: offsets are put into buckets, and each head learns a number for each bucket.
//!
//! Raffel et al. 2019, "Exploring the Limits of Transfer Learning", <https://arxiv.org/abs/1910.10683>:
//! `bias = E[bucket(j − i), h]`, added to `q·k` that is **not** divided by √d. With `b` buckets and n = i − j tokens back,
//! half of the buckets are one token wide and the rest grow as a logarithm up to the distance D:
//! `bucket(n) = n` below b/2, then `b/2 + ⌊ln(n/(b/2)) / ln(D/(b/2)) · (b − b/2)⌋`, at most b − 1. Where the model looks both
//! ways, half of the buckets are for keys after the query; where it is causal, those keys are all in bucket 0.
//!
//! **Shapes and units.** [`Bias`]: heads × buckets, shared by all layers of a stack, in logits; offsets in tokens. The
//! numbers of the table are not T5's but made up to show the shape ([`Drawn::Synthetic`]), unless the caller brings a
//! model's (`table`: a [`plain`](crate::plain) one of buckets × heads, as models keep it, with the distance 128 that all
//! published ones have); the buckets are exact.
//!
//! **Errors.** [`Error::Parameter`] where the buckets are too few, or the distance lies within the buckets that are one
//! token wide.
//!
//! ```
//! use posenc::schemes::t5::Buckets;
//!
//! let buckets = Buckets::new(32, 128, true).unwrap();
//! assert_eq!(buckets.bucket(7), 7);
//! assert_eq!(buckets.bucket(-7), 16 + 7);
//! // From 91 tokens on, all is one.
//! assert_eq!((buckets.bucket(90), buckets.bucket(91), buckets.bucket(1_000_000)), (14, 15, 15));
//! ```

use crate::{
    Acts, Asset, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::{Bias, Row, Span, check_head, monotone},
    costs::{CostModel, Costs, Shape},
    plain::{Plain, YOURS},
    profile::Range,
    random::Normal,
};

/// A model's own table has its sizes.
const MADE_UP: Option<(&str, &[&str])> = Some(("table", &["synthetic"]));

/// `t5`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "t5",
    acts: Acts::Bias,
    drawn: Drawn::Synthetic,
    params: &[
        ParamSpec {
            key: "table",
            kind: Kind::Choice { options: &["synthetic", YOURS], default: "synthetic" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "num_heads",
            kind: Kind::Integer { min: 1, max: 512, step: 1, default: 8, scale: Scale::Log },
            unit: Unit::Heads,
            when: MADE_UP,
        },
        ParamSpec {
            key: "relative_attention_num_buckets",
            kind: Kind::Integer { min: 2, max: 512, step: 1, default: 32, scale: Scale::Log },
            unit: Unit::None,
            when: MADE_UP,
        },
        ParamSpec {
            key: "relative_attention_max_distance",
            kind: Kind::Integer { min: 2, max: 1_000_000, step: 1, default: 128, scale: Scale::Log },
            unit: Unit::Tokens,
            when: MADE_UP,
        },
        ParamSpec { key: "bidirectional", kind: Kind::Switch { default: true }, unit: Unit::None, when: None },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} s_h(i, j) &= q_i \cdot k_j + E_{h,\,\beta(i - j)} \\ \beta(n) &= \begin{cases} n & n < e \\ \min(e + g_n,\ b - 1) & n \ge e \end{cases} \\ g_n &= \left\lfloor \frac{\ln(n/e)}{\ln(\slot{relative_attention_max_distance}/e)}\,(b - e) \right\rfloor \\ e &= \left\lfloor \frac{b}{2} \right\rfloor \\ b &= \slot{relative_attention_num_buckets}\text{; both ways, half} \end{aligned}",
    )],
    paper: Source::new(
        "Raffel et al. 2019, Exploring the Limits of Transfer Learning",
        "https://arxiv.org/abs/1910.10683",
    ),
    reference: Source::new(
        "transformers 5.24.0, t5, _relative_position_bucket; x-transformers 2.31.10, RelativePositionBias",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/modeling_t5.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "t5-last-bucket",
            source: Source::new("candle pull request 1312", "https://github.com/huggingface/candle/pull/1312"),
        },
        Pitfall {
            key: "t5-cross-attention",
            source: Source::new(
                "transformers pull request 8518",
                "https://github.com/huggingface/transformers/pull/8518",
            ),
        },
        Pitfall {
            key: "t5-unscaled",
            source: Source::new(
                "transformers, modeling_t5.py",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/modeling_t5.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// One table for all layers of a stack; a logarithm an offset.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let buckets = settings.integer("relative_attention_num_buckets") as f64;
    Costs { parameters: buckets * shape.heads, once: shape.offsets(), ..Costs::by_offset(shape) }
}

/// The distance from which on all is one, of every published model.
const MAX_DISTANCE: i64 = 128;

/// The encoding of the bytes of a [`plain`](crate::plain) table of buckets × heads.
///
/// # Errors
/// [`Error::Data`], and [`Error::Parameter`] where there are too few or too many buckets.
pub fn decode(bytes: &[u8], bidirectional: bool) -> Result<Encoding, Error> {
    let table = Plain::decode(bytes)?;
    let buckets = Buckets::new(table.rows() as i64, MAX_DISTANCE, bidirectional)?;
    let (heads, count) = (table.columns(), buckets.count());
    let by_head = (0..heads).flat_map(|head| (0..count).map(move |bucket| (bucket, head)));
    let weights = by_head.map(|(bucket, head)| table.get(bucket, head)).collect();
    Ok(Encoding::Bias(Box::new(T5::new(heads, buckets, weights)?)))
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    if settings.choice("table") == YOURS {
        let asset = |file, decode| Err(Error::NeedsData(Asset { file, rows: 0, columns: 0, decode }));
        return if settings.switch("bidirectional") {
            asset("t5-yours", |bytes| decode(bytes, true))
        } else {
            asset("t5-yours-causal", |bytes| decode(bytes, false))
        };
    }
    let buckets = Buckets::new(
        settings.integer("relative_attention_num_buckets"),
        settings.integer("relative_attention_max_distance"),
        settings.switch("bidirectional"),
    )?;
    Ok(Encoding::Bias(Box::new(T5::synthetic(settings.integer("num_heads") as usize, buckets))))
}

/// Which bucket an offset falls into.
#[derive(Debug, Clone, PartialEq)]
pub struct Buckets {
    /// On one side of the query, of which `exact` are one token wide.
    side: i64,
    exact: i64,
    max_distance: i64,
    bidirectional: bool,
    spans: Vec<Span>,
}

impl Buckets {
    /// So many buckets in all, the last of which begins at or before the distance (`relative_attention_num_buckets`,
    /// `relative_attention_max_distance`).
    ///
    /// # Errors
    /// [`Error::Parameter`] where the formula is not defined.
    pub fn new(num_buckets: i64, max_distance: i64, bidirectional: bool) -> Result<Self, Error> {
        let side = if bidirectional { num_buckets / 2 } else { num_buckets };
        let exact = side / 2;
        if exact < 1 {
            return Err(Error::Parameter {
                key: "relative_attention_num_buckets",
                value: num_buckets.to_string(),
                reason: "half of a side's buckets are one token wide, so a side needs at least two",
            });
        }
        if max_distance <= exact {
            return Err(Error::Parameter {
                key: "relative_attention_max_distance",
                value: max_distance.to_string(),
                reason: "it must be more than the number of buckets that are one token wide",
            });
        }
        let mut buckets = Self { side, exact, max_distance, bidirectional, spans: Vec::new() };
        buckets.spans = buckets.make_spans();
        Ok(buckets)
    }

    /// Rows of the table, buckets that no offset falls into included.
    pub fn count(&self) -> usize {
        (if self.bidirectional { 2 * self.side } else { self.side }) as usize
    }

    /// The bucket of an offset, query position − key position.
    pub fn bucket(&self, offset: i64) -> usize {
        if offset >= 0 {
            self.of_distance(offset) as usize
        } else if self.bidirectional {
            (self.side + self.of_distance(offset.saturating_neg())) as usize
        } else {
            0
        }
    }

    fn of_distance(&self, n: i64) -> i64 {
        if n < self.exact {
            return n;
        }
        if n >= self.max_distance {
            return self.side - 1;
        }
        let exact = self.exact as f64;
        let share = libm::log(n as f64 / exact) / libm::log(self.max_distance as f64 / exact);
        // Where the quotient of logarithms is a whole number, rounding must not take it below.
        let above = libm::floor(share * (self.side - self.exact) as f64 + 1e-9) as i64;
        (self.exact + above).min(self.side - 1)
    }

    /// The first distance of each bucket of a side that has any, ascending.
    fn firsts(&self) -> Vec<(i64, i64)> {
        let mut firsts: Vec<(i64, i64)> = Vec::new();
        for bucket in 0..self.side {
            // The first distance whose bucket is this or a later one.
            let (mut low, mut high) = (0, self.max_distance);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.of_distance(middle) >= bucket { high = middle } else { low = middle + 1 }
            }
            if self.of_distance(low) == bucket {
                firsts.push((bucket, low));
            }
        }
        firsts
    }

    fn make_spans(&self) -> Vec<Span> {
        let firsts = self.firsts();
        let end = |i: usize| firsts.get(i + 1).map(|(_, first)| *first);
        let back = firsts.iter().enumerate();
        let back = back.map(|(i, (bucket, first))| Span { bucket: *bucket as usize, start: Some(*first), end: end(i) });
        let mut spans: Vec<Span> = if self.bidirectional {
            // Mirrored, without the distance 0, which is no key after the query.
            let ahead = firsts.iter().enumerate().rev().filter(|(_, (bucket, _))| *bucket > 0);
            ahead
                .map(|(i, (bucket, first))| Span {
                    bucket: (self.side + bucket) as usize,
                    start: end(i).map(|first_of_next| 1 - first_of_next),
                    end: Some(1 - first),
                })
                .collect()
        } else {
            vec![Span { bucket: 0, start: None, end: Some(0) }]
        };
        spans.extend(back);
        spans
    }

    /// The runs of offsets that share a bucket, ascending.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }
}

/// A table of heads × buckets.
#[derive(Debug, Clone, PartialEq)]
pub struct T5 {
    buckets: Buckets,
    heads: usize,
    /// Row by row, a row being a head.
    table: Vec<f64>,
}

impl T5 {
    /// A table of real weights, heads × [`count`](Buckets::count), head by head.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn new(heads: usize, buckets: Buckets, table: Vec<f64>) -> Result<Self, Error> {
        let needed = heads * buckets.count();
        if table.len() != needed {
            return Err(Error::Length { what: "table", given: table.len(), needed });
        }
        Ok(Self { buckets, heads, table })
    }

    /// A made-up table: heads that prefer what is near, to different degrees and sides, some that do not, a little
    /// noise. The same for the same sizes; a head does not change when others are added.
    pub fn synthetic(heads: usize, buckets: Buckets) -> Self {
        // What a bucket stands for: its distance, and whether the key is after the query.
        let mut places = vec![(0.0, false); buckets.count()];
        for span in buckets.spans() {
            let offset = span.start.or(span.end.map(|end| end - 1)).unwrap_or_default();
            let near = if offset >= 0 { offset } else { span.end.map_or(offset, |end| end - 1) };
            if near >= 0 || buckets.bidirectional {
                places[span.bucket] = (near.unsigned_abs() as f64, near < 0);
            }
        }
        let mut table = Vec::with_capacity(heads * buckets.count());
        for head in 0..heads {
            let mut random = Normal::new(0x7435 + head as u64);
            let steepness = 2.4 * random.uniform() - 0.3;
            let tilt = 1.5 * random.sample();
            let peak = if random.uniform() < 0.4 { 3.0 * random.uniform() } else { 0.0 };
            for (distance, after) in &places {
                let decay = -steepness * libm::log1p(*distance);
                let near = if *distance == 1.0 && *after == (tilt < 0.0) { peak } else { 0.0 };
                let side = if *after { -tilt / 2.0 } else { tilt / 2.0 };
                table.push(decay + near + if *distance > 0.0 { side } else { 0.0 } + 0.15 * random.sample());
            }
        }
        Self { buckets, heads, table }
    }

    /// Its buckets.
    pub fn buckets(&self) -> &Buckets {
        &self.buckets
    }

    /// What a head adds in a bucket; `None` where there is no such head or bucket.
    pub fn value(&self, head: usize, bucket: usize) -> Option<f64> {
        let count = self.buckets.count();
        if bucket < count { self.table.get(head * count + bucket).copied() } else { None }
    }
}

impl Bias for T5 {
    fn heads(&self) -> usize {
        self.heads
    }

    fn bias(&self, row: Row, key: i64) -> Result<f64, Error> {
        check_head(row.head, self.heads)?;
        let bucket = self.buckets.bucket(row.query.saturating_sub(key));
        Ok(self.table[row.head * self.buckets.count() + bucket])
    }

    fn by_offset(&self, head: usize, offset: i64) -> Option<f64> {
        self.value(head, self.buckets.bucket(offset))
    }

    fn scales_logits(&self) -> bool {
        false
    }

    fn range(&self, row: Row, start: i64, end: i64, _samples: u64) -> Result<Range, Error> {
        let starts = self.buckets.spans.iter().filter_map(|span| span.start);
        monotone(start, end, starts, |offset| self.bias(row, row.query.saturating_sub(offset)))
    }

    fn spans(&self) -> Option<&[Span]> {
        Some(&self.buckets.spans)
    }

    fn weight(&self, row: Row, keys: std::ops::Range<i64>, most: f64) -> Result<f64, Error> {
        check_head(row.head, self.heads)?;
        // Offsets from the last key's to before the one before the first key's.
        let (first, end) = (row.query.saturating_sub(keys.end - 1), row.query.saturating_sub(keys.start - 1));
        let mut sum = 0.0;
        for span in &self.buckets.spans {
            let from = span.start.map_or(first, |start| start.max(first));
            let count = span.end.map_or(end, |last| last.min(end)) - from;
            if count > 0 {
                let value = self.table[row.head * self.buckets.count() + span.bucket];
                sum += count as f64 * libm::exp(value - most);
            }
        }
        Ok(sum)
    }
}
