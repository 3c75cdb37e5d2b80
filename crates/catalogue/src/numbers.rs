//! Numbers that lessons quote, worked out by `posenc` when the site is built: `{= sinusoidal.dot(d_model=512, offset=44) }`.
//!
//! An expression is `<scheme>.<quantity>(name=value, …)`, then `; <format>` if it wants one. A name is a parameter of the
//! scheme, as links have it, or an argument of the quantity. What each quantity is stands in the file of its kind; what it
//! is computed from is `posenc`'s, so that a lesson cannot say another number than the figure beside it.
//!
//! | format | |
//! | --- | --- |
//! | none | up to four significant digits, as figures write them |
//! | `.3` | three decimals |
//! | `%`, `.1%` | as a percentage |
//! | `x` | the power of ten alone, for a rounding error: `10⁻¹⁴` |
//!
//! A name that is unknown, a value that is refused, an argument that is missing: each is an error in words that lists what
//! there is.

mod asked;
mod curves;
mod places;
mod planes;
mod sentence;
mod tables;

// The app's own way to write a number.
#[expect(dead_code, unreachable_pub, reason = "a lesson needs fewer forms than the figures")]
#[path = "../../../src/draw/number.rs"]
mod number;

use asked::Asked;
use posenc::{Config, IDS, Repair, find};

/// A number that may be asked of a scheme.
struct Quantity {
    /// Its name in expressions.
    name: &'static str,
    /// What it depends on beside the scheme: the argument, and its value where none is given; `None`: it must be.
    arguments: &'static [(&'static str, Option<&'static str>)],
    /// Works it out.
    compute: fn(&Asked) -> Result<f64, String>,
}

/// A required argument.
const fn wanted(key: &'static str) -> (&'static str, Option<&'static str>) {
    (key, None)
}

/// An argument with a default.
const fn usual(key: &'static str, value: &'static str) -> (&'static str, Option<&'static str>) {
    (key, Some(value))
}

fn quantities() -> impl Iterator<Item = &'static Quantity> {
    [planes::QUANTITIES, curves::QUANTITIES, places::QUANTITIES, tables::QUANTITIES, sentence::QUANTITIES]
        .into_iter()
        .flatten()
}

/// The number that an expression asks for, as text. See the top of this file.
///
/// # Errors
/// In words: what is wrong with it, and what there is instead.
pub(crate) fn evaluate(expression: &str) -> Result<String, String> {
    let (expression, format) = match expression.split_once(';') {
        Some((expression, format)) => (expression.trim(), format.trim()),
        None => (expression.trim(), ""),
    };
    let value = value(expression)?;
    if !value.is_finite() {
        return Err(format!("`{expression}` is no number here: {value}"));
    }
    written(value, format)
}

fn value(expression: &str) -> Result<f64, String> {
    let form = || format!("`{expression}` is not of the form scheme.quantity(name=value, …)");
    let (call, inside) = expression.split_once('(').ok_or_else(form)?;
    let inside = inside.strip_suffix(')').ok_or_else(form)?;
    let (scheme, quantity) = call.split_once('.').ok_or_else(form)?;
    let spec = find(scheme.trim())
        .ok_or_else(|| format!("there is no scheme {:?}: there are {}", scheme.trim(), IDS.join(", ")))?;
    let name = quantity.trim();
    let quantity = quantities().find(|quantity| quantity.name == name).ok_or_else(|| {
        let names: Vec<&str> = quantities().map(|quantity| quantity.name).collect();
        format!("there is no quantity {name:?}: there are {}", names.join(", "))
    })?;
    let mut config = Config::new(spec);
    let mut given = Vec::new();
    for pair in inside.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or_else(|| format!("{pair:?} is not of the form name=value"))?;
        let (key, value) = (key.trim(), value.trim());
        if quantity.arguments.iter().any(|(known, _)| *known == key) {
            given.push((key.to_owned(), value.to_owned()));
        } else if spec.params.iter().any(|param| param.key == key) {
            if let Some(Repair { used, .. }) = config.settings.set(key, value) {
                return Err(format!("{}: {key} cannot be {value:?}; the nearest is {used:?}", spec.id));
            }
        } else {
            let params = spec.params.iter().map(|param| param.key);
            let own: Vec<&str> = quantity.arguments.iter().map(|(key, _)| *key).collect();
            return Err(format!(
                "{}.{name} has no {key:?}: it has {}; the scheme has {}",
                spec.id,
                listed(&own),
                listed(&params.collect::<Vec<_>>())
            ));
        }
    }
    let missing =
        quantity.arguments.iter().find(|(key, usual)| usual.is_none() && !given.iter().any(|(k, _)| k == key));
    if let Some((key, _)) = missing {
        return Err(format!("{}.{name} needs {key:?}", spec.id));
    }
    (quantity.compute)(&Asked::new(config, quantity.arguments, given)?).map_err(|e| format!("`{expression}`: {e}"))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn written(value: f64, format: &str) -> Result<String, String> {
    let decimals = |digits: &str| digits.parse::<usize>().ok().filter(|digits| *digits <= 12);
    if format.is_empty() {
        return Ok(number::short(value));
    }
    if format == "x" {
        // The least power of ten that is not below it.
        let power = format!("{:e}", value.abs()).split_once('e').and_then(|(m, p)| {
            let power = p.parse::<i32>().ok()?;
            Some(if m == "1" { power } else { power + 1 })
        });
        let power = power.filter(|_| value != 0.0).ok_or_else(|| format!("{value} has no power of ten"))?;
        // One digit of one: "1×10⁻¹⁴".
        return Ok(number::digits(format!("1e{power}").parse().unwrap_or(f64::NAN), 1).replace("1×", ""));
    }
    let (digits, unit, value) = match format.strip_suffix('%') {
        Some(digits) => (digits, "\u{202f}%", value * 100.0),
        None => (format, "", value),
    };
    let digits = match digits.strip_prefix('.') {
        None if digits.is_empty() => Some(0),
        Some(digits) => decimals(digits),
        None => None,
    };
    let digits = digits.ok_or_else(|| format!("{format:?} is no format: there are .3 (decimals), %, .1%, and x"))?;
    let text = format!("{value:.digits$}");
    let text = if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-').to_owned()
    } else {
        text.replace('-', "\u{2212}")
    };
    Ok(text + unit)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
#[path = "numbers/tests.rs"]
mod tests;
