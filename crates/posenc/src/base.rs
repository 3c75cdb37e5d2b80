//! Which base a list of frequencies comes from: `inv_freq` as models keep it, beside `rope_theta`.
//!
//! [`rope`](crate::schemes::rope) has `w_k = θ^(−k/n)` for n planes. A model whose context was extended has all of them
//! divided, or the slow ones.
//!
//! ```
//! use posenc::base::fit;
//!
//! let inv_freq: Vec<f32> = (0..32).map(|k| libm::pow(500_000.0, -f64::from(k) / 32.0) as f32).collect();
//! let found = fit(&inv_freq).unwrap();
//! assert_eq!((found.theta, found.fitting), (500_000.0, 32));
//! assert!(found.worst < 1e-6);
//! ```

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The base θ.
    pub theta: f64,
    /// The largest |w / θ^(−k/n) − 1|.
    pub worst: f64,
    /// Its plane.
    pub plane: usize,
    /// How many planes are within [`NEAR`].
    pub fitting: usize,
}

/// How far a frequency may be off, relative to itself, and still be the base's: numbers of 16 bits are.
pub const NEAR: f64 = 0.004;

/// The base that fits most of the frequencies; `None` where there are fewer than two, or they are not positive numbers
/// that begin with the largest.
pub fn fit(inv_freq: &[f32]) -> Option<Fit> {
    let n = inv_freq.len();
    let falls = |pair: &[f32]| pair[0] >= pair[1] && pair[1] > 0.0;
    if n < 2 || !inv_freq[0].is_finite() || !inv_freq.windows(2).all(falls) {
        return None;
    }
    // The first plane turns by 1 in every model, whatever is done to the others. Each plane votes for a base.
    let votes = (1..n).map(|k| libm::pow(f64::from(inv_freq[k]), -(n as f64) / k as f64)).filter(|x| x.is_finite());
    let better =
        |one: Fit, other: Fit| if (other.fitting, -other.worst) > (one.fitting, -one.worst) { other } else { one };
    let best = |votes: &mut dyn Iterator<Item = f64>| votes.map(|theta| compare(inv_freq, theta)).reduce(better);
    let exact = best(&mut votes.clone())?;
    let round = best(&mut votes.map(rounded).filter(|theta| *theta > 0.0));
    // People choose round numbers: one that fits as well is the one that was meant.
    Some(
        round
            .filter(|round| round.fitting >= exact.fitting && round.worst <= 1.01 * exact.worst + 1e-6)
            .unwrap_or(exact),
    )
}

/// How far frequencies are from those of a base.
pub fn compare(inv_freq: &[f32], theta: f64) -> Fit {
    let n = inv_freq.len() as f64;
    let off = |(k, w): (usize, &f32)| {
        let wanted = libm::pow(theta, -(k as f64) / n);
        (k, (f64::from(*w) / wanted - 1.0).abs())
    };
    let mut fit = Fit { theta, worst: 0.0, plane: 0, fitting: 0 };
    for (k, off) in inv_freq.iter().enumerate().map(off) {
        if off > fit.worst {
            (fit.worst, fit.plane) = (off, k);
        }
        fit.fitting += usize::from(off <= NEAR);
    }
    fit
}

/// To three digits, as people choose a base.
fn rounded(theta: f64) -> f64 {
    let unit = libm::pow(10.0, libm::floor(libm::log10(theta)) - 2.0);
    libm::round(theta / unit) * unit
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::{Config, Encoding};

    fn inv_freq(scheme: &str) -> Vec<f32> {
        let Encoding::Rotary(rope) = Config::parse(scheme).unwrap().0.build().unwrap() else { unreachable!() };
        rope.inv_freq().iter().map(|w| *w as f32).collect()
    }

    #[test]
    fn the_base_of_every_plain_rope_is_found() {
        for theta in [500.0, 10_000.0, 160_000.0, 500_000.0, 1_000_000.0, 8_000_000.0] {
            for dim in [8, 64, 128, 256] {
                let found = fit(&inv_freq(&format!("rope(head_dim={dim},rope_theta={theta})"))).unwrap();
                assert!((found.theta - theta).abs() < 1e-9 * theta, "{theta} {dim}: {found:?}");
                assert!(found.worst < 2e-7 && found.fitting == dim / 2, "{found:?}");
            }
        }
    }

    #[test]
    fn of_an_extended_one_the_planes_that_were_left_are_found() {
        let scaled = inv_freq(
            "rope(head_dim=128,rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192)",
        );
        let found = fit(&scaled).unwrap();
        assert_eq!(found.theta, 500_000.0);
        assert!((28..40).contains(&found.fitting), "{found:?}");
        // An eighth of what it was.
        assert!((found.worst - 0.875).abs() < 1e-6 && found.plane > 30, "{found:?}");
    }

    #[test]
    fn what_is_no_list_of_frequencies_has_no_base() {
        for odd in [&[][..], &[1.0], &[1.0, f32::NAN], &[1.0, 0.0], &[1.0, -1.0], &[0.5, 1.0], &[f32::INFINITY, 1.0]] {
            assert_eq!(fit(odd), None, "{odd:?}");
        }
        assert!(fit(&[1.0, 1.0]).is_some_and(|found| found.theta == 1.0));
    }
}
