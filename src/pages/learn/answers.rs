//! What was answered, kept in this browser: a list finished lessons by, and a reader who comes back finds it.
//! Storage that is blocked keeps nothing, and is no error.

use crate::app::storage;

/// The answers of a lesson, in the order of what it asks: `None` where nothing was answered.
pub(super) type Answers = Vec<Option<usize>>;

fn key(lesson: &str) -> String {
    format!("placewise.lesson.{lesson}")
}

/// What was answered before.
pub(super) fn kept(lesson: &str) -> Answers {
    let text = storage().and_then(|storage| storage.get_item(&key(lesson)).ok().flatten()).unwrap_or_default();
    read(&text)
}

/// Keeps what was answered.
pub(super) fn keep(lesson: &str, answers: &Answers) {
    if let Some(storage) = storage() {
        let _ = if answers.iter().flatten().next().is_none() {
            storage.remove_item(&key(lesson))
        } else {
            storage.set_item(&key(lesson), &written(answers))
        };
    }
}

/// The answers with one more.
pub(super) fn with(answers: &Answers, ask: usize, answer: Option<usize>) -> Answers {
    let mut next = answers.clone();
    next.resize(next.len().max(ask + 1), None);
    next[ask] = answer;
    next
}

fn written(answers: &Answers) -> String {
    let one = |answer: &Option<usize>| answer.map_or(String::new(), |answer| answer.to_string());
    answers.iter().map(one).collect::<Vec<_>>().join(",")
}

/// What else stands there is nobody's answer.
fn read(text: &str) -> Answers {
    text.split(',').take(MOST).map(|answer| answer.parse().ok()).collect()
}

/// More than any lesson asks.
const MOST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_answered_is_found_again() {
        let answers = with(&with(&Vec::new(), 2, Some(1)), 0, Some(0));
        assert_eq!(answers, [Some(0), None, Some(1)]);
        assert_eq!(read(&written(&answers)), answers);
        assert_eq!(read("nonsense,2"), [None, Some(2)]);
        assert_eq!(read(""), [None]);
        assert_eq!(with(&answers, 2, None), [Some(0), None, None]);
    }
}
