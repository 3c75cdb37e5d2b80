//! `rope-mixed`: `cos_sin`.

use super::{Adapter, Case, Computed, Failure, rope2d::cos_sin};
use posenc::Encoding;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "rope-mixed", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Axial(rope) = case.build()? else { return Err(case.unknown_quantity()) };
    if case.quantity != "cos_sin" {
        return Err(case.unknown_quantity());
    }
    case.only(&["columns", "rows", "order"])?;
    case.order("patch, plane, [cos, sin]")?;
    let (rows, columns) = (case.numbers("rows")?, case.numbers("columns")?);
    let places: Vec<[f64; 2]> = rows.iter().zip(&columns).map(|(row, column)| [*row, *column]).collect();
    cos_sin(&rope, &places)
}
