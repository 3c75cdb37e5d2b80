//! `kerple`: `bias`.

use super::{Adapter, Case, Computed, Failure};
use posenc::schemes::kerple::{Kernel, Kerple};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "kerple", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only_params(&["kind", "p", "a"])?;
    let kernel = match case.param_word("kind")? {
        "log" => Kernel::Log,
        "power" => Kernel::Power,
        other => return Err(Failure::Unknown(format!("kind {other}"))),
    };
    let kerple = Kerple::new(kernel, case.list("p")?, case.list("a")?)?;
    match case.quantity {
        "bias" => case.matrix(&kerple),
        _ => Err(case.unknown_quantity()),
    }
}
