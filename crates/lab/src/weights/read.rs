//! The numbers of a tensor.

use super::{Dtype, Kind, Refused, Source, Tensor};
use serde::{Deserialize, Serialize};

/// Numbers that are read at the most: of a longer table the first rows, 32 MB of them.
pub const MOST_CELLS: u64 = 1 << 23;
/// Numbers in a row at the most.
pub const MOST_COLUMNS: u64 = 1 << 16;
/// Bytes that are held at once beside the numbers.
const BLOCK: usize = 1 << 20;

/// Rows of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// Numbers in a row.
    pub columns: u64,
    /// Row by row; not in the JSON form.
    #[serde(skip)]
    pub values: Vec<f32>,
    /// Rows of the tensor that come before the first of these: those that stand for no position.
    pub skipped: u64,
    /// Rows of the tensor that come after the last of these, for they would be too many.
    pub left: u64,
    /// How many numbers are none, or infinite.
    pub odd: u64,
}

/// Reads a tensor: rows × columns, without the rows that stand for no position; frequencies as one row.
///
/// # Errors
/// Where it has no rows and columns, or too many, or numbers that are not read, and what reading the file may bring.
pub fn read<S: Source + ?Sized>(file: &S, tensor: &Tensor) -> Result<Matrix, Refused> {
    let Tensor { dtype, shape, .. } = tensor;
    let Some(size) = dtype.bytes().filter(|_| dtype.is_read()) else { return Err(Refused::Dtype(dtype.to_string())) };
    let (all, columns) = match tensor.sides() {
        Some(sides) => sides,
        None if tensor.kind == Kind::Frequencies => (1, shape.iter().product()),
        None => return Err(Refused::Shape(shape.clone())),
    };
    if all == 0 || columns == 0 {
        return Err(Refused::Nothing);
    }
    if columns > MOST_COLUMNS {
        return Err(Refused::Large { given: columns, most: MOST_COLUMNS });
    }
    let skipped = match tensor.kind {
        Kind::Positions { first } => first,
        Kind::Grid { special, .. } => special,
        _ => 0,
    };
    let rows = all.saturating_sub(skipped).min(MOST_CELLS / columns);
    if rows == 0 {
        return Err(Refused::Nothing);
    }
    let values = if tensor.by_column {
        // Its rows lie scattered: all is read, or nothing.
        if all > MOST_CELLS / columns {
            return Err(Refused::Large { given: all.saturating_mul(columns), most: MOST_CELLS });
        }
        let by_column = numbers(file, tensor, tensor.begin, size, all * columns)?;
        let (all, columns) = (all as usize, columns as usize);
        (skipped as usize..all)
            .flat_map(|row| (0..columns).map(move |c| (row, c)))
            .map(|(r, c)| by_column[c * all + r])
            .collect()
    } else {
        numbers(file, tensor, tensor.begin + skipped * columns * size, size, rows * columns)?
    };
    let odd = values.iter().filter(|value| !value.is_finite()).count() as u64;
    Ok(Matrix { columns, values, skipped, left: all - skipped - rows, odd })
}

/// So many numbers from there on.
fn numbers<S: Source + ?Sized>(file: &S, of: &Tensor, from: u64, size: u64, count: u64) -> Result<Vec<f32>, Refused> {
    let size = size as usize;
    let mut values = Vec::with_capacity(count as usize);
    let mut block = vec![0; BLOCK.min(count as usize * size)];
    while values.len() < count as usize {
        let bytes = block.len().min((count as usize - values.len()) * size);
        let block = &mut block[..bytes];
        file.read(from + (values.len() * size) as u64, block)?;
        for number in block.chunks_exact_mut(size) {
            if of.big_endian {
                number.reverse();
            }
            values.push(Dtype::number(&of.dtype, number));
        }
    }
    Ok(values)
}
