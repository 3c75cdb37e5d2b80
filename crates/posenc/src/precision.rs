//! What few bits leave of an angle.
//!
//! The angle of plane k at position p is `p·w_k`. Code computes it in floating-point numbers of some [`Format`], whole or in
//! part ([`Cast`]): positions, frequencies, their product, or the table of sines and cosines. [`error`] is how far the angle
//! that comes out is from the exact product.
//!
//! Whole numbers above [`Format::last_whole`] have to share: `bfloat16` has one number for 256 and 257, so two tokens get one
//! position.
//!
//! ```
//! use posenc::precision::{Cast, Format, error};
//!
//! assert_eq!(Format::Bf16.rounded(257.0), 256.0);
//! assert_eq!(Format::Bf16.sharing(1000), Some((998, 1002)));
//! // NVIDIA/Megatron-LM#535: positions in bfloat16.
//! assert_eq!(error(Format::Bf16, Cast::Positions, 257, 1.0), -1.0);
//! // The right way: angles in f64, and their sines and cosines rounded last.
//! assert!(error(Format::Bf16, Cast::Table, 257, 1.0).abs() < 0.004);
//! ```

use crate::phase;
use std::f64::consts::TAU;

/// A format of floating-point numbers, IEEE 754's or `bfloat16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 53 significant bits.
    F64,
    /// 24 significant bits.
    F32,
    /// 8 significant bits, and the range of `F32`.
    Bf16,
    /// 11 significant bits, up to 65,504.
    F16,
}

impl Format {
    /// All, the finest first.
    pub const ALL: [Self; 4] = [Self::F64, Self::F32, Self::F16, Self::Bf16];

    /// Its name in programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
        }
    }

    /// Significant bits, the hidden one included.
    pub fn bits(self) -> u32 {
        match self {
            Self::F64 => 53,
            Self::F32 => 24,
            Self::Bf16 => 8,
            Self::F16 => 11,
        }
    }

    /// The last whole number up to which each has a number of its own: `2^bits`.
    pub fn last_whole(self) -> u64 {
        1 << self.bits()
    }

    /// The exponent of the smallest normal number.
    fn least_exponent(self) -> i32 {
        match self {
            Self::F64 => -1022,
            Self::F32 | Self::Bf16 => -126,
            Self::F16 => -14,
        }
    }

    /// The greatest number: `(2 − 2^(1 − bits))·2^last`.
    pub fn greatest(self) -> f64 {
        match self {
            Self::F64 => f64::MAX,
            Self::F32 => f64::from(f32::MAX),
            Self::Bf16 => 338_953_138_925_153_547_590_470_800_371_487_866_880.0,
            Self::F16 => 65_504.0,
        }
    }

    /// The nearest number of the format, of two as near the one whose last bit is 0; infinite past the greatest.
    pub fn rounded(self, x: f64) -> f64 {
        match self {
            Self::F64 => x,
            Self::F32 => f64::from(x as f32),
            Self::Bf16 | Self::F16 if x == 0.0 || !x.is_finite() => x,
            Self::Bf16 | Self::F16 => self.of_few_bits(x),
        }
    }

    fn of_few_bits(self, x: f64) -> f64 {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let rounded = if exponent >= self.least_exponent() {
            // Half of the last bit is added, less where that bit is 0 and the rest just a half; a carry goes on into the
            // exponent, as it should.
            let dropped = 53 - self.bits();
            let (last, below) = ((x.to_bits() >> dropped) & 1, (1_u64 << (dropped - 1)) - 1);
            f64::from_bits((x.to_bits() + below + last) & !((1 << dropped) - 1))
        } else {
            // Below the normal numbers the last bit has a fixed size. Scaling by a power of two is exact here, and `rint`
            // takes the even one of two as near.
            let unit = self.least_exponent() + 1 - self.bits() as i32;
            libm::scalbn(libm::rint(libm::scalbn(x, -unit)), unit)
        };
        if rounded.abs() > self.greatest() { f64::INFINITY.copysign(x) } else { rounded }
    }

    /// The first and the last whole number that this one shares its number with; `None` past the greatest.
    pub fn sharing(self, position: u64) -> Option<(u64, u64)> {
        let shared = self.rounded(position as f64);
        if !shared.is_finite() {
            return None;
        }
        let same = |other: u64| self.rounded(other as f64) == shared;
        let mut step = 1_u64;
        while position >= step && same(position - step) && step < 1 << 62 {
            step *= 2;
        }
        let (mut first, mut last) = (position, position);
        // The numbers that round to one lie side by side: halve the step from either end.
        let mut by = step;
        while by > 0 {
            if first >= by && same(first - by) {
                first -= by;
            }
            by /= 2;
        }
        let mut by = step;
        while by > 0 {
            if same(last + by) {
                last += by;
            } else {
                by /= 2;
            }
        }
        Some((first, last))
    }
}

