//! Parameters: what may be set, what is set, and their text form.
//!
//! The same three types serve a scheme's parameters and a figure's options, so that sliders, links and help are
//! made from one description.

use crate::number;
use std::fmt::{self, Write as _};

/// A real number that is smaller is taken as 0: no parameter means it, and it would be written with 300 digits.
const TINY: f64 = 1e-9;

/// In [`ParamSpec::when`]: every odd number.
pub const ODD: &str = "odd";

/// A parameter that may be set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamSpec {
    /// Its key: the name in Hugging Face's configs where there is one.
    pub key: &'static str,
    /// What it may be, with its default.
    pub kind: Kind,
    /// What it counts.
    pub unit: Unit,
    /// It matters only while another parameter has one of these values; [`ODD`] stands for every odd number.
    pub when: Option<(&'static str, &'static [&'static str])>,
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number from `min` to `max`.
    Integer {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
        /// One step of a slider; a typed value need not be a multiple.
        step: i64,
        /// Where it starts.
        default: i64,
        /// How a slider spreads the range.
        scale: Scale,
    },
    /// A real number from `min` to `max`.
    Real {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// One step of a slider; on a logarithmic scale, in decades.
        step: f64,
        /// Where it starts.
        default: f64,
        /// How a slider spreads the range.
        scale: Scale,
    },
    /// One of a few words.
    Choice {
        /// The words.
        options: &'static [&'static str],
        /// Where it starts.
        default: &'static str,
    },
    /// On or off: `true` or `false`.
    Switch {
        /// Where it starts.
        default: bool,
    },
    /// Whole numbers joined by `:`, ranges as `2-5`, at most `most` of them, each from `min` to `max`. Empty means "chosen for you".
    List {
        /// Smallest entry.
        min: i64,
        /// Largest entry.
        max: i64,
        /// Most entries.
        most: usize,
    },
    /// Real numbers joined by `:`, at most `most` of them, each from `min` to `max`. Empty means "chosen for you".
    Reals {
        /// Smallest entry.
        min: f64,
        /// Largest entry.
        max: f64,
        /// Most entries.
        most: usize,
    },
}

/// How a slider spreads a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal ratios; the range lies above zero.
    Log,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A bare number or a word.
    None,
    /// Tokens.
    Tokens,
    /// Dimensions of a vector.
    Dimensions,
    /// Heads.
    Heads,
    /// Radians.
    Radians,
}

