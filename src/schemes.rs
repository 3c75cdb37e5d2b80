//! The schemes that the app offers: all that `posenc` has.
//!
//! The module of the first load has the first of them; to choose another there fetches the whole app: see
//! `src/handover.rs`.

use posenc::SchemeSpec;
#[cfg(any(test, not(feature = "full")))]
use posenc::schemes::{none, rope, sinusoidal};

/// Those of the module of the first load.
#[cfg(any(test, not(feature = "full")))]
pub(crate) static FIRST: [&SchemeSpec; 3] = [&sinusoidal::SPEC, &rope::SPEC, &none::SPEC];

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
    #[cfg(feature = "full")]
    return posenc::registry();
    #[cfg(not(feature = "full"))]
    &FIRST
}

/// The offered scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    offered().iter().find(|spec| spec.id == id).copied()
}
