//! FIRE: a small network of the distance as a share of the context.
//!
//! Li et al. 2023, "Functional Interpolation for Relative Positions Improves Long Context Transformers",
//! <https://arxiv.org/abs/2310.04418>: `b(i, j) = f(ψ(i − j) / ψ(max(L, i)))`, `ψ(x) = ln(|c·x| + 1)`, f a network with one
//! hidden layer of `mlp_width` rectified units and one output a head. The input lies between 0 and 1 at any length. For
//! queries past L the bias depends on i as well as on the offset: it cannot be kept by distance alone.
//!
//! **Shapes and units.** [`Bias`]: heads × queries × keys, in logits; offsets in tokens. The weights are drawn as the published listing initialises them: c and L as
//! given, both layers uniformly within ±1/√(inputs).
//!
//! **Errors.** [`Error::Length`] where given layers do not fit together.
//!
//! ```
//! use posenc::{Config, Encoding, bias::Row};
//!
//! let Encoding::Bias(fire) = Config::parse("fire").unwrap().0.build().unwrap() else { unreachable!() };
//! let at = |query: i64| fire.bias(Row::new(0, query), query - 3).unwrap();
//! // One bias for an offset up to L, another for each query past it.
//! assert!(at(10) == at(512) && at(512) != at(5000));
//! assert_eq!(fire.by_offset(0, 3), None);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::{Bias, Row, check_head, monotone},
    costs::{CostModel, Costs, Shape},
    profile::Range,
    random::Normal,
};

