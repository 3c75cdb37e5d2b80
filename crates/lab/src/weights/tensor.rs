//! What a file has.

use super::{Dtype, find};
use serde::{Deserialize, Serialize};

/// A file's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Hugging Face's `.safetensors`.
    Safetensors,
    /// numpy's `.npy`: one tensor.
    Npy,
}

/// What a tensor is for, by its name and shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A row for each position. `first` rows come before that of position 0: OPT, BART and `RoBERTa` keep two.
    Positions {
        /// Rows before that of position 0.
        first: u64,
    },
    /// A row for each patch of a square image, row by row, after `special` rows for tokens that are no patches.
    Grid {
        /// Patches to a side.
        size: u64,
        /// Rows before the first patch.
        special: u64,
    },
    /// T5's: buckets × heads.
    Buckets {
        /// Whether half of the buckets are for keys after the query: those of an encoder.
        both_ways: bool,
    },
    /// A row for each distance: Shaw's, `DeBERTa`'s.
    Distances,
    /// Radians a token, one for each rotated plane.
    Frequencies,
    /// Rows and columns that nothing is known of.
    Table,
    /// Neither rows nor columns, or numbers of a type that is not read.
    Other,
}

impl Kind {
    /// Whether it says where tokens stand.
    pub fn is_position(self) -> bool {
        !matches!(self, Self::Table | Self::Other)
    }

    /// The order in which tensors are listed.
    fn rank(self) -> u8 {
        match self {
            Self::Positions { .. } => 0,
            Self::Grid { .. } => 1,
            Self::Buckets { .. } => 2,
            Self::Distances => 3,
            Self::Frequencies => 4,
            Self::Table => 5,
            Self::Other => 6,
        }
    }
}

/// A tensor of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    /// Its name; empty in a format that has none.
    pub name: String,
    /// Its numbers.
    pub dtype: Dtype,
    /// Its shape, outermost first.
    pub shape: Vec<u64>,
    /// What it is for.
    pub kind: Kind,
    /// Where its numbers begin in the file, in bytes.
    pub begin: u64,
    /// Whether a number's bytes come greatest first.
    pub big_endian: bool,
    /// Whether neighbours in memory are those of a column.
    pub by_column: bool,
}

impl Tensor {
    /// Its rows and columns: its shape without sides of 1, where two are left.
    pub fn sides(&self) -> Option<(u64, u64)> {
        find::sides(&self.shape)
    }
}

/// Tensors that are listed at the most.
pub const MOST_LISTED: usize = 2000;

/// What a file has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Its format.
    pub format: Format,
    /// Its tensors: first those that say where tokens stand.
    pub tensors: Vec<Tensor>,
    /// How many more it has than are listed.
    pub more: u64,
}

impl Found {
    /// The first [`MOST_LISTED`], those first that say where tokens stand, else in the order of their names.
    pub(super) fn sorted(format: Format, mut tensors: Vec<Tensor>) -> Self {
        tensors.sort_by_key(|tensor| tensor.kind.rank());
        let more = tensors.len().saturating_sub(MOST_LISTED) as u64;
        tensors.truncate(MOST_LISTED);
        Self { format, tensors, more }
    }
}
