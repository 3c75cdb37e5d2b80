//! Playback and the frame scheduler, in a browser.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Mounted, ready};
use gloo_timers::future::TimeoutFuture;
use placewise::ui::frame;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlElement;

wasm_bindgen_test_configure!(run_in_browser);

fn is_ready() -> bool {
    let root: HtmlElement = common::document().document_element().unwrap().unchecked_into();
    root.dataset().get("ready").is_some()
}

#[wasm_bindgen_test]
async fn a_frame_draws_once_and_ready_waits_for_all() {
    frame::touch();
    let first = ready(0).await;
    let drawn = Rc::new(Cell::new(0));
    let key = frame::new_key();
    for _ in 0..5 {
        let drawn = drawn.clone();
        frame::request(key, move |_| drawn.set(drawn.get() + 1));
    }
    assert!(!is_ready());
    let guard = frame::busy();
    TimeoutFuture::new(100).await;
    assert_eq!(drawn.get(), 1);
    assert!(!is_ready());
    drop(guard);
    assert!(ready(first).await > first);
}

#[wasm_bindgen_test]
async fn a_cancelled_request_is_not_drawn() {
    let drawn = Rc::new(Cell::new(false));
    let key = frame::new_key();
    frame::request(key, {
        let drawn = drawn.clone();
        move |_| drawn.set(true)
    });
    frame::cancel(key);
    TimeoutFuture::new(100).await;
    assert!(!drawn.get() && is_ready());
}

#[wasm_bindgen_test]
async fn playback_moves_the_figure_and_pausing_sets_the_position() {
    let page = Mounted::ready().await;
    page.click(".figure__play");
    TimeoutFuture::new(600).await;
    let shown: f64 = page.text(".reading__value").parse().unwrap();
    assert!(shown > 12.5 && shown < 18.0, "{shown}");
    assert_eq!(page.position(), 12.0);
    page.click(".figure__play");
    page.settled().await;
    let paused = page.position();
    assert!(paused >= shown - 0.01 && (paused * 100.0 - (paused * 100.0).round()).abs() < 1e-6, "{paused}");
    page.click(".figure__transport button:last-of-type");
    page.settled().await;
    assert_eq!(page.position(), paused.floor() + 1.0);
}
