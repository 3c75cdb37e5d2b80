//! What was read.

use super::mistakes::Warning;
use crate::{Config, Repair};

/// What a config says of positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The `model_type` of the part that reads text.
    pub model_type: Option<String>,
    /// Whether it is one whose code is known here. If not, the fields alone were read, and what they leave open is
    /// [`Because::Commonest`].
    pub known: bool,
    /// What acts on which layers: one entry for each kind of layers. Empty where nothing was found.
    pub parts: Vec<Part>,
    /// How long sequences may be.
    pub lengths: Lengths,
    /// What the config leaves open.
    pub defaulted: Vec<Defaulted>,
    /// Where programs are known to go wrong.
    pub warnings: Vec<Warning>,
    /// Fields that were not read, or that no scheme has room for, in the order of the text.
    pub unread: Vec<Unread>,
}

/// A scheme, and the layers that it acts on.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The stack of layers.
    pub stack: Stack,
    /// What its layers attend to.
    pub attention: Attention,
    /// How many tokens back they attend, where that is limited.
    pub window: Option<u64>,
    /// Their numbers, from 0 in each stack; `None` where the config does not say how many there are.
    pub layers: Option<Vec<usize>>,
    /// The scheme with its parameters.
    pub scheme: Config,
    /// Parameters that lie outside the ranges of the scheme.
    pub repairs: Vec<Repair>,
    /// The size of a table of vectors, and where its tokens begin.
    pub table: Option<Table>,
}

/// A stack of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stack {
    /// The only one.
    Only,
    /// The one that reads.
    Encoder,
    /// The one that writes.
    Decoder,
}

/// What a layer attends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// The whole sequence.
    Full,
    /// A window that slides along.
    Sliding,
    /// The chunk that the query is in.
    Chunked,
    /// Nothing that positions could act on: it is recurrent or a convolution.
    Other,
}

impl Attention {
    /// Its word in `layer_types`; `None` of [`Other`](Self::Other), which has many.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Full => Some("full_attention"),
            Self::Sliding => Some("sliding_attention"),
            Self::Chunked => Some("chunked_attention"),
            Self::Other => None,
        }
    }
}

/// The size of a table of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Rows.
    pub rows: u64,
    /// The row of the first token.
    pub first: u64,
    /// Numbers in a row, where the config says so.
    pub columns: Option<u64>,
}

/// Lengths in tokens; `None` where the config does not say, and nothing ends a sequence there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lengths {
    /// The length that the config gives.
    pub given: Option<u64>,
    /// The longest sequence that the model is made for: with its context extended, and without the rows of a table that
    /// no token has. The shorter one where the config can be read in two ways.
    pub served: Option<u64>,
    /// The length before the context was extended. [`given`](Self::given), where it was not.
    pub trained: Option<u64>,
}

/// Something that the config leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defaulted {
    /// Where it would stand; `layout` stands nowhere.
    pub path: String,
    /// What is taken, as text.
    pub value: String,
    /// Why.
    pub why: Because,
}

/// Why something was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// The code of this `model_type` has it (transformers 5.24.0).
    Code,
    /// It follows from other fields.
    Derived,
    /// It is the scheme's own default.
    Scheme,
    /// It is what most models have; nothing is known of this one.
    Commonest,
}

/// A field that makes no difference to the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The field, as `text_config.rope_scaling.factor`. An object of which nothing was read is one field.
    pub path: String,
    /// The line of its value, from 1.
    pub line: usize,
    /// What may be said of it.
    pub about: About,
}

/// What may be said of a field that was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// It is understood, and no scheme of this crate has it.
    Beyond,
    /// By its name it has to do with positions.
    Positions,
    /// Anything else.
    Other,
}
