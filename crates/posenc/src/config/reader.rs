//! What reading a config has in hand: where fields are looked for, and what has been found out so far.

use super::{
    document::{Node, Object},
    error::Error,
    families::Family,
    mistakes::{Mistake, Warning},
    reading::{Because, Defaulted},
};
use crate::{Config, Repair, SchemeSpec};
use std::fmt::Display;

/// Names of the same thing, the commonest first.
pub(super) mod names {
    pub(in super::super) const LENGTH: &[&str] = &[
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "seq_length",
        "max_sequence_length",
        "max_seq_length",
        "n_ctx",
        "context_length",
    ];
    pub(in super::super) const HEADS: &[&str] =
        &["num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads", "attention_heads"];
    pub(in super::super) const WIDTH: &[&str] = &["hidden_size", "n_embd", "d_model", "n_embed", "dim"];
    pub(in super::super) const LAYERS: &[&str] =
        &["num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"];
}

/// The state of reading.
pub(super) struct Reader<'o, 's> {
    /// Where fields are looked for, one after the other: the part of the config that is about text, then all of it.
    pub(super) scope: Vec<&'o Object<'s>>,
    /// What is known of its code.
    pub(super) family: &'static Family,
    /// Whether anything is.
    pub(super) known: bool,
    pub(super) defaulted: Vec<Defaulted>,
    pub(super) warnings: Vec<Warning>,
    /// The first extension of the context that was found.
    pub(super) extension: Option<Extension>,
}

/// An extension of the context.
#[derive(Clone, Copy)]
pub(super) struct Extension {
    /// A word of `rope_type`.
    pub(super) kind: &'static str,
    pub(super) factor: Option<f64>,
    /// The length before it, where the config gives one.
    pub(super) original: Option<u64>,
}

impl<'o, 's> Reader<'o, 's> {
    /// The first value by one of these names. Others by the rest of them count as read too where they say the same.
    pub(super) fn get(&self, keys: &[&str]) -> Option<Node<'s>> {
        let found = self.scope.iter().find_map(|object| keys.iter().find_map(|key| object.get(key)))?;
        for object in &self.scope {
            for key in keys {
                object.agrees(key, &found);
            }
        }
        Some(found)
    }

    /// The first object by one of these names that is not empty.
    pub(super) fn child(&self, keys: &[&str]) -> Result<Option<&'o Object<'s>>, Error> {
        for object in &self.scope {
            for key in keys {
                if let Some(child) = object.child(key)?.filter(|child| !child.is_empty()) {
                    return Ok(Some(child));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn count(&self, keys: &[&str]) -> Result<Option<u64>, Error> {
        self.get(keys).map(|node| node.count()).transpose()
    }

    /// The path that a field of the text's part would have.
    pub(super) fn path(&self, key: &str) -> String {
        self.scope.first().map_or_else(|| key.to_owned(), |object| object.path_of(key))
    }

    /// Why what the config leaves open is what the family has.
    pub(super) fn because(&self) -> Because {
        if self.known { Because::Code } else { Because::Commonest }
    }

    /// Notes once what the config leaves open.
    pub(super) fn default(&mut self, path: impl Into<String>, value: impl Display, why: Because) {
        let defaulted = Defaulted { path: path.into(), value: value.to_string(), why };
        if !self.defaulted.contains(&defaulted) {
            self.defaulted.push(defaulted);
        }
    }

    /// A field's value, or what is taken for want of it.
    pub(super) fn or_default<T: Display>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Node<'s>) -> Result<T, Error>,
        default: T,
        why: Because,
    ) -> Result<T, Error> {
        if let Some(node) = self.get(&[key]) {
            return read(&node);
        }
        let path = self.path(key);
        self.default(path, &default, why);
        Ok(default)
    }

    /// Warns once, at a value.
    pub(super) fn warn(&mut self, mistake: Mistake, at: &Node<'s>) {
        self.push(Warning { mistake, path: at.path.clone(), line: Some(at.line()) });
    }

    /// Warns once, of a value that is missing.
    pub(super) fn warn_missing(&mut self, mistake: Mistake, path: impl Into<String>) {
        self.push(Warning { mistake, path: path.into(), line: None });
    }

    fn push(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The greatest length that the config gives, or that its code has.
    pub(super) fn length(&mut self) -> Result<Option<u64>, Error> {
        if let Some(given) = self.count(names::LENGTH)? {
            return Ok(Some(given));
        }
        if let Some(length) = self.family.length {
            let (path, because) = (self.path(names::LENGTH[0]), self.because());
            self.default(path, length, because);
        }
        Ok(self.family.length)
    }
}

/// A scheme that is being filled in.
pub(super) struct Draft {
    pub(super) scheme: Config,
    pub(super) repairs: Vec<Repair>,
}

impl Draft {
    pub(super) fn new(spec: &'static SchemeSpec) -> Self {
        Self { scheme: Config::new(spec), repairs: Vec::new() }
    }

    pub(super) fn set(&mut self, key: &str, value: impl Display) {
        self.repairs.extend(self.scheme.settings.set(key, &value.to_string()));
    }

    /// Sets a list.
    pub(super) fn set_all(&mut self, key: &str, values: &[f64]) {
        let texts: Vec<String> = values.iter().map(f64::to_string).collect();
        self.set(key, texts.join(":"));
    }
}
