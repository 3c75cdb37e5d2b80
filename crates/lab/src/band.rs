//! The job `band`: scores over many draws of q and k.

use crate::{job, protocol::Band};
use posenc::{Encoding, vectors::Bands};

/// A band in the making.
#[derive(Debug)]
pub struct Job {
    edges: Vec<i64>,
    bands: Bands,
}

impl Job {
    /// Prepares it.
    ///
    /// # Errors
    /// A sentence, where the scheme does not rotate or is not defined for its parameters.
    pub fn new(request: &Band) -> Result<Self, String> {
        let Encoding::Rotary(rotary) = request.scheme.build().map_err(|error| error.to_string())? else {
            return Err(format!("{} does not rotate query and key: there is nothing to draw", request.scheme.spec.id));
        };
        let edges = request.edges();
        let draws = request.settings.integer("draws") as u32;
        let samples = request.settings.integer("samples") as u64;
        let aim = request.settings.integer("aim") as f64;
        let bands = Bands::new(&rotary, request.vectors(), draws, &edges, samples, aim);
        Ok(Self { edges, bands })
    }
}

impl job::Job for Job {
    fn step(&mut self) -> bool {
        self.bands.step()
    }

    fn done(&self) -> f64 {
        self.bands.done() * self.total()
    }

    /// Columns.
    fn total(&self) -> f64 {
        self.bands.columns() as f64
    }

    fn finish(self: Box<Self>) -> job::Done {
        let band = self.bands.finish();
        let exact = vec![if band.exact { 1.0 } else { 0.0 }];
        // Offsets up to 2^24 are exact in f32; the longest length is below.
        let edges = self.edges.iter().map(|edge| *edge as f32).collect();
        job::Done::new([
            ("edges", edges),
            ("mean", band.mean),
            ("spread", band.spread),
            ("min", band.min),
            ("max", band.max),
            ("exact", exact),
        ])
    }
}
