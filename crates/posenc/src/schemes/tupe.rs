//! TUPE: words meet words and places meet places, each with projections of its own.
//!
//! Ke, He, Liu 2020, "Rethinking Positional Encoding in Language Pre-training", <https://arxiv.org/abs/2006.15595>:
//! `A_ij = x_iW_Q·x_jW_K/√(2d) + LN(p_i)U_Q·LN(p_j)U_K/√(2d) + b_{bucket(i−j)}`. What is added does not depend on the words: it is
//! computed once and used by every layer. The buckets are T5's. With `untie_cls`, as in the authors' code, what the first
//! token (`[CLS]`) and any other add is one learned number each way, whatever the place, its bucket included.
//!
//! **Shapes and units.** [`Content`]: p (L + 1) × `d_model` (the authors keep one row more than there are positions for the
//! two numbers of `[CLS]`), U `d_model` × `head_dim`; what is added is in logits. The weights are made up
//! ([`Drawn::Synthetic`]), and the formula is proven by properties alone: there are no numbers of other code to compare
//! with.
//!
//! **Errors.** [`Error::PastTheEnd`] past the last position, [`Error::Length`] where given weights do not fit together.
//!
//! ```
//! use posenc::{Config, Encoding, Error, content::Tokens};
//!
//! let config = Config::parse("tupe(head_dim=2,max_positions=2)").unwrap().0;
//! let Encoding::Content(tupe) = config.build().unwrap() else { unreachable!() };
//! let tokens = Tokens::new(2, &[0.0; 6], &[0.0; 6]).unwrap();
//! assert_eq!(tupe.write_row(&tokens, 0, false, &mut [0.0; 3]), Err(Error::PastTheEnd { position: 2.0, last: 1 }));
//! ```

use crate::{
    Acts, Drawn, Encoding, Error, Formula, Kind, ParamSpec, Pitfall, Scale, SchemeSpec, Settings, Source, Unit,
    bias::Bias,
    content::{Content, Tokens, check, check_row, dot, matrix, times},
    costs::{CostModel, Costs, Shape},
    phase,
    random::Normal,
    schemes::t5::{Buckets, T5},
};

/// `tupe`.
pub static SPEC: SchemeSpec = SchemeSpec {
    id: "tupe",
    acts: Acts::Content,
    drawn: Drawn::Synthetic,
    params: &[
        ParamSpec {
            key: "head_dim",
            kind: Kind::Integer { min: 1, max: 1024, step: 1, default: 64, scale: Scale::Log },
            unit: Unit::Dimensions,
            when: None,
        },
        ParamSpec {
            key: "max_positions",
            kind: Kind::Integer { min: 2, max: 2048, step: 1, default: 512, scale: Scale::Log },
            unit: Unit::Tokens,
            when: None,
        },
        ParamSpec { key: "relative_bias", kind: Kind::Switch { default: true }, unit: Unit::None, when: None },
        ParamSpec { key: "untie_cls", kind: Kind::Switch { default: true }, unit: Unit::None, when: None },
    ],
    formula: &[Formula::always(
        r"\begin{aligned} A_{ij} &= \frac{x_i W_Q \cdot x_j W_K + y_i U_Q \cdot y_j U_K}{\sqrt{2\cdot\slot{head_dim}}} + b_{\beta(i - j)} \\ y_i &= \mathrm{LN}(p_i) \end{aligned}",
    )],
    paper: Source::new(
        "Ke, He, Liu 2020, Rethinking Positional Encoding in Language Pre-training",
        "https://arxiv.org/abs/2006.15595",
    ),
    reference: Source::new(
        "guolinke/TUPE, transformer_sentence_encoder.py (read; proven by properties, there are no vectors)",
        "https://github.com/guolinke/TUPE/blob/master/fairseq/modules/transformer_sentence_encoder.py",
    ),
    pitfalls: &[
        Pitfall {
            key: "tupe-scale",
            source: Source::new("Ke, He, Liu 2020, Rethinking Positional Encoding", "https://arxiv.org/abs/2006.15595"),
        },
        Pitfall {
            key: "tupe-cls",
            source: Source::new(
                "guolinke/TUPE, transformer_sentence_encoder.py",
                "https://github.com/guolinke/TUPE/blob/master/fairseq/modules/transformer_sentence_encoder.py",
            ),
        },
    ],
    costs: CostModel::new(costs),
    build,
};

/// All of it once for all layers: rows for the positions, two projections, T5's table, and a product a pair of places.
fn costs(settings: &Settings, shape: &Shape) -> Costs {
    let (width, length) = (shape.width(), shape.length);
    let positions = settings.integer("max_positions") as f64;
    let rows = positions + if settings.switch("untie_cls") { 1.0 } else { 0.0 };
    let buckets = if settings.switch("relative_bias") { 32.0 } else { 0.0 };
    Costs {
        parameters: rows * width + 2.0 * width * width + buckets * shape.heads,
        once: 4.0 * length * width * width + 2.0 * length * length * width,
        rows: Some(positions),
        ..Costs::logits(shape)
    }
}

/// Numbers in a made-up position vector.
const MODEL: usize = 64;

