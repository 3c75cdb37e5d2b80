//! Who wants to know of a change, outside Yew.

use crate::few::Few;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};

type All = RefCell<Few<u64, Rc<dyn Fn()>>>;

/// A list of callbacks.
#[derive(Default)]
pub struct Listeners {
    all: Rc<All>,
    next: Cell<u64>,
}

/// Ends when it is dropped.
pub struct Subscription(Weak<All>, u64);

impl Listeners {
    /// Calls `changed` at every [`tell`](Self::tell) until the subscription is dropped.
    #[must_use]
    pub fn subscribe(&self, changed: impl Fn() + 'static) -> Subscription {
        let id = self.next.get();
        self.next.set(id + 1);
        self.all.borrow_mut().insert(id, Rc::new(changed));
        Subscription(Rc::downgrade(&self.all), id)
    }

    /// Whether nobody listens.
    pub fn is_empty(&self) -> bool {
        self.all.borrow().is_empty()
    }

    /// Calls everybody; who is called may subscribe and unsubscribe.
    pub fn tell(&self) {
        let all: Vec<Rc<dyn Fn()>> = self.all.borrow().iter().map(|(_, changed)| changed.clone()).collect();
        for changed in all {
            changed();
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(all) = self.0.upgrade() {
            let gone = all.borrow_mut().remove(&self.1);
            // What it holds may hold subscriptions: it goes after the borrow.
            drop(gone);
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners").field("count", &self.all.borrow().len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Subscription").field(&self.1).finish()
    }
}
