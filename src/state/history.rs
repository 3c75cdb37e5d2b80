//! Undo and redo over the state. One gesture is one step.
//!
//! The page is not part of a step: the browser's own Back is for pages, undo is for what was set.

use super::{Edit, State, Target, link, link::MOST_REPAIRS};
use crate::figures::FigureSpec;
use posenc::Repair;
use std::cell::Cell;
use std::rc::Rc;

/// Changes with the same number belong to one gesture: a drag, a run of arrow keys, typing in one field.
pub type Gesture = u64;

thread_local! {
    static LAST_GESTURE: Cell<Gesture> = const { Cell::new(0) };
}

/// A number that no gesture had before.
pub fn new_gesture() -> Gesture {
    LAST_GESTURE.with(|last| {
        last.set(last.get() + 1);
        last.get()
    })
}

/// What only the whole app has, by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A scheme, in a slot or beside those that are there.
    Scheme(Option<usize>, &'static str),
    /// A figure on the board.
    Figure(&'static str),
    /// A figure in exchange with the one at this place of the board, or at its own: the app that can move it.
    Place(&'static str, usize),
    /// What its controls offer more: the state stays.
    Controls,
    /// What this link says, instead of the state of the moment.
    Link(String),
}

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
    /// The reader of a lesson comes to the block `at`, counted from 1, whose figure, counted from 0, begins as `link`.
    #[cfg(feature = "full")]
    Read {
        /// The block.
        at: u32,
        /// The figure.
        figure: usize,
        /// How it begins.
        link: Rc<str>,
    },
    /// Something that this module does not have: the state stays, and the whole app takes over with it.
    Later(Wanted),
    /// The dialog for sharing: the state stays.
    #[cfg(feature = "full")]
    Share(crate::share::Shared),
}

/// The state with its past and future.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct App {
    /// What is shown.
    pub state: State,
    /// Values that were not taken as given, to be shown until dismissed.
    pub notices: Vec<Repair>,
    /// What is known of the figures of a lesson; `None` until one of them has the state.
    #[cfg(feature = "full")]
    pub reading: Option<Rc<super::lesson::Reading>>,
    // Shared, so that the next app costs a few numbers and not two hundred states.
    past: Vec<Rc<State>>,
    future: Vec<Rc<State>>,
    gesture: Option<Gesture>,
}

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

impl Action {
    /// What opens the dialog for sharing: a figure, or the page.
    pub fn share(figure: Option<&'static FigureSpec>) -> Self {
        #[cfg(feature = "full")]
        return Self::Share(crate::share::Shared { figure, state: None });
        #[cfg(not(feature = "full"))]
        {
            let _ = figure;
            // The button is pressed again by the module that has the dialog: see src/handover.rs.
            Self::Later(Wanted::Controls)
        }
    }
}

impl App {
    /// The app as a link opens it.
    pub fn new(state: State, notices: Vec<Repair>) -> Self {
        Self { state, notices, ..Self::default() }
    }

    /// The app with the past of another module's: links, the oldest first.
    #[must_use]
    pub fn resumed(self, past: &[String]) -> Self {
        let mut past: Vec<_> = past.iter().map(|link| Rc::new(link::parse("", link).0)).collect();
        // Where nothing was changed by what was asked for, there is no step to undo.
        past.pop_if(|last| **last == self.state);
        Self { past, ..self }
    }

