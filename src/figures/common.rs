//! What the figures have in common: names of slots, errors in words, the cursor's moves.

use super::{Cursor, CursorPatch, Edit, Response, Scene, Slot};
use crate::{draw::number, schemes::WHOLE, tables, words};
use posenc::{Acts, Encoding, Error, Kind, ParamSpec, Scale, Settings, Unit, Value, vectors::Vectors};

/// For which values of another option an option makes a difference; see [`ParamSpec::when`].
type When = Option<(&'static str, &'static [&'static str])>;

const fn choice(key: &'static str, options: &'static [&'static str], default: &'static str, when: When) -> ParamSpec {
    ParamSpec { key, kind: Kind::Choice { options, default }, unit: Unit::None, when }
}

/// The option for the scale of an axis of offsets.
pub(crate) const fn axis(when: When) -> ParamSpec {
    choice("axis", &["linear", "log"], "linear", when)
}

/// The option for keys before the query alone, or after it too.
pub(crate) const fn sides(when: When) -> ParamSpec {
    choice("sides", &["back", "both"], "back", when)
}

/// The option for the query and the key whose score is shown.
pub(crate) const VECTORS: ParamSpec = choice("vectors", &Vectors::WORDS, "ones", None);

/// An option for a window on a table: where it begins, or how much it shows (0: all of it).
pub(crate) const fn window_option(key: &'static str, max: i64, unit: Unit, when: When) -> ParamSpec {
    ParamSpec { key, kind: Kind::Integer { min: 0, max, step: 1, default: 0, scale: Scale::Linear }, unit, when }
}

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
        .filter(|(spec, _)| slot.config.settings.relevant(spec))
        // Short, since it stands at lines and above panels: a word says by itself what it is of.
        .map(|(spec, value)| match value {
            Value::Choice(word) => (*word).to_owned(),
            value => format!("{} {value}", spec.key),
        })
        .collect();
    if own.is_empty() {
        words::draw_numbered(&name, slot.index + 1)
    } else {
        words::draw_distinguished(&name, own.join(", "))
    }
}

/// What keeps schemes from being drawn, one sentence each.
pub(crate) fn failures(scene: &Scene) -> Vec<String> {
    let Scene { slots, others, .. } = scene;
    if slots.is_empty() && others.is_empty() {
        return vec![words::draw_none_suits().to_owned()];
    }
    let broken = slots.iter().filter_map(|slot| {
        let name = name(slots, slot);
        Some(match slot.encoding.as_ref().as_ref().err()? {
            Error::NeedsData(asset) if tables::failure(asset.file).is_none() => words::weights_loading(name),
            Error::NeedsData(asset) => words::weights_not_here(name, asset.file),
            error => words::draw_error(name, error),
        })
    });
    broken.chain(others.iter().map(|slot| unsuited(&name(others, slot), slot))).collect()
}

/// Why schemes that suit a figure of tables and rotations are neither, one sentence each.
pub(crate) fn undrawn(scene: &Scene) -> Vec<String> {
    // The module of the first screens has no such scheme.
    if WHOLE.is_none() {
        return Vec::new();
    }
    let other = scene.slots.iter().filter(|slot| matches!(encoding(slot), Some(Encoding::QueryKey(_))));
    let (offset, attention) = (words::figure_title("offset"), words::figure_title("attention"));
    other.map(|slot| words::unsuited_query_key(name(&scene.slots, slot), &offset, &attention)).collect()
}

/// Whether some slot computes something, or will once its file is here.
pub(crate) fn is_drawn(scene: &Scene) -> bool {
    scene.slots.iter().any(|slot| matches!(slot.encoding.as_ref(), Ok(_) | Err(Error::NeedsData(_))))
}

/// The width of the longest sentence of [`failures`], in CSS pixels.
const SENTENCE: f64 = 700.0;

/// The height of a figure that has nothing to show but [`failures`].
pub(crate) fn message_height(scene: &Scene, width: f64) -> f64 {
    let sentences = (scene.slots.len() + scene.others.len()) as f64;
    48.0 + sentences * 18.0 * (SENTENCE / width.max(100.0)).ceil()
}

/// Why a figure does not show a scheme.
fn unsuited(name: &str, slot: &Slot) -> String {
    let title = instead(slot).map(words::figure_title);
    match (slot.config.spec.acts, title) {
        (_, Some(title)) if is_image(slot) => words::unsuited_image(name, title),
        (Acts::Bias, Some(title)) => words::unsuited_bias(name, title),
        (Acts::Content, Some(title)) => words::unsuited_content(name, title),
        (Acts::Nothing, _) => words::unsuited_nothing(name),
        (Acts::Embedding, _) => words::unsuited_embedding(name),
        (Acts::Rotation, _) => words::unsuited_rotation(name),
        // The module of the first screens has no such scheme.
        (Acts::Bias | Acts::Content, None) => String::new(),
    }
}

/// The id of the figure that shows what others cannot of a scheme.
pub(crate) fn instead(slot: &Slot) -> Option<&'static str> {
    WHOLE?;
    match slot.config.spec.acts {
        _ if is_image(slot) => Some("patches"),
        Acts::Bias => Some("bias"),
        Acts::Content => Some("attention"),
        Acts::Nothing | Acts::Embedding | Acts::Rotation => None,
    }
}

/// Whether a scheme places the patches of an image, and not words in a row. None of the first module's does.
pub(crate) fn is_image(slot: &Slot) -> bool {
    WHOLE.is_some() && matches!(encoding(slot), Some(Encoding::Grid(_) | Encoding::Axial(_)))
}

/// What a slot computes, where it can.
pub(crate) fn encoding(slot: &Slot) -> Option<&Encoding> {
    slot.encoding.as_ref().as_ref().ok()
}

/// A move of the cursor that stays.
pub(crate) fn moved(patch: CursorPatch) -> Response {
    Response { hover: None, edits: vec![Edit::Cursor(patch)], used: true }
}

/// What a key does where arrows move the position (by `step` tokens) and the offset, and brackets go from plane to plane;
/// `last` is the last position.
pub(crate) fn walked(key: &str, cursor: &Cursor, last: f64, step: f64, planes: usize) -> Response {
    let to = |position: f64| {
        // To a millionth: ten steps of a tenth are one.
        let position = (position * 1e6).round() / 1e6;
        moved(CursorPatch { position: Some(position.clamp(0.0, last)), ..CursorPatch::default() })
    };
    let offset = |by: i64| {
        let offset = (cursor.offset + by).clamp(-last as i64, last as i64);
        moved(CursorPatch { offset: Some(offset), ..CursorPatch::default() })
    };
    let plane = |by: i64| moved(CursorPatch { plane: Some(plane_by(cursor, by, planes)), ..CursorPatch::default() });
    match key {
        "ArrowRight" => to(cursor.position + step),
        "ArrowLeft" => to(cursor.position - step),
        "ArrowUp" => offset(1),
        "ArrowDown" => offset(-1),
        "PageUp" => to(cursor.position + 10.0),
        "PageDown" => to(cursor.position - 10.0),
        "Home" => to(0.0),
        "End" => to(last),
        "[" => plane(-1),
        "]" => plane(1),
        _ => Response::default(),
    }
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

/// The first position on screen and how many there are, by the options `first_position` and `positions`.
pub(crate) fn positions(scene: &Scene) -> (u64, u64) {
    let length = scene.length.max(1);
    let first = (scene.options.integer("first_position").max(0) as u64).min(length - 1);
    let count = match scene.options.integer("positions").max(0) as u64 {
        0 => length - first,
        count => count.min(length - first),
    };
    (first, count)
}

/// Brings the first item of a window and how many it shows into what there is. A window that reaches past the end shows
/// all from its first item: 0.
pub(crate) fn window(options: &mut Settings, first: &str, count: &str, all: impl FnOnce() -> usize) {
    if options.integer(first) <= 0 && options.integer(count) <= 0 {
        return;
    }
    let all = all().max(1) as i64;
    if options.integer(first) >= all {
        let _ = options.set(first, &(all - 1).to_string());
    }
    if options.integer(count) > all {
        let _ = options.set(count, "0");
    }
}

/// The largest plane that any of the slots has, plus one.
pub(crate) fn planes(slots: &[Slot]) -> usize {
    slots
        .iter()
        .filter_map(encoding)
        .map(|encoding| match encoding {
            Encoding::Rotary(rotary) => rotary.inv_freq().len(),
            Encoding::QueryKey(both) if WHOLE.is_some() => both.rotary().map_or(0, |rotary| rotary.inv_freq().len()),
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
