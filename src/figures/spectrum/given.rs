//! Frequencies that a person's own weights have, beside those of the schemes.

use super::{Line, Shown};
use crate::brought::About;
use crate::draw::number;
use crate::figures::{Reading, Scene};
use crate::{formulas, words};
use posenc::planes;

/// `inv_freq` of a file.
pub(super) struct Given {
    file: String,
    /// Radians per token, by plane.
    freq: Vec<f64>,
}

impl Given {
    /// Those of the tab, where a scheme has as many planes.
    pub(super) fn beside(scene: &Scene, lines: &[Line]) -> Option<Self> {
        let About { file, frequencies, .. } = scene.own.as_deref()?;
        Self::new(file, frequencies, lines)
    }

    pub(super) fn new(file: &str, freq: &[f64], lines: &[Line]) -> Option<Self> {
        let fits = !freq.is_empty() && lines.iter().any(|line| line.freq.len() == freq.len());
        fits.then(|| Self { file: file.to_owned(), freq: freq.to_vec() })
    }

    /// What is shown of a plane; nothing is said of how much slower it is made.
    pub(super) fn value(&self, shown: Shown, plane: usize) -> Option<f64> {
        let freq = *self.freq.get(plane)?;
        let value = match shown {
            Shown::Wavelength => planes::wavelength(freq),
            Shown::Frequency => freq.abs(),
            Shown::Divisor => return None,
        };
        (value.is_finite() && value > 0.0).then_some(value)
    }

    /// What is shown of every plane.
    pub(super) fn values(&self, shown: Shown) -> impl Iterator<Item = (usize, f64)> {
        (0..self.freq.len()).filter_map(move |plane| Some((plane, self.value(shown, plane)?)))
    }

    /// How far each scheme is from it that has as many planes.
    pub(super) fn sentence(&self, lines: &[Line]) -> String {
        let alike = lines.iter().filter(|line| line.freq.len() == self.freq.len());
        let said = alike.filter_map(|line| {
            let (plane, times) = planes::apart(&line.freq, &self.freq)?;
            // Weights in 16 bits are no nearer than that.
            Some(if (times - 1.0).abs() < 1.0 / 128.0 {
                words::spectrum_given_same(&self.file, &line.name, plane, number::short((times - 1.0).abs()))
            } else {
                words::spectrum_given_differs(&self.file, &line.name, plane, number::short(times))
            })
        });
        said.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn reading(&self, plane: usize) -> Option<Reading> {
        let freq = *self.freq.get(plane)?;
        let tokens = number::exact(planes::wavelength(freq));
        let math = formulas::spectrum_wavelength(plane, number::exact(freq), &tokens);
        Some(Reading { slot: None, label: words::spectrum_given_reading(&self.file, plane), value: tokens, math })
    }

    pub(super) fn note(&self) -> String {
        words::spectrum_given_note(&self.file)
    }

    pub(super) fn head(&self) -> String {
        words::spectrum_given_head(&self.file)
    }

    pub(super) fn cell(&self, plane: usize) -> String {
        self.freq.get(plane).map_or_else(String::new, |freq| number::exact(planes::wavelength(*freq)))
    }
}
