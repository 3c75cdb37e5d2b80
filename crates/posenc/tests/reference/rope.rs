//! `rope`: `inv_freq`, `cos`, `sin`, `rotate`, `score`.

use super::{Adapter, Case, Computed, Failure};
use posenc::{Encoding, Rotary};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "rope", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let Encoding::Rotary(rope) = case.build()? else { return Err(case.unknown_quantity()) };
    let attention_factor = Some(rope.attention_factor());
    let (shape, values) = match case.quantity {
        "inv_freq" => {
            case.only(&["first"])?;
            // Some cases list only the first planes.
            let all = rope.inv_freq();
            let first = match case.inputs.get("first") {
                Some(n) => n.as_u64().ok_or_else(|| Failure::Unknown("input first".into()))? as usize,
                None => all.len(),
            };
            (vec![first.min(all.len())], all[..first.min(all.len())].to_vec())
        }
        "cos" | "sin" => {
            case.only(&["positions"])?;
            let positions = case.numbers("positions")?;
            let values = positions.iter().flat_map(|p| table_row(&rope, *p, case.quantity == "sin")).collect();
            (vec![positions.len(), 2 * rope.inv_freq().len()], values)
        }
        "rotate" => {
            case.only(&["x", "positions"])?;
            let (x, positions) = (case.numbers("x")?, case.numbers("positions")?);
            let mut values = vec![0.0; positions.len() * rope.head_dim()];
            for (position, row) in positions.iter().zip(values.chunks_exact_mut(rope.head_dim())) {
                rope.rotate(&x, *position, row)?;
            }
            (vec![positions.len(), rope.head_dim()], values)
        }
        "score" => {
            case.only(&["q", "k", "query_key_positions"])?;
            let (q, k) = (case.numbers("q")?, case.numbers("k")?);
            let pairs: Vec<[f64; 2]> = case
                .inputs
                .get("query_key_positions")
                .and_then(|pairs| serde_json::from_value(pairs.clone()).ok())
                .ok_or_else(|| Failure::Unknown("input query_key_positions".into()))?;
            let profile = rope.profile(&q, &k)?;
            // The cases are q·k; a profile is q·k/√head_dim.
            let scale = (rope.head_dim() as f64).sqrt();
            (vec![pairs.len()], pairs.iter().map(|[m, n]| profile.at(m - n) * scale).collect())
        }
        _ => return Err(case.unknown_quantity()),
    };
    Ok(Computed { shape, values, attention_factor })
}

/// Cosines or sines of every rotated dimension, each plane's at both of its dimensions.
fn table_row(rope: &Rotary, position: f64, sine: bool) -> Vec<f64> {
    let mut row = vec![0.0; 2 * rope.inv_freq().len()];
    // A unit vector along a plane's first axis turns into (cos, sin).
    for k in 0..rope.inv_freq().len() {
        let (mut x, mut out) = (vec![0.0; rope.head_dim()], vec![0.0; rope.head_dim()]);
        x[rope.pair(k).0] = 1.0;
        rope.rotate(&x, position, &mut out).unwrap_or_else(|error| panic!("{error}"));
        let (i, j) = rope.pair_out(k);
        let value = out[if sine { j } else { i }];
        row[i] = value;
        row[j] = value;
    }
    row
}
