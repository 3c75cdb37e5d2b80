//! Numbers of the vectors of positions, by themselves and added to words.
//!
//! | quantity | |
//! | --- | --- |
//! | `value(position, dim)` | one number of a position's vector |
//! | `norm(position)` | its length |
//! | `dot(position, offset)`, `cosine(position, offset)` | with the vector that far back |
//! | `with_word(word, position)`, `with_position(…)` | the cosine of word + position with the word, or with the position |
//! | `mean_with_word(words)`, `mean_with_position(words)` | the same, mean of so many made-up words, each at a position of its own |
//!
//! `scaled=false` leaves √d out: the word's numbers are then N(0, 1/d). `combine` is `add` or `concatenate`.

use super::{Asked, Quantity, asked::SEED, usual, wanted};
use posenc::{
    input::{Combine, Input},
    vectors::of_word,
};

pub(super) static QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "value",
        arguments: &[wanted("position"), wanted("dim")],
        compute: |asked| {
            let (row, dim) = (asked.row(asked.number("position")?)?, asked.count("dim")?);
            row.get(dim).copied().ok_or_else(|| format!("dimension {dim} is none of the {} from 0", row.len()))
        },
    },
    Quantity {
        name: "norm",
        arguments: &[wanted("position")],
        compute: |asked| {
            let row = asked.row(asked.number("position")?)?;
            Ok(dot(&row, &row).sqrt())
        },
    },
    Quantity {
        name: "dot",
        arguments: &[usual("position", "0"), wanted("offset")],
        compute: |asked| {
            let (here, there) = rows(asked)?;
            Ok(dot(&here, &there))
        },
    },
    Quantity {
        name: "cosine",
        arguments: &[usual("position", "0"), wanted("offset")],
        compute: |asked| {
            let (here, there) = rows(asked)?;
            Ok(dot(&here, &there) / (dot(&here, &here) * dot(&there, &there)).sqrt())
        },
    },
    Quantity {
        name: "with_word",
        arguments: &[wanted("word"), wanted("position"), usual("scaled", "true"), usual("combine", "add")],
        compute: |asked| Ok(input(asked, asked.word("word"), asked.number("position")?)?.cosine_with_word()),
    },
    Quantity {
        name: "with_position",
        arguments: &[wanted("word"), wanted("position"), usual("scaled", "true"), usual("combine", "add")],
        compute: |asked| Ok(input(asked, asked.word("word"), asked.number("position")?)?.cosine_with_place()),
    },
    Quantity {
        name: "mean_with_word",
        arguments: &[usual("words", "400"), usual("scaled", "true"), usual("combine", "add")],
        compute: |asked| mean(asked, Input::cosine_with_word),
    },
    Quantity {
        name: "mean_with_position",
        arguments: &[usual("words", "400"), usual("scaled", "true"), usual("combine", "add")],
        compute: |asked| mean(asked, Input::cosine_with_place),
    },
];

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn rows(asked: &Asked) -> Result<(Vec<f64>, Vec<f64>), String> {
    let position = asked.number("position")?;
    Ok((asked.row(position)?, asked.row(position - asked.number("offset")?)?))
}

/// A word at a position, as the figure `embedding` has it.
fn input(asked: &Asked, word: &str, position: f64) -> Result<Input, String> {
    let place = asked.row(position)?;
    let factor = if asked.switch("scaled")? { 1.0 } else { 1.0 / (place.len() as f64).sqrt() };
    let word = of_word(word, SEED, place.len()).iter().map(|x| x * factor).collect();
    let combine = match asked.word("combine") {
        "add" => Combine::Add,
        "concatenate" => Combine::Concatenate,
        other => return Err(format!("combine = {other:?}: there are add, concatenate")),
    };
    Ok(Input::new(word, place, combine))
}

fn mean(asked: &Asked, of: fn(&Input) -> f64) -> Result<f64, String> {
    let words = asked.count("words")?.max(1);
    let cosines = (0..words).map(|i| Ok(of(&input(asked, &format!("word{i}"), i as f64)?)));
    Ok(cosines.sum::<Result<f64, String>>()? / words as f64)
}
