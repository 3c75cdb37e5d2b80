//! The edition of one file: the page with every other file in it, packed. It needs no server and no network.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::LATER_STYLES;
use super::compress::gzip;
use crate::serve::{CSP, mime};

/// What only a page on a server has use for, and the module that the whole app makes needless.
const LEFT_OUT: [&str; 4] = ["app.wasm", "app.js", "placewise.css", LATER_STYLES];

/// Files that are there under a second name: the whole app is what the page begins with.
const ALSO: [(&str, &str); 2] = [("whole.wasm", "app.wasm"), ("whole.js", "app.js")];

/// Where the page leads to the texts, which are files of their own.
const TEXTS: &str = "<p><a href=\"./learn/\"";

/// The page of one file, from the site's page and its files in a folder, by their names. `unpack` is the script that
/// takes them out.
pub(super) fn page(html: &str, files: &BTreeMap<String, String>, folder: &Path, unpack: &str) -> Result<String> {
    let file = |name: &str| {
        let file = files.get(name).with_context(|| format!("the site has no {name}"))?;
        fs::read(folder.join(file)).with_context(|| format!("cannot read {file}"))
    };
    let text = |name: &str| Ok::<_, anyhow::Error>(String::from_utf8(file(name)?)?);
    let styles = [text("placewise.css")?, text(LATER_STYLES)?];
    if let Some(style) = styles.iter().find(|style| style.contains("url(")) {
        let place = style.find("url(").unwrap_or_default();
        bail!("a style sheet asks for a file: {}", style[place..].chars().take(60).collect::<String>());
    }
    let icon = format!("data:image/svg+xml;base64,{}", STANDARD.encode(file("icons/icon.svg")?));

    let mut page = String::with_capacity(4 << 20);
    for line in html.lines() {
        if line.contains("http-equiv=\"Content-Security-Policy\"") {
            page += &line.replace(CSP, &policy(&styles, unpack));
        } else if line.starts_with("<link rel=\"icon\"") {
            page.extend([
                "<link rel=\"icon\" type=\"image/svg+xml\" data-asset=\"icons/icon.svg\" href=\"",
                &icon,
                "\">",
            ]);
        } else if line.starts_with("<link rel=\"stylesheet\"") {
            for (name, style) in ["placewise.css", LATER_STYLES].iter().zip(&styles) {
                page.extend(["<style data-asset=\"", name, "\">", style, "</style>\n"]);
            }
        } else if ["<link rel=\"x-", "<script ", TEXTS].iter().any(|start| line.starts_with(start)) {
            continue;
        } else if line == "</body>" {
            packed(&mut page, files, &file)?;
            page.extend(["<script type=\"module\">", unpack, "</script>\n</body>"]);
        } else {
            page += line;
        }
        page.push('\n');
    }
    if page.contains("=\"./") && page.split("=\"./").skip(1).any(|rest| !rest.starts_with('"')) {
        bail!("the one file still names another");
    }
    Ok(page)
}

/// Every file that the app may ask for.
fn packed(page: &mut String, files: &BTreeMap<String, String>, file: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<()> {
    for name in files.keys().filter(|name| !LEFT_OUT.contains(&name.as_str()) && *name != "icons/icon.svg") {
        let mut names = name.clone();
        if let Some((_, also)) = ALSO.iter().find(|(whole, _)| whole == name) {
            names = format!("{names} {also}");
        }
        let content = STANDARD.encode(gzip(&file(name)?)?);
        page.extend(["<script type=\"application/octet-stream\" data-names=\"", &names, "\" data-type=\"", mime(name)]);
        page.extend(["\">", &content, "</script>\n"]);
    }
    Ok(())
}

/// What the page may do: run what is inside it, and ask nobody for anything.
fn policy(styles: &[String], unpack: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let styles: Vec<String> = styles.iter().map(|style| hash(style)).collect();
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval' blob:; style-src {}; style-src-attr 'unsafe-inline'; \
         frame-src 'self' file:; connect-src blob:; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'",
        hash(unpack),
        styles.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_inside() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("placewise-single-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let names = ["placewise.css", LATER_STYLES, "icons/icon.svg", "whole.js", "whole.wasm", "app.js", "boot.js"];
        let mut files = BTreeMap::new();
        for name in names {
            let file = name.replace('/', "-");
            fs::write(folder.join(&file), format!("/* {name} */"))?;
            files.insert(name.to_owned(), file);
        }
        let html = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{CSP}\">\n<link rel=\"icon\" href=\"./i\">\n\
             <link rel=\"stylesheet\" href=\"./p.css\">\n<link rel=\"x-first\" href=\"./app.js\">\n<script src=\"./boot.js\"></script>\n\
             <a href=\"./\">x</a>\n{TEXTS}>texts</a></p>\n</body>"
        );
        let one = page(&html, &files, &folder, "run()")?;
        assert!(!one.contains("./p.css") && !one.contains("./app.js") && !one.contains("./boot.js"), "{one}");
        assert!(one.contains("<style data-asset=\"placewise.css\">/* placewise.css */</style>"), "{one}");
        assert!(one.contains("data-names=\"whole.wasm app.wasm\" data-type=\"application/wasm\""), "{one}");
        assert!(one.contains("<script type=\"module\">run()</script>\n</body>") && one.contains("'sha256-"), "{one}");
        fs::write(folder.join("placewise.css"), "a { background: url(b.png) }")?;
        assert!(page(&html, &files, &folder, "run()").is_err());
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
