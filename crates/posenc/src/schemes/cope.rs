//! Contextual position encoding: a key's position is counted in gates that its content opens.
//!
//! Golovneva et al. 2024, "Contextual Position Encoding", <https://arxiv.org/abs/2405.18719>:
//! `g_ij = σ(q_i·k_j)`, `p_ij = Σ_{t=j..i} g_it`, at most `npos_max` − 1, and the bias is `q_i·e[p_ij]`, between whole positions
//! interpolated. A key's number depends on all the keys between it and the query.
//!
//! **Shapes and units.** [`Content`]: e `npos_max` × `head_dim`; what is added is in logits, positions are in gates. The
//! vectors e are made up ([`Drawn::Synthetic`]).
//!
//! **Errors.** [`Error::Length`] where a given table is not whole rows.
//!
//! The paper and its listing take the logits as they are, here divided by √d; the authors' repository divides q·k by √d for
//! the gates, and adds the bias before it divides the sum by √d (`scaling=repository`).
//!
//! ```
//! use posenc::{content::Tokens, schemes::cope::Cope};
//!
//! // Gates of q·k = 0 are half open.
//! let cope = Cope::new(1, vec![0.0, 1.0, 2.0], 1.0, 1.0).unwrap();
//! let tokens = Tokens::new(1, &[1.0; 3], &[0.0; 3]).unwrap();
//! assert_eq!(cope.positions(&tokens, 2, true), [1.5, 1.0, 0.5]);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    content::{Content, Tokens, check_row, dot, matrix},
    costs::{CostModel, Costs, Shape},
    random::Normal,
};

/// `cope`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "cope",
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
            key: "npos_max",
            kind: Kind::Integer { min: 1, max: 4096, step: 1, default: 64, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "scaling",
            kind: Kind::Choice { options: &["listing", "repository"], default: "listing" },
            unit: Unit::None,
            when: None,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} g_{ij} &= \sigma\left(\frac{q_i \cdot k_j}{\sqrt{\slot{head_dim}}}\right) \\ p_{ij} &= \min\left(\sum_{t=j}^{i} g_{it},\ \slot{npos_max} - 1\right) \\ b_{ij} &= q_i \cdot e_{p_{ij}} \end{aligned}",
    )],
    paper: Source::new(
        "Golovneva et al. 2024, Contextual Position Encoding: Learning to Count What's Important",
        "https://arxiv.org/abs/2405.18719",
    ),
    reference: Source::new(
        "x-transformers 2.31.10, CoPE; facebookresearch/RAM, projects/cope",
        "https://github.com/facebookresearch/RAM/blob/main/projects/cope/src/cope/context_position.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "cope-mask",
            source: Source::new("Golovneva et al. 2024, appendix B", "https://arxiv.org/abs/2405.18719"),
        },
        Pitfall {
            key: "cope-scale",
            source: Source::new(
                "facebookresearch/RAM, projects/cope",
                "https://github.com/facebookresearch/RAM/blob/main/projects/cope/src/cope/context_position.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// Vectors for each layer, which each query meets; a gate, a sum and an interpolation a pair.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let numbers = settings.integer("npos_max") as f64 * shape.head_dim;
    Costs {
        parameters: numbers * shape.layers,
        per_token: 2.0 * numbers * shape.heads * shape.layers,
        per_pair: 11.0,
        ..Costs::logits(shape)
    }
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let width = settings.integer("head_dim") as usize;
    let table = matrix(&mut Normal::new(0x436f), settings.integer("npos_max") as usize, width, 1.0);
    let root = 1.0 / libm::sqrt(width as f64);
    // The listing leaves the bias as it is; so that made-up vectors do not drown the content, they are that much shorter.
    let (table, factor) = match settings.choice("scaling") {
        "repository" => (table, root),
        _ => (table.iter().map(|e| e * root).collect(), 1.0),
    };
    Ok(Encoding::Content(Box::new(Cope::new(width, table, root, factor)?)))
}

/// Vectors for whole positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Cope {
    width: usize,
    table: Vec<f64>,
    gates: f64,
    factor: f64,
}

impl Cope {
    /// From weights: a vector of `head_dim` numbers for each position from 0; what `q·k` is multiplied by for the gates,
    /// and what the bias is.
    ///
    /// # Errors
    /// [`Error::Length`] where the table is not whole rows, or none.
    pub fn new(head_dim: usize, table: Vec<f64>, gates: f64, factor: f64) -> Result<Self, Error> {
        if head_dim == 0 || table.is_empty() || !table.len().is_multiple_of(head_dim) {
            let needed = table.len().max(1).next_multiple_of(head_dim.max(1));
            return Err(Error::Length { what: "table", given: table.len(), needed });
        }
        Ok(Self { width: head_dim, table, gates, factor })
    }

    /// The position of each key as this query counts it, in gates, before it is cut. With `causal`, the gates of keys
    /// after the query are shut.
    pub fn positions(&self, tokens: &Tokens<'_>, query: usize, causal: bool) -> Vec<f64> {
        let mut sum = 0.0;
        let mut positions = vec![0.0; tokens.count()];
        for key in (0..tokens.count()).rev() {
            if !(causal && key > query) {
                sum += 1.0 / (1.0 + libm::exp(-tokens.product(query, key) * self.gates));
            }
            positions[key] = sum;
        }
        positions
    }
}

impl Content for Cope {
    fn head_dim(&self) -> usize {
        self.width
    }

    fn write_row(&self, tokens: &Tokens<'_>, query: usize, causal: bool, out: &mut [f64]) -> Result<(), Error> {
        check_row(self.width, tokens, query, out)?;
        let q = tokens.q(query);
        let whole: Vec<f64> = self.table.chunks_exact(self.width).map(|e| dot(q, e) * self.factor).collect();
        let last = whole.len() - 1;
        for (cell, position) in out.iter_mut().zip(self.positions(tokens, query, causal)) {
            let position = position.min(last as f64);
            let below = libm::floor(position);
            let (low, high) = (whole[below as usize], whole[(below as usize + 1).min(last)]);
            *cell = low + (position - below) * (high - low);
        }
        Ok(())
    }
}
