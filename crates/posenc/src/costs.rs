//! What a scheme costs in a model: parameters, memory, operations, and what a cache of keys must know.
//!
//! A scheme's file says how its costs are counted ([`CostModel`]); [`Config::costs`](crate::Config::costs) counts them for
//! a [`Shape`]. The widths and heads are those of the shape, not of the scheme's own parameters, so that schemes are
//! compared within one model; buckets, rows and shares are the scheme's.
//!
//! **What is counted.** An addition, a multiplication, a comparison and a value of a function (exponential, cosine …) is
//! one operation each; a product of matrices two for each pair of numbers. What attention costs without positions
//! ([`Shape::attention`]) is not included. Published code may do more: a bias is often written out as a matrix
//! ([`Costs::matrix`]) though it would not have to be. Counts are `f64`, exact up to 2⁵³, so that no length overflows.
//!
//! ```
//! use posenc::{Config, costs::Shape};
//!
//! // BERT: 12 heads of 64 in 12 layers.
//! let bert = Shape { layers: 12.0, heads: 12.0, kv_heads: 12.0, head_dim: 64.0, length: 512.0, causal: false };
//! let costs = |scheme: &str| Config::parse(scheme).unwrap().0.costs(&bert);
//! assert_eq!(costs("learned").parameters, 393_216.0);
//! assert_eq!(costs("alibi").parameters, 0.0);
//! assert_eq!(costs("alibi").matrix, 12.0 * 512.0 * 512.0);
//! ```

use crate::Settings;

/// The model and the sequence that costs are counted for. All are whole numbers from 1 up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Layers with attention.
    pub layers: f64,
    /// Heads of queries in a layer.
    pub heads: f64,
    /// Heads of keys and values in a layer; fewer where several heads of queries share one.
    pub kv_heads: f64,
    /// Numbers in a query or key.
    pub head_dim: f64,
    /// Tokens in the sequence.
    pub length: f64,
    /// Whether a query sees only the keys up to it.
    pub causal: bool,
}

impl Shape {
    /// Numbers in a token's vector: heads × `head_dim`.
    pub fn width(&self) -> f64 {
        self.heads * self.head_dim
    }

    /// Pairs of a query and a key that it sees, in one head.
    pub fn pairs(&self) -> f64 {
        if self.causal { self.length * (self.length + 1.0) / 2.0 } else { self.length * self.length }
    }

    /// Different offsets between queries and the keys that they see.
    pub fn offsets(&self) -> f64 {
        if self.causal { self.length } else { 2.0 * self.length - 1.0 }
    }

    /// Operations of attention without positions: `4·head_dim` a pair, for the logit and for the value.
    pub fn attention(&self) -> f64 {
        4.0 * self.head_dim * self.pairs() * self.heads * self.layers
    }

    /// Of [`attention`](Self::attention), the operations of the last token.
    pub fn last_attention(&self) -> f64 {
        4.0 * self.head_dim * self.length * self.heads * self.layers
    }

    /// Numbers in the cache of keys and values.
    pub fn cache(&self) -> f64 {
        2.0 * self.head_dim * self.kv_heads * self.layers * self.length
    }
}

/// What a scheme adds to the costs of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Numbers that are learned, in the whole model.
    pub parameters: f64,
    /// Numbers that are computed once and kept: cosines and sines, biases by offset.
    pub table: f64,
    /// Operations once for a sequence, whatever its tokens are: filling the table, projecting places.
    pub once: f64,
    /// Operations for each token, in all heads and layers together.
    pub per_token: f64,
    /// Operations for each pair of a query and a key, in one head of one layer.
    pub per_pair: f64,
    /// Numbers of what is added to the logits of one layer where it is written out: heads × length².
    pub matrix: f64,
    /// What keys in a cache are.
    pub cache: Cache,
    /// The greatest length that there are numbers for; `None` where there is no end.
    pub rows: Option<f64>,
}

/// What keys in a cache are, while a model writes token by token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cache {
    /// As the projection made them: places come in afterwards.
    Raw,
    /// With their places in them since the embedding: more can be appended, and none moved.
    Placed,
    /// Rotated to their places: one more rotation moves them.
    Rotated {
        /// When they no longer fit.
        stale: Stale,
        /// Operations to rotate the keys of one token anew, in all layers.
        again: f64,
    },
    /// Rotated, and scaled by their distance to a centre, which must stay the same.
    Centred,
    /// There is none: all patches are seen at once.
    Nothing,
}

