//! Rotation by row and column together: each plane turns along a direction of its own, which is learned.
//!
//! Heo et al. 2024, "Rotary Position Embedding for Vision Transformer",
//! <https://arxiv.org/abs/2403.13298>: the angle of plane k is `x·f_k^x + y·f_k^y`, x the column and y the row, with
//! frequencies for each head and layer. What is drawn is the published initialisation: planes k and k + d/4 have the
//! length `rope_theta^(−4k/d)` and the directions φ and φ + π/2, with an angle φ drawn for each head; or the lists
//! `freqs_x` and `freqs_y`.
//!
//! **Shapes and units.** [`AxialRotary`] over (row, column) in patches, d/2 planes in pairs (2k, 2k+1); frequencies in
//! radians per patch.
//!
//! **Errors.** [`Error::Parameter`] where `head_dim` is no multiple of 4, and where the lists are not one number for each
//! plane.
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! let (config, _) = Config::parse("rope-mixed(head_dim=4,freqs_x=1:0.5,freqs_y=0.25:-2)").unwrap();
//! let Encoding::Axial(rope) = config.build().unwrap() else { unreachable!() };
//! let (sin, cos) = rope.sin_cos(1, &[3.0, 4.0]).unwrap(); // 4·0.5 − 3·2
//! assert!((sin - (-4.0_f64).sin()).abs() < 1e-15 && (cos - 4.0_f64.cos()).abs() < 1e-15);
//! ```

use super::rope2d::quarters;
use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    costs::{Cache, CostModel, Costs, Shape, Stale},
    grid::{AxialRotary, Place, ROW_COLUMN},
    random::Normal,
};

use std::f64::consts::TAU;

/// Frequencies of one axis.
const fn frequencies(key: &'static str) -> ParamSpec {
    ParamSpec { key, kind: Kind::Reals { min: -1000.0, max: 1000.0, most: 512 }, unit: Unit::Radians, when: None }
}

/// `rope-mixed`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "rope-mixed",
    acts: Acts::Rotation,
    drawn: Drawn::PublishedInit,
    params: &[
        ParamSpec {
            key: "head_dim",
            kind: Kind::Integer { min: 4, max: 1024, step: 4, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "rope_theta",
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 10.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "head",
            kind: Kind::Integer { min: 0, max: 127, step: 1, default: 0, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "freqs_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        frequencies("freqs_x"),
        frequencies("freqs_y"),
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \theta_k(y, x) &= x\,f^x_k + y\,f^y_k \\ \left(f^x_k, f^y_k\right)_0 &= \slot{rope_theta}^{-4k/\slot{head_dim}} (\cos\varphi, \sin\varphi) \end{aligned}",
    )],
    paper: Source::new(
        "Heo et al. 2024, Rotary Position Embedding for Vision Transformer",
        "https://arxiv.org/abs/2403.13298",
    ),
    reference: Source::new(
        "naver-ai/rope-vit ce85c2e, compute_mixed_cis",
        "https://github.com/naver-ai/rope-vit/blob/main/models/vit_rope.py",
    ),
    pitfalls: &[Pitfall {
        key: "mixed-is-not-axial",
        source: Source::new("naver-ai/rope-vit issue 3", "https://github.com/naver-ai/rope-vit/issues/3"),
    }],
    costs: CostModel::new(costs),
    build,
};

/// Two frequencies a plane, for each head and layer; and so are the tables.
fn costs(_settings: &Settings, shape: &Shape) -> Costs {
    let rotation = Costs::rotation(shape, shape.head_dim, shape.layers, Stale::Never);
    let heads = shape.heads * shape.layers;
    Costs {
        parameters: heads * shape.head_dim,
        table: heads * rotation.table,
        once: heads * rotation.once,
        cache: Cache::Nothing,
        ..rotation
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let d = quarters(settings)?;
    let (mut x, mut y) = (settings.reals("freqs_x").to_vec(), settings.reals("freqs_y").to_vec());
    if x.is_empty() && y.is_empty() {
        let mut random = Normal::new(settings.integer("freqs_seed") as u64);
        let angles: Vec<f64> = (0..=settings.integer("head")).map(|_| TAU * random.uniform()).collect();
        let (sin, cos) = libm::sincos(angles.last().copied().unwrap_or_default());
        let theta = settings.real("rope_theta");
        let lengths: Vec<f64> = (0..d / 4).map(|k| libm::pow(theta, -4.0 * k as f64 / d as f64)).collect();
        // Directions φ and φ + π/2.
        x = lengths.iter().map(|m| m * cos).chain(lengths.iter().map(|m| m * -sin)).collect();
        y = lengths.iter().map(|m| m * sin).chain(lengths.iter().map(|m| m * cos)).collect();
    }
    for (key, list) in [("freqs_x", &x), ("freqs_y", &y)] {
        if list.len() != d / 2 {
            return Err(Error::Parameter {
                key,
                value: format!("{} numbers", list.len()),
                reason: "there must be one for each plane, head_dim/2 of them",
            });
        }
    }
    let freq = y.iter().zip(&x).flat_map(|(y, x)| [*y, *x]).collect();
    Ok(Encoding::Axial(AxialRotary::new(d, &ROW_COLUMN, freq, Layout::Interleaved, Place::Index)?))
}
