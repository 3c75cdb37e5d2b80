//! KERPLE: kernels of the distance, with two learned numbers a head.
//!
//! Chi, Fan, Ramadge, Rudnicky 2022, "KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
//! <https://arxiv.org/abs/2205.09921>: `−p·ln(1 + a|i − j|)` (`log`) or `−a|i − j|^p` (`power`), p and a > 0, and
//! p ≤ 2 for the power. `ALiBi` is the power with p = 1 and fixed a.
//!
//! **Shapes and units.** [`Bias`]: heads × queries × keys, in logits; offsets in tokens. p and a are drawn as the authors' code initialises them, p from U(0, 2)
//! and a from U(0, 1), and are clamped in its forward pass as here. The authors' models are causal; the kernel is of the
//! distance and is drawn on both sides.
//!
//! **Errors.** [`Error::Length`] where there are not as many p as a.
//!
//! ```
//! use posenc::{bias::Bias, schemes::kerple::{Kernel, Kerple}};
//!
//! let kerple = Kerple::new(Kernel::Log, vec![1.5], vec![0.3]).unwrap();
//! assert!((kerple.by_offset(0, 4).unwrap() + 1.5 * 2.2_f64.ln()).abs() < 1e-15);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::{Bias, Row, check_head, monotone},
    costs::{CostModel, Costs, Shape},
    profile::Range,
    random::Normal,
};

/// `kerple`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "kerple",
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
            key: "kernel",
            kind: Kind::Choice { options: &["log", "power"], default: "log" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "init_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[
        Formula::when(&[("kernel", &["log"])], r"b_h(i, j) = -p_h \ln\left(1 + a_h\,|i - j|\right)"),
        Formula::when(&[("kernel", &["power"])], r"b_h(i, j) = -a_h\,|i - j|^{p_h}"),
    ],
    paper: Source::new(
        "Chi, Fan, Ramadge, Rudnicky 2022, KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
        "https://arxiv.org/abs/2205.09921",
    ),
    reference: Source::new(
        "chijames/KERPLE 25be3d7, megatron/mpu/layers.py",
        "https://github.com/chijames/KERPLE/blob/main/megatron/mpu/layers.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "kerple-clamp",
            source: Source::new(
                "chijames/KERPLE, megatron/mpu/layers.py",
                "https://github.com/chijames/KERPLE/blob/main/megatron/mpu/layers.py",
            ),
        },
        Pitfall {
            key: "kerple-init",
            source: Source::new(
                "chijames/KERPLE, megatron/mpu/layers.py",
                "https://github.com/chijames/KERPLE/blob/main/megatron/mpu/layers.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// Two numbers a head, for all layers.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let each = if settings.choice("kernel") == "power" { 2.0 } else { 4.0 };
    let once = each * shape.heads * shape.offsets();
    Costs { parameters: 2.0 * shape.heads, once, ..Costs::by_offset(shape) }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let kernel = if settings.choice("kernel") == "power" { Kernel::Power } else { Kernel::Log };
    let heads = settings.integer("num_heads") as usize;
    Ok(Encoding::Bias(Box::new(Kerple::untrained(kernel, heads, settings.integer("init_seed") as u64)?)))
}

/// Which kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// `−p·ln(1 + a·n)`.
    Log,
    /// `−a·n^p`.
    Power,
}

/// Two numbers a head.
#[derive(Debug, Clone, PartialEq)]
pub struct Kerple {
    kernel: Kernel,
    p: Vec<f64>,
    a: Vec<f64>,
}

impl Kerple {
    /// One p and one a for each head, clamped as the authors' forward pass does: both to at least 0.01, the p of a power
    /// to 2 at the most.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many p as a.
    pub fn new(kernel: Kernel, mut p: Vec<f64>, mut a: Vec<f64>) -> Result<Self, Error> {
        if p.len() != a.len() {
            return Err(Error::Length { what: "a", given: a.len(), needed: p.len() });
        }
        for p in &mut p {
            *p = p.max(0.01);
            if kernel == Kernel::Power {
                *p = p.min(2.0);
            }
        }
        for a in &mut a {
            *a = a.max(0.01);
        }
        Ok(Self { kernel, p, a })
    }

    /// So many heads as the authors' code draws them before training: p from U(0, 2), a from U(0, 1).
    ///
    /// # Errors
    /// None: there are as many p as a.
    pub fn untrained(kernel: Kernel, heads: usize, seed: u64) -> Result<Self, Error> {
        let mut random = Normal::new(seed);
        let (p, a) = (0..heads).map(|_| (2.0 * random.uniform(), random.uniform())).unzip();
        Self::new(kernel, p, a)
    }

    /// The p of each head.
    pub fn p(&self) -> &[f64] {
        &self.p
    }

    /// The a of each head.
    pub fn a(&self) -> &[f64] {
        &self.a
    }
}

impl Bias for Kerple {
    fn heads(&self) -> usize {
        self.p.len()
    }

    fn bias(&self, row: Row, key: i64) -> Result<f64, Error> {
        self.by_offset(row.head, row.query.saturating_sub(key))
            .ok_or(Error::Head { head: row.head, heads: self.heads() })
    }

    fn by_offset(&self, head: usize, offset: i64) -> Option<f64> {
        let (p, a) = (self.p.get(head)?, self.a.get(head)?);
        let distance = (offset as f64).abs();
        // `0.0 −`: no number is written "-0".
        Some(match self.kernel {
            Kernel::Log => 0.0 - p * libm::log1p(a * distance),
            Kernel::Power => 0.0 - a * libm::pow(distance, *p),
        })
    }

    fn range(&self, row: Row, start: i64, end: i64, _samples: u64) -> Result<Range, Error> {
        check_head(row.head, self.heads())?;
        monotone(start, end, [0], |offset| self.bias(row, row.query.saturating_sub(offset)))
    }
}
