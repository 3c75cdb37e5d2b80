//! Numbers of planes: how fast each turns, how far, and what a shift does.
//!
//! | quantity | |
//! | --- | --- |
//! | `planes` | how many pairs of dimensions turn |
//! | `frequency(plane)` | radians per token |
//! | `wavelength(plane)` | tokens in a turn |
//! | `turns(plane, length)` | turns within so many tokens |
//! | `incomplete(length)` | planes that do not finish a turn within them |
//! | `phase(plane, position)`, `degrees(plane, position)` | how far a plane has turned; degrees within the turn, from 0 |
//! | `sine(plane, position)`, `cosine_of(plane, position)` | the two numbers of a plane |
//! | `crossings(plane, from, count)` | changes of sign of the plane's sine, over so many positions |
//! | `factor(plane, offset)`, `explained(plane, offset)` | the best factor from a sine to the sine that far on, and the share R² that it explains, over the positions that the figure `shift` takes |
//! | `residual(offset, positions)` | the greatest error of `M·PE(p)` against `PE(p + offset)`, over so many positions |
//! | `combined(offset, positions)` | the greatest error of the best `α·PE(p) + β·PE(offset)` against `PE(p + offset)` |
//! | `angle_error(format, cast, plane, position)` | radians by which an angle is off in few bits |
//! | `last_whole(format)` | the last whole number up to which the format has all |
//! | `divisor(plane, length)` | how many times slower a context extension makes a plane |

use super::{Asked, Quantity, usual, wanted};
use posenc::{
    phase, planes,
    precision::{self, Cast, Format},
};

pub(super) static QUANTITIES: &[Quantity] = &[
    Quantity { name: "planes", arguments: &[], compute: |asked| Ok(asked.frequencies()?.len() as f64) },
    Quantity { name: "frequency", arguments: &[wanted("plane")], compute: Asked::frequency },
    Quantity {
        name: "wavelength",
        arguments: &[wanted("plane")],
        compute: |asked| Ok(planes::wavelength(asked.frequency()?)),
    },
    Quantity {
        name: "turns",
        arguments: &[wanted("plane"), wanted("length")],
        compute: |asked| Ok(planes::turns(asked.frequency()?, asked.number("length")?)),
    },
    Quantity {
        name: "incomplete",
        arguments: &[wanted("length")],
        compute: |asked| Ok(planes::incomplete(asked.frequencies()?, asked.number("length")?).count() as f64),
    },
    Quantity {
        name: "phase",
        arguments: &[wanted("plane"), wanted("position")],
        compute: |asked| Ok(asked.number("position")? * asked.frequency()?),
    },
    Quantity {
        name: "degrees",
        arguments: &[wanted("plane"), wanted("position")],
        compute: |asked| Ok((asked.number("position")? * asked.frequency()?).to_degrees().rem_euclid(360.0)),
    },
    Quantity {
        name: "sine",
        arguments: &[wanted("plane"), wanted("position")],
        compute: |asked| Ok(sin_cos(asked)?.0),
    },
    Quantity {
        name: "cosine_of",
        arguments: &[wanted("plane"), wanted("position")],
        compute: |asked| Ok(sin_cos(asked)?.1),
    },
    Quantity {
        name: "crossings",
        arguments: &[wanted("plane"), usual("from", "0"), wanted("count")],
        compute: crossings,
    },
    Quantity {
        name: "factor",
        arguments: &[wanted("plane"), wanted("offset"), usual("positions", "500")],
        compute: |asked| Ok(sine_alone(asked)?.factor),
    },
    Quantity {
        name: "explained",
        arguments: &[wanted("plane"), wanted("offset"), usual("positions", "500")],
        compute: |asked| Ok(sine_alone(asked)?.explained),
    },
    Quantity { name: "residual", arguments: &[wanted("offset"), usual("positions", "5000")], compute: residual },
    Quantity { name: "combined", arguments: &[wanted("offset"), usual("positions", "399")], compute: combined },
    Quantity {
        name: "angle_error",
        arguments: &[wanted("format"), usual("cast", "all"), wanted("plane"), wanted("position")],
        compute: |asked| {
            let cast = asked.word("cast");
            if !Cast::WORDS.contains(&cast) {
                return Err(format!("cast = {cast:?}: there are {}", Cast::WORDS.join(", ")));
            }
            let position = asked.count("position")? as u64;
            Ok(precision::error(format(asked)?, Cast::from_word(cast), position, asked.frequency()?).abs())
        },
    },
    Quantity {
        name: "last_whole",
        arguments: &[wanted("format")],
        compute: |asked| Ok(format(asked)?.last_whole() as f64),
    },
    Quantity { name: "divisor", arguments: &[wanted("plane"), usual("length", "0")], compute: divisor },
];

fn sin_cos(asked: &Asked) -> Result<(f64, f64), String> {
    Ok(phase::sin_cos(asked.number("position")?, asked.frequency()?))
}

fn crossings(asked: &Asked) -> Result<f64, String> {
    let (from, count) = (asked.whole("from")?, asked.whole("count")?);
    let changes = asked.waves()?.sign_changes(asked.count("plane")?, from..from.saturating_add(count));
    changes.map(|changes| changes as f64).ok_or_else(|| asked.lacks("such plane"))
}

fn sine_alone(asked: &Asked) -> Result<posenc::waves::Fit, String> {
    let fit = asked.waves()?.sine_alone(asked.count("plane")?, asked.number("offset")?, positions(asked)?);
    fit.ok_or_else(|| asked.lacks("such plane"))
}

fn positions(asked: &Asked) -> Result<u32, String> {
    u32::try_from(asked.count("positions")?).map_err(|e| e.to_string())
}

fn residual(asked: &Asked) -> Result<f64, String> {
    let error = asked.waves()?.shift_error(asked.number("offset")?, positions(asked)?);
    error.ok_or_else(|| asked.lacks("matrix of a shift"))
}

fn combined(asked: &Asked) -> Result<f64, String> {
    Ok(asked.waves()?.mixture_error(asked.number("offset")?, positions(asked)?))
}

fn format(asked: &Asked) -> Result<Format, String> {
    let name = asked.word("format");
    let known = Format::ALL.into_iter().find(|format| format.name() == name);
    known.ok_or_else(|| format!("format = {name:?}: there are {}", Format::ALL.map(Format::name).join(", ")))
}

fn divisor(asked: &Asked) -> Result<f64, String> {
    let divisors = planes::divisors(asked.rotary()?, asked.number("length")?);
    let divisors = divisors.ok_or_else(|| asked.lacks("context extension"))?;
    let plane = asked.count("plane")?;
    divisors.get(plane).copied().ok_or_else(|| format!("plane {plane} is none of the {} from 0", divisors.len()))
}
