//! Round numbers for axes.

/// A step of 1, 2 or 5 times a power of ten, so that `span` has at most `most` of them; at least `least`.
fn step(span: f64, most: usize, least: f64) -> f64 {
    let rough = (span / most.max(1) as f64).max(least);
    if !rough.is_finite() || rough <= 0.0 {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * (1.0 - 1e-9));
    step.unwrap_or(10.0 * power).max(least)
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(last - first).is_finite() || last - first > 1000.0 {
        return Vec::new();
    }
    // `+ 0.0` makes -0 into 0.
    (0..=(last - first).max(-1.0) as i64).map(|i| (first + i as f64) * step + 0.0).take(1001).collect()
}

/// Round numbers from `low` to `high`, at most about `most`.
pub fn linear(low: f64, high: f64, most: usize) -> Vec<f64> {
    if high <= low {
        return vec![low];
    }
    multiples(low, high, step(high - low, most, f64::MIN_POSITIVE))
}

/// Round whole numbers from `low` to `high`, at most about `most`.
pub fn whole(low: f64, high: f64, most: usize) -> Vec<f64> {
    if high <= low {
        return vec![low];
    }
    multiples(low, high, step(high - low, most, 1.0))
}

/// Powers of ten from `low` to `high`, both above zero; with 2 and 5 times them where there is room, or every n-th.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Vec<f64> {
    if low <= 0.0 || high <= low {
        return vec![low];
    }
    let decades = libm::log10(high / low);
    let factors: &[f64] = if decades * 3.0 <= most as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = (decades / most.max(1) as f64).ceil().max(1.0) as i32;
    let first = libm::log10(low).floor() as i32;
    let last = libm::log10(high).ceil() as i32;
    let mut ticks = Vec::new();
    for power in (first..=last).filter(|p| p.rem_euclid(every) == 0) {
        for factor in factors {
            let tick = factor * libm::pow(10.0, f64::from(power));
            if tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9) {
                ticks.push(tick);
            }
        }
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        assert_eq!(linear(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert_eq!(whole(0.0, 3.0, 10), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(whole(0.0, 63.0, 8), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!(logarithmic(1.0, 1e6, 7), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(logarithmic(1.0, 64.0, 8), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(linear(2.0, 2.0, 5), [2.0]);
        assert!(linear(-1e300, 1e300, 4).len() <= 9);
        assert!(linear(1.0, 1.0 + 1e-15, 4).len() <= 1001);
    }
}
