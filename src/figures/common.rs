//! What the figures have in common: names of slots, errors in words, the cursor's moves.

use super::{Cursor, CursorPatch, Edit, Response, Slot};
use crate::{draw::number, words};
use posenc::Encoding;

/// The name of a slot: the scheme's, and where the same scheme is there twice, what tells them apart.
pub(crate) fn name(slots: &[Slot], slot: &Slot) -> String {
    let name = words::scheme_name(slot.config.spec.id);
    let twins: Vec<&Slot> =
        slots.iter().filter(|other| other.index != slot.index && other.config.spec == slot.config.spec).collect();
    if twins.is_empty() {
        return name;
    }
    let own: Vec<String> = slot
        .config
        .settings
        .iter()
        .filter(|(spec, value)| twins.iter().any(|twin| twin.config.settings.get(spec.key) != Some(*value)))
        .map(|(spec, value)| format!("{} {value}", words::param(spec.key)))
        .collect();
    if own.is_empty() {
        words::draw_numbered(&name, slot.index + 1)
    } else {
        words::draw_distinguished(&name, own.join(", "))
    }
}

/// What keeps the slots from being drawn, one sentence each.
pub(crate) fn failures(slots: &[Slot]) -> Vec<String> {
    if slots.is_empty() {
        return vec![words::draw_none_suits().to_owned()];
    }
    slots
        .iter()
        .filter_map(|slot| {
            let error = slot.encoding.as_ref().as_ref().err()?;
            Some(words::draw_error(name(slots, slot), error))
        })
        .collect()
}

/// What a slot computes, where it can.
pub(crate) fn encoding(slot: &Slot) -> Option<&Encoding> {
    slot.encoding.as_ref().as_ref().ok()
}

/// A move of the cursor that stays.
pub(crate) fn moved(patch: CursorPatch) -> Response {
    Response { hover: None, edits: vec![Edit::Cursor(patch)], used: true }
}

/// A move of the cursor while the pointer rests.
pub(crate) fn hovered(patch: CursorPatch) -> Response {
    Response { hover: Some(patch), edits: Vec::new(), used: true }
}

/// The word at a position, in quotes, after its number; the number alone where there is no word.
pub(crate) fn position_label(words: &[String], position: f64) -> String {
    let number = number::place(position);
    match word_at(words, position) {
        Some(word) => crate::words::draw_position_word(number, word),
        None => crate::words::draw_position(number),
    }
}

/// The word at a position, if the text has one there.
pub(crate) fn word_at(words: &[String], position: f64) -> Option<&str> {
    if position < 0.0 {
        return None;
    }
    words.get(position as usize).map(String::as_str)
}

/// The largest plane that any of the slots has, plus one.
pub(crate) fn planes(slots: &[Slot]) -> usize {
    slots
        .iter()
        .filter_map(encoding)
        .map(|encoding| match encoding {
            Encoding::Rotary(rotary) => rotary.inv_freq().len(),
            Encoding::Absolute(table) => {
                table.waves().map_or_else(|| table.width().div_ceil(2), |waves| waves.freq().len())
            }
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

/// The plane so many further than the cursor's, within what is there.
pub(crate) fn plane_by(cursor: &Cursor, by: i64, planes: usize) -> usize {
    (cursor.plane as i64 + by).clamp(0, planes.max(1) as i64 - 1) as usize
}