fn build(settings: &Settings) -> Result<Encoding, Error> {
    let width = settings.integer("head_dim") as usize;
    let rows = settings.integer("max_positions") as usize + 1;
    let mut random = Normal::new(0x5455);
    // What tables of real models look like: slow waves, and some noise.
    let wave = |row: usize, column: usize| {
        let (sin, cos) = phase::sin_cos(row as f64, libm::pow(1000.0, -((column / 2) as f64) / (MODEL / 2) as f64));
        if column.is_multiple_of(2) { sin } else { cos }
    };
    let mut places: Vec<f64> = (0..rows * MODEL).map(|i| wave(i / MODEL, i % MODEL) + 0.1 * random.sample()).collect();
    for place in places.chunks_exact_mut(MODEL) {
        normalise(place);
    }
    // U_K near U_Q, so that a place meets itself strongest.
    let u_q = matrix(&mut random, MODEL, width, 1.2 / libm::sqrt(MODEL as f64));
    let noise = matrix(&mut random, MODEL, width, 0.3 / libm::sqrt(MODEL as f64));
    let u_k: Vec<f64> = u_q.iter().zip(&noise).map(|(u, noise)| u + noise).collect();
    let project = |u: &[f64]| places.chunks_exact(MODEL).flat_map(|p| times(p, u, width)).collect::<Vec<f64>>();
    let relative =
        if settings.switch("relative_bias") { Some(T5::synthetic(1, Buckets::new(32, 128, true)?)) } else { None };
    let cls = settings.switch("untie_cls").then(|| if relative.is_some() { [0.5, -0.5] } else { [0.0, 0.0] });
    let tupe = Tupe::new(width, project(&u_q), project(&u_k), relative, cls)?;
    Ok(Encoding::Content(Box::new(tupe)))
}

/// Layer normalisation: mean 0, variance 1.
fn normalise(x: &mut [f64]) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
    let by = 1.0 / libm::sqrt(variance + 1e-5);
    for x in x {
        *x = (*x - mean) * by;
    }
}

/// A number for each pair of places.
#[derive(Debug, Clone, PartialEq)]
pub struct Tupe {
    width: usize,
    /// Projected places, one row more than there are positions.
    q: Vec<f64>,
    k: Vec<f64>,
    relative: Option<T5>,
    cls: Option<[f64; 2]>,
}

impl Tupe {
    /// From weights: `LN(p)·U_Q` and `LN(p)·U_K`, rows of `head_dim` numbers, position t being row t + 1; the bias of
    /// buckets; and, where `[CLS]` is untied, what its two buckets add: from `[CLS]` to others, where the product is that of
    /// row 0, and from others to `[CLS]`, where it is that of row 1.
    ///
    /// # Errors
    /// [`Error::Length`] where they do not fit together, or there are not two rows.
    pub fn new(
        head_dim: usize,
        q: Vec<f64>,
        k: Vec<f64>,
        relative: Option<T5>,
        cls: Option<[f64; 2]>,
    ) -> Result<Self, Error> {
        if head_dim == 0 || q.len() < 2 * head_dim || !q.len().is_multiple_of(head_dim) {
            let needed = q.len().max(2 * head_dim).next_multiple_of(head_dim.max(1));
            return Err(Error::Length { what: "q", given: q.len(), needed });
        }
        check(&k, q.len(), "k")?;
        Ok(Self { width: head_dim, q, k, relative, cls })
    }

    /// Positions that there are rows for.
    fn positions(&self) -> usize {
        self.q.len() / self.width - 1
    }

    /// What is added for two positions, whatever the words; NaN past the last.
    pub fn at(&self, query: usize, key: usize) -> f64 {
        if query >= self.positions() || key >= self.positions() {
            return f64::NAN;
        }
        let row = |row: usize| row * self.width..(row + 1) * self.width;
        let product = |i: usize, j: usize| dot(&self.q[row(i)], &self.k[row(j)]) * self.scale();
        match (self.cls, query, key) {
            (Some([from, _]), 0, _) => product(0, 0) + from,
            (Some([_, to]), _, 0) => product(1, 1) + to,
            _ => {
                let by_offset = self.relative.as_ref().and_then(|t5| t5.by_offset(0, query as i64 - key as i64));
                product(query + 1, key + 1) + by_offset.unwrap_or_default()
            }
        }
    }
}

impl Content for Tupe {
    fn head_dim(&self) -> usize {
        self.width
    }

    fn scale(&self) -> f64 {
        1.0 / libm::sqrt(2.0 * self.width as f64)
    }

    fn rows(&self) -> Option<usize> {
        Some(self.positions())
    }

    fn write_row(&self, tokens: &Tokens<'_>, query: usize, _causal: bool, out: &mut [f64]) -> Result<(), Error> {
        check_row(self.width, tokens, query, out)?;
        let start = usize::try_from(tokens.start()).map_err(|_| Error::NoRow(tokens.start() as f64))?;
        let end = start.saturating_add(tokens.count());
        if end > self.positions() {
            return Err(Error::PastTheEnd { position: (end - 1) as f64, last: self.positions() - 1 });
        }
        for (key, cell) in out.iter_mut().enumerate() {
            *cell = self.at(start + query, start + key);
        }
        Ok(())
    }
}
