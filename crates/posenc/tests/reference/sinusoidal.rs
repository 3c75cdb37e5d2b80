//! `sinusoidal`: `table`.

use super::{Adapter, Case, Computed, Failure};
use posenc::Encoding;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "sinusoidal", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Absolute(scheme) = case.build()? else { return Err(case.unknown_quantity()) };
    match case.quantity {
        "table" => {
            case.only(&["positions"])?;
            let positions = case.numbers("positions")?;
            let width = scheme.width();
            let mut values = vec![0.0; positions.len() * width];
            for (position, row) in positions.iter().zip(values.chunks_exact_mut(width)) {
                scheme.write_row(*position, row)?;
            }
            Ok(Computed { shape: vec![positions.len(), width], values, attention_factor: None })
        }
        _ => Err(case.unknown_quantity()),
    }
}
