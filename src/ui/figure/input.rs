//! Pointer, wheel and keys, from the browser's events to the figure's [`Input`].
//!
//! The listeners are the canvas's own: a wheel must be able to keep the page from scrolling, and a move of the pointer
//! must not walk through Yew's tree.

use super::stage::Stage;
use crate::figures::{Input, Response};
use crate::state::{Action, Gesture, new_gesture};
use crate::ui::frame;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlCanvasElement, KeyboardEvent, PointerEvent, WheelEvent};

/// Keys or turns of the wheel that follow one another within this time are one gesture, in milliseconds.
const RUN_MS: f64 = 1000.0;
/// A finger that moved less is still a tap, in CSS pixels.
const TAP: f64 = 4.0;
/// How much a turn of the wheel by one pixel zooms, as a logarithm.
const WHEEL: f64 = 0.0025;

#[derive(Default)]
struct Hands {
    down: Vec<Finger>,
    press: Option<Press>,
    /// The gesture of keys and wheel, and when it last went on.
    run: Option<(Gesture, f64)>,
}

#[derive(Clone, Copy)]
struct Finger {
    id: i32,
    x: f64,
    y: f64,
}

#[derive(Clone, Copy)]
struct Press {
    id: i32,
    x: f64,
    y: f64,
    gesture: Gesture,
    /// The figure knows of it. A finger's press waits for its first move or its end: it may have meant to scroll.
    told: bool,
}

/// Listens to the canvas until the listeners are dropped.
pub(super) fn listen(stage: &Rc<Stage>, canvas: &HtmlCanvasElement) -> Vec<EventListener> {
    let hands: Rc<RefCell<Hands>> = Rc::default();
    let on = |name: &'static str, act: fn(&Rc<Stage>, &mut Hands, &Event)| {
        let (stage, hands) = (Rc::downgrade(stage), hands.clone());
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(canvas, name, options, move |event| {
            if let Some(stage) = stage.upgrade() {
                act(&stage, &mut hands.borrow_mut(), event);
            }
        })
    };
    vec![
        on("pointerdown", down),
        on("pointermove", moved),
        on("pointerup", up),
        on("pointercancel", cancelled),
        on("pointerleave", |stage, _, _| stage.passing.hover(None)),
        on("wheel", wheel),
        on("keydown", key),
        on("blur", |_, hands, _| hands.run = None),
    ]
}

impl Stage {
    /// Asks the figure and does what it says; whether the input was meant for it.
    fn respond(&self, input: &Input, gesture: Option<Gesture>) -> bool {
        let Some(figure) = self.figure() else { return false };
        let base = self.cursor.get();
        let cursor =
            if matches!(input, Input::Hover { .. }) { self.passing.cursor(base) } else { self.passing.played(base) };
        let Response { hover, edits, used } = figure.respond(input, &cursor);
        match input {
            Input::Hover { .. } => self.passing.hover(hover),
            // What is set is seen, though the pointer still rests where it came from.
            Input::Press { .. } | Input::Drag { .. } | Input::Key { .. } if used || !edits.is_empty() => {
                self.passing.hover(None);
            }
            _ => {}
        }
        if !edits.is_empty() {
            frame::touch();
        }
        let dispatch = self.dispatch.borrow().clone();
        for edit in edits {
            dispatch.emit(Action::Edit(edit, gesture));
        }
        used
    }
}

