//! A figure's handle is dragged: where the figure would go is marked, and it goes there when it is let go.

use super::{HandleProps, SAID};
use crate::state::{Action, Edit};
use crate::ui::frame;
use crate::words;
use gloo_events::EventListener;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, EventTarget, HtmlElement, KeyboardEvent, PointerEvent, ScrollIntoViewOptions, ScrollLogicalPosition,
};
use yew::prelude::*;

/// A press that moved less is no drag, in CSS pixels.
const SLACK: f64 = 4.0;
/// So near to the window's upper or lower edge a drag scrolls the page, in CSS pixels.
const EDGE: f64 = 80.0;
/// It scrolls by this part of what is missing to that, each frame.
const PULL: f64 = 0.2;
/// The attribute that marks the figure that is dragged, and the one it would stand before or after.
const MARK: &str = "data-drag";
/// Its values, and how they look: here, since the style sheet is of the first load.
const FROM: (&str, &str) = ("from", "opacity: 0.4");
const BEFORE: (&str, &str) = ("before", "box-shadow: 0 -3px var(--accent)");
const AFTER: (&str, &str) = ("after", "box-shadow: 0 3px var(--accent)");

/// A handle, and what lets its figure go at a place.
#[derive(Clone)]
struct Grip {
    handle: HtmlElement,
    place: usize,
    go: Callback<usize>,
}

/// A press of a handle.
struct Press {
    /// Where it began and where it is, in CSS pixels from the window's upper edge.
    from: f64,
    now: f64,
    /// Where the figure would go, once the press has become a drag.
    to: Option<usize>,
    scroll: frame::Key,
    /// Moves, ends, Escape.
    _listeners: Vec<EventListener>,
}

/// The press of one handle, if it is pressed.
#[derive(Clone)]
struct Drag(Grip, Rc<RefCell<Option<Press>>>);

/// Listens to the handle, and gives what moves its figure to a place.
#[hook]
pub(super) fn use_drag(node: &NodeRef, props: &HandleProps) -> Callback<usize> {
    let HandleProps { id, place, ref dispatch, .. } = *props;
    // Whether the handle moved its figure: then it says where that is.
    let moved = use_mut_ref(|| false);
    let go = {
        let (dispatch, moved) = (dispatch.clone(), moved.clone());
        Callback::from(move |to| {
            *moved.borrow_mut() = to != place;
            frame::touch();
            dispatch.emit(Action::Edit(Edit::MoveFigure(id, to), None));
        })
    };
    use_effect_with(place, {
        let (node, go) = (node.clone(), go.clone());
        move |place| {
            let drag = node.cast::<HtmlElement>().map(|handle| {
                if moved.replace(false) {
                    tell(&handle, id, *place);
                }
                Drag(Grip { handle, place: *place, go }, Rc::default())
            });
            let listeners = drag.as_ref().map(Drag::listen);
            move || {
                drop(listeners);
                if let Some(drag) = drag {
                    drag.end(false);
                }
            }
        }
    });
    go
}

/// Says where the figure is now, and shows it. Where it was taken out and put in again, its handle has lost the focus.
fn tell(handle: &HtmlElement, id: &str, place: usize) {
    let _ = handle.focus();
    let nearest = ScrollIntoViewOptions::new();
    nearest.set_block(ScrollLogicalPosition::Nearest);
    handle.scroll_into_view_with_scroll_into_view_options(&nearest);
    let said = web_sys::window().and_then(|window| window.document()?.get_element_by_id(SAID));
    if let Some(said) = said {
        let count = figures(handle).len();
        said.set_text_content(Some(&words::explore_moved(words::figure_title(id), place + 1, count)));
    }
}

/// The figures of the handle's board, in order.
fn figures(handle: &HtmlElement) -> Vec<Element> {
    let board = handle.closest(".board").ok().flatten();
    let all = board.and_then(|board| board.query_selector_all(".board__figure").ok());
    let count = all.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(|i| all.as_ref()?.get(i)?.dyn_into().ok()).collect()
}

/// Marks a figure, or takes its mark off.
fn show(figure: &Element, mark: Option<(&str, &str)>) {
    let _ = match mark {
        Some((name, style)) => figure.set_attribute(MARK, name).and_then(|()| figure.set_attribute("style", style)),
        None => figure.remove_attribute(MARK).and_then(|()| figure.remove_attribute("style")),
    };
}

