//! `mrope`: `cos`, `sin`, one number a plane.

use super::{Adapter, Case, Computed, Failure};
use posenc::Encoding;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "mrope", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Axial(mrope) = case.build()? else { return Err(case.unknown_quantity()) };
    if !["cos", "sin"].contains(&case.quantity) {
        return Err(case.unknown_quantity());
    }
    case.only(&["t", "h", "w"])?;
    let (t, h, w) = (case.numbers("t")?, case.numbers("h")?, case.numbers("w")?);
    let mut values = Vec::new();
    for ((t, h), w) in t.iter().zip(&h).zip(&w) {
        for plane in 0..mrope.planes() {
            let (sin, cos) = mrope.sin_cos(plane, &[*t, *h, *w])?;
            values.push(if case.quantity == "sin" { sin } else { cos });
        }
    }
    Ok(Computed::new(vec![t.len(), mrope.planes()], values))
}
