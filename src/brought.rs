//! The table of weights that a person brought: here as long as the tab is open, and nowhere else.
//!
//! Schemes ask for it by the names of [`posenc::plain`]; `tables` looks here where it looks on the network for others.
//! The tab's storage knows what the table is, and `store` has its numbers.

mod store;

use lab::weights::{Format, Kind, Matrix, Tensor};
use posenc::{base::Fit, plain};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Storage;

/// Frequencies that are kept at the most: no model's head has as many planes.
const MOST_PLANES: usize = 4096;

/// What is known of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The name of its file.
    pub(crate) file: String,
    /// The file's format.
    pub(crate) format: Format,
    /// The tensor, as the file has it.
    pub(crate) tensor: Tensor,
    /// What was read of it; its numbers are elsewhere.
    pub(crate) matrix: Matrix,
    /// Its rows.
    pub(crate) rows: u64,
    /// Of frequencies, what they are beside a base's.
    pub(crate) base: Option<Base>,
    /// The frequencies themselves, in radians per token; empty of other tables.
    #[serde(default)]
    pub(crate) frequencies: Vec<f64>,
    /// Where its numbers are kept.
    key: f64,
}

/// [`posenc::base::Fit`], as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Base {
    /// The base.
    pub(crate) theta: f64,
    /// How far the plane is off, relative to itself, that is furthest off.
    pub(crate) worst: f64,
    /// That plane.
    pub(crate) plane: usize,
    /// How many planes are the base's.
    pub(crate) fitting: usize,
}

impl About {
    /// Of what was read, and its numbers.
    pub(crate) fn new(file: String, format: Format, tensor: Tensor, matrix: Matrix, values: &[f32]) -> Self {
        let rows = values.len() as u64 / matrix.columns.max(1);
        let fit = if tensor.kind == Kind::Frequencies { posenc::base::fit(values) } else { None };
        let frequencies = match tensor.kind {
            Kind::Frequencies => values.iter().take(MOST_PLANES).map(|freq| f64::from(*freq)).collect(),
            _ => Vec::new(),
        };
        let base = fit.map(|Fit { theta, worst, plane, fitting }| Base { theta, worst, plane, fitting });
        Self { file, format, tensor, matrix, rows, base, frequencies, key: js_sys::Date::now() }
    }

    /// Whether a scheme that asks for this file is made of it.
    fn serves(&self, file: &str) -> bool {
        let kind = self.tensor.kind;
        match file.split_once("-yours") {
            Some(("t5", _)) => matches!(kind, Kind::Buckets { .. }),
            Some(("learned2d", _)) => matches!(kind, Kind::Grid { .. }),
            Some(("learned", _)) => kind != Kind::Frequencies,
            _ => false,
        }
    }
}

#[derive(Default)]
struct Kept {
    /// Whether the tab's storage was looked at.
    looked: bool,
    about: Option<Rc<About>>,
    bytes: Option<Rc<[u8]>>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// The key of the tab's storage.
const KEY: &str = "placewise.table";

/// The tab's storage; that it is blocked is no error.
fn storage() -> Option<Storage> {
    // Tests run without a page.
    if cfg!(target_arch = "wasm32") { web_sys::window()?.session_storage().ok()? } else { None }
}

/// What the table is, if there is one.
pub(crate) fn about() -> Option<Rc<About>> {
    KEPT.with_borrow_mut(|kept| {
        if !std::mem::replace(&mut kept.looked, true) {
            let text = storage().and_then(|storage| storage.get_item(KEY).ok()?);
            kept.about = text.and_then(|text| serde_json::from_str(&text).ok()).map(Rc::new);
        }
        kept.about.clone()
    })
}

/// Whether there is a table for a scheme that asks for this file.
pub(crate) fn serves(file: &str) -> bool {
    about().is_some_and(|about| about.serves(file))
}

/// Whether a file is one that only a person can bring.
pub(crate) fn is_own(file: &str) -> bool {
    file.contains("-yours")
}

/// The numbers of the table, as [`posenc::plain`] has them; `None` where there is none for a scheme that asks for this
/// file, or it is gone.
pub(crate) async fn bytes(file: &str) -> Option<Rc<[u8]>> {
    let about = about().filter(|about| about.serves(file))?;
    if let Some(bytes) = KEPT.with_borrow(|kept| kept.bytes.clone()) {
        return Some(bytes);
    }
    let bytes: Rc<[u8]> = store::get(about.key).await?.into();
    KEPT.with_borrow_mut(|kept| kept.bytes = Some(bytes.clone()));
    Some(bytes)
}

/// Takes a table in place of the one before. It is told in words where it is none.
pub(crate) fn put(about: About, values: &[f32]) -> Result<(), posenc::Error> {
    let bytes: Rc<[u8]> = plain::encode(about.matrix.columns as usize, values)?.into();
    if let Some(storage) = storage() {
        // Without it the table is here until the page is loaded again.
        if let Ok(text) = serde_json::to_string(&about) {
            let _ = storage.set_item(KEY, &text);
        }
    }
    store::put(about.key, bytes.clone());
    KEPT.set(Kept { looked: true, about: Some(Rc::new(about)), bytes: Some(bytes) });
    Ok(())
}

/// Forgets the table.
pub(crate) fn clear() {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(KEY);
    }
    if let Some(about) = about() {
        store::remove(about.key);
    }
    KEPT.set(Kept { looked: true, ..Kept::default() });
}
