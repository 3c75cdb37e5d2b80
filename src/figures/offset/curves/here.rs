//! What stands at one offset, whatever else is in its column of pixels: what is read there is the same at every width.

use super::{Curve, Source, vectors};
use crate::figures::Scene;
use posenc::{
    Absolute, Encoding, Rotary,
    profile::Profile,
    vectors::{Vectors, products},
};
use std::cell::{Cell, OnceCell};

/// Numbers of a table that are multiplied for one offset, at the most: some milliseconds.
const MOST_NUMBERS: usize = 4_000_000;

/// A mean and the standard deviation around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::figures::offset) struct Mean {
    pub(in crate::figures::offset) value: f64,
    /// `None` where only the mean of a column is known.
    pub(in crate::figures::offset) spread: Option<f64>,
}

/// What was worked out last.
#[derive(Debug, Default)]
pub(super) struct Known {
    last: Cell<Option<(i64, Mean)>>,
    rows: OnceCell<Vec<f32>>,
    drawn: OnceCell<Drawn>,
}

/// Every draw is a sum of waves, and so are the mean of them all and what each has beside it.
#[derive(Debug)]
struct Drawn {
    mean: Profile,
    deviations: Vec<Profile>,
}

impl Curve {
    /// The mean at an offset, over draws or over positions, where the score is no function of the offset alone; that of
    /// the column where every one would take long.
    pub(in crate::figures::offset) fn mean_at(&self, offset: i64, scene: &Scene) -> Option<Mean> {
        if let Some((of, mean)) = self.known.last.get()
            && of == offset
        {
            return Some(mean);
        }
        let exact = match &self.source {
            Source::Draws(rotary) => Some(self.of_draws(rotary, vectors(scene), offset)),
            Source::Table(encoding) => match encoding.as_ref() {
                Ok(Encoding::Absolute(table)) => self.of_positions(table.as_ref(), offset),
                _ => None,
            },
            _ => return None,
        };
        if let Some(mean) = exact {
            self.known.last.set(Some((offset, mean)));
        }
        exact.or_else(|| {
            let value = *self.trace.mid.get(self.trace.column(offset as f64)?)?;
            Some(Mean { value: f64::from(value), spread: None })
        })
    }

    /// The mean of the draws alone, which costs as much as one draw.
    pub(super) fn mean_of_draws(&self, rotary: &Rotary, scene: &Scene, offset: i64) -> f64 {
        self.drawn(rotary, vectors(scene)).mean.at(offset as f64)
    }

    fn of_draws(&self, rotary: &Rotary, vectors: Vectors, offset: i64) -> Mean {
        let Drawn { mean, deviations } = self.drawn(rotary, vectors);
        let at = offset as f64;
        let squares = deviations.iter().map(|one| one.at(at).powi(2)).sum::<f64>();
        Mean { value: mean.at(at), spread: Some((squares / deviations.len().max(1) as f64).sqrt()) }
    }

    fn drawn(&self, rotary: &Rotary, vectors: Vectors) -> &Drawn {
        self.known.drawn.get_or_init(|| {
            let mut stream = vectors.stream();
            let one = |_| {
                let (q, k) = vectors.draw(&mut stream, rotary.head_dim());
                // The lengths fit: both are of `head_dim`.
                Some(rotary.profile(&q, &k).ok()?.aimed(self.aim as f64))
            };
            let profiles: Vec<Profile> = (0..self.draws).filter_map(one).collect();
            let mean = Profile::mean_of(&profiles);
            Drawn { deviations: profiles.iter().map(|profile| profile.less(&mean)).collect(), mean }
        })
    }

    /// Over all pairs of rows that are so far apart.
    fn of_positions(&self, table: &dyn Absolute, offset: i64) -> Option<Mean> {
        let width = table.width().max(1);
        let rows = table.rows()?.min(self.length as usize);
        if rows.saturating_mul(width) > MOST_NUMBERS {
            return None;
        }
        let cells = self.known.rows.get_or_init(|| {
            let mut cells = vec![0.0; rows * width];
            table.fill(0.0, 1.0, &mut cells);
            cells
        });
        products(cells, width, offset).map(|(value, spread)| Mean { value, spread: Some(spread) })
    }
}
