//! `rope`: `inv_freq`, `cos`, `sin`, `rotate`, `score`, `softmax_scale`.

use super::{Adapter, Case, Computed, Failure, text};
use posenc::{Encoding, Rotary};
use serde_json::{Map, Value};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "rope", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    if case.quantity == "softmax_scale" {
        return softmax_scale(case);
    }
    let rope = build(case, case.pairs()?)?;
    let attention_factor = Some(rope.attention_factor());
    let (shape, values) = match case.quantity {
        "inv_freq" => {
            case.only(&["first", "seq_len"])?;
            // null: as the model is loaded.
            let all = match case.inputs.get("seq_len") {
                None | Some(Value::Null) => rope.inv_freq().to_vec(),
                Some(length) => {
                    let length = length.as_f64().ok_or_else(|| Failure::Unknown("input seq_len".into()))?;
                    rope.at_length(length).inv_freq().to_vec()
                }
            };
            // Some cases list only the first planes.
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

/// With one thing said in the scheme's own terms: a `factor` beside `longrope` only says how much longer than the trained
/// length the sequences may become.
fn build(case: &Case<'_>, mut pairs: Vec<(String, String)>) -> Result<Rotary, Failure> {
    let value = |key: &str| pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    if value("rope_type").as_deref() == Some("longrope")
        && let Some(factor) = value("factor")
    {
        let number = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        let (Some(factor), Some(trained)) = (number(Some(factor)), number(value("original_max_position_embeddings")))
        else {
            return Err(Failure::Unknown("factor of longrope without a trained length".into()));
        };
        pairs.retain(|(key, _)| key != "factor" && key != "max_position_embeddings");
        pairs.push(("max_position_embeddings".into(), (factor * trained).to_string()));
    }
    match case.config(pairs)?.build()? {
        Encoding::Rotary(rope) => Ok(rope),
        _ => Err(case.unknown_quantity()),
    }
}

/// Rows of `[rope parameters, width of query and key]`.
fn softmax_scale(case: &Case<'_>) -> Result<Computed, Failure> {
    case.only(&["rows"])?;
    let rule = "scaling * (0.1*mscale_all_dim*ln(factor)+1)^2";
    if case.params.len() != 1 || case.params.get("rule").and_then(Value::as_str) != Some(rule) {
        return Err(Failure::Unknown(format!("parameters {:?}", case.params)));
    }
    let rows: Vec<(Map<String, Value>, usize)> = case
        .inputs
        .get("rows")
        .and_then(|rows| serde_json::from_value(rows.clone()).ok())
        .ok_or_else(|| Failure::Unknown("input rows".into()))?;
    let mut values = Vec::new();
    for (parameters, width) in rows {
        let pairs: Result<_, Failure> =
            parameters.iter().map(|(key, value)| Ok((key.clone(), text(key, value)?))).collect();
        values.push(build(case, pairs?)?.softmax_scale(width));
    }
    Ok(Computed { shape: vec![values.len()], values, attention_factor: None })
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
