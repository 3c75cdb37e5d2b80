//! `rope2d`: `cos_sin` by plane, `cos` and `sin` by dimension, `rotate`.

use super::{Adapter, Case, Computed, Failure};
use posenc::{
    Encoding,
    grid::{AxialRotary, Grid},
};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "rope2d", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Axial(rope) = case.build()? else { return Err(case.unknown_quantity()) };
    case.only(&["x", "width", "height", "rows", "columns", "order"])?;
    case.order("patch (row-major), plane, [cos, sin]")?;
    let places = places(case, &rope)?;
    match case.quantity {
        "cos_sin" => cos_sin(&rope, &places),
        "cos" | "sin" => {
            let mut values = vec![0.0; places.len() * rope.head_dim()];
            for (at, row) in places.iter().zip(values.chunks_exact_mut(rope.head_dim())) {
                for plane in 0..rope.planes() {
                    let (sin, cos) = rope.sin_cos(plane, at)?;
                    let (i, j) = rope.pair_out(plane);
                    let value = if case.quantity == "sin" { sin } else { cos };
                    (row[i], row[j]) = (value, value);
                }
            }
            Ok(Computed::new(vec![places.len(), rope.head_dim()], values))
        }
        "rotate" => {
            let x = case.numbers("x")?;
            let mut values = vec![0.0; places.len() * rope.head_dim()];
            for (at, row) in places.iter().zip(values.chunks_exact_mut(rope.head_dim())) {
                rope.rotate(&x, at, row)?;
            }
            Ok(Computed::new(vec![places.len(), rope.head_dim()], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}

/// Patches × planes × [cos, sin].
pub(super) fn cos_sin(rope: &AxialRotary, places: &[[f64; 2]]) -> Result<Computed, Failure> {
    let mut values = Vec::new();
    for at in places {
        for plane in 0..rope.planes() {
            let (sin, cos) = rope.sin_cos(plane, at)?;
            values.extend([cos, sin]);
        }
    }
    Ok(Computed::new(vec![places.len(), rope.planes(), 2], values))
}

/// The patches of a grid, or those listed.
fn places(case: &Case<'_>, rope: &AxialRotary) -> Result<Vec<[f64; 2]>, Failure> {
    if case.inputs.contains_key("rows") {
        let (rows, columns) = (case.numbers("rows")?, case.numbers("columns")?);
        return Ok(rows.iter().zip(&columns).map(|(row, column)| [*row, *column]).collect());
    }
    let grid = Grid { height: case.count("height")?, width: case.count("width")? };
    Ok(grid.patches().map(|(row, column)| rope.coordinates(grid, row, column)).collect::<Result<_, _>>()?)
}
