//! Rotation in most layers and no positions in every fourth: Llama 4's `iRoPE`, and `SmolLM3`'s.
//!
//! Meta 2025, "The Llama 4 herd", <https://ai.meta.com/blog/llama-4-multimodal-intelligence/>; layers without positions
//! after Kazemnejad et al. 2023, <https://arxiv.org/abs/2305.19466>. Layer i (from 0) has no rotation where i + 1 is a
//! multiple of `no_rope_layer_interval`. In those layers Llama 4 multiplies a query at position p by `1 + attn_scale ·
//! ln(1 + ⌊(p+1)/floor_scale⌋)`, so that attention stays sharp over millions of keys; `SmolLM3` does not (`attn_scale`
//! 0). Llama 4's rotating layers attend within chunks of 8,192 tokens: that is a mask, not part of this.
//!
//! **Shapes and units.** `layer` chooses the layer that is shown: [`Encoding::Rotary`] for one that rotates,
//! [`Encoding::QueryKey`] for one that does not. Positions and `floor_scale` are tokens.
//!
//! **Errors.** [`Error::Parameter`] for an odd `head_dim`, and for a `layer` past the last.
//!
//! ```
//! use posenc::{Config, Encoding, schemes::irope::{query_temperature, rope_layers}};
//!
//! assert_eq!(rope_layers(5, 4), [true, true, true, false, true]);
//! assert_eq!(query_temperature(8190.0, 0.1, 8192.0), 1.0);
//! assert!((query_temperature(8191.0, 0.1, 8192.0) - 1.069_314_718).abs() < 1e-9);
//! let build = |text| Config::parse(text).unwrap().0.build().unwrap();
//! assert!(matches!(build("irope(layer=2)"), Encoding::Rotary(_)));
//! assert!(matches!(build("irope(layer=3)"), Encoding::QueryKey(_)));
//! ```

use super::rope::even;
use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, QueryKey, Rotary, Scale, SchemeSpec,
    Settings, Source, Unit,
    costs::{CostModel, Costs, Shape, Stale},
};

/// `irope`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "irope",
    acts: Acts::Rotation,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "head_dim",
            kind: Kind::Integer { min: 2, max: 1024, step: 2, default: 128, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "rope_theta",
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 500_000.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice { options: &Layout::WORDS, default: "interleaved" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "num_hidden_layers",
            kind: Kind::Integer { min: 1, max: 512, step: 1, default: 48, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "no_rope_layer_interval",
            kind: Kind::Integer { min: 1, max: 512, step: 1, default: 4, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "layer",
            kind: Kind::Integer { min: 0, max: 511, step: 1, default: 0, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "attn_scale",
            kind: Kind::Real { min: 0.0, max: 10.0, step: 0.05, default: 0.1, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "floor_scale",
            kind: Kind::Integer { min: 1, max: 16_777_216, step: 1024, default: 8192, scale: Scale::Log },
            unit: Unit::Tokens,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} q' &= \begin{cases} \tau\,q & \slot{no_rope_layer_interval} \mid i + 1 \\ R(p)\,q & \slot{no_rope_layer_interval} \nmid i + 1 \end{cases} \\ \tau &= 1 + \slot{attn_scale}\,\ln\left(1 + \left\lfloor \frac{p + 1}{\slot{floor_scale}} \right\rfloor\right) \end{aligned}",
    )],
    paper: Source::new("Meta 2025, The Llama 4 herd", "https://ai.meta.com/blog/llama-4-multimodal-intelligence/"),
    reference: Source::new(
        "transformers 5.24.0, llama4 and smollm3",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama4/modeling_llama4.py",
    ),
    pitfalls: &[Pitfall {
        key: "no-rope-means-rope",
        source: Source::new(
            "transformers, configuration_llama4.py",
            "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama4/configuration_llama4.py",
        ),
    }],
    costs: CostModel::new(costs),
    build,
};

/// A rotation in some layers, and a multiplication of the query in the others.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let interval = settings.integer("no_rope_layer_interval") as usize;
    let rotates = rope_layers(shape.layers as usize, interval).iter().filter(|rotates| **rotates).count() as f64;
    let tempered = if settings.real("attn_scale") > 0.0 { shape.layers - rotates } else { 0.0 };
    let rotation = Costs::rotation(shape, shape.head_dim, rotates, Stale::Never);
    Costs { per_token: rotation.per_token + tempered * shape.width(), ..rotation }
}

/// Which layers rotate. Hugging Face's configs call this `no_rope_layers`, where 1 means that the layer does rotate.
///
/// An `interval` of 0 counts as 1: no layer rotates.
pub fn rope_layers(layers: usize, interval: usize) -> Vec<bool> {
    (1..=layers).map(|number| !number.is_multiple_of(interval.max(1))).collect()
}

/// What a query at a position is multiplied by in a layer that does not rotate: `1 + attn_scale · ln(1 +
/// ⌊(position+1)/floor_scale⌋)`. Positions before the first count as the first.
pub fn query_temperature(position: f64, attn_scale: f64, floor_scale: f64) -> f64 {
    1.0 + attn_scale * libm::log(1.0 + libm::floor((position.max(0.0) + 1.0) / floor_scale))
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let head_dim = even(settings)?;
    let layers = settings.integer("num_hidden_layers") as usize;
    let layer = settings.integer("layer") as usize;
    let rotates = rope_layers(layers, settings.integer("no_rope_layer_interval") as usize);
    match rotates.get(layer) {
        Some(true) => {
            let theta = settings.real("rope_theta");
            let inv_freq = (0..head_dim / 2).map(|k| libm::pow(theta, -2.0 * k as f64 / head_dim as f64)).collect();
            let layout = Layout::from_word(settings.choice("layout"));
            Ok(Encoding::Rotary(Rotary::new(head_dim, inv_freq, layout, 1.0)?))
        }
        Some(false) => Ok(Encoding::QueryKey(Box::new(Temperature {
            head_dim,
            attn_scale: settings.real("attn_scale"),
            floor_scale: settings.integer("floor_scale") as f64,
        }))),
        None => Err(Error::Parameter {
            key: "layer",
            value: layer.to_string(),
            reason: "layers are counted from 0, so it must be below num_hidden_layers",
        }),
    }
}

/// A layer without positions, but for a temperature of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Temperature {
    head_dim: usize,
    attn_scale: f64,
    floor_scale: f64,
}

impl Temperature {
    fn write(&self, x: &[f64], by: f64, out: &mut [f64]) -> Result<(), Error> {
        for (what, given) in [("x", x.len()), ("out", out.len())] {
            if given != self.head_dim {
                return Err(Error::Length { what, given, needed: self.head_dim });
            }
        }
        for (out, x) in out.iter_mut().zip(x) {
            *out = x * by;
        }
        Ok(())
    }
}

impl QueryKey for Temperature {
    fn head_dim(&self) -> usize {
        self.head_dim
    }

    fn query(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error> {
        self.write(x, self.query_magnitude(0, position), out)
    }

    fn key(&self, x: &[f64], _position: f64, out: &mut [f64]) -> Result<(), Error> {
        self.write(x, 1.0, out)
    }

    fn by_offset(&self) -> bool {
        // The temperature goes by the query's own position.
        self.attn_scale == 0.0
    }

    fn query_magnitude(&self, _plane: usize, position: f64) -> f64 {
        query_temperature(position, self.attn_scale, self.floor_scale)
    }

    fn key_magnitude(&self, _plane: usize, _position: f64) -> f64 {
        1.0
    }
}
