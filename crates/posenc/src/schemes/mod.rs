//! One file a scheme.

pub mod alibi;
pub mod cope;
pub mod deberta;
pub mod fire;
pub mod fourier;
pub mod irope;
pub mod kerple;
pub mod learned;
pub mod learned2d;
mod longrope_factors;
pub mod mrope;
pub mod none;
pub mod rope;
pub mod rope2d;
pub mod rope_mixed;
pub mod rope_scaling;
pub mod sandwich;
pub mod shaw;
pub mod sincos2d;
pub mod sinusoidal;
pub mod t5;
pub mod transformer_xl;
pub mod tupe;
pub mod xpos;
