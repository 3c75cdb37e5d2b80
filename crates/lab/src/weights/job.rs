//! The job `weights`.

use super::{Found, Matrix, Refused, Source, open, read};
use crate::job::{self, Done};

/// A file that is about to be read: in one step, for the most that is read takes a fraction of a second.
pub struct Job {
    file: Box<dyn Source>,
    tensor: Option<usize>,
    read: Option<Result<Outcome, Refused>>,
}

enum Outcome {
    Found(Found),
    Matrix(Matrix),
}

impl Job {
    /// To say what a file has, or to read the tensor at this place in that list.
    pub fn new(tensor: Option<usize>, file: Box<dyn Source>) -> Self {
        Self { file, tensor, read: None }
    }

    fn outcome(&self) -> Result<Outcome, Refused> {
        let found = open(&*self.file)?;
        Ok(match self.tensor {
            None => Outcome::Found(found),
            Some(place) => Outcome::Matrix(read(&*self.file, found.tensors.get(place).ok_or(Refused::NoSuch)?)?),
        })
    }
}

impl job::Job for Job {
    fn step(&mut self) -> bool {
        self.read = Some(self.outcome());
        true
    }

    fn done(&self) -> f64 {
        if self.read.is_some() { 1.0 } else { 0.0 }
    }

    fn total(&self) -> f64 {
        1.0
    }

    fn finish(self: Box<Self>) -> Done {
        let read = self.read.unwrap_or(Err(Refused::Unreadable));
        // Plain data always has a JSON form.
        let text = match &read {
            Ok(Outcome::Found(found)) => serde_json::to_string(&Ok::<_, Refused>(found)),
            Ok(Outcome::Matrix(matrix)) => serde_json::to_string(&Ok::<_, Refused>(matrix)),
            Err(refused) => serde_json::to_string(&Err::<(), _>(refused)),
        };
        let arrays = match read {
            Ok(Outcome::Matrix(matrix)) => vec![("values".to_owned(), matrix.values)],
            _ => Vec::new(),
        };
        Done { arrays, text: text.unwrap_or_default() }
    }
}
