//! Sines and cosines of a coordinate in bands: what `NeRF`, Fourier features and Perceiver feed to a network.
//!
//! Every feature is a sine or cosine of `Σ_a b[j][a]·v[a]` for a coordinate v in [−1, 1]:
//!
//! * `nerf`: `b = 2^k·π` for k = 0 … `num_bands` − 1, each axis for itself (Mildenhall et al. 2020, equation 4,
//!   <https://arxiv.org/abs/2003.08934>). Their code leaves π out (`times_pi`), and can space the bands evenly between
//!   1 and `2^(num_bands−1)` instead (`log_sampling`).
//! * `gaussian`: `b = 2π·B`, B drawn from N(0, `sigma`²) (Tancik et al. 2020, <https://arxiv.org/abs/2006.10739>), or
//!   the list `B`, features × axes.
//! * `perceiver`: `b = π·f`, f evenly spaced from 1 to half the `max_resolution` of the axis (Jaegle et al. 2021,
//!   <https://arxiv.org/abs/2103.03206>).
//!
//! **Shapes and units.** With one axis (`axes` 1) the encoding is of positions: position p of a sequence of `extent`
//! tokens is `v = 2p/(extent − 1) − 1`. With two it is of patches: row and column of a grid, from −1 in the first to 1 in
//! the last. The vector is as wide as it must be: `nerf` per band the sines of all axes, then the cosines; `gaussian`
//! by `layout`; `perceiver` all sines, then all cosines. `concat_pos` puts v itself first.
//!
//! **Errors.** [`Error::Parameter`] where `B` is not whole rows of `axes` numbers, or `max_resolution` not one number
//! for each axis.
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! let (config, _) = Config::parse("fourier(variant=nerf,num_bands=3,extent=5,concat_pos=true)").unwrap();
//! let Encoding::Absolute(nerf) = config.build().unwrap() else { unreachable!() };
//! let mut row = [0.0; 7];
//! nerf.write_row(3.0, &mut row).unwrap(); // v = 1/2: sine and cosine of π/2, π, 2π
//! for (got, expected) in row.iter().zip([0.5, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0]) {
//!     assert!((got - expected).abs() < 1e-15);
//! }
//! ```

use crate::{
    Absolute, Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source,
    Unit,
    costs::{Cache, CostModel, Costs, Shape},
    grid::{Grid, GridTable},
    profile::Profile,
    random::Normal,
    waves::{Column, Waves},
};

use std::f64::consts::{PI, TAU};

/// `fourier`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "fourier",
    acts: Acts::Embedding,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "variant",
            kind: Kind::Choice { options: &["nerf", "gaussian", "perceiver"], default: "nerf" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "num_bands",
            kind: Kind::Integer { min: 1, max: 256, step: 1, default: 6, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "axes",
            kind: Kind::Integer { min: 1, max: 2, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "extent",
            kind: Kind::Integer { min: 4, max: 16_777_216, step: 16, default: 64, scale: Scale::Log },
            unit: Unit::Tokens,
            when: Some(("axes", &["1"])),
        },
        ParamSpec {
            key: "times_pi",
            kind: Kind::Switch { default: true },
            unit: Unit::None,
            when: Some(("variant", &["nerf"])),
        },
        ParamSpec {
            key: "log_sampling",
            kind: Kind::Switch { default: true },
            unit: Unit::None,
            when: Some(("variant", &["nerf"])),
        },
        ParamSpec {
            key: "sigma",
            kind: Kind::Real { min: 0.01, max: 1000.0, step: 0.05, default: 10.0, scale: Scale::Log },
            unit: Unit::None,
            when: Some(("variant", &["gaussian"])),
        },
        ParamSpec {
            key: "bands_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: Some(("variant", &["gaussian"])),
        },
        ParamSpec {
            key: "B",
            kind: Kind::Reals { min: -1e6, max: 1e6, most: 512 },
            unit: Unit::None,
            when: Some(("variant", &["gaussian"])),
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice { options: &["cos-then-sin", "sin-then-cos"], default: "cos-then-sin" },
            unit: Unit::None,
            when: Some(("variant", &["gaussian"])),
        },
        ParamSpec {
            key: "max_resolution",
            kind: Kind::List { min: 1, max: 65_536, most: 2 },
            unit: Unit::None,
            when: Some(("variant", &["perceiver"])),
        },
        ParamSpec { key: "concat_pos", kind: Kind::Switch { default: false }, unit: Unit::None, when: None },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \gamma(v) &= \left(\sin(b_k \cdot v),\ \cos(b_k \cdot v)\right)_k \\ b_k &= 2^k\pi && \text{NeRF} \\ b_k &\sim 2\pi\,\mathcal{N}(0, \slot{sigma}^2) && \text{Gaussian} \\ b_k &= \pi + \frac{k\,\pi}{\slot{num_bands} - 1}\left(\frac{n}{2} - 1\right) && \text{Perceiver} \end{aligned}",
    )],
    paper: Source::new(
        "Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains",
        "https://arxiv.org/abs/2006.10739",
    ),
    reference: Source::new(
        "random-fourier-features-pytorch 1.0.1; transformers 5.24.0, perceiver. NeRF's bands have no third-party numbers: they are tested by their formula",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/perceiver/modeling_perceiver.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "nerf-without-pi",
            source: Source::new("bmild/nerf issue 12", "https://github.com/bmild/nerf/issues/12"),
        },
        Pitfall {
            key: "fourier-order",
            source: Source::new(
                "random-fourier-features-pytorch",
                "https://github.com/jmclong/random-fourier-features-pytorch",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build: |settings| {
        let fourier = Fourier::new(settings)?;
        Ok(if fourier.axes == 1 { Encoding::Absolute(Box::new(fourier)) } else { Encoding::Grid(Box::new(fourier)) })
    },
};

/// The bands are kept; a token's features are computed, and not added to anything here.
fn costs(settings: &Settings, _shape: &Shape) -> Costs {
    let Ok(fourier) = Fourier::new(settings) else { return Costs::NONE };
    let (numbers, features) = (fourier.bands.len() as f64, fourier.features.len() as f64);
    let cache = if fourier.axes == 1 { Cache::Placed } else { Cache::Nothing };
    Costs { table: numbers, per_token: 2.0 * numbers + features, cache, ..Costs::NONE }
}

/// One feature: the sine or cosine of one band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wave {
    Sin(usize),
    Cos(usize),
}

