//! Attention of one head, with any scheme: scores, mask, softmax, output.
//!
//! Small and plain, to show and to test what a scheme does; a row of keys at a time. [`attend`] starts from queries, keys and
//! values; [`Head`] projects them from the tokens' vectors, which is where a scheme that is added to the embedding acts.
//!
//! ```
//! use posenc::{Config, attention::Head};
//!
//! let alibi = Config::parse("alibi(num_heads=8)").unwrap().0.build().unwrap();
//! let head = Head::random(16, 8, 1);
//! // Five tokens that are all the same: only their places differ.
//! let seen = head.attend(&alibi, 0, &[0.5; 5 * 16], true).unwrap();
//! let last = &seen.weights[4 * 5..];
//! assert!(last.windows(2).all(|pair| pair[0] < pair[1]));
//! assert!((last.iter().sum::<f64>() - 1.0).abs() < 1e-15);
//! assert_eq!(seen.weights[1], 0.0);
//! ```

mod order;

pub use order::{Reordered, rows_differ, twins};

use crate::{
    Encoding, Error,
    bias::Row,
    content::{Tokens, check, matrix, times},
    grid::Grid,
    random::Normal,
};

/// What attention computed for n tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// What goes into the softmax, queries × keys; −∞ where the mask is.
    pub logits: Vec<f64>,
    /// What comes out: each row adds up to 1.
    pub weights: Vec<f64>,
    /// Weighted means of the values, n × their width.
    pub output: Vec<f64>,
}

/// Attention of one head over queries, keys and values of its width, one each per token. `causal` masks the keys after each
/// query. A scheme that is added to the embedding has done its part before, and does nothing here. `head` matters for schemes
/// that differ from head to head.
///
/// # Errors
/// [`Error::Length`] where widths do not fit; [`Error::Head`]; [`Error::PastTheEnd`] and [`Error::NoRow`] where the scheme has
/// no number for a position.
pub fn attend(
    encoding: &Encoding,
    head: usize,
    tokens: &Tokens<'_>,
    values: &[f64],
    causal: bool,
) -> Result<Attention, Error> {
    let logits = logits(encoding, head, tokens, causal)?;
    let mut weights = logits.clone();
    for row in weights.chunks_exact_mut(tokens.count().max(1)) {
        softmax(row);
    }
    let output = output(encoding, tokens, values, &weights)?;
    Ok(Attention { logits, weights, output })
}

/// The means of the values by weights, queries × keys; what a scheme adds to values is in them.
///
/// # Errors
/// [`Error::Length`] where lengths do not fit.
pub fn output(encoding: &Encoding, tokens: &Tokens<'_>, values: &[f64], weights: &[f64]) -> Result<Vec<f64>, Error> {
    let (n, width) = (tokens.count(), tokens.head_dim());
    check(values, n * width, "values")?;
    check(weights, n * n, "weights")?;
    let mut output = vec![0.0; n * width];
    for (query, out) in output.chunks_exact_mut(width).enumerate() {
        for (key, value) in values.chunks_exact(width).enumerate() {
            let weight = weights[query * n + key];
            // A masked value is not read: it may be anything.
            if weight > 0.0 {
                let (i, j) = (position(tokens, query), position(tokens, key));
                let more = match encoding {
                    Encoding::Content(content) => content.value(i, j),
                    _ => None,
                };
                for (c, cell) in out.iter_mut().enumerate() {
                    *cell += weight * (value[c] + more.map_or(0.0, |more| more[c]));
                }
            }
        }
    }
    Ok(output)
}

/// Adds to tokens' vectors, `width` numbers each, what the scheme adds to the embedding, the first token being at `start`;
/// where they are patches, they are those of the image, and else one row. Other schemes add nothing.
///
/// # Errors
/// [`Error::Length`] where the scheme's vectors are not so wide; [`Error::PastTheEnd`] and [`Error::NoRow`].
pub fn embed(encoding: &Encoding, start: i64, grid: Option<Grid>, width: usize, x: &mut [f64]) -> Result<(), Error> {
    let grid = grid.unwrap_or(Grid { height: 1, width: x.len() / width.max(1) });
    let mut place = vec![0.0; width];
    for (token, row) in x.chunks_exact_mut(width.max(1)).enumerate() {
        match encoding {
            Encoding::Absolute(table) => table.write_row(start.saturating_add(token as i64) as f64, &mut place)?,
            Encoding::Grid(table) => {
                let columns = grid.width.max(1);
                table.write_patch(grid, token / columns, token % columns, &mut place)?;
            }
            _ => return Ok(()),
        }
        for (cell, place) in row.iter_mut().zip(&place) {
            *cell += place;
        }
    }
    Ok(())
}

