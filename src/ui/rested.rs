//! What is dear to lay out and need not follow every frame: it is shown at once, or, while it changes from frame to
//! frame, when it rests.

use super::frame;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

/// What costs more than a frame's share waits until nothing has changed for this long, in milliseconds.
pub const RESTED_MS: u32 = 120;

/// Milliseconds since the page was opened.
pub fn clock() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// The value, or, while it changes from frame to frame, what it was before it began to. The page is pending until it
/// is the value again.
#[hook]
pub fn use_rested<T: Clone + PartialEq + 'static>(value: &T) -> T {
    let shown = use_state_eq(|| value.clone());
    let changed = use_mut_ref(|| f64::NEG_INFINITY);
    let setter = shown.setter();
    use_effect_with(value.clone(), move |value| {
        let now = clock();
        let soon = now - changed.replace(now) < f64::from(RESTED_MS);
        let waiting = if soon {
            let (value, busy) = (value.clone(), frame::busy());
            Some(Timeout::new(RESTED_MS, move || {
                setter.set(value);
                drop(busy);
            }))
        } else {
            setter.set(value.clone());
            None
        };
        move || drop(waiting)
    });
    (*shown).clone()
}
