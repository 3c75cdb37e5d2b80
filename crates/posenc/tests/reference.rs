//! Runs a folder of `posenc-vectors/1` files: numbers that third-party code produced.
//!
//! `cargo test -p posenc --test reference` runs `tests/vectors` of the repository; `POSENC_VECTORS=<folder>` runs
//! another. It fails on a scheme, quantity, parameter, input or field that it does not know, on a folder without cases,
//! and on any number out of its tolerance; it prints the cases and the worst error of each scheme.
//!
//! What is measured on the repository's own vectors is said beside each scheme: `reference-summary.txt`. A run holds it to
//! what it measures; `UPDATE_SUMMARY=1` writes it anew.
//!
//! A scheme is one file beside this one, with an [`Adapter`].
#![cfg_attr(target_arch = "wasm32", no_main)] // it has no harness that would bring one
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::panic, reason = "that is how a test fails")]

use posenc::{Config, Encoding, Error, Why};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::ExitCode,
};

#[path = "reference/alibi.rs"]
mod alibi;
#[path = "reference/cope.rs"]
mod cope;
#[path = "reference/deberta.rs"]
mod deberta;
#[path = "reference/fire.rs"]
mod fire;
#[path = "reference/fourier.rs"]
mod fourier;
#[path = "reference/given.rs"]
mod given;
#[path = "reference/irope.rs"]
mod irope;
#[path = "reference/kerple.rs"]
mod kerple;
#[path = "reference/learned2d.rs"]
mod learned2d;
#[path = "reference/mrope.rs"]
mod mrope;
#[path = "reference/rope.rs"]
mod rope;
#[path = "reference/rope2d.rs"]
mod rope2d;
#[path = "reference/rope_mixed.rs"]
mod rope_mixed;
#[path = "reference/sandwich.rs"]
mod sandwich;
#[path = "reference/self_test.rs"]
mod self_test;
#[path = "reference/shaw.rs"]
mod shaw;
#[path = "reference/sincos2d.rs"]
mod sincos2d;
#[path = "reference/sinusoidal.rs"]
mod sinusoidal;
#[path = "reference/summary.rs"]
mod summary;
#[path = "reference/t5.rs"]
mod t5;
#[path = "reference/transformer_xl.rs"]
mod transformer_xl;
#[path = "reference/xpos.rs"]
mod xpos;

/// How the quantities of a scheme are computed.
struct Adapter {
    /// The scheme's id.
    scheme: &'static str,
    /// Computes the case's quantity.
    compute: fn(&Case<'_>) -> Result<Computed, Failure>,
}

const ADAPTERS: [Adapter; 19] = [
    sinusoidal::ADAPTER,
    fourier::ADAPTER,
    sincos2d::ADAPTER,
    learned2d::ADAPTER,
    rope::ADAPTER,
    xpos::ADAPTER,
    irope::ADAPTER,
    rope2d::ADAPTER,
    rope_mixed::ADAPTER,
    mrope::ADAPTER,
    alibi::ADAPTER,
    t5::ADAPTER,
    kerple::ADAPTER,
    sandwich::ADAPTER,
    fire::ADAPTER,
    shaw::ADAPTER,
    transformer_xl::ADAPTER,
    deberta::ADAPTER,
    cope::ADAPTER,
];

/// What a case expects, computed.
struct Computed {
    /// Rows and columns.
    shape: Vec<usize>,
    /// Row by row.
    values: Vec<f64>,
    /// Where the scheme has one.
    attention_factor: Option<f64>,
}

/// Why nothing was computed.
#[derive(Debug)]
enum Failure {
    /// The harness does not know this: always a failure of the test.
    Unknown(String),
    /// The library refused with an error.
    Refused(String),
}

impl Computed {
    /// Without an attention factor.
    fn new(shape: Vec<usize>, values: Vec<f64>) -> Self {
        Self { shape, values, attention_factor: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error.to_string())
    }
}

/// One case.
struct Case<'a> {
    name: &'a str,
    scheme: &'a str,
    quantity: &'a str,
    params: &'a Map<String, Value>,
    inputs: &'a Map<String, Value>,
    /// Dimensions of what is expected; 0 where an error is.
    dimensions: usize,
}

const FIELDS: [&str; 13] = [
    "name",
    "scheme",
    "quantity",
    "params",
    "inputs",
    "shape",
    "expected",
    "rel",
    "abs",
    "attention_factor",
    "expect_error",
    "source",
    "note",
];

