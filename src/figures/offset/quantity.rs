//! What the numbers of a curve are.

use super::super::Scene;
use crate::schemes::WHOLE;
use posenc::{Acts, Encoding};

/// What a number is: curves are overlaid only where this is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// The product of two position vectors.
    Product,
    /// q·k/√d.
    Score,
    /// What is added to the logit.
    Bias,
    /// q·k, whatever it is: it does not depend on the offset.
    Content,
}

/// What the scores of an encoding are, among those of a scene. Without positions nothing is added: where another scheme
/// adds to logits or vectors, that is a flat zero beside it.
pub(super) fn quantity(scene: &Scene, encoding: &Encoding) -> Option<Quantity> {
    let beside = |acts: Acts| scene.slots.iter().any(|slot| slot.config.spec.acts == acts);
    match encoding {
        Encoding::None if beside(Acts::Bias) => Some(Quantity::Bias),
        Encoding::None if beside(Acts::Embedding) => Some(Quantity::Product),
        Encoding::None => Some(Quantity::Content),
        Encoding::Bias(_) => Some(Quantity::Bias),
        Encoding::Absolute(_) => Some(Quantity::Product),
        Encoding::Rotary(_) => Some(Quantity::Score),
        // Where nothing turns, the score is q·k, or q·k times what the query's own position makes of it.
        Encoding::QueryKey(both) if WHOLE.is_some() => {
            Some(if both.rotary().is_some() { Quantity::Score } else { Quantity::Content })
        }
        _ => None,
    }
}
