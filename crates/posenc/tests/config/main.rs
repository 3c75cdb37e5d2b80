//! The reader of configs.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its config has failed")]

mod classes;
mod corpus;
mod odd;
mod presets;
mod real;
mod warnings;
