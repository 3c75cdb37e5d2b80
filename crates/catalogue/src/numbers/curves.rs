//! Numbers of a score by offset (query position − key position), and of what biases leave of attention.
//!
//! | quantity | |
//! | --- | --- |
//! | `curve(offset)` | the number that the figure `offset` draws: the product of two rows, q·k/√d of a rotation, or a bias |
//! | `mean(from, to)` | its mean over these whole offsets, both ends included |
//! | `first_rise` | the least offset at which it is greater than one before |
//! | `rises(to)` | how often it is that, up to and with this offset |
//! | `least(to)` | its least value up to there |
//! | `aimed(by, offset)`, `peak(by, to)` | the curve with the query turned by `by` tokens; where that is greatest |
//! | `score(query, key)` | q·k/√d of a query and a key, each turned to its own position |
//! | `norm_ratio(position)` | how long a query is once it is turned, as a share of what it was |
//! | `wired(code, query, key)`, `wired_norm(code, position)` | the same two of code that mixes the layouts: `mixed-join` or `mixed-table` |
//! | `slope(head)` | logits per token |
//! | `retained(head, length, window)` | the share of attention that a bias leaves on the last keys |
//! | `bucket(offset)`, `buckets(length)` | the bucket of an offset; how many are used within a length |
//!
//! `vectors` are `ones`, `equal` or `independent`, as in links.

use super::{Asked, Quantity, usual, wanted};
use posenc::{
    Encoding,
    bias::{Bias, Row},
    pairing::{Measured, Wiring},
};
use std::collections::BTreeSet;

/// How far a first rise is looked for.
const FAR: i64 = 1 << 20;

pub(super) static QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "curve",
        arguments: &[wanted("offset"), usual("head", "0"), usual("vectors", "ones")],
        compute: |asked| curve(asked)?(asked.whole("offset")?),
    },
    Quantity {
        name: "mean",
        arguments: &[wanted("from"), wanted("to"), usual("head", "0"), usual("vectors", "ones")],
        compute: |asked| {
            let (from, to, curve) = (asked.whole("from")?, asked.whole("to")?, curve(asked)?);
            let sum = (from..=to).map(curve).sum::<Result<f64, _>>()?;
            Ok(sum / (to - from + 1) as f64)
        },
    },
    Quantity {
        name: "first_rise",
        arguments: &[usual("head", "0"), usual("vectors", "ones")],
        compute: |asked| {
            let curve = curve(asked)?;
            for offset in 1..FAR {
                if curve(offset)? > curve(offset - 1)? {
                    return Ok(offset as f64);
                }
            }
            Err(asked.lacks("rise"))
        },
    },
    Quantity {
        name: "rises",
        arguments: &[wanted("to"), usual("head", "0"), usual("vectors", "ones")],
        compute: |asked| {
            let curve = curve(asked)?;
            let scores = (0..=asked.whole("to")?).map(curve).collect::<Result<Vec<f64>, _>>()?;
            Ok(scores.windows(2).filter(|pair| pair[1] > pair[0]).count() as f64)
        },
    },
    Quantity {
        name: "least",
        arguments: &[wanted("to"), usual("head", "0"), usual("vectors", "ones")],
        compute: |asked| {
            let curve = curve(asked)?;
            (0..=asked.whole("to")?).try_fold(f64::INFINITY, |least, offset| Ok(least.min(curve(offset)?)))
        },
    },
    Quantity {
        name: "aimed",
        arguments: &[wanted("by"), wanted("offset"), usual("vectors", "ones")],
        compute: |asked| Ok(asked.profile()?.aimed(asked.number("by")?).at(asked.number("offset")?)),
    },
    Quantity {
        name: "peak",
        arguments: &[wanted("by"), wanted("to"), usual("vectors", "ones")],
        compute: |asked| {
            let aimed = asked.profile()?.aimed(asked.number("by")?);
            let scores = (0..=asked.whole("to")?).map(|offset| (offset as f64, aimed.at(offset as f64)));
            let most = scores.max_by(|a, b| a.1.total_cmp(&b.1));
            most.map(|(offset, _)| offset).ok_or_else(|| "no offset is looked at".to_owned())
        },
    },
    Quantity { name: "score", arguments: &[wanted("query"), wanted("key"), usual("vectors", "ones")], compute: score },
    Quantity {
        name: "norm_ratio",
        arguments: &[wanted("position"), usual("vectors", "independent")],
        compute: |asked| {
            let rotary = asked.rotary()?;
            let (q, _) = asked.query_and_key(rotary.head_dim())?;
            let mut turned = vec![0.0; q.len()];
            rotary.rotate(&q, asked.number("position")?, &mut turned).map_err(|e| e.to_string())?;
            Ok((dot(&turned, &turned) / dot(&q, &q)).sqrt())
        },
    },
    Quantity {
        name: "wired",
        arguments: &[wanted("code"), wanted("query"), wanted("key"), usual("vectors", "independent")],
        compute: |asked| Ok(wired(asked, asked.number("query")?, asked.number("key")?)?.score),
    },
    Quantity {
        name: "wired_norm",
        arguments: &[wanted("code"), wanted("position"), usual("vectors", "independent")],
        compute: |asked| {
            let (before, after) = wired(asked, asked.number("position")?, 0.0)?.norms;
            Ok(after / before)
        },
    },
    Quantity {
        name: "slope",
        arguments: &[wanted("head")],
        compute: |asked| {
            let (bias, head) = (bias(asked)?, asked.count("head")?);
            let slope = bias.slopes().ok_or_else(|| asked.lacks("slopes"))?.get(head).copied();
            slope.ok_or_else(|| format!("head {head} is none of the {} from 0", bias.heads()))
        },
    },
    Quantity {
        name: "retained",
        arguments: &[usual("head", "0"), wanted("length"), wanted("window")],
        compute: |asked| {
            let row = Row::new(asked.count("head")?, asked.whole("length")? - 1);
            let window = asked.count("window")? as u64;
            posenc::bias::retained(bias(asked)?, row, window).map_err(|e| e.to_string())
        },
    },
    Quantity {
        name: "bucket",
        arguments: &[wanted("offset")],
        compute: |asked| Ok(bucket(asked, asked.whole("offset")?)? as f64),
    },
    Quantity {
        name: "buckets",
        arguments: &[wanted("length")],
        compute: |asked| {
            let used = (0..asked.whole("length")?).map(|offset| bucket(asked, offset));
            Ok(used.collect::<Result<BTreeSet<_>, _>>()?.len() as f64)
        },
    },
];

