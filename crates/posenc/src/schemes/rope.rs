//! Rotary position embedding: query and key are turned, plane by plane, by an angle that grows with the position.
//!
//! Su et al. 2021, "`RoFormer`: Enhanced Transformer with Rotary Position Embedding", section 3.2,
//! <https://arxiv.org/abs/2104.09864>: plane k is turned by `p·w_k`, `w_k = rope_theta^(−2k/r)`, r the number of
//! rotated dimensions. `R(m)q · R(n)k` depends on m − n alone.
//!
//! **Shapes and units.** A query or key has `head_dim` numbers, of which the first `r = ⌊head_dim ·
//! partial_rotary_factor⌋` are rotated, in r/2 planes that `layout` pairs; positions are tokens, frequencies radians
//! per token. `rope_type` extends the context: it divides the frequencies by λ and multiplies query and key by a, both 1
//! by `default`; see [`rope_scaling`](super::rope_scaling), where `factor` and the parameters after it are explained.
//! With `proportional` the exponent's denominator is `head_dim` and the share is of planes.
//!
//! **Errors.** [`Error::Parameter`] for an odd `head_dim`, and where a context extension is not defined
//! ([`Frequencies::new`]).
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! // Llama 3.1.
//! let text = "rope(rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192)";
//! let Encoding::Rotary(rope) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
//! let plain = rope.frequencies().unwrap().unscaled();
//! let unchanged = rope.inv_freq().iter().zip(&plain).filter(|(w, plain)| w == plain).count();
//! assert_eq!(unchanged, 29); // planes 0 to 28; 35 to 63 turn 8 times slower
//! assert!((plain[35] / rope.inv_freq()[35] - 8.0).abs() < 1e-12);
//!
//! let (q, k) = (vec![1.0; 128], vec![1.0; 128]);
//! let score = rope.profile(&q, &k).unwrap();
//! assert!((score.at(0.0) - 128.0_f64.sqrt()).abs() < 1e-12);
//! ```

use super::{
    longrope_factors::{PHI_3_5_MINI, PHI_4_MINI},
    rope_scaling::{Frequencies, Ramp, Scaling, Yarn},
};
use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, Rotary, Scale, SchemeSpec, Settings,
    Source, Unit,
    costs::{CostModel, Costs, Shape, Stale},
};

