//! No positions at all (`NoPE`): what is left is what the causal mask gives away.
//!
//! Haviv et al. 2022, "Transformer Language Models without Positional Encodings Still Learn Positional Information",
//! <https://arxiv.org/abs/2203.16634>; Kazemnejad et al. 2023, "The Impact of Positional Encoding on Length
//! Generalization in Transformers", <https://arxiv.org/abs/2305.19466>. The logit is `q·k/√d`, whatever the places. With
//! a causal mask a first layer can still tell the position, since a query at position p shares its attention among p + 1
//! keys; without one, attention sees a bag of words.
//!
//! **Shapes and units.** Nothing is computed: [`Encoding::None`]. [`Nothing`] is what it adds to the logits, 0 at every
//! offset, for what compares it with biases.
//!
//! **Errors.** None.
//!
//! ```
//! use posenc::{Config, attention::Head};
//!
//! let none = Config::parse("none").unwrap().0.build().unwrap();
//! let (words, shuffled) = ([1.0, 0.0, 0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
//! let head = Head::random(2, 2, 1);
//! let (a, b) = (head.attend(&none, 0, &words, false).unwrap(), head.attend(&none, 0, &shuffled, false).unwrap());
//! // The first word's output went to the last place with it.
//! assert!((a.output[0] - b.output[4]).abs() < 1e-15);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Pitfall, SchemeSpec, Source,
    bias::{Bias, Row, check_head},
    costs::{CostModel, Costs},
    profile::Range,
};

/// `none`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "none",
    acts: Acts::Nothing,
    drawn: Drawn::Formula,
    params: &[],
    formula: &[Formula::always(r"s(m, n) = q \cdot k")],
    paper: Source::new(
        "Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization in Transformers",
        "https://arxiv.org/abs/2305.19466",
    ),
    reference: Source::new("McGill-NLP/length-generalization", "https://github.com/McGill-NLP/length-generalization"),
    pitfalls: &[Pitfall {
        key: "none-knows-no-order",
        source: Source::new(
            "Haviv et al. 2022, Transformer Language Models without Positional Encodings Still Learn Positional Information",
            "https://arxiv.org/abs/2203.16634",
        ),
    }],
    costs: CostModel::new(|_, _| Costs::NONE),
    build: |_| Ok(Encoding::None),
};

/// What is added to the logits: 0 at every offset. It has one head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nothing;

impl Bias for Nothing {
    fn heads(&self) -> usize {
        1
    }

    fn bias(&self, row: Row, _key: i64) -> Result<f64, Error> {
        check_head(row.head, 1).map(|()| 0.0)
    }

    fn by_offset(&self, head: usize, _offset: i64) -> Option<f64> {
        (head == 0).then_some(0.0)
    }

    fn range(&self, row: Row, _start: i64, _end: i64, _samples: u64) -> Result<Range, Error> {
        check_head(row.head, 1).map(|()| Range { min: 0.0, max: 0.0, exact: true })
    }

    fn weight(&self, row: Row, keys: std::ops::Range<i64>, most: f64) -> Result<f64, Error> {
        check_head(row.head, 1).map(|()| (keys.end - keys.start).max(0) as f64 * libm::exp(-most))
    }
}
