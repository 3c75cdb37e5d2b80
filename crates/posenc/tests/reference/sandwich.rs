//! `sandwich`: `bias`.

use super::{Adapter, Case, Computed, Failure};
use posenc::Encoding;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "sandwich", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Bias(sandwich) = case.build()? else { return Err(case.unknown_quantity()) };
    match case.quantity {
        "bias" => case.matrix(&*sandwich),
        _ => Err(case.unknown_quantity()),
    }
}
