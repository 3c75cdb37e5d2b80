//! What a job is to the [`runner`](crate::runner).

use crate::weights::Source;
use std::fmt;

/// Work that is done in steps.
pub trait Job {
    /// Does a few milliseconds' worth. True when nothing is left.
    fn step(&mut self) -> bool;

    /// How much is done, of [`total`](Self::total).
    fn done(&self) -> f64;

    /// All there is to do.
    fn total(&self) -> f64;

    /// The end: nothing is left.
    fn finish(self: Box<Self>) -> Done;
}

impl fmt::Debug for dyn Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Job")
    }
}

/// What comes of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Done {
    /// Arrays by name.
    pub arrays: Vec<(String, Vec<f32>)>,
    /// What is no number, in the job's own form.
    pub text: String,
}

impl Done {
    /// Arrays alone.
    pub fn new<const N: usize>(arrays: [(&str, Vec<f32>); N]) -> Self {
        Self { arrays: arrays.map(|(name, array)| (name.to_owned(), array)).into(), text: String::new() }
    }
}

/// Tells the time in milliseconds.
pub type Clock = Box<dyn Fn() -> f64>;

/// What a job works on beside its request.
#[derive(Default)]
pub struct Given {
    /// A file.
    pub file: Option<Box<dyn Source>>,
    /// Numbers.
    pub values: Vec<f32>,
    /// The finest clock that there is; without it, nothing can be timed.
    pub clock: Option<Clock>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Given")
    }
}
