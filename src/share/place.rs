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

/// The same for what leaves this machine. A page on a disk is reached by its file's name, from a page beside it; the names
/// of folders stay here.
pub(super) fn shared(fragment: &str) -> String {
    let page = page("");
    let from = if is_on_disk() { page.rfind('/').map_or(0, |slash| slash + 1) } else { 0 };
    format!("{}{fragment}", &page[from..])
}

/// Whether the page lies on a disk, where nobody else reaches it.
pub(super) fn is_on_disk() -> bool {
    location().and_then(|location| location.protocol().ok()).is_some_and(|protocol| protocol == "file:")
}

fn icon() -> String {
    assets::url("icons/icon.svg").unwrap_or_default()
}

/// Whether this is the edition of one file: there is no folder around it, and so no `embed.js` in it.
pub(super) fn is_alone() -> bool {
    !icon().starts_with("http")
}

/// The folder of the site, with a slash at its end: where its icon is, one folder down. The page may be one of a
/// lesson, in a folder of its own. Of the edition of one file, the file.
pub(super) fn site() -> String {
    match icon().split_once("/icons/") {
        Some((folder, _)) if !is_alone() => format!("{folder}/"),
        _ => shared(""),
    }
}
