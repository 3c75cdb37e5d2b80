//! The numbers that are shown, one at a time: what they are, how they are written, what they are compared with.

use super::model::Model;
use crate::draw::number;
use crate::{formulas, words};
use posenc::{
    Kind, ParamSpec, Unit,
    costs::{Costs, Shape},
};

/// Which number.
pub(super) const SHOW: ParamSpec = ParamSpec {
    key: "show",
    kind: Kind::Choice {
        options: &["compute", "next-token", "memory", "matrix", "parameters", "time"],
        default: "compute",
    },
    unit: Unit::None,
    when: None,
};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Operations for the whole sequence.
    Compute,
    /// Operations for its last token, the keys before it being in a cache.
    NextToken,
    /// Bytes of parameters and of what is computed once and kept.
    Memory,
    /// Bytes of what is added to the logits of one layer, written out.
    Matrix,
    /// Numbers that are learned.
    Parameters,
    /// Seconds for one token, measured here.
    Time,
}

/// What is counted, and counted in a model.
pub(super) const COUNTED: (&str, &[&str]) = ("show", &["compute", "next-token", "memory", "matrix", "parameters"]);

impl Quantity {
    /// By the word of [`SHOW`].
    pub(super) fn from_word(word: &str) -> Self {
        match word {
            "next-token" => Self::NextToken,
            "memory" => Self::Memory,
            "matrix" => Self::Matrix,
            "parameters" => Self::Parameters,
            "time" => Self::Time,
            _ => Self::Compute,
        }
    }

    /// What a scheme costs. Time is no count: see [`super::time`].
    pub(super) fn of(self, costs: &Costs, shape: &Shape, model: &Model) -> f64 {
        match self {
            Self::Compute => costs.operations(shape),
            Self::NextToken => costs.next_token(shape),
            Self::Memory => costs.bytes(model.bytes),
            Self::Matrix => costs.matrix * model.bytes,
            Self::Parameters => costs.parameters,
            Self::Time => f64::NAN,
        }
    }

    /// What the model costs anyway, for comparison.
    pub(super) fn anyway(self, shape: &Shape, model: &Model) -> Option<f64> {
        match self {
            Self::Compute => Some(shape.attention()),
            Self::NextToken => Some(shape.last_attention()),
            Self::Memory | Self::Matrix => Some(shape.cache() * model.bytes),
            Self::Parameters | Self::Time => None,
        }
    }

    /// What [`anyway`](Self::anyway) is, in words.
    pub(super) fn anyway_name(self) -> &'static str {
        match self {
            Self::Compute | Self::NextToken => words::cost_attention(),
            _ => words::cost_kv_cache(),
        }
    }

    /// What it is, in words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Compute => words::cost_compute(),
            Self::NextToken => words::cost_next(),
            Self::Memory => words::cost_memory(),
            Self::Matrix => words::cost_matrix(),
            Self::Parameters => words::cost_parameters(),
            Self::Time => words::cost_time(),
        }
    }

    /// A value with its unit.
    pub(super) fn text(self, value: f64) -> String {
        if number::is_plain() {
            return number::exact(value);
        }
        match self {
            Self::Compute | Self::NextToken => operations(value),
            Self::Memory | Self::Matrix => bytes(value),
            Self::Parameters => parameters(value),
            Self::Time => seconds(value),
        }
    }

    /// How the value comes about.
    pub(super) fn formula(self, costs: &Costs, shape: &Shape, model: &Model) -> String {
        let value = self.text(self.of(costs, shape, model));
        let everywhere = shape.heads * shape.layers;
        let [once, token, pair, pairs, last_pairs, again] = [
            costs.once,
            costs.per_token,
            costs.per_pair,
            shape.pairs() * everywhere,
            shape.length * everywhere,
            costs.again(shape),
        ]
        .map(number::exact);
        let [length, heads, each] = [shape.length, shape.heads, model.bytes].map(|count| number::whole(count as i64));
        match self {
            Self::Compute => formulas::cost_compute(once, length, token, pairs, pair, value),
            Self::NextToken => formulas::cost_next(token, last_pairs, pair, again, value),
            Self::Memory => {
                formulas::cost_memory(number::exact(costs.parameters), number::exact(costs.table), each, value)
            }
            Self::Matrix if costs.matrix > 0.0 => formulas::cost_matrix(heads, length, each, value),
            Self::Matrix | Self::Time => String::new(),
            Self::Parameters => formulas::cost_parameters(number::exact(costs.parameters)),
        }
    }
}

/// Prefixes of units: each is a thousand times the one before.
const PREFIXES: [&str; 9] = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];

/// A number and the prefix of its unit.
fn scaled(value: f64) -> (String, &'static str) {
    let (mut rest, mut place) = (value, 0);
    // Rounded to four digits it would be a thousand.
    while rest >= 999.95 && place + 1 < PREFIXES.len() {
        rest /= 1000.0;
        place += 1;
    }
    (number::short(rest), PREFIXES[place])
}

/// Operations, in words.
pub(super) fn operations(value: f64) -> String {
    let (number, prefix) = scaled(value);
    words::cost_operations(number, prefix)
}

/// Bytes, in words.
pub(super) fn bytes(value: f64) -> String {
    let (number, prefix) = scaled(value);
    words::cost_bytes(number, prefix)
}

/// Seconds, in words. Two digits: a measurement has no more.
fn seconds(value: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let (size, unit) = units.into_iter().find(|(size, _)| value >= 0.995 * size).unwrap_or(units[3]);
    words::cost_seconds(number::digits(value / size, 2), unit)
}

/// Parameters: the number and its prefix.
fn parameters(value: f64) -> String {
    let (number, prefix) = scaled(value);
    if prefix.is_empty() { number } else { words::cost_count(number, prefix) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_decimal() {
        for (value, text) in [
            (0.0, "0 B"),
            (2.0, "2 B"),
            (999.0, "999 B"),
            (999.96, "1 kB"),
            (1000.0, "1 kB"),
            (131_072.0, "131.1 kB"),
            (4_294_967_296.0, "4.295 GB"),
            (1e27, "1000 YB"),
        ] {
            assert_eq!(bytes(value), text);
        }
        assert_eq!(operations(2.5e12), "2.5 TFLOP");
        let times = [0.25e-9, 1e-9, 0.9999e-6, 1.234e-3, 2.0].map(seconds);
        assert_eq!(times, ["0.25 ns", "1 ns", "1 µs", "1.2 ms", "2 s"]);
        assert_eq!((parameters(384.0).as_str(), parameters(393_216.0).as_str()), ("384", "393.2 k"));
    }
}
