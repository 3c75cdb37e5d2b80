//! `DeBERTa`'s disentangled attention: content meets content, content meets place, place meets content.
//!
//! He et al. 2020, "`DeBERTa`", <https://arxiv.org/abs/2006.03654>; the buckets are of version 2 and 3
//! (<https://arxiv.org/abs/2111.09543>): `A_ij = (q_i·k_j + q_i·Kr[δ] + k_j·Qr[δ])/√(3d)`, `δ = clip(bucket(i − j) + s, 0, 2s − 1)`, s
//! being half the rows of the tables. `bucket(r) = r` up to half of `position_buckets` = b, and then
//! `±(b/2 + ⌈ln(2|r|/b) / ln(2(m − 1)/b) · (b/2 − 1)⌉)`, m = `max_relative_positions`. The paper writes the index of the third term
//! as δ(j, i); the code that the published models were trained with reads δ(i, j) there too, and so does this.
//!
//! **Shapes and units.** [`Content`]: Kr and Qr 2s × `head_dim`; what is added is in logits. The tables are made up
//! ([`Drawn::Synthetic`]).
//!
//! **Errors.** [`Error::Parameter`] where the logarithm is not defined, [`Error::Length`] where given tables are not of
//! that size.
//!
//! ```
//! use posenc::schemes::deberta::Buckets;
//!
//! let buckets = Buckets::new(256, 512).unwrap();
//! assert_eq!([-511, -128, 0, 64, 200].map(|r| buckets.bucket(r)), [-255, -128, 0, 64, 169]);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    content::{Content, Tokens, check, check_row, dot, matrix},
    costs::{CostModel, Costs, Shape},
    random::Normal,
};

/// `deberta`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "deberta",
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
            key: "position_buckets",
            kind: Kind::Integer { min: 0, max: 1024, step: 2, default: 256, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "max_relative_positions",
            kind: Kind::Integer { min: 2, max: 4096, step: 1, default: 512, scale: Scale::Log },
            unit: Unit::Tokens,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"A_{ij} = \frac{q_i \cdot k_j + q_i \cdot K^r_{\delta(i,j)} + k_j \cdot Q^r_{\delta(i,j)}}{\sqrt{3\cdot\slot{head_dim}}}",
    )],
    paper: Source::new(
        "He et al. 2020, DeBERTa: Decoding-enhanced BERT with Disentangled Attention",
        "https://arxiv.org/abs/2006.03654",
    ),
    reference: Source::new(
        "transformers 4.45.2 and 5.24.0, deberta_v2",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/deberta_v2/modeling_deberta_v2.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "deberta-sign",
            source: Source::new(
                "transformers, modeling_deberta_v2.py, build_relative_position",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/models/deberta_v2/modeling_deberta_v2.py",
            ),
        },
        Pitfall {
            key: "deberta-scale",
            source: Source::new(
                "transformers, modeling_deberta_v2.py, scale_factor",
                "https://github.com/huggingface/transformers/blob/main/src/transformers/models/deberta_v2/modeling_deberta_v2.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// One table for all layers, projected in each twice; in version 1 (no buckets) by matrices of its own, in the later ones
/// by those of queries and keys. A product a pair with either.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let (buckets, most) = (settings.integer("position_buckets"), settings.integer("max_relative_positions"));
    let rows = 2.0 * if buckets > 0 { buckets } else { most } as f64;
    let width = shape.width();
    let own = if buckets > 0 { 0.0 } else { 2.0 * width * width * shape.layers };
    Costs {
        parameters: rows * width + own,
        once: shape.layers * 4.0 * rows * width * width,
        per_pair: 4.0 * shape.head_dim,
        ..Costs::logits(shape)
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let width = settings.integer("head_dim") as usize;
    let buckets = Buckets::new(settings.integer("position_buckets"), settings.integer("max_relative_positions"))?;
    let rows = 2 * buckets.half_span() as usize;
    let mut random = Normal::new(0x4445);
    let (kr, qr) = (matrix(&mut random, rows, width, 1.0), matrix(&mut random, rows, width, 1.0));
    Ok(Encoding::Content(Box::new(Deberta::new(width, buckets, kr, qr)?)))
}

/// Which number an offset becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buckets {
    size: i64,
    most: i64,
}

impl Buckets {
    /// `position_buckets`, 0 for none (version 1), and `max_relative_positions`.
    ///
    /// # Errors
    /// [`Error::Parameter`] where the logarithm is not defined.
    pub fn new(position_buckets: i64, max_relative_positions: i64) -> Result<Self, Error> {
        if position_buckets == 1 || position_buckets < 0 {
            return Err(Error::Parameter {
                key: "position_buckets",
                value: position_buckets.to_string(),
                reason: "half of them are one token wide, so it is 0 or at least 2",
            });
        }
        if max_relative_positions < 1 || (position_buckets > 0 && max_relative_positions - 1 <= position_buckets / 2) {
            return Err(Error::Parameter {
                key: "max_relative_positions",
                value: max_relative_positions.to_string(),
                reason: "it must be more than half of position_buckets + 1",
            });
        }
        Ok(Self { size: position_buckets, most: max_relative_positions })
    }

    /// Half the rows of a table: `position_buckets`, or `max_relative_positions` where there are none.
    pub fn half_span(self) -> i64 {
        if self.size > 0 { self.size } else { self.most }
    }

    /// The bucket of an offset, query position − key position: of the same sign. Past the greatest distance it goes on.
    pub fn bucket(self, offset: i64) -> i64 {
        let middle = self.size / 2;
        let distance = offset.saturating_abs();
        if self.size == 0 || distance <= middle {
            return offset;
        }
        let share = libm::log(distance as f64 / middle as f64) / libm::log((self.most - 1) as f64 / middle as f64);
        // Where the quotient of logarithms is a whole number, rounding must not take it above.
        let beyond = libm::ceil(share * (middle - 1) as f64 - 1e-9) as i64;
        (middle + beyond) * offset.signum()
    }

    /// The row of the tables for an offset.
    pub fn row(self, offset: i64) -> usize {
        let half = self.half_span();
        self.bucket(offset).saturating_add(half).clamp(0, 2 * half - 1) as usize
    }
}

/// Two tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Deberta {
    width: usize,
    buckets: Buckets,
    kr: Vec<f64>,
    qr: Vec<f64>,
}

