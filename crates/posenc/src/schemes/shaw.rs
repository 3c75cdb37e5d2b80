//! Relative position representations: a learned vector for each distance, added to the key and to the value.
//!
//! Shaw, Uszkoreit, Vaswani 2018, "Self-Attention with Relative Position Representations",
//! <https://arxiv.org/abs/1803.02155>: `e_ij = q_i·(k_j + a^K_c)/√d`, `z_i = Σ_j α_ij·(v_j + a^V_c)`,
//! `c = clip(j − i, −left, right)`. The paper clips both sides at k = 16; wav2vec2-bert at 64 and 8.
//!
//! **Shapes and units.** [`Content`]: two tables of (left + 1 + right) × `head_dim`, shared by the heads; what is added is
//! in logits, and to the value in its own units. The vectors are made up to show the shape ([`Drawn::Synthetic`]).
//!
//! **Errors.** [`Error::Length`] where a given table is not of that size.
//!
//! ```
//! use posenc::{content::{Content, Tokens}, schemes::shaw::Shaw};
//!
//! // One number wide, one step either way: the vectors of "before", "same" and "after".
//! let shaw = Shaw::new(1, 1, 1, vec![10.0, 20.0, 30.0], None).unwrap();
//! let mut row = [0.0; 4];
//! shaw.write_row(&Tokens::new(1, &[1.0; 4], &[0.0; 4]).unwrap(), 2, false, &mut row).unwrap();
//! assert_eq!(row, [10.0, 10.0, 20.0, 30.0]);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    content::{Content, Tokens, check, check_row, dot, matrix},
    costs::{CostModel, Costs, Shape},
    random::Normal,
};

/// `shaw`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "shaw",
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
            key: "left_max_position_embeddings",
            kind: Kind::Integer { min: 0, max: 1024, step: 1, default: 16, scale: Scale::Linear },
            unit: Unit::Tokens,
            when: None,
        },
        ParamSpec {
            key: "right_max_position_embeddings",
            kind: Kind::Integer { min: 0, max: 1024, step: 1, default: 16, scale: Scale::Linear },
            unit: Unit::Tokens,
            when: None,
        },
        ParamSpec { key: "relative_values", kind: Kind::Switch { default: true }, unit: Unit::None, when: None },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} e_{ij} &= \frac{q_i \cdot (k_j + a^K_c)}{\sqrt{\slot{head_dim}}} \\ z_i &= \sum_j \alpha_{ij}\,(v_j + a^V_c) \\ c &= \mathrm{clip}(j - i,\ -\slot{left_max_position_embeddings},\ \slot{right_max_position_embeddings}) \end{aligned}",
    )],
    paper: Source::new(
        "Shaw, Uszkoreit, Vaswani 2018, Self-Attention with Relative Position Representations",
        "https://arxiv.org/abs/1803.02155",
    ),
    reference: Source::new(
        "transformers 5.24.0, wav2vec2_bert, relative_key",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/wav2vec2_bert/modeling_wav2vec2_bert.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "shaw-sign",
            source: Source::new(
                "transformers 4.45.2, modeling_bert.py, relative_key",
                "https://github.com/huggingface/transformers/blob/v4.45.2/src/transformers/models/bert/modeling_bert.py",
            ),
        },
        Pitfall {
            key: "shaw-values",
            source: Source::new(
                "transformers 4.45.2, modeling_bert.py, relative_key",
                "https://github.com/huggingface/transformers/blob/v4.45.2/src/transformers/models/bert/modeling_bert.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// Tables for each layer; a product a pair with the key's vector, and one with the value's.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let left = settings.integer("left_max_position_embeddings") as f64;
    let right = settings.integer("right_max_position_embeddings") as f64;
    let tables = if settings.switch("relative_values") { 2.0 } else { 1.0 };
    Costs {
        parameters: tables * (left + 1.0 + right) * shape.head_dim * shape.layers,
        per_pair: tables * 2.0 * shape.head_dim,
        ..Costs::logits(shape)
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let width = settings.integer("head_dim") as usize;
    let left = settings.integer("left_max_position_embeddings");
    let right = settings.integer("right_max_position_embeddings");
    let rows = (left + 1 + right) as usize;
    let mut random = Normal::new(0x5348);
    let keys = matrix(&mut random, rows, width, 1.0);
    let values = settings.switch("relative_values").then(|| matrix(&mut random, rows, width, 1.0));
    Ok(Encoding::Content(Box::new(Shaw::new(width, left, right, keys, values)?)))
}

/// Vectors for clipped distances.
#[derive(Debug, Clone, PartialEq)]
pub struct Shaw {
    width: usize,
    left: i64,
    right: i64,
    keys: Vec<f64>,
    values: Option<Vec<f64>>,
}

impl Shaw {
    /// Tables of `left + 1 + right` rows of `head_dim` numbers, the first for keys at least `left` tokens before the query.
    ///
    /// # Errors
    /// [`Error::Length`] where a table is not of that size.
    pub fn new(
        head_dim: usize,
        left: i64,
        right: i64,
        keys: Vec<f64>,
        values: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let (left, right) = (left.max(0), right.max(0));
        let rows = left.saturating_add(right).saturating_add(1) as usize;
        let needed = rows.saturating_mul(head_dim);
        check(&keys, needed, "keys")?;
        if let Some(values) = &values {
            check(values, needed, "values")?;
        }
        Ok(Self { width: head_dim, left, right, keys, values })
    }

    /// The row of the tables for a query and a key.
    pub fn row(&self, query: i64, key: i64) -> usize {
        (key.saturating_sub(query).clamp(-self.left, self.right) + self.left) as usize
    }
}

impl Content for Shaw {
    fn head_dim(&self) -> usize {
        self.width
    }

    fn write_row(&self, tokens: &Tokens<'_>, query: usize, _causal: bool, out: &mut [f64]) -> Result<(), Error> {
        check_row(self.width, tokens, query, out)?;
        for (key, cell) in out.iter_mut().enumerate() {
            let row = self.row(query as i64, key as i64);
            let vector = &self.keys[row * self.width..(row + 1) * self.width];
            *cell = dot(tokens.q(query), vector) * self.scale();
        }
        Ok(())
    }

    fn value(&self, query: i64, key: i64) -> Option<&[f64]> {
        let row = self.row(query, key);
        self.values.as_ref().map(|values| &values[row * self.width..(row + 1) * self.width])
    }
}
