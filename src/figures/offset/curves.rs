//! What is drawn of each scheme: for every column of pixels the mean and the range of the scores in it.

mod here;
mod refine;

use super::super::{Cursor, Scene, Slot, common, logits::Logits};
use super::axis::Axis;
use super::quantity::{Quantity, quantity};
use super::traces::{Pairs, Trace, band_trace, bias_trace, fading_trace, flat_trace, profile_trace, table_trace};
use crate::schemes::{WHOLE, Whole};
use here::Known;
use posenc::{
    Config, Encoding, Error, Rotary, Settings,
    profile::{Fading, Ranger},
    vectors::{Bands, Vectors},
};
use refine::{REFINED, Refining, planes};
use std::cell::RefCell;
use std::rc::Rc;

pub(super) use refine::bound;

/// Offsets of a column that are looked at for the first picture, at the most.
const SAMPLES: u64 = 64;

/// Planes × offsets of the first picture, all curves together: under 2 ms in a browser.
const FIRST: u64 = 2_500_000;

/// Planes × draws × offsets of the first picture of bands, all curves together: some milliseconds.
const FIRST_BAND: u64 = 6_000_000;

/// Offsets to a column up to which one is reached from the column before without sines.
const NEAR: u64 = 1 << 15;

/// What a sine costs, in planes × offsets.
const SINE: u64 = 32;

/// Draws × offsets past which a band is the worker's.
const LARGE: u64 = 4_000_000;

/// What a scheme's curve is computed from.
enum Source {
    /// A function of the offset.
    Profile(Box<Ranger>),
    /// Many draws of q and k.
    Draws(Rotary),
    /// A table whose products depend on the position too.
    Table(Rc<Result<Encoding, Error>>),
    /// What the cursor's head adds.
    Bias(Logits),
    /// A function of the offset whose waves fade.
    Fading(Box<Fading>, Whole),
    /// The same at every offset.
    Flat,
}

/// All that a trace follows from.
#[derive(PartialEq, Clone)]
struct Key {
    config: Config,
    length: u64,
    options: Settings,
    seed: u64,
    axis: Axis,
    samples: u64,
}

thread_local! {
    /// The traces of the last model: a step of one scheme's slider leaves the others as they are.
    static LAST: RefCell<Vec<(Rc<Key>, Trace)>> = const { RefCell::new(Vec::new()) };
}

/// Forgets the traces of the last model.
#[cfg(feature = "full")]
pub(in crate::figures) fn forget() {
    drop(LAST.take());
}

/// Keeps the curves as they are now for the next model.
pub(super) fn keep(curves: &[Curve]) {
    let kept = curves.iter().map(|curve| (curve.key.clone(), curve.trace.clone())).collect();
    drop(LAST.replace(kept));
}

/// One scheme's curve.
pub(super) struct Curve {
    /// Its slot.
    pub(super) slot: usize,
    /// Its name.
    pub(super) name: String,
    /// What its numbers are.
    pub(super) quantity: Quantity,
    /// Width of query and key, where there are such.
    pub(super) head_dim: usize,
    /// What is drawn.
    pub(super) trace: Trace,
    key: Rc<Key>,
    source: Source,
    /// The head that the trace of a bias is of.
    head: usize,
    refining: Option<Refining>,
    /// Offsets of a column that refining looks at, at the most.
    depth: u64,
    /// A band of few columns that is on its way, and their edges.
    coarse: Option<(Box<Bands>, Vec<i64>)>,
    bands: Option<Box<Bands>>,
    /// Every pair of rows of a table.
    pairs: Option<Pairs>,
    draws: u32,
    samples: u64,
    length: u64,
    aim: i64,
    /// Whether the exact band is asked of the worker.
    asks: bool,
    known: Known,
}

