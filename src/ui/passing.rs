//! Hover and playback: what passes and is not state. Neither is undone, and neither is in a link.
//!
//! They bypass Yew: who draws subscribes, and redraws at the next frame.

use super::frame;
use super::listeners::{Listeners, Subscription};
use crate::schemes::WHOLE;
use crate::state::{Action, Cursor, CursorPatch, Edit};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use yew::prelude::*;

/// Slowest and fastest playback offered, in tokens per second; each step doubles.
pub const SPEEDS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0];
/// A pause of the browser is not made up for, in milliseconds.
const LONGEST_STEP: f64 = 100.0;
/// Between two tokens, playback stops at this many parts of one: finer cannot be seen, and makes links long.
const PARTS: f64 = 100.0;

/// Hover and playback, shared by all figures on screen.
#[derive(Clone)]
pub struct Passing(Rc<Inner>);

struct Inner {
    hover: Cell<Option<CursorPatch>>,
    /// Where playback is, while it plays.
    playing: Cell<Option<f64>>,
    speed: Cell<f64>,
    /// The state's position and length, as last told.
    base: Cell<(f64, u64)>,
    /// What the link asked for, as last told.
    asked: Cell<bool>,
    commit: RefCell<Callback<Action>>,
    key: frame::Key,
    listeners: Listeners,
}

impl PartialEq for Passing {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Passing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passing")
            .field("hover", &self.0.hover)
            .field("playing", &self.0.playing)
            .finish_non_exhaustive()
    }
}

thread_local! {
    static PAGE: RefCell<Option<Passing>> = const { RefCell::new(None) };
}

/// The [`Passing`] of the context, or the page's own.
#[hook]
pub fn use_passing() -> Passing {
    use_context::<Passing>().unwrap_or_else(Passing::of_page)
}

impl Default for Passing {
    fn default() -> Self {
        Self(Rc::new(Inner {
            hover: Cell::default(),
            playing: Cell::default(),
            speed: Cell::new(4.0),
            base: Cell::new((0.0, 1)),
            asked: Cell::default(),
            commit: RefCell::default(),
            key: frame::new_key(),
            listeners: Listeners::default(),
        }))
    }
}

impl Passing {
    /// The one that all figures of the page share.
    pub fn of_page() -> Self {
        PAGE.with_borrow_mut(|page| page.get_or_insert_default().clone())
    }

    /// Calls `changed` whenever hover or playback change, until the subscription is dropped.
    #[must_use]
    pub fn subscribe(&self, changed: impl Fn() + 'static) -> Subscription {
        self.0.listeners.subscribe(changed)
    }

    fn tell(&self) {
        self.0.listeners.tell();
    }

    /// What to draw for the state's cursor: playback over it, and hover over that.
    pub fn cursor(&self, base: Cursor) -> Cursor {
        let mut cursor = self.0.hover.get().map_or(base, |patch| patch.on(base));
        if let Some(position) = self.playing() {
            // A pointer that rests on a figure does not stop the clock.
            cursor.position = position;
        }
        // The sequence may have become shorter under a resting pointer.
        let last = self.0.base.get().1.saturating_sub(1);
        cursor.position = cursor.position.min(last as f64);
        cursor.offset = cursor.offset.clamp(-(last as i64), last as i64);
        cursor
    }

    /// What an input starts from: playback over the state's cursor, without hover.
    pub fn played(&self, base: Cursor) -> Cursor {
        Cursor { position: self.playing().unwrap_or(base.position), ..base }
    }

    /// Where the pointer rests; `None` where it left.
    pub fn hover(&self, patch: Option<CursorPatch>) {
        if self.0.hover.replace(patch) != patch {
            self.tell();
        }
    }

