//! Positional encodings of Transformers, each tested against the code that people run.
//!
//! A scheme is one file under [`schemes`] with a [`SchemeSpec`]: its parameters under the names of Hugging Face's
//! configs, its formula, paper and reference implementation. The [`registry`] lists them. A [`Config`] is a scheme
//! with its parameters set; [`Config::build`] turns it into an [`Encoding`] that computes.
//!
//! An encoding is read on through [`attention`] (any scheme), [`profile`] (scores over millions of offsets), [`bias`] (what
//! is retained), [`planes`] (turns and divisors), [`pairing`] (layouts, and code that mixes them),
//! [`precision`] (what few bits leave of an angle), [`waves`] (means, and the matrix of a shift), [`costs`], and [`models`]
//! (what real models use). [`config`] reads a model's `config.json`.
//!
//! Angles are computed in `f64`, and every transcendental function is `libm`'s, so that a native build and a
//! WebAssembly build give the same bits.
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! let (config, repairs) = Config::parse("rope(head_dim=8,rope_theta=500000)").unwrap();
//! assert!(repairs.is_empty());
//! let Encoding::Rotary(rope) = config.build().unwrap() else { unreachable!() };
//! assert_eq!(rope.inv_freq()[0], 1.0);
//! ```
//!
//! **Features**, all on by default: `text` (formulas and sources of the specs), `costs` (what schemes cost), `models`, `config`
//! (which brings a reader of JSON), and `analysis` (what a learned table has learned). A program that counts its bytes leaves them out.

#![cfg_attr(not(test), warn(clippy::use_debug))] // `{:?}` writes nothing in the site: crates/xtask/src/build/modules.rs

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "analysis")]
pub mod analysis;
pub mod attention;
pub mod base;
pub mod bias;
#[cfg(feature = "config")]
pub mod config;
pub mod content;
pub mod costs;
mod encoding;
mod error;
pub mod grid;
pub mod input;
#[cfg(feature = "models")]
pub mod models;
pub mod number;
pub mod pairing;
pub mod phase;
pub mod plain;
pub mod planes;
pub mod precision;
pub mod profile;
pub mod quantised;
mod query_key;
pub mod random;
mod registry;
pub mod rotary;
pub mod schemes;
mod settings;
mod spec;
pub mod vectors;
pub mod waves;

pub use encoding::{Absolute, Encoding};
pub use error::{Asset, Error};
pub use query_key::QueryKey;
pub use registry::{IDS, find, registry};
pub use rotary::{Layout, Rotary};
pub use settings::{Kind, ODD, ParamSpec, Repair, Scale, Settings, Unit, Value, Why};
pub use spec::{Acts, Config, Drawn, Formula, Pitfall, SchemeSpec, Source};
