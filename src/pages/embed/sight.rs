//! What moves rests while the frame is out of sight. The observer sees across frames: of another page only whether this
//! one can be seen in it.

use crate::ui::frame;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};
use yew::prelude::*;

/// An element that nobody sees, in whose place the figures are.
#[component]
pub(super) fn Sight() -> Html {
    let place = use_node_ref();
    use_effect_with((), {
        let place = place.clone();
        move |()| {
            let seen = Closure::<dyn FnMut(js_sys::Array)>::new(|entries: js_sys::Array| {
                let last = entries.iter().last().and_then(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok());
                if let Some(entry) = last {
                    frame::hold(!entry.is_intersecting());
                }
            });
            let observer = IntersectionObserver::new(seen.as_ref().unchecked_ref()).ok();
            let page = place.cast::<Element>().and_then(|place| place.parent_element());
            if let (Some(observer), Some(page)) = (&observer, page) {
                observer.observe(&page);
            }
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                frame::hold(false);
                drop(seen);
            }
        }
    });
    html! { <span hidden=true ref={place} /> }
}
