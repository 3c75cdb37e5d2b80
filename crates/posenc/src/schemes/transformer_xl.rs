//! Transformer-XL: the query meets a projected sinusoid of the offset, and two learned vectors stand in for a query that
//! does not care.
//!
//! Dai et al. 2019, "Transformer-XL", <https://arxiv.org/abs/1901.02860>:
//! `A_ij = [(q_i + u)·k_j + (q_i + v)·(W_r·R_{i−j})]/√d`, `R_δ = [sin(δ·w) | cos(δ·w)]`, `w_k = 10000^(−2k/D)`. Beside `q·k` these are
//! three terms: what the key is (u·k), how far it is (v·r), and how far for this query (q·r).
//!
//! **Shapes and units.** [`Content`]: u, v of `head_dim`; `W_r` D × `head_dim`, D = `d_model`; what is added is in logits.
//! u, v and `W_r` are made up ([`Drawn::Synthetic`]). The code feeds distances from the greatest to 0; keys after the query
//! are for two-sided models (`XLNet`).
//!
//! **Errors.** [`Error::Parameter`] for an odd `d_model`, [`Error::Length`] where given weights do not fit together, and
//! [`Error::PastTheEnd`] and [`Error::NoRow`] of a distance that no row was given for.
//!
//! ```
//! use posenc::{content::Content, schemes::transformer_xl::{Distances, TransformerXl}};
//!
//! let xl = TransformerXl::new(vec![0.5], vec![0.0], Distances::Projected(vec![1.0, 2.0])).unwrap();
//! assert_eq!(xl.r(1).unwrap(), [2.0]);
//! assert!(xl.r(2).is_err());
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    content::{Content, Tokens, check, check_row, dot, matrix, times},
    costs::{CostModel, Costs, Shape},
    phase,
    random::Normal,
};

