//! Placewise: the app. `README.md` has the map of the repository.

#![cfg_attr(not(test), warn(clippy::use_debug))] // `{:?}` writes nothing in the site: crates/xtask/src/build/modules.rs

mod app;
pub mod assets;
pub mod draw;
mod few;
pub mod figures;
mod formulas;
pub mod lab_client;
pub mod pages;
pub mod recovery;
pub mod schemes;
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
        // What stood there for readers without WebAssembly gives way.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
