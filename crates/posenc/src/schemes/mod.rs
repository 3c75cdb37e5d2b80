//! One file a scheme.

pub mod none;
pub mod rope;
pub mod sinusoidal;
