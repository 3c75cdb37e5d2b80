//! `alibi`: `slopes`, `bias`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{Encoding, bias::Row};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "alibi", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Bias(alibi) = case.build()? else { return Err(case.unknown_quantity()) };
    match case.quantity {
        "slopes" => {
            case.only(&["heads"])?;
            // Some cases list only some heads.
            let heads: Vec<usize> = if case.inputs.contains_key("heads") {
                case.numbers("heads")?.iter().map(|head| *head as usize).collect()
            } else {
                (0..alibi.heads()).collect()
            };
            let slope = |head: &usize| alibi.bias(Row::new(*head, 1), 0).map(|bias| -bias);
            Ok(computed(&[heads.len()], heads.iter().map(slope).collect::<Result<_, _>>()?))
        }
        // One row for all queries, in the forms that do not depend on it.
        "bias" if !case.inputs.contains_key("query_len") => {
            case.only(&["key_len"])?;
            let keys = case.whole("key_len")?;
            let mut values = vec![0.0; alibi.heads() * keys];
            for (head, out) in values.chunks_exact_mut(keys).enumerate() {
                if alibi.by_offset(head, 0).is_some() {
                    return Err(Failure::Unknown("a bias of queries without query_len".into()));
                }
                alibi.write_row(Row::new(head, 0).of(keys as i64), 0, out)?;
            }
            Ok(computed(&[alibi.heads(), keys], values))
        }
        "bias" => case.matrix(&*alibi),
        _ => Err(case.unknown_quantity()),
    }
}
