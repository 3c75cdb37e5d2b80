//! Decimal numbers from text.

/// Digits that a mantissa of 64 bits holds for certain.
const MOST_DIGITS: usize = 19;

/// Reads a decimal number: `12`, `-0.5`, `1e6`, `.5`. `None` for anything else, infinities and NaN among them.
///
/// What an `f64` is written as (17 digits) reads back as the same bits between 1e−10 and 1e19, where parameters are;
/// beyond, the last bit may be off. It stands here instead of `str::parse::<f64>`
/// because that one brings 10 kB of powers of ten, which do not compress, into a module of 200 kB.
pub fn parse(text: &str) -> Option<f64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let (mut mantissa, mut power, mut used) = (0_u64, 0_i64, 0_usize);
    let (mut seen, mut point) = (false, false);
    let mut at = 0;
    while let Some(&byte) = digits.get(at) {
        match byte {
            b'0'..=b'9' => {
                seen = true;
                if used < MOST_DIGITS {
                    mantissa = mantissa * 10 + u64::from(byte - b'0');
                    used += usize::from(mantissa > 0);
                    power -= i64::from(point);
                } else {
                    // Past 19 digits none can change the number by more than its last bit.
                    power += i64::from(!point);
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        at += 1;
    }
    if !seen {
        return None;
    }
    if let Some(b'e' | b'E') = digits.get(at) {
        let exponent = std::str::from_utf8(&digits[at + 1..]).ok()?;
        if exponent.is_empty() || exponent.len() > 6 {
            return None;
        }
        power += exponent.parse::<i64>().ok()?;
    } else if at < digits.len() {
        return None;
    }
    let value = scaled(mantissa, power);
    value.is_finite().then_some(if negative { -value } else { value })
}

/// `mantissa × 10^power`.
fn scaled(mantissa: u64, power: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    // 10^19 is the largest power of ten in 64 bits, 10^38 in 128.
    match power {
        0..=19 => (u128::from(mantissa) * 10_u128.pow(power as u32)) as f64,
        -27..=-1 => divided(mantissa, 10_u128.pow(-power as u32)),
        _ => mantissa as f64 * libm::pow(10.0, power.clamp(-400, 400) as f64),
    }
}

/// The quotient, rounded once: as many bits of it as fit, and the last one set where something is left.
fn divided(mantissa: u64, by: u128) -> f64 {
    let shift = u128::from(mantissa).leading_zeros();
    let wide = u128::from(mantissa) << shift;
    // 10^27 has 90 bits: with 38 bits of the quotient left, more are made from the remainder.
    let (high, rest) = (wide / by, wide % by);
    let more = rest.leading_zeros().min(high.leading_zeros());
    let (low, left) = ((rest << more) / by, (rest << more) % by);
    let quotient = (high << more) | low;
    let sticky = u128::from(left > 0);
    (quotient | sticky) as f64 * libm::ldexp(1.0, -((shift + more) as i32))
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(bits in any::<u64>(), power in -10..18_i32) {
            let value = f64::from_bits((bits % (1 << 52)) | 0x3ff0_0000_0000_0000) * libm::pow(10.0, f64::from(power));
            prop_assert_eq!(parse(&value.to_string()), Some(value));
            prop_assert_eq!(parse(&format!("-{value:e}")), Some(-value));
        }

        #[test]
        fn decimals_are_read_as_the_standard_library_reads_them(digits in "[0-9]{1,17}", places in 0..17_usize) {
            let at = digits.len().saturating_sub(places);
            let text = format!("{}.{}", &digits[..at], &digits[at..]);
            let text = if text == "." { "0".into() } else { text };
            prop_assert_eq!(parse(&text), text.parse::<f64>().ok());
        }

        #[test]
        fn nothing_panics_and_all_is_finite(text in ".{0,40}") {
            prop_assert!(parse(&text).is_none_or(f64::is_finite));
        }

        #[test]
        fn far_powers_are_near(mantissa in 1..u64::MAX, power in -300..280_i32) {
            let text = format!("{mantissa}e{power}");
            let (mine, exact) = (parse(&text).unwrap(), text.parse::<f64>().unwrap());
            prop_assert!((mine - exact).abs() <= exact * 1e-14, "{text} {mine} {exact}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "1e+",
            "1x",
            "0x10",
            "inf",
            "NaN",
            "1e999",
            "1.2.3",
            "--1",
            "1 2",
            "1e1234567",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse("1e-999"), Some(0.0));
        assert_eq!(parse("+.5"), Some(0.5));
        assert_eq!(parse("5."), Some(5.0));
        assert_eq!(parse(&"9".repeat(100)), Some(1e100));
    }
}
