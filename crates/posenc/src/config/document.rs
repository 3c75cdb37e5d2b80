//! A JSON text whose values know where they stand, and whose fields know whether they were read.
//!
//! Objects are split into fields when they are entered, and no deeper: what nobody asks for (quantisation, vision) costs
//! one pass over its text, however deep it is nested.

use super::error::{Error, Needed};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    collections::BTreeMap,
};

/// The greatest whole number that every `f64` below it is exact to.
const LARGEST: u64 = 1 << 53;
/// As much of a value as an error repeats, in bytes.
const SHOWN: usize = 40;

/// A text with the offsets at which its lines begin.
pub(super) struct Source<'s> {
    text: &'s str,
    lines: Vec<usize>,
}

impl<'s> Source<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, lines: std::iter::once(0).chain(after).collect() }
    }

    /// Where a part of the text begins: its line and its column, from 1.
    fn place(&self, part: &str) -> (usize, usize) {
        let at = part.as_ptr().addr() - self.text.as_ptr().addr();
        let line = self.lines.partition_point(|start| *start <= at);
        (line, at + 1 - self.lines[line - 1])
    }

    /// serde's error, whose place is counted from the beginning of a part.
    fn refuse(&self, part: &str, error: &serde_json::Error) -> Error {
        let (line, column) = self.place(part);
        Error::Syntax {
            line: line + error.line().max(1) - 1,
            column: if error.line() > 1 { error.column() } else { column - 1 + error.column() },
            ends: error.is_eof(),
        }
    }

    /// The object that the whole text is.
    pub(super) fn root(&'s self) -> Result<Object<'s>, Error> {
        let value: &RawValue = serde_json::from_str(self.text).map_err(|error| self.refuse(self.text, &error))?;
        let node = Node { source: self, path: String::new(), raw: value.get() };
        if node.raw.starts_with('{') { Object::new(&node) } else { Err(Error::NotAnObject { line: node.line() }) }
    }
}

/// Python writes `NaN` and `Infinity`, which JSON does not have: texts of the same length in their place. No position
/// depends on them, but a config that has one is read nevertheless.
pub(super) fn without_infinities(text: &str) -> Cow<'_, str> {
    let words = [("NaN", "\"N\""), ("-Infinity", "\"-Infini\""), ("Infinity", "\"Infini\"")];
    if !words.iter().any(|(word, _)| text.contains(word)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut quoted) = (text, false);
    while let Some(first) = rest.chars().next() {
        if !quoted && let Some((word, other)) = words.iter().find(|(word, _)| rest.starts_with(word)) {
            out.push_str(other);
            rest = &rest[word.len()..];
            continue;
        }
        let mut taken = first.len_utf8();
        match first {
            '"' => quoted = !quoted,
            '\\' if quoted => taken += rest[taken..].chars().next().map_or(0, char::len_utf8),
            _ => {}
        }
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out.into()
}

/// A value.
#[derive(Clone)]
pub(super) struct Node<'s> {
    source: &'s Source<'s>,
    pub(super) path: String,
    raw: &'s str,
}

impl<'s> Node<'s> {
    pub(super) fn line(&self) -> usize {
        self.source.place(self.raw).0
    }

    pub(super) fn refuse(&self, needed: Needed) -> Error {
        let mut given = self.raw.to_owned();
        if given.len() > SHOWN {
            let end = (0..=SHOWN).rev().find(|end| given.is_char_boundary(*end)).unwrap_or_default();
            given.truncate(end);
            given.push('…');
        }
        Error::Field { path: self.path.clone(), line: self.line(), given, needed }
    }

    pub(super) fn is_object(&self) -> bool {
        self.raw.starts_with('{')
    }

    pub(super) fn is_text(&self) -> bool {
        self.raw.starts_with('"')
    }

    /// A finite number.
    pub(super) fn number(&self) -> Result<f64, Error> {
        // Only JSON's own numbers begin with these.
        let number = self.raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let value = if number { self.raw.parse::<f64>().ok() } else { None };
        value.filter(|v| v.is_finite()).ok_or_else(|| self.refuse(Needed::Number))
    }

    /// A number above zero.
    pub(super) fn positive(&self) -> Result<f64, Error> {
        Some(self.number()?).filter(|v| *v > 0.0).ok_or_else(|| self.refuse(Needed::Positive))
    }

    /// A whole number in a range, whether or not it is written with a point.
    pub(super) fn whole(&self, min: u64, max: u64) -> Result<u64, Error> {
        let max = max.min(LARGEST);
        match self.number() {
            Ok(v) if v.fract() == 0.0 && v >= min as f64 && v <= max as f64 => Ok(v as u64),
            _ => Err(self.refuse(Needed::Whole(min, max))),
        }
    }

    /// A whole number from 1 up.
    pub(super) fn count(&self) -> Result<u64, Error> {
        self.whole(1, LARGEST)
    }

