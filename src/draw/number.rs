//! Numbers as text: one way for all figures.

/// Between groups of three digits: thin, and never a line break.
const THIN: char = '\u{202f}';

/// A true minus sign.
const MINUS: char = '\u{2212}';

#[cfg(feature = "full")]
thread_local! {
    static PLAIN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Lets everything that is written while `work` runs be written for programs: every digit that the number has, no groups,
/// no signs of typography, nothing where there is no number; and tables have all their columns.
#[cfg(feature = "full")]
pub fn plainly<T>(work: impl FnOnce() -> T) -> T {
    let before = PLAIN.replace(true);
    let done = work();
    PLAIN.set(before);
    done
}

/// Whether it is written for programs.
pub fn is_plain() -> bool {
    #[cfg(feature = "full")]
    return PLAIN.get();
    #[cfg(not(feature = "full"))]
    false
}

/// The columns of a table that shows so many on screen: a file has all, up to what a program can still read.
pub fn columns(most: usize) -> usize {
    if is_plain() { MOST_COLUMNS } else { most }
}

/// The most columns of a table in a file.
const MOST_COLUMNS: usize = 4096;

/// As a program reads it back, to the last bit.
fn plain(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

/// Up to four significant digits: for labels.
pub fn short(value: f64) -> String {
    digits(value, 4)
}

/// As [`short`], beside an axis: with a power of ten where all digits would not have place.
pub fn tick(value: f64) -> String {
    if is_plain() || !value.is_finite() || value.abs() < 1e5 {
        return short(value);
    }
    let (mantissa, power) = scientific(value, 4);
    times_power(&mantissa, power)
}

/// Up to six significant digits: for readings and tables.
pub fn exact(value: f64) -> String {
    digits(value, 6)
}

/// A whole number with all its digits.
pub fn whole(value: i64) -> String {
    if is_plain() {
        return value.to_string();
    }
    let mut text = grouped(&value.unsigned_abs().to_string());
    if value < 0 {
        text.insert(0, MINUS);
    }
    text
}

/// A number with all its digits: what is typed is what is seen.
pub fn full(value: f64) -> String {
    if value.fract() == 0.0 { place(value) } else { digits(value, 12) }
}

/// A position or offset: whole where it is whole, else to a thousandth.
pub fn place(value: f64) -> String {
    if is_plain() {
        return plain(value);
    }
    if !value.is_finite() || value.abs() >= 1e15 {
        return short(value);
    }
    if value.fract() == 0.0 {
        return whole(value as i64);
    }
    fixed(value, 3)
}

/// Up to so many significant digits, zeros at the end left out; a power of ten for what is very large or very small.
pub fn digits(value: f64, most: usize) -> String {
    if is_plain() {
        return plain(value);
    }
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".to_owned() } else { format!("{MINUS}∞") };
    }
    let most = most.clamp(1, 17);
    let (mantissa, power) = scientific(value, most);
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(-5..15).contains(&power) {
        return times_power(&mantissa, power);
    }
    fixed(value, (most as i32 - 1 - power).max(0) as usize)
}

/// A mantissa of so many digits, as Rust writes it, and the power of ten.
fn scientific(value: f64, digits: usize) -> (String, i32) {
    let rounded = format!("{:.*e}", digits - 1, value);
    let (mantissa, power) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    (mantissa.to_owned(), power.parse().unwrap_or(0))
}

fn times_power(mantissa: &str, power: i32) -> String {
    let mantissa = mantissa.strip_prefix('-').map_or_else(|| trimmed(mantissa), |m| format!("{MINUS}{}", trimmed(m)));
    format!("{mantissa}×10{}", superscript(power))
}

fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let text = trimmed(&text);
    let (before, after) = text.split_once('.').map_or((text.as_str(), None), |(b, a)| (b, Some(a)));
    let mut out = String::new();
    if value < 0.0 && text != "0" {
        out.push(MINUS);
    }
    out.push_str(&grouped(before));
    if let Some(after) = after {
        out.push('.');
        out.push_str(after);
    }
    out
}

/// Without zeros at the end of the decimals.
fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// Five digits and more in groups of three.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::with_capacity(digits.len() + digits.len());
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(THIN);
        }
        out.push(digit);
    }
    out
}

fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut out = String::new();
    if power < 0 {
        out.push('⁻');
    }
    for digit in power.unsigned_abs().to_string().bytes() {
        out.push(DIGITS[usize::from(digit - b'0') % 10]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_an_axis_there_is_little_place() {
        let texts = [-500_000.0, 1e7, 99_999.0, -0.25, 1_234_567.0].map(tick);
        assert_eq!(
            texts,
            ["−5×10⁵", "1×10⁷", "99 999", "−0.25", "1.235×10⁶"].map(|text| text.replace(' ', "\u{202f}"))
        );
    }

    #[cfg(feature = "full")]
    #[test]
    fn as_a_program_reads_them() {
        assert!(!is_plain() && columns(24) == 24);
        let text = plainly(|| [exact(1.0 / 3.0), whole(-1_000_000), place(12.0), exact(f64::NAN), exact(1e-7)]);
        assert_eq!(text, ["0.3333333333333333", "-1000000", "12", "", "0.0000001"]);
        for value in [1e300, -2.5e-300, f64::INFINITY] {
            assert_eq!(plainly(|| exact(value)).parse(), Ok(value));
        }
        assert!(!is_plain());
    }

    #[test]
    fn as_a_person_writes_them() {
        assert_eq!(short(0.932_039), "0.932");
        assert_eq!(exact(0.932_039_085_97), "0.932039");
        assert_eq!(short(-0.5), "−0.5");
        assert_eq!(short(-0.0), "0");
        assert_eq!(short(12_345.6), "12\u{202f}346");
        assert_eq!(whole(-1_000_000), "−1\u{202f}000\u{202f}000");
        assert_eq!(whole(4096), "4096");
        assert_eq!(short(1.234_56e-7), "1.235×10⁻⁷");
        assert_eq!(short(-2e20), "−2×10²⁰");
        assert_eq!(short(9999.96), "10\u{202f}000");
        assert_eq!(place(12.0), "12");
        assert_eq!(place(12.25), "12.25");
        assert_eq!(short(f64::NAN), "–");
        assert_eq!(whole(i64::MIN).chars().next(), Some('−'));
    }
}
