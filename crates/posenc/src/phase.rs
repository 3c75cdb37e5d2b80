//! Sine and cosine of position × frequency.
//!
//! The angle of plane k at position p is the product p·w. Rounded to f64 it is off by up to half a unit in its last
//! place: 6e-11 radians at a million tokens, far more than sine and cosine themselves lose. So the product's rounding
//! error is computed too (Veltkamp's splitting, Dekker 1971, "A floating-point technique for extending the available
//! precision", <https://doi.org/10.1007/BF01397083>), and added to first order.

/// `(sin(p·w), cos(p·w))` of the exact product of the two numbers, to about 2e-16 for |p| up to 2⁵³ and |p·w| up to
/// 10⁷; NaN where either is not finite.
///
/// ```
/// let (sin, cos) = posenc::phase::sin_cos(1_000_000.0, 0.1);
/// // The tenth of f64 is not 1/10: its exact value times a million has this sine.
/// assert!((sin - 0.035_748_797_966_468_94).abs() < 1e-15);
/// assert!((sin * sin + cos * cos - 1.0).abs() < 1e-15);
/// ```
pub fn sin_cos(position: f64, freq: f64) -> (f64, f64) {
    let angle = position * freq;
    let (sin, cos) = libm::sincos(angle);
    let rest = product_error(position, freq, angle);
    (sin + rest * cos, cos - rest * sin)
}

/// `a·b − product` exactly, `product` being `a·b` rounded; 0 where the splitting would overflow.
pub(crate) fn product_error(a: f64, b: f64, product: f64) -> f64 {
    const FAR: f64 = 9_007_199_254_740_992.0;
    if a.abs() > FAR || b.abs() > FAR {
        return 0.0;
    }
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

/// A number as a sum of two of 26 bits each.
fn split(x: f64) -> (f64, f64) {
    let t = 134_217_729.0 * x;
    let high = t - (t - x);
    (high, x - high)
}

/// The mean of `e^{i·j·w}` over `count` whole steps j that lie symmetrically about 0: `sin(n·w/2) / (n·sin(w/2))`.
///
/// This is what averaging a run of `count` consecutive positions leaves of a wave's amplitude. It is real, 1 where w is
/// a multiple of 2π and `count` odd, ±1 where it is even: the sign belongs to the half-integer middle of the run.
pub fn fading(count: u64, freq: f64) -> f64 {
    use std::f64::consts::PI;
    if count <= 1 {
        return 1.0;
    }
    let n = count as f64;
    // w/2 less its nearest multiple of π, in which the quotient is stable. π is given in two parts.
    let turns = libm::round(freq / (2.0 * PI));
    let whole = turns * PI;
    let half = (freq / 2.0 - whole) - (product_error(turns, PI, whole) + turns * 1.224_646_799_147_353_2e-16);
    let sign = if count.is_multiple_of(2) && libm::fmod(turns, 2.0) != 0.0 { -1.0 } else { 1.0 };
    let sin_half = libm::sin(half);
    if sin_half == 0.0 { sign } else { sign * sin_cos(n, half).0 / (n * sin_half) }
}

/// Variances of the cosine and of the sine of `j·w` over `count` whole steps j that lie symmetrically about 0.
///
/// With them the variance of a wave over a run whose middle has phase θ is a sum of two positive terms, free of
/// cancellation: of the cosine `cos²θ·v_cos + sin²θ·v_sin`, of the sine `sin²θ·v_cos + cos²θ·v_sin`.
pub fn fading_variances(count: u64, freq: f64) -> (f64, f64) {
    if count <= 1 {
        return (0.0, 0.0);
    }
    let n = count as f64;
    if (n * freq).abs() < 0.03 {
        // The formulas below cancel here. By moments of j: E j² = (n²−1)/12, E j⁴ = (n²−1)(3n²−7)/240.
        let square = freq * freq;
        let second = square * (n * n - 1.0) / 12.0;
        let fourth = square * square * (n * n - 1.0) * (3.0 * n * n - 7.0) / 240.0;
        return ((fourth - second * second).max(0.0) / 4.0, second - fourth / 3.0);
    }
    // cos² = (1 + cos 2θ)/2, sin² = (1 − cos 2θ)/2.
    let once = fading(count, freq);
    let twice = fading(count, 2.0 * freq);
    ((0.5 + twice / 2.0 - once * once).max(0.0), (0.5 - twice / 2.0).max(0.0))
}
