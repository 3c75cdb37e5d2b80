//! Sines and cosines of the position, one frequency a pair of dimensions.
//!
//! Vaswani et al. 2017, "Attention Is All You Need", section 3.5, <https://arxiv.org/abs/1706.03762>:
//! `PE[p, 2k] = sin(p·w_k)`, `PE[p, 2k+1] = cos(p·w_k)`, `w_k = base^(−2k/d)`, base 10000. The product of two rows is
//! `Σ_k cos((m − n)·w_k)`: it depends on the offset alone. A shift is a matrix, the same at every position
//! ([`Waves::shift`](crate::waves::Waves::shift)).
//!
//! | parameter | | who |
//! | --- | --- | --- |
//! | `layout` | `interleaved`: sine, cosine, sine …; `concatenated`: all sines, then all cosines | the paper, `DistilBERT`; Marian, Whisper |
//! | `frequencies` | `paper`; `tensor2tensor`: `base^(−k/(d/2 − 1))`, so that the last wavelength is 2π·base | the paper; tensor2tensor, M2M100, Whisper |
//! | `odd` | `own-exponent`: the last column is a sine; `round-up`: the frequencies of d + 1; `zero-pad`: those of d − 1, and a zero | Marian; positional-encodings; tensor2tensor |
//! | `spacing` | `geometric`, or for comparison `linear` or `random` (logarithms evenly distributed) between the same ends | |
//!
//! **Shapes and units.** [`Absolute`]: a row of `d_model` numbers for every real position, in tokens; frequencies in
//! radians per token.
//!
//! **Errors.** [`Error::Parameter`] for `tensor2tensor`'s frequencies below a `d_model` of 4: they divide by d/2 − 1.
//!
//! ```
//! use posenc::{Config, Encoding};
//!
//! let Encoding::Absolute(table) = Config::parse("sinusoidal(d_model=4)").unwrap().0.build().unwrap() else { unreachable!() };
//! let mut row = [0.0; 4];
//! table.write_row(3.0, &mut row).unwrap();
//! assert_eq!(row, [3.0_f64.sin(), 3.0_f64.cos(), 0.03_f64.sin(), 0.03_f64.cos()]);
//! // The product with the row 5 positions later.
//! let product = table.profile().unwrap().at(5.0);
//! assert!((product - (5.0_f64.cos() + 0.05_f64.cos())).abs() < 1e-15);
//! ```

use crate::{
    Absolute, Acts, Drawn, Encoding, Error, Formula, Kind, ODD, ParamSpec, Pitfall, Scale, SchemeSpec, Settings,
    Source, Unit,
    costs::{Cache, CostModel, Costs},
    random::Normal,
    waves::{Column, Waves},
};

/// `sinusoidal`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "sinusoidal",
    acts: Acts::Embedding,
    drawn: Drawn::Formula,
    params: &[
        ParamSpec {
            key: "d_model",
            kind: Kind::Integer { min: 1, max: 4096, step: 2, default: 32, scale: Scale::Log },
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
            key: "spacing",
            kind: Kind::Choice { options: &["geometric", "linear", "random"], default: "geometric" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "spacing_seed",
            kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
            unit: Unit::None,
            when: Some(("spacing", &["random"])),
        },
        ParamSpec {
            key: "layout",
            kind: Kind::Choice { options: &["interleaved", "concatenated"], default: "interleaved" },
            unit: Unit::None,
            when: None,
        },
        ParamSpec {
            key: "frequencies",
            kind: Kind::Choice { options: &["paper", "tensor2tensor"], default: "paper" },
            unit: Unit::None,
            when: Some(("spacing", &["geometric"])),
        },
        ParamSpec {
            key: "odd",
            kind: Kind::Choice { options: &["own-exponent", "round-up", "zero-pad"], default: "own-exponent" },
            unit: Unit::None,
            when: Some(("d_model", &[ODD])),
        },
    ],
    formula: &[
        Formula::when(
            &[("layout", &["interleaved"])],
            r"\begin{aligned} \mathrm{PE}(p)_{2k} &= \sin(p\,\omega_k) \\ \mathrm{PE}(p)_{2k+1} &= \cos(p\,\omega_k) \end{aligned}",
        ),
        Formula::when(
            &[("layout", &["concatenated"])],
            r"\begin{aligned} \mathrm{PE}(p)_k &= \sin(p\,\omega_k) \\ \mathrm{PE}(p)_{\slot{planes}+k} &= \cos(p\,\omega_k) \end{aligned}",
        ),
        Formula::when(
            &[("spacing", &["geometric"]), ("frequencies", &["paper"]), ("odd", &["own-exponent"])],
            r"\omega_k = \slot{base}^{-2k/\slot{d_model}}",
        ),
        Formula::when(
            &[("spacing", &["geometric"]), ("frequencies", &["paper"]), ("odd", &["round-up"])],
            r"\omega_k = \slot{base}^{-2k/(\slot{d_model}+1)}",
        ),
        Formula::when(
            &[("spacing", &["geometric"]), ("frequencies", &["paper"]), ("odd", &["zero-pad"])],
            r"\omega_k = \slot{base}^{-2k/(\slot{d_model}-1)}",
        ),
        Formula::when(&[("frequencies", &["tensor2tensor"])], r"\omega_k = \slot{base}^{-k/(\slot{planes}-1)}"),
        Formula::when(
            &[("spacing", &["linear"])],
            r"\omega_k = 1 - \frac{k}{\slot{planes}}\left(1 - \frac{1}{\slot{base}}\right)",
        ),
        Formula::when(
            &[("spacing", &["random"])],
            r"\begin{aligned} \omega_k &= \slot{base}^{-u_k} \\ u_0 &\le \dots \le u_{\slot{planes}-1} \sim \mathcal{U}(0, 1) \end{aligned}",
        ),
        Formula::when(&[("odd", &["zero-pad"])], r"\mathrm{PE}(p)_{\slot{d_model}-1} = 0"),
    ],
    paper: Source::new(
        "Vaswani et al. 2017, Attention Is All You Need, section 3.5",
        "https://arxiv.org/abs/1706.03762",
    ),
    reference: Source::new(
        "transformers 5.24.0, distilbert; positional-encodings 6.0.3; transformers 5.24.0, m2m_100",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/models/distilbert/modeling_distilbert.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "frequency-by-position",
            source: Source::new("Attention Is All You Need, section 3.5", "https://arxiv.org/abs/1706.03762"),
        },
        Pitfall {
            key: "monotone-distance",
            source: Source::new(
                "Data Science Stack Exchange 82451",
                "https://datascience.stackexchange.com/questions/82451",
            ),
        },
        Pitfall {
            key: "odd-width",
            source: Source::new("pyaptamer issue 526", "https://github.com/gc-os-ai/pyaptamer/issues/526"),
        },
    ],
    costs: CostModel::new(|_, shape| Costs::waves(shape, Cache::Placed)),
    build,
};

