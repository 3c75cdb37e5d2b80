//! One file a scheme.

mod longrope_factors;
pub mod none;
pub mod rope;
pub mod rope_scaling;
pub mod sinusoidal;
