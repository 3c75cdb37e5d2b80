//! What is said of the measurements: `<scheme> <cases> <worst error>`, a line each. The cases are counted exactly; the
//! error, rounded up to one digit, may differ a little from machine to machine, and must be neither too small nor empty
//! caution.

use super::{Report, Tally};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const FILE: &str = "reference-summary.txt";

/// Compares the file with what was measured, or writes it where the environment asks for that.
pub(super) fn hold(report: &mut Report) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(FILE);
    if std::env::var_os("UPDATE_SUMMARY").is_some() {
        if let Err(error) = std::fs::write(&path, text(&report.tallies)) {
            report.failures.push(format!("{FILE}: {error}"));
        }
        return;
    }
    match std::fs::read_to_string(&path) {
        Ok(said) => report.failures.extend(differences(&said, &report.tallies)),
        Err(error) => report.failures.push(format!("{FILE}: {error}")),
    }
}

fn text(tallies: &BTreeMap<String, Tally>) -> String {
    tallies.iter().fold(String::new(), |mut text, (scheme, tally)| {
        let _ = writeln!(text, "{scheme} {} {:e}", tally.cases, rounded_up(tally.worst));
        text
    })
}

/// To one significant digit, never down.
fn rounded_up(error: f64) -> f64 {
    let text = format!("{error:.0e}");
    let (digit, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let read = |digit: u32| format!("{digit}e{exponent}").parse().unwrap_or(f64::INFINITY);
    let digit = digit.parse().unwrap_or(10);
    if read(digit) >= error { read(digit) } else { read(digit + 1) }
}

/// What the file says that was not measured, and the other way round.
fn differences(said: &str, tallies: &BTreeMap<String, Tally>) -> Vec<String> {
    let mut lines: BTreeMap<&str, (Option<usize>, Option<f64>)> = BTreeMap::new();
    let mut differences = Vec::new();
    for line in said.lines() {
        let mut parts = line.split_whitespace();
        let scheme = parts.next().unwrap_or_default();
        let numbers = (parts.next().and_then(|n| n.parse().ok()), parts.next().and_then(|n| n.parse().ok()));
        if lines.insert(scheme, numbers).is_some() {
            differences.push(format!("{FILE} has {scheme} twice"));
        }
        if !tallies.contains_key(scheme) {
            differences.push(format!("{FILE} has {scheme}, which has no cases"));
        }
    }
    for (scheme, tally) in tallies {
        let right = match lines.get(scheme.as_str()) {
            Some((Some(cases), Some(worst))) => {
                *cases == tally.cases && *worst >= tally.worst && *worst <= tally.worst * 10.0
            }
            _ => false,
        };
        if !right {
            differences.push(format!(
                "{FILE} is not right about {scheme}: {} cases, worst error {:e}. UPDATE_SUMMARY=1 writes it anew",
                tally.cases, tally.worst
            ));
        }
    }
    differences
}

/// It must fail where it should.
pub(super) fn self_test() {
    for (error, up) in [(7.5e-5, 8e-5), (8e-5, 8e-5), (9.1e-9, 1e-8), (0.0, 0.0), (1.0, 1.0), (0.11, 0.2)] {
        assert!((rounded_up(error) - up).abs() <= up * 1e-12, "{error}: {}", rounded_up(error));
        assert!(rounded_up(error) >= error, "{error}");
    }
    let tally = |cases, worst| Tally { cases, worst, ..Tally::default() };
    let tallies: BTreeMap<String, Tally> =
        [("a".to_owned(), tally(3, 7.5e-5)), ("b".to_owned(), tally(1, 0.0))].into_iter().collect();
    assert_eq!(differences(&text(&tallies), &tallies), Vec::<String>::new());
    assert_eq!(differences("a 3 1e-4\nb 1 0\n", &tallies), Vec::<String>::new());
    for said in [
        "a 3 7e-5\nb 1 0",
        "a 3 1e-3\nb 1 0",
        "a 4 8e-5\nb 1 0",
        "a 3 8e-5\nb 1 1e-9",
        "a 3 8e-5",
        "a 3\nb 1 0",
        "a 3 8e-5\nb 1 0\nc 1 0",
        "a 3 8e-5\na 3 8e-5\nb 1 0",
    ] {
        assert_eq!(differences(said, &tallies).len(), 1, "{said:?}");
    }
}