impl Curve {
    /// The curve of a slot, if its scheme can be built.
    pub(super) fn new(scene: &Scene, slot: &Slot, axis: &Axis) -> Option<Self> {
        let aim = scene.options.integer("aim");
        let vectors = vectors(scene);
        let draws = scene.options.integer("draws").max(1) as u32;
        let encoding = common::encoding(slot)?;
        let quantity = quantity(scene, encoding)?;
        let (head_dim, source) = match encoding {
            Encoding::None => (0, Source::Flat),
            Encoding::Bias(_) => (0, Source::Bias(Logits::of(scene, slot)?)),
            Encoding::Absolute(table) => {
                let source = match table.profile() {
                    Some(profile) => Source::Profile(Box::new(profile.aimed(aim as f64).ranger())),
                    None => Source::Table(slot.encoding.clone()),
                };
                (table.width(), source)
            }
            Encoding::Rotary(rotary) => {
                let source = if matches!(vectors, Vectors::Independent { .. }) {
                    Source::Draws(rotary.clone())
                } else {
                    let (q, k) = vectors.pair(rotary.head_dim());
                    // The lengths fit: both are of `head_dim`.
                    Source::Profile(Box::new(rotary.profile(&q, &k).ok()?.aimed(aim as f64).ranger()))
                };
                (rotary.head_dim(), source)
            }
            Encoding::QueryKey(both) => {
                let here = WHOLE?;
                let (q, k) = vectors.pair(both.head_dim());
                let source = match both.profile(&q, &k).ok()? {
                    // The aim turns the query; it does not bring it nearer.
                    Some(fading) => {
                        let waves = fading.profile().aimed(aim as f64);
                        Source::Fading(Box::new(Fading::new(waves, fading.decay().to_vec())), here)
                    }
                    None => Source::Flat,
                };
                (both.head_dim(), source)
            }
            _ => return None,
        };
        let mut samples = SAMPLES;
        if let Source::Profile(ranger) = &source {
            let work = planes(ranger) * axis.edges.len() as u64 * scene.slots.len() as u64;
            samples = (FIRST / work.max(1)).clamp(8, SAMPLES);
        }
        let key = Rc::new(Key {
            config: slot.config.clone(),
            length: scene.length,
            options: scene.options.clone(),
            seed: scene.seed,
            axis: axis.clone(),
            samples,
        });
        let mut curve = Self {
            key,
            slot: slot.index,
            name: common::name(&scene.slots, slot),
            quantity,
            head_dim,
            trace: Trace::default(),
            source,
            head: 0,
            refining: None,
            depth: u64::MAX,
            coarse: None,
            bands: None,
            pairs: None,
            draws,
            samples,
            length: scene.length,
            aim,
            asks: false,
            known: Known::default(),
        };
        let known = LAST.with_borrow(|last| last.iter().find(|(key, _)| *key == curve.key).map(|(_, t)| t.clone()));
        match (known, &curve.source) {
            (Some(trace), Source::Profile(_)) => {
                if !trace.exact {
                    curve.refining = Some(Refining::new(axis));
                }
                curve.trace = trace;
            }
            (Some(trace), Source::Draws(_) | Source::Table(_)) if trace.exact => curve.trace = trace,
            _ => curve.first(axis, vectors, scene.slots.len().max(1) as u64),
        }
        Some(curve)
    }

