//! The schemes that the app offers. `posenc` knows more: each one here has a figure that shows it.
//!
//! The module of the first load has the first of them; to choose another there fetches the whole app: see
//! `src/handover.rs`.

#[cfg(feature = "full")]
use posenc::schemes::{
    alibi, cope, deberta, fire, fourier, irope, kerple, learned, learned2d, mrope, rope_mixed, rope2d, sandwich, shaw,
    sincos2d, t5, transformer_xl, tupe, xpos,
};
use posenc::{
    SchemeSpec,
    schemes::{none, rope, sinusoidal},
};

/// The ids of all schemes, in the order in which they are offered; another module may have to be fetched for one.
pub static IDS: [&str; 22] = [
    "sinusoidal",
    "learned",
    "fourier",
    "rope",
    "xpos",
    "irope",
    "alibi",
    "t5",
    "kerple",
    "sandwich",
    "fire",
    "shaw",
    "transformer-xl",
    "deberta",
    "tupe",
    "cope",
    "sincos2d",
    "learned2d",
    "rope2d",
    "rope-mixed",
    "mrope",
    "none",
];

/// Those of the module of the first load.
#[cfg(any(test, not(feature = "full")))]
pub(crate) const FIRST: [&SchemeSpec; 3] = [&sinusoidal::SPEC, &rope::SPEC, &none::SPEC];

#[cfg(feature = "full")]
static OFFERED: [&SchemeSpec; IDS.len()] = [
    &sinusoidal::SPEC,
    &learned::SPEC,
    &fourier::SPEC,
    &rope::SPEC,
    &xpos::SPEC,
    &irope::SPEC,
    &alibi::SPEC,
    &t5::SPEC,
    &kerple::SPEC,
    &sandwich::SPEC,
    &fire::SPEC,
    &shaw::SPEC,
    &transformer_xl::SPEC,
    &deberta::SPEC,
    &tupe::SPEC,
    &cope::SPEC,
    &sincos2d::SPEC,
    &learned2d::SPEC,
    &rope2d::SPEC,
    &rope_mixed::SPEC,
    &mrope::SPEC,
    &none::SPEC,
];
#[cfg(not(feature = "full"))]
static OFFERED: [&SchemeSpec; FIRST.len()] = FIRST;

/// There is a value of it in the module of the whole app alone: what holds one is left out of the other by the compiler.
#[derive(Debug, Clone, Copy)]
pub enum Whole {
    /// The value.
    #[cfg(feature = "full")]
    Here,
}

/// The value, where there is one.
#[cfg(feature = "full")]
pub const WHOLE: Option<Whole> = Some(Whole::Here);
/// The value, where there is one.
#[cfg(not(feature = "full"))]
pub const WHOLE: Option<Whole> = None;

/// Every scheme of this module, in the order in which they are offered.
pub fn offered() -> &'static [&'static SchemeSpec] {
    &OFFERED
}

/// The offered scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    offered().iter().find(|spec| spec.id == id).copied()
}