impl Case<'_> {
    /// The scheme with the case's parameters; one that the scheme does not have, or not with this value, is unknown.
    fn build(&self) -> Result<Encoding, Failure> {
        Ok(self.config(self.pairs()?)?.build()?)
    }

    /// The case's parameters as text, lists joined by `:`; those of a `rope_scaling` block among them.
    fn pairs(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut pairs = Vec::new();
        for (key, value) in self.params {
            match value {
                Value::Object(block) if key == "rope_scaling" => {
                    for (key, value) in block {
                        pairs.push((key.clone(), text(key, value)?));
                    }
                }
                _ => pairs.push((key.clone(), text(key, value)?)),
            }
        }
        Ok(pairs)
    }

    /// The scheme with these parameters.
    fn config(&self, pairs: Vec<(String, String)>) -> Result<Config, Failure> {
        let pairs: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        let (config, repairs) = Config::parse(&format!("{}({})", self.scheme, pairs.join(",")))?;
        match repairs.first() {
            // A width out of the range that the controls offer is refused by name.
            Some(repair) if matches!(repair.why, Why::OutOfRange | Why::NotWhole) => {
                Err(Failure::Refused(format!("{} = {}", repair.key, repair.given)))
            }
            Some(repair) => Err(Failure::Unknown(format!("parameter {} = {}", repair.key, repair.given))),
            None => Ok(config),
        }
    }

    /// Only these inputs are known to the quantity.
    fn only(&self, known: &[&str]) -> Result<(), Failure> {
        match self.inputs.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(Failure::Unknown(format!("input {key}"))),
            None => Ok(()),
        }
    }

    /// A list of numbers among the inputs.
    fn numbers(&self, key: &str) -> Result<Vec<f64>, Failure> {
        self.inputs
            .get(key)
            .and_then(Value::as_array)
            .and_then(|list| list.iter().map(Value::as_f64).collect())
            .ok_or_else(|| Failure::Unknown(format!("the input {key} is no list of numbers")))
    }

    /// A whole number among the inputs.
    fn count(&self, key: &str) -> Result<usize, Failure> {
        let number = self.inputs.get(key).and_then(Value::as_u64);
        number.map(|n| n as usize).ok_or_else(|| Failure::Unknown(format!("the input {key} is no whole number")))
    }

    /// The order of the numbers is the one written here, or not written at all.
    fn order(&self, known: &str) -> Result<(), Failure> {
        match self.inputs.get("order") {
            None => Ok(()),
            Some(order) if order.as_str() == Some(known) => Ok(()),
            Some(order) => Err(Failure::Unknown(format!("order {order}"))),
        }
    }

    fn unknown_quantity(&self) -> Failure {
        Failure::Unknown(format!("quantity {:?} of {:?}", self.quantity, self.scheme))
    }
}

/// A parameter as it is written in links.
fn text(key: &str, value: &Value) -> Result<String, Failure> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(on) => Ok(on.to_string()),
        Value::Array(list) if list.iter().all(Value::is_number) => {
            Ok(list.iter().map(Value::to_string).collect::<Vec<_>>().join(":"))
        }
        other => Err(Failure::Unknown(format!("parameter {key} = {other}"))),
    }
}

/// What was found for a scheme.
#[derive(Default)]
struct Tally {
    cases: usize,
    numbers: usize,
    errors_expected: usize,
    worst: f64,
    worst_case: String,
    worst_share: f64,
}

#[derive(Default)]
struct Report {
    tallies: BTreeMap<String, Tally>,
    failures: Vec<String>,
}

