//! What can be wrong with a request.

use crate::Encoding;

/// A file of weights, which the caller gets from wherever it keeps its files.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Its name.
    pub file: &'static str,
    /// Rows of its table.
    pub rows: usize,
    /// Numbers in a row.
    pub columns: usize,
    /// Makes the encoding from its bytes.
    pub decode: fn(&[u8]) -> Result<Encoding, Error>,
}

impl PartialEq for Asset {
    /// Files are told apart by their names.
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

/// Why an encoding cannot be built or evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No scheme has this id.
    #[error("no scheme is called \"{0}\"")]
    UnknownScheme(String),
    /// The scheme is defined only for other values of this parameter.
    #[error("{key} = {value}: {reason}")]
    Parameter {
        /// The parameter's key.
        key: &'static str,
        /// The value as text.
        value: String,
        /// What is needed, in one clause.
        reason: &'static str,
    },
    /// The position has no row in the table.
    #[error("position {position} is past the last row, {last}")]
    PastTheEnd {
        /// The position asked for.
        position: f64,
        /// The last position that has a row.
        last: usize,
    },
    /// A buffer's length does not fit the request.
    #[error("{what}: {given} values where {needed} are needed")]
    Length {
        /// Which buffer.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length that fits.
        needed: usize,
    },
    /// There is no such head.
    #[error("head {head} is not one of {heads}")]
    Head {
        /// The head asked for, from 0.
        head: usize,
        /// How many there are.
        heads: usize,
    },
    /// A table has rows for whole positions from 0 on.
    #[error("position {0} has no row: a table has whole positions from 0")]
    NoRow(f64),
    /// The scheme is made of weights that are kept in a file: [`Asset::decode`] makes it from the file's bytes.
    #[error("it is made from the file {}", .0.file)]
    NeedsData(Asset),
    /// Bytes that are not a table of the format.
    #[error("this is no table of weights: {0}")]
    Data(&'static str),
    /// The text of a scheme, `id(key=value,…)`, cannot be read.
    #[error("\"{0}\" is not of the form id(key=value,…)")]
    Syntax(String),
}
