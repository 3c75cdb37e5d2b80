//! The list of schemes.

use crate::{SchemeSpec, schemes};

macro_rules! registry {
    ($($scheme:ident),+ $(,)?) => {
        static REGISTRY: &[&SchemeSpec] = &[$(&schemes::$scheme::SPEC),+];

        /// The ids of all schemes, in the same order. A program that leaves most schemes out still has their names.
        pub static IDS: &[&str] = &[$(schemes::$scheme::SPEC.id),+];
    };
}

registry![
    sinusoidal,
    learned,
    fourier,
    sincos2d,
    learned2d,
    rope,
    xpos,
    irope,
    rope2d,
    rope_mixed,
    mrope,
    alibi,
    t5,
    kerple,
    sandwich,
    fire,
    shaw,
    transformer_xl,
    deberta,
    tupe,
    cope,
    none,
];

/// Every scheme, in the order in which they are offered.
pub fn registry() -> &'static [&'static SchemeSpec] {
    REGISTRY
}

/// The scheme with this id.
pub fn find(id: &str) -> Option<&'static SchemeSpec> {
    registry().iter().find(|spec| spec.id == id).copied()
}