impl Report {
    /// Runs the cases of one file.
    fn file(&mut self, name: &str, text: &str) {
        let file: Value = match serde_json::from_str(text) {
            Ok(file) => file,
            Err(error) => return self.failures.push(format!("{name}: {error}")),
        };
        if file["format"] != "posenc-vectors/1" {
            return self.failures.push(format!("{name}: the format is not posenc-vectors/1"));
        }
        if let Some(key) = file
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key)
            .find(|key| !["format", "cases"].contains(&key.as_str()))
        {
            self.failures.push(format!("{name}: unknown field {key:?}"));
        }
        let Some(cases) = file["cases"].as_array() else {
            return self.failures.push(format!("{name}: no cases"));
        };
        let mut names = BTreeSet::new();
        for case in cases {
            let case_name = case["name"].as_str().unwrap_or("(no name)");
            if !names.insert(case_name) {
                self.failures.push(format!("{name}: two cases are called {case_name}"));
            }
            if let Err(why) = self.case(case) {
                self.failures.push(format!("{name}: {case_name}: {why}"));
            }
        }
    }

    fn case(&mut self, json: &Value) -> Result<(), String> {
        let object = json.as_object().ok_or("not an object")?;
        if let Some(key) = object.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(format!("unknown field {key:?}"));
        }
        let text = |key: &str| object.get(key).and_then(Value::as_str).ok_or(format!("no {key}"));
        let map = |key: &str| object.get(key).and_then(Value::as_object).ok_or(format!("no {key}"));
        let case = Case {
            name: text("name")?,
            scheme: text("scheme")?,
            quantity: text("quantity")?,
            params: map("params")?,
            inputs: map("inputs")?,
            dimensions: object.get("shape").and_then(Value::as_array).map_or(0, Vec::len),
        };
        let adapter =
            ADAPTERS.iter().find(|a| a.scheme == case.scheme).ok_or(format!("unknown scheme {:?}", case.scheme))?;
        let tally = self.tallies.entry(case.scheme.into()).or_default();
        tally.cases += 1;

        let computed =
            catch_unwind(AssertUnwindSafe(|| (adapter.compute)(&case))).map_err(|_| "it panicked".to_owned())?;
        let computed = match (computed, object.get("expect_error").and_then(Value::as_bool).unwrap_or(false)) {
            (Err(Failure::Unknown(what)), _) => return Err(format!("unknown {what}")),
            (Err(Failure::Refused(_)), true) => {
                tally.errors_expected += 1;
                return Ok(());
            }
            (Ok(_), true) => return Err("an error was expected, and there was none".into()),
            (Err(Failure::Refused(why)), false) => return Err(format!("refused: {why}")),
            (Ok(computed), false) => computed,
        };

        let numbers = |key: &str| {
            let list = object.get(key).and_then(Value::as_array).ok_or(format!("no {key}"))?;
            list.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>().ok_or(format!("{key} is no list of numbers"))
        };
        let number = |key: &str| object.get(key).and_then(Value::as_f64).ok_or(format!("no {key}"));
        let (expected, rel, abs) = (numbers("expected")?, number("rel")?, number("abs")?);
        let shape: Vec<usize> = numbers("shape")?.iter().map(|n| *n as usize).collect();
        if shape.iter().product::<usize>() != expected.len() {
            return Err(format!("{} numbers are not of shape {shape:?}", expected.len()));
        }
        // One row may be written without its dimension of 1.
        let squeezed = |shape: &[usize]| shape.iter().copied().filter(|n| *n != 1).collect::<Vec<_>>();
        if squeezed(&shape) != squeezed(&computed.shape) || expected.len() != computed.values.len() {
            return Err(format!("shape {:?}, expected {shape:?}", computed.shape));
        }
        for (i, (got, expected)) in computed.values.iter().zip(&expected).enumerate() {
            let error = (got - expected).abs();
            let allowed = abs + rel * expected.abs();
            if error.is_nan() || error > allowed {
                return Err(format!("number {i} is {got}, expected {expected} within {allowed:e}"));
            }
            tally.numbers += 1;
            if error >= tally.worst {
                tally.worst = error;
                tally.worst_case = case.name.into();
            }
            if allowed > 0.0 {
                tally.worst_share = tally.worst_share.max(error / allowed);
            }
        }
        if object.contains_key("attention_factor") {
            let expected = number("attention_factor")?;
            let got = computed.attention_factor.ok_or("no attention factor was computed")?;
            if got.is_nan() || (got - expected).abs() > 1e-6 * expected.abs() {
                return Err(format!("the attention factor is {got}, expected {expected}"));
            }
        }
        Ok(())
    }

    /// Runs every file of a folder.
    fn folder(&mut self, folder: &Path) {
        let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
            Ok(entries) => entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.extension().is_some_and(|e| e == "json"))
                .collect(),
            Err(error) => return self.failures.push(format!("{}: {error}", folder.display())),
        };
        files.sort();
        for path in files {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match std::fs::read_to_string(&path) {
                Ok(text) => self.file(&name, &text),
                Err(error) => self.failures.push(format!("{name}: {error}")),
            }
        }
        if self.tallies.values().map(|tally| tally.cases).sum::<usize>() == 0 {
            self.failures.push(format!("{}: no cases", folder.display()));
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (scheme, tally) in &self.tallies {
            let Tally { cases, numbers, errors_expected, worst, worst_case, worst_share } = tally;
            let _ = writeln!(
                text,
                "{scheme:<14} {cases:>4} cases, {numbers:>6} numbers, {errors_expected} refused as expected; worst error {worst:.1e} ({worst_case}), at most {:.0} % of what is allowed",
                worst_share * 100.0
            );
        }
        for failure in &self.failures {
            let _ = writeln!(text, "FAILED {failure}");
        }
        text
    }
}

fn main() -> ExitCode {
    self_test::run();
    let given = std::env::var_os("POSENC_VECTORS");
    let own = given.is_none();
    let folder = given.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors"), PathBuf::from);
    let mut report = Report::default();
    report.folder(&folder);
    if own {
        summary::hold(&mut report);
    }
    println!("\nreference vectors of {}\n{}", folder.display(), report.text());
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
