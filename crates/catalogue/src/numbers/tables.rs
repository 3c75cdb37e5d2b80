//! Numbers of tables with an end, and of what schemes cost.
//!
//! | quantity | |
//! | --- | --- |
//! | `rows` | positions that have a row |
//! | `width` | numbers in a row |
//! | `nearest_is_next` | the rows whose nearest other row, by the cosine, is that of the position before or after |
//! | `mean_cosine(offset)` | the cosine of two rows that far apart, mean over the table |
//! | `parameters(layers, heads, head_dim, length)` | numbers that are learned, in a whole model |
//! | `year` | when the scheme was published |
//! | `models` | models of `posenc`'s list that use it |

use super::{Asked, Quantity, usual, wanted};
use posenc::{
    analysis::{Analysis, Found},
    costs::Shape,
};
use std::collections::BTreeSet;

pub(super) static QUANTITIES: &[Quantity] = &[
    Quantity { name: "rows", arguments: &[], compute: |asked| Ok(rows(asked)? as f64) },
    Quantity { name: "width", arguments: &[], compute: |asked| Ok(asked.absolute()?.width() as f64) },
    Quantity { name: "nearest_is_next", arguments: &[], compute: nearest_is_next },
    Quantity { name: "mean_cosine", arguments: &[wanted("offset")], compute: mean_cosine },
    Quantity {
        name: "parameters",
        arguments: &[usual("layers", "12"), usual("heads", "12"), usual("head_dim", "64"), usual("length", "512")],
        compute: |asked| {
            let heads = asked.number("heads")?;
            let shape = Shape {
                layers: asked.number("layers")?,
                heads,
                kv_heads: heads,
                head_dim: asked.number("head_dim")?,
                length: asked.number("length")?,
                causal: true,
            };
            Ok(asked.config.costs(&shape).parameters)
        },
    },
    Quantity {
        name: "year",
        arguments: &[],
        compute: |asked| {
            // "Su et al. 2021, RoFormer …"
            let title = asked.config.spec.paper.title;
            let mut years = title.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
            years.find_map(posenc::number::parse).ok_or_else(|| asked.lacks("year"))
        },
    },
    Quantity {
        name: "models",
        arguments: &[],
        compute: |asked| {
            let names = posenc::models::of(asked.config.spec.id).map(|model| model.name);
            Ok(names.collect::<BTreeSet<_>>().len() as f64)
        },
    },
];

fn rows(asked: &Asked) -> Result<usize, String> {
    asked.absolute()?.rows().ok_or_else(|| asked.lacks("last row"))
}

/// What the rows' cosines tell.
fn compared(asked: &Asked) -> Result<Found, String> {
    let (table, rows) = (asked.absolute()?, rows(asked)?);
    let mut values = vec![0.0; rows * table.width()];
    table.fill(0.0, 1.0, &mut values);
    let mut analysis = Analysis::new(table.width(), &values, 0);
    analysis.compare();
    Ok(analysis.finish())
}

fn nearest_is_next(asked: &Asked) -> Result<f64, String> {
    let found = compared(asked)?;
    Ok((found.next_to_it() * (found.nearest.len() - found.left_out) as f64).round())
}

fn mean_cosine(asked: &Asked) -> Result<f64, String> {
    let mean = compared(asked)?.mean.get(asked.count("offset")?).copied();
    mean.filter(|mean| mean.is_finite()).ok_or_else(|| "no two rows are so far apart".to_owned())
}
