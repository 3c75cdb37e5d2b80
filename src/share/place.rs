//! Where the site is, as others reach it.

use crate::assets;
use web_sys::Location;

fn location() -> Option<Location> {
    Some(web_sys::window()?.location())
}

/// The address of a link on the app's page. What stands before the hash is left out: the fragment says it, but for
/// defaults, and those it would overrule.
pub(super) fn page(fragment: &str) -> String {
    let here = location().and_then(|location| location.href().ok()).unwrap_or_default();
    let end = here.find(['?', '#']).unwrap_or(here.len());
    format!("{}{fragment}", &here[..end])
}

/// The folder of the site, with a slash at its end: where its icon is, one folder down. The page may be one of a
/// lesson, in a folder of its own.
pub(super) fn site() -> String {
    let icon = assets::url("icons/icon.svg").unwrap_or_default();
    match icon.split_once("/icons/") {
        Some((folder, _)) if icon.starts_with("http") => format!("{folder}/"),
        // The one-file edition has no folder.
        _ => page(""),
    }
}