    /// The past as links, the oldest first; the last is what is shown.
    pub fn links(&self) -> Vec<String> {
        self.past.iter().map(|state| link::write(state)).chain([link::write(&self.state)]).collect()
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
                let reset = edit == Edit::ResetAll;
                #[cfg(feature = "full")]
                let edit = match &self.reading {
                    Some(reading) if reset => Edit::Load(Box::new(reading.beginning(&self.state))),
                    _ => edit,
                };
                let continues = gesture.is_some() && gesture == self.gesture && !self.past.is_empty();
                if continues && bounds_cursor(&edit) {
                    next.recall_cursor();
                }
                // What was said of a value that is set anew is over. (Of schemes it does not say which slot it is about.)
                if let Edit::Set(target @ (Target::Global | Target::Figure(_)), key, _)
                | Edit::Reset(target @ (Target::Global | Target::Figure(_)), key) = &edit
                {
                    let name = target.name(key);
                    next.notices.retain(|notice| notice.key != name);
                }
                if let Some(repair) = next.state.edit(edit) {
                    next.notice(repair);
                }
                if reset {
                    next.notices.clear();
                }
                if next.state == self.state {
                    return (next.notices != self.notices).then_some(next);
                }
                if same_but_page(&next.state, &self.state) {
                    return Some(next);
                }
                if !continues {
                    next.remember(&self.state);
                }
                next.gesture = gesture;
                next.future.clear();
            }
            Action::Opened(state, notices) => {
                if *state == self.state && notices == self.notices {
                    return None;
                }
                if !same_but_page(&state, &self.state) {
                    next.remember(&self.state);
                    next.future.clear();
                }
                next.gesture = None;
                next.state = *state;
                next.notices = notices;
                #[cfg(feature = "full")]
                {
                    // Another place in the same lesson is begun anew.
                    next.reading = None;
                }
            }
            #[cfg(feature = "full")]
            Action::Read { at, figure, link } => {
                next.gesture = None;
                next.read(at, figure, &link);
            }
            Action::Undo => {
                let state = next.past.pop()?;
                let shown = next.swap(&state);
                next.future.push(shown);
            }
            Action::Redo => {
                let state = next.future.pop()?;
                let shown = next.swap(&state);
                next.past.push(shown);
            }
            Action::Later(_) => return None,
            #[cfg(feature = "full")]
            Action::Share(_) => return None,
            Action::Dismiss => {
                if next.notices.is_empty() {
                    return None;
                }
                next.notices.clear();
            }
        }
        #[cfg(feature = "full")]
        next.note();
        Some(next)
    }

    /// No step can be undone or done again.
    #[cfg(feature = "full")]
    pub(super) fn forget(&mut self) {
        let _ = self.exchange(Vec::new(), Vec::new());
    }

    /// Another past and future; those of the moment come back.
    #[cfg(feature = "full")]
    pub(super) fn exchange(
        &mut self,
        past: Vec<Rc<State>>,
        future: Vec<Rc<State>>,
    ) -> (Vec<Rc<State>>, Vec<Rc<State>>) {
        (std::mem::replace(&mut self.past, past), std::mem::replace(&mut self.future, future))
    }

    /// A notice; an older one of the same key has nothing to say any more.
    pub(super) fn notice(&mut self, repair: Repair) {
        self.notices.retain(|other| other.key != repair.key);
        if self.notices.len() == MOST_REPAIRS {
            self.notices.remove(0);
        }
        self.notices.push(repair);
    }

    fn remember(&mut self, state: &State) {
        if self.past.len() == MOST_STEPS {
            self.past.remove(0);
        }
        self.past.push(Rc::new(state.clone()));
    }

    /// Shows a remembered state on the page of the moment; what was shown comes back.
    fn swap(&mut self, state: &State) -> Rc<State> {
        self.gesture = None;
        let next = state.on_page_of(&self.state);
        Rc::new(std::mem::replace(&mut self.state, next))
    }

    /// Puts the cursor where it was when the gesture began: a length that is dragged down and up again has not moved it.
    fn recall_cursor(&mut self) {
        let Some(before) = self.past.last() else { return };
        for key in ["position", "offset", "plane"] {
            if let Some(value) = before.globals.get(key) {
                let _ = self.state.globals.set(key, &value.to_string());
            }
        }
        // A gesture that pushes the cursor changes no option itself.
        self.state.options = before.options.clone();
    }
}

/// Whether the edit may push the cursor, and what a figure shows.
fn bounds_cursor(edit: &Edit) -> bool {
    matches!(edit, Edit::Set(Target::Global, "length", _) | Edit::Set(Target::Scheme(_), ..))
}

fn same_but_page(a: &State, b: &State) -> bool {
    a.on_page_of(b) == *b
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
#[path = "history_tests.rs"]
mod tests;
