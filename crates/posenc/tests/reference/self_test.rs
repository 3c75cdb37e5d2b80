//! The harness must fail where it should: run before the folder.

use super::Report;

const GOOD: &str = r#"{"name": "n", "scheme": "rope", "quantity": "inv_freq", "params": {"head_dim": 4, "rope_theta": 10000.0},
    "inputs": {"first": 2}, "shape": [2], "expected": [1.0, 0.01], "rel": 0, "abs": 1e-12, "attention_factor": 1.0, "source": "s"}"#;

fn failures(case: &str) -> Vec<String> {
    let mut report = Report::default();
    report.file("self", &format!(r#"{{"format": "posenc-vectors/1", "cases": [{case}]}}"#));
    report.failures
}

/// `GOOD` with one thing changed must fail, and say why.
fn must_fail(from: &str, to: &str, why: &str) {
    assert!(GOOD.contains(from), "{from}");
    let failures = failures(&GOOD.replace(from, to));
    assert!(failures.len() == 1 && failures[0].contains(why), "{from} -> {to}: {failures:?}");
}

pub(super) fn run() {
    assert_eq!(failures(GOOD), Vec::<String>::new());
    must_fail("\"rope\"", "\"rope9\"", "unknown scheme");
    must_fail("inv_freq", "inv_freq9", "unknown quantity");
    must_fail("head_dim", "head_dim9", "unknown parameter");
    must_fail("10000.0", "\"a\"", "unknown parameter");
    must_fail("10000.0", "{}", "unknown parameter");
    must_fail("\"head_dim\": 4", "\"head_dim\": 4, \"layout\": \"other\"", "unknown parameter");
    must_fail("\"first\"", "\"last\"", "unknown input");
    must_fail("\"source\"", "\"order\"", "unknown field");
    must_fail("0.01]", "0.0100000001]", "expected 0.0100000001");
    must_fail("0.01]", "0.01, 0.01]", "not of shape");
    must_fail("[2], \"expected\": [1.0, 0.01]", "[1], \"expected\": [1.0]", "shape");
    must_fail("\"attention_factor\": 1.0", "\"attention_factor\": 1.00001", "attention factor");
    must_fail("\"source\"", "\"expect_error\": true, \"source\"", "an error was expected");
    must_fail("\"head_dim\": 4", "\"head_dim\": 5", "refused");
    // Both tolerances 0: equal exactly, and 10000^(-1/2) is.
    let exact = GOOD.replace("1e-12", "0");
    assert_eq!(failures(&exact), Vec::<String>::new());
    assert_eq!(failures(&exact.replace("0.01]", "0.010000000000000002]")).len(), 1);

    let mut report = Report::default();
    report.file("self", r#"{"format": "posenc-vectors/2", "cases": []}"#);
    report.file("self", "{");
    report.file("self", &format!(r#"{{"format": "posenc-vectors/1", "cases": [{GOOD}, {GOOD}]}}"#));
    assert_eq!(report.failures.len(), 3, "{:?}", report.failures);

    let mut report = Report::default();
    report.folder(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(report.failures.len() == 1 && report.failures[0].contains("no cases"), "{:?}", report.failures);
    let mut report = Report::default();
    report.folder(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("no-such-folder"));
    assert!(!report.failures.is_empty());
    super::summary::self_test();
}