/// What is computed in the format; all else is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    /// Positions, frequencies and their product: a module that was cast as a whole.
    All,
    /// Positions.
    Positions,
    /// Frequencies: `inv_freq` kept as a buffer that is cast with the model.
    Frequencies,
    /// The product: angles.
    Product,
    /// Sines and cosines, made of exact angles: cast last.
    Table,
}

impl Cast {
    /// The words of links, in the order of the variants.
    pub const WORDS: [&'static str; 5] = ["all", "positions", "inv_freq", "product", "table"];

    /// The one of this word; [`All`](Self::All) where it is none.
    pub fn from_word(word: &str) -> Self {
        match word {
            "positions" => Self::Positions,
            "inv_freq" => Self::Frequencies,
            "product" => Self::Product,
            "table" => Self::Table,
            _ => Self::All,
        }
    }
}

/// Radians by which the angle of a plane is off at a position, against the exact product of the two; infinite where the
/// format has no such number. Of a [`Cast::Table`] it is the angle between the sine and cosine that are kept and the exact
/// ones, −π to π; any other error counts whole turns too.
pub fn error(format: Format, cast: Cast, position: u64, freq: f64) -> f64 {
    let p = position as f64;
    let round = |x: f64| format.rounded(x);
    // How far a product is from the exact one of its factors: f64's own rounding, all that there is to see of f64.
    let product_off = |a: f64, b: f64| -phase::product_error(a, b, a * b);
    let error = match cast {
        Cast::All => {
            let (rp, rw) = (round(p), round(freq));
            // Term by term, so that the two products, nearly the same, are never subtracted.
            (round(rp * rw) - rp * rw) + product_off(rp, rw) + (rp - p) * rw + p * (rw - freq)
        }
        Cast::Positions => (round(p) - p) * freq,
        Cast::Frequencies => p * (round(freq) - freq),
        Cast::Product => (round(p * freq) - p * freq) + product_off(p, freq),
        Cast::Table => {
            let (sin, cos) = phase::sin_cos(p, freq);
            let (s, c) = (round(sin), round(cos));
            libm::atan2(s * cos - c * sin, c * cos + s * sin)
        }
    };
    // Infinity less infinity: the format has no such number.
    if error.is_nan() { f64::INFINITY } else { error }
}

/// The plane with the greatest error at a position, and that error in radians (a magnitude). `None` where there are no
/// planes; the first of several as bad.
pub fn worst(format: Format, cast: Cast, position: u64, freq: &[f64]) -> Option<(usize, f64)> {
    let errors = freq.iter().map(|w| error(format, cast, position, *w).abs());
    errors.enumerate().fold(None, |worst: Option<(usize, f64)>, (plane, error)| match worst {
        Some((_, most)) if error <= most => worst,
        _ => Some((plane, error)),
    })
}

/// An error as a share of a turn, at most a half: what is further off is nearer from the other side.
pub fn within_a_turn(error: f64) -> f64 {
    if error.is_finite() { (error / TAU - libm::rint(error / TAU)).abs() } else { 0.5 }
}