    /// A figure is gone: the pointer no longer rests on it, and with the last one playback ends. A page that is made
    /// anew has its figures again at once, and plays on.
    pub(super) fn leave(&self) {
        self.hover(None);
        if self.0.listeners.is_empty() && self.is_playing() {
            let this = self.clone();
            Timeout::new(0, move || {
                if this.0.listeners.is_empty() {
                    this.pause();
                }
            })
            .forget();
        }
    }

    /// Tells what the state says: position and length, whether the link asked to play, and where a change goes.
    pub fn follow(&self, position: f64, length: u64, play: bool, dispatch: &Callback<Action>) {
        let before = self.0.base.replace((position, length));
        if WHOLE.is_none() {
            return;
        }
        *self.0.commit.borrow_mut() = dispatch.clone();
        // The person moved the cursor while it plays: it goes on from there.
        if before.0 != position && self.is_playing() {
            self.0.playing.set(Some(position));
        }
        if self.0.asked.replace(play) != play {
            if !play {
                self.pause();
            } else if !prefers_reduced_motion() {
                self.play();
            }
        }
    }

    /// Where playback is, while it plays: never in the module of the first screens.
    fn playing(&self) -> Option<f64> {
        WHOLE.and(self.0.playing.get())
    }

    /// Whether it plays.
    pub fn is_playing(&self) -> bool {
        self.playing().is_some()
    }

    /// Tokens per second.
    pub fn speed(&self) -> f64 {
        self.0.speed.get()
    }

    /// Sets the speed, in tokens per second.
    pub fn set_speed(&self, speed: f64) {
        if speed.is_finite() {
            self.0.speed.set(speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]));
            self.tell();
        }
    }

    /// Plays from the state's position.
    pub fn play(&self) {
        if self.is_playing() {
            return;
        }
        self.0.playing.set(Some(self.0.base.get().0));
        let inner = Rc::downgrade(&self.0);
        let mut last = None;
        frame::animate(self.0.key, move |now| {
            let Some(this) = inner.upgrade().map(Passing) else { return false };
            this.advance(now - last.replace(now).unwrap_or(now))
        });
        self.tell();
    }

    /// One step of playback; whether there is another.
    fn advance(&self, elapsed: f64) -> bool {
        let Some(position) = self.0.playing.get() else { return false };
        if web_sys::window().and_then(|window| window.document()).is_none_or(|page| page.hidden()) {
            self.pause();
            return false;
        }
        let length = self.0.base.get().1;
        let next = position + self.0.speed.get() * elapsed.clamp(0.0, LONGEST_STEP) / 1000.0;
        self.0.playing.set(Some(if next < length as f64 - 1.0 || length < 2 {
            next.min(length as f64 - 1.0)
        } else {
            0.0
        }));
        self.tell();
        true
    }

    /// Stops where it is: the position becomes the state's, as one change.
    pub fn pause(&self) {
        let Some(position) = self.0.playing.take() else { return };
        frame::stop(self.0.key);
        let position = (position * PARTS).round() / PARTS;
        self.commit(position);
        self.tell();
    }

    /// Plays where it was paused, and the other way round.
    pub fn toggle(&self) {
        if self.is_playing() { self.pause() } else { self.play() }
    }

    /// Goes `by` tokens on, to a whole one, and stops there.
    pub fn step(&self, by: i64) {
        let from = self.0.playing.take().unwrap_or(self.0.base.get().0);
        frame::stop(self.0.key);
        let whole = if by > 0 { from.floor() } else { from.ceil() };
        let length = self.0.base.get().1.max(1) as i64;
        self.commit((whole as i64 + by).rem_euclid(length) as f64);
        self.tell();
    }

    fn commit(&self, position: f64) {
        let patch = CursorPatch { position: Some(position), ..CursorPatch::default() };
        let commit = self.0.commit.borrow().clone();
        commit.emit(Action::Edit(Edit::Cursor(patch), None));
    }
}

/// Whether the person asked for less motion.
pub fn prefers_reduced_motion() -> bool {
    let query =
        web_sys::window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten());
    query.is_some_and(|query| query.matches())
}
