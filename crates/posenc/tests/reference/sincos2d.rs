//! `sincos2d`: `table`.

use super::{Adapter, Case, Computed, Failure};
use posenc::{Encoding, grid::Grid};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "sincos2d", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Grid(table) = case.build()? else { return Err(case.unknown_quantity()) };
    if case.quantity != "table" {
        return Err(case.unknown_quantity());
    }
    case.only(&["height", "width", "order"])?;
    let grid = Grid { height: case.count("height")?, width: case.count("width")? };
    let (patches, d) = (grid.height * grid.width, table.width());
    let mut values = vec![0.0; patches * d];
    for ((row, column), vector) in grid.patches().zip(values.chunks_exact_mut(d)) {
        table.write_patch(grid, row, column, vector)?;
    }
    if case.inputs.contains_key("order") {
        case.order("channel, row, column")?;
        let turned = (0..d).flat_map(|c| values.iter().skip(c).step_by(d)).copied().collect();
        return Ok(Computed::new(vec![d, grid.height, grid.width], turned));
    }
    // Written patch by patch, or with rows and columns apart: the same numbers in the same order.
    let shape = if case.dimensions == 3 { vec![grid.height, grid.width, d] } else { vec![patches, d] };
    Ok(Computed::new(shape, values))
}
