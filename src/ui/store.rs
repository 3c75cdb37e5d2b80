//! The model as Yew reduces it.

use crate::state::{Action, App};
use std::rc::Rc;
use yew::prelude::Reducible;

/// The model.
#[derive(Debug, PartialEq)]
pub struct Store(pub App);

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        match self.0.apply(action) {
            Some(next) => Rc::new(Self(next)),
            None => self,
        }
    }
}
