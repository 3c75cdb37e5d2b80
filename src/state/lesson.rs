//! The figures of a lesson. One of them has the state of the app and its past; the others keep theirs until the reader
//! comes back to them.

use super::{App, Page, State, link};
use std::rc::Rc;

/// What is known of the figures of the lesson that is open.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    lesson: String,
    /// The figure that has the state, counted from 0.
    pub figure: usize,
    /// How it begins.
    begins: State,
    others: Vec<Kept>,
}

/// A figure that the reader has left.
#[derive(Debug, Clone, PartialEq)]
struct Kept {
    figure: usize,
    begins: State,
    state: State,
    past: Vec<Rc<State>>,
    future: Vec<Rc<State>>,
}

impl Reading {
    /// What a figure shows; `None` where the reader has not been there.
    pub fn state<'a>(&'a self, figure: usize, now: &'a State) -> Option<&'a State> {
        if self.figure == figure {
            return Some(now);
        }
        self.others.iter().find(|kept| kept.figure == figure).map(|kept| &kept.state)
    }

    /// How the figure that has the state begins, on the page of that state.
    pub(super) fn beginning(&self, now: &State) -> State {
        dressed(self.begins.clone(), now)
    }
}

/// A state with the page and the look of another.
fn dressed(mut state: State, other: &State) -> State {
    state.page = other.page.clone();
    for key in ["theme", "lang"] {
        let _ = state.globals.set(key, other.globals.choice(key));
    }
    state
}

impl App {
    /// The reader comes to a block of the lesson, whose figure begins as this link.
    pub(super) fn read(&mut self, at: u32, figure: usize, link: &str) {
        let Page::Learn(place) = &self.state.page else { return };
        let (lesson, changed) = (place.name.clone(), place.changed.clone());
        match self.reading.take().map(Rc::unwrap_or_clone).filter(|reading| reading.lesson == lesson) {
            None => {
                let (state, repairs) = link::begin(link, &changed);
                self.state = dressed(state, &self.state);
                for repair in repairs {
                    self.notice(repair);
                }
                self.forget();
                let begins = link::begin(link, "").0;
                self.reading = Some(Rc::new(Reading { lesson, figure, begins, others: Vec::new() }));
            }
            Some(mut reading) => {
                if reading.figure != figure {
                    self.turn(&mut reading, figure, link);
                }
                self.reading = Some(Rc::new(reading));
            }
        }
        if let Page::Learn(place) = &mut self.state.page {
            place.at = at;
        }
    }

    /// Exchanges the figure that has the state.
    fn turn(&mut self, reading: &mut Reading, figure: usize, link: &str) {
        let back = reading.others.iter().position(|kept| kept.figure == figure).map(|i| reading.others.swap_remove(i));
        let next = back.unwrap_or_else(|| {
            let begins = link::begin(link, "").0;
            Kept { figure, state: begins.clone(), begins, past: Vec::new(), future: Vec::new() }
        });
        let state = dressed(next.state, &self.state);
        let (past, future) = self.exchange(next.past, next.future);
        reading.others.push(Kept {
            figure: std::mem::replace(&mut reading.figure, figure),
            begins: std::mem::replace(&mut reading.begins, next.begins),
            state: std::mem::replace(&mut self.state, state),
            past,
            future,
        });
    }