/// A number of tokens.
const fn tokens(key: &'static str, when: &'static [&'static str]) -> ParamSpec {
    ParamSpec {
        key,
        kind: Kind::Integer { min: 1, max: 16_777_216, step: 1024, default: 4096, scale: Scale::Log },
        unit: Unit::Tokens,
        when: Some(("rope_type", when)),
    }
}

/// A number of turns within the trained length.
const fn turns(key: &'static str, default: f64, when: &'static [&'static str]) -> ParamSpec {
    ParamSpec {
        key,
        kind: Kind::Real { min: 0.01, max: 1024.0, step: 0.05, default, scale: Scale::Log },
        unit: Unit::None,
        when: Some(("rope_type", when)),
    }
}

/// A weight, 0 where a config has none.
const fn weight(key: &'static str, when: &'static [&'static str]) -> ParamSpec {
    ParamSpec {
        key,
        kind: Kind::Real { min: 0.0, max: 10.0, step: 0.1, default: 0.0, scale: Scale::Linear },
        unit: Unit::None,
        when: Some(("rope_type", when)),
    }
}

/// `LongRoPE`'s divisors; the paper searches them from 1 up.
const fn divisors(key: &'static str) -> ParamSpec {
    ParamSpec {
        key,
        kind: Kind::Reals { min: 1.0, max: 100_000.0, most: 512 },
        unit: Unit::None,
        when: Some(("rope_type", &["longrope"])),
    }
}

/// How far a plane is left alone, by the turns that it completes.
const BY_TURNS: &str = r"\begin{aligned} \gamma_k &= \min\left(1,\ \max\left(0,\ g_k\right)\right) \\ g_k &= \frac{\slot{original_max_position_embeddings}\,w_k/2\pi - \slot{beta_slow}}{\slot{beta_fast} - \slot{beta_slow}} \end{aligned}";

/// `rope`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "rope",
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
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 10_000.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice { options: &Layout::WORDS, default: "half" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "partial_rotary_factor",
            kind: Kind::Real { min: 0.0, max: 1.0, step: 0.05, default: 1.0, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "rope_type",
            kind: Kind::Choice {
                options: &[
                    "default",
                    "linear",
                    "ntk",
                    "dynamic",
                    "ntk-by-parts",
                    "yarn",
                    "llama3",
                    "longrope",
                    "proportional",
                ],
                default: "default",
            },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "factor",
            kind: Kind::Real { min: 1.0, max: 1024.0, step: 0.05, default: 1.0, scale: Scale::Log },
            unit: Unit::None,
            when: Some(("rope_type", &["linear", "ntk", "dynamic", "ntk-by-parts", "yarn", "llama3", "proportional"])),
        },
        tokens("max_position_embeddings", &["dynamic", "longrope"]),
        tokens("original_max_position_embeddings", &["ntk-by-parts", "yarn", "llama3", "longrope"]),
        turns("beta_fast", 32.0, &["ntk-by-parts", "yarn"]),
        turns("beta_slow", 1.0, &["ntk-by-parts", "yarn"]),
        ParamSpec {
            key: "ramp",
            kind: Kind::Choice { options: &["code", "paper"], default: "code" },
            unit: Unit::None,
            when: Some(("rope_type", &["yarn"])),
        },
        ParamSpec {
            key: "truncate",
            kind: Kind::Switch { default: true },
            unit: Unit::None,
            when: Some(("ramp", &["code"])),
        },
        weight("mscale", &["yarn"]),
        weight("mscale_all_dim", &["yarn"]),
        turns("low_freq_factor", 1.0, &["llama3"]),
        turns("high_freq_factor", 4.0, &["llama3"]),
        ParamSpec {
            key: "preset",
            kind: Kind::Choice { options: &["ntk", "phi-3.5-mini", "phi-4-mini"], default: "ntk" },
            unit: Unit::None,
            when: Some(("rope_type", &["longrope"])),
        },
        divisors("short_factor"),
        divisors("long_factor"),
        weight("attention_factor", &["yarn", "longrope"]),
    ],
    formula: &[
        Formula::when(
            &[("layout", &["half"])],
            r"\begin{pmatrix} q'_k \\ q'_{k+\slot{planes}} \end{pmatrix} = R_k(p) \begin{pmatrix} q_k \\ q_{k+\slot{planes}} \end{pmatrix}",
        ),
        Formula::when(
            &[("layout", &["interleaved"])],
            r"\begin{pmatrix} q'_{2k} \\ q'_{2k+1} \end{pmatrix} = R_k(p) \begin{pmatrix} q_{2k} \\ q_{2k+1} \end{pmatrix}",
        ),
        Formula::when(
            &[("layout", &["interleaved-to-half"])],
            r"\begin{pmatrix} q'_k \\ q'_{k+\slot{planes}} \end{pmatrix} = R_k(p) \begin{pmatrix} q_{2k} \\ q_{2k+1} \end{pmatrix}",
        ),
        Formula::when(
            &[("rope_type", &["default", "linear", "ntk", "dynamic", "ntk-by-parts", "llama3", "proportional"])],
            r"R_k(p) = \begin{pmatrix} \cos p\omega_k & -\sin p\omega_k \\ \sin p\omega_k & \cos p\omega_k \end{pmatrix}",
        ),
        Formula::when(
            &[("rope_type", &["yarn", "longrope"])],
            r"R_k(p) = a \begin{pmatrix} \cos p\omega_k & -\sin p\omega_k \\ \sin p\omega_k & \cos p\omega_k \end{pmatrix}",
        ),
        Formula::when(&[("rope_type", &["default"])], r"\omega_k = \slot{rope_theta}^{-2k/\slot{rotated}}"),
        Formula::when(
            &[("rope_type", &["linear"])],
            r"\omega_k = \slot{rope_theta}^{-2k/\slot{rotated}} / \slot{factor}",
        ),
        Formula::when(
            &[("rope_type", &["ntk"])],
            r"\omega_k = \left(\slot{rope_theta}\cdot\slot{factor}^{\slot{rotated}/(\slot{rotated}-2)}\right)^{-2k/\slot{rotated}}",
        ),
        Formula::when(
            &[("rope_type", &["dynamic"])],
            r"\begin{aligned} \omega_k &= \left(\slot{rope_theta}\cdot\lambda^{\slot{rotated}/(\slot{rotated}-2)}\right)^{-2k/\slot{rotated}} \\ \lambda &= \slot{factor}\cdot\frac{\max(\slot{length},\ \slot{max_position_embeddings})}{\slot{max_position_embeddings}} - (\slot{factor} - 1) \end{aligned}",
        ),
        Formula::when(
            &[("rope_type", &["ntk-by-parts", "yarn", "llama3"])],
            r"\begin{aligned} \omega_k &= (1 - \gamma_k)\,\frac{w_k}{\slot{factor}} + \gamma_k\,w_k \\ w_k &= \slot{rope_theta}^{-2k/\slot{rotated}} \end{aligned}",
        ),
        Formula::when(&[("rope_type", &["ntk-by-parts"])], BY_TURNS),
        Formula::when(&[("rope_type", &["yarn"]), ("ramp", &["paper"])], BY_TURNS),
        Formula::when(
            &[("rope_type", &["llama3"])],
            r"\begin{aligned} \gamma_k &= \min\left(1,\ \max\left(0,\ g_k\right)\right) \\ g_k &= \frac{\slot{original_max_position_embeddings}\,w_k/2\pi - \slot{low_freq_factor}}{\slot{high_freq_factor} - \slot{low_freq_factor}} \end{aligned}",
        ),
        Formula::when(
            &[("rope_type", &["yarn"]), ("ramp", &["code"])],
            r"\begin{aligned} \gamma_k &= 1 - \min\left(1,\ \max\left(0,\ g_k\right)\right) \\ g_k &= \frac{k - \slot{ramp_low}}{\slot{ramp_high} - \slot{ramp_low}} \\ \kappa(\beta) &= \frac{\slot{rotated}\,\ln\left(\slot{original_max_position_embeddings}/2\pi\beta\right)}{2\ln\slot{rope_theta}} \end{aligned}",
        ),
        Formula::when(
            &[("rope_type", &["yarn"]), ("ramp", &["code"]), ("truncate", &["true"])],
            r"\begin{aligned} \slot{ramp_low} &= \max\left(0,\ \left\lfloor \kappa(\slot{beta_fast})\right\rfloor\right) \\ \slot{ramp_high} &= \min\left(\slot{rotated} - 1,\ \left\lceil \kappa(\slot{beta_slow})\right\rceil\right) \end{aligned}",
        ),
        Formula::when(
            &[("rope_type", &["yarn"]), ("ramp", &["code"]), ("truncate", &["false"])],
            r"\begin{aligned} \slot{ramp_low} &= \max\left(0,\ \kappa(\slot{beta_fast})\right) \\ \slot{ramp_high} &= \min\left(\slot{rotated} - 1,\ \kappa(\slot{beta_slow})\right) \end{aligned}",
        ),
        Formula::when(
            &[("rope_type", &["longrope"])],
            r"\omega_k = \slot{rope_theta}^{-2k/\slot{rotated}} / \lambda_k,\quad \lambda_k = \begin{cases} \lambda^{\mathrm{short}}_k & \slot{length} \le \slot{original_max_position_embeddings} \\ \lambda^{\mathrm{long}}_k & \slot{length} > \slot{original_max_position_embeddings} \end{cases}",
        ),
        Formula::when(
            &[("rope_type", &["longrope"]), ("preset", &["ntk"]), ("short_factor", &[""])],
            r"\lambda^{\mathrm{short}}_k = 1",
        ),
        Formula::when(
            &[("rope_type", &["longrope"]), ("preset", &["ntk"]), ("long_factor", &[""])],
            r"\lambda^{\mathrm{long}}_k = \max\left(1,\ \frac{\slot{max_position_embeddings}}{\slot{original_max_position_embeddings}}\right)^{k/(\slot{planes}-1)}",
        ),
        Formula::when(
            &[("rope_type", &["proportional"])],
            r"\omega_k = \begin{cases} \slot{rope_theta}^{-2k/\slot{head_dim}} / \slot{factor} & k < \slot{partial_rotary_factor}\cdot\slot{planes} \\ 0 & k \ge \slot{partial_rotary_factor}\cdot\slot{planes} \end{cases}",
        ),
        Formula::when(
            &[("rope_type", &["yarn"]), ("attention_factor", &["0"])],
            r"a = \frac{0.1\cdot\slot{mscale}\cdot\ln\slot{factor} + 1}{0.1\cdot\slot{mscale_all_dim}\cdot\ln\slot{factor} + 1}",
        ),
        Formula::when(
            &[("rope_type", &["longrope"]), ("attention_factor", &["0"])],
            r"a = \sqrt{1 + \frac{\ln\max\left(1,\ \slot{max_position_embeddings}/\slot{original_max_position_embeddings}\right)}{\ln\slot{original_max_position_embeddings}}}",
        ),
        Formula::when(&[("rope_type", &["yarn", "longrope"])], r"a = \slot{attention_factor}"),
    ],
    paper: Source::new(
        "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding, section 3.2",
        "https://arxiv.org/abs/2104.09864",
    ),
    reference: Source::new(
        "transformers 5.24.0, modeling_rope_utils, llama, gptj, gpt_neox, deepseek_v3; torchtune 0.6.1; x-transformers 2.31.10; jquesnelle/yarn. The paper's ramp of YaRN has no third-party numbers: it is tested by its properties",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/modeling_rope_utils.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "mixed-layout",
            source: Source::new("transformers issue 25199", "https://github.com/huggingface/transformers/issues/25199"),
        },
        Pitfall {
            key: "decay",
            source: Source::new("Barbero et al. 2024, Round and Round We Go!", "https://arxiv.org/abs/2410.06205"),
        },
        Pitfall {
            key: "half-precision",
            source: Source::new("transformers issue 25681", "https://github.com/huggingface/transformers/issues/25681"),
        },
        Pitfall {
            key: "yarn-paper-and-code",
            source: Source::new(
                "jquesnelle/yarn, LlamaYaRNScaledRotaryEmbedding.py",
                "https://github.com/jquesnelle/yarn/blob/master/scaled_rope/LlamaYaRNScaledRotaryEmbedding.py",
            ),
        },
        Pitfall {
            key: "cached-at-another-length",
            source: Source::new("transformers issue 33129", "https://github.com/huggingface/transformers/issues/33129"),
        },
        Pitfall {
            key: "factor-ignored",
            source: Source::new("transformers issue 38224", "https://github.com/huggingface/transformers/issues/38224"),
        },
        Pitfall {
            key: "softmax-scale",
            source: Source::new("transformers issue 47435", "https://github.com/huggingface/transformers/issues/47435"),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// Of `dynamic` and `longrope`, keys in a cache go stale; the second keeps two divisors a plane.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let dims = libm::floor(shape.head_dim * settings.real("partial_rotary_factor") / 2.0) * 2.0;
    let length = |key| settings.integer(key) as f64;
    let (stale, kept) = match settings.choice("rope_type") {
        "dynamic" => (Stale::Past(length("max_position_embeddings")), 0.0),
        "longrope" => (Stale::At(length("original_max_position_embeddings")), dims),
        _ => (Stale::Never, 0.0),
    };
    let rotation = Costs::rotation(shape, dims, shape.layers, stale);
    Costs { table: rotation.table + kept, ..rotation }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let head_dim = even(settings)?;
    let share = settings.real("partial_rotary_factor");
    let rotated = match settings.choice("rope_type") {
        // The share is of planes.
        "proportional" => head_dim,
        _ => (head_dim as f64 * share) as usize / 2 * 2,
    };
    let scaling = scaling(settings, rotated);
    let frequencies = Frequencies::new(rotated, settings.real("rope_theta"), scaling).map_err(named(settings))?;
    let layout = Layout::from_word(settings.choice("layout"));
    Ok(Encoding::Rotary(Rotary::extended(head_dim, frequencies, layout)?))
}

/// `head_dim`, which must be even.
///
/// # Errors
/// [`Error::Parameter`] where it is odd.
pub(crate) fn even(settings: &Settings) -> Result<usize, Error> {
    let head_dim = settings.integer("head_dim");
    if head_dim % 2 == 1 {
        return Err(Error::Parameter {
            key: "head_dim",
            value: head_dim.to_string(),
            reason: "planes are pairs, so it must be even",
        });
    }
    Ok(head_dim as usize)
}

/// `llama3`'s limits have names of their own, and so has a preset of factors.
fn named(settings: &Settings) -> impl FnOnce(Error) -> Error + '_ {
    |error| match error {
        Error::Parameter { key: "beta_slow", value, reason } if settings.choice("rope_type") == "llama3" => {
            Error::Parameter { key: "low_freq_factor", value, reason }
        }
        Error::Parameter { key: key @ ("short_factor" | "long_factor"), reason, .. }
            if settings.reals(key).is_empty() =>
        {
            Error::Parameter { key: "preset", value: settings.choice("preset").into(), reason }
        }
        other => other,
    }
}

fn scaling(settings: &Settings, rotated: usize) -> Scaling {
    let factor = settings.real("factor");
    let length = |key| settings.integer(key) as f64;
    let trained = length("original_max_position_embeddings");
    let attention_factor = Some(settings.real("attention_factor")).filter(|given| *given > 0.0);
    match settings.choice("rope_type") {
        "linear" => Scaling::Linear { factor },
        "ntk" => Scaling::Ntk { factor },
        "dynamic" => Scaling::Dynamic { factor, trained: length("max_position_embeddings") },
        "ntk-by-parts" => {
            let (slow, fast) = (settings.real("beta_slow"), settings.real("beta_fast"));
            Scaling::ByParts { factor, trained, slow, fast }
        }
        "llama3" => {
            let (slow, fast) = (settings.real("low_freq_factor"), settings.real("high_freq_factor"));
            Scaling::ByParts { factor, trained, slow, fast }
        }
        "yarn" => Scaling::Yarn(Yarn {
            factor,
            trained,
            beta_fast: settings.real("beta_fast"),
            beta_slow: settings.real("beta_slow"),
            ramp: match settings.choice("ramp") {
                "paper" => Ramp::Paper,
                _ => Ramp::Code { truncate: settings.switch("truncate") },
            },
            mscale: settings.real("mscale"),
            mscale_all_dim: settings.real("mscale_all_dim"),
            attention_factor,
        }),
        "longrope" => {
            let factor = length("max_position_embeddings") / trained;
            let (short, long) = factors(settings, rotated / 2, factor);
            Scaling::LongRope { short, long, trained, factor, attention_factor }
        }
        "proportional" => Scaling::Proportional { factor, share: settings.real("partial_rotary_factor") },
        _ => Scaling::Default,
    }
}

/// `LongRoPE`'s divisors: those given, else the preset's.
fn factors(settings: &Settings, planes: usize, factor: f64) -> (Vec<f64>, Vec<f64>) {
    let (short, long) = match settings.choice("preset") {
        "phi-3.5-mini" => (PHI_3_5_MINI.short.to_vec(), PHI_3_5_MINI.long.to_vec()),
        "phi-4-mini" => (PHI_4_MINI.short.to_vec(), PHI_4_MINI.long.to_vec()),
        _ => {
            // Of the NTK-aware base: the fastest plane is left alone, the slowest divided by the factor.
            let last = (planes.max(2) - 1) as f64;
            let long = (0..planes).map(|k| libm::pow(factor.max(1.0), k as f64 / last)).collect();
            (vec![1.0; planes], long)
        }
    };
    let given = |key, preset: Vec<f64>| match settings.reals(key) {
        [] => preset,
        list => list.to_vec(),
    };
    (given("short_factor", short), given("long_factor", long))
}
