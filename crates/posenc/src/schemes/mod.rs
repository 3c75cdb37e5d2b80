//! One file a scheme.

pub mod fourier;
pub mod irope;
pub mod learned2d;
mod longrope_factors;
pub mod mrope;
pub mod none;
pub mod rope;
pub mod rope2d;
pub mod rope_mixed;
pub mod rope_scaling;
pub mod sincos2d;
pub mod sinusoidal;
pub mod xpos;
