//! Messages as JavaScript objects, in a browser.
#![cfg(target_arch = "wasm32")]

use js_sys::{JSON, Reflect};
use lab::{
    codec,
    protocol::{Answer, Message},
    worker::Lab,
};
use posenc::{Repair, Why};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn messages_read_back() {
    let note = Repair { key: "length".into(), given: "é".into(), used: "1".into(), why: Why::NotANumber };
    for message in [
        Message::Ready,
        Message::Progress { id: 7, done: 0.5, total: 3.0 },
        Message::Answer(Answer {
            id: u32::MAX,
            arrays: vec![("mean".into(), vec![1.5, f32::INFINITY]), ("none".into(), vec![])],
            notes: vec![note],
            text: "{}".into(),
        }),
        Message::Cancelled { id: 0 },
        Message::Failed { id: None, message: "why".into() },
        Message::Failed { id: Some(3), message: String::new() },
    ] {
        assert_eq!(Message::from_js(&message.to_js()), Some(message));
    }
}

#[wasm_bindgen_test]
fn what_is_no_message_is_refused() {
    for text in [
        "null",
        "1",
        "{}",
        r#"{"kind": "other"}"#,
        r#"{"kind": "progress", "id": 1.5, "done": 1, "total": 1}"#,
        r#"{"kind": "progress", "id": -1, "done": 1, "total": 1}"#,
        r#"{"kind": "progress", "id": 1, "done": "1", "total": 1}"#,
        r#"{"kind": "answer", "id": 1, "names": ["a"], "arrays": [], "notes": []}"#,
        r#"{"kind": "answer", "id": 1, "names": ["a"], "arrays": [[1]], "notes": []}"#,
        r#"{"kind": "failed", "message": "no id"}"#,
    ] {
        let value = JSON::parse(text).unwrap_or(JsValue::UNDEFINED);
        assert!(!value.is_undefined(), "{text}");
        assert_eq!(Message::from_js(&value), None, "{text}");
    }
}

#[wasm_bindgen_test]
fn messages_to_the_worker_have_the_documented_fields() {
    let field = |value: &JsValue, key: &str| Reflect::get(value, &key.into()).unwrap_or(JsValue::UNDEFINED);
    let init = codec::init("a.js", "b.wasm");
    assert_eq!(
        ["kind", "script", "module"].map(|key| field(&init, key)),
        ["init", "a.js", "b.wasm"].map(JsValue::from)
    );
    let run = codec::run(5, "band");
    assert_eq!(["kind", "text"].map(|key| field(&run, key)), ["run", "band"].map(JsValue::from));
    assert_eq!((codec::id(&run), codec::id(&codec::cancel(6))), (Some(5), Some(6)));
    assert_eq!(field(&codec::cancel(6), "kind"), JsValue::from("cancel"));
}

#[wasm_bindgen_test]
fn the_module_answers() {
    let mut lab = Lab::new();
    assert!(!lab.busy());
    assert!(lab.run(1, "band?length=100000&columns=50&draws=8", None, None).is_none());
    assert!(lab.run(2, "nonsense", None, None).is_some());
    assert!(lab.busy());
    let mut last = None;
    for _ in 0..100_000 {
        if !lab.busy() {
            break;
        }
        last = lab.step().or(last);
    }
    let message = last.and_then(|object| Message::from_js(&object));
    assert!(matches!(&message, Some(Message::Answer(a)) if a.id == 1 && a.array("mean").len() == 50), "{message:?}");
}
