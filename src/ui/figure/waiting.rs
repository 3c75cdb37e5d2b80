//! Something that will be done when nothing has changed for some time. To put it off is to move a number: a timer for
//! each change would cost more than the change.

use super::stage::Stage;
use crate::ui::{frame, rested::clock};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What waits, and what keeps the page pending until then.
#[derive(Default)]
pub(super) struct Waiting {
    /// When it is to be done, on the clock of the page.
    due: Cell<f64>,
    timer: RefCell<Option<Timeout>>,
    guard: RefCell<Option<frame::Guard>>,
}

impl Waiting {
    /// It is no longer to be done.
    pub(super) fn cancel(&self) {
        drop((self.timer.take(), self.guard.take()));
    }
}

/// Does something so many milliseconds from now, in place of what waited there; a guard keeps the page pending until
/// then where it is `pending`.
pub(super) fn later(stage: &Rc<Stage>, of: fn(&Stage) -> &Waiting, after: u32, pending: bool, act: fn(&Rc<Stage>)) {
    let waiting = of(stage);
    waiting.due.set(clock() + f64::from(after));
    if waiting.guard.borrow().is_some() != pending {
        drop(waiting.guard.replace(pending.then(frame::busy)));
    }
    if waiting.timer.borrow().is_none() {
        arm(stage, of, after, act);
    }
}

fn arm(stage: &Rc<Stage>, of: fn(&Stage) -> &Waiting, after: u32, act: fn(&Rc<Stage>)) {
    let weak = Rc::downgrade(stage);
    let timer = Timeout::new(after, move || {
        let Some(stage) = weak.upgrade() else { return };
        let waiting = of(&stage);
        // The timer must not be dropped from inside itself before it has run.
        let timer = waiting.timer.take();
        let left = waiting.due.get() - clock();
        if left > 1.0 {
            arm(&stage, of, left.ceil() as u32, act);
        } else {
            let guard = waiting.guard.take();
            act(&stage);
            drop(guard);
        }
        drop(timer);
    });
    drop(of(stage).timer.replace(Some(timer)));
}
