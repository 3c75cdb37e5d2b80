//! The second module: heavy or rare work, in a worker.
//!
//! [`protocol`] is what both sides say to each other, [`runner`] does the work slice by slice, so that a cancel gets
//! through, and a [`job`] is a file: [`band`], [`weights`], [`table`], [`time`]. The app links the crate without its default features; the
//! jobs come with the feature `jobs`, the worker's exports with `worker`, messages as JavaScript objects with `js`, and
//! what is said of weights with `weights`.

#![cfg_attr(not(test), warn(clippy::use_debug))] // `{:?}` writes nothing in the site: crates/xtask/src/build/modules.rs

#[cfg(feature = "jobs")]
pub mod band;
#[cfg(feature = "worker")]
mod blob;
#[cfg(feature = "js")]
pub mod codec;
#[cfg(feature = "worker")]
pub mod fill;
#[cfg(feature = "jobs")]
pub mod job;
pub mod protocol;
#[cfg(feature = "jobs")]
pub mod runner;
#[cfg(feature = "jobs")]
pub mod table;
#[cfg(feature = "jobs")]
pub mod time;
#[cfg(feature = "weights")]
pub mod weights;
#[cfg(feature = "worker")]
pub mod worker;
