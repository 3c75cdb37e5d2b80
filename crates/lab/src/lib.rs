//! The second module.
