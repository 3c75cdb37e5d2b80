//! `fire`: `bias`.

use super::{Adapter, Case, Computed, Failure, given::computed};
use posenc::{
    bias::{Bias, Row},
    schemes::fire::{Fire, Network},
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "fire", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only_params(&["c", "L", "eps", "w1", "b1", "w2", "b2", "activation"])?;
    if case.param_word("activation")? != "relu" {
        return Err(Failure::Unknown("activation".into()));
    }
    let network = Network { w1: case.list("w1")?, b1: case.list("b1")?, w2: case.list("w2")?, b2: case.list("b2")? };
    let fire = Fire::new(case.param("c")?, case.param("L")?, case.param("eps")?, network)?;
    match case.quantity {
        "bias" => {
            case.only(&["seq_len", "order"])?;
            case.must_be("order", "query i, then key j <= i, then head")?;
            let mut values = Vec::new();
            for query in 0..case.whole("seq_len")? as i64 {
                for key in 0..=query {
                    for head in 0..fire.heads() {
                        values.push(fire.bias(Row::new(head, query), key)?);
                    }
                }
            }
            Ok(computed(&[values.len() / fire.heads(), fire.heads()], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}
