//! What schemes compute: built once for its parameters, and tables of weights fetched once, when a scheme that needs one
//! is chosen. Both are kept.

use crate::assets;
use crate::few::Few;
#[cfg(feature = "full")]
use crate::{brought, words};
use posenc::{Asset, Config, Drawn, Encoding, Error};
#[cfg(feature = "full")]
use posenc::{Repair, Why, plain::YOURS};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::Callback;

/// What is known of a file.
enum Held {
    /// It is on its way.
    Coming,
    /// What went wrong, in words.
    Failed(String),
    /// The encoding that it makes.
    Here(Built),
}

/// What a scheme computes, or why it cannot.
type Built = Rc<Result<Encoding, Error>>;

/// Encodings that are kept: those of the schemes on screen, and of the step before.
const MOST_BUILT: usize = 8;

thread_local! {
    /// By parameters and length, the oldest first: within a step each is asked for many times.
    static BUILT: RefCell<Vec<(Config, f64, Built)>> = const { RefCell::new(Vec::new()) };
    static HELD: RefCell<Few<&'static str, Held>> = RefCell::default();
    static VERSION: Cell<u32> = const { Cell::new(0) };
    /// Who makes the page again.
    static WATCHER: RefCell<Option<Callback<()>>> = const { RefCell::new(None) };
}

/// Calls when a person has brought another table.
pub(crate) fn watch(changed: Callback<()>) {
    WATCHER.set(Some(changed));
}

/// A number that changes when something is known that was not: what shows tables is made again.
pub(crate) fn version() -> u32 {
    VERSION.get()
}

fn hold(file: &'static str, held: Held) {
    VERSION.set(VERSION.get().wrapping_add(1));
    HELD.with_borrow_mut(|all| drop(all.insert(file, held)));
}

/// What a scheme computes in a sequence of this length, its table put in where it is here; else [`Error::NeedsData`].
pub(crate) fn encoding(config: &Config, length: f64) -> Built {
    let known = BUILT.with_borrow(|all| {
        all.iter().find(|(other, at, _)| *at == length && other == config).map(|(_, _, built)| built.clone())
    });
    if let Some(known) = known {
        return known;
    }
    let built = config.build_at(length);
    if let Err(Error::NeedsData(asset)) = &built {
        let here = HELD.with_borrow(|all| match all.get(&asset.file) {
            Some(Held::Here(encoding)) => Some(encoding.clone()),
            _ => None,
        });
        return here.unwrap_or_else(|| Rc::new(built));
    }
    let built = Rc::new(built);
    BUILT.with_borrow_mut(|all| {
        if all.len() == MOST_BUILT {
            all.remove(0);
        }
        all.push((config.clone(), length, built.clone()));
    });
    built
}

/// What went wrong with a file, in words; `None` while it is on its way, too.
pub(crate) fn failure(file: &'static str) -> Option<String> {
    HELD.with_borrow(|all| match all.get(&file) {
        Some(Held::Failed(message)) => Some(message.clone()),
        _ => None,
    })
}

fn needed(schemes: &[Config]) -> impl Iterator<Item = Asset> {
    let weights = schemes.iter().filter(|config| config.drawn() == Drawn::Weights);
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
    let decoded = |bytes: &[u8]| match (asset.decode)(bytes) {
        Ok(encoding) => Held::Here(Rc::new(Ok(encoding))),
        Err(error) => Held::Failed(error.to_string()),
    };
    #[cfg(feature = "full")]
    if brought::is_own(asset.file) {
        let held = match brought::bytes(asset.file).await {
            Some(bytes) => decoded(&bytes),
            None => Held::Failed(words::brought_none().to_owned()),
        };
        return hold(asset.file, held);
    }
    let held = match assets::fetch_bytes(&format!("data/{}", asset.file)).await {
        Err(error) => Held::Failed(error.to_string()),
        Ok(bytes) => decoded(&bytes),
    };
    hold(asset.file, held);
}

/// A person brought another table: what was made of the one before is forgotten.
#[cfg(feature = "full")]
pub(crate) fn replaced() {
    VERSION.set(VERSION.get().wrapping_add(1));
    HELD.with_borrow_mut(|all| {
        *all = std::mem::take(all).into_iter().filter(|(file, _)| !brought::is_own(file)).fold(
            Few::default(),
            |mut kept, (file, held)| {
                kept.insert(file, held);
                kept
            },
        );
    });
    crate::figures::forget();
    if let Some(changed) = WATCHER.with_borrow(Clone::clone) {
        changed.emit(());
    }
}

/// Where a scheme asks for a table that nobody has brought in this tab, another is taken: a link does not carry it.
#[cfg(feature = "full")]
pub(crate) fn settle(config: &mut Config) -> Option<Repair> {
    let missing = match config.build() {
        Err(Error::NeedsData(asset)) => brought::is_own(asset.file) && !brought::serves(asset.file),
        _ => false,
    };
    missing.then(|| {
        config.settings.reset("table");
        let used = config.settings.choice("table").to_owned();
        Repair { key: "table".to_owned(), given: YOURS.to_owned(), used, why: Why::OutOfRange }
    })
}
