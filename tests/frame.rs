//! The frame scheduler, in a browser.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use gloo_timers::future::TimeoutFuture;
use placewise::ui::frame;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlElement;

wasm_bindgen_test_configure!(run_in_browser);

fn number() -> Option<u64> {
    let document = web_sys::window().unwrap().document().unwrap();
    let root: HtmlElement = document.document_element().unwrap().unchecked_into();
    root.dataset().get("ready").map(|number| number.parse().unwrap())
}

fn is_ready() -> bool {
    number().is_some()
}

async fn ready() -> u64 {
    for _ in 0..300 {
        if let Some(number) = number() {
            return number;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("the page did not become ready");
}

#[wasm_bindgen_test]
async fn a_frame_draws_once_and_ready_waits_for_all() {
    frame::touch();
    let first = ready().await;
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
    assert!(ready().await > first);
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
