//! The job `table`: what a table of position vectors has learned.

use crate::job::{self, Done};
use crate::protocol::Rows;
use posenc::analysis::{Analysis, Found, NEIGHBOURS, most_rows};
use posenc::{Config, Encoding};

/// A table that is being looked at.
#[derive(Debug)]
pub struct Job {
    analysis: Analysis,
}

impl Job {
    /// Of rows that are given, or a scheme's.
    ///
    /// # Errors
    /// A sentence, where there is no row.
    pub fn new(of: &Rows, components: usize, given: &[f32]) -> Result<Self, String> {
        let made;
        let (columns, rows) = match of {
            Rows::Given { columns } => (*columns, given),
            Rows::Scheme { scheme, count } => {
                made = rows(scheme, *count)?;
                (made.0, made.1.as_slice())
            }
        };
        if columns == 0 || rows.len() < columns {
            return Err("no rows were given".to_owned());
        }
        Ok(Self { analysis: Analysis::new(columns, rows, components) })
    }
}

/// The columns and the first rows of a scheme, no more than are looked at.
fn rows(scheme: &Config, count: usize) -> Result<(usize, Vec<f32>), String> {
    let built = scheme.build().map_err(|error| error.to_string())?;
    let Encoding::Absolute(table) = built else { return Err(format!("{scheme} adds no vector to the embedding")) };
    let columns = table.width();
    let mut rows = vec![0.0; columns * count.min(most_rows(columns))];
    table.fill(0.0, 1.0, &mut rows);
    Ok((columns, rows))
}

impl job::Job for Job {
    fn step(&mut self) -> bool {
        self.analysis.step()
    }

    fn done(&self) -> f64 {
        self.analysis.done()
    }

    fn total(&self) -> f64 {
        1.0
    }

    fn finish(self: Box<Self>) -> Done {
        let found = self.analysis.finish();
        let numbers = [found.toeplitz, found.rank, found.next_to_it(), found.left_out as f64];
        let Found { mean, spread, nearest, components, shares, .. } = found;
        let floats = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect::<Vec<f32>>();
        // Rows are fewer than 2^24: their numbers are exact.
        let place = |near: Option<&usize>| near.map_or(-1.0, |near| *near as f32);
        let nearest = nearest.iter().flat_map(|near| (0..NEIGHBOURS).map(|i| place(near.get(i)))).collect();
        let periods = components.iter().flat_map(|one| [one.period as f32, one.purity as f32]).collect();
        let along = components.into_iter().flat_map(|one| floats(one.along)).collect();
        Done::new([
            ("numbers", floats(numbers.into())),
            ("mean", floats(mean)),
            ("spread", floats(spread)),
            ("nearest", nearest),
            ("shares", floats(shares)),
            ("periods", periods),
            ("along", along),
        ])
    }
}
