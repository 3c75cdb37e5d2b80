//! Tables of weights in bytes: a row is whole numbers from −127 to 127 and one scale.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `POSENCQ8` |
//! | 4 | rows R, little-endian |
//! | 4 | columns C, little-endian |
//! | 4·R | the scale of each row, an f32, little-endian |
//! | R·C | the numbers, one signed byte each, row by row |
//!
//! A weight is number × scale, and the scale is the row's greatest magnitude / 127: a weight is off by half a scale at the
//! most ([`Table::bound`]). One row that is far larger than the others does not cost them precision.
//!
//! ```
//! use posenc::quantised::{Table, encode};
//!
//! let bytes = encode(2, &[1.0, -0.5, 0.01, 0.02]).unwrap();
//! let table = Table::decode(&bytes).unwrap();
//! assert_eq!(table.rows(), 2);
//! assert!((table.get(0, 1) + 0.5).abs() <= table.bound(0));
//! assert!((table.get(1, 0) - 0.01).abs() < 1e-4);
//! assert!(Table::decode(&bytes[1..]).is_err());
//! ```

use crate::Error;

const MAGIC: &[u8; 8] = b"POSENCQ8";
/// Numbers in a table at the most: 64 MB.
const MOST: usize = 1 << 26;

/// A table, decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: usize,
    scales: Vec<f32>,
    numbers: Vec<i8>,
}

impl Table {
    /// Reads a table from the bytes of a file.
    ///
    /// # Errors
    /// [`Error::Data`]: whatever the bytes are, they are a table or are refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Error::Data("it does not begin with POSENCQ8"))?;
        let (rows, rest) = split(rest)?;
        let (columns, rest) = split(rest)?;
        let (rows, columns) = (u32::from_le_bytes(rows) as usize, u32::from_le_bytes(columns) as usize);
        let cells = rows.checked_mul(columns).filter(|n| *n > 0 && *n <= MOST).ok_or(Error::Data("its size"))?;
        if rest.len() != 4 * rows + cells {
            return Err(Error::Data("its length does not fit its size"));
        }
        let (scales, numbers) = rest.split_at(4 * rows);
        let scales: Vec<f32> = scales.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        if scales.iter().any(|s| !s.is_finite() || *s < 0.0) {
            return Err(Error::Data("a scale that is no size"));
        }
        let numbers: Vec<i8> = numbers.iter().map(|b| i8::from_le_bytes([*b])).collect();
        if numbers.contains(&i8::MIN) {
            return Err(Error::Data("a number that is not from −127 to 127"));
        }
        Ok(Self { columns, scales, numbers })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Numbers in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One weight; NaN outside.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        if column >= self.columns {
            return f64::NAN;
        }
        match (self.scales.get(row), self.numbers.get(row * self.columns + column)) {
            (Some(scale), Some(number)) => f64::from(*scale) * f64::from(*number),
            _ => f64::NAN,
        }
    }

    /// How far a weight of the row may be off at the most; 0 past the last row.
    pub fn bound(&self, row: usize) -> f64 {
        // Half a scale, and the rounding of the scale itself to f32.
        self.scales.get(row).map_or(0.0, |scale| f64::from(*scale) * (0.5 + 127.0 * f64::from(f32::EPSILON)))
    }
}

fn split(bytes: &[u8]) -> Result<([u8; 4], &[u8]), Error> {
    bytes.split_first_chunk::<4>().map(|(head, rest)| (*head, rest)).ok_or(Error::Data("it ends within its head"))
}

/// The bytes of a table of so many columns, its weights row by row.
///
/// # Errors
/// [`Error::Length`] where they are not whole rows; [`Error::Data`] where one is not finite, or there are none or too
/// many.
pub fn encode(columns: usize, weights: &[f32]) -> Result<Vec<u8>, Error> {
    if columns == 0 || !weights.len().is_multiple_of(columns) {
        return Err(Error::Length {
            what: "weights",
            given: weights.len(),
            needed: weights.len().next_multiple_of(columns.max(1)),
        });
    }
    if weights.is_empty() || weights.len() > MOST {
        return Err(Error::Data("its size"));
    }
    if weights.iter().any(|w| !w.is_finite()) {
        return Err(Error::Data("a weight that is not finite"));
    }
    let rows = weights.len() / columns;
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(rows as u32).to_le_bytes());
    bytes.extend_from_slice(&(columns as u32).to_le_bytes());
    let scales: Vec<f32> = weights
        .chunks_exact(columns)
        .map(|row| (row.iter().fold(0.0_f64, |most, w| most.max(f64::from(w.abs()))) / 127.0) as f32)
        .collect();
    bytes.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
    for (row, scale) in weights.chunks_exact(columns).zip(&scales) {
        for weight in row {
            let number = if *scale > 0.0 { libm::round(f64::from(*weight) / f64::from(*scale)) } else { 0.0 };
            bytes.push((number.clamp(-127.0, 127.0) as i8).to_le_bytes()[0]);
        }
    }
    Ok(bytes)
}
