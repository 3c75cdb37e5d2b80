//! `transformer-xl`: `scores`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{
    Encoding,
    attention::logits,
    content::Tokens,
    schemes::transformer_xl::{Distances, TransformerXl},
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "transformer-xl", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only_params(&["d_head", "u", "v"])?;
    let width = case.param("d_head")? as usize;
    match case.quantity {
        "scores" => {
            case.only(&["q", "k", "r_projected_descending", "n", "order"])?;
            case.must_be("order", "query i, then key j <= i")?;
            let (q, k, n) = (case.numbers("q")?, case.numbers("k")?, case.whole("n")?);
            let descending = case.numbers("r_projected_descending")?;
            let ascending = descending.chunks_exact(width).rev().flatten().copied().collect();
            let xl = TransformerXl::new(case.list("u")?, case.list("v")?, Distances::Projected(ascending))?;
            let all = logits(&Encoding::Content(Box::new(xl)), 0, &Tokens::new(width, &q, &k)?, true)?;
            let values: Vec<f64> = (0..n).flat_map(|i| all[i * n..=i * n + i].to_vec()).collect();
            Ok(computed(&[values.len()], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}
