//! The exact numbers of a query and a key, with their formulas.

use super::{Model, Panel};
use crate::draw::number;
use crate::figures::Reading;
use crate::state::Cursor;
use crate::{formulas, words};
use posenc::{Encoding, attention::log_sum_exp};

/// The score and the weight of a pair that the mask leaves.
pub(super) fn of(model: &Model, panel: &Panel, cursor: &Cursor, query: usize, key: usize) -> Vec<Reading> {
    let Some(seen) = model.seen(panel, cursor) else { return Vec::new() };
    let n = model.sentence.count();
    let at = query * n + key;
    let (product, score, weight) = (seen.products[at], seen.scores[at], seen.weights[at]);
    let own = product * panel.mind.scale() * if panel.mind.is_unscaled() { 1.0 / panel.mind.scale() } else { 1.0 };
    let (value, dim) = (number::exact(score), seen.width);
    let product = number::short(product);
    // What the scheme adds is what the product leaves of the score.
    let (own, added) = (number::short(own), number::short(score - own));
    let math = match panel.mind.encoding() {
        Encoding::Absolute(_) | Encoding::Grid(_) => formulas::attention_embedding(product, dim, &value),
        Encoding::Rotary(_) | Encoding::Axial(_) => formulas::attention_rotation(product, dim, &value),
        Encoding::QueryKey(_) => formulas::attention_query_key(product, dim, &value),
        Encoding::Bias(_) => formulas::attention_bias(own, added, &value),
        Encoding::Content(_) => formulas::attention_content(number::short(panel.mind.scale()), product, added, &value),
        _ => formulas::attention_plain(product, dim, &value),
    };
    let name = panel.label(cursor);
    let pair = (model.word(query), model.word(key));
    let temperature = model.sentence.temperature;
    let scaled = |key: usize| seen.scores[query * n + key] / temperature;
    let total = number::short(log_sum_exp(model.sentence.keys(query).map(scaled)));
    let exact = number::exact(weight);
    let weight_math = formulas::attention_weight(number::short(score / temperature), total, &exact);
    vec![
        Reading { slot: panel.slot, label: words::attention_reading_score(&name, &pair.0, &pair.1), value, math },
        Reading {
            slot: panel.slot,
            label: words::attention_reading_weight(&name, &pair.0, &pair.1),
            value: exact,
            math: weight_math,
        },
    ]
}
