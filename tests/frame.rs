//! The frame scheduler and what is put off, in a browser.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use gloo_timers::future::TimeoutFuture;
use placewise::ui::{delay::Delay, frame};
use std::cell::{Cell, RefCell};
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

/// A delay, and what it has done.
fn delay() -> (Delay, Rc<RefCell<Vec<u32>>>) {
    (Delay::default(), Rc::default())
}

fn put_off(delay: &Delay, after: u32, pending: bool, done: &Rc<RefCell<Vec<u32>>>, what: u32) {
    let done = done.clone();
    delay.put_off(after, pending, move || done.borrow_mut().push(what));
}

#[wasm_bindgen_test]
async fn what_is_put_off_is_done_once_and_late() {
    let (delay, done) = delay();
    frame::touch();
    ready().await;
    for what in 0..4 {
        put_off(&delay, 1000, true, &done, what);
        TimeoutFuture::new(40).await;
        assert!(!is_ready() && done.borrow().is_empty());
    }
    ready().await;
    assert_eq!(*done.borrow(), [3], "the last one alone");
    // Afterwards it serves again, and nobody waits for what is not pending.
    put_off(&delay, 100, false, &done, 4);
    assert!(is_ready());
    TimeoutFuture::new(400).await;
    assert_eq!(*done.borrow(), [3, 4]);
}

#[wasm_bindgen_test]
async fn what_is_cancelled_or_gone_is_not_done() {
    let (delay, done) = delay();
    put_off(&delay, 20, true, &done, 1);
    delay.cancel();
    TimeoutFuture::new(100).await;
    put_off(&delay, 20, true, &done, 2);
    drop(delay);
    ready().await;
    TimeoutFuture::new(100).await;
    assert!(done.borrow().is_empty(), "and nothing waits for it");
}
