//! `t5`: `bucket`, `bucket_matrix`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::schemes::t5::Buckets;
use serde_json::Value;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "t5", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    // The names of the function's arguments.
    case.only_params(&["num_buckets", "max_distance", "bidirectional"])?;
    let bidirectional = case.params.get("bidirectional").and_then(Value::as_bool);
    let bidirectional = bidirectional.ok_or_else(|| Failure::Unknown("parameter bidirectional".into()))?;
    let buckets = Buckets::new(case.param("num_buckets")? as i64, case.param("max_distance")? as i64, bidirectional)?;
    match case.quantity {
        "bucket" => {
            case.only(&["relative_position"])?;
            // Theirs is key − query.
            let offsets = case.numbers("relative_position")?;
            let values: Vec<f64> = offsets.iter().map(|r| buckets.bucket(-*r as i64) as f64).collect();
            Ok(computed(&[values.len()], values))
        }
        "bucket_matrix" => {
            case.only(&["query_len", "key_len"])?;
            let (queries, keys) = (case.whole("query_len")?, case.whole("key_len")?);
            let pairs = (0..queries as i64).flat_map(|i| (0..keys as i64).map(move |j| i - j));
            Ok(computed(&[queries, keys], pairs.map(|offset| buckets.bucket(offset) as f64).collect()))
        }
        _ => Err(case.unknown_quantity()),
    }
}
