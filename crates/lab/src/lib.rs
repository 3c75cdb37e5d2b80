//! The second module: heavy or rare work, in a worker.
//!
//! [`protocol`] is what both sides say to each other, [`runner`] does the work slice by slice, so that a cancel gets
//! through, and [`band`] is the first job. The app links the crate without its default features; the worker's exports
//! come with the feature `worker`, messages as JavaScript objects with `js`.

#![cfg_attr(not(test), warn(clippy::use_debug))] // `{:?}` writes nothing in the site: crates/xtask/src/build/modules.rs

pub mod band;
#[cfg(feature = "js")]
pub mod codec;
#[cfg(feature = "worker")]
pub mod fill;
pub mod protocol;
pub mod runner;
#[cfg(feature = "weights")]
pub mod weights;
#[cfg(feature = "worker")]
pub mod worker;
