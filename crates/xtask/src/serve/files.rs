//! From a request to a file: pure but for reading it.

use std::fs;
use std::path::Path;

use crate::build::is_hashed;

/// What is sent back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// An answer that is a sentence.
    pub(super) fn refusal(status: u16, text: &str) -> Self {
        let headers =
            vec![("Content-Type", "text/plain; charset=utf-8".to_owned()), ("Cache-Control", "no-cache".to_owned())];
        Self { status, headers, body: text.as_bytes().to_vec() }
    }
}

/// Answers a request for `url` from the files in `folder`.
pub(super) fn answer(folder: &Path, url: &str, accepts: &str) -> Answer {
    let Some(name) = file_name(url) else { return Answer::refusal(404, "Not found\n") };
    let path = folder.join(&name);
    if path.is_dir() {
        // Without the slash, the relative addresses in the page would miss its folder.
        let mut moved = Answer::refusal(301, "Moved\n");
        moved.headers.push(("Location", format!("/{name}/")));
        return moved;
    }
    let mut packed = [("br", "br"), ("gzip", "gz")].into_iter().filter(|(coding, _)| accepted(accepts, coding));
    let packed =
        packed.find_map(|(coding, ending)| Some((coding, fs::read(folder.join(format!("{name}.{ending}"))).ok()?)));
    let (coding, body) = match packed {
        Some((coding, body)) => (Some(coding), body),
        None => match fs::read(&path) {
            Ok(body) => (None, body),
            Err(_) => return Answer::refusal(404, "Not found\n"),
        },
    };
    let keep = if is_hashed(&name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = vec![
        ("Content-Type", mime(&name).to_owned()),
        ("Cache-Control", keep.to_owned()),
        ("Vary", "Accept-Encoding".to_owned()),
    ];
    if let Some(coding) = coding {
        headers.push(("Content-Encoding", coding.to_owned()));
    }
    Answer { status: 200, headers, body }
}

/// The file that an address means, with forward slashes; `None` when it may not be asked for.
fn file_name(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let path = decoded(path)?;
    let path = path.strip_prefix('/')?;
    let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    path.split('/').all(plain).then_some(path)
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether an Accept-Encoding header allows a coding by name.
fn accepted(header: &str, coding: &str) -> bool {
    header.split(',').any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0)));
        named && !refused
    })
}

/// The kind of a file, by its name.
pub(crate) fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "jpg" => "image/jpeg",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "toml" => "application/toml",
        "xml" => "application/xml",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Result;

    use super::*;

    #[test]
    fn addresses_become_files() {
        assert_eq!(file_name("/").as_deref(), Some("index.html"));
        assert_eq!(file_name("/?a=../b#c").as_deref(), Some("index.html"));
        assert_eq!(file_name("/learn/").as_deref(), Some("learn/index.html"));
        assert_eq!(file_name("/icons/a%20b.svg").as_deref(), Some("icons/a b.svg"));
    }

    #[test]
    fn no_address_leaves_the_folder() {
        for url in [
            "/../Cargo.toml",
            "/a/../../b",
            "/%2e%2e/Cargo.toml",
            "/..%2fCargo.toml",
            "/..\\Cargo.toml",
            "/%5c..",
            "//etc/passwd",
            "/C:/x",
            "/.git/config",
            "/%00",
            "/%",
            "/%zz",
            "/%ff",
            "x",
        ] {
            assert_eq!(file_name(url), None, "{url}");
        }
    }

    #[test]
    fn codings_are_negotiated() {
        assert!(accepted("gzip, deflate, br, zstd", "br"));
        assert!(accepted("BR;q=0.5", "br"));
        assert!(!accepted("gzip", "br"));
        assert!(!accepted("br;q=0, gzip", "br"));
        assert!(!accepted("br; q=0.0", "br"));
        assert!(!accepted("", "br"));
    }

    #[test]
    fn files_are_answered_with_their_headers() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("placewise-serve-{}", std::process::id()));
        fs::create_dir_all(folder.join("learn"))?;
        fs::write(folder.join("index.html"), "page")?;
        fs::write(folder.join("app.0123456789ab.wasm"), "module")?;
        fs::write(folder.join("app.0123456789ab.wasm.br"), "packed")?;
        let get = |url, accepts| {
            let answer = answer(&folder, url, accepts);
            let header = |name| answer.headers.iter().find(|header| header.0 == name).map(|header| header.1.clone());
            (
                answer.status,
                header("Content-Type"),
                header("Content-Encoding"),
                header("Cache-Control"),
                String::from_utf8_lossy(&answer.body).into_owned(),
            )
        };
        let text = |text: &str| Some(text.to_owned());
        let immutable = || text("public, max-age=31536000, immutable");
        assert_eq!(get("/", "br"), (200, text("text/html; charset=utf-8"), None, text("no-cache"), "page".to_owned()));
        assert_eq!(
            get("/app.0123456789ab.wasm", "br"),
            (200, text("application/wasm"), text("br"), immutable(), "packed".to_owned())
        );
        assert_eq!(
            get("/app.0123456789ab.wasm", "gzip"),
            (200, text("application/wasm"), None, immutable(), "module".to_owned())
        );
        assert_eq!(get("/missing", "").0, 404);
        assert_eq!(get("/learn", "").0, 301);
        assert_eq!(get("/learn/", "").0, 404);
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