    /// Says in the page what was changed in the figure, and forgets the lesson where another page was opened.
    pub(super) fn note(&mut self) {
        let Some(reading) = &self.reading else { return };
        match &mut self.state.page {
            Page::Learn(place) if place.name == reading.lesson => {
                place.changed.clear();
                let changed = link::changes(&self.state, &reading.begins);
                if let Page::Learn(place) = &mut self.state.page {
                    place.changed = changed;
                }
            }
            _ => self.reading = None,
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::state::{Action, Edit, Target};

    const FIRST: &str = "#/explore?figures=offset&length=512&offset=44";
    const SECOND: &str = "#/explore?figures=shuffle&schemes=none";

    fn opened(link: &str) -> App {
        let (state, repairs) = link::parse("", link);
        App::new(state, repairs)
    }

    fn read(app: &App, at: u32, figure: usize) -> App {
        let link = [FIRST, SECOND][figure];
        app.apply(Action::Read { at, figure, link: link.into() }).unwrap()
    }

    fn set(app: &App, key: &'static str, value: &str) -> App {
        app.apply(Action::Edit(Edit::Set(Target::Global, key, value.into()), None)).unwrap()
    }

    #[test]
    fn a_link_holds_the_place_and_what_was_changed() {
        let app = read(&opened("#/learn/order?at=3"), 3, 0);
        assert_eq!((app.state.length(), app.state.figures[0].id), (512, "offset"));
        assert_eq!(link::write(&app.state), "#/learn/order?at=3");
        let app = set(&app, "offset", "7");
        assert_eq!(link::write(&app.state), "#/learn/order?at=3&offset=7");
        // What is the default of all links, and not of this figure.
        let app = set(&app, "length", "64");
        assert_eq!(link::write(&app.state), "#/learn/order?at=3&offset=7&length=64");
        let again = read(&opened(&link::write(&app.state)), 3, 0);
        assert_eq!(again.state, app.state);
        let undone = app.apply(Action::Undo).unwrap().apply(Action::Undo).unwrap();
        assert_eq!(link::write(&undone.state), "#/learn/order?at=3");
        assert!(!undone.can_undo());
    }

    #[test]
    fn each_figure_keeps_its_state_and_its_past() {
        let first = set(&read(&opened("#/learn/order"), 1, 0), "offset", "7");
        let second = set(&read(&first, 5, 1), "seed", "3");
        assert_eq!(second.state.figures[0].id, "shuffle");
        assert_eq!(link::write(&second.state), "#/learn/order?at=5&seed=3");
        let reading = second.reading.clone().unwrap();
        assert_eq!(reading.state(0, &second.state).unwrap().globals.integer("offset"), 7);
        let back = read(&second, 1, 0);
        assert_eq!(link::write(&back.state), "#/learn/order?at=1&offset=7");
        let undone = back.apply(Action::Undo).unwrap();
        assert_eq!((undone.state.globals.integer("offset"), undone.can_undo()), (44, false));
        assert_eq!(link::write(&read(&undone, 5, 1).state), "#/learn/order?at=5&seed=3");
    }

    #[test]
    fn a_reset_is_to_how_the_figure_begins() {
        let app = set(&read(&opened("#/learn/order?theme=dark"), 2, 0), "offset", "7");
        let reset = app.apply(Action::Edit(Edit::ResetAll, None)).unwrap();
        assert_eq!(link::write(&reset.state), "#/learn/order?at=2&theme=dark");
        assert_eq!(reset.state.length(), 512);
        assert_eq!(reset.apply(Action::Undo).unwrap().state.globals.integer("offset"), 7);
    }

    #[test]
    fn another_page_has_the_state_of_the_figure() {
        let app = set(&read(&opened("#/learn/order"), 1, 0), "offset", "7");
        let shown = State { page: Page::Explore, ..app.state.clone() };
        assert_eq!(link::write(&shown), "#/explore?figures=offset&length=512&offset=7");
        let away = app.apply(Action::Opened(Box::new(shown), Vec::new())).unwrap();
        assert!(away.reading.is_none());
    }

    #[test]
    fn what_is_wrong_is_told_when_the_figure_is_there() {
        let app = opened("#/learn/order?at=x&length=1e9&nonsense=1");
        assert_eq!(app.notices.len(), 1);
        let app = read(&app, 0, 0);
        let keys: Vec<_> = app.notices.iter().map(|repair| repair.key.as_str()).collect();
        assert_eq!(keys, ["at", "length", "nonsense"]);
        let (state, repairs) = link::parse("", "#/learn/no-such-lesson");
        assert_eq!((repairs[0].key.as_str(), repairs[0].given.as_str()), ("lesson", "no-such-lesson"));
        assert_eq!(state.page, Page::Learn(super::super::Place::default()));
    }
}