type Curve<'a> = Box<dyn Fn(i64) -> Result<f64, String> + 'a>;

/// What the figure `offset` draws of a scheme.
fn curve(asked: &Asked) -> Result<Curve<'_>, String> {
    if let Encoding::Bias(bias) = &asked.encoding {
        let head = asked.count("head")?;
        return Ok(Box::new(move |offset| {
            bias.by_offset(head, offset)
                .ok_or_else(|| asked.lacks("bias that depends on the offset alone in that head"))
        }));
    }
    let profile = asked.profile()?;
    Ok(Box::new(move |offset| Ok(profile.at(offset as f64))))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn score(asked: &Asked) -> Result<f64, String> {
    let rotary = asked.rotary()?;
    let (q, k) = asked.query_and_key(rotary.head_dim())?;
    let turned = |x: &[f64], position: f64| {
        let mut turned = vec![0.0; x.len()];
        rotary.rotate(x, position, &mut turned).map_err(|e| e.to_string())?;
        Ok::<_, String>(turned)
    };
    let (q, k) = (turned(&q, asked.number("query")?)?, turned(&k, asked.number("key")?)?);
    Ok(dot(&q, &k) / (rotary.head_dim() as f64).sqrt())
}

/// What code that mixes two layouts makes of a query and a key.
fn wired(asked: &Asked, query: f64, key: f64) -> Result<Measured, String> {
    let rotary = asked.rotary()?;
    let (q, k) = asked.query_and_key(rotary.head_dim())?;
    let wiring = match asked.word("code") {
        "mixed-join" => Wiring::MixedJoin,
        "mixed-table" => Wiring::MixedTable,
        other => return Err(format!("code = {other:?}: there are mixed-join, mixed-table")),
    };
    Measured::new(wiring, rotary.inv_freq(), (&q, &k), (query, key), 0.0).map_err(|e| e.to_string())
}

fn bias(asked: &Asked) -> Result<&dyn Bias, String> {
    match &asked.encoding {
        Encoding::Bias(bias) => Ok(bias.as_ref()),
        _ => Err(asked.lacks("bias")),
    }
}

fn bucket(asked: &Asked, offset: i64) -> Result<usize, String> {
    let spans = bias(asked)?.spans().ok_or_else(|| asked.lacks("buckets"))?;
    let holds = |span: &&posenc::bias::Span| {
        span.start.is_none_or(|start| start <= offset) && span.end.is_none_or(|end| offset < end)
    };
    Ok(spans.iter().find(holds).ok_or_else(|| asked.lacks("bucket there"))?.bucket)
}
