//! One file a scheme.

pub mod alibi;
pub mod cope;
pub mod deberta;
pub mod fire;
pub mod kerple;
pub mod learned;
pub mod none;
pub mod rope;
pub mod sandwich;
pub mod shaw;
pub mod sinusoidal;
pub mod t5;
pub mod transformer_xl;
pub mod tupe;
