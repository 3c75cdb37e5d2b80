//! Tables of weights in bytes, as they are: what a program brings of its own.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `POSENCF4` |
//! | 4 | rows R, little-endian |
//! | 4 | columns C, little-endian |
//! | 4·R·C | the weights, row by row, an f32 each, little-endian |
//!
//! A scheme whose parameter `table` is [`YOURS`] is made of one: [`Error::NeedsData`] says under which name it looks for
//! it. Weights may be anything that an f32 may be, NaN too: what is computed from such a row is NaN.
//!
//! ```
//! use posenc::{Config, Encoding, Error, plain};
//!
//! let Err(Error::NeedsData(asset)) = Config::parse("learned(table=yours)").unwrap().0.build() else { unreachable!() };
//! assert_eq!(asset.file, "learned-yours");
//! let bytes = plain::encode(2, &[0.5, 1.0, 2.0, 3.0]).unwrap();
//! let Encoding::Absolute(learned) = (asset.decode)(&bytes).unwrap() else { unreachable!() };
//! assert_eq!((learned.width(), learned.rows()), (2, Some(2)));
//! ```

use crate::Error;

/// The word by which a scheme's parameter `table` asks for a table of the caller's.
pub const YOURS: &str = "yours";

const MAGIC: &[u8; 8] = b"POSENCF4";
/// Numbers in a table at the most: 64 MB.
const MOST: usize = 1 << 24;

/// A table, decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    columns: usize,
    weights: Vec<f32>,
}

impl Plain {
    /// Reads a table from bytes.
    ///
    /// # Errors
    /// [`Error::Data`]: whatever the bytes are, they are a table or are refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Error::Data("it does not begin with POSENCF4"))?;
        let (head, rest) = rest.split_first_chunk::<8>().ok_or(Error::Data("it ends within its head"))?;
        let [a, b, c, d, e, f, g, h] = *head;
        let [rows, columns] = [[a, b, c, d], [e, f, g, h]].map(|side| u32::from_le_bytes(side) as usize);
        let cells = rows.checked_mul(columns).filter(|n| *n > 0 && *n <= MOST).ok_or(Error::Data("its size"))?;
        if rest.len() != 4 * cells {
            return Err(Error::Data("its length does not fit its size"));
        }
        let weights = rest.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        Ok(Self { columns, weights })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.weights.len() / self.columns
    }

    /// Numbers in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One weight; NaN outside.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let place = if column < self.columns { row.checked_mul(self.columns) } else { None };
        let weight = place.and_then(|first| self.weights.get(first + column));
        weight.map_or(f64::NAN, |weight| f64::from(*weight))
    }

    /// The weights, row by row.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights of a row; none outside.
    pub fn row(&self, row: usize) -> &[f32] {
        let first = row.checked_mul(self.columns);
        first.and_then(|first| self.weights.get(first..)?.get(..self.columns)).unwrap_or_default()
    }
}

/// The bytes of a table of so many columns, its weights row by row.
///
/// # Errors
/// [`Error::Length`] where they are not whole rows; [`Error::Data`] where there are none or too many.
pub fn encode(columns: usize, weights: &[f32]) -> Result<Vec<u8>, Error> {
    if columns == 0 || !weights.len().is_multiple_of(columns) {
        let needed = weights.len().next_multiple_of(columns.max(1));
        return Err(Error::Length { what: "weights", given: weights.len(), needed });
    }
    if weights.is_empty() || weights.len() > MOST {
        return Err(Error::Data("its size"));
    }
    let mut bytes = vec![0; 16 + 4 * weights.len()];
    bytes[..8].copy_from_slice(MAGIC);
    for (at, side) in [(8, weights.len() / columns), (12, columns)] {
        bytes[at..at + 4].copy_from_slice(&(side as u32).to_le_bytes());
    }
    for (bytes, weight) in bytes[16..].chunks_exact_mut(4).zip(weights) {
        bytes.copy_from_slice(&weight.to_le_bytes());
    }
    Ok(bytes)
}
