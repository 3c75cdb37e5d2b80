//! `shaw`: `bias`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{
    content::{Content, Tokens},
    schemes::shaw::Shaw,
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "shaw", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only_params(&["left", "right", "scale", "head_dim", "table"])?;
    let width = case.param("head_dim")? as usize;
    let shaw = Shaw::new(width, case.param("left")? as i64, case.param("right")? as i64, case.list("table")?, None)?;
    if case.param("scale")? != shaw.scale() {
        return Err(Failure::Unknown("scale that is not 1/√head_dim".into()));
    }
    match case.quantity {
        "bias" => {
            case.only(&["q", "n"])?;
            let (q, n) = (case.numbers("q")?, case.whole("n")?);
            let tokens = Tokens::new(width, &q, &q)?;
            let mut values = vec![0.0; n * n];
            for (query, row) in values.chunks_exact_mut(n).enumerate() {
                shaw.write_row(&tokens, query, false, row)?;
            }
            Ok(computed(&[n, n], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}
