//! What is dear to lay out and need not follow every frame: it is shown at once, or, while it changes from frame to
//! frame, when it rests.

use super::delay::{Delay, clock};
use yew::prelude::*;

/// What costs more than a frame's share waits until nothing has changed for this long, in milliseconds.
pub const RESTED_MS: u32 = 120;

/// The value, or, while it changes from frame to frame, what it was before it began to. The page is pending until it
/// is the value again.
#[hook]
pub fn use_rested<T: Clone + PartialEq + 'static>(value: &T) -> T {
    let shown = use_state_eq(|| value.clone());
    let changed = use_mut_ref(|| f64::NEG_INFINITY);
    let waiting = use_memo((), |()| Delay::default());
    let setter = shown.setter();
    use_effect_with(value.clone(), move |value| {
        let now = clock();
        if now - changed.replace(now) < f64::from(RESTED_MS) {
            let value = value.clone();
            waiting.put_off(RESTED_MS, true, move || setter.set(value));
        } else {
            waiting.cancel();
            setter.set(value.clone());
        }
    });
    (*shown).clone()
}