impl Deberta {
    /// From weights, projected: rows that queries meet (Kr) and rows that keys meet (Qr), 2·[`half_span`](Buckets::half_span)
    /// of `head_dim` numbers each.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn new(head_dim: usize, buckets: Buckets, kr: Vec<f64>, qr: Vec<f64>) -> Result<Self, Error> {
        let needed = 2 * buckets.half_span() as usize * head_dim;
        check(&kr, needed, "kr")?;
        check(&qr, needed, "qr")?;
        Ok(Self { width: head_dim, buckets, kr, qr })
    }

    /// Its buckets.
    pub fn buckets(&self) -> Buckets {
        self.buckets
    }

    /// The two terms beside `q·k`, scaled: content meets place, place meets content. 0 where there are no such tokens.
    pub fn terms(&self, tokens: &Tokens<'_>, query: usize, key: usize) -> [f64; 2] {
        let row = self.buckets.row(query as i64 - key as i64) * self.width;
        let row = row..row + self.width;
        let to_place = dot(tokens.q(query), &self.kr[row.clone()]);
        [to_place * self.scale(), dot(tokens.k(key), &self.qr[row]) * self.scale()]
    }
}

impl Content for Deberta {
    fn head_dim(&self) -> usize {
        self.width
    }

    fn scale(&self) -> f64 {
        1.0 / libm::sqrt(3.0 * self.width as f64)
    }

    fn write_row(&self, tokens: &Tokens<'_>, query: usize, _causal: bool, out: &mut [f64]) -> Result<(), Error> {
        check_row(self.width, tokens, query, out)?;
        for (key, cell) in out.iter_mut().enumerate() {
            let [to_place, from_place] = self.terms(tokens, query, key);
            *cell = to_place + from_place;
        }
        Ok(())
    }
}
