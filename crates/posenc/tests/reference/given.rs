//! What a case gives, for schemes whose weights are among its parameters.

use super::{Case, Computed, Failure};
use posenc::bias::{Bias, Row};
use serde_json::Value;

impl Case<'_> {
    /// Only these parameters are known to the quantity.
    pub(super) fn only_params(&self, known: &[&str]) -> Result<(), Failure> {
        match self.params.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(Failure::Unknown(format!("parameter {key}"))),
            None => Ok(()),
        }
    }

    /// A list of numbers among the parameters; lists of lists are joined.
    pub(super) fn list(&self, key: &str) -> Result<Vec<f64>, Failure> {
        fn join(value: &Value, out: &mut Vec<f64>) -> Option<()> {
            match value {
                Value::Array(list) => list.iter().try_for_each(|value| join(value, out)),
                other => other.as_f64().map(|number| out.push(number)),
            }
        }
        let mut out = Vec::new();
        let list = self.params.get(key).filter(|value| value.is_array());
        list.and_then(|list| join(list, &mut out))
            .map(|()| out)
            .ok_or_else(|| Failure::Unknown(format!("the parameter {key} is no list of numbers")))
    }

    /// A number among the parameters.
    pub(super) fn param(&self, key: &str) -> Result<f64, Failure> {
        self.params.get(key).and_then(Value::as_f64).ok_or_else(|| Failure::Unknown(format!("parameter {key}")))
    }

    /// A word among the parameters.
    pub(super) fn param_word(&self, key: &str) -> Result<&str, Failure> {
        self.params.get(key).and_then(Value::as_str).ok_or_else(|| Failure::Unknown(format!("parameter {key}")))
    }

    /// A whole number among the inputs.
    pub(super) fn whole(&self, key: &str) -> Result<usize, Failure> {
        let number = self.inputs.get(key).and_then(Value::as_u64);
        number.map(|n| n as usize).ok_or_else(|| Failure::Unknown(format!("the input {key} is no whole number")))
    }

    /// An input that must be this word, where it is given.
    pub(super) fn must_be(&self, key: &str, word: &str) -> Result<(), Failure> {
        match self.inputs.get(key) {
            Some(value) if value != word => Err(Failure::Unknown(format!("input {key} = {value}"))),
            _ => Ok(()),
        }
    }

    /// Heads × queries × keys of a bias. With `future` = "distance 0", what is masked is written as if it were at the
    /// query, as code for causal models does.
    pub(super) fn matrix(&self, bias: &dyn Bias) -> Result<Computed, Failure> {
        self.only(&["query_len", "key_len", "future"])?;
        self.must_be("future", "distance 0")?;
        let cut = self.inputs.contains_key("future");
        let (queries, keys) = (self.whole("query_len")?, self.whole("key_len")?);
        let mut values = Vec::new();
        for head in 0..bias.heads() {
            for query in 0..queries as i64 {
                let row = Row::new(head, query).of(keys as i64);
                let mut out = vec![0.0; keys];
                bias.write_row(row, 0, &mut out)?;
                if cut {
                    for (key, cell) in out.iter_mut().enumerate().skip(query as usize) {
                        *cell = bias.bias(row, query.min(key as i64))?;
                    }
                }
                values.extend(out);
            }
        }
        Ok(Computed { shape: vec![bias.heads(), queries, keys], values, attention_factor: None })
    }
}

/// Numbers of this shape.
pub(super) fn computed(shape: &[usize], values: Vec<f64>) -> Computed {
    Computed { shape: shape.to_vec(), values, attention_factor: None }
}
