//! Sines and cosines of a patch's row and of its column, in one vector.
//!
//! The vector has D numbers, a share for each axis, with `ω_k = base^(−k/(D/4))`, in one of five layouts:
//!
//! | `layout` | order | who |
//! | --- | --- | --- |
//! | `height-first` | sines, then cosines of the row; the same of the column | transformers 5 |
//! | `width-first` | the same with the column first | `MAE`'s code and checkpoints, by a mixed-up name |
//! | `sines-then-cosines` | sines of the row, of the column; cosines of the row, of the column | timm |
//! | `rows-then-columns-interleaved` | sine, cosine, sine … of the row; the same of the column | positional-encodings |
//! | `detr` | the same, rows and columns counted from 1 | `DETR` |
//!
//! `positional-encodings` makes both shares ⌈D/4⌉·2 wide and cuts the vector at D, so that for a D that is no multiple of
//! 4 the column's share is the smaller one. `DETR` can `normalize`: the coordinate becomes `2π·y/(height + 10⁻⁶)`.
//!
//! He et al. 2021, <https://arxiv.org/abs/2111.06377>; Carion et al. 2020, <https://arxiv.org/abs/2005.12872>.
//!
//! **Shapes and units.** [`GridTable`]: a vector of `d_model` numbers for each patch of any grid.
//!
//! **Errors.** [`Error::Parameter`] where `d_model` is no multiple of 4, except for
//! `rows-then-columns-interleaved`, which needs an even one.
//!
//! ```
//! use posenc::{Config, Encoding, grid::Grid};
//!
//! let build = |text| match Config::parse(text).unwrap().0.build().unwrap() {
//!     Encoding::Grid(table) => table,
//!     _ => unreachable!(),
//! };
//! let (height, width) = (build("sincos2d(d_model=8)"), build("sincos2d(d_model=8,layout=width-first)"));
//! let (mut a, mut b) = ([0.0; 8], [0.0; 8]);
//! let grid = Grid { height: 4, width: 4 };
//! height.write_patch(grid, 1, 3, &mut a).unwrap();
//! width.write_patch(grid, 3, 1, &mut b).unwrap();
//! assert_eq!(a, b);
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    costs::{Cache, CostModel, Costs},
    grid::{Grid, GridProfile, GridTable},
    phase,
};
use std::f64::consts::TAU;

/// `sincos2d`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "sincos2d",
    acts: Acts::Embedding,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "d_model",
            kind: Kind::Integer { min: 2, max: 4096, step: 4, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "base",
            kind: Kind::Real { min: 1.0, max: 1e8, step: 0.05, default: 10_000.0, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice {
                options: &[
                    "height-first",
                    "width-first",
                    "sines-then-cosines",
                    "rows-then-columns-interleaved",
                    "detr",
                ],
                default: "height-first",
            },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "normalize",
            kind: Kind::Switch { default: false },
            unit: Unit::None,
            when: Some(("layout", &["detr"])),
        },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} \mathrm{PE}(y, x) &= \left(s(y),\ s(x)\right) \\ s(c) &= \left(\sin c\,\omega_k,\ \cos c\,\omega_k\right)_k \\ \omega_k &= \slot{base}^{-4k/\slot{d_model}} \end{aligned}",
    )],
    paper: Source::new(
        "He et al. 2021, Masked Autoencoders Are Scalable Vision Learners",
        "https://arxiv.org/abs/2111.06377",
    ),
    reference: Source::new(
        "transformers 5.24.0 and 4.57.1, vit_mae and detr; timm 1.0.31; positional-encodings 6.0.3",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/vit_mae/modeling_vit_mae.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "mae-width-first",
            source: Source::new(
                "facebookresearch/mae, util/pos_embed.py",
                "https://github.com/facebookresearch/mae/blob/main/util/pos_embed.py",
            ),
        },
        Pitfall {
            key: "detr-from-one",
            source: Source::new(
                "facebookresearch/detr, models/position_encoding.py",
                "https://github.com/facebookresearch/detr/blob/main/models/position_encoding.py",
            ),
        },
    ],
    costs: CostModel::new(|_, shape| Costs::waves(shape, Cache::Nothing)),
    build,
};

/// One number of the vector.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    /// 0 the row, 1 the column.
    axis: usize,
    sine: bool,
    freq: f64,
}

/// The table.
#[derive(Debug, Clone, PartialEq)]
pub struct SinCos2d {
    cells: Vec<Cell>,
    /// `DETR`'s coordinates: from 1, and normalised or not.
    detr: Option<bool>,
}

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let d = settings.integer("d_model") as usize;
    let layout = settings.choice("layout");
    let step = if layout == "rows-then-columns-interleaved" { 2 } else { 4 };
    if !d.is_multiple_of(step) {
        let reason = match step {
            2 => "each wave is a sine and a cosine, so it must be even",
            _ => "each axis has as many sines as cosines, so it must be a multiple of 4",
        };
        return Err(Error::Parameter { key: "d_model", value: d.to_string(), reason });
    }
    let planes = d.div_ceil(4);
    let base = settings.real("base");
    let freq = |k: usize| libm::pow(base, -(k as f64) / planes as f64);
    let wave = |axis: usize, sine: bool| (0..planes).map(move |k| Cell { axis, sine, freq: freq(k) });
    let pairs =
        |axis: usize| (0..planes).flat_map(move |k| [true, false].map(|sine| Cell { axis, sine, freq: freq(k) }));
    let halves = |axis: usize| wave(axis, true).chain(wave(axis, false));
    let mut cells: Vec<Cell> = match layout {
        "width-first" => halves(1).chain(halves(0)).collect(),
        "sines-then-cosines" => {
            wave(0, true).chain(wave(1, true)).chain(wave(0, false)).chain(wave(1, false)).collect()
        }
        "rows-then-columns-interleaved" | "detr" => pairs(0).chain(pairs(1)).collect(),
        _ => halves(0).chain(halves(1)).collect(),
    };
    cells.truncate(d);
    let detr = (layout == "detr").then(|| settings.switch("normalize"));
    Ok(Encoding::Grid(Box::new(SinCos2d { cells, detr })))
}

impl SinCos2d {
    /// From one of so many rows, or columns, to the next.
    fn step(&self, n: usize) -> f64 {
        if self.detr == Some(true) { TAU / (n as f64 + 1e-6) } else { 1.0 }
    }
}

impl GridTable for SinCos2d {
    fn width(&self) -> usize {
        self.cells.len()
    }

    fn write_patch(&self, grid: Grid, row: usize, column: usize, out: &mut [f64]) -> Result<(), Error> {
        grid.check(row, column)?;
        if out.len() != self.width() {
            return Err(Error::Length { what: "out", given: out.len(), needed: self.width() });
        }
        let first = if self.detr.is_some() { 1.0 } else { 0.0 };
        let at = [(row as f64 + first) * self.step(grid.height), (column as f64 + first) * self.step(grid.width)];
        for (out, cell) in out.iter_mut().zip(&self.cells) {
            let (sin, cos) = phase::sin_cos(at[cell.axis], cell.freq);
            *out = if cell.sine { sin } else { cos };
        }
        Ok(())
    }
    /// Every sine has its cosine.
    fn profile(&self, grid: Grid) -> Option<GridProfile> {
        let sines = self.cells.iter().filter(|cell| cell.sine);
        let freq = sines.map(|cell| match cell.axis {
            0 => [cell.freq * self.step(grid.height), 0.0],
            _ => [0.0, cell.freq * self.step(grid.width)],
        });
        Some(GridProfile::of_waves(freq.collect()))
    }
}