    /// The first picture, of one among some curves: exact where that is cheap, else sampled.
    fn first(&mut self, axis: &Axis, vectors: Vectors, curves: u64) {
        match &mut self.source {
            Source::Flat => self.trace = flat_trace(axis),
            Source::Bias(logits) => self.trace = bias_trace(logits, self.head, axis),
            Source::Fading(fading, _) => self.trace = fading_trace(fading, axis),
            Source::Profile(ranger) => {
                self.trace = profile_trace(ranger, axis, self.samples);
                if !self.trace.exact {
                    self.refining = Some(Refining::new(axis));
                }
            }
            Source::Draws(rotary) => {
                // A few offsets of wide columns first: over many draws these are already close.
                let edges = axis.runs((axis.edges.len() / 8).clamp(64, 160));
                let coarse = Bands::new(rotary, vectors, self.draws, &edges, 8, self.aim as f64);
                let planes = rotary.inv_freq().len().max(1) as u64;
                // Planes × offsets a draw, and a sine a plane for every column that is far from the one before.
                let offsets = (axis.high - axis.low + 1) as u64;
                let work = |columns: usize, samples: u64| {
                    let columns = columns.max(1) as u64;
                    planes * columns * (samples + if offsets / columns > NEAR { SINE } else { 0 })
                };
                if work(edges.len(), 8) * u64::from(self.draws) <= FIRST_BAND / curves {
                    self.trace = band_trace(coarse, &edges);
                } else {
                    // Fewer draws, columns and offsets, until those are looked at, slice by slice.
                    let few = axis.runs(24);
                    let draws = FIRST_BAND / (curves * work(few.len(), 1));
                    let draws = draws.clamp(16, u64::from(self.draws).max(16)) as u32;
                    let first = Bands::new(rotary, vectors, draws.min(self.draws), &few, 1, self.aim as f64);
                    self.trace = band_trace(first, &few);
                    self.coarse = Some((Box::new(coarse), edges));
                }
                self.trace.exact = false;
                let large = offsets * u64::from(self.draws) > LARGE;
                // The worker knows one side only; of two, as many offsets are looked at as a column of curves has.
                self.asks = large && axis.low >= 0;
                if !self.asks {
                    let most = REFINED / (curves * u64::from(self.draws));
                    let fits = |samples: &u64| work(axis.edges.len(), *samples) <= most;
                    let samples = if large { [SAMPLES, 8, 1].into_iter().find(fits) } else { Some(u64::MAX) };
                    // Where not even one offset of each column is in reach, it stays at wider columns.
                    self.bands = samples.map(|samples| {
                        self.depth = samples;
                        let edges = &axis.edges;
                        Box::new(Bands::new(rotary, vectors, self.draws, edges, samples, self.aim as f64))
                    });
                }
            }
            Source::Table(encoding) => {
                if let Ok(Encoding::Absolute(table)) = encoding.as_ref() {
                    self.trace = table_trace(table.as_ref(), axis, self.length);
                    self.pairs = Pairs::new(table.as_ref(), self.length);
                }
            }
        }
    }

    /// Shows the cursor's head, where the scheme has heads.
    pub(super) fn turn_to(&mut self, cursor: &Cursor, axis: &Axis) {
        if let Source::Bias(logits) = &self.source {
            let head = logits.head(cursor);
            if head != self.head {
                self.head = head;
                self.trace = bias_trace(logits, head, axis);
            }
        }
    }

    /// What is added by head, where that is what the curve shows, and the cursor's head.
    pub(super) fn logits(&self, cursor: &Cursor) -> Option<(&Logits, usize)> {
        match &self.source {
            Source::Bias(logits) => Some((logits, logits.head(cursor))),
            _ => None,
        }
    }

    /// Its name, and its head where it has one.
    pub(super) fn label(&self) -> String {
        match &self.source {
            Source::Bias(logits) => logits.label(&self.name, self.head),
            _ => self.name.clone(),
        }
    }

    /// What the worker is asked for: the band over every offset, or over as many as it does in some ten seconds.
    pub(super) fn request(&self, scene: &Scene, axis: &Axis) -> Option<String> {
        const WORK: u64 = 20_000_000_000;
        const MOST_SAMPLES: u64 = 10_000_000;
        let (true, Source::Draws(rotary)) = (self.asks, &self.source) else { return None };
        let config = &scene.slots.iter().find(|slot| slot.index == self.slot)?.config;
        let columns = axis.edges.len().saturating_sub(1).max(1);
        let planes = rotary.inv_freq().len().max(1) as u64;
        let each = planes * u64::from(self.draws);
        let samples = if each * self.length <= WORK {
            MOST_SAMPLES
        } else {
            (WORK / (each * columns as u64)).clamp(SAMPLES, MOST_SAMPLES)
        };
        let axis = if axis.log { "log" } else { "linear" };
        let (length, seed, draws, aim) = (self.length, scene.seed, self.draws, self.aim);
        Some(format!(
            "band?scheme={config}&length={length}&vectors=independent&seed={seed}&draws={draws}&columns={columns}&samples={samples}&axis={axis}&aim={aim}"
        ))
    }

