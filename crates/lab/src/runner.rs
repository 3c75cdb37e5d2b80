//! Does requests one after the other, in slices that are short enough for a cancel to get through.

use crate::{
    band,
    job::{Done, Given, Job},
    protocol::{Answer, Message, Request},
    table, time, weights,
};
use posenc::Repair;
use std::collections::VecDeque;

/// Milliseconds of one slice: after so much no further step is begun.
const SLICE: f64 = 7.0;
/// Milliseconds from one progress message to the next.
const BETWEEN: f64 = 50.0;
/// Requests that wait at the most.
const MOST: usize = 32;

/// Requests that wait, and the one that is being done.
#[derive(Debug, Default)]
pub struct Runner {
    waiting: VecDeque<Task>,
    told: f64,
}

#[derive(Debug)]
struct Task {
    id: u32,
    request: Request,
    notes: Vec<Repair>,
    given: Given,
    job: Option<Box<dyn Job>>,
}

impl Runner {
    /// Nothing to do.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is work.
    pub fn busy(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes a request. The message is that it failed at once, or that an earlier one of the same id was dropped for it.
    pub fn run(&mut self, id: u32, text: &str) -> Option<Message> {
        self.run_with(id, text, Given::default())
    }

    /// As [`run`](Self::run), with what the job works on.
    pub fn run_with(&mut self, id: u32, text: &str, given: Given) -> Option<Message> {
        let dropped = self.cancel(id);
        let failed = |message: String| Some(Message::Failed { id: Some(id), message });
        if self.waiting.len() >= MOST {
            return failed(format!("{MOST} requests are waiting already"));
        }
        match Request::parse(text) {
            Ok((request, notes)) => {
                self.waiting.push_back(Task { id, request, notes, given, job: None });
                dropped
            }
            Err(message) => failed(message),
        }
    }

    /// Drops a request. Nothing is said where it has ended already.
    pub fn cancel(&mut self, id: u32) -> Option<Message> {
        let place = self.waiting.iter().position(|task| task.id == id)?;
        self.waiting.remove(place);
        Some(Message::Cancelled { id })
    }

    /// Does one slice of the first request. `now` tells the time in milliseconds.
    pub fn step(&mut self, now: &dyn Fn() -> f64) -> Option<Message> {
        let begin = now();
        let task = self.waiting.front_mut()?;
        let id = task.id;
        let mut job = match task.job.take() {
            Some(job) => job,
            None => match start(&task.request, std::mem::take(&mut task.given)) {
                Ok(job) => job,
                Err(message) => {
                    self.waiting.pop_front();
                    return Some(Message::Failed { id: Some(id), message });
                }
            },
        };
        loop {
            if job.step() {
                let notes = std::mem::take(&mut task.notes);
                self.waiting.pop_front();
                let Done { arrays, text } = job.finish();
                return Some(Message::Answer(Answer { id, arrays, notes, text }));
            }
            // A clock that was set back ends the slice, too.
            let now = now();
            if !(begin..begin + SLICE).contains(&now) {
                let progress = Message::Progress { id, done: job.done(), total: job.total() };
                task.job = Some(job);
                if (self.told..self.told + BETWEEN).contains(&now) {
                    return None;
                }
                self.told = now;
                return Some(progress);
            }
        }
    }
}

fn start(request: &Request, given: Given) -> Result<Box<dyn Job>, String> {
    Ok(match request {
        Request::Band(band) => Box::new(band::Job::new(band)?),
        Request::Table { of, components } => Box::new(table::Job::new(of, *components, &given.values)?),
        Request::Time(scheme) => Box::new(time::Job::new(scheme, given.clock.ok_or("there is no clock")?)?),
        Request::Weights(tensor) => Box::new(weights::Job::new(*tensor, given.file.ok_or("no file was given")?)),
    })
}