fn place(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

fn now(event: &Event) -> f64 {
    event.time_stamp()
}

impl Hands {
    /// The gesture that a key or a turn of the wheel belongs to.
    fn run(&mut self, now: f64) -> Gesture {
        let gesture = match self.run {
            Some((gesture, last)) if now - last < RUN_MS => gesture,
            _ => new_gesture(),
        };
        self.run = Some((gesture, now));
        gesture
    }
}

fn down(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
    if event.button() != 0 {
        return;
    }
    let (x, y) = place(event);
    hands.down.retain(|finger| finger.id != event.pointer_id());
    hands.down.push(Finger { id: event.pointer_id(), x, y });
    if hands.down.len() > 1 {
        // A second finger: from here on it is a pinch.
        hands.press = None;
        return;
    }
    if let Some(canvas) = event.target().and_then(|target| target.dyn_into::<HtmlCanvasElement>().ok()) {
        // The drag goes on outside the figure. A pointer that is gone already cannot be captured, and need not be.
        let _ = canvas.set_pointer_capture(event.pointer_id());
    }
    let mut press = Press { id: event.pointer_id(), x, y, gesture: new_gesture(), told: false };
    if event.pointer_type() != "touch" {
        tell(stage, &mut press, event.shift_key());
    }
    hands.press = Some(press);
}

fn tell(stage: &Rc<Stage>, press: &mut Press, shift: bool) {
    press.told = true;
    stage.respond(&Input::Press { x: press.x, y: press.y, shift }, Some(press.gesture));
}

fn moved(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
    let (x, y) = place(event);
    if hands.down.len() == 2 {
        pinch(stage, hands, event.pointer_id(), x, y, now(event));
        return;
    }
    if let Some(finger) = hands.down.iter_mut().find(|finger| finger.id == event.pointer_id()) {
        (finger.x, finger.y) = (x, y);
    }
    let shift = event.shift_key();
    match &mut hands.press {
        Some(press) if press.id == event.pointer_id() => {
            if !press.told {
                if libm::hypot(x - press.x, y - press.y) < TAP {
                    return;
                }
                tell(stage, press, shift);
            }
            stage.respond(&Input::Drag { from_x: press.x, from_y: press.y, x, y, shift }, Some(press.gesture));
        }
        Some(_) => {}
        None => {
            stage.respond(&Input::Hover { x, y }, None);
        }
    }
}

/// Two fingers: their distance zooms about the middle between them.
fn pinch(stage: &Rc<Stage>, hands: &mut Hands, id: i32, x: f64, y: f64, now: f64) {
    let apart = |fingers: &[Finger]| libm::hypot(fingers[0].x - fingers[1].x, fingers[0].y - fingers[1].y);
    let before = apart(&hands.down);
    let Some(finger) = hands.down.iter_mut().find(|finger| finger.id == id) else { return };
    (finger.x, finger.y) = (x, y);
    let after = apart(&hands.down);
    if before < 1.0 || after < 1.0 {
        return;
    }
    let gesture = hands.run(now);
    let (a, b) = (hands.down[0], hands.down[1]);
    let input = Input::Zoom { x: a.x.midpoint(b.x), y: a.y.midpoint(b.y), factor: after / before };
    stage.respond(&input, Some(gesture));
}

fn up(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
    if let Some(mut press) = hands.press.take_if(|press| press.id == event.pointer_id())
        && !press.told
    {
        tell(stage, &mut press, event.shift_key());
    }
    lifted(stage, hands, event);
}

fn cancelled(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
    // The browser took the finger for scrolling: what was not told never happened.
    hands.press = None;
    lifted(stage, hands, event);
}

fn lifted(stage: &Rc<Stage>, hands: &mut Hands, event: &PointerEvent) {
    hands.down.retain(|finger| finger.id != event.pointer_id());
    if event.pointer_type() == "touch" {
        // A finger does not rest over anything.
        stage.passing.hover(None);
    }
}

fn wheel(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
    // A turn without Ctrl scrolls the page; browsers report a pinch on a touch pad with it.
    if !(event.ctrl_key() || event.meta_key()) {
        return;
    }
    let pixels = match event.delta_mode() {
        WheelEvent::DOM_DELTA_LINE => event.delta_y() * 16.0,
        WheelEvent::DOM_DELTA_PAGE => event.delta_y() * 400.0,
        _ => event.delta_y(),
    };
    let gesture = hands.run(now(event));
    let factor = libm::exp(-pixels.clamp(-200.0, 200.0) * WHEEL);
    let input = Input::Zoom { x: f64::from(event.offset_x()), y: f64::from(event.offset_y()), factor };
    if stage.respond(&input, Some(gesture)) {
        event.prevent_default();
    }
}

fn key(stage: &Rc<Stage>, hands: &mut Hands, event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
        return;
    }
    let gesture = hands.run(now(event));
    if stage.respond(&Input::Key { key: event.key(), shift: event.shift_key() }, Some(gesture)) {
        event.prevent_default();
    } else if stage.spec.plays() && event.key() == " " {
        stage.passing.toggle();
        event.prevent_default();
    }
}
