//! The schemes that the app offers. `posenc` knows more: each one here is in the first load, and has a figure that
//! shows it.

use posenc::SchemeSpec;
use posenc::schemes::{alibi, learned, none, rope, sinusoidal, t5};

static OFFERED: [&SchemeSpec; 6] =
    [&sinusoidal::SPEC, &learned::SPEC, &rope::SPEC, &alibi::SPEC, &t5::SPEC, &none::SPEC];

/// Every scheme of the app, in the order in which they are offered.
pub fn offered() -> &'static [&'static SchemeSpec] {
    &OFFERED
}

/// The offered scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    offered().iter().find(|spec| spec.id == id).copied()
}
