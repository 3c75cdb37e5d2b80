//! Rotary position embedding: query and key are turned, plane by plane, by an angle that grows with the position.
//!
//! Su et al. 2021, "`RoFormer`: Enhanced Transformer with Rotary Position Embedding", section 3.2,
//! <https://arxiv.org/abs/2104.09864>: plane k is turned by `p·w_k`, `w_k = rope_theta^(−2k/r)`, r the number of
//! rotated dimensions. `R(m)q · R(n)k` depends on m − n alone.

use crate::{
    Acts, Drawn, Encoding, Error, Kind, Layout, ParamSpec, Pitfall, Rotary, Scale, SchemeSpec, Settings, Source, Unit,
};

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
            kind: Kind::Choice { options: &["half", "interleaved", "interleaved-to-half"], default: "half" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "partial_rotary_factor",
            kind: Kind::Real { min: 0.0, max: 1.0, step: 0.05, default: 1.0, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: r"\begin{aligned} \begin{pmatrix} q'_i \\ q'_j \end{pmatrix} &= \begin{pmatrix} \cos p\omega_k & -\sin p\omega_k \\ \sin p\omega_k & \cos p\omega_k \end{pmatrix} \begin{pmatrix} q_i \\ q_j \end{pmatrix} \\ \omega_k &= \slot{rope_theta}^{-2k/r} \end{aligned}",
    paper: Source {
        title: "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding, section 3.2",
        url: "https://arxiv.org/abs/2104.09864",
    },
    reference: Source {
        title: "transformers 5.24.0, llama, gptj, gpt_neox, deepseek_v3; torchtune 0.6.1; x-transformers 2.31.10",
        url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/modeling_llama.py",
    },
    pitfalls: &[
        Pitfall {
            key: "mixed-layout",
            source: Source {
                title: "transformers issue 25199",
                url: "https://github.com/huggingface/transformers/issues/25199",
            },
        },
        Pitfall {
            key: "decay",
            source: Source {
                title: "Barbero et al. 2024, Round and Round We Go!",
                url: "https://arxiv.org/abs/2410.06205",
            },
        },
        Pitfall {
            key: "half-precision",
            source: Source {
                title: "transformers issue 25681",
                url: "https://github.com/huggingface/transformers/issues/25681",
            },
        },
    ],
    build,
};

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let head_dim = settings.integer("head_dim") as usize;
    if head_dim % 2 == 1 {
        return Err(Error::Parameter {
            key: "head_dim",
            value: head_dim.to_string(),
            reason: "planes are pairs, so it must be even",
        });
    }
    let rotated = (head_dim as f64 * settings.real("partial_rotary_factor")) as usize / 2 * 2;
    let theta = settings.real("rope_theta");
    let inv_freq = (0..rotated / 2).map(|k| libm::pow(theta, -2.0 * k as f64 / rotated as f64)).collect();
    let layout = match settings.choice("layout") {
        "interleaved" => Layout::Interleaved,
        "interleaved-to-half" => Layout::InterleavedToHalf,
        _ => Layout::Half,
    };
    Ok(Encoding::Rotary(Rotary::new(head_dim, inv_freq, layout, 1.0)?))
}
