//! Why a text cannot be read.

use std::fmt;

/// Why a text is not the config of a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is longer than any config is.
    #[error("{bytes} bytes are too long for a config: the most is {most}")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The greatest length that is read, in bytes.
        most: usize,
    },
    /// The text is not JSON.
    #[error("line {line}, column {column}: {}", syntax(*.ends))]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in bytes; 0 where the line is empty.
        column: usize,
        /// The text ends before its value does.
        ends: bool,
    },
    /// The text is JSON, but not an object.
    #[error("line {line}: a config is an object, in braces")]
    NotAnObject {
        /// The line where its value begins, from 1.
        line: usize,
    },
    /// A field has a value that cannot be meant.
    #[error("line {line}: {path} = {given}: {needed}")]
    Field {
        /// The field, as `text_config.rope_scaling.factor`.
        path: String,
        /// The line of its value, from 1.
        line: usize,
        /// The value as given, cut where it is long.
        given: String,
        /// What it would have to be.
        needed: Needed,
    },
}

fn syntax(ends: bool) -> &'static str {
    if ends { "the text ends too early" } else { "this is not JSON" }
}

/// What a field's value would have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    /// An object, in braces.
    Object,
    /// A number.
    Number,
    /// A number above zero.
    Positive,
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
    /// A list of numbers.
    Numbers,
    /// A list of texts.
    Texts,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of so many entries: from the first number to the second.
    Entries(u64, u64),
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object => f.write_str("it must be an object"),
            Self::Number => f.write_str("it must be a number"),
            Self::Positive => f.write_str("it must be a number above zero"),
            Self::Whole(min, max) => write!(f, "it must be a whole number from {min} to {max}"),
            Self::Flag => f.write_str("it must be true or false"),
            Self::Text => f.write_str("it must be a text"),
            Self::Numbers => f.write_str("it must be a list of numbers"),
            Self::Texts => f.write_str("it must be a list of texts"),
            Self::OneOf(words) => write!(f, "it must be one of {}", words.join(", ")),
            Self::Entries(min, max) => write!(f, "it must be a list of {min} to {max} entries"),
        }
    }
}