    /// Takes the worker's band: edges, mean and standard deviation by column, and whether it is exact.
    pub(super) fn answer(&mut self, axis: &Axis, arrays: &[Vec<f32>]) {
        let [edges, mean, spread, rest @ ..] = arrays else { return };
        if !self.asks || mean.len() + 1 != edges.len() || spread.len() != mean.len() {
            return;
        }
        let mut trace = Trace { exact: rest.last().is_some_and(|exact| exact == &[1.0]), ..Trace::default() };
        for ((edge, mean), spread) in edges.windows(2).zip(mean).zip(spread) {
            // On a logarithmic axis the first columns share an offset.
            let offset = Axis::middle(edge[0] as i64, (edge[1] as i64).max(edge[0] as i64 + 1));
            if offset >= axis.low as f64 && trace.offsets.last().is_none_or(|last| *last < offset) {
                trace.offsets.push(offset);
                trace.low.push(mean - spread);
                trace.mid.push(*mean);
                trace.high.push(mean + spread);
            }
        }
        self.trace = trace;
        self.asks = false;
        self.coarse = None;
    }

    /// Whether the scores are a function of the offset alone.
    pub(super) fn is_profile(&self) -> bool {
        matches!(self.source, Source::Profile(_))
    }

    /// Whether its waves fade with the offset.
    pub(super) fn is_fading(&self) -> bool {
        matches!(self.source, Source::Fading(..))
    }

    /// Whether no position changes it.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.source, Source::Flat)
    }

    /// Whether what is sampled now will be exact.
    pub(super) fn is_pending(&self) -> bool {
        let refines = self.refining.is_some() && self.depth == u64::MAX;
        refines || self.asks || self.pairs.is_some() || (self.bands.is_some() && self.depth == u64::MAX)
    }

    /// Whether it is a mean with a standard deviation over draws.
    pub(super) fn is_band(&self) -> bool {
        matches!(self.source, Source::Draws(_))
    }

    /// Whether the scores depend on the position too, and the line is a mean over positions.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.source, Source::Table(_))
    }

    /// How many positions have a row, where they end.
    pub(super) fn rows(&self) -> Option<usize> {
        match &self.source {
            Source::Table(encoding) => match encoding.as_ref() {
                Ok(Encoding::Absolute(table)) => table.rows(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether no two of its rows are so far apart.
    pub(super) fn is_past_the_end(&self, offset: i64) -> bool {
        self.rows().is_some_and(|rows| offset.unsigned_abs() >= rows as u64)
    }

    /// The exact score at an offset, or the mean where it is no function of the offset alone.
    pub(super) fn at(&self, offset: i64, scene: &Scene) -> Option<f64> {
        match &self.source {
            Source::Profile(ranger) => Some(ranger.profile().at(offset as f64)),
            Source::Fading(fading, _) => Some(fading.at(offset as f64)),
            Source::Flat => (self.quantity != Quantity::Content).then_some(0.0),
            Source::Bias(logits) => Some(logits.at(self.head, offset)),
            Source::Table(_) if self.is_past_the_end(offset) => Some(f64::NAN),
            Source::Draws(rotary) => Some(self.mean_of_draws(rotary, scene, offset)),
            Source::Table(_) => self.mean_at(offset, scene).map(|mean| mean.value),
        }
    }
}

/// Which q and k.
pub(super) fn vectors(scene: &Scene) -> Vectors {
    Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap_or(Vectors::Ones)
}