/// When rotated keys no longer fit the queries; lengths in tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stale {
    /// Never.
    Never,
    /// With every token past this length.
    Past(f64),
    /// Once, with the first token past this length.
    At(f64),
}

impl Costs {
    /// Of a scheme that does nothing.
    pub const NONE: Self = Self {
        parameters: 0.0,
        table: 0.0,
        once: 0.0,
        per_token: 0.0,
        per_pair: 0.0,
        matrix: 0.0,
        cache: Cache::Raw,
        rows: None,
    };

    /// Of a vector that is added to each token's, computed or learned.
    pub(crate) fn added(shape: &Shape, cache: Cache) -> Self {
        Self { per_token: shape.width(), cache, ..Self::NONE }
    }

    /// Of a table of waves, a number a dimension, that is added to the tokens' vectors.
    pub(crate) fn waves(shape: &Shape, cache: Cache) -> Self {
        let numbers = shape.length * shape.width();
        Self { table: numbers, once: numbers, ..Self::added(shape, cache) }
    }

    /// Of a rotation of so many dimensions of every query and key, in so many layers: six operations a plane, and a table
    /// of a cosine and a sine each.
    pub(crate) fn rotation(shape: &Shape, dims: f64, layers: f64, stale: Stale) -> Self {
        let numbers = shape.length * dims;
        Self {
            table: numbers,
            once: numbers,
            per_token: 3.0 * dims * (shape.heads + shape.kv_heads) * layers,
            cache: Cache::Rotated { stale, again: 3.0 * dims * shape.kv_heads * layers },
            ..Self::NONE
        }
    }

    /// Of a number that is added to each logit.
    pub(crate) fn logits(shape: &Shape) -> Self {
        Self { per_pair: 1.0, matrix: shape.heads * shape.length * shape.length, ..Self::NONE }
    }

    /// Of a number that is added to each logit and depends on the head and the offset alone, so that it is kept by these.
    pub(crate) fn by_offset(shape: &Shape) -> Self {
        Self { table: shape.heads * shape.offsets(), ..Self::logits(shape) }
    }

    /// Bytes of parameters and table, at so many bytes a number.
    pub fn bytes(&self, each: f64) -> f64 {
        (self.parameters + self.table) * each
    }

    /// Operations for a whole sequence.
    pub fn operations(&self, shape: &Shape) -> f64 {
        let pairs = shape.pairs() * shape.heads * shape.layers;
        self.once + self.per_token * shape.length + self.per_pair * pairs
    }

    /// Operations for the last token of a sequence, the keys before it being in the cache and the table being filled.
    pub fn next_token(&self, shape: &Shape) -> f64 {
        self.per_token + self.per_pair * shape.length * shape.heads * shape.layers + self.again(shape)
    }

    /// Of [`next_token`](Self::next_token), those for keys in the cache that must be rotated anew. Published code does
    /// not do it: its keys are then wrong, or it drops the cache.
    pub fn again(&self, shape: &Shape) -> f64 {
        let Cache::Rotated { stale, again } = self.cache else { return 0.0 };
        let cached = shape.length - 1.0;
        match stale {
            Stale::Past(length) if shape.length > length => again * cached,
            Stale::At(length) if shape.length > length && cached <= length => again * cached,
            _ => 0.0,
        }
    }
}

/// How a scheme's costs are counted. Without the feature `costs` it is nothing.
#[derive(Debug, Clone, Copy)]
pub struct CostModel {
    #[cfg(feature = "costs")]
    count: fn(&Settings, &Shape) -> Costs,
}

impl CostModel {
    /// By this function of the scheme's parameters.
    #[cfg_attr(not(feature = "costs"), expect(unused_variables, reason = "it is left out"))]
    pub const fn new(count: fn(&Settings, &Shape) -> Costs) -> Self {
        Self {
            #[cfg(feature = "costs")]
            count,
        }
    }

    /// The costs of the scheme with these parameters.
    #[cfg(feature = "costs")]
    pub fn count(&self, settings: &Settings, shape: &Shape) -> Costs {
        (self.count)(settings, shape)
    }
}
