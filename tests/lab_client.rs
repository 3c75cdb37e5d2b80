//! The app's end of the lab, against workers that are made up here.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use gloo_timers::future::TimeoutFuture;
use placewise::lab_client::{Report, ask, cancel};
use placewise::ui::frame;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, HtmlLinkElement};

wasm_bindgen_test_configure!(run_in_browser);

const GOOD: &str = "onmessage = ({ data: { kind, id, text } }) => {
    if (kind === 'init') postMessage({ kind: 'ready' });
    if (kind !== 'run' || text === 'slow') return;
    if (text === 'die') return postMessage({ kind: 'failed', id: null, message: 'boom' });
    if (text === 'mumble') return postMessage({ kind: 'hm' });
    if (text === 'bad') return postMessage({ kind: 'failed', id, message: 'no such job' });
    postMessage({ kind: 'progress', id, done: 1, total: 4 });
    postMessage({ kind: 'answer', id, names: ['mean'], arrays: [new Float32Array([1, 2])], notes: [] });
};";

fn page() -> (web_sys::Document, HtmlElement) {
    let document = web_sys::window().unwrap().document().unwrap();
    let root = document.document_element().unwrap().unchecked_into();
    (document, root)
}

/// Lists an asset on the page, as the build does.
fn list(name: &str, href: &str) {
    let (document, _) = page();
    let selector = format!("link[data-asset='{name}']");
    let link: HtmlLinkElement = document
        .query_selector(&selector)
        .unwrap()
        .unwrap_or_else(|| document.create_element("link").unwrap())
        .unchecked_into();
    link.set_attribute("data-asset", name).unwrap();
    link.set_href(href);
    document.head().unwrap().append_child(&link).unwrap();
}

fn worker(script: &str) {
    list("lab-worker.js", &format!("data:text/javascript,{}", js_sys::encode_uri_component(script)));
}

type Heard = Rc<RefCell<Vec<Report>>>;

fn listen(owner: frame::Key, text: &str) -> Heard {
    let heard = Heard::default();
    let reports = heard.clone();
    ask(owner, text, move |report| reports.borrow_mut().push(report));
    heard
}

/// Waits for the end of a request.
async fn end(heard: &Heard) -> Report {
    for _ in 0..500 {
        if let Some(report) = heard.borrow().last()
            && !matches!(report, Report::Progress(_))
        {
            return report.clone();
        }
        TimeoutFuture::new(10).await;
    }
    panic!("the request did not end");
}

async fn failure(heard: &Heard) -> String {
    match end(heard).await {
        Report::Failed(message) => message,
        other => panic!("{other:?} is no failure"),
    }
}

/// One test, because the worker is one for the page and its starts are counted.
#[wasm_bindgen_test]
async fn workers_good_and_bad() {
    let owner = frame::new_key();
    // Nothing is listed.
    let heard = listen(owner, "any");
    assert!(heard.borrow().is_empty(), "the caller is not called from inside its own call");
    assert!(failure(&heard).await.contains("lab-worker.js"));

    list("lab.js", "lab.js");
    list("lab.wasm", "lab.wasm");
    worker("this is no script");
    assert!(failure(&listen(owner, "any")).await.contains("could not be started"));

    worker(GOOD);
    let heard = listen(owner, "any");
    let Report::Done(answer) = end(&heard).await else { panic!("it failed") };
    assert_eq!(answer.array("mean"), [1.0, 2.0]);
    assert_eq!(heard.borrow()[0], Report::Progress(0.25));

    // The newest of an owner wins, and others are not touched.
    let (_, root) = page();
    let other = listen(frame::new_key(), "slow");
    let old = listen(owner, "slow");
    let new = listen(owner, "any");
    assert!(matches!(end(&new).await, Report::Done(_)));
    assert!(old.borrow().is_empty() && other.borrow().is_empty());
    assert!(root.dataset().get("ready").is_none(), "one is still awaited");
    assert_eq!(failure(&listen(owner, "bad")).await, "The computation in the background failed: no such job");

    // A worker that dies takes all with it; the next request has another.
    assert!(failure(&listen(owner, "die")).await.contains("boom"));
    assert!(failure(&other).await.contains("boom"));
    assert!(matches!(end(&listen(owner, "any")).await, Report::Done(_)));
    assert!(failure(&listen(owner, "mumble")).await.contains("cannot be read"));

    let cancelled = listen(owner, "slow");
    cancel(owner);
    TimeoutFuture::new(100).await;
    assert!(cancelled.borrow().is_empty());
    assert!(root.dataset().get("ready").is_some());
}
