//! Random numbers by seed: the same on every machine, bit for bit.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};

/// A stream of normal numbers, mean 0 and variance 1, fixed by its seed.
///
/// Box and Muller's transform over xoshiro256++ with `libm`'s functions; the ziggurat of the usual crates calls the
/// platform's logarithm, which differs between machines in the last bit.
#[derive(Debug)]
pub struct Normal {
    source: Xoshiro256PlusPlus,
    spare: Option<f64>,
}

impl Normal {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { source: Xoshiro256PlusPlus::seed_from_u64(seed), spare: None }
    }

    /// A number in (0, 1], 53 bits fine.
    pub fn uniform(&mut self) -> f64 {
        ((self.source.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// The next normal number.
    pub fn sample(&mut self) -> f64 {
        if let Some(z) = self.spare.take() {
            return z;
        }
        let radius = libm::sqrt(-2.0 * libm::log(self.uniform()));
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * self.uniform());
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// The next `n` normal numbers.
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.sample()).collect()
    }
}
