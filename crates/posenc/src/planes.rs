//! What planes do within a length: wavelengths, turns, and what a context extension changes.
//!
//! A plane of frequency w (radians per token) makes a turn in 2π/w tokens. Planes whose wavelength is longer than the
//! trained length never completed a turn in training: beyond it they meet angles that the model has not seen.
//!
//! ```
//! use posenc::{Config, Encoding, planes};
//!
//! let Encoding::Rotary(rope) = Config::parse("rope").unwrap().0.build().unwrap() else { unreachable!() };
//! // Of 64 planes, 18 do not complete a turn within 4,096 tokens: the slowest.
//! assert!(planes::incomplete(rope.inv_freq(), 4096.0).eq(46..64));
//! assert!((planes::turns(rope.inv_freq()[0], 4096.0) - 651.9).abs() < 0.1);
//! ```

use crate::Rotary;
use std::f64::consts::TAU;

/// Tokens in a turn; infinite for a plane that does not turn.
pub fn wavelength(freq: f64) -> f64 {
    TAU / freq.abs()
}

/// Turns within so many tokens.
pub fn turns(freq: f64, length: f64) -> f64 {
    length * freq.abs() / TAU
}

/// The planes, of these frequencies, whose turn takes more than so many tokens, in their order.
pub fn incomplete(freq: &[f64], length: f64) -> impl Iterator<Item = usize> {
    freq.iter().enumerate().filter(move |(_, w)| wavelength(**w) > length).map(|(k, _)| k)
}

/// How many times slower each plane turns, in a sequence of so many tokens, than it would without the context extension:
/// 1 where it is left alone, infinite where it is stopped. `None` where the scheme has no extension to choose.
///
/// ```
/// use posenc::{Config, Encoding, planes::divisors};
///
/// let text = "rope(head_dim=64,rope_type=ntk,factor=4)";
/// let Encoding::Rotary(ntk) = Config::parse(text).unwrap().0.build().unwrap() else { unreachable!() };
/// // 4^(2k/62): the fastest plane as it was, the slowest 4 times slower.
/// let found = divisors(&ntk, 0.0).unwrap();
/// for (k, expected) in [(0, 1.0), (7, 1.367_568_3), (24, 2.924_899_6), (31, 4.0)] {
///     assert!((found[k] - expected).abs() < 1e-6);
/// }
/// ```
pub fn divisors(rotary: &Rotary, length: f64) -> Option<Vec<f64>> {
    let frequencies = rotary.frequencies()?;
    Some(frequencies.unscaled().iter().zip(frequencies.at(length)).map(|(plain, w)| plain / w).collect())
}

/// The plane in which two lists of frequencies differ most, and how many times as fast the first turns there; planes that
/// do not turn in one of them are left out. `None` where there is none to compare.
///
/// ```
/// use posenc::planes::apart;
///
/// assert_eq!(apart(&[1.0, 0.1, 0.03], &[1.0, 0.2, 0.01]), Some((2, 3.0)));
/// assert_eq!(apart(&[1.0, 0.1, 0.02], &[1.0, 0.4, 0.01]), Some((1, 0.25)));
/// assert_eq!(apart(&[0.0], &[1.0]), None);
/// ```
pub fn apart(freq: &[f64], other: &[f64]) -> Option<(usize, f64)> {
    let times = freq.iter().zip(other).map(|(w, other)| (w / other).abs()).enumerate();
    let far = |times: f64| libm::log(times).abs();
    // Of equals the first.
    let worse = |worst: (usize, f64), next: (usize, f64)| if far(next.1) > far(worst.1) { next } else { worst };
    times.filter(|(_, times)| far(*times).is_finite()).reduce(worse)
}