fn position(tokens: &Tokens<'_>, token: usize) -> i64 {
    tokens.start().saturating_add(token as i64)
}

/// What products of queries and keys of `head_dim` numbers are multiplied by: 1/√d, unless a scheme that reads content
/// says otherwise. Where a bias leaves them as large as they are ([`crate::bias::Bias::scales_logits`]), it is what the weights
/// of the queries have taken in.
pub fn scale(encoding: &Encoding, head_dim: usize) -> f64 {
    match encoding {
        Encoding::Content(content) => content.scale(),
        _ => 1.0 / libm::sqrt(head_dim as f64),
    }
}

/// What goes into the softmax, queries × keys; −∞ where the mask is.
///
/// # Errors
/// As [`attend`].
pub fn logits(encoding: &Encoding, head: usize, tokens: &Tokens<'_>, causal: bool) -> Result<Vec<f64>, Error> {
    let (n, width) = (tokens.count(), tokens.head_dim());
    let products = products(encoding, tokens)?;
    let scale = match encoding {
        Encoding::Bias(bias) if !bias.scales_logits() => 1.0,
        _ => scale(encoding, width),
    };
    let mut logits = vec![0.0; n * n];
    for (query, row) in logits.chunks_exact_mut(n.max(1)).enumerate() {
        match encoding {
            Encoding::Bias(bias) => {
                let at = Row { head, query: position(tokens, query), length: position(tokens, n) };
                bias.write_row(at, tokens.start(), row)?;
            }
            Encoding::Content(content) => content.write_row(tokens, query, causal, row)?,
            Encoding::None
            | Encoding::Absolute(_)
            | Encoding::Rotary(_)
            | Encoding::QueryKey(_)
            | Encoding::Grid(_)
            | Encoding::Axial(_) => {}
        }
        for (key, cell) in row.iter_mut().enumerate() {
            *cell = if causal && key > query { f64::NEG_INFINITY } else { *cell + scale * products[query * n + key] };
        }
    }
    Ok(logits)
}

/// q·k of every pair, queries × keys, as far as the scheme turns or scales q and k; not yet scaled.
///
/// # Errors
/// As [`attend`].
pub fn products(encoding: &Encoding, tokens: &Tokens<'_>) -> Result<Vec<f64>, Error> {
    let (q, k) = (turned(encoding, tokens, Side::Query)?, turned(encoding, tokens, Side::Key)?);
    let own = Tokens::new(tokens.head_dim(), &q, &k)?;
    let pairs = (0..own.count()).flat_map(|query| (0..own.count()).map(move |key| (query, key)));
    Ok(pairs.map(|(query, key)| own.product(query, key)).collect())
}

/// Which of the two.
#[derive(Clone, Copy)]
enum Side {
    Query,
    Key,
}

/// Queries or keys, rotated where the scheme rotates. Where it rotates by several coordinates, tokens that are no patches
/// are text: all coordinates are the position.
fn turned(encoding: &Encoding, tokens: &Tokens<'_>, side: Side) -> Result<Vec<f64>, Error> {
    let width = tokens.head_dim();
    let mut all = vec![0.0; tokens.count() * width];
    for (token, out) in all.chunks_exact_mut(width).enumerate() {
        let at = position(tokens, token) as f64;
        let x = match side {
            Side::Query => tokens.q(token),
            Side::Key => tokens.k(token),
        };
        match (encoding, side) {
            (Encoding::Rotary(rotary), _) => rotary.rotate(x, at, out)?,
            (Encoding::QueryKey(both), Side::Query) => both.query(x, at, out)?,
            (Encoding::QueryKey(both), Side::Key) => both.key(x, at, out)?,
            (Encoding::Axial(axial), _) => match tokens.grid() {
                // An image among text has one time.
                Some(grid) => {
                    let place = axial.coordinates(grid, token / grid.width, token % grid.width)?;
                    let time = vec![at_start(tokens); axial.axes().len().saturating_sub(2)];
                    axial.rotate(x, &[time.as_slice(), &place].concat(), out)?;
                }
                None => axial.rotate(x, &vec![at; axial.axes().len()], out)?,
            },
            _ => out.copy_from_slice(x),
        }
    }
    Ok(all)
}

