//! `cope`: `bias`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{
    content::{Content, Tokens},
    schemes::cope::Cope,
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "cope", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only_params(&["max_pos", "pos_emb"])?;
    let (rows, table) = (case.param("max_pos")? as usize, case.list("pos_emb")?);
    match case.quantity {
        "bias" => {
            case.only(&["q", "k", "n", "gate"])?;
            // The listing takes the logits as they come: here they are not divided.
            case.must_be("gate", "sigmoid(q.k), causal")?;
            let width = table.len() / rows.max(1);
            let (q, k, n) = (case.numbers("q")?, case.numbers("k")?, case.whole("n")?);
            let cope = Cope::new(width, table, 1.0, 1.0)?;
            let tokens = Tokens::new(width, &q, &k)?;
            let mut values = vec![0.0; n * n];
            for (query, row) in values.chunks_exact_mut(n).enumerate() {
                cope.write_row(&tokens, query, true, row)?;
            }
            Ok(computed(&[n, n], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}
