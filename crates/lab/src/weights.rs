//! Weights of a model in a file that a person brings: which tensors it has, which of them say where tokens stand, and the
//! numbers of one of them.
//!
//! Two formats, told apart by their first bytes: `safetensors` and `npy`. Nothing but the header and the rows that
//! are asked for is read, so that a file of many gigabytes costs what its table costs; see [`Source`]. Whatever the bytes
//! are, they are tensors or a [`Refused`]: no length that a file claims is believed before it is compared with what there
//! is and with what is read at the most.
//!
//! ```
//! use lab::weights::{Kind, open, read};
//!
//! let mut file = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
//! file.extend(format!("{:<69}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }").bytes());
//! file.extend([1.0_f32, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()));
//! let found = open(&file[..])?;
//! assert_eq!(found.tensors[0].kind, Kind::Table);
//! let matrix = read(&file[..], &found.tensors[0])?;
//! assert_eq!((matrix.columns, matrix.values), (2, vec![1.0, 2.0, 3.0, 4.0]));
//! # Ok::<(), lab::weights::Refused>(())
//! ```

mod dtype;
mod find;
#[cfg(feature = "jobs")]
mod job;
mod npy;
mod read;
mod refused;
mod safetensors;
mod source;
mod tensor;

pub use dtype::Dtype;
#[cfg(feature = "jobs")]
pub use job::Job;
pub use npy::MOST_NPY_HEADER;
pub use read::{MOST_CELLS, MOST_COLUMNS, Matrix, read};
pub use refused::{Foreign, Refused};
pub use safetensors::MOST_HEADER;
pub use source::Source;
pub use tensor::{Format, Found, Kind, MOST_LISTED, Tensor};

/// What a file has: those tensors first that say where tokens stand.
///
/// # Errors
/// Why it cannot be read.
pub fn open<S: Source + ?Sized>(file: &S) -> Result<Found, Refused> {
    let mut first = [0; 16];
    let first = &mut first[..file.size().min(16) as usize];
    file.read(0, first)?;
    if first.is_empty() {
        return Err(Refused::Empty);
    }
    if first.starts_with(npy::MAGIC) {
        return Ok(Found { format: Format::Npy, tensors: vec![npy::header(file)?], more: 0 });
    }
    if first.get(8) == Some(&b'{') {
        let tensors = safetensors::header(file)?;
        return Ok(Found::sorted(Format::Safetensors, tensors));
    }
    Err(Refused::Foreign(Foreign::of(first)))
}
