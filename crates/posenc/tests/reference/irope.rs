//! `irope`: `query_temperature`, `rope_layers`.

use super::{Adapter, Case, Computed, Failure};
use posenc::schemes::irope::{query_temperature, rope_layers};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "irope", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let settings = case.config(case.pairs()?)?.settings;
    let values: Vec<f64> = match case.quantity {
        "query_temperature" => {
            case.only(&["positions"])?;
            let (scale, floor) = (settings.real("attn_scale"), settings.integer("floor_scale") as f64);
            case.numbers("positions")?.iter().map(|position| query_temperature(*position, scale, floor)).collect()
        }
        "rope_layers" => {
            case.only(&[])?;
            let (layers, interval) =
                (settings.integer("num_hidden_layers"), settings.integer("no_rope_layer_interval"));
            rope_layers(layers as usize, interval as usize)
                .iter()
                .map(|rotates| f64::from(u8::from(*rotates)))
                .collect()
        }
        _ => return Err(case.unknown_quantity()),
    };
    Ok(Computed::new(vec![values.len()], values))
}
