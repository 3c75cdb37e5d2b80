//! What pages are made of. No maths and no scheme's name here.

pub mod figure;
pub mod frame;
pub mod listeners;
pub mod passing;
