//! Questions that people ask: what is asked and answered is in the locales, the link that shows the answer beside it.

use crate::{Entries, read};
use std::path::Path;

/// The links, by the numbers of their questions.
pub(crate) const FILE: &str = "static/questions.toml";

/// A question that people ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// As in links: `07`.
    pub number: String,
    /// What is asked.
    pub asked: String,
    /// The answer.
    pub answer: String,
    /// The link to what shows it, in the grammar of the app.
    pub link: String,
}

impl Question {
    /// The name of its picture.
    pub fn card(&self) -> String {
        format!("question-{}", self.number)
    }
}

/// All questions, in order.
///
/// # Errors
/// In words: the entry that is missing or too many.
pub fn questions(root: &Path) -> Result<Vec<Question>, String> {
    of(root, &read(&root.join("static/locales/en.toml"))?)
}

fn of(root: &Path, words: &Entries) -> Result<Vec<Question>, String> {
    let word = |key: String| words.get(&key).cloned().ok_or(format!("static/locales/en.toml has no entry {key:?}"));
    let links = read(&root.join(FILE))?;
    let known = |key: &str| {
        let number = key.strip_suffix(".answer").or_else(|| key.strip_suffix(".also")).unwrap_or(key);
        links.contains_key(number)
    };
    let extra = words.keys().filter_map(|key| key.strip_prefix("question.")).find(|key| !known(key));
    if let Some(key) = extra {
        return Err(format!("{FILE} has no link for the entry \"question.{key}\""));
    }
    let question = |(number, link): (&String, &String)| {
        Ok(Question {
            number: number.clone(),
            asked: word(format!("question.{number}"))?,
            answer: word(format!("question.{number}.answer"))?,
            link: link.clone(),
        })
    };
    links.iter().map(question).collect()
}

/// Adds to the words what the app needs besides: `question.<number>.link`, and the list of all numbers.
pub(crate) fn add(root: &Path, words: &mut Entries) -> Result<(), String> {
    let questions = of(root, words)?;
    let numbers: Vec<&str> = questions.iter().map(|question| question.number.as_str()).collect();
    words.insert("questions.numbers".to_owned(), numbers.join(" "));
    words.extend(questions.into_iter().map(|question| (format!("question.{}.link", question.number), question.link)));
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_question_without_an_answer_or_a_link_is_named() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut words = read(&root.join("static/locales/en.toml")).unwrap();
        let all = of(&root, &words).unwrap();
        assert_eq!(all.len(), 19);
        assert!(all.iter().all(|question| question.link.starts_with("#/explore?")));
        words.insert("question.99".to_owned(), "?".to_owned());
        assert!(of(&root, &words).unwrap_err().contains("question.99"));
        words.remove("question.99");
        words.remove("question.07.answer");
        assert!(of(&root, &words).unwrap_err().contains("question.07.answer"));
    }
}
