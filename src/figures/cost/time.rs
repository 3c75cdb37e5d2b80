//! What schemes take in this browser, measured by the `lab` module's job `time` when a person asks for it.
//!
//! What was measured stays as long as the page does, by the scheme with its parameters: it depends on nothing else here.

use crate::draw::number;
use crate::figures::{Scene, Slot};
use crate::words;
use lab::protocol::Request;
use posenc::{Config, Encoding, Error};
use std::cell::RefCell;
use std::rc::Rc;

/// Lengths that are measured, as the job has them: in tokens, ascending.
pub(super) const LENGTHS: [u64; 6] = [16, 64, 256, 1024, 4096, 16_384];

/// Schemes of which it is kept.
const MOST_KEPT: usize = 32;

/// Seconds for one token, by [`LENGTHS`]; NaN where the scheme has no number for the length.
pub(super) type Seconds = Rc<[f32]>;

thread_local! {
    /// By the scheme, the oldest first.
    static MEASURED: RefCell<Vec<(Config, Seconds)>> = const { RefCell::new(Vec::new()) };
}

/// What was measured of a scheme.
pub(super) fn measured(config: &Config) -> Option<Seconds> {
    MEASURED.with_borrow(|all| all.iter().find(|(other, _)| other == config).map(|(_, seconds)| seconds.clone()))
}

/// Keeps what was measured.
pub(super) fn keep(config: &Config, seconds: &[f32]) {
    forget(config);
    MEASURED.with_borrow_mut(|all| {
        if all.len() == MOST_KEPT {
            all.remove(0);
        }
        all.push((config.clone(), seconds.into()));
    });
}

/// Forgets it: it is to be measured anew.
pub(super) fn forget(config: &Config) {
    MEASURED.with_borrow_mut(|all| all.retain(|(other, _)| other != config));
}

/// The request that measures a scheme.
pub(super) fn request(config: &Config) -> String {
    Request::Time(config.clone()).to_string()
}

/// Whether it can be measured: not weights that a person brought, which the lab has not.
pub(super) fn can(config: &Config) -> bool {
    !matches!(config.build(), Err(Error::NeedsData(asset)) if asset.rows == 0)
}

/// The measured length that is nearest to one, by their ratio.
pub(super) fn nearest(length: u64) -> u64 {
    let apart = |other: &u64| (libm::log(*other as f64) - libm::log(length.max(1) as f64)).abs();
    LENGTHS.into_iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(LENGTHS[0])
}

/// The next measured length, up or down; the last stays.
pub(super) fn next(length: u64, up: bool) -> u64 {
    let here = nearest(length);
    let mut others = LENGTHS.into_iter().filter(|other| if up { *other > here } else { *other < here });
    let next = if up { others.next() } else { others.next_back() };
    next.unwrap_or(here)
}

/// The place of a length among those that are measured.
pub(super) fn place(length: u64) -> Option<usize> {
    LENGTHS.iter().position(|other| *other == length)
}

/// What of a scheme is timed, in words.
pub(super) fn what(slot: &Slot, name: &str) -> String {
    let numbers = |count: usize| number::whole(count as i64);
    match slot.encoding.as_ref() {
        Ok(Encoding::None) => words::cost_time_nothing(name),
        Ok(Encoding::Absolute(table)) => words::cost_time_row(name, numbers(table.width())),
        Ok(Encoding::Grid(table)) => words::cost_time_row(name, numbers(table.width())),
        Ok(Encoding::Rotary(rotary)) => words::cost_time_turned(name, numbers(rotary.head_dim())),
        Ok(Encoding::QueryKey(both)) => words::cost_time_turned(name, numbers(both.head_dim())),
        Ok(Encoding::Axial(axial)) => words::cost_time_turned(name, numbers(axial.head_dim())),
        Ok(Encoding::Content(content)) => words::cost_time_content(name, numbers(content.head_dim())),
        Err(Error::NeedsData(asset)) => words::cost_time_row(name, numbers(asset.columns)),
        Ok(_) | Err(_) => words::cost_time_biases(name),
    }
}

/// What is said of the measurement, and of what is timed of each scheme.
pub(super) fn notes(scene: &Scene, name: impl Fn(&Slot) -> String) -> Vec<String> {
    let mut notes = vec![words::cost_time_how().to_owned()];
    for slot in &scene.slots {
        let name = name(slot);
        notes.push(if can(&slot.config) { what(slot, &name) } else { words::cost_time_yours(&name) });
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_are_those_of_the_job() {
        assert_eq!(LENGTHS, lab::time::LENGTHS.map(u64::from));
    }

    #[test]
    fn every_length_has_a_nearest_one_that_is_measured() {
        for (length, expected) in
            [(0, 16), (1, 16), (31, 16), (33, 64), (4096, 4096), (9000, 16_384), (u64::MAX, 16_384)]
        {
            assert_eq!(nearest(length), expected, "{length}");
        }
        assert_eq!([next(64, true), next(64, false), next(16, false), next(1 << 40, true)], [256, 16, 16, 16_384]);
    }
}
