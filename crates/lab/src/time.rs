//! The job `time`: how long `posenc` takes to apply a scheme to the last token of a sequence, where the module runs.
//!
//! What is timed, everything computed anew each time and in one thread:
//!
//! | the scheme | for one token |
//! | --- | --- |
//! | adds to the embedding | its row is computed and added to a vector of that width |
//! | changes query and key | one query and one key of one head are changed |
//! | adds to the logits, or reads content | one head's row of so many numbers as there are tokens is computed |
//!
//! A browser's clock is coarse, by up to a millisecond: the work is repeated until a sample takes [`LONG_ENOUGH`], and the
//! median of [`SAMPLES`] is taken.

use crate::job::{self, Clock, Done};
use posenc::{
    Config, Encoding, Error, attention,
    bias::Row,
    content::Tokens,
    grid::Grid,
    plain::{self, YOURS},
    vectors::Vectors,
};
use std::hint::black_box;

/// Tokens in the sequence. All are squares, so that an image has as many patches.
pub const LENGTHS: [u32; 6] = [16, 64, 256, 1024, 4096, 16_384];
/// Samples of which the median is taken.
pub const SAMPLES: usize = 5;
/// Milliseconds that a sample takes at the least.
pub const LONG_ENOUGH: f64 = 20.0;
/// Repetitions in a sample at the most, should the clock stand still.
const MOST: u32 = 1 << 20;

/// The vectors that are changed: any will do.
const VECTORS: Vectors = Vectors::Independent { seed: 1 };

/// A measurement in the making.
pub struct Job {
    encoding: Encoding,
    clock: Clock,
    /// What the length of the moment works on.
    work: Work,
    repeats: u32,
    samples: Vec<f64>,
    /// Milliseconds for one token, by the lengths so far; NaN where the scheme has no number for them.
    times: Vec<f64>,
}

/// Buffers for one length.
struct Work {
    /// The last token's place, and so many tokens before and with it.
    length: usize,
    /// Queries and keys, or the vectors that are added to.
    q: Vec<f64>,
    k: Vec<f64>,
    out: Vec<f64>,
}

impl Work {
    fn new(encoding: &Encoding, length: u32) -> Self {
        let length = length as usize;
        let width = encoding.width().unwrap_or(1);
        let (tokens, cells) = match encoding {
            Encoding::Content(_) => (length, length),
            Encoding::Bias(_) => (1, length),
            _ => (1, width),
        };
        let (q, k) = VECTORS.pair(width);
        let of = |vector: &[f64]| vector.iter().copied().cycle().take(tokens * width).collect();
        Self { length, q: of(&q), k: of(&k), out: vec![0.0; cells] }
    }

    /// Applies the scheme to the last token.
    fn apply(&mut self, encoding: &Encoding) -> Result<(), Error> {
        let Self { length, q, k, out } = self;
        let (last, at) = (*length - 1, *length as f64 - 1.0);
        match encoding {
            Encoding::None => {}
            Encoding::Absolute(_) => attention::embed(encoding, last as i64, None, q.len(), q)?,
            Encoding::Grid(table) => {
                let side = (*length).isqrt();
                table.write_patch(Grid { height: side, width: side }, side - 1, side - 1, out)?;
                q.iter_mut().zip(&*out).for_each(|(cell, place)| *cell += place);
            }
            Encoding::Rotary(rotary) => {
                rotary.rotate(q, at, out)?;
                black_box(&mut *out);
                rotary.rotate(k, at, out)?;
            }
            Encoding::QueryKey(both) => {
                both.query(q, at, out)?;
                black_box(&mut *out);
                both.key(k, at, out)?;
            }
            Encoding::Axial(axial) => {
                let at = vec![at; axial.axes().len()];
                axial.rotate(q, &at, out)?;
                black_box(&mut *out);
                axial.rotate(k, &at, out)?;
            }
            Encoding::Bias(bias) => bias.write_row(Row::new(0, last as i64), 0, out)?,
            Encoding::Content(content) => {
                let tokens = Tokens::new(content.head_dim(), q, k)?;
                content.write_row(&tokens, last, true, out)?;
            }
            // Whatever else there may be one day is not measured before somebody says how.
            _ => return Err(Error::Data("nobody has said what of it is to be timed")),
        }
        black_box(out);
        black_box(q);
        Ok(())
    }
}

/// What the scheme computes; where its table is of weights, one of the same size, whose numbers do not matter for time.
fn built(scheme: &Config) -> Result<Encoding, Error> {
    match scheme.build() {
        Err(Error::NeedsData(asset)) if asset.rows > 0 => {
            let mut made_up = scheme.clone();
            let _ = made_up.settings.set("table", YOURS);
            let Err(Error::NeedsData(own)) = made_up.build() else { return Err(Error::NeedsData(asset)) };
            (own.decode)(&plain::encode(asset.columns, &vec![0.0; asset.rows * asset.columns])?)
        }
        built => built,
    }
}

impl Job {
    /// Prepares it.
    ///
    /// # Errors
    /// A sentence, where the scheme is not defined for its parameters, or its table is not here.
    pub fn new(scheme: &Config, clock: Clock) -> Result<Self, String> {
        let encoding = built(scheme).map_err(|error| error.to_string())?;
        let work = Work::new(&encoding, LENGTHS[0]);
        Ok(Self { encoding, clock, work, repeats: 1, samples: Vec::new(), times: Vec::new() })
    }

    /// The next length. True when there is none.
    fn next(&mut self, time: f64) -> bool {
        self.times.push(time);
        self.samples.clear();
        self.repeats = 1;
        let Some(length) = LENGTHS.get(self.times.len()) else { return true };
        self.work = Work::new(&self.encoding, *length);
        false
    }
}

impl job::Job for Job {
    /// One sample, or an attempt that was too short for one.
    fn step(&mut self) -> bool {
        let begin = (self.clock)();
        for _ in 0..self.repeats {
            // A table that has ended has no later row either.
            if self.work.apply(&self.encoding).is_err() {
                return self.next(f64::NAN);
            }
        }
        let taken = (self.clock)() - begin;
        if taken < LONG_ENOUGH && self.repeats < MOST {
            // Not too far at once: what was short may have been so by chance.
            let wanted = (1.2 * LONG_ENOUGH / taken.max(LONG_ENOUGH / 10.0)).clamp(2.0, 10.0);
            self.repeats = ((f64::from(self.repeats) * wanted) as u32).min(MOST);
            return false;
        }
        self.samples.push(taken / f64::from(self.repeats));
        if self.samples.len() < SAMPLES {
            return false;
        }
        self.samples.sort_by(f64::total_cmp);
        let median = self.samples[SAMPLES / 2];
        self.next(median)
    }

    fn done(&self) -> f64 {
        (self.times.len() * SAMPLES + self.samples.len()) as f64
    }

    fn total(&self) -> f64 {
        (LENGTHS.len() * SAMPLES) as f64
    }

    fn finish(self: Box<Self>) -> Done {
        let seconds = self.times.iter().map(|time| (time / 1000.0) as f32).collect();
        Done::new([("lengths", LENGTHS.map(|length| length as f32).to_vec()), ("seconds", seconds)])
    }
}
