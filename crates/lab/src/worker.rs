//! What `worker.js` calls.

use crate::{blob::BlobSource, fill, job::Given, runner::Runner, weights::Source};
use wasm_bindgen::prelude::*;

/// The worker's side of the protocol. `worker.js` owns one.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Lab {
    runner: Runner,
}

#[wasm_bindgen]
impl Lab {
    /// Nothing to do.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        // A panic ends the module; what it said is kept for `worker.js` to tell.
        std::panic::set_hook(Box::new(|panic| {
            // The global object takes any property.
            let _ = js_sys::Reflect::set(&js_sys::global(), &"labPanic".into(), &panic.to_string().into());
        }));
        Self::default()
    }

    /// Takes a request; a message where it failed at once.
    pub fn run(
        &mut self,
        id: u32,
        text: &str,
        file: Option<web_sys::Blob>,
        values: Option<js_sys::Float32Array>,
    ) -> Option<js_sys::Object> {
        let file = file.and_then(BlobSource::new).map(|file| Box::new(file) as Box<dyn Source>);
        let values = values.map(|values| values.to_vec()).unwrap_or_default();
        self.runner.run_with(id, text, Given { file, values, clock: Some(Box::new(fill::now)) }).map(object)
    }

    /// Drops a request.
    pub fn cancel(&mut self, id: u32) -> Option<js_sys::Object> {
        self.runner.cancel(id).map(object)
    }

    /// Does one slice, of about 10 ms.
    pub fn step(&mut self) -> Option<js_sys::Object> {
        self.runner.step(&js_sys::Date::now).map(object)
    }

    /// Whether there is work for another slice.
    #[wasm_bindgen(getter)]
    pub fn busy(&self) -> bool {
        self.runner.busy()
    }
}

fn object(message: crate::protocol::Message) -> js_sys::Object {
    message.to_js().unchecked_into()
}
