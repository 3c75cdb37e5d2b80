//! Where programs are known to read a config wrongly.

/// A known mistake, at a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The mistake.
    pub mistake: Mistake,
    /// The field; where it is missing, where it would stand.
    pub path: String,
    /// The line of its value, from 1; `None` where it is missing.
    pub line: Option<usize>,
}

/// A known mistake; its words are in the catalogue under its [`key`](Self::key).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Mistake {
    /// `YaRN`'s factor was replaced by `max_position_embeddings / original_max_position_embeddings` in transformers
    /// 4.51.3, and until pull request 40320 of August 2025.
    FactorIgnored {
        /// The factor of the config.
        given: f64,
        /// The factor that was used.
        used: f64,
    },
    /// The length before the extension is missing: some programs take `max_position_embeddings`, others stop.
    OriginalMissing {
        /// What is taken here, in tokens.
        taken: u64,
    },
    /// `head_dim` is not `hidden_size / num_attention_heads`, which some programs take for it.
    HeadDim {
        /// What it is.
        given: u64,
        /// The quotient, rounded down.
        derived: u64,
    },
    /// The share of dimensions that are rotated is missing, and this model's default is not 1.
    PartialDefault {
        /// The default.
        taken: f64,
    },
    /// Not one factor for each rotated plane.
    FactorCount {
        /// How many there are.
        given: usize,
        /// How many there must be.
        needed: usize,
    },
    /// The base of the frequencies is missing, so that each program takes its own default, and each version of it: of
    /// Cohere's models 10,000 in transformers 4.57.1 and 500,000 in 5.24.0, of Persimmon 25,000 and 10,000.
    BaseDefaulted {
        /// This model's default.
        taken: f64,
    },
    /// The base stands in `rope_parameters` alone: programs from before transformers 5 look beside it, and take 10,000.
    BaseInside {
        /// The base.
        given: f64,
    },
    /// The kind of extension is called `type` instead of `rope_type`, or by a name that is no longer used.
    OldSpelling {
        /// The word as given.
        given: String,
        /// The `rope_type` that is meant.
        meant: &'static str,
    },
    /// A word that is not known here; transformers refuses it too, or has it under another name.
    UnknownWord {
        /// The word as given.
        given: String,
        /// What is read instead.
        taken: &'static str,
    },
    /// One of `mscale` and `mscale_all_dim` without the other: neither counts.
    MscaleAlone,
    /// The sections of the rotation by time, row and column do not add up to half the rotated width.
    SectionSum {
        /// What they add up to.
        given: u64,
        /// Half the rotated width.
        needed: u64,
    },
    /// `mscale_all_dim` also multiplies the logits, in the code of the model and not of the rotation.
    SoftmaxScale {
        /// By how much.
        factor: f64,
    },
    /// `attention_factor` replaces a formula, and some programs drop it.
    AttentionFactor {
        /// The value.
        given: f64,
        /// What the formula gives.
        formula: f64,
    },
    /// The ends of `YaRN`'s ramp are not rounded, and some programs round them.
    TruncateIgnored,
    /// The context of some kinds of layers is extended, and of others not.
    SomeLayersScaled,
    /// A 1 in `no_rope_layers` means that the layer does rotate.
    NoRopeMeansRope,
    /// The first token has not row 0.
    FirstRow {
        /// The row that it has.
        first: u64,
    },
    /// So many heads are no power of two: their slopes are two sequences, one after the other.
    AlibiSlopes {
        /// Heads.
        heads: u64,
    },
}

impl Mistake {
    /// Its key, which does not depend on its numbers.
    pub fn key(&self) -> &'static str {
        self.entry().0
    }

    /// A public report of it, or the code that settles it: its title and its address.
    pub fn source(&self) -> (&'static str, &'static str) {
        let (_, title, url) = self.entry();
        (title, url)
    }

    /// Key, title and address.
    fn entry(&self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::FactorIgnored { .. } => (
                "factor-ignored",
                "transformers issue 38224",
                "https://github.com/huggingface/transformers/issues/38224",
            ),
            Self::OriginalMissing { .. } => {
                ("original-missing", "ROCm/aiter pull request 4742", "https://github.com/ROCm/aiter/pull/4742")
            }
            Self::HeadDim { .. } => {
                ("head-dim", "candle issue 2358", "https://github.com/huggingface/candle/issues/2358")
            }
            Self::PartialDefault { .. } => {
                ("partial-default", "mlx-lm pull request 1698", "https://github.com/ml-explore/mlx-lm/pull/1698")
            }
            Self::FactorCount { .. } => (
                "factor-count",
                "transformers, modeling_rope_utils.py, _validate_longrope_rope_parameters",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/modeling_rope_utils.py",
            ),
            Self::BaseDefaulted { .. } => {
                ("base-defaulted", "realizar issue 78", "https://github.com/paiml/realizar/issues/78")
            }
            Self::BaseInside { .. } => {
                ("base-inside", "DeepSpeed pull request 8345", "https://github.com/deepspeedai/DeepSpeed/pull/8345")
            }
            Self::OldSpelling { .. } => {
                ("old-spelling", "transformers issue 32166", "https://github.com/huggingface/transformers/issues/32166")
            }
            Self::UnknownWord { .. } => (
                "unknown-word",
                "transformers, modeling_rope_utils.py, ROPE_INIT_FUNCTIONS",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/modeling_rope_utils.py",
            ),
            Self::MscaleAlone => (
                "mscale-alone",
                "transformers, modeling_rope_utils.py, _compute_yarn_parameters",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/modeling_rope_utils.py",
            ),
            Self::SectionSum { .. } => {
                ("section-sum", "mlx-node pull request 12", "https://github.com/mlx-node/mlx-node/pull/12")
            }
            Self::SoftmaxScale { .. } => (
                "softmax-scale",
                "transformers pull request 47435",
                "https://github.com/huggingface/transformers/pull/47435",
            ),
            Self::AttentionFactor { .. } => {
                ("attention-factor", "vllm pull request 46280", "https://github.com/vllm-project/vllm/pull/46280")
            }
            Self::TruncateIgnored => {
                ("truncate-ignored", "vllm pull request 28244", "https://github.com/vllm-project/vllm/pull/28244")
            }
            Self::SomeLayersScaled => {
                ("some-layers-scaled", "ollama issue 13452", "https://github.com/ollama/ollama/issues/13452")
            }
            Self::NoRopeMeansRope => (
                "no-rope-means-rope",
                "transformers, configuration_llama4.py",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama4/configuration_llama4.py",
            ),
            Self::FirstRow { .. } => (
                "first-row",
                "sentence-transformers pull request 3879",
                "https://github.com/huggingface/sentence-transformers/pull/3879",
            ),
            Self::AlibiSlopes { .. } => {
                ("alibi-slopes", "mlx issue 343", "https://github.com/ml-explore/mlx/issues/343")
            }
        }
    }
}
