//! One change of the state.

use super::{Controls, CursorPatch, MOST_FIGURES, MOST_SCHEMES, MOST_TEXT, Page, State};
use crate::figures::{self, FigureSpec};
use posenc::{Config, Repair, SchemeSpec, Settings, Why};

/// Whose parameter it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// One of [`super::GLOBALS`].
    Global,
    /// A scheme's, by its slot.
    Scheme(usize),
    /// A figure's option.
    Figure(&'static str),
}

impl Target {
    /// The name of its parameter in a link.
    pub(super) fn name(self, key: &str) -> String {
        match self {
            Self::Figure(id) => format!("{id}.{key}"),
            Self::Global | Self::Scheme(_) => key.to_owned(),
        }
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Sets a parameter from text.
    Set(Target, &'static str, String),
    /// Sets a parameter to its default.
    Reset(Target, &'static str),
    /// Moves the shared cursor.
    Cursor(CursorPatch),
    /// Changes the text; `None` is the catalogue's.
    Text(Option<String>),
    /// Another scheme beside those that are there.
    AddScheme(&'static SchemeSpec),
    /// Another scheme in a slot; parameters that both have are kept.
    ReplaceScheme(usize, &'static SchemeSpec),
    /// A scheme with all its parameters in a slot.
    SetScheme(usize, Box<Config>),
    /// One scheme less.
    RemoveScheme(usize),
    /// The figures on the board.
    Figures(Vec<&'static FigureSpec>),
    /// A figure to another place on the board, counted from 0.
    MoveFigure(&'static str, usize),
    /// Another page.
    Go(Page),
    /// Looks for a question.
    #[cfg(feature = "full")]
    Find(String),
    /// Everything at once: a link was followed.
    Load(Box<State>),
    /// Everything back to the defaults, on the same page.
    ResetAll,
}

impl State {
    /// The settings of a target.
    pub fn settings(&self, target: Target) -> Option<&Settings> {
        match target {
            Target::Global => Some(&self.globals),
            Target::Scheme(slot) => self.schemes.get(slot).map(|config| &config.settings),
            Target::Figure(id) => figures::registry().iter().position(|f| f.id == id).map(|i| &self.options[i]),
        }
    }

    fn settings_mut(&mut self, target: Target) -> Option<&mut Settings> {
        match target {
            Target::Global => Some(&mut self.globals),
            Target::Scheme(slot) => self.schemes.get_mut(slot).map(|config| &mut config.settings),
            Target::Figure(id) => {
                figures::registry().iter().position(|f| f.id == id).and_then(|i| self.options.get_mut(i))
            }
        }
    }

    /// Makes the change and settles the rest; what was not taken as given comes back.
    pub fn edit(&mut self, edit: Edit) -> Option<Repair> {
        let mut repair = None;
        // What the person set, where settling may contradict it.
        let mut asked = None;
        let planes = match &edit {
            Edit::Set(Target::Global, key, _) | Edit::Reset(Target::Global, key) => matches!(*key, "plane" | "head"),
            Edit::Cursor(patch) => patch.plane.is_some() || patch.head.is_some(),
            Edit::Set(Target::Figure(_), ..)
            | Edit::Reset(Target::Figure(_), _)
            | Edit::Text(_)
            | Edit::Figures(_)
            | Edit::MoveFigure(..)
            | Edit::Go(_) => false,
            #[cfg(feature = "full")]
            Edit::Find(_) => false,
            Edit::Set(Target::Scheme(_), ..)
            | Edit::Reset(Target::Scheme(_), _)
            | Edit::AddScheme(_)
            | Edit::ReplaceScheme(..)
            | Edit::SetScheme(..)
            | Edit::RemoveScheme(_)
            | Edit::Load(_)
            | Edit::ResetAll => true,
        };
        // What figures show depends on these, and on their own options.
        let windows = matches!(
            edit,
            Edit::Text(_)
                | Edit::Set(Target::Figure(_), ..)
                | Edit::Reset(Target::Figure(_), _)
                | Edit::Set(Target::Global, "length", _)
                | Edit::Reset(Target::Global, "length")
        );
        match edit {
            Edit::Set(target, key, text) => {
                repair = self.settings_mut(target).and_then(|s| s.set(key, &text));
                #[cfg(feature = "full")]
                if let Target::Scheme(slot) = target
                    && let Some(config) = self.schemes.get_mut(slot)
                {
                    repair = crate::tables::settle(config).or(repair);
                }
                let name = target.name(key);
                if let Some(repair) = &mut repair {
                    repair.key.clone_from(&name);
                }
                asked = (!matches!(target, Target::Scheme(_))).then_some((name, text));
            }
            Edit::Reset(target, key) => {
                if let Some(settings) = self.settings_mut(target) {
                    settings.reset(key);
                }
            }
            Edit::Cursor(patch) => {
                let now = self.cursor();
                let mut cursor = patch.on(now);
                if !cursor.position.is_finite() {
                    cursor.position = now.position;
                }
                for (key, value, wanted) in [
                    ("position", cursor.position.to_string(), patch.position.is_some()),
                    ("offset", cursor.offset.to_string(), patch.offset.is_some()),
                    ("plane", cursor.plane.to_string(), patch.plane.is_some()),
                    ("head", cursor.head.to_string(), patch.head.is_some()),
                ] {
                    if wanted {
                        // Past an end is the end: a drag may leave the figure.
                        let _ = self.globals.set(key, &value);
                    }
                }
            }
            Edit::Text(text) => {
                self.text = text.map(|text| text.chars().take(MOST_TEXT).collect());
            }
            Edit::AddScheme(spec) => {
                if self.schemes.len() < MOST_SCHEMES {
                    self.schemes.push(Config::new(spec));
                }
            }
            Edit::ReplaceScheme(slot, spec) => {
                if let Some(config) = self.schemes.get_mut(slot) {
                    let mut next = Config::new(spec);
                    for (key, value) in config.settings.changed() {
                        // A key that both have may still have other bounds: the nearest legal value is taken.
                        let _ = next.settings.set(key, &value);
                    }
                    // One's own table is not for every scheme.
                    #[cfg(feature = "full")]
                    let _ = crate::tables::settle(&mut next);
                    *config = next;
                }
            }
            Edit::SetScheme(slot, next) => {
                if let Some(config) = self.schemes.get_mut(slot) {
                    *config = *next;
                }
            }
            Edit::RemoveScheme(slot) => {
                if self.schemes.len() > 1 && slot < self.schemes.len() {
                    self.schemes.remove(slot);
                }
            }
            Edit::Figures(list) => {
                let mut next: Vec<&'static FigureSpec> = Vec::new();
                for figure in list {
                    if next.len() < MOST_FIGURES && !next.iter().any(|f| f.id == figure.id) {
                        next.push(figure);
                    }
                }
                if !next.is_empty() {
                    self.figures = next;
                }
            }
            Edit::MoveFigure(id, to) => {
                // The module of the first screens moves none: src/ui/board/handle.rs.
                if cfg!(feature = "full")
                    && let Some(from) = self.figures.iter().position(|figure| figure.id == id)
                {
                    let figure = self.figures.remove(from);
                    self.figures.insert(to.min(self.figures.len()), figure);
                }
            }
            Edit::Go(page) => self.page = page,
            #[cfg(feature = "full")]
            Edit::Find(text) => self.find = text.chars().take(super::MOST_FIND).collect(),
            Edit::Load(state) => *self = *state,
            Edit::ResetAll => {
                let page = self.page.clone();
                let kept = ["theme", "lang"].map(|key| (key, self.globals.choice(key)));
                *self = Self { page, controls: Controls::All, ..Self::default() };
                // How the page looks is not what it shows: a reset keeps it.
                for (key, value) in kept {
                    let _ = self.globals.set(key, value);
                }
            }
        }
        let mut settled = if planes { self.settle() } else { self.settle_cursor() };
        if windows {
            settled.extend(self.settle_options());
        }
        if let Some((key, given)) = asked
            && let Some((_, used)) = settled.into_iter().find(|(other, _)| *other == key)
        {
            repair = Some(Repair { key, given, used, why: Why::OutOfRange });
        }
        repair
    }
}
