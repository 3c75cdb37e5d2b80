//! Messages as JavaScript objects; their fields are listed in [`protocol`](crate::protocol).

use crate::protocol::{Answer, Message, why, word};
use js_sys::{Array, Float32Array, Object, Reflect};
use posenc::Repair;
use wasm_bindgen::{JsCast, JsValue};

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (key, value) in fields {
        // Fails on a frozen object only.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object
}

fn get(object: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(key)).ok().filter(|value| !value.is_undefined())
}

fn text(object: &JsValue, key: &str) -> Option<String> {
    get(object, key)?.as_string()
}

fn number(object: &JsValue, key: &str) -> Option<f64> {
    get(object, key)?.as_f64()
}

/// A whole number from 0 to 2^32 − 1.
pub fn id(object: &JsValue) -> Option<u32> {
    let id = number(object, "id")?;
    (id >= 0.0 && id <= f64::from(u32::MAX) && id.fract() == 0.0).then_some(id as u32)
}

/// The message `init` to a worker: the addresses of `lab.js` and of its WebAssembly.
pub fn init(script: &str, module: &str) -> JsValue {
    object(&[("kind", "init".into()), ("script", script.into()), ("module", module.into())]).into()
}

/// The message `run`: a request's text under an id of the app's choice.
pub fn run(id: u32, text: &str) -> JsValue {
    object(&[("kind", "run".into()), ("id", id.into()), ("text", text.into())]).into()
}

/// The message `run` with what its job works on.
#[cfg(feature = "weights")]
pub fn run_with(id: u32, text: &str, key: &str, value: &JsValue) -> JsValue {
    object(&[("kind", "run".into()), ("id", id.into()), ("text", text.into()), (key, value.clone())]).into()
}

/// The message `cancel`.
pub fn cancel(id: u32) -> JsValue {
    object(&[("kind", "cancel".into()), ("id", id.into())]).into()
}

impl Message {
    /// As the worker posts it.
    pub fn to_js(&self) -> JsValue {
        match self {
            Self::Ready => object(&[("kind", "ready".into())]),
            Self::Progress { id, done, total } => object(&[
                ("kind", "progress".into()),
                ("id", (*id).into()),
                ("done", (*done).into()),
                ("total", (*total).into()),
            ]),
            Self::Answer(answer) => {
                let (names, arrays, notes) = (Array::new(), Array::new(), Array::new());
                for (name, array) in &answer.arrays {
                    names.push(&name.into());
                    arrays.push(&Float32Array::from(array.as_slice()));
                }
                for note in &answer.notes {
                    notes.push(&object(&[
                        ("key", (&note.key).into()),
                        ("given", (&note.given).into()),
                        ("used", (&note.used).into()),
                        ("why", word(note.why).into()),
                    ]));
                }
                object(&[
                    ("kind", "answer".into()),
                    ("id", answer.id.into()),
                    ("names", names.into()),
                    ("arrays", arrays.into()),
                    ("notes", notes.into()),
                    #[cfg(feature = "weights")]
                    ("text", (&answer.text).into()),
                ])
            }
            Self::Cancelled { id } => object(&[("kind", "cancelled".into()), ("id", (*id).into())]),
            Self::Failed { id, message } => object(&[
                ("kind", "failed".into()),
                ("id", id.map_or(JsValue::NULL, JsValue::from)),
                ("message", message.into()),
            ]),
        }
        .into()
    }

    /// Reads what a worker posted; `None` where it is no message of this protocol.
    pub fn from_js(value: &JsValue) -> Option<Self> {
        match text(value, "kind")?.as_str() {
            "ready" => Some(Self::Ready),
            "progress" => {
                Some(Self::Progress { id: id(value)?, done: number(value, "done")?, total: number(value, "total")? })
            }
            "answer" => {
                let names = get(value, "names")?.dyn_into::<Array>().ok()?;
                let arrays = get(value, "arrays")?.dyn_into::<Array>().ok()?;
                if names.length() != arrays.length() {
                    return None;
                }
                let named = names
                    .iter()
                    .zip(arrays.iter())
                    .map(|(name, array)| Some((name.as_string()?, array.dyn_into::<Float32Array>().ok()?.to_vec())));
                let notes = get(value, "notes")?.dyn_into::<Array>().ok()?;
                let notes = notes.iter().map(|note| {
                    Some(Repair {
                        key: text(&note, "key")?,
                        given: text(&note, "given")?,
                        used: text(&note, "used")?,
                        why: why(&text(&note, "why")?)?,
                    })
                });
                Some(Self::Answer(Answer {
                    id: id(value)?,
                    arrays: named.collect::<Option<_>>()?,
                    notes: notes.collect::<Option<_>>()?,
                    #[cfg(feature = "weights")]
                    text: text(value, "text").unwrap_or_default(),
                }))
            }
            "cancelled" => Some(Self::Cancelled { id: id(value)? }),
            "failed" => {
                let of = get(value, "id")?;
                let id = if of.is_null() { None } else { Some(id(value)?) };
                Some(Self::Failed { id, message: text(value, "message")? })
            }
            _ => None,
        }
    }
}
