//! The model that costs are counted in: one that people know, or one of a person's own.

use super::quantity::COUNTED;
use crate::state::State;
use posenc::{Kind, ParamSpec, Scale, Settings, Unit, costs::Shape};

/// In the option `model`: the numbers are those of the other options.
const OWN: &str = "own";
/// These matter only for a model of one's own.
const IF_OWN: Option<(&str, &[&str])> = Some(("model", &[OWN]));

const fn count(key: &'static str, max: i64, default: i64, unit: Unit) -> ParamSpec {
    ParamSpec { key, kind: Kind::Integer { min: 1, max, step: 1, default, scale: Scale::Log }, unit, when: IF_OWN }
}

/// Which model.
pub(super) const MODEL: ParamSpec = ParamSpec {
    key: "model",
    kind: Kind::Choice {
        options: &["bert-base", "gpt-2", "llama-3-8b", "llama-3-70b", "bloom", OWN],
        default: "llama-3-8b",
    },
    unit: Unit::None,
    when: Some(COUNTED),
};
/// Layers of a model of one's own.
pub(super) const LAYERS: ParamSpec = count("num_hidden_layers", 512, 32, Unit::None);
/// Heads of queries of a model of one's own.
pub(super) const HEADS: ParamSpec = count("num_attention_heads", 512, 32, Unit::Heads);
/// Heads of keys and values of a model of one's own.
pub(super) const KV_HEADS: ParamSpec = count("num_key_value_heads", 512, 8, Unit::Heads);
/// Numbers in a query of a model of one's own.
pub(super) const HEAD_DIM: ParamSpec = count("head_dim", 1024, 128, Unit::Dimensions);
/// Whether a query of a model of one's own sees only the keys up to it.
pub(super) const CAUSAL: ParamSpec =
    ParamSpec { key: "causal", kind: Kind::Switch { default: true }, unit: Unit::None, when: IF_OWN };
/// How numbers are kept.
pub(super) const DTYPE: ParamSpec = ParamSpec {
    key: "dtype",
    kind: Kind::Choice { options: &["bfloat16", "float32"], default: "bfloat16" },
    unit: Unit::None,
    when: Some(COUNTED),
};

/// Several heads of queries may share one of keys, and not the other way round.
pub(super) fn settle(_: &State, options: &mut Settings) {
    let heads = options.integer(HEADS.key);
    if options.integer(KV_HEADS.key) > heads {
        let _ = options.set(KV_HEADS.key, &heads.to_string());
    }
}

/// A model, for sequences of any length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Model {
    shape: Shape,
    /// Bytes of a number.
    pub(super) bytes: f64,
}

impl Model {
    /// The model that the options say.
    pub(super) fn new(options: &Settings) -> Self {
        // Layers, heads of queries, heads of keys, numbers in a head, and whether it looks back only.
        let (layers, heads, kv_heads, head_dim, causal) = match options.choice(MODEL.key) {
            "bert-base" => (12, 12, 12, 64, false),
            "gpt-2" => (12, 12, 12, 64, true),
            "llama-3-8b" => (32, 32, 8, 128, true),
            "llama-3-70b" => (80, 64, 8, 128, true),
            "bloom" => (70, 112, 112, 128, true),
            _ => (
                options.integer(LAYERS.key),
                options.integer(HEADS.key),
                options.integer(KV_HEADS.key),
                options.integer(HEAD_DIM.key),
                options.switch(CAUSAL.key),
            ),
        };
        let shape = Shape {
            layers: layers as f64,
            heads: heads as f64,
            kv_heads: kv_heads as f64,
            head_dim: head_dim as f64,
            length: 1.0,
            causal,
        };
        Self { shape, bytes: if options.choice(DTYPE.key) == "float32" { 4.0 } else { 2.0 } }
    }

    /// With a sequence of so many tokens.
    pub(super) fn at(&self, length: u64) -> Shape {
        Shape { length: length as f64, ..self.shape }
    }
}