/// The features of a coordinate of `axes` numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Fourier {
    axes: usize,
    /// Bands × axes: radians per unit.
    bands: Vec<f64>,
    features: Vec<Wave>,
    concat_pos: bool,
    /// Positions of a sequence.
    extent: f64,
}

impl Fourier {
    /// Of `fourier`'s parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] where `B` is not whole rows of `axes` numbers, or `max_resolution` not one number for each
    /// axis.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let axes = settings.integer("axes") as usize;
        let n = settings.integer("num_bands") as usize;
        let split = |count: usize| (0..count).map(Wave::Sin).chain((0..count).map(Wave::Cos)).collect::<Vec<_>>();
        let (bands, features) = match settings.choice("variant") {
            "gaussian" => {
                let mut list = settings.reals("B").to_vec();
                if list.is_empty() {
                    let mut random = Normal::new(settings.integer("bands_seed") as u64);
                    list = random.vector(n * axes).iter().map(|z| settings.real("sigma") * z).collect();
                }
                if !list.len().is_multiple_of(axes) {
                    return Err(Error::Parameter {
                        key: "B",
                        value: format!("{} numbers", list.len()),
                        reason: "there must be a number for each axis in every row",
                    });
                }
                let mut features = split(list.len() / axes);
                if settings.choice("layout") == "cos-then-sin" {
                    features.rotate_left(list.len() / axes);
                }
                (list.iter().map(|b| TAU * b).collect::<Vec<f64>>(), features)
            }
            "perceiver" => {
                let mut resolution = settings.list("max_resolution").to_vec();
                if resolution.is_empty() {
                    // Of what is shown: the positions, or an image of 224 patches.
                    resolution = if axes == 1 { vec![settings.integer("extent")] } else { vec![224; axes] };
                }
                if resolution.len() != axes {
                    return Err(Error::Parameter {
                        key: "max_resolution",
                        value: format!("{} numbers", resolution.len()),
                        reason: "there must be one for each axis",
                    });
                }
                let ladders = resolution.iter().map(|res| spaced(1.0, *res as f64 / 2.0, n));
                let bands = single(axes, ladders.map(|ladder| ladder.iter().map(|f| f * PI).collect()).collect());
                (bands, split(n * axes))
            }
            _ => {
                let unit = if settings.switch("times_pi") { PI } else { 1.0 };
                let last = libm::exp2(n as f64 - 1.0);
                let ladder: Vec<f64> = if settings.switch("log_sampling") {
                    (0..n).map(|k| unit * libm::exp2(k as f64)).collect()
                } else {
                    spaced(1.0, last, n).iter().map(|f| unit * f).collect()
                };
                // Axis a's band k is number a·n + k; a band's sines of all axes come before its cosines.
                let of_band = |k: usize| (0..axes).map(move |a| a * n + k);
                let features =
                    (0..n).flat_map(|k| of_band(k).map(Wave::Sin).chain(of_band(k).map(Wave::Cos))).collect();
                (single(axes, vec![ladder; axes]), features)
            }
        };
        let (concat_pos, extent) = (settings.switch("concat_pos"), settings.integer("extent") as f64);
        Ok(Self { axes, bands, features, concat_pos, extent })
    }

    /// Numbers in a coordinate.
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// Radians per unit of each axis, one row a band.
    pub fn bands(&self) -> impl Iterator<Item = &[f64]> {
        self.bands.chunks_exact(self.axes)
    }

    /// Numbers in the vector.
    pub fn len(&self) -> usize {
        self.features.len() + if self.concat_pos { self.axes } else { 0 }
    }

    /// Never: there is at least one band.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vector of a coordinate.
    ///
    /// # Errors
    /// [`Error::Length`] where `v` has not as many numbers as there are axes, or `out` is not [`len`](Self::len) long.
    pub fn features(&self, v: &[f64], out: &mut [f64]) -> Result<(), Error> {
        for (what, given, needed) in [("v", v.len(), self.axes), ("out", out.len(), self.len())] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        let waves: Vec<(f64, f64)> =
            self.bands().map(|band| libm::sincos(band.iter().zip(v).map(|(b, v)| b * v).sum())).collect();
        let (first, rest) = out.split_at_mut(self.len() - self.features.len());
        first.copy_from_slice(&v[..first.len()]);
        for (cell, feature) in rest.iter_mut().zip(&self.features) {
            *cell = match *feature {
                Wave::Sin(j) => waves[j].0,
                Wave::Cos(j) => waves[j].1,
            };
        }
        Ok(())
    }
}