/// `fire`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "fire",
    acts: Acts::Bias,
    drawn: Drawn::PublishedInit,
    params: &[
        ParamSpec {
            key: "num_heads",
            kind: Kind::Integer { min: 1, max: 512, step: 1, default: 8, scale: Scale::Log },
            unit: Unit::Heads,
            when: None,
        },
        ParamSpec {
            key: "mlp_width",
            kind: Kind::Integer { min: 1, max: 256, step: 1, default: 32, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "init_c",
            kind: Kind::Real { min: 0.001, max: 100.0, step: 0.05, default: 0.1, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "init_L",
            kind: Kind::Real { min: 1.0, max: 1e6, step: 0.05, default: 512.0, scale: Scale::Log },
            unit: Unit::Tokens,
            when: None,
        },
        ParamSpec {
            key: "init_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} b_h(i, j) &= f_h\left(\frac{\psi(i - j)}{\psi(\max(L, i))}\right) \\ \psi(x) &= \ln\left(\slot{init_c}\,|x| + 1\right) \end{aligned}",
    )],
    paper: Source::new(
        "Li et al. 2023, Functional Interpolation for Relative Positions Improves Long Context Transformers",
        "https://arxiv.org/abs/2310.04418",
    ),
    reference: Source::new(
        "mcleish7/arithmetic 86022a5, cramming/architectures/embeddings.py (the authors released no code)",
        "https://github.com/mcleish7/arithmetic/blob/main/cramming/architectures/embeddings.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "fire-not-by-distance",
            source: Source::new(
                "Li et al. 2023, Functional Interpolation for Relative Positions",
                "https://arxiv.org/abs/2310.04418",
            ),
        },
        Pitfall {
            key: "fire-init",
            source: Source::new(
                "mcleish7/arithmetic, cramming/architectures/embeddings.py",
                "https://github.com/mcleish7/arithmetic/blob/main/cramming/architectures/embeddings.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// A network for each layer, for all heads together, and c and L. Its input costs a few operations more.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let units = settings.integer("mlp_width") as f64;
    Costs {
        parameters: shape.layers * (2.0 * units + (units + 1.0) * shape.heads + 2.0),
        per_pair: 2.0 * units / shape.heads + 2.0 * units + 1.0,
        ..Costs::logits(shape)
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let (heads, width) = (settings.integer("num_heads") as usize, settings.integer("mlp_width") as usize);
    let mut random = Normal::new(settings.integer("init_seed") as u64);
    let mut layer =
        |n: usize, bound: f64| -> Vec<f64> { (0..n).map(|_| bound * (2.0 * random.uniform() - 1.0)).collect() };
    let (w1, b1) = (layer(width, 1.0), layer(width, 1.0));
    let bound = 1.0 / libm::sqrt(width as f64);
    let (w2, b2) = (layer(heads * width, bound), layer(heads, bound));
    let fire = Fire::new(settings.real("init_c"), settings.real("init_L"), 1e-6, Network { w1, b1, w2, b2 })?;
    Ok(Encoding::Bias(Box::new(fire)))
}

/// The network: one input, a layer of rectified units, one output a head.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Weight of the input, a number a unit.
    pub w1: Vec<f64>,
    /// What is added to it.
    pub b1: Vec<f64>,
    /// Weights of the units, head by head.
    pub w2: Vec<f64>,
    /// What is added to their sum, a number a head.
    pub b2: Vec<f64>,
}

/// The network and its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Fire {
    c: f64,
    least: f64,
    eps: f64,
    network: Network,
}

impl Fire {
    /// From weights: c, the length L (the code's `|L·L_multiplier|`), what is added to the denominator, the network.
    ///
    /// # Errors
    /// [`Error::Length`] where the layers do not fit together.
    pub fn new(c: f64, length: f64, eps: f64, network: Network) -> Result<Self, Error> {
        let (width, heads) = (network.w1.len(), network.b2.len());
        for (what, given, needed) in [("b1", network.b1.len(), width), ("w2", network.w2.len(), width * heads)] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        Ok(Self { c, least: length.abs(), eps, network })
    }

    fn psi(&self, x: f64) -> f64 {
        libm::log1p((self.c * x).abs())
    }

    fn denominator(&self, query: i64) -> f64 {
        self.psi((query as f64).max(self.least)) + self.eps
    }

    /// What goes into the network: the offset as a share of the context.
    pub fn input(&self, query: i64, offset: i64) -> f64 {
        self.psi(offset as f64) / self.denominator(query)
    }

    fn output(&self, head: usize, x: f64) -> f64 {
        let Network { w1, b1, w2, b2 } = &self.network;
        let weights = &w2[head * w1.len()..(head + 1) * w1.len()];
        let units = w1.iter().zip(b1).map(|(w, b)| (w * x + b).max(0.0));
        b2[head] + units.zip(weights).map(|(unit, w)| unit * w).sum::<f64>()
    }

    /// The distances on either side of which a unit switches on or off.
    fn turns(&self, query: i64) -> impl Iterator<Item = i64> {
        let denominator = self.denominator(query);
        let Network { w1, b1, .. } = &self.network;
        w1.iter().zip(b1).flat_map(move |(w, b)| {
            let distance = libm::expm1(-b / w * denominator) / self.c.abs();
            // NaN and what is far outside become 0 or the last number, neither of which does harm.
            let below = libm::floor(distance).clamp(0.0, 9e15) as i64;
            [below, below + 1, -below, -below - 1]
        })
    }
}

impl Bias for Fire {
    fn heads(&self) -> usize {
        self.network.b2.len()
    }

    fn bias(&self, row: Row, key: i64) -> Result<f64, Error> {
        check_head(row.head, self.heads())?;
        Ok(self.output(row.head, self.input(row.query, row.query.saturating_sub(key))))
    }

    /// None: it depends on the query, too.
    fn by_offset(&self, _head: usize, _offset: i64) -> Option<f64> {
        None
    }

    fn range(&self, row: Row, start: i64, end: i64, _samples: u64) -> Result<Range, Error> {
        // Between two places where a unit switches, the network is a straight line of an input that is monotone on
        // either side of 0.
        let turns = self.turns(row.query).chain([0]);
        monotone(start, end, turns, |offset| self.bias(row, row.query.saturating_sub(offset)))
    }
}
