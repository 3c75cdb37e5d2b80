//! Tables of weights: fetched when a scheme that needs one is chosen, once, and kept.

use crate::assets;
use crate::few::Few;
use posenc::{Asset, Config, Drawn, Encoding, Error};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What is known of a file.
enum Held {
    /// It is on its way.
    Coming,
    /// What went wrong, in words.
    Failed(String),
    /// The encoding that it makes.
    Here(Rc<Result<Encoding, Error>>),
}

thread_local! {
    static HELD: RefCell<Few<&'static str, Held>> = RefCell::default();
    static VERSION: Cell<u32> = const { Cell::new(0) };
}

/// A number that changes when something is known that was not: what shows tables is made again.
pub(crate) fn version() -> u32 {
    VERSION.get()
}

fn hold(file: &'static str, held: Held) {
    VERSION.set(VERSION.get().wrapping_add(1));
    HELD.with_borrow_mut(|all| drop(all.insert(file, held)));
}

/// What a scheme computes, its table put in where it is here; else [`Error::NeedsData`].
pub(crate) fn encoding(config: &Config, length: f64) -> Rc<Result<Encoding, Error>> {
    let built = config.build_at(length);
    if let Err(Error::NeedsData(asset)) = &built {
        let here = HELD.with_borrow(|all| match all.get(&asset.file) {
            Some(Held::Here(encoding)) => Some(encoding.clone()),
            _ => None,
        });
        if let Some(encoding) = here {
            return encoding;
        }
    }
    Rc::new(built)
}

/// What went wrong with a file, in words; `None` while it is on its way, too.
pub(crate) fn failure(file: &'static str) -> Option<String> {
    HELD.with_borrow(|all| match all.get(&file) {
        Some(Held::Failed(message)) => Some(message.clone()),
        _ => None,
    })
}

fn needed(schemes: &[Config]) -> impl Iterator<Item = Asset> {
    let weights = schemes.iter().filter(|config| config.spec.drawn == Drawn::Weights);
    weights.filter_map(|config| match config.build() {
        Err(Error::NeedsData(asset)) => Some(asset),
        _ => None,
    })
}

/// The files that some schemes need and nobody has asked for.
pub(crate) fn wanted(schemes: &[Config]) -> Vec<Asset> {
    let unknown = |asset: &Asset| HELD.with_borrow(|all| all.get(&asset.file).is_none());
    needed(schemes).filter(unknown).collect()
}

/// The files that some schemes need and that could not be had, each with what went wrong.
pub(crate) fn failed(schemes: &[Config]) -> Vec<(&'static str, String)> {
    needed(schemes).filter_map(|asset| Some((asset.file, failure(asset.file)?))).collect()
}

/// Forgets that a file could not be had: it is wanted again.
pub(crate) fn forget(file: &'static str) {
    VERSION.set(VERSION.get().wrapping_add(1));
    HELD.with_borrow_mut(|all| drop(all.remove(&file)));
}

/// Fetches a file, unless it is there or on its way.
pub(crate) async fn fetch(asset: Asset) {
    if HELD.with_borrow(|all| all.get(&asset.file).is_some()) {
        return;
    }
    hold(asset.file, Held::Coming);
    let held = match assets::fetch_bytes(&format!("data/{}", asset.file)).await {
        Err(error) => Held::Failed(error.to_string()),
        Ok(bytes) => match (asset.decode)(&bytes) {
            Ok(encoding) => Held::Here(Rc::new(Ok(encoding))),
            Err(error) => Held::Failed(error.to_string()),
        },
    };
    hold(asset.file, held);
}
