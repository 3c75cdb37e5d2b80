//! Parts of the logit that read the content of query or key.
//!
//! The logit of query i and key j is `scale·(q_i·k_j) + b_ij`. The scheme says what the [`scale`](Content::scale) is and
//! writes b, one row of keys at a time: of `CoPE` a number of the row depends on all the logits of the row.
//!
//! ```
//! use posenc::{Config, Encoding, content::Tokens};
//!
//! let Encoding::Content(shaw) = Config::parse("shaw(head_dim=2)").unwrap().0.build().unwrap() else { unreachable!() };
//! let (q, k) = ([1.0, 0.5, -0.5, 0.25], [0.3, 0.6, -0.2, 0.1]);
//! let tokens = Tokens::new(2, &q, &k).unwrap();
//! let mut row = [0.0; 2];
//! shaw.write_row(&tokens, 1, false, &mut row).unwrap();
//! // Where the query is 0, there is nothing to read.
//! let tokens = Tokens::new(2, &[0.0; 4], &k).unwrap();
//! shaw.write_row(&tokens, 1, false, &mut row).unwrap();
//! assert_eq!(row, [0.0, 0.0]);
//! ```

use crate::{Error, grid::Grid, random::Normal};

/// Queries and keys of one head for a sequence of tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tokens<'a> {
    width: usize,
    q: &'a [f64],
    k: &'a [f64],
    start: i64,
    grid: Option<Grid>,
}

impl<'a> Tokens<'a> {
    /// As many queries as keys, each of `head_dim` numbers, token by token; the first token is at position 0.
    ///
    /// # Errors
    /// [`Error::Length`] where they are not whole rows, or not as many.
    pub fn new(head_dim: usize, q: &'a [f64], k: &'a [f64]) -> Result<Self, Error> {
        if head_dim == 0 || !q.len().is_multiple_of(head_dim) {
            return Err(Error::Length { what: "q", given: q.len(), needed: q.len().next_multiple_of(head_dim.max(1)) });
        }
        check(k, q.len(), "k")?;
        Ok(Self { width: head_dim, q, k, start: 0, grid: None })
    }

    /// The same tokens, the first at this position.
    #[must_use]
    pub fn from(self, start: i64) -> Self {
        Self { start, ..self }
    }

    /// The same tokens as the patches of an image, row by row.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many.
    pub fn on(self, grid: Grid) -> Result<Self, Error> {
        let needed = grid.height.saturating_mul(grid.width);
        if self.count() != needed {
            return Err(Error::Length { what: "patches", given: self.count(), needed });
        }
        Ok(Self { grid: Some(grid), ..self })
    }

    /// The image that they are patches of, where they are that.
    pub fn grid(&self) -> Option<Grid> {
        self.grid
    }

    /// How many tokens.
    pub fn count(&self) -> usize {
        self.q.len() / self.width
    }

    /// Numbers in a query or key.
    pub fn head_dim(&self) -> usize {
        self.width
    }

    /// The position of the first token.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// The query of a token; nothing past the last.
    pub fn q(&self, token: usize) -> &'a [f64] {
        self.q.get(token * self.width..(token + 1) * self.width).unwrap_or_default()
    }

    /// The key of a token; nothing past the last.
    pub fn k(&self, token: usize) -> &'a [f64] {
        self.k.get(token * self.width..(token + 1) * self.width).unwrap_or_default()
    }

    /// `q_i·k_j`.
    pub fn product(&self, query: usize, key: usize) -> f64 {
        dot(self.q(query), self.k(key))
    }
}

/// A scheme that reads query or key. It is of one head.
pub trait Content {
    /// Numbers in a query or key.
    fn head_dim(&self) -> usize;

    /// What `q·k` is multiplied by: 1/√d, or less where there are more terms beside it.
    fn scale(&self) -> f64 {
        1.0 / libm::sqrt(self.head_dim() as f64)
    }

    /// How many positions there are numbers for, counted from 0; `None` where there is no end.
    fn rows(&self) -> Option<usize> {
        None
    }

    /// Writes what is added to `scale·q·k` of one query, a number a key. With `causal`, numbers of keys after the query
    /// mean nothing, and such keys are not read.
    ///
    /// # Errors
    /// [`Error::Length`] where the tokens' width is another, or `out` has not a number a key; [`Error::PastTheEnd`] and
    /// [`Error::NoRow`] where the scheme has no number for a position.
    fn write_row(&self, tokens: &Tokens<'_>, query: usize, causal: bool, out: &mut [f64]) -> Result<(), Error>;

    /// What is added to the value of this key as this query sees it, where that is anything. Of the width
    /// [`head_dim`](Self::head_dim).
    fn value(&self, _query: i64, _key: i64) -> Option<&[f64]> {
        None
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Refuses a buffer that is not of this length.
pub(crate) fn check(buffer: &[f64], needed: usize, what: &'static str) -> Result<(), Error> {
    if buffer.len() == needed { Ok(()) } else { Err(Error::Length { what, given: buffer.len(), needed }) }
}

/// Refuses tokens of another width, a query that is none of them, and a row that is not of their number.
pub(crate) fn check_row(width: usize, tokens: &Tokens<'_>, query: usize, out: &[f64]) -> Result<(), Error> {
    if tokens.head_dim() != width {
        return Err(Error::Length { what: "q", given: tokens.head_dim(), needed: width });
    }
    if query >= tokens.count() {
        return Err(Error::PastTheEnd { position: query as f64, last: tokens.count().saturating_sub(1) });
    }
    check(out, tokens.count(), "out")
}

/// A made-up matrix: independent normal numbers of this spread.
pub(crate) fn matrix(random: &mut Normal, rows: usize, columns: usize, spread: f64) -> Vec<f64> {
    (0..rows * columns).map(|_| spread * random.sample()).collect()
}

/// `x·M` of a row x and a matrix of so many columns, given row by row.
pub(crate) fn times(x: &[f64], matrix: &[f64], columns: usize) -> Vec<f64> {
    let mut out = vec![0.0; columns];
    for (x, row) in x.iter().zip(matrix.chunks_exact(columns.max(1))) {
        for (cell, m) in out.iter_mut().zip(row) {
            *cell += x * m;
        }
    }
    out
}

impl std::fmt::Debug for dyn Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Content")
    }
}
