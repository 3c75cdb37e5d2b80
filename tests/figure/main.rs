//! The generic figure and playback, in a browser.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod page;

use gloo_timers::future::TimeoutFuture;
use page::Mounted;
use placewise::state::{Action, Edit, Target};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn it_draws_at_the_density_of_the_screen() {
    let page = Mounted::ready().await;
    let dpr = web_sys::window().unwrap().device_pixel_ratio();
    let canvas: HtmlCanvasElement = page.find("[data-figure=probe] canvas");
    assert_eq!(f64::from(canvas.width()), (400.0 * dpr).round());
    assert_eq!(f64::from(canvas.height()), (200.0 * dpr).round());
    assert_eq!(canvas.get_bounding_client_rect().height(), 200.0);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").unwrap().unwrap().unchecked_into();
    let last = (f64::from(canvas.width()) - 1.0, f64::from(canvas.height()) - 1.0);
    assert_eq!(context.get_image_data(last.0, last.1, 1.0, 1.0).unwrap().data().0, [0, 0, 255, 255]);
    assert!(canvas.get_attribute("aria-label").unwrap().ends_with(". position 12"));
    let help = canvas.get_attribute("aria-describedby").unwrap();
    assert!(page::document().get_element_by_id(&help).is_some());
    assert_eq!(page.text(".figure__summary"), "position 12");
    assert_eq!(page.text(".legend__slot"), "probe");
}

#[wasm_bindgen_test]
async fn it_follows_the_width_of_the_page() {
    let page = Mounted::ready().await;
    page.find::<HtmlElement>("div").style().set_property("width", "300px").unwrap();
    // The observer reports with the next frame.
    TimeoutFuture::new(100).await;
    page.settled().await;
    assert_eq!(page.find::<HtmlCanvasElement>("canvas").get_bounding_client_rect().height(), 150.0);
}

#[wasm_bindgen_test]
async fn keys_move_the_cursor_as_one_step() {
    let page = Mounted::ready().await;
    assert!(page.key("ArrowRight"));
    page.settled().await;
    assert!(page.key("ArrowRight"));
    assert!(!page.key("q"), "a key that means nothing stays the page's");
    page.settled().await;
    assert_eq!(page.position(), 14.0);
    assert_eq!(page.text(".reading__value"), "14");
    assert_eq!(page.text(".figure__summary"), "position 14");
    page.act(Action::Undo);
    page.settled().await;
    assert_eq!(page.position(), 12.0);
}

#[wasm_bindgen_test]
async fn hover_passes_and_a_drag_stays() {
    let page = Mounted::ready().await;
    page.pointer("pointermove", "mouse", 1, 200, 10);
    page.settled().await;
    assert_eq!(page.text(".reading__value"), "32");
    assert_eq!(page.position(), 12.0);
    page.pointer("pointerleave", "mouse", 1, 200, 10);
    page.settled().await;
    assert_eq!(page.text(".reading__value"), "12");

    page.pointer("pointerdown", "mouse", 1, 100, 10);
    page.settled().await;
    page.pointer("pointermove", "mouse", 1, 300, 10);
    page.pointer("pointerup", "mouse", 1, 300, 10);
    page.settled().await;
    assert_eq!(page.position(), 48.0);
    page.act(Action::Undo);
    page.settled().await;
    assert_eq!(page.position(), 12.0);
    assert!(!page.app.borrow().can_undo());
}

#[wasm_bindgen_test]
async fn a_sequence_that_shrinks_under_the_pointer_takes_the_cursor_along() {
    let page = Mounted::ready().await;
    page.pointer("pointermove", "mouse", 1, 390, 10);
    page.settled().await;
    assert_eq!(page.text(".reading__value"), "62");
    page.act(Action::Edit(Edit::Set(Target::Global, "length", "3".into()), None));
    page.settled().await;
    assert_eq!(page.text(".reading__value"), "2");
}

#[wasm_bindgen_test]
async fn a_finger_that_scrolls_sets_nothing_and_a_tap_does() {
    let page = Mounted::ready().await;
    page.pointer("pointerdown", "touch", 2, 100, 10);
    page.pointer("pointercancel", "touch", 2, 100, 40);
    page.settled().await;
    assert_eq!(page.position(), 12.0);
    page.pointer("pointerdown", "touch", 3, 100, 10);
    page.pointer("pointerup", "touch", 3, 100, 10);
    page.settled().await;
    assert_eq!(page.position(), 16.0);
}

#[wasm_bindgen_test]
async fn readings_are_text_and_their_formulas_mathml() {
    let page = Mounted::ready().await;
    assert_eq!(page.text(".reading__label"), "<b>p</b>");
    let number: Element = page.find(".reading__math math mn");
    assert_eq!(number.namespace_uri().unwrap(), "http://www.w3.org/1998/Math/MathML");
}

#[wasm_bindgen_test]
async fn the_table_opens_turns_and_closes() {
    let page = Mounted::ready().await;
    assert!(page.root.query_selector("table").unwrap().is_none());
    page.click(".figure__toggle");
    page.settled().await;
    assert_eq!(page.text("[data-figure=probe] table caption"), "page 0");
    assert_eq!(page.text("tbody th[scope=row]"), "12");
    assert_eq!(page.text("thead th[scope=col]"), "p");
    page.click(".figure__pages button:last-child");
    page.settled().await;
    assert_eq!(page.text("caption"), "page 1");
    assert!(page.find::<Element>(".figure__pages button:last-child").has_attribute("disabled"));
    // Page 0 is the cursor's: a move of the cursor goes back to it.
    page.key("ArrowRight");
    page.settled().await;
    assert_eq!((page.text("caption"), page.text("tbody th")), ("page 0".into(), "13".into()));
    page.click(".figure__toggle");
    page.settled().await;
    assert!(page.root.query_selector("table").unwrap().is_none());
}

#[wasm_bindgen_test]
async fn without_a_canvas_there_are_words() {
    let page = Mounted::new();
    yew::scheduler::flush().await;
    // A canvas that is somebody's bitmap renderer has no 2-D context.
    page.find::<HtmlCanvasElement>("canvas").get_context("bitmaprenderer").unwrap().unwrap();
    page.settled().await;
    assert!(!page.find::<Element>(".figure__stage .figure__failed").has_attribute("hidden"));
    assert!(page.find::<Element>("canvas").has_attribute("hidden"));
    assert_eq!(page.text(".reading__value"), "12");
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
