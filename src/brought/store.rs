//! Numbers that are too many for the tab's storage, in the browser's database. That it is blocked is no error: the table
//! is then gone when the page is loaded again.

use js_sys::{Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransactionMode};

const NAME: &str = "placewise";
const STORE: &str = "tables";
/// What tabs have left behind is removed after a day, in milliseconds. Keys are the time.
const LEFT: f64 = 24.0 * 3600.0 * 1000.0;

/// Waits for a request.
async fn done(request: &IdbRequest) -> Option<JsValue> {
    let promise = Promise::new(&mut |yes, no| {
        request.set_onsuccess(Some(&yes));
        request.set_onerror(Some(&no));
    });
    JsFuture::from(promise).await.ok()?;
    request.result().ok()
}

async fn open() -> Option<IdbDatabase> {
    let request: IdbOpenDbRequest = web_sys::window()?.indexed_db().ok()??.open(NAME).ok()?;
    let create = wasm_bindgen::closure::Closure::once_into_js({
        let request = request.clone();
        move |_: web_sys::Event| {
            let database = request.result().ok().and_then(|result| result.dyn_into::<IdbDatabase>().ok());
            if let Some(database) = database {
                let _ = database.create_object_store(STORE);
            }
        }
    });
    request.set_onupgradeneeded(Some(create.unchecked_ref()));
    done(&request).await?.dyn_into().ok()
}

/// Does something with the store; the database is closed after it.
async fn with(mode: IdbTransactionMode, act: impl FnOnce(&IdbObjectStore) -> Option<IdbRequest>) -> Option<JsValue> {
    let database = open().await?;
    let store = database.transaction_with_str_and_mode(STORE, mode).ok()?.object_store(STORE).ok();
    let request = store.and_then(|store| act(&store));
    let result = match request {
        Some(request) => done(&request).await,
        None => None,
    };
    database.close();
    result
}

/// The bytes under a key.
pub(super) async fn get(key: f64) -> Option<Vec<u8>> {
    let found = with(IdbTransactionMode::Readonly, |store| store.get(&key.into()).ok()).await?;
    Some(found.dyn_into::<Uint8Array>().ok()?.to_vec())
}

/// Keeps bytes, and removes what other tabs have left.
pub(super) fn put(key: f64, bytes: Rc<[u8]>) {
    if cfg!(target_arch = "wasm32") {
        spawn_local(async move {
            with(IdbTransactionMode::Readwrite, |store| {
                if let Ok(range) = IdbKeyRange::upper_bound(&(key - LEFT).into()) {
                    let _ = store.delete(&range);
                }
                store.put_with_key(&Uint8Array::from(&*bytes), &key.into()).ok()
            })
            .await;
        });
    }
}

/// Removes the bytes under a key.
pub(super) fn remove(key: f64) {
    if cfg!(target_arch = "wasm32") {
        spawn_local(async move {
            with(IdbTransactionMode::Readwrite, |store| store.delete(&key.into()).ok()).await;
        });
    }
}
