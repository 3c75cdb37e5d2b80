//! The list of schemes.

use crate::{SchemeSpec, schemes};

static REGISTRY: [&SchemeSpec; 14] = [
    &schemes::sinusoidal::SPEC,
    &schemes::learned::SPEC,
    &schemes::rope::SPEC,
    &schemes::alibi::SPEC,
    &schemes::t5::SPEC,
    &schemes::kerple::SPEC,
    &schemes::sandwich::SPEC,
    &schemes::fire::SPEC,
    &schemes::shaw::SPEC,
    &schemes::transformer_xl::SPEC,
    &schemes::deberta::SPEC,
    &schemes::tupe::SPEC,
    &schemes::cope::SPEC,
    &schemes::none::SPEC,
];

/// Every scheme, in the order in which they are offered.
pub fn registry() -> &'static [&'static SchemeSpec] {
    &REGISTRY
}

/// The scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    registry().iter().find(|spec| spec.id == id).copied()
}
