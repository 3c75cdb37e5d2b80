//! The app's end of the `lab` module: a worker that starts when it is first asked, and answers requests in their text form.
//!
//! Whoever asks again drops what it asked before. A worker that cannot start, dies or says nothing is told in words;
//! the next request then tries a new one, a few times.

use crate::assets;
use crate::few::Few;
use crate::ui::frame;
use crate::words;
use gloo_timers::callback::Timeout;
use lab::codec;
use lab::protocol::{Answer, Message};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// The share that is done, 0 to 1.
    Progress(f64),
    /// The end: its arrays.
    Done(Answer),
    /// The end: what went wrong, in words.
    Failed(String),
}

/// A worker that has not said a word after this long will not, in milliseconds: the module is small.
const LONGEST_START: u32 = 30_000;
/// Workers that are tried.
const MOST_STARTS: u32 = 3;

type Tell = Rc<dyn Fn(Report)>;

struct Job {
    owner: frame::Key,
    tell: Tell,
    /// The page is pending until the answer is drawn.
    guard: frame::Guard,
}

#[derive(Default)]
struct Client {
    running: Option<Running>,
    jobs: Few<u32, Job>,
    last: u32,
    starts: u32,
}

struct Running {
    worker: Worker,
    /// Fires where the worker stays silent.
    starting: Option<Timeout>,
    _listeners: [Closure<dyn FnMut(Event)>; 3],
}

impl Drop for Running {
    fn drop(&mut self) {
        for name in ["onmessage", "onerror", "onmessageerror"] {
            let _ = js_sys::Reflect::set(&self.worker, &name.into(), &JsValue::NULL);
        }
        self.worker.terminate();
    }
}

thread_local! {
    static CLIENT: RefCell<Client> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Client) -> T) -> T {
    CLIENT.with_borrow_mut(work)
}

/// Asks the lab. `tell` is called with progress and, once, with the end; never where the request is dropped before.
pub fn ask(owner: frame::Key, text: &str, tell: impl Fn(Report) + 'static) {
    ask_as(owner, |id| codec::run(id, text), tell);
}

/// As [`ask`], with a file (`file`) or numbers (`values`) that the job works on.
#[cfg(feature = "full")]
pub fn ask_with(owner: frame::Key, text: &str, key: &str, given: &JsValue, tell: impl Fn(Report) + 'static) {
    ask_as(owner, |id| codec::run_with(id, text, key, given), tell);
}

fn ask_as(owner: frame::Key, message: impl FnOnce(u32) -> JsValue, tell: impl Fn(Report) + 'static) {
    cancel(owner);
    let tell: Tell = Rc::new(tell);
    if let Err(message) = start() {
        // As late as any other answer: the caller is not called from inside its own call.
        let guard = frame::busy();
        Timeout::new(0, move || {
            tell(Report::Failed(message));
            drop(guard);
        })
        .forget();
        return;
    }
    with(|client| {
        client.last = client.last.wrapping_add(1);
        client.jobs.insert(client.last, Job { owner, tell, guard: frame::busy() });
        client.post(&message(client.last));
    });
}

/// Drops what an owner asked.
pub fn cancel(owner: frame::Key) {
    let dropped: Vec<Job> = with(|client| {
        let ids: Vec<u32> = client.jobs.iter().filter(|(_, job)| job.owner == owner).map(|(id, _)| *id).collect();
        ids.iter()
            .filter_map(|id| {
                client.post(&codec::cancel(*id));
                client.jobs.remove(id)
            })
            .collect()
    });
    // Outside the borrow: what a job holds may ask again when it goes.
    drop(dropped);
}

/// Ends the worker: another module takes over.
pub fn close() {
    let closed = with(|client| (client.running.take(), std::mem::take(&mut client.jobs)));
    drop(closed);
}

impl Client {
    fn post(&self, message: &JsValue) {
        if let Some(running) = &self.running {
            // Messages of this protocol can always be copied.
            let _ = running.worker.post_message(message);
        }
    }
}

/// Starts the worker, if none is there.
fn start() -> Result<(), String> {
    if with(|client| client.running.is_some()) {
        return Ok(());
    }
    let starts = with(|client| {
        client.starts += 1;
        client.starts
    });
    if starts > MOST_STARTS {
        return Err(words::lab_gave_up().to_owned());
    }
    let url = |name: &str| assets::url(name).map_err(words::lab_not_started);
    let (worker, script, module) = (url("lab-worker.js")?, url("lab.js")?, url("lab.wasm")?);
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&worker, &options).map_err(|error| words::lab_not_started(said(&error)))?;
    let listeners = [
        Closure::<dyn FnMut(Event)>::new(|event: Event| {
            if let Ok(event) = event.dyn_into::<MessageEvent>() {
                heard(&event.data());
            }
        }),
        // A script that cannot be loaded says nothing more than that it failed.
        Closure::new(|event: Event| {
            let message = event.dyn_into::<ErrorEvent>().map(|event| event.message()).unwrap_or_default();
            dead(&words::lab_not_started(message));
        }),
        Closure::new(|_: Event| dead(&words::lab_failed(words::lab_unreadable()))),
    ];
    worker.set_onmessage(Some(listeners[0].as_ref().unchecked_ref()));
    worker.set_onerror(Some(listeners[1].as_ref().unchecked_ref()));
    worker.set_onmessageerror(Some(listeners[2].as_ref().unchecked_ref()));
    worker.post_message(&codec::init(&script, &module)).map_err(|error| words::lab_not_started(said(&error)))?;
    let starting = Timeout::new(LONGEST_START, || dead(words::lab_silent()));
    with(|client| client.running = Some(Running { worker, starting: Some(starting), _listeners: listeners }));
    Ok(())
}

/// What a thrown value says.
fn said(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message())).unwrap_or_default()
}

fn heard(data: &JsValue) {
    let Some(message) = Message::from_js(data) else {
        dead(&words::lab_failed(words::lab_unreadable()));
        return;
    };
    match message {
        Message::Ready => with(|client| {
            client.starts = 0;
            if let Some(running) = &mut client.running {
                running.starting = None;
            }
        }),
        Message::Progress { id, done, total } => {
            if let Some(tell) = with(|client| client.jobs.get(&id).map(|job| job.tell.clone())) {
                tell(Report::Progress(if total > 0.0 { (done / total).clamp(0.0, 1.0) } else { 0.0 }));
            }
        }
        Message::Answer(answer) => end(answer.id, Report::Done(answer)),
        Message::Failed { id: Some(id), message } => end(id, Report::Failed(words::lab_failed(message))),
        Message::Failed { id: None, message } => dead(&words::lab_failed(message)),
        // Its job is gone already: that is why it was cancelled.
        Message::Cancelled { .. } => {}
    }
}

fn end(id: u32, report: Report) {
    if let Some(Job { tell, guard, .. }) = with(|client| client.jobs.remove(&id)) {
        tell(report);
        drop(guard);
    }
}

/// The worker answers no more: everybody is told, and the next request starts another.
fn dead(message: &str) {
    let (running, jobs) = with(|client| (client.running.take(), std::mem::take(&mut client.jobs)));
    for (_, Job { tell, guard, .. }) in jobs {
        tell(Report::Failed(message.to_owned()));
        drop(guard);
    }
    // This may be a callback of its own: closures must not be freed while they run.
    Timeout::new(0, move || drop(running)).forget();
}
