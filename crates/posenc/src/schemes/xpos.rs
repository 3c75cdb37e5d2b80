//! `RoPE` whose planes fade with the distance, the fast ones soonest.
//!
//! Sun et al. 2022, "A Length-Extrapolatable Transformer", <https://arxiv.org/abs/2212.10554>: beside the rotation by
//! `p·w_k`, plane k of a query at position p is multiplied by `ζ_k^((p−c)/512)`, that of a key divided by it, with
//! `ζ_k = (2k/d + 0.4) / 1.4`. In the score the centre c cancels: plane k of an offset δ (query − key) is that of `RoPE`
//! times `ζ_k^(δ/512)`.
//!
//! **Shapes and units.** A query or key has `head_dim` numbers, all rotated in d/2 planes; positions and `scale_base` are
//! tokens. For keys ahead of the query (δ < 0) the factor is above 1 and grows without bound: the scheme is meant for
//! causal attention.
//!
//! **Errors.** [`Error::Parameter`] for an odd `head_dim`.
//!
//! ```
//! use posenc::{Config, Encoding, schemes::xpos::Xpos};
//!
//! let xpos = Xpos::new(8, 10_000.0, 512.0, posenc::Layout::Interleaved).unwrap();
//! assert!((xpos.zeta()[0] - 0.4 / 1.4).abs() < 1e-15);
//! let Encoding::QueryKey(same) = Config::parse("xpos(head_dim=8)").unwrap().0.build().unwrap() else { unreachable!() };
//! let (q, k) = ([0.5; 8], [0.25; 8]);
//! assert_eq!(xpos.score(&q, &k, 9.0, 2.0), same.score(&q, &k, 9.0, 2.0));
//! # use posenc::QueryKey;
//! ```

use super::rope::even;
use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, Layout, ParamSpec, Pitfall, QueryKey, Rotary, Scale, SchemeSpec,
    Settings, Source, Unit,
    costs::{Cache, CostModel, Costs, Shape, Stale},
    profile::Fading,
};

/// `xpos`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "xpos",
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
            key: "scale_base",
            kind: Kind::Real { min: 1.0, max: 1e6, step: 0.05, default: 512.0, scale: Scale::Log },
            unit: Unit::Tokens,
            when: None,
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice { options: &Layout::WORDS, default: "interleaved" },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} q' &= \zeta_k^{p/\slot{scale_base}} R(p\,\omega_k)\,q \\ k' &= \zeta_k^{-p/\slot{scale_base}} R(p\,\omega_k)\,k \\ \zeta_k &= \frac{2k/\slot{head_dim} + 0.4}{1.4} \\ \omega_k &= \slot{rope_theta}^{-2k/\slot{head_dim}} \end{aligned}",
    )],
    paper: Source::new("Sun et al. 2022, A Length-Extrapolatable Transformer", "https://arxiv.org/abs/2212.10554"),
    reference: Source::new(
        "microsoft/torchscale 4d1e0e8, xpos_relative_position.py; rotary-embedding-torch 0.9.1",
        "https://github.com/microsoft/torchscale/blob/main/torchscale/component/xpos_relative_position.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "xpos-centre",
            source: Source::new(
                "rotary-embedding-torch issue 27",
                "https://github.com/lucidrains/rotary-embedding-torch/issues/27",
            ),
        },
        Pitfall {
            key: "xpos-not-causal",
            source: Source::new("A Length-Extrapolatable Transformer", "https://arxiv.org/abs/2212.10554"),
        },
    ],
    costs: CostModel::new(costs),
    build: |settings: &Settings| {
        Ok(Encoding::QueryKey(Box::new(Xpos::new(
            even(settings)?,
            settings.real("rope_theta"),
            settings.real("scale_base"),
            Layout::from_word(settings.choice("layout")),
        )?)))
    },
};

/// A rotation whose cosines and sines are scaled, for queries one way and for keys the other: two tables, or one more
/// multiplication a dimension, which is what is counted.
fn costs(_settings: &Settings, shape: &Shape) -> Costs {
    let rotation = Costs::rotation(shape, shape.head_dim, shape.layers, Stale::Never);
    Costs {
        table: 1.5 * rotation.table,
        once: 1.5 * rotation.once,
        per_token: rotation.per_token * 4.0 / 3.0,
        cache: Cache::Centred,
        ..rotation
    }
}

