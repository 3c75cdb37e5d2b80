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
use posenc::costs::Shape;
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

/// Every row of the table, made one long.
fn directions(asked: &Asked) -> Result<Vec<Vec<f64>>, String> {
    let direction = |p: usize| {
        let row = asked.row(p as f64)?;
        let norm = dot(&row, &row).sqrt();
        Ok(row.iter().map(|x| x / norm).collect())
    };
    (0..rows(asked)?).map(direction).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn nearest_is_next(asked: &Asked) -> Result<f64, String> {
    let rows = directions(asked)?;
    let nearest = |p: usize| {
        let others = (0..rows.len()).filter(|other| *other != p).map(|other| (other, dot(&rows[p], &rows[other])));
        others.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(other, _)| other)
    };
    Ok((0..rows.len()).filter(|p| nearest(*p).is_some_and(|other| other.abs_diff(*p) == 1)).count() as f64)
}

fn mean_cosine(asked: &Asked) -> Result<f64, String> {
    let (rows, offset) = (directions(asked)?, asked.count("offset")?);
    let pairs = rows.len().checked_sub(offset).filter(|pairs| *pairs > 0).ok_or("no two rows are so far apart")?;
    Ok((0..pairs).map(|p| dot(&rows[p], &rows[p + offset])).sum::<f64>() / pairs as f64)
}
