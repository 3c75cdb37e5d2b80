//! What can be wrong with a request.

/// Why an encoding cannot be built or evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No scheme has this id.
    #[error("no scheme is called {0:?}")]
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
    /// The text of a scheme, `id(key=value,…)`, cannot be read.
    #[error("{0:?} is not of the form id(key=value,…)")]
    Syntax(String),
}