/// `n` numbers evenly spaced from `from` to `to`; one is `from`.
fn spaced(from: f64, to: f64, n: usize) -> Vec<f64> {
    let steps = (n.max(2) - 1) as f64;
    (0..n).map(|k| from + (to - from) * k as f64 / steps).collect()
}

/// Bands that each read one axis: those of the first axis, of the second …
fn single(axes: usize, ladders: Vec<Vec<f64>>) -> Vec<f64> {
    let band = |axis: usize, f: f64| (0..axes).map(move |a| if a == axis { f } else { 0.0 });
    ladders.iter().enumerate().flat_map(|(axis, ladder)| ladder.iter().flat_map(move |f| band(axis, *f))).collect()
}

/// The coordinate over a run of positions.
struct Coordinates {
    middle: f64,
    spread: f64,
}

impl Fourier {
    /// Means or deviations of runs of positions in closed form, of one axis: a coordinate falls on position
    /// `(extent − 1)/2` at 0, so that a band is a wave over the positions from there.
    fn by_run(
        &self,
        start: f64,
        run: u64,
        total: u64,
        out: &mut [f32],
        fill: fn(&Waves, f64, u64, u64, &mut [f32]),
        coordinate: fn(&Coordinates) -> f64,
    ) {
        let per_position = 2.0 / (self.extent - 1.0);
        let own = self.len() - self.features.len();
        let of_wave = |feature: &Wave| match *feature {
            Wave::Sin(band) => Column::Sin(band),
            Wave::Cos(band) => Column::Cos(band),
        };
        let columns = vec![Column::Constant(0.0); own].into_iter().chain(self.features.iter().map(of_wave));
        let waves = Waves::new(self.bands.iter().map(|b| b * per_position).collect(), columns.collect());
        fill(&waves, start - (self.extent - 1.0) / 2.0, run, total, out);
        let run = run.max(1);
        for (r, row) in out.chunks_exact_mut(self.len().max(1)).enumerate() {
            let before = (r as u64).saturating_mul(run);
            let n = run.min(total.saturating_sub(before)) as f64;
            if n > 0.0 {
                let middle = start + before as f64 + (n - 1.0) / 2.0;
                let of = Coordinates {
                    middle: per_position * middle - 1.0,
                    spread: per_position * libm::sqrt((n * n - 1.0) / 12.0),
                };
                row[..own].fill(coordinate(&of) as f32);
            }
        }
    }
}

impl Absolute for Fourier {
    fn width(&self) -> usize {
        self.len()
    }

    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), Error> {
        self.features(&[2.0 * position / (self.extent - 1.0) - 1.0], out)
    }

    fn fill_mean(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        self.by_run(start, run, total, out, Waves::fill_mean_of, |of| of.middle);
    }

    fn fill_spread(&self, start: f64, run: u64, total: u64, out: &mut [f32]) {
        self.by_run(start, run, total, out, Waves::fill_spread_of, |of| of.spread);
    }

    /// Of the waves; the coordinate itself has no place in it.
    fn profile(&self) -> Option<Profile> {
        if self.concat_pos || self.axes != 1 {
            return None;
        }
        let freq: Vec<f64> = self.bands.iter().map(|b| 2.0 * b / (self.extent - 1.0)).collect();
        let n = freq.len();
        Some(Profile::new(freq, vec![1.0; n], vec![0.0; n], 0.0))
    }
}

impl GridTable for Fourier {
    fn width(&self) -> usize {
        self.len()
    }

    fn write_patch(&self, grid: Grid, row: usize, column: usize, out: &mut [f64]) -> Result<(), Error> {
        grid.check(row, column)?;
        let along = |i: usize, n: usize| if n > 1 { 2.0 * i as f64 / (n as f64 - 1.0) - 1.0 } else { -1.0 };
        self.features(&[along(row, grid.height), along(column, grid.width)], out)
    }
}
