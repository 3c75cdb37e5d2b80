//! The only door to bytes. Nothing else builds an address.
//!
//! The build lists every file in the page as `<link data-asset="NAME" href="…">`, because their names carry hashes. The
//! one-file edition may not fetch: its page holds `data:` or `blob:` addresses in the same links, or the bytes
//! themselves, and this file is the only one that has to know.

use crate::words;
use std::fmt;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlLinkElement, Response};

/// Why an asset is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetError {
    /// The page does not list it.
    Unlisted(String),
    /// The network or the server did not give it.
    Unreachable(String),
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::Unlisted(name) => words::asset_unlisted(name),
            Self::Unreachable(name) => words::asset_unreachable(name),
        })
    }
}

/// The address of an asset, absolute.
///
/// # Errors
/// [`AssetError::Unlisted`].
pub fn url(name: &str) -> Result<String, AssetError> {
    let unlisted = || AssetError::Unlisted(name.to_owned());
    // Names are ours; one that could end the selector is not listed.
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'/')) {
        return Err(unlisted());
    }
    let document = web_sys::window().and_then(|window| window.document()).ok_or_else(unlisted)?;
    let link = document.query_selector(&format!("link[data-asset=\"{name}\"]")).ok().flatten().ok_or_else(unlisted)?;
    link.dyn_into::<HtmlLinkElement>().map(|link| link.href()).map_err(|_| unlisted())
}

/// The bytes of an asset.
///
/// # Errors
/// [`AssetError`].
pub async fn fetch_bytes(name: &str) -> Result<Vec<u8>, AssetError> {
    let url = url(name)?;
    let unreachable = || AssetError::Unreachable(name.to_owned());
    let window = web_sys::window().ok_or_else(unreachable)?;
    let response = JsFuture::from(window.fetch_with_str(&url)).await.map_err(|_| unreachable())?;
    let response: Response = response.dyn_into().map_err(|_| unreachable())?;
    if !response.ok() {
        return Err(unreachable());
    }
    let buffer = response.array_buffer().map_err(|_| unreachable())?;
    let buffer = JsFuture::from(buffer).await.map_err(|_| unreachable())?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}
