//! One scheduler for everything that is drawn: at most once a frame, however often it is asked for.
//!
//! `document.documentElement.dataset.ready` is absent while anything is pending (a drawing, a slice of work, a request
//! to the lab) and a rising number once all is drawn: what waits for the page, a test or a host, waits for that.

use super::delay::{Delay, clock};
use crate::few::Few;
use crate::schemes::WHOLE;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::HtmlElement;

/// Who asks; see [`new_key`].
pub type Key = u64;

type Once = Box<dyn FnOnce(f64)>;
type Each = Box<dyn FnMut(f64) -> bool>;

/// A hidden tab gets no frames; what was asked for is then done after this long, in milliseconds.
const LONGEST_WAIT: u32 = 300;

#[derive(Default)]
struct Scheduler {
    keys: Key,
    waiting: Few<Key, Once>,
    animations: Few<Key, Each>,
    guards: usize,
    /// Nothing moves: nobody can see it.
    #[cfg(feature = "full")]
    held: bool,
    drawn: u64,
    shown_ready: bool,
    /// Of the frame that was asked for.
    handle: Option<i32>,
    hidden: Delay,
    frame: Option<Closure<dyn FnMut(f64)>>,
}

thread_local! {
    static SCHEDULER: RefCell<Scheduler> = RefCell::default();
}

/// A key that nobody else has.
pub fn new_key() -> Key {
    with(|scheduler| {
        scheduler.keys += 1;
        scheduler.keys
    })
}

/// Calls `draw` at the next frame, with the time in milliseconds. A second request of the same key replaces the first.
pub fn request(key: Key, draw: impl FnOnce(f64) + 'static) {
    let replaced = with(|scheduler| scheduler.waiting.insert(key, Box::new(draw)));
    // What a closure holds may call back when it is dropped: never inside the borrow.
    drop(replaced);
    with(Scheduler::pending);
}

/// Takes a request back.
pub fn cancel(key: Key) {
    let taken = with(|scheduler| scheduler.waiting.remove(&key));
    drop(taken);
}

/// Marks the page as pending until the next frame is drawn: for a change that will be drawn soon.
pub fn touch() {
    with(Scheduler::pending);
}

/// Calls `step` before the drawings of every frame until it returns false. It does not count as pending: the page is
/// ready between two frames of it.
pub fn animate(key: Key, step: impl FnMut(f64) -> bool + 'static) {
    let replaced = with(|scheduler| scheduler.animations.insert(key, Box::new(step)));
    drop(replaced);
    with(Scheduler::schedule);
}

/// Whether animations rest: none is ended, and all go on afterwards.
#[cfg(feature = "full")]
pub fn hold(held: bool) {
    with(|scheduler| {
        scheduler.held = held;
        if !held && !scheduler.animations.is_empty() {
            scheduler.schedule();
        }
    });
}

/// Ends an animation.
pub fn stop(key: Key) {
    let taken = with(|scheduler| scheduler.animations.remove(&key));
    drop(taken);
}

/// While it lives, the page is pending.
#[derive(Debug)]
pub struct Guard(());

/// Work elsewhere that will be drawn when it is done.
pub fn busy() -> Guard {
    with(|scheduler| {
        scheduler.guards += 1;
        scheduler.pending();
    });
    Guard(())
}

impl Drop for Guard {
    fn drop(&mut self) {
        with(|scheduler| {
            scheduler.guards = scheduler.guards.saturating_sub(1);
            scheduler.pending();
        });
    }
}

fn with<T>(work: impl FnOnce(&mut Scheduler) -> T) -> T {
    SCHEDULER.with_borrow_mut(work)
}

impl Scheduler {
    fn pending(&mut self) {
        if self.shown_ready {
            self.shown_ready = false;
            if let Some(root) = root() {
                root.dataset().delete("ready");
            }
        }
        self.schedule();
    }

    /// Whether something moves, and somebody can see it.
    fn moves(&self) -> bool {
        #[cfg(feature = "full")]
        if self.held {
            return false;
        }
        !self.animations.is_empty()
    }

    fn schedule(&mut self) {
        if self.handle.is_some() {
            return;
        }
        let Some(window) = web_sys::window() else { return };
        let frame = self.frame.get_or_insert_with(|| Closure::new(run));
        self.handle = window.request_animation_frame(frame.as_ref().unchecked_ref()).ok();
        self.hidden.put_off(LONGEST_WAIT, false, || {
            if let (Some(window), Some(frame)) = (web_sys::window(), with(|scheduler| scheduler.handle)) {
                let _ = window.cancel_animation_frame(frame);
                run(0.0);
            }
        });
    }
}

fn root() -> Option<HtmlElement> {
    web_sys::window()?.document()?.document_element()?.dyn_into().ok()
}

fn animate_all(now: f64) {
    let animations = with(|scheduler| std::mem::take(&mut scheduler.animations));
    for (key, mut step) in animations {
        if step(now) {
            // One that was begun anew meanwhile has its place.
            with(|scheduler| {
                if scheduler.animations.get(&key).is_none() {
                    scheduler.animations.insert(key, step);
                }
            });
        }
    }
}

/// One frame, whatever brought it: the clock is asked.
fn run(_: f64) {
    let now = clock();
    with(|scheduler| scheduler.handle = None);
    // Nothing in the module of the first screens moves by itself.
    if WHOLE.is_some() && with(|scheduler| scheduler.moves()) {
        animate_all(now);
    }
    let waiting = with(|scheduler| std::mem::take(&mut scheduler.waiting));
    for (_, draw) in waiting {
        draw(now);
    }
    with(|scheduler| {
        if scheduler.moves() || !scheduler.waiting.is_empty() {
            scheduler.schedule();
        }
        if scheduler.waiting.is_empty() && scheduler.guards == 0 && !scheduler.shown_ready {
            scheduler.drawn += 1;
            scheduler.shown_ready = true;
            if let Some(root) = root() {
                let _ = root.dataset().set("ready", &scheduler.drawn.to_string());
            }
        }
    });
}
