//! Placewise: the app.
use wasm_bindgen::prelude::*;
use yew::prelude::*;

#[component]
fn App() -> Html {
    html! { <p>{ "Placewise" }</p> }
}

/// Starts the app in the element with the id `app`.
#[wasm_bindgen(start)]
pub fn start() {
    if let Some(root) = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("app")) {
        yew::Renderer::<App>::with_root(root).render();
    }
}
