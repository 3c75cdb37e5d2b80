//! The list of schemes.

use crate::{SchemeSpec, schemes};

static REGISTRY: &[&SchemeSpec] = &[
    &schemes::sinusoidal::SPEC,
    &schemes::learned::SPEC,
    &schemes::fourier::SPEC,
    &schemes::sincos2d::SPEC,
    &schemes::learned2d::SPEC,
    &schemes::rope::SPEC,
    &schemes::xpos::SPEC,
    &schemes::irope::SPEC,
    &schemes::rope2d::SPEC,
    &schemes::rope_mixed::SPEC,
    &schemes::mrope::SPEC,
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
    REGISTRY
}

/// The scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    registry().iter().find(|spec| spec.id == id).copied()
}