/// `transformer-xl`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "transformer-xl",
    acts: Acts::Content,
    drawn: Drawn::Synthetic,
    params: &[
        ParamSpec {
            key: "head_dim",
            kind: Kind::Integer { min: 1, max: 1024, step: 1, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "d_model",
            kind: Kind::Integer { min: 2, max: 4096, step: 2, default: 512, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"A_{ij} = \frac{\left(q_i + u\right)\cdot k_j + \left(q_i + v\right)\cdot W_r R_{i-j}}{\sqrt{\slot{head_dim}}}",
    )],
    paper: Source::new(
        "Dai et al. 2019, Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context",
        "https://arxiv.org/abs/1901.02860",
    ),
    reference: Source::new(
        "transformers 4.45.2, RelPartialLearnableMultiHeadAttn; kimiyoung/transformer-xl",
        "https://github.com/kimiyoung/transformer-xl/blob/master/pytorch/mem_transformer.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "xl-shift",
            source: Source::new(
                "kimiyoung/transformer-xl, mem_transformer.py, _rel_shift",
                "https://github.com/kimiyoung/transformer-xl/blob/master/pytorch/mem_transformer.py",
            ),
        },
        Pitfall {
            key: "xl-descending",
            source: Source::new(
                "kimiyoung/transformer-xl, mem_transformer.py, pos_seq",
                "https://github.com/kimiyoung/transformer-xl/blob/master/pytorch/mem_transformer.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// `W_r` for each layer, u and v for all; offsets are projected in each layer, and u and v are added to each query.
fn costs(_settings: &Settings, shape: &Shape) -> Costs {
    let width = shape.width();
    let waves = shape.offsets() * width;
    Costs {
        parameters: shape.layers * width * width + 2.0 * width,
        table: waves,
        once: waves + shape.layers * 2.0 * shape.offsets() * width * width,
        per_token: shape.layers * 2.0 * width,
        per_pair: 2.0 * shape.head_dim,
        ..Costs::logits(shape)
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let (width, model) = (settings.integer("head_dim") as usize, settings.integer("d_model") as usize);
    if model % 2 == 1 {
        return Err(Error::Parameter {
            key: "d_model",
            value: model.to_string(),
            reason: "sines and cosines come in pairs, so it must be even",
        });
    }
    let mut random = Normal::new(0x584c);
    let (u, v) = (matrix(&mut random, 1, width, 0.5), matrix(&mut random, 1, width, 0.5));
    // Half of the D numbers of R squared add up to 1: r has entries of about this spread times √(D/2).
    let w_r = matrix(&mut random, model, width, 1.0 / libm::sqrt(model as f64 / 2.0));
    let freq = (0..model / 2).map(|k| libm::pow(10_000.0, -2.0 * k as f64 / model as f64)).collect();
    Ok(Encoding::Content(Box::new(TransformerXl::new(u, v, Distances::Sinusoid { freq, w_r })?)))
}

/// Where `W_r·R` comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Distances {
    /// Computed: `[sin | cos]` of these frequencies, in radians per token, times a matrix of twice as many rows.
    Sinusoid {
        /// One a plane.
        freq: Vec<f64>,
        /// Row by row.
        w_r: Vec<f64>,
    },
    /// Given, a row for each distance from 0.
    Projected(Vec<f64>),
}

/// Two vectors, and one for each offset.
#[derive(Debug, Clone, PartialEq)]
pub struct TransformerXl {
    u: Vec<f64>,
    v: Vec<f64>,
    distances: Distances,
}

impl TransformerXl {
    /// From weights: `r_w_bias`, `r_r_bias`, and what the offsets are.
    ///
    /// # Errors
    /// [`Error::Length`] where they do not fit together.
    pub fn new(u: Vec<f64>, v: Vec<f64>, distances: Distances) -> Result<Self, Error> {
        check(&v, u.len(), "v")?;
        match &distances {
            Distances::Sinusoid { freq, w_r } => check(w_r, 2 * freq.len() * u.len(), "w_r")?,
            Distances::Projected(rows) => check(rows, rows.len() / u.len().max(1) * u.len(), "r")?,
        }
        Ok(Self { u, v, distances })
    }

    /// `W_r·R` of an offset, query position − key position.
    ///
    /// # Errors
    /// Where rows were given: [`Error::PastTheEnd`], and [`Error::NoRow`] of a key after the query.
    pub fn r(&self, offset: i64) -> Result<Vec<f64>, Error> {
        let width = self.u.len();
        match &self.distances {
            Distances::Sinusoid { freq, w_r } => {
                let (mut sines, cosines): (Vec<f64>, Vec<f64>) =
                    freq.iter().map(|w| phase::sin_cos(offset as f64, *w)).unzip();
                sines.extend(cosines);
                Ok(times(&sines, w_r, width))
            }
            Distances::Projected(rows) => {
                let row = usize::try_from(offset).map_err(|_| Error::NoRow(offset as f64))?;
                rows.chunks_exact(width.max(1)).nth(row).map(<[f64]>::to_vec).ok_or(Error::PastTheEnd {
                    position: offset as f64,
                    last: (rows.len() / width.max(1)).saturating_sub(1),
                })
            }
        }
    }
}

impl Content for TransformerXl {
    fn head_dim(&self) -> usize {
        self.u.len()
    }

    fn write_row(&self, tokens: &Tokens<'_>, query: usize, causal: bool, out: &mut [f64]) -> Result<(), Error> {
        check_row(self.head_dim(), tokens, query, out)?;
        let turned: Vec<f64> = tokens.q(query).iter().zip(&self.v).map(|(q, v)| q + v).collect();
        // (q + v)·(R·W_r) is R·(W_r·(q + v)): the matrix meets each query once, not each pair.
        let of_place = match &self.distances {
            Distances::Sinusoid { w_r, .. } => {
                Some(w_r.chunks_exact(turned.len().max(1)).map(|row| dot(row, &turned)).collect::<Vec<f64>>())
            }
            Distances::Projected(_) => None,
        };
        for (key, cell) in out.iter_mut().enumerate() {
            *cell = 0.0;
            if !(causal && key > query) {
                let offset = query as i64 - key as i64;
                let place = match (&self.distances, &of_place) {
                    (Distances::Sinusoid { freq, .. }, Some(weights)) => {
                        let (sines, cosines) = weights.split_at(freq.len());
                        let wave = |(w, (a, b)): (&f64, (&f64, &f64))| {
                            let (sin, cos) = phase::sin_cos(offset as f64, *w);
                            a * sin + b * cos
                        };
                        freq.iter().zip(sines.iter().zip(cosines)).map(wave).sum()
                    }
                    _ => dot(&turned, &self.r(offset)?),
                };
                *cell = (dot(&self.u, tokens.k(key)) + place) * self.scale();
            }
        }
        Ok(())
    }
}
