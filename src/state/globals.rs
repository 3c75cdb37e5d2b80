//! What is set once for all figures.

use super::MOST_LENGTH;
use posenc::{Kind, ParamSpec, Scale, Unit};

/// Their keys, ranges and defaults. Defaults never change: links leave them out.
pub static GLOBALS: &[ParamSpec] = &[
    ParamSpec {
        key: "length",
        kind: Kind::Integer { min: 1, max: MOST_LENGTH, step: 1, default: 64, scale: Scale::Log },
        unit: Unit::Tokens,
        when: None,
    },
    // Between two tokens too: the sinusoid and the rotation are defined there.
    ParamSpec {
        key: "position",
        kind: Kind::Real { min: 0.0, max: MOST_LENGTH as f64 - 1.0, step: 1.0, default: 12.0, scale: Scale::Linear },
        unit: Unit::Tokens,
        when: None,
    },
    ParamSpec {
        key: "offset",
        kind: Kind::Integer { min: 1 - MOST_LENGTH, max: MOST_LENGTH - 1, step: 1, default: 4, scale: Scale::Linear },
        unit: Unit::Tokens,
        when: None,
    },
    ParamSpec {
        key: "plane",
        kind: Kind::Integer { min: 0, max: 2047, step: 1, default: 2, scale: Scale::Linear },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "head",
        kind: Kind::Integer { min: 0, max: 255, step: 1, default: 0, scale: Scale::Linear },
        unit: Unit::Heads,
        when: None,
    },
    ParamSpec {
        key: "seed",
        kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "theme",
        kind: Kind::Choice { options: &["system", "light", "dark"], default: "system" },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "palette",
        kind: Kind::Choice {
            options: &["auto", "blue-red", "purple-green", "viridis", "cividis", "grey"],
            default: "auto",
        },
        unit: Unit::None,
        when: None,
    },
    ParamSpec { key: "lang", kind: Kind::Choice { options: &["en"], default: "en" }, unit: Unit::None, when: None },
    ParamSpec { key: "play", kind: Kind::Switch { default: false }, unit: Unit::None, when: None },
];