fn build(settings: &Settings) -> Result<Encoding, Error> {
    Ok(Encoding::Absolute(Box::new(Sinusoidal::new(settings)?)))
}

/// The table, one row for every real position.
#[derive(Debug)]
pub struct Sinusoidal {
    waves: Waves,
}

impl Sinusoidal {
    fn new(settings: &Settings) -> Result<Self, Error> {
        let d = settings.integer("d_model") as usize;
        let base = settings.real("base");
        let odd = settings.choice("odd");
        // The width that the frequencies are made for.
        let width = match odd {
            "round-up" => d + d % 2,
            "zero-pad" => d - d % 2,
            _ => d,
        };
        let planes = width.div_ceil(2);
        let freq: Vec<f64> = match (settings.choice("spacing"), settings.choice("frequencies")) {
            ("linear", _) => (0..planes).map(|k| 1.0 - (k as f64 / planes as f64) * (1.0 - 1.0 / base)).collect(),
            ("random", _) => {
                let mut random = Normal::new(settings.integer("spacing_seed") as u64);
                let mut freq: Vec<f64> = (0..planes).map(|_| libm::pow(base, -random.uniform())).collect();
                // The fastest first, as in the other spacings.
                freq.sort_unstable_by(|a, b| b.total_cmp(a));
                freq
            }
            (_, "tensor2tensor") => {
                if planes < 2 {
                    return Err(Error::Parameter {
                        key: "d_model",
                        value: d.to_string(),
                        reason: "tensor2tensor's frequencies divide by d_model/2 − 1, so d_model must be at least 4",
                    });
                }
                (0..planes).map(|k| libm::exp(-(k as f64) * libm::log(base) / (planes as f64 - 1.0))).collect()
            }
            _ => (0..planes).map(|k| libm::pow(base, -2.0 * k as f64 / width as f64)).collect(),
        };
        let mut columns: Vec<Column> = if settings.choice("layout") == "interleaved" {
            (0..planes).flat_map(|k| [Column::Sin(k), Column::Cos(k)]).collect()
        } else {
            (0..planes).map(Column::Sin).chain((0..planes).map(Column::Cos)).collect()
        };
        columns.truncate(d);
        columns.resize(d, Column::Constant(0.0));
        Ok(Self { waves: Waves::new(freq, columns) })
    }
}

impl Absolute for Sinusoidal {
    fn width(&self) -> usize {
        self.waves.columns().len()
    }

    fn write_row(&self, position: f64, out: &mut [f64]) -> Result<(), Error> {
        if out.len() != self.width() {
            return Err(Error::Length { what: "out", given: out.len(), needed: self.width() });
        }
        for (c, cell) in out.iter_mut().enumerate() {
            *cell = self.waves.at(position, c);
        }
        Ok(())
    }

    fn waves(&self) -> Option<&Waves> {
        Some(&self.waves)
    }
}
