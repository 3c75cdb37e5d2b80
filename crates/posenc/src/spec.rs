//! What a scheme is, and a scheme with its parameters set.

#[cfg(feature = "costs")]
use crate::costs::{Costs, Shape};
use crate::{Encoding, Error, Repair, Settings, Why, costs::CostModel, find, plain, settings::ParamSpec};
use std::fmt;

/// Everything that is said of a scheme: controls, links, help and tests are made from it.
#[derive(Debug)]
pub struct SchemeSpec {
    /// Its id in links.
    pub id: &'static str,
    /// Where it acts.
    pub acts: Acts,
    /// What a figure of it shows.
    pub drawn: Drawn,
    /// What may be set.
    pub params: &'static [ParamSpec],
    /// The formula, in parts that follow the parameters.
    pub formula: &'static [Formula],
    /// Where it was published.
    pub paper: Source,
    /// The code that it is tested against.
    pub reference: Source,
    /// Known mistakes.
    pub pitfalls: &'static [Pitfall],
    /// What it costs.
    pub costs: CostModel,
    /// Makes it, or says which parameter it is not defined for.
    pub build: fn(&Settings) -> Result<Encoding, Error>,
}

impl PartialEq for SchemeSpec {
    /// Schemes are told apart by their ids.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A part of a scheme's formula.
#[derive(Debug, Clone, Copy)]
pub struct Formula {
    /// LaTeX. `\slot{name}` is a place for a number: the parameter of that key, an [`Encoding::number`], or the
    /// `length` of the sequence.
    #[cfg(feature = "text")]
    pub latex: &'static str,
    /// It is what the scheme computes while all these parameters have one of these values. A parameter that makes no
    /// difference ([`Settings::relevant`]) counts as its default.
    pub when: &'static [(&'static str, &'static [&'static str])],
}

impl Formula {
    /// A part that holds for all parameters.
    pub const fn always(latex: &'static str) -> Self {
        Self::when(&[], latex)
    }

    /// A part that holds for some parameters only.
    #[cfg_attr(not(feature = "text"), expect(unused_variables, reason = "it is left out"))]
    pub const fn when(when: &'static [(&'static str, &'static [&'static str])], latex: &'static str) -> Self {
        Self {
            #[cfg(feature = "text")]
            latex,
            when,
        }
    }

    /// Whether it is what the scheme computes with these parameters.
    pub fn holds(&self, settings: &Settings) -> bool {
        self.when.iter().all(|(key, values)| {
            let known = settings.iter().find(|(spec, _)| spec.key == *key);
            known.is_some_and(|(spec, value)| {
                if settings.relevant(spec) { value.is_one_of(values) } else { spec.default_value().is_one_of(values) }
            })
        })
    }
}

/// Where a scheme acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acts {
    /// Nowhere.
    Nothing,
    /// Adds a vector to the token's embedding.
    Embedding,
    /// Rotates query and key.
    Rotation,
    /// Adds a number to the logit, by head and offset.
    Bias,
    /// Reads the content of query and key.
    Content,
}

/// What a figure of a scheme shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// The formula: no weights are involved.
    Formula,
    /// The initialisation that was published.
    PublishedInit,
    /// Weights of a real model.
    Weights,
    /// Weights that we made up to show the shape; the figure says so.
    Synthetic,
}

/// A public source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Authors, title, section: or package, version and symbol.
    #[cfg(feature = "text")]
    pub title: &'static str,
    /// Its address.
    #[cfg(feature = "text")]
    pub url: &'static str,
}

impl Source {
    /// A source by its title (authors, title, section: or package, version and symbol) and its address.
    #[cfg_attr(not(feature = "text"), expect(unused_variables, reason = "they are left out"))]
    pub const fn new(title: &'static str, url: &'static str) -> Self {
        Self {
            #[cfg(feature = "text")]
            title,
            #[cfg(feature = "text")]
            url,
        }
    }
}

/// A known mistake; its words are in the catalogue under its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pitfall {
    /// Its key.
    pub key: &'static str,
    /// A public report of it.
    pub source: Source,
}

/// A scheme with its parameters set.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The scheme.
    pub spec: &'static SchemeSpec,
    /// Its parameters, always within their ranges.
    pub settings: Settings,
}

impl Config {
    /// A scheme at its defaults.
    pub fn new(spec: &'static SchemeSpec) -> Self {
        Self { spec, settings: Settings::new(spec.params) }
    }

    /// Reads `id` or `id(key=value,…)`; what was not taken as given comes back beside it.
    ///
    /// # Errors
    /// [`Error::UnknownScheme`] and [`Error::Syntax`]; a bad parameter is no error but a [`Repair`].
    pub fn parse(text: &str) -> Result<(Self, Vec<Repair>), Error> {
        Self::parse_with(text, find)
    }

    /// As [`parse`](Self::parse), for a program that offers other schemes, or fewer, than [`crate::registry`] has.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(
        text: &str,
        find: impl Fn(&str) -> Option<&'static SchemeSpec>,
    ) -> Result<(Self, Vec<Repair>), Error> {
        let text = text.trim();
        let (id, inside) = match text.split_once('(') {
            Some((id, rest)) => (id, rest.strip_suffix(')').ok_or_else(|| Error::Syntax(text.into()))?),
            None => (text, ""),
        };
        let spec = find(id).ok_or_else(|| Error::UnknownScheme(id.into()))?;
        let mut config = Self::new(spec);
        let mut repairs = Vec::new();
        for pair in inside.split(',').filter(|pair| !pair.trim().is_empty()) {
            match pair.split_once('=') {
                Some((key, value)) => repairs.extend(config.settings.set(key.trim(), value)),
                None => {
                    repairs.push(Repair {
                        key: pair.trim().into(),
                        given: String::new(),
                        used: String::new(),
                        why: Why::Unreadable,
                    });
                }
            }
        }
        Ok((config, repairs))
    }

    /// Makes the encoding.
    ///
    /// # Errors
    /// [`Error::Parameter`] where the scheme is not defined for these values together.
    pub fn build(&self) -> Result<Encoding, Error> {
        (self.spec.build)(&self.settings)
    }

    /// What a figure of it shows: of the caller's own table ([`plain`]) weights, else what the scheme says.
    pub fn drawn(&self) -> Drawn {
        let own = self.settings.iter().any(|(spec, value)| spec.key == "table" && value.is_one_of(&[plain::YOURS]));
        if own { Drawn::Weights } else { self.spec.drawn }
    }

    /// What it costs in a model, for a sequence: see [`costs`](crate::costs).
    #[cfg(feature = "costs")]
    pub fn costs(&self, shape: &Shape) -> Costs {
        self.spec.costs.count(&self.settings, shape)
    }

    /// As [`build`](Self::build), for a sequence that is so many tokens long: some rotations depend on it
    /// ([`Rotary::at_length`](crate::Rotary::at_length)). `build` makes the one of short sequences.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_at(&self, length: f64) -> Result<Encoding, Error> {
        Ok(match self.build()? {
            Encoding::Rotary(rotary) => Encoding::Rotary(rotary.at_length(length)),
            other => other,
        })
    }
}

impl fmt::Display for Config {
    /// `id(key=value,…)`, defaults left out; reads back as the same config.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec.id)?;
        let mut open = false;
        for (key, value) in self.settings.changed() {
            f.write_str(if open { "," } else { "(" })?;
            open = true;
            write!(f, "{key}={value}")?;
        }
        if open { f.write_str(")") } else { Ok(()) }
    }
}
