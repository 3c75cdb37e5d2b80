//! `deberta`: `bucket`, `attention`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{
    Encoding,
    attention::Head,
    schemes::deberta::{Buckets, Deberta},
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "deberta", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    match case.quantity {
        "bucket" => {
            // The names of the function's arguments.
            case.only_params(&["bucket_size", "max_position"])?;
            case.only(&["relative_position", "sign"])?;
            case.must_be("sign", "query - key")?;
            let buckets = Buckets::new(case.param("bucket_size")? as i64, case.param("max_position")? as i64)?;
            let offsets = case.numbers("relative_position")?;
            Ok(computed(&[offsets.len()], offsets.iter().map(|r| buckets.bucket(*r as i64) as f64).collect()))
        }
        "attention" => {
            case.only_params(&["head_dim", "position_buckets", "max_relative_positions", "rel_embeddings"])?;
            case.only(&["hidden", "n", "projections"])?;
            case.must_be("projections", "identity")?;
            let width = case.param("head_dim")? as usize;
            let buckets =
                Buckets::new(case.param("position_buckets")? as i64, case.param("max_relative_positions")? as i64)?;
            // share_att_key: the same projection, here none, for both tables.
            let table = case.list("rel_embeddings")?;
            let deberta = Deberta::new(width, buckets, table.clone(), table)?;
            let seen = Head::identity(width).attend(
                &Encoding::Content(Box::new(deberta)),
                0,
                &case.numbers("hidden")?,
                false,
            )?;
            let n = case.whole("n")?;
            Ok(computed(&[n, n], seen.weights))
        }
        _ => Err(case.unknown_quantity()),
    }
}