    pub(super) fn flag(&self) -> Result<bool, Error> {
        match self.raw {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.refuse(Needed::Flag)),
        }
    }

    /// A switch that some configs write as a number: 0 is off.
    pub(super) fn truthy(&self) -> Result<bool, Error> {
        self.flag().or_else(|error| self.number().map_err(|_| error).map(|v| v != 0.0))
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        if !self.is_text() {
            return Err(self.refuse(Needed::Text));
        }
        serde_json::from_str(self.raw).map_err(|error| self.source.refuse(self.raw, &error))
    }

    /// The entries of a list, each read; only one that cannot be read gets a path of its own.
    fn list<T>(&self, needed: Needed, read: impl Fn(&Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        if !self.raw.starts_with('[') {
            return Err(self.refuse(needed));
        }
        let entries: Vec<&'s RawValue> =
            serde_json::from_str(self.raw).map_err(|error| self.source.refuse(self.raw, &error))?;
        let mut entry = self.clone();
        let mut list = Vec::with_capacity(entries.len());
        for (i, raw) in entries.iter().enumerate() {
            entry.raw = raw.get();
            let value = read(&entry).or_else(|_| read(&Self { path: format!("{}[{i}]", self.path), ..entry.clone() }));
            list.push(value?);
        }
        Ok(list)
    }

    pub(super) fn numbers(&self) -> Result<Vec<f64>, Error> {
        self.list(Needed::Numbers, Self::number)
    }

    pub(super) fn texts(&self) -> Result<Vec<String>, Error> {
        self.list(Needed::Texts, Self::text)
    }
}

/// What became of a field.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unread,
    Read,
    /// It says something of positions that no scheme here has.
    Beyond,
}

struct Field<'s> {
    key: String,
    raw: &'s str,
    state: Cell<State>,
    inside: OnceCell<Object<'s>>,
}

/// An object's fields, in the order of the text; of two with the same key the last, as Python takes it.
pub(super) struct Object<'s> {
    source: &'s Source<'s>,
    path: String,
    fields: Vec<Field<'s>>,
}

impl<'s> Object<'s> {
    fn new(node: &Node<'s>) -> Result<Self, Error> {
        let fields: BTreeMap<String, &'s RawValue> =
            serde_json::from_str(node.raw).map_err(|error| node.source.refuse(node.raw, &error))?;
        let mut fields: Vec<Field<'s>> = fields
            .into_iter()
            .map(|(key, value)| Field {
                key,
                raw: value.get(),
                state: Cell::new(State::Unread),
                inside: OnceCell::new(),
            })
            .collect();
        fields.sort_by_key(|field| field.raw.as_ptr().addr());
        Ok(Self { source: node.source, path: node.path.clone(), fields })
    }

    /// The path of a field of this object, whether or not it is there.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn field(&self, key: &str) -> Option<&Field<'s>> {
        self.fields.iter().find(|field| field.key == key)
    }

    fn node(&self, field: &Field<'s>) -> Node<'s> {
        Node { source: self.source, path: self.path_of(&field.key), raw: field.raw }
    }

    /// A field's value, which counts as read; `null` is as good as none.
    pub(super) fn get(&self, key: &str) -> Option<Node<'s>> {
        let field = self.field(key)?;
        field.state.set(State::Read);
        (field.raw != "null").then(|| self.node(field))
    }

    /// Counts a field as read whose value is another field's.
    pub(super) fn agrees(&self, key: &str, other: &Node<'s>) {
        let Some(field) = self.field(key).filter(|field| field.state.get() == State::Unread) else { return };
        let value = |raw: &str| raw.parse::<f64>().ok();
        if field.raw == other.raw || value(field.raw).is_some_and(|v| value(other.raw) == Some(v)) {
            field.state.set(State::Read);
        }
    }

    /// Whether there is a value, which does not count as read.
    pub(super) fn has(&self, key: &str) -> bool {
        self.field(key).is_some_and(|field| field.raw != "null")
    }

    /// Whether there is a field, be it `null`.
    pub(super) fn mentions(&self, key: &str) -> bool {
        self.field(key).is_some()
    }

    /// Whether there is an object, which does not count as read.
    pub(super) fn has_object(&self, key: &str) -> bool {
        self.field(key).is_some_and(|field| field.raw.starts_with('{'))
    }

    /// A field that is understood, and that no scheme here has.
    pub(super) fn beyond(&self, key: &str) {
        if let Some(field) = self.field(key).filter(|field| field.raw != "null") {
            field.state.set(State::Beyond);
        }
    }

    /// The object in a field.
    pub(super) fn child(&self, key: &str) -> Result<Option<&Self>, Error> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let Some(field) = self.field(key) else { return Ok(None) };
        if !node.is_object() {
            return Err(node.refuse(Needed::Object));
        }
        if field.inside.get().is_none() {
            let inside = Self::new(&node)?;
            return Ok(Some(field.inside.get_or_init(|| inside)));
        }
        Ok(field.inside.get())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether there is an object in it.
    pub(super) fn is_nested(&self) -> bool {
        self.fields.iter().any(|field| field.raw.starts_with('{'))
    }

    /// Calls back with each field that was not read (`false`) or lies beyond (`true`), in the order of the text.
    pub(super) fn unread(&self, call: &mut impl FnMut(Node<'s>, bool)) {
        for field in &self.fields {
            match (field.state.get(), field.inside.get()) {
                (State::Read, Some(inside)) => inside.unread(call),
                (State::Read, None) => {}
                (state, _) => call(self.node(field), state == State::Beyond),
            }
        }
    }
}