/// The rotation and its fading.
#[derive(Debug, Clone, PartialEq)]
pub struct Xpos {
    rotary: Rotary,
    zeta: Vec<f64>,
    scale_base: f64,
    centre: f64,
}

impl Xpos {
    /// For an even `head_dim`; `scale_base` in tokens; the centre is position 0.
    ///
    /// # Errors
    /// [`Error::Length`] where `head_dim` is odd.
    pub fn new(head_dim: usize, theta: f64, scale_base: f64, layout: Layout) -> Result<Self, Error> {
        if head_dim % 2 == 1 {
            return Err(Error::Length { what: "head_dim", given: head_dim, needed: head_dim + 1 });
        }
        let d = head_dim as f64;
        let inv_freq = (0..head_dim / 2).map(|k| libm::pow(theta, -2.0 * k as f64 / d)).collect();
        Ok(Self {
            rotary: Rotary::new(head_dim, inv_freq, layout, 1.0)?,
            zeta: (0..head_dim / 2).map(|k| (2.0 * k as f64 / d + 0.4) / 1.4).collect(),
            scale_base,
            centre: 0.0,
        })
    }

    /// The same about another position, whose queries and keys keep their magnitudes: `torchscale` takes the middle of
    /// the sequence. Query and key must have the same one.
    #[must_use]
    pub fn about(self, centre: f64) -> Self {
        Self { centre, ..self }
    }

    /// What each plane's score is multiplied by, `scale_base` tokens back.
    pub fn zeta(&self) -> &[f64] {
        &self.zeta
    }

    /// `ζ_k^(tokens/scale_base)`, within what an `f64` holds.
    fn fading(&self, plane: usize, tokens: f64) -> f64 {
        let zeta = self.zeta.get(plane).copied().unwrap_or(1.0);
        libm::exp((libm::log(zeta) * tokens / self.scale_base).clamp(-700.0, 700.0))
    }

    fn write(&self, x: &[f64], position: f64, sign: f64, out: &mut [f64]) -> Result<(), Error> {
        self.rotary.rotate(x, position, out)?;
        for k in 0..self.zeta.len() {
            let (i, j) = self.rotary.pair_out(k);
            let by = self.fading(k, sign * (position - self.centre));
            out[i] *= by;
            out[j] *= by;
        }
        Ok(())
    }
}

impl QueryKey for Xpos {
    fn head_dim(&self) -> usize {
        self.rotary.head_dim()
    }

    fn query(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error> {
        self.write(x, position, 1.0, out)
    }

    fn key(&self, x: &[f64], position: f64, out: &mut [f64]) -> Result<(), Error> {
        self.write(x, position, -1.0, out)
    }

    fn rotary(&self) -> Option<&Rotary> {
        Some(&self.rotary)
    }

    fn by_offset(&self) -> bool {
        true
    }

    fn profile(&self, q: &[f64], k: &[f64]) -> Result<Option<Fading>, Error> {
        let decay = self.zeta.iter().map(|zeta| -libm::log(*zeta) / self.scale_base).collect();
        Ok(Some(Fading::new(self.rotary.profile(q, k)?, decay)))
    }

    fn query_magnitude(&self, plane: usize, position: f64) -> f64 {
        self.fading(plane, position - self.centre)
    }

    fn key_magnitude(&self, plane: usize, position: f64) -> f64 {
        self.fading(plane, self.centre - position)
    }

    /// By the offset, so that magnitudes far from the centre, which would be too large or too small for a number, do not
    /// enter.
    fn score(&self, q: &[f64], k: &[f64], query_position: f64, key_position: f64) -> Result<f64, Error> {
        let mut turned = vec![0.0; self.head_dim()];
        let offset = query_position - key_position;
        self.rotary.rotate(q, offset, &mut turned)?;
        let mut still = vec![0.0; self.head_dim()];
        self.rotary.rotate(k, 0.0, &mut still)?;
        let mut dot = 0.0;
        for plane in 0..self.zeta.len() {
            let (i, j) = self.rotary.pair_out(plane);
            dot += self.fading(plane, offset) * (turned[i] * still[i] + turned[j] * still[j]);
        }
        Ok(dot / libm::sqrt(self.head_dim() as f64))
    }
}