fn at_start(tokens: &Tokens<'_>) -> f64 {
    tokens.start() as f64
}

/// `e^x / Σ e^x` in place; −∞ becomes 0. A row of nothing but −∞ becomes zeros.
pub fn softmax(row: &mut [f64]) {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for x in row.iter_mut() {
        *x = if *x == f64::NEG_INFINITY { 0.0 } else { libm::exp(*x - most) };
        sum += *x;
    }
    if sum > 0.0 {
        for x in row {
            *x /= sum;
        }
    }
}

/// `ln Σ e^x`: what is taken from a logit to get the logarithm of its weight. −∞ for none, or nothing but −∞.
pub fn log_sum_exp(logits: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logits.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + libm::log(logits.map(|x| libm::exp(x - most)).sum())
}

/// The projections of one head, from a token's vector to query, key and value.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    width: usize,
    columns: usize,
    q: Vec<f64>,
    k: Vec<f64>,
    v: Vec<f64>,
    start: i64,
    grid: Option<Grid>,
}

impl Head {
    /// From weights: matrices of `width` rows and `head_dim` columns, row by row.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn new(width: usize, head_dim: usize, q: Vec<f64>, k: Vec<f64>, v: Vec<f64>) -> Result<Self, Error> {
        for (matrix, what) in [(&q, "q"), (&k, "k"), (&v, "v")] {
            check(matrix, width * head_dim, what)?;
        }
        Ok(Self { width, columns: head_dim, q, k, v, start: 0, grid: None })
    }

    /// Made-up projections: independent normal numbers of variance 1/width, fixed by the seed.
    pub fn random(width: usize, head_dim: usize, seed: u64) -> Self {
        let mut random = Normal::new(seed);
        let mut draw = || matrix(&mut random, width, head_dim, 1.0 / libm::sqrt(width.max(1) as f64));
        let (q, k, v) = (draw(), draw(), draw());
        Self { width, columns: head_dim, q, k, v, start: 0, grid: None }
    }

    /// Query, key and value are the token's vector.
    pub fn identity(width: usize) -> Self {
        let one: Vec<f64> = (0..width * width).map(|i| if i / width == i % width { 1.0 } else { 0.0 }).collect();
        Self { width, columns: width, q: one.clone(), k: one.clone(), v: one, start: 0, grid: None }
    }

    /// The same head; the first token is at this position.
    #[must_use]
    pub fn from(self, start: i64) -> Self {
        Self { start, ..self }
    }

    /// The same head; the tokens are the patches of an image, row by row.
    #[must_use]
    pub fn on(self, grid: Grid) -> Self {
        Self { grid: Some(grid), ..self }
    }

    /// Attention over tokens' vectors, `width` numbers each, token by token. A scheme that is added to the embedding is
    /// added first.
    ///
    /// # Errors
    /// As [`attend`].
    pub fn attend(&self, encoding: &Encoding, head: usize, x: &[f64], causal: bool) -> Result<Attention, Error> {
        if self.width == 0 || !x.len().is_multiple_of(self.width) {
            let needed = x.len().next_multiple_of(self.width.max(1));
            return Err(Error::Length { what: "x", given: x.len(), needed });
        }
        let mut x = x.to_vec();
        embed(encoding, self.start, self.grid, self.width, &mut x)?;
        let project =
            |m: &[f64]| x.chunks_exact(self.width).flat_map(|row| times(row, m, self.columns)).collect::<Vec<f64>>();
        let (q, k, v) = (project(&self.q), project(&self.k), project(&self.v));
        let tokens = Tokens::new(self.columns, &q, &k)?.from(self.start);
        let tokens = match self.grid {
            Some(grid) => tokens.on(grid)?,
            None => tokens,
        };
        attend(encoding, head, &tokens, &v, causal)
    }
}
