//! Something that will be done when nothing has changed for some time. To put it off is to move a number: a timer for
//! each change would cost more than the change.

use super::frame;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Milliseconds since the page was opened.
pub fn clock() -> f64 {
    thread_local! {
        static CLOCK: Option<web_sys::Performance> = web_sys::window().and_then(|window| window.performance());
    }
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, web_sys::Performance::now))
}

/// What waits to be done once; nothing at first. It is not done after the last clone is dropped.
#[derive(Clone, Default)]
pub struct Delay(Rc<Waiting>);

#[derive(Default)]
struct Waiting {
    /// When it is to be done, on the clock of the page.
    due: Cell<f64>,
    timer: RefCell<Option<Timeout>>,
    act: RefCell<Option<Box<dyn FnOnce()>>>,
    guard: RefCell<Option<frame::Guard>>,
}

impl Delay {
    /// Does something so many milliseconds from now, in place of what waited; the page is pending until then where it
    /// is `pending`.
    pub fn put_off(&self, after: u32, pending: bool, act: impl FnOnce() + 'static) {
        self.0.due.set(clock() + f64::from(after));
        drop(self.0.act.replace(Some(Box::new(act))));
        if self.0.guard.borrow().is_some() != pending {
            drop(self.0.guard.replace(pending.then(frame::busy)));
        }
        if self.0.timer.borrow().is_none() {
            arm(&self.0, after);
        }
    }

    /// Nothing is to be done any more.
    pub fn cancel(&self) {
        drop((self.0.timer.take(), self.0.act.take(), self.0.guard.take()));
    }
}

fn arm(waiting: &Rc<Waiting>, after: u32) {
    let weak = Rc::downgrade(waiting);
    let timer = Timeout::new(after, move || {
        let Some(waiting) = weak.upgrade() else { return };
        // The timer must not be dropped from inside itself before it has run.
        let timer = waiting.timer.take();
        let left = waiting.due.get() - clock();
        if left > 1.0 {
            arm(&waiting, left.ceil() as u32);
        } else {
            let (act, guard) = (waiting.act.take(), waiting.guard.take());
            if let Some(act) = act {
                act();
            }
            drop(guard);
        }
        drop(timer);
    });
    drop(waiting.timer.replace(Some(timer)));
}
