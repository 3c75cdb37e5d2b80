//! What a person reads of a value that was not taken as given.

use crate::words;
use posenc::{Repair, Why};

/// One sentence that names the key, what was given, and what is used.
pub fn say(repair: &Repair) -> String {
    let Repair { key, given, used, why } = repair;
    match (why, key.as_str()) {
        (_, "link") => words::notice_link_too_long().to_owned(),
        (_, "page") => words::notice_unknown_page(given),
        (_, "text") if *why == Why::OutOfRange => words::notice_text_cut(super::MOST_TEXT),
        (Why::UnknownKey, _) => words::notice_unknown_key(key),
        (Why::UnknownWord, _) if used.is_empty() => words::notice_unknown_item(given, key),
        (Why::UnknownWord, _) => words::notice_unknown_word(key, given, used),
        (Why::NotANumber, _) if used.is_empty() => words::notice_unreadable(given, key),
        (Why::NotANumber, _) => words::notice_not_a_number(key, given, used),
        (Why::OutOfRange, _) if used.is_empty() => words::notice_left_out(given, key),
        (Why::OutOfRange, _) => words::notice_out_of_range(key, given, used),
        (Why::NotWhole, _) => words::notice_not_whole(key, given, used),
        (Why::Unreadable, _) => words::notice_unreadable(given, key),
    }
}
