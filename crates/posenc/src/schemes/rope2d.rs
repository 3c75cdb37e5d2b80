//! Rotation by a patch's row in half of the planes and by its column in the other half.
//!
//! With d = `head_dim` there are d/4 planes for each axis. Five conventions are in use, which give different vectors for
//! the same patch:
//!
//! | `convention` | planes in order, and their frequencies | pairs | who |
//! | --- | --- | --- | --- |
//! | `rope-vit` | column, then row: `θ^(−4k/d)` | (2k, 2k+1) | Heo et al. 2024, <https://arxiv.org/abs/2403.13298> |
//! | `timm` | row, then column: `θ^(−4k/d)` | (2k, 2k+1) | timm's EVA, `in_pixels=False` |
//! | `qwen2-vl` | row, then column: `θ^(−4k/d)` | (k, k + d/2) | the vision tower of Qwen2-VL |
//! | `pixtral` | row: even steps of the ladder `θ^(−2j/d)`; then column: odd steps | (k, k + d/2) | Pixtral |
//! | `dinov3` | row, then column: `θ^(−4k/d)`, by `2π·c`, c the patch's centre from −1 to 1 | (k, k + d/2) | `DINOv3` |
//!
//! θ is `rope_theta`: 100 in rope-vit and `DINOv3`, 10,000 in the others.
//!
//! **Shapes and units.** [`AxialRotary`] over (row, column), in patches; for `dinov3` in 2π of the image's half
//! ([`AxialRotary::coordinates`] converts), so that the rotation of a place does not depend on the resolution.
//!
//! **Errors.** [`Error::Parameter`] where `head_dim` is no multiple of 4.
//!
//! ```
//! use posenc::{Config, Encoding, grid::Grid};
//!
//! let Encoding::Axial(rope) = Config::parse("rope2d(head_dim=8)").unwrap().0.build().unwrap() else { unreachable!() };
//! let at = rope.coordinates(Grid { height: 2, width: 3 }, 0, 1).unwrap();
//! assert_eq!(at, [0.0, 1.0]);
//! let (sin, _) = rope.sin_cos(0, &at).unwrap(); // the first plane goes by the column
//! assert_eq!(sin, 1.0_f64.sin());
//! assert_eq!(rope.sin_cos(2, &at).unwrap(), (0.0, 1.0)); // the third by the row
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    costs::{Cache, CostModel, Costs, Shape, Stale},
    grid::{AxialRotary, Place, ROW_COLUMN},
};

/// `rope2d`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "rope2d",
    acts: Acts::Rotation,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "head_dim",
            kind: Kind::Integer { min: 4, max: 1024, step: 4, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "rope_theta",
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 100.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "convention",
            kind: Kind::Choice { options: &["rope-vit", "timm", "qwen2-vl", "pixtral", "dinov3"], default: "rope-vit" },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \theta_k(y, x) &= c_k\,\omega_k,\quad c_k \in \{y, x\} \\ \omega_k &= \slot{rope_theta}^{-4k/\slot{head_dim}} \end{aligned}",
    )],
    paper: Source::new(
        "Heo et al. 2024, Rotary Position Embedding for Vision Transformer",
        "https://arxiv.org/abs/2403.13298",
    ),
    reference: Source::new(
        "naver-ai/rope-vit ce85c2e; transformers 5.24.0, qwen2_vl, pixtral, dinov3_vit. timm's convention has no third-party numbers: it is tested as a permutation of rope-vit's",
        "https://github.com/naver-ai/rope-vit/blob/main/models/vit_rope.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "axes-swapped",
            source: Source::new("naver-ai/rope-vit issue 27", "https://github.com/naver-ai/rope-vit/issues/27"),
        },
        Pitfall {
            key: "pixtral-frequencies",
            source: Source::new(
                "transformers, modeling_pixtral.py",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/models/pixtral/modeling_pixtral.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

fn costs(_settings: &Settings, shape: &Shape) -> Costs {
    let rotation = Costs::rotation(shape, shape.head_dim, shape.layers, Stale::Never);
    Costs { cache: Cache::Nothing, ..rotation }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let d = quarters(settings)?;
    let theta = settings.real("rope_theta");
    let convention = settings.choice("convention");
    let step = |j: usize| libm::pow(theta, -2.0 * j as f64 / d as f64);
    let n = d / 4;
    // (row, column) of each plane.
    let by_row = |freq: f64| [freq, 0.0];
    let by_column = |freq: f64| [0.0, freq];
    let freq: Vec<[f64; 2]> = match convention {
        "rope-vit" => (0..n).map(|k| by_column(step(2 * k))).chain((0..n).map(|k| by_row(step(2 * k)))).collect(),
        "pixtral" => (0..n).map(|k| by_row(step(2 * k))).chain((0..n).map(|k| by_column(step(2 * k + 1)))).collect(),
        _ => (0..n).map(|k| by_row(step(2 * k))).chain((0..n).map(|k| by_column(step(2 * k)))).collect(),
    };
    let layout = if matches!(convention, "rope-vit" | "timm") { Layout::Interleaved } else { Layout::Half };
    let place = if convention == "dinov3" { Place::Centre } else { Place::Index };
    Ok(Encoding::Axial(AxialRotary::new(d, &ROW_COLUMN, freq.concat(), layout, place)?))
}

/// `head_dim`, which must be a multiple of 4.
pub(super) fn quarters(settings: &Settings) -> Result<usize, Error> {
    let head_dim = settings.integer("head_dim");
    if head_dim % 4 != 0 {
        return Err(Error::Parameter {
            key: "head_dim",
            value: head_dim.to_string(),
            reason: "each axis has as many planes, so it must be a multiple of 4",
        });
    }
    Ok(head_dim as usize)
}
