//! Rotation by time, row and column, each in planes of its own: text and pictures in one sequence.
//!
//! Wang et al. 2024, "Qwen2-VL", <https://arxiv.org/abs/2409.12191>: the frequencies are `RoPE`'s, and
//! `mrope_section` says how many planes go by the time, the row and the column, in that order. A token of text has three
//! equal numbers, so that text is rotated as by `RoPE`; the first after a picture has the greatest number so far plus 1.
//! Qwen3-VL deals the planes out in turn (`interleaved`; Hugging Face's `mrope_interleaved`): time, row, column, time …,
//! so that each axis has fast and slow planes; what is left over goes by the time.
//!
//! **Shapes and units.** [`AxialRotary`] over (time, row, column), `head_dim`/2 planes in pairs (k, k + d/2); frequencies
//! in radians per token.
//!
//! **Errors.** [`Error::Parameter`] for an odd `head_dim`, where `mrope_section` is not three numbers with the sum
//! `head_dim`/2, and where these cannot be dealt out in turn. An empty one is chosen: 1/4, 3/8, 3/8 of the planes as in
//! Qwen2-VL, or 3/8, 5/16, 5/16 as in Qwen3-VL.
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! let Encoding::Axial(mrope) = Config::parse("mrope").unwrap().0.build().unwrap() else { unreachable!() };
//! // 16 planes by the time, 24 by the row, 24 by the column.
//! let axis = |k: usize| mrope.freq(k).iter().position(|w| *w != 0.0);
//! assert_eq!([axis(15), axis(16), axis(39), axis(40)], [Some(0), Some(1), Some(1), Some(2)]);
//! // Text is rotated as by RoPE.
//! let Encoding::Rotary(rope) = Config::parse("rope(rope_theta=1000000)").unwrap().0.build().unwrap() else { unreachable!() };
//! assert_eq!(mrope.along(&[1.0, 1.0, 1.0]).unwrap().inv_freq(), rope.inv_freq());
//! ```

use super::rope::even;
use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    costs::{CostModel, Costs, Stale},
    grid::{AxialRotary, Place, TIME_ROW_COLUMN},
};

/// `mrope`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "mrope",
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
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 1_000_000.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "mrope_section",
            kind: Kind::List { min: 0, max: 512, most: 3 },
            unit: Unit::None,
            when: None,
        },
        ParamSpec { key: "interleaved", kind: Kind::Switch { default: false }, unit: Unit::None, when: None },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \theta_k(t, y, x) &= c_k\,\omega_k,\quad c_k \in \{t, y, x\} \\ \omega_k &= \slot{rope_theta}^{-2k/\slot{head_dim}} \end{aligned}",
    )],
    paper: Source::new("Wang et al. 2024, Qwen2-VL", "https://arxiv.org/abs/2409.12191"),
    reference: Source::new(
        "transformers 5.24.0, qwen2_vl and qwen3_vl",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/qwen3_vl/modeling_qwen3_vl.py",
    ),
    pitfalls: &[Pitfall {
        key: "mrope-chunked-or-interleaved",
        source: Source::new("alibaba/MNN pull request 4133", "https://github.com/alibaba/MNN/pull/4133"),
    }],
    costs: CostModel::new(|_, shape| Costs::rotation(shape, shape.head_dim, shape.layers, Stale::Never)),
    build,
};

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let d = even(settings)?;
    let planes = d / 2;
    let interleaved = settings.switch("interleaved");
    let section: Vec<usize> = match settings.list("mrope_section") {
        [] if interleaved => {
            let each = 5 * planes / 16;
            vec![planes - 2 * each, each, each]
        }
        [] => {
            let (time, row) = (planes / 4, (planes - planes / 4) / 2);
            vec![time, row, planes - time - row]
        }
        list => list.iter().map(|n| *n as usize).collect(),
    };
    let refuse = |reason| {
        let value: Vec<String> = section.iter().map(ToString::to_string).collect();
        Err(Error::Parameter { key: "mrope_section", value: value.join(":"), reason })
    };
    if section.len() != 3 || section.iter().sum::<usize>() != planes {
        return refuse("it must be three numbers of planes with the sum head_dim/2");
    }
    let axis = |k: usize| match k {
        _ if interleaved && k % 3 == 1 && k < 3 * section[1] => 1,
        _ if interleaved && k % 3 == 2 && k < 3 * section[2] => 2,
        _ if interleaved || k < section[0] => 0,
        _ if k < section[0] + section[1] => 1,
        _ => 2,
    };
    let mut dealt = [0; 3];
    let mut freq = vec![0.0; 3 * planes];
    for k in 0..planes {
        dealt[axis(k)] += 1;
        freq[3 * k + axis(k)] = libm::pow(settings.real("rope_theta"), -2.0 * k as f64 / d as f64);
    }
    if dealt[..] != section[..] {
        return refuse("so many planes cannot be dealt out in turn");
    }
    Ok(Encoding::Axial(AxialRotary::new(d, &TIME_ROW_COLUMN, freq, Layout::Half, Place::Index)?))
}
