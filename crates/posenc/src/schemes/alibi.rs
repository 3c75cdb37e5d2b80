//! Attention with linear biases: each head subtracts a slope times the distance.
//!
//! Press, Smith, Lewis 2021, "Train Short, Test Long", <https://arxiv.org/abs/2108.12409>:
//! `bias(i, j) = −m_h·(i − j)`, nothing is added to the embedding, and nothing is learned. For H a power of two the slopes
//! are `m_h = 2^(−8h/H)`, h = 1..H. For any other H, with P the power of two below, they are those of P heads followed by
//! every second one of 2P heads, from the first: `2^(−4(2t+1)/P)`, t = 0..H−P. The list is then not monotone. In the
//! formula that is shown, heads count from 0, as they do in programs.
//!
//! | form | bias | who writes it so |
//! | --- | --- | --- |
//! | `relative` | `−m(i − j)` | the paper |
//! | `distance` | `−m\|i − j\|` | models that look both ways |
//! | `key-index` | `+m·j` | BLOOM |
//! | `last-query` | `m(j − (N − 1))` | MPT, N being the number of keys |
//!
//! `relative`, `key-index` and `last-query` differ by a constant of the row, which softmax ignores: after a causal mask
//! they are the same.
//!
//! **Shapes and units.** [`Bias`]: heads × queries × keys, in logits; slopes in logits per token, offsets in tokens.
//!
//! **Errors.** None of its parameters; of a number [`Error::Head`], and [`Error::PastTheEnd`] where a key lies past the N of
//! `last-query`.
//!
//! ```
//! use posenc::schemes::alibi::{Alibi, Form};
//!
//! let alibi = Alibi::new(12, 8.0, Form::Relative);
//! assert_eq!(alibi.slopes()[..2], [0.5, 0.25]);
//! assert!((alibi.slopes()[8] - 0.5_f64.sqrt()).abs() < 1e-15);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::{Bias, Row, check_head, monotone},
    costs::{CostModel, Costs},
    profile::Range,
};

/// `alibi`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "alibi",
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
            key: "alibi_bias_max",
            kind: Kind::Real { min: 0.5, max: 64.0, step: 0.5, default: 8.0, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "form",
            kind: Kind::Choice { options: &["relative", "distance", "key-index", "last-query"], default: "relative" },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} s_h(i, j) &= \frac{q_i \cdot k_j}{\sqrt{d}} - m_h\,(i - j) \\ m_h &= \begin{cases} 2^{-\slot{alibi_bias_max}\,(h + 1)/P} & h < P \\ 2^{-\slot{alibi_bias_max}\,(2(h - P) + 1)/2P} & h \ge P \end{cases} \\ P &= 2^{\left\lfloor \log_2 \slot{num_heads} \right\rfloor} \end{aligned}",
    )],
    paper: Source::new(
        "Press, Smith, Lewis 2021, Train Short, Test Long: Attention with Linear Biases",
        "https://arxiv.org/abs/2108.12409",
    ),
    reference: Source::new(
        "transformers 5.24.0, bloom and mpt; x-transformers 2.31.10, AlibiPositionalBias",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/bloom/modeling_bloom.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "alibi-slopes",
            source: Source::new("mlx issue 343", "https://github.com/ml-explore/mlx/issues/343"),
        },
        Pitfall {
            key: "alibi-sign",
            source: Source::new(
                "attention-gym pull request 86",
                "https://github.com/meta-pytorch/attention-gym/pull/86",
            ),
        },
        Pitfall {
            key: "alibi-window",
            source: Source::new("Press, Smith, Lewis 2021, Train Short, Test Long", "https://arxiv.org/abs/2108.12409"),
        },
    ],
    costs: CostModel::new(|_, shape| Costs { table: shape.heads, per_pair: 2.0, ..Costs::logits(shape) }),
    build,
};

