//! A learned table: one vector for each position, trained with the rest of the model and added to the embedding.
//!
//! Devlin et al. 2018, "BERT", <https://arxiv.org/abs/1810.04805>; Radford et al. 2019, GPT-2: `x_p = token + E[p]`.
//!
//! **Shapes and units.** [`Absolute`]: rows × columns, a row for each whole position from 0, in tokens. OPT and BART keep
//! position p in row p + 2, `RoBERTa` begins with the row after its padding's.
//!
//! **Errors.** [`Error::NeedsData`] from building it, [`Error::Data`] for bytes that are no table, and of a row
//! [`Error::PastTheEnd`] (there is nothing past the last) and [`Error::NoRow`] (between two, or before the first).
//!
//! Two tables of real models, in files of the [`quantised`](crate::quantised) format, and any of the caller's own, in the
//! [`plain`](crate::plain) one:
//!
//! | `table` | rows × columns | from | off by, at most |
//! | --- | --- | --- | --- |
//! | `rxnmapper` | 512 × 128 | the ALBERT of rxnmapper 0.4.3 (MIT) | 0.0020 |
//! | `minilm` | 512 × 384 | all-MiniLM-L6-v2 (Apache-2.0) | 0.0074 |
//! | `yours` | any | the caller | 0 |
//!
//! `posenc` reads no files: [`Config::build`](crate::Config::build) says which one is needed, and what makes the scheme
//! from its bytes.
//!
//! ```
//! use posenc::{Config, Encoding, Error, quantised};
//!
//! let config = Config::parse("learned(table=minilm)").unwrap().0;
//! let Err(Error::NeedsData(asset)) = config.build() else { unreachable!() };
//! assert_eq!(asset.file, "learned-minilm.bin");
//! // Any table of the format will do.
//! let bytes = quantised::encode(2, &[0.0, 1.0, 1.0, 0.0]).unwrap();
//! let Encoding::Absolute(learned) = (asset.decode)(&bytes).unwrap() else { unreachable!() };
//! assert_eq!((learned.width(), learned.rows()), (2, Some(2)));
//! assert_eq!(learned.write_row(2.0, &mut [0.0; 2]), Err(Error::PastTheEnd { position: 2.0, last: 1 }));
//! ```

use crate::{
    Absolute, Acts, Asset, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, SchemeSpec, Settings, Source,
    Unit,
    costs::{Cache, CostModel, Costs, Shape},
    plain::{Plain, YOURS},
    quantised::Table,
};

/// Positions that both tables have a row for.
const ROWS: usize = 512;

