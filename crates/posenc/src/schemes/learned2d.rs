//! A learned vector for each patch of a grid, stretched to grids of other sizes.
//!
//! Dosovitskiy et al. 2020, section 3.2, <https://arxiv.org/abs/2010.11929>. A grid of another size takes its vectors by
//! bicubic interpolation ([`resample`]). Hugging Face's `ViT` interpolates with the kernel a = −0.75 and no
//! antialiasing, timm with a = −0.5 and antialiasing: their numbers differ even where the grid is enlarged. Bicubic
//! weights are negative in places, so that values overshoot.
//!
//! The weights are made up: each column is one slow wave across the grid, in a direction of its own (`table_seed`), as
//! trained grids look. No published model is shown, but the caller may bring a model's (`table`: a [`plain`](crate::plain)
//! one, a row for each patch of a square grid, row by row).
//!
//! **Shapes and units.** [`GridTable`]: `d_model` numbers for each patch of any grid; the table itself is `grid_size` ×
//! `grid_size` patches. A class token's row, where a model has one, is passed through as it is and is no part of this.
//!
//! **Errors.** None beyond those of [`GridTable`].
//!
//! ```
//! use posenc::schemes::learned2d::resample;
//!
//! let grid: Vec<f64> = (1..=9).map(f64::from).collect();
//! let larger = resample(&grid, [3, 3], [5, 5], false).unwrap();
//! assert!((larger[0] - 0.616).abs() < 1e-12); // below the least of the nine
//! assert_eq!(resample(&grid, [3, 3], [3, 3], false).unwrap(), grid);
//! ```

use crate::{
    Acts, Asset, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    costs::{Cache, CostModel, Costs, Shape},
    grid::{Grid, GridTable},
    plain::{Plain, YOURS},
    random::Normal,
};

use std::f64::consts::TAU;

/// A model's own table has its sizes.
const MADE_UP: Option<(&str, &[&str])> = Some(("table", &["synthetic"]));

/// `learned2d`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "learned2d",
    acts: Acts::Embedding,
    drawn: Drawn::Synthetic,
    params: &[
        ParamSpec {
            key: "table",
            kind: Kind::Choice { options: &["synthetic", YOURS], default: "synthetic" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "d_model",
            kind: Kind::Integer { min: 1, max: 1024, step: 1, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: MADE_UP,
        },
        ParamSpec {
            key: "grid_size",
            kind: Kind::Integer { min: 1, max: 32, step: 1, default: 14, scale: Scale::Linear },
            unit: Unit::None,
            when: MADE_UP,
        },
        ParamSpec { key: "antialias", kind: Kind::Switch { default: false }, unit: Unit::None, when: None },
        ParamSpec {
            key: "table_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: MADE_UP,
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \mathrm{PE}(y, x) &= \sum_{i, j < \slot{grid_size}} w_{y - i}\,w_{x - j}\,E_{ij} \end{aligned}",
    )],
    paper: Source::new(
        "Dosovitskiy et al. 2020, An Image is Worth 16x16 Words, section 3.2",
        "https://arxiv.org/abs/2010.11929",
    ),
    reference: Source::new(
        "torch 2.15.0, interpolate, as transformers' vit calls it; timm 1.0.31, resample_abs_pos_embed",
        "https://github.com/huggingface/pytorch-image-models/blob/main/timm/layers/pos_embed.py",
    ),
    pitfalls: &[Pitfall {
        key: "resample-by-size",
        source: Source::new(
            "facebookresearch/dinov2 issue 378",
            "https://github.com/facebookresearch/dinov2/issues/378",
        ),
    }],
    costs: CostModel::new(costs),
    build,
};

/// The encoding of the bytes of a [`plain`](crate::plain) table, a row for each patch of a square grid.
///
/// # Errors
/// [`Error::Data`].
pub fn decode(bytes: &[u8], antialias: bool) -> Result<Encoding, Error> {
    let table = Plain::decode(bytes)?;
    let size = table.rows().isqrt();
    if size * size != table.rows() {
        return Err(Error::Data("its rows are no square grid"));
    }
    let weights = table.weights().iter().map(|weight| f64::from(*weight)).collect();
    Ok(Encoding::Grid(Box::new(Learned2d { d_model: table.columns(), size, antialias, table: weights })))
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    if settings.choice("table") == YOURS {
        let asset = |file, decode| Err(Error::NeedsData(Asset { file, rows: 0, columns: 0, decode }));
        return if settings.switch("antialias") {
            asset("learned2d-yours-smooth", |bytes| decode(bytes, true))
        } else {
            asset("learned2d-yours", |bytes| decode(bytes, false))
        };
    }
    Ok(Encoding::Grid(Box::new(Learned2d::new(settings))))
}

/// For another number of patches than the table's, each is a sum over 4 × 4 of them; antialiasing takes more.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let size = settings.integer("grid_size") as f64;
    let resampled = shape.length != size * size;
    Costs {
        parameters: size * size * shape.width(),
        once: if resampled { 2.0 * 16.0 * shape.length * shape.width() } else { 0.0 },
        ..Costs::added(shape, Cache::Nothing)
    }
}