#[expect(clippy::unnecessary_wraps, reason = "the spec's type")]
fn build(settings: &Settings) -> Result<Encoding, Error> {
    let form = match settings.choice("form") {
        "distance" => Form::Distance,
        "key-index" => Form::KeyIndex,
        "last-query" => Form::LastQuery,
        _ => Form::Relative,
    };
    let heads = settings.integer("num_heads") as usize;
    Ok(Encoding::Bias(Box::new(Alibi::new(heads, settings.real("alibi_bias_max"), form))))
}

/// How the bias is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `−m(i − j)`: a key after the query gains.
    Relative,
    /// `−m|i − j|`.
    Distance,
    /// `+m·j`.
    KeyIndex,
    /// `m(j − (N − 1))`, N keys.
    LastQuery,
}

/// A slope for each head.
#[derive(Debug, Clone, PartialEq)]
pub struct Alibi {
    slopes: Vec<f64>,
    form: Form,
}

impl Alibi {
    /// The slopes of so many heads; of a power of two the last is `2^−bias_max`.
    pub fn new(heads: usize, bias_max: f64, form: Form) -> Self {
        // The greatest power of two that is not above the number of heads.
        let power = if heads == 0 { 1 } else { 1_usize << heads.ilog2() };
        let p = power as f64;
        let first = (1..=power).map(|h| libm::exp2(-bias_max * h as f64 / p));
        let between = (0..power).map(|t| libm::exp2(-bias_max * (2 * t + 1) as f64 / (2.0 * p)));
        Self { slopes: first.chain(between).take(heads).collect(), form }
    }

    /// One slope a head, in logits per token.
    pub fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// How the bias is written.
    pub fn form(&self) -> Form {
        self.form
    }
}

impl Bias for Alibi {
    fn heads(&self) -> usize {
        self.slopes.len()
    }

    fn bias(&self, row: Row, key: i64) -> Result<f64, Error> {
        check_head(row.head, self.heads())?;
        let steps = match self.form {
            Form::Relative => key as f64 - row.query as f64,
            Form::Distance => -(key as f64 - row.query as f64).abs(),
            Form::KeyIndex => key as f64,
            Form::LastQuery if key >= row.length => {
                return Err(Error::PastTheEnd { position: key as f64, last: (row.length - 1).max(0) as usize });
            }
            Form::LastQuery => key as f64 - (row.length as f64 - 1.0),
        };
        // `+ 0.0`: no number is written "-0".
        Ok(self.slopes[row.head] * steps + 0.0)
    }

    fn by_offset(&self, head: usize, offset: i64) -> Option<f64> {
        let slope = self.slopes.get(head)?;
        match self.form {
            Form::Relative => Some(slope * -(offset as f64) + 0.0),
            Form::Distance => Some(slope * -(offset as f64).abs() + 0.0),
            Form::KeyIndex | Form::LastQuery => None,
        }
    }

    fn range(&self, row: Row, start: i64, end: i64, _samples: u64) -> Result<Range, Error> {
        monotone(start, end, [0], |offset| self.bias(row, row.query.saturating_sub(offset)))
    }

    fn slopes(&self) -> Option<&[f64]> {
        Some(&self.slopes)
    }

    fn weight(&self, row: Row, keys: std::ops::Range<i64>, most: f64) -> Result<f64, Error> {
        // The keys up to the query and those after it: within either, the weights are a geometric sequence.
        let turn = row.query.saturating_add(1).clamp(keys.start, keys.end.max(keys.start));
        let mut sum = 0.0;
        for part in [keys.start..turn, turn..keys.end].into_iter().filter(|part| !part.is_empty()) {
            let greatest = self.bias(row, part.start)?.max(self.bias(row, part.end - 1)?);
            let (slope, count) = (self.slopes[row.head], (part.end - part.start) as f64);
            sum += libm::exp(greatest - most) * libm::expm1(-slope * count) / libm::expm1(-slope);
        }
        Ok(sum)
    }
}
