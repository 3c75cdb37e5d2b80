//! Types of numbers in files.

use half::{bf16, f16};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A type of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dtype {
    /// 64 bits; rounded to 32 where it is read.
    F64,
    /// 32 bits.
    F32,
    /// 16 bits, 5 of them the exponent's.
    F16,
    /// 16 bits, 8 of them the exponent's.
    Bf16,
    /// Another, by the name that the file gives it: it is listed, and not read. The bytes of one number, where known.
    Other(String, Option<u64>),
}

impl Dtype {
    /// By its name in a safetensors file.
    pub(super) fn of_safetensors(name: &str) -> Self {
        let bytes = match name {
            "F64" => return Self::F64,
            "F32" => return Self::F32,
            "F16" => return Self::F16,
            "BF16" => return Self::Bf16,
            "I64" | "U64" | "C64" => Some(8),
            "I32" | "U32" => Some(4),
            "I16" | "U16" => Some(2),
            "I8" | "U8" | "BOOL" | "F8_E4M3" | "F8_E5M2" | "F8_E8M0" => Some(1),
            // Several to a byte, or newer than this.
            _ => None,
        };
        Self::Other(short(name), bytes)
    }

    /// By its `descr` in a npy file, and whether the bytes of a number come greatest first.
    pub(super) fn of_npy(descr: &str) -> (Self, bool) {
        let (big, name) = match descr.split_at_checked(1) {
            Some((">", name)) => (true, name),
            Some(("<" | "|" | "=", name)) => (false, name),
            _ => (false, descr),
        };
        let dtype = match name {
            "f8" => Self::F64,
            "f4" => Self::F32,
            "f2" => Self::F16,
            // numpy has no bfloat16 of its own: ml_dtypes writes two bytes without a type.
            "V2" => Self::Bf16,
            _ => Self::Other(short(descr), None),
        };
        (dtype, big)
    }

    /// Bytes of a number, where known.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::F64 => Some(8),
            Self::F32 => Some(4),
            Self::F16 | Self::Bf16 => Some(2),
            Self::Other(_, bytes) => *bytes,
        }
    }

    /// Whether it is read.
    pub fn is_read(&self) -> bool {
        !matches!(self, Self::Other(..))
    }

    /// Reads a number from its bytes, least first.
    pub(super) fn number(&self, b: &[u8]) -> f32 {
        match (self, b) {
            (Self::F64, [a, b, c, d, e, f, g, h]) => f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]) as f32,
            (Self::F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
            (Self::F16, [a, b]) => f16::from_le_bytes([*a, *b]).to_f32(),
            (Self::Bf16, [a, b]) => bf16::from_le_bytes([*a, *b]).to_f32(),
            _ => f32::NAN,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F64 => "F64",
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::Bf16 => "BF16",
            Self::Other(name, _) => name,
        })
    }
}

/// The first characters of a name that may be anything.
fn short(name: &str) -> String {
    name.chars().take(40).collect()
}
