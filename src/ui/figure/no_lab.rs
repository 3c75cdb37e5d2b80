//! The first module has no lab: what a figure asks of it, the whole app asks.

use super::stage::Stage;
use crate::figures::Figure;
use crate::state::{Action, Wanted};
use std::rc::Rc;
use yew::prelude::*;

/// Nothing is known of requests here.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Lab;

impl Stage {
    /// Has the whole app fetched, if the figure needs the lab.
    pub(super) fn ask_lab(self: &Rc<Self>, figure: &Rc<dyn Figure>) {
        if figure.lab_request().is_some() && self.asked.replace(Some(String::new())).is_none() {
            self.dispatch.borrow().emit(Action::Later(Wanted::Controls));
        }
    }

    /// Another scene stands there.
    pub(super) fn forget_lab(&self) {
        self.asked.take();
    }

    /// The figure is gone.
    pub(super) fn leave_lab(&self) {
        self.forget_lab();
    }
}

/// What the lab does for the figure: nothing.
pub(super) fn panel(_: &Rc<Stage>, _: &Lab) -> Html {
    Html::default()
}