/// The weights of the old cells in a new one: the first old cell, and a weight for it and each after it.
#[derive(Debug, Clone, PartialEq)]
struct Taps {
    first: usize,
    weights: Vec<f64>,
}

impl Taps {
    /// Of cell `i` of `new`, from `old` cells: centres at half cells, cells beyond the edge as the last one (without
    /// antialiasing) or left out (with it).
    fn new(i: usize, old: usize, new: usize, antialias: bool) -> Self {
        let scale = old as f64 / new as f64;
        if antialias {
            // The kernel is as wide as a new cell where that is the larger one.
            let stretch = scale.max(1.0);
            let centre = scale * (i as f64 + 0.5);
            let first = (centre - 2.0 * stretch + 0.5).max(0.0) as usize;
            let end = ((centre + 2.0 * stretch + 0.5) as usize).min(old);
            let mut weights: Vec<f64> =
                (first..end).map(|j| cubic((j as f64 - centre + 0.5) / stretch, -0.5)).collect();
            let sum: f64 = weights.iter().sum();
            for weight in &mut weights {
                *weight /= sum;
            }
            return Self { first, weights };
        }
        let at = scale * (i as f64 + 0.5) - 0.5;
        let below = libm::floor(at);
        let cell = |step: i64| (below as i64 + step).clamp(0, old as i64 - 1) as usize;
        let (first, last) = (cell(-1), cell(2));
        let mut weights = vec![0.0; last - first + 1];
        for step in -1..=2 {
            weights[cell(step) - first] += cubic(below + step as f64 - at, -0.75);
        }
        Self { first, weights }
    }

    /// Old cells with their weights.
    fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        self.weights.iter().enumerate().map(|(n, weight)| (self.first + n, *weight))
    }
}

/// Keys' cubic kernel.
fn cubic(x: f64, a: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        ((x - 5.0) * x + 8.0) * x * a - 4.0 * a
    } else {
        0.0
    }
}

/// Stretches a grid of numbers, rows × columns, from `old` to `new` rows and columns, by torch's bicubic interpolation
/// with `align_corners=False`.
///
/// # Errors
/// [`Error::Length`] where `grid` is not of the old size, or a size is 0.
pub fn resample(grid: &[f64], old: [usize; 2], new: [usize; 2], antialias: bool) -> Result<Vec<f64>, Error> {
    if grid.len() != old[0] * old[1] || grid.is_empty() {
        return Err(Error::Length { what: "grid", given: grid.len(), needed: (old[0] * old[1]).max(1) });
    }
    let taps =
        |axis: usize| -> Vec<Taps> { (0..new[axis]).map(|i| Taps::new(i, old[axis], new[axis], antialias)).collect() };
    let (rows, columns) = (taps(0), taps(1));
    let cell = |row: &Taps, column: &Taps| {
        row.iter().map(|(i, w)| w * column.iter().map(|(j, w)| w * grid[i * old[1] + j]).sum::<f64>()).sum()
    };
    Ok(rows.iter().flat_map(|row| columns.iter().map(|column| cell(row, column)).collect::<Vec<f64>>()).collect())
}

/// The table.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned2d {
    d_model: usize,
    size: usize,
    antialias: bool,
    /// Patches × `d_model`.
    table: Vec<f64>,
}

impl Learned2d {
    fn new(settings: &Settings) -> Self {
        let (d_model, size) = (settings.integer("d_model") as usize, settings.integer("grid_size") as usize);
        let mut random = Normal::new(settings.integer("table_seed") as u64);
        // A wave for each column: half a turn to two turns across the grid.
        let waves: Vec<[f64; 3]> = (0..d_model)
            .map(|_| {
                let (sin, cos) = libm::sincos(TAU * random.uniform());
                let turns = 0.5 + 1.5 * random.uniform();
                [turns * sin, turns * cos, random.uniform()]
            })
            .collect();
        let across = |i: usize| i as f64 / size as f64;
        let table = Grid { height: size, width: size }
            .patches()
            .flat_map(|(row, column)| {
                let (y, x) = (across(row), across(column));
                waves.iter().map(move |[fy, fx, phase]| libm::cos(TAU * (fy * y + fx * x + phase)))
            })
            .collect();
        Self { d_model, size, antialias: settings.switch("antialias"), table }
    }
}

impl GridTable for Learned2d {
    fn size(&self) -> Option<usize> {
        Some(self.size)
    }

    fn width(&self) -> usize {
        self.d_model
    }

    fn write_patch(&self, grid: Grid, row: usize, column: usize, out: &mut [f64]) -> Result<(), Error> {
        grid.check(row, column)?;
        if out.len() != self.d_model {
            return Err(Error::Length { what: "out", given: out.len(), needed: self.d_model });
        }
        out.fill(0.0);
        let columns = Taps::new(column, self.size, grid.width, self.antialias);
        for (i, w) in Taps::new(row, self.size, grid.height, self.antialias).iter() {
            for (j, v) in columns.iter() {
                let vector = self.table[(i * self.size + j) * self.d_model..].iter();
                for (out, x) in out.iter_mut().zip(vector) {
                    *out += w * v * x;
                }
            }
        }
        Ok(())
    }
}
