//! Sandwich: the product of two sinusoidal encodings as a bias, flattened from head to head.
//!
//! Chi, Fan, Rudnicky, Ramadge 2022, "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field
//! Analysis", <https://arxiv.org/abs/2212.10356>:
//! `b_h(δ) = (Σ_k cos(δ·w_k) − d̄/2) · H/(8h)`, k = 1..d̄/2, `w_k = 10000^(−2k/d̄)`, h = 1..H. The sum begins with k = 1, so that
//! the fastest wave of the sinusoidal encoding is missing. Taking d̄/2 off makes the bias 0 at offset 0; softmax ignores it.
//!
//! **Shapes and units.** [`Bias`]: heads × queries × keys, in logits; offsets in tokens. Nothing is learned.
//!
//! **Errors.** [`Error::Parameter`] where d̄ is odd.
//!
//! ```
//! use posenc::{bias::Bias, schemes::sandwich::Sandwich};
//!
//! let sandwich = Sandwich::new(8, 128).unwrap();
//! assert_eq!(sandwich.by_offset(0, 0), Some(0.0));
//! // It is no monotone decay: at offset 14 it rises.
//! assert!(sandwich.by_offset(0, 14) > sandwich.by_offset(0, 13));
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::{Bias, Row, check_head, sampled},
    costs::{CostModel, Costs, Shape},
    profile::{Profile, Range},
};

/// `sandwich`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "sandwich",
    acts: Acts::Bias,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "num_heads",
            kind: Kind::Integer { min: 1, max: 512, step: 1, default: 8, scale: Scale::Log },
            unit: Unit::Heads,
            when: None,
        },
        ParamSpec {
            key: "d_bar",
            kind: Kind::Integer { min: 2, max: 4096, step: 2, default: 128, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} b_h(\delta) &= \frac{\slot{num_heads}}{8h}\left(\sum_{k=1}^{d/2}\cos(\delta\,\omega_k) - \frac{d}{2}\right) \\ \omega_k &= 10000^{-2k/d},\quad d = \slot{d_bar} \end{aligned}",
    )],
    paper: Source::new(
        "Chi, Fan, Rudnicky, Ramadge 2022, Dissecting Transformer Length Extrapolation",
        "https://arxiv.org/abs/2212.10356",
    ),
    reference: Source::new(
        "nemo-toolkit 1.23.0, SandwichRelativePositionEmbedding",
        "https://github.com/NVIDIA/NeMo/blob/v1.23.0/nemo/collections/nlp/modules/common/megatron/position_embedding/sandwich_relative_position_embedding.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "sandwich-first-wave",
            source: Source::new(
                "nemo-toolkit 1.23.0, SandwichRelativePositionEmbedding",
                "https://github.com/NVIDIA/NeMo/blob/v1.23.0/nemo/collections/nlp/modules/common/megatron/position_embedding/sandwich_relative_position_embedding.py",
            ),
        },
        Pitfall {
            key: "sandwich-monotone",
            source: Source::new(
                "Chi, Fan, Rudnicky, Ramadge 2022, Dissecting Transformer Length Extrapolation",
                "https://arxiv.org/abs/2212.10356",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// A sum of cosines an offset, and a multiplication a head.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let waves = settings.integer("d_bar") as f64 / 2.0;
    Costs { once: (3.0 * waves + shape.heads) * shape.offsets(), ..Costs::by_offset(shape) }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    Ok(Encoding::Bias(Box::new(Sandwich::new(
        settings.integer("num_heads") as usize,
        settings.integer("d_bar") as usize,
    )?)))
}

/// Runs up to here are looked at one by one; longer ones by the fast sums of a [`Profile`].
const SHORT: i64 = 16;

/// One sum of waves, and a factor for each head.
#[derive(Debug, Clone, PartialEq)]
pub struct Sandwich {
    profile: Profile,
    heads: usize,
}

impl Sandwich {
    /// So many heads, and waves of the width d̄.
    ///
    /// # Errors
    /// [`Error::Parameter`] where the width is odd or 0.
    pub fn new(heads: usize, d_bar: usize) -> Result<Self, Error> {
        if d_bar == 0 || d_bar % 2 == 1 {
            return Err(Error::Parameter {
                key: "d_bar",
                value: d_bar.to_string(),
                reason: "waves come in pairs of dimensions, so it must be even",
            });
        }
        let waves = d_bar / 2;
        let freq = (1..=waves).map(|k| libm::pow(10_000.0, -2.0 * k as f64 / d_bar as f64)).collect();
        let profile = Profile::new(freq, vec![1.0; waves], vec![0.0; waves], -(waves as f64));
        Ok(Self { profile, heads })
    }

    /// The sum before the head's factor.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What a head multiplies the sum by: H/(8h), h from 1.
    pub fn factor(&self, head: usize) -> f64 {
        self.heads as f64 / (8.0 * (head as f64 + 1.0))
    }
}

impl Bias for Sandwich {
    fn heads(&self) -> usize {
        self.heads
    }

    fn bias(&self, row: Row, key: i64) -> Result<f64, Error> {
        self.by_offset(row.head, row.query.saturating_sub(key)).ok_or(Error::Head { head: row.head, heads: self.heads })
    }

    fn by_offset(&self, head: usize, offset: i64) -> Option<f64> {
        (head < self.heads).then(|| self.profile.at(offset as f64) * self.factor(head))
    }

    fn range(&self, row: Row, start: i64, end: i64, samples: u64) -> Result<Range, Error> {
        Ok(self.ranges(row, &[start, end], samples)?[0])
    }

    fn ranges(&self, row: Row, edges: &[i64], samples: u64) -> Result<Vec<Range>, Error> {
        check_head(row.head, self.heads)?;
        let mut ranger = self.profile.scaled(self.factor(row.head)).ranger();
        let range = |run: &[i64]| {
            if run[1].saturating_sub(run[0]) <= SHORT {
                return sampled(run[0], run[1], u64::MAX, |offset| self.bias(row, row.query.saturating_sub(offset)));
            }
            Ok(ranger.range(run[0], run[1], samples))
        };
        edges.windows(2).map(range).collect()
    }
}
