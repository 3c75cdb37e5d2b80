//! Why a file of weights is not read. The app has the words.

use serde::{Deserialize, Serialize};

/// Why a file, or a tensor of it, is not read. Lengths are in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It is something else.
    #[error("it is no file of weights")]
    Foreign(Foreign),
    /// It ends before what its header speaks of.
    #[error("the file has {given} bytes and should have {needed}")]
    Cut {
        /// What it should have at least.
        needed: u64,
        /// What it has.
        given: u64,
    },
    /// Its header would be longer than any that is read.
    #[error("a header of {given} bytes: {most} are read at the most")]
    HeaderLong {
        /// The length that is claimed.
        given: u64,
        /// What is read at the most.
        most: u64,
    },
    /// Its header is no text.
    #[error("the header is no text from byte {at} on")]
    HeaderText {
        /// Counted from the header's first byte.
        at: u64,
    },
    /// Its header is text, and not what the format asks for.
    #[error("the header cannot be read at character {at}")]
    Header {
        /// Counted from 1.
        at: u64,
    },
    /// Two tensors have the same name.
    #[error("two tensors are called {0}")]
    Twice(String),
    /// Two tensors share bytes.
    #[error("the tensors {0} and {1} share bytes")]
    Overlap(String, String),
    /// A tensor's bytes are not as many as its shape and type need.
    #[error("the tensor {0} has not the bytes of its shape")]
    Size(String),
    /// Its numbers are of a type that is not read.
    #[error("numbers of the type {0} are not read")]
    Dtype(String),
    /// It has not rows and columns.
    #[error("it has no rows and columns")]
    Shape(Vec<u64>),
    /// It has no number.
    #[error("it has no number")]
    Nothing,
    /// A row, or a table that is kept column by column, is longer than what is read.
    #[error("{given} numbers: {most} are read at the most")]
    Large {
        /// How many there are.
        given: u64,
        /// How many are read at the most.
        most: u64,
    },
    /// There is no such tensor.
    #[error("there is no such tensor")]
    NoSuch,
    /// The file is gone, or has changed since it was chosen.
    #[error("the file cannot be read any more")]
    Unreadable,
}

/// What a file is that is none of weights, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Foreign {
    /// A JPEG, PNG, GIF or WebP picture.
    Picture,
    /// A PDF document.
    Pdf,
    /// A zip archive: `PyTorch`'s `.bin` and `.pt`, numpy's `.npz`.
    Zip,
    /// Something compressed.
    Compressed,
    /// A Python pickle: `PyTorch`'s older `.bin` and `.pt`.
    Pickle,
    /// HDF5: TensorFlow's `.h5`.
    Hdf5,
    /// llama.cpp's `.gguf`.
    Gguf,
    /// Text.
    Text,
    /// Anything else.
    Unknown,
}

impl Foreign {
    /// By the first bytes, at least one.
    pub(super) fn of(first: &[u8]) -> Self {
        let starts: [(&[u8], Self); 13] = [
            (b"\xff\xd8\xff", Self::Picture),
            (b"\x89PNG", Self::Picture),
            (b"GIF8", Self::Picture),
            (b"RIFF", Self::Picture),
            (b"%PDF", Self::Pdf),
            (b"PK\x03\x04", Self::Zip),
            (b"PK\x05\x06", Self::Zip),
            (b"\x1f\x8b", Self::Compressed),
            (b"\x28\xb5\x2f\xfd", Self::Compressed),
            (b"7z\xbc\xaf", Self::Compressed),
            (b"\x89HDF", Self::Hdf5),
            (b"GGUF", Self::Gguf),
            // The number of a protocol follows.
            (b"\x80", Self::Pickle),
        ];
        if let Some((_, what)) = starts.iter().find(|(start, _)| first.starts_with(start)) {
            return *what;
        }
        let text = first.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        if text { Self::Text } else { Self::Unknown }
    }
}
