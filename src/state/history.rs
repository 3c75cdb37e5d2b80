//! Undo and redo over the state. One gesture is one step.

use super::{Edit, State};
use posenc::Repair;

/// Changes with the same number belong to one gesture: a drag, a run of arrow keys, typing in one field.
pub type Gesture = u64;

/// What can happen to the app.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A change; with a gesture, it joins the step of the change before if that had the same one.
    Edit(Edit, Option<Gesture>),
    /// A link was opened in this page; what was wrong with it is shown.
    Opened(Box<State>, Vec<Repair>),
    /// One step back.
    Undo,
    /// One step forward again.
    Redo,
    /// The notices were read.
    Dismiss,
}

/// The state with its past and future.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct App {
    /// What is shown.
    pub state: State,
    /// Values that were not taken as given, to be shown until dismissed.
    pub notices: Vec<Repair>,
    past: Vec<State>,
    future: Vec<State>,
    gesture: Option<Gesture>,
}

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

impl App {
    /// The app as a link opens it.
    pub fn new(state: State, notices: Vec<Repair>) -> Self {
        Self { state, notices, ..Self::default() }
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step to redo.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// The app after an action; `None` where nothing changes.
    pub fn apply(&self, action: Action) -> Option<Self> {
        let mut next = self.clone();
        match action {
            Action::Edit(edit, gesture) => {
                let repair = next.state.edit(edit);
                next.notices.extend(repair);
                if next.state == self.state {
                    return (next.notices != self.notices).then_some(next);
                }
                if gesture.is_none() || gesture != self.gesture {
                    next.past.push(self.state.clone());
                    if next.past.len() > MOST_STEPS {
                        next.past.remove(0);
                    }
                }
                next.gesture = gesture;
                next.future.clear();
            }
            Action::Opened(state, notices) => {
                if *state == self.state {
                    if notices.is_empty() {
                        return None;
                    }
                    next.notices = notices;
                    return Some(next);
                }
                next.past.push(self.state.clone());
                next.future.clear();
                next.gesture = None;
                next.state = *state;
                next.notices = notices;
            }
            Action::Undo => {
                let state = next.past.pop()?;
                next.future.push(std::mem::replace(&mut next.state, state));
                next.gesture = None;
            }
            Action::Redo => {
                let state = next.future.pop()?;
                next.past.push(std::mem::replace(&mut next.state, state));
                next.gesture = None;
            }
            Action::Dismiss => {
                if next.notices.is_empty() {
                    return None;
                }
                next.notices.clear();
            }
        }
        Some(next)
    }
}
