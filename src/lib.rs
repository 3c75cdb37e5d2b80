//! Placewise: the app. `README.md` has the map of the repository.

#![cfg_attr(not(test), warn(clippy::use_debug))] // `{:?}` writes nothing in the site: crates/xtask/src/build/modules.rs
#![cfg_attr(not(feature = "full"), expect(dead_code, reason = "the first module has parts that only the rest uses"))]

mod app;
pub mod assets;
#[cfg(feature = "full")]
pub mod brought;
pub mod draw;
mod few;
pub mod figures;
mod formulas;
mod handover;
#[cfg(feature = "full")]
pub mod lab_client;
pub mod pages;
pub mod recovery;
pub mod schemes;
#[cfg(feature = "full")]
pub mod share;
pub mod state;
mod tables;
pub mod ui;
mod words;

/// Starts the app in the page's element with the id `app`.
#[cfg_attr(not(test), wasm_bindgen::prelude::wasm_bindgen(start))]
pub fn start() {
    let root = web_sys::window().and_then(|window| window.document()).and_then(|page| page.get_element_by_id("app"));
    if let Some(root) = root {
        recovery::install();
        let left = if cfg!(feature = "full") { handover::take() } else { None };
        // An element of its own: what stood there, be it words for readers without WebAssembly or another module's page,
        // stays until this one has drawn.
        let own = root.owner_document().and_then(|page| page.create_element("div").ok());
        let own = own.filter(|own| root.append_child(own).is_ok()).unwrap_or(root);
        own.set_class_name(handover::ARRIVING);
        let props = app::AppProps { left };
        handover::keep(yew::Renderer::<app::App>::with_root_and_props(own, props).render());
    }
}