/// `learned`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "learned",
    acts: Acts::Embedding,
    drawn: Drawn::Weights,
    params: &[ParamSpec {
        key: "table",
        kind: Kind::Choice { options: &["rxnmapper", "minilm", YOURS], default: "rxnmapper" },
        unit: Unit::None,
        when: None,
    }],
    formula: &[Formula::always(r"x_p = \mathrm{token}(t_p) + E_p,\quad 0 \le p < L")],
    paper: Source::new(
        "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers",
        "https://arxiv.org/abs/1810.04805",
    ),
    reference: Source::new(
        "rxnmapper 0.4.3, albert.embeddings.position_embeddings; all-MiniLM-L6-v2, embeddings.position_embeddings",
        "https://github.com/rxn4chemistry/rxnmapper",
    ),
    pitfalls: &[
        Pitfall {
            key: "learned-first-row",
            source: Source::new(
                "sentence-transformers pull request 3879",
                "https://github.com/huggingface/sentence-transformers/pull/3879",
            ),
        },
        Pitfall {
            key: "learned-end",
            source: Source::new("Press, Smith, Lewis 2021, Train Short, Test Long", "https://arxiv.org/abs/2108.12409"),
        },
        Pitfall {
            key: "learned-untrained",
            source: Source::new("rxnmapper 0.4.3", "https://github.com/rxn4chemistry/rxnmapper"),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// `ROWS` × width numbers, BERT's 512 × 768 for instance.
fn costs(_settings: &Settings, shape: &Shape) -> Costs {
    let parameters = ROWS as f64 * shape.width();
    Costs { parameters, rows: Some(ROWS as f64), ..Costs::added(shape, Cache::Placed) }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let (file, columns) = match settings.choice("table") {
        // Its size is not known before it is here.
        YOURS => {
            return Err(Error::NeedsData(Asset { file: "learned-yours", rows: 0, columns: 0, decode: decode_plain }));
        }
        "minilm" => ("learned-minilm.bin", 384),
        _ => ("learned-rxnmapper.bin", 128),
    };
    Err(Error::NeedsData(Asset { file, rows: ROWS, columns, decode }))
}

/// The encoding of the bytes of a [`quantised`](crate::quantised) table.
///
/// # Errors
/// [`Error::Data`].
pub fn decode(bytes: &[u8]) -> Result<Encoding, Error> {
    Ok(Encoding::Absolute(Box::new(Learned::new(Weights::Quantised(Table::decode(bytes)?)))))
}

/// The encoding of the bytes of a [`plain`](crate::plain) table.
///
/// # Errors
/// [`Error::Data`].
pub fn decode_plain(bytes: &[u8]) -> Result<Encoding, Error> {
    Ok(Encoding::Absolute(Box::new(Learned::new(Weights::Plain(Plain::decode(bytes)?)))))
}

/// Weights in either format.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// A byte each.
    Quantised(Table),
    /// Four bytes each.
    Plain(Plain),
}

impl Weights {
    fn sides(&self) -> (usize, usize) {
        match self {
            Self::Quantised(table) => (table.rows(), table.columns()),
            Self::Plain(table) => (table.rows(), table.columns()),
        }
    }

    /// Writes a row that there is.
    fn write(&self, row: usize, out: &mut [f64]) {
        match self {
            Self::Quantised(table) => {
                out.iter_mut().enumerate().for_each(|(column, cell)| *cell = table.get(row, column));
            }
            Self::Plain(table) => {
                out.iter_mut().zip(table.row(row)).for_each(|(cell, weight)| *cell = f64::from(*weight));
            }
        }
    }
}

/// A table of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    weights: Weights,
    rows: usize,
    columns: usize,
    untrained: Vec<bool>,
}

impl Learned {
    /// Adds a table's rows.
    pub fn new(weights: Weights) -> Self {
        let (rows, columns) = weights.sides();
        let mut row = vec![0.0; columns];
        let mut norm = |place: usize| {
            weights.write(place, &mut row);
            libm::sqrt(row.iter().map(|x| x * x).sum())
        };
        let norms: Vec<f64> = (0..rows).map(&mut norm).collect();
        let mut sorted: Vec<f64> = norms.iter().copied().filter(|norm| norm.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        // Weights start small and grow where they are used.
        let untrained = norms.iter().map(|norm| *norm < median / 3.0).collect();
        Self { weights, rows, columns, untrained }
    }
}

impl Absolute for Learned {
    fn width(&self) -> usize {
        self.columns
    }

    fn rows(&self) -> Option<usize> {
        Some(self.rows)
    }

    /// A row whose length is less than a third of the median row's.
    fn untrained(&self, position: u64) -> bool {
        usize::try_from(position).ok().and_then(|row| self.untrained.get(row)).copied().unwrap_or(false)
    }

    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), Error> {
        if out.len() != self.width() {
            return Err(Error::Length { what: "out", given: out.len(), needed: self.width() });
        }
        if position >= self.rows as f64 {
            return Err(Error::PastTheEnd { position, last: self.rows - 1 });
        }
        // NaN has no row either.
        if !(position >= 0.0 && position.fract() == 0.0) {
            return Err(Error::NoRow(position));
        }
        self.weights.write(position as usize, out);
        Ok(())
    }
}