/// What a parameter is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Of [`Kind::Integer`].
    Integer(i64),
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Choice`]; one of its options.
    Choice(&'static str),
    /// Of [`Kind::Switch`].
    Switch(bool),
    /// Of [`Kind::List`].
    List(Vec<i64>),
    /// Of [`Kind::Reals`].
    Reals(Vec<f64>),
}

impl Value {
    /// Whether it is one of these; [`ODD`] is every odd number.
    #[inline(never)]
    pub(crate) fn is_one_of(&self, texts: &[&str]) -> bool {
        match self {
            Self::Choice(word) => texts.contains(word),
            Self::Integer(v) if v % 2 != 0 && texts.contains(&ODD) => true,
            other => texts.contains(&other.to_string().as_str()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(v) => v.fmt(f),
            // The shortest decimal that reads back as the same number.
            Self::Real(v) => v.fmt(f),
            Self::Choice(v) => v.fmt(f),
            Self::Switch(v) => v.fmt(f),
            Self::List(list) => joined(list, f),
            Self::Reals(list) => joined(list, f),
        }
    }
}

fn joined(list: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, v) in list.iter().enumerate() {
        if i > 0 {
            f.write_char(':')?;
        }
        v.fmt(f)?;
    }
    Ok(())
}

/// A value that was not taken as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The key as given.
    pub key: String,
    /// The text as given.
    pub given: String,
    /// What is used instead, as text; empty where nothing is.
    pub used: String,
    /// What was wrong.
    pub why: Why,
}

/// What was wrong with a given value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Nothing has this key.
    UnknownKey,
    /// None of the options.
    UnknownWord,
    /// Not a number.
    NotANumber,
    /// Past the largest or below the smallest.
    OutOfRange,
    /// Between two whole numbers where only those are legal.
    NotWhole,
    /// Cannot be read at all.
    Unreadable,
}

impl ParamSpec {
    /// The value it starts with.
    pub fn default_value(&self) -> Value {
        match self.kind {
            Kind::Integer { default, .. } => Value::Integer(default),
            Kind::Real { default, .. } => Value::Real(default),
            Kind::Choice { default, .. } => Value::Choice(default),
            Kind::Switch { default } => Value::Switch(default),
            Kind::List { .. } => Value::List(Vec::new()),
            Kind::Reals { .. } => Value::Reals(Vec::new()),
        }
    }

    /// Reads a value, or the nearest legal one and what was wrong.
    pub fn read(&self, text: &str) -> (Value, Option<Why>) {
        let text = text.trim();
        match self.kind {
            Kind::Integer { min, max, default, .. } => match number::parse(text) {
                Some(v) if v.fract() == 0.0 => {
                    // A float as large as 2^63 saturates; the clamp then brings it into range.
                    let v = v as i64;
                    (Value::Integer(v.clamp(min, max)), (v < min || v > max).then_some(Why::OutOfRange))
                }
                Some(v) => {
                    let whole = libm::round(v) as i64;
                    let why = if whole < min || whole > max { Why::OutOfRange } else { Why::NotWhole };
                    (Value::Integer(whole.clamp(min, max)), Some(why))
                }
                _ => (Value::Integer(default), Some(Why::NotANumber)),
            },
            Kind::Real { min, max, default, .. } => match number::parse(text) {
                Some(v) => {
                    let v = if libm::fabs(v) < TINY { 0.0 } else { v };
                    // `+ 0.0` makes -0 into 0: it would be written as "-0".
                    (Value::Real(v.clamp(min, max) + 0.0), (v < min || v > max).then_some(Why::OutOfRange))
                }
                _ => (Value::Real(default), Some(Why::NotANumber)),
            },
            Kind::Choice { options, default } => match options.iter().find(|o| **o == text) {
                Some(option) => (Value::Choice(option), None),
                None => (Value::Choice(default), Some(Why::UnknownWord)),
            },
            Kind::Switch { default } => match text {
                "true" | "1" => (Value::Switch(true), None),
                "false" | "0" => (Value::Switch(false), None),
                _ => (Value::Switch(default), Some(Why::UnknownWord)),
            },
            Kind::List { min, max, most } => {
                let mut why = None;
                let mut list = Vec::new();
                for part in text.split(':').filter(|part| !part.is_empty()) {
                    let Some((first, last)) = range(part) else {
                        why = why.or(Some(Why::NotANumber));
                        continue;
                    };
                    // One more than there is room for shows that there is too little.
                    for v in (first..=last).take(most + 1) {
                        if v < min || v > max || list.len() == most {
                            why = why.or(Some(Why::OutOfRange));
                        }
                        if list.len() < most {
                            list.push(v.clamp(min, max));
                        }
                    }
                }
                (Value::List(list), why)
            }
            Kind::Reals { min, max, most } => {
                let mut why = None;
                let mut list = Vec::new();
                for part in text.split(':').filter(|part| !part.is_empty()) {
                    match number::parse(part) {
                        Some(v) => {
                            if v < min || v > max || list.len() == most {
                                why = why.or(Some(Why::OutOfRange));
                            }
                            if list.len() < most {
                                list.push(v.clamp(min, max) + 0.0);
                            }
                        }
                        _ => why = why.or(Some(Why::NotANumber)),
                    }
                }
                (Value::Reals(list), why)
            }
        }
    }
}

/// A whole number, or two with a dash between them: the first and the last.
fn range(text: &str) -> Option<(i64, i64)> {
    if let Ok(v) = text.parse() {
        return Some((v, v));
    }
    // A dash at the beginning is a sign.
    let dash = text.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    let (first, last) = (text[..dash].parse().ok()?, text[dash + 1..].parse().ok()?);
    (first <= last).then_some((first, last))
}

/// Parameters with their values, always legal.
#[derive(Debug, Clone)]
pub struct Settings {
    specs: &'static [ParamSpec],
    values: Vec<Value>,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        // Nearly always the same list: its specs are then not looked at.
        self.values == other.values && (std::ptr::eq(self.specs, other.specs) || self.specs == other.specs)
    }
}

impl Settings {
    /// Everything at its default.
    pub fn new(specs: &'static [ParamSpec]) -> Self {
        Self { specs, values: specs.iter().map(ParamSpec::default_value).collect() }
    }

    /// The parameters, in the order of their specs.
    pub fn specs(&self) -> &'static [ParamSpec] {
        self.specs
    }

    /// Parameters with their values, in the order of their specs.
    pub fn iter(&self) -> impl Iterator<Item = (&'static ParamSpec, &Value)> {
        self.specs.iter().zip(&self.values)
    }

    // Called in many places, and nowhere in a loop: a copy in each is for nothing.
    #[inline(never)]
    fn index(&self, key: &str) -> Option<usize> {
        self.specs.iter().position(|s| s.key == key)
    }

    /// The value of a parameter, if there is one of that key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.index(key).map(|i| &self.values[i])
    }

    /// A whole number; 0 where `key` is none.
    #[inline(never)]
    pub fn integer(&self, key: &str) -> i64 {
        if let Some(Value::Integer(v)) = self.get(key) {
            return *v;
        }
        debug_assert!(false, "no whole number {key}");
        0
    }

    /// A real number; 0 where `key` is none.
    #[inline(never)]
    pub fn real(&self, key: &str) -> f64 {
        if let Some(Value::Real(v)) = self.get(key) {
            return *v;
        }
        debug_assert!(false, "no real number {key}");
        0.0
    }

    /// A word; empty where `key` is none.
    #[inline(never)]
    pub fn choice(&self, key: &str) -> &'static str {
        if let Some(Value::Choice(v)) = self.get(key) {
            return v;
        }
        debug_assert!(false, "no word {key}");
        ""
    }

    /// On or off; off where `key` is neither.
    #[inline(never)]
    pub fn switch(&self, key: &str) -> bool {
        if let Some(Value::Switch(v)) = self.get(key) {
            return *v;
        }
        debug_assert!(false, "no switch {key}");
        false
    }

    /// A list of whole numbers; empty where `key` is none.
    #[inline(never)]
    pub fn list(&self, key: &str) -> &[i64] {
        if let Some(Value::List(v)) = self.get(key) {
            return v;
        }
        debug_assert!(false, "no list {key}");
        &[]
    }

    /// A list of real numbers; empty where `key` is none.
    #[inline(never)]
    pub fn reals(&self, key: &str) -> &[f64] {
        if let Some(Value::Reals(v)) = self.get(key) {
            return v;
        }
        debug_assert!(false, "no list of real numbers {key}");
        &[]
    }

    /// Sets a parameter from text, to the nearest legal value; what was wrong with it otherwise.
    pub fn set(&mut self, key: &str, text: &str) -> Option<Repair> {
        let Some(i) = self.index(key) else {
            return Some(Repair { key: key.into(), given: text.into(), used: String::new(), why: Why::UnknownKey });
        };
        let (value, why) = self.specs[i].read(text);
        let repair = why.map(|why| Repair { key: key.into(), given: text.into(), used: value.to_string(), why });
        self.values[i] = value;
        repair
    }

    /// Sets a parameter to its default.
    pub fn reset(&mut self, key: &str) {
        if let Some(i) = self.index(key) {
            self.values[i] = self.specs[i].default_value();
        }
    }

    /// Whether the parameter's value makes a difference now (see [`ParamSpec::when`]): the parameter that it depends on
    /// has one of the values, and makes a difference itself.
    pub fn relevant(&self, spec: &ParamSpec) -> bool {
        let mut spec = spec;
        // As many steps as there are parameters: specs that depend on each other in a circle end too.
        for _ in 0..=self.specs.len() {
            let Some((key, values)) = spec.when else { return true };
            let Some(i) = self.index(key) else { return false };
            if !self.values[i].is_one_of(values) {
                return false;
            }
            spec = &self.specs[i];
        }
        false
    }

    /// Those that are not at their default, as text.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        self.iter()
            .filter(|(spec, value)| **value != spec.default_value())
            .map(|(spec, value)| (spec.key, value.to_string()))
    }
}
