//! Numbers that nobody computed. A measured number in a text goes wrong when what was measured changes, so it is
//! computed where it stands.

/// How much is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Decimal fractions, percentages, and what is said to be about so much.
    Prose,
    /// Every number.
    Claim,
}

/// Words after which a number is a measured one.
const ABOUT: [&str; 6] = ["≈", "~", "about", "nearly", "roughly", "approximately"];
/// Words that make a number a percentage.
const PERCENT: [&str; 3] = ["%", "per cent", "percent"];

/// The bare numbers of a text, each with its place in bytes.
pub(super) fn all(text: &str, strictness: Strictness) -> impl Iterator<Item = (usize, &str)> {
    numbers(text).filter(move |(start, number)| {
        strictness == Strictness::Claim
            || is_fraction(text, *start, number)
            || is_percentage(&text[start + number.len()..])
            || is_about(&text[..*start])
    })
}

/// Runs of digits, with points and commas between them.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(|c: char| c.is_ascii_digit())?;
        let rest = &text[start..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(rest.len());
        from = start + end;
        Some((start, rest[..end].trim_end_matches(['.', ','])))
    })
}

/// `0.704`, but not the number of a name: `arXiv:2104.09864`, `GPT-3.5`, `Qwen2.5`.
fn is_fraction(text: &str, start: usize, number: &str) -> bool {
    let after_name = text[..start].ends_with(|c: char| c.is_alphabetic() || c == ':')
        || text[..start].strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphabetic));
    number.contains('.') && !after_name
}

fn is_percentage(after: &str) -> bool {
    PERCENT.iter().any(|word| after.trim_start().starts_with(word))
}

fn is_about(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches(['-', '−']).trim_end();
    ABOUT.iter().any(|word| {
        before.to_lowercase().strip_suffix(word).is_some_and(|rest| {
            // "roundabout" is another word.
            !word.starts_with(char::is_alphabetic) || !rest.ends_with(char::is_alphanumeric)
        })
    })
}