impl Drag {
    fn on<E: JsCast>(
        &self,
        target: &EventTarget,
        name: &'static str,
        act: impl Fn(&Self, &E) + 'static,
    ) -> EventListener {
        let drag = self.clone();
        EventListener::new(target, name, move |event| {
            if let Some(event) = event.dyn_ref() {
                act(&drag, event);
            }
        })
    }

    fn listen(&self) -> Vec<EventListener> {
        // A handle that was pressed in the module of the first screens has the focus here before any pointer came: if
        // the next thing that one does is to move while it is down, it is that press.
        let waiting: Rc<RefCell<Vec<EventListener>>> = Rc::default();
        vec![
            self.on(&self.0.handle, "pointerdown", |drag, event: &PointerEvent| {
                if event.button() == 0 {
                    drag.begin(event);
                }
            }),
            self.on(&self.0.handle, "focus", move |drag, _: &FocusEvent| {
                let Some(window) = web_sys::window().filter(|_| drag.1.borrow().is_none()) else { return };
                let (moves, presses) = (waiting.clone(), waiting.clone());
                waiting.replace(vec![
                    drag.on(&window, "pointermove", move |drag, event: &PointerEvent| {
                        let _heard = moves.take();
                        if event.buttons() == 1 {
                            drag.begin(event);
                        }
                    }),
                    drag.on(&window, "pointerdown", move |_, _: &PointerEvent| drop(presses.take())),
                ]);
            }),
        ]
    }

    fn begin(&self, event: &PointerEvent) {
        let handle = &self.0.handle;
        // A pointer that is gone already cannot be captured, and need not be.
        let _ = handle.set_pointer_capture(event.pointer_id());
        let y = f64::from(event.client_y());
        let listeners = vec![
            self.on(handle, "pointermove", |drag, event: &PointerEvent| drag.moved(f64::from(event.client_y()))),
            self.on(handle, "pointerup", |drag, _: &PointerEvent| drag.end(true)),
            self.on(handle, "lostpointercapture", |drag, _: &PointerEvent| drag.end(false)),
            self.on(handle, "keydown", |drag, event: &KeyboardEvent| {
                if event.key() == "Escape" {
                    drag.end(false);
                }
            }),
        ];
        let press = Press { from: y, now: y, to: None, scroll: frame::new_key(), _listeners: listeners };
        drop(self.1.replace(Some(press)));
        // Not every browser gives a button the focus, and Escape is heard where it is.
        let _ = handle.focus();
    }

    fn moved(&self, y: f64) {
        let scroll = {
            let mut held = self.1.borrow_mut();
            let Some(press) = &mut *held else { return };
            press.now = y;
            let first = press.to.is_none();
            if first && (y - press.from).abs() < SLACK {
                return;
            }
            press.to = Some(self.mark(y));
            first.then_some(press.scroll)
        };
        if let Some(key) = scroll {
            let drag = self.clone();
            frame::animate(key, move |_| drag.scroll());
        }
    }

    /// Scrolls the page where the pointer is near its edge; whether there is more to come.
    fn scroll(&self) -> bool {
        let Some(y) = self.1.borrow().as_ref().map(|press| press.now) else { return false };
        let Some(window) = web_sys::window() else { return false };
        let height = window.inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
        let by = (y - EDGE).min(0.0) + (y - (height - EDGE)).max(0.0);
        if by != 0.0 {
            window.scroll_by_with_x_and_y(0.0, by * PULL);
            self.moved(y);
        }
        true
    }

    /// Marks where the figure would go, and gives that place.
    fn mark(&self, y: f64) -> usize {
        let figures = figures(&self.0.handle);
        let below = |figure: &Element| {
            let place = figure.get_bounding_client_rect();
            y > place.top().midpoint(place.bottom())
        };
        let from = self.0.place;
        let to = figures.iter().enumerate().filter(|(i, figure)| *i != from && below(figure)).count();
        for (place, figure) in figures.iter().enumerate() {
            show(
                figure,
                match (place == from, place == to) {
                    (true, _) => Some(FROM),
                    (false, true) => Some(if to < from { BEFORE } else { AFTER }),
                    (false, false) => None,
                },
            );
        }
        to
    }

    /// Lets the figure go: at the place that is marked, or where it was.
    fn end(&self, there: bool) {
        let Some(press) = self.1.take() else { return };
        frame::stop(press.scroll);
        for figure in figures(&self.0.handle) {
            show(&figure, None);
        }
        if let Some(to) = press.to.filter(|_| there) {
            self.0.go.emit(to);
        }
    }
}
