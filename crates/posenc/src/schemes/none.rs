//! No positions at all (`NoPE`): what is left is what the causal mask gives away.
//!
//! Kazemnejad et al. 2023, "The Impact of Positional Encoding on Length Generalization in Transformers",
//! <https://arxiv.org/abs/2305.19466>.

use crate::{Acts, Drawn, Encoding, Formula, SchemeSpec, Source};

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
    pitfalls: &[],
    build: |_| Ok(Encoding::None),
};
