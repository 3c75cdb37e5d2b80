//! What a person reads of a value that was not taken as given.

use crate::words;
use posenc::{Repair, Why};

/// One sentence that names the key, what was given, and what is used.
pub fn say(repair: &Repair) -> String {
    let Repair { key, given, used, why } = repair;
    let name = &name(key);
    match (why, key.as_str()) {
        (_, "link") => words::notice_link_too_long().to_owned(),
        #[cfg(feature = "full")]
        (_, "lesson") => words::learn_unknown(given),
        (_, "page") => words::notice_unknown_page(given),
        (_, "text") if *why == Why::OutOfRange => words::notice_text_cut(super::MOST_TEXT),
        #[cfg(feature = "full")]
        (Why::OutOfRange, "table") if given == posenc::plain::YOURS => {
            words::brought_elsewhere(words::choice("table", used))
        }
        (Why::UnknownKey, _) => words::notice_unknown_key(key),
        (Why::UnknownWord, _) if used.is_empty() => words::notice_unknown_item(given, name),
        (Why::UnknownWord, _) => words::notice_unknown_word(name, given, used),
        (Why::NotANumber, _) if used.is_empty() => words::notice_unreadable(given, name),
        (Why::NotANumber, _) => words::notice_not_a_number(name, given, used),
        (Why::OutOfRange, "figures" | "schemes") => words::notice_left_out(given, name),
        // A list of which nothing is left.
        (Why::OutOfRange, _) if used.is_empty() => words::notice_out_of_range(name, given, words::field_list_auto()),
        (Why::OutOfRange, _) => words::notice_out_of_range(name, given, used),
        (Why::NotWhole, _) => words::notice_not_whole(name, given, used),
        (Why::Unreadable, _) => words::notice_unreadable(given, name),
    }
}

/// The words that a key's field shows, and the key; the key alone where they are the same, or on their way, or none.
fn name(key: &str) -> String {
    let label = match key.split_once('.') {
        Some(_) => words::by_key(&format!("option.{key}")),
        None => words::by_key(&format!("option.global.{key}")).or_else(|| words::by_key(&format!("param.{key}"))),
    };
    match label {
        Some(label) if label != key => words::notice_named(label, key),
        _ => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::link;

    fn notices(link: &str) -> Vec<String> {
        link::parse("", link).1.iter().map(say).collect()
    }

    #[test]
    fn a_notice_has_the_words_of_the_field_and_the_key() {
        assert_eq!(
            notices("#/?heatmap.first_position=500"),
            ["“first position shown” (heatmap.first_position) = 500 is outside its range: 63 is used."]
        );
        assert_eq!(notices("#/?length=0"), ["length = 0 is outside its range: 1 is used."]);
        let theta = &notices("#/?schemes=rope(rope_theta=0)")[0];
        assert!(theta.contains("(rope_theta) = 0"), "{theta}");
        assert!(notices("#/?nonsense=1")[0].contains("“nonsense”"));
    }

    #[test]
    fn what_was_rounded_is_not_called_out_of_range() {
        assert_eq!(
            notices("#/?offset=3.7"),
            ["“offset (query − key)” (offset) = 3.7 is not a whole number: 4 is used."]
        );
        assert!(notices("#/?offset=1e9")[0].contains("outside its range"));
    }

    #[test]
    fn planes_that_are_not_there_are_named() {
        let said = notices("#/explore?schemes=rope(head_dim=8)&figures=rotation&rotation.planes=1:3:9");
        assert!(said[0].contains("1:3:9") && said[0].contains(": 1:3 is used"), "{said:?}");
        let said = notices("#/explore?schemes=rope(head_dim=8)&figures=rotation&rotation.planes=9");
        assert!(said[0].contains("chosen for you"), "{said:?}");
    }
}
