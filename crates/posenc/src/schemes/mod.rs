//! One file a scheme.

pub mod learned;
pub mod none;
pub mod rope;
pub mod sinusoidal;
