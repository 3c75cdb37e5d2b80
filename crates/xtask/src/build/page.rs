//! index.html: words from the catalogue, and the files of the site under their hashed names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::serve::CSP;

/// Reads a catalogue into flat, dotted keys.
pub(super) fn words(path: &Path) -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let table: toml::Table = text.parse().with_context(|| format!("a mistake in {}", path.display()))?;
    let mut words = BTreeMap::new();
    flatten(&table, "", &mut words);
    Ok(words)
}

fn flatten(table: &toml::Table, prefix: &str, words: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => flatten(inner, &format!("{prefix}{key}."), words),
            toml::Value::String(text) => drop(words.insert(format!("{prefix}{key}"), text.clone())),
            _ => {} // the catalogue's own check speaks of it
        }
    }
}

/// Replaces the places in a template: `{{page.title}}` by the catalogue's words, `{%app.js%}` by that file's address,
/// `{%assets%}` by links to those files of a list that the template does not name itself, `{%csp%}` by the security policy.
pub(super) fn fill(
    template: &str,
    words: &BTreeMap<String, String>,
    files: &BTreeMap<String, String>,
    listed: &[&str],
) -> Result<String> {
    let mut missing = Vec::new();
    let html = replaced(template, "{{", "}}", |key| match words.get(key) {
        Some(text) => escaped(text),
        None => missed(&mut missing, format!("the words {key}")),
    })?;
    let html = replaced(&html, "{%", "%}", |name| match files.get(name) {
        Some(file) => escaped(&format!("./{file}")),
        None if name == "csp" => escaped(CSP),
        None if name == "assets" => "{%assets%}".to_owned(), // when all names are known
        None => missed(&mut missing, format!("the file {name}")),
    })?;
    if !missing.is_empty() {
        bail!("index.html asks for what is not there: {}", missing.join(", "));
    }
    let listed = files.iter().filter(|(name, _)| listed.contains(&name.as_str()));
    Ok(html.replace("{%assets%}", &asset_links(listed)))
}

/// Replaces `{{page.offline.new}}` in a script by the catalogue's words, inside quotation marks.
pub(super) fn say(script: &str, words: &BTreeMap<String, String>) -> Result<String> {
    let mut missing = Vec::new();
    let said = replaced(script, "{{", "}}", |key| match words.get(key) {
        Some(text) => text.replace('\\', "\\\\").replace('"', "\\\""),
        // Braces of code that happen to stand so.
        None if !key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')) => format!("{{{{{key}}}}}"),
        None => missed(&mut missing, format!("the words {key}")),
    })?;
    if !missing.is_empty() {
        bail!("a script asks for what is not there: {}", missing.join(", "));
    }
    Ok(said)
}

fn missed(missing: &mut Vec<String>, what: String) -> String {
    missing.push(what);
    String::new()
}

pub(super) fn replaced(
    template: &str,
    open: &str,
    close: &str,
    mut with: impl FnMut(&str) -> String,
) -> Result<String> {
    let mut html = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(open) {
        let (place, after) = after
            .split_once(close)
            .with_context(|| format!("index.html: a place that begins with {open} has no {close}"))?;
        html.push_str(before);
        html.push_str(&with(place));
        rest = after;
    }
    html.push_str(rest);
    Ok(html)
}

/// Links that nothing follows by itself: the app looks addresses up in them.
fn asset_links<'a>(files: impl Iterator<Item = (&'a String, &'a String)>) -> String {
    files
        .map(|(name, file)| {
            format!("<link rel=\"x-asset\" data-asset=\"{}\" href=\"./{}\">", escaped(name), escaped(file))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// What the script of the whole app does before anything else: it lists the files that the page does not, and waits for
/// the style sheet of what it shows, where that is not in the page already, as in the edition of one file.
pub(super) fn later_assets(files: &BTreeMap<String, String>, styles: &str) -> String {
    let links = asset_links(files.iter().filter(|(name, _)| *name != styles)).replace('\n', "");
    let sheet = files.get(styles).map_or_else(String::new, |file| {
        format!(
            "const sheet = Object.assign(document.createElement(\"link\"), {{ rel: \"stylesheet\", href: {:?} }});\n\
             if (!document.querySelector(\"style[data-asset]\")) \
             await new Promise((done) => {{ sheet.onload = sheet.onerror = done; document.head.append(sheet); }});\n",
            format!("./{file}")
        )
    });
    format!("document.head.insertAdjacentHTML(\"beforeend\", {links:?});\n{sheet}")
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A file that a page names in its head.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The file, as the page's folder sees it.
    pub(crate) file: String,
    /// Whether the browser fetches it with the page.
    pub(crate) first: bool,
}

/// The files that a page names, in order.
pub(crate) fn links(html: &str) -> Vec<Link> {
    let mut found: Vec<Link> = Vec::new();
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let address = match tag.split_ascii_whitespace().next() {
            Some("link") => attribute(tag, "href"),
            Some("script" | "img") => attribute(tag, "src"),
            _ => None,
        };
        let Some(file) = address.and_then(|address| address.strip_prefix("./")).filter(|file| !file.is_empty()) else {
            continue;
        };
        let later = attribute(tag, "rel") == Some("x-asset");
        match found.iter_mut().find(|link| link.file == file) {
            Some(link) => link.first |= !later,
            None => found.push(Link { file: file.to_owned(), first: !later }),
        }
    }
    found
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = tag.split_once(&format!(" {name}=\""))?;
    Some(after.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, String> {
        [("app.js", "app.1.js"), ("lab.js", "lab.2.js")].map(|(name, file)| (name.to_owned(), file.to_owned())).into()
    }

    fn catalogue(text: &str) -> Result<BTreeMap<String, String>> {
        let mut words = BTreeMap::new();
        flatten(&text.parse()?, "", &mut words);
        Ok(words)
    }

    #[test]
    fn a_template_is_filled() -> Result<()> {
        let words = catalogue("\"page.title\" = \"q & k\"\n[page]\nlang = \"en\"")?;
        let html = fill(
            "<title lang={{page.lang}}>{{page.title}}</title><script src=\"{%app.js%}\">\n{%assets%}",
            &words,
            &files(),
            &["lab.js"],
        )?;
        assert_eq!(
            html,
            "<title lang=en>q &amp; k</title><script src=\"./app.1.js\">\n<link rel=\"x-asset\" data-asset=\"lab.js\" href=\"./lab.2.js\">"
        );
        Ok(())
    }

    #[test]
    fn everything_missing_is_named_at_once() {
        let error = fill("{{page.title}} {%b.js%}", &BTreeMap::new(), &files(), &[]).map_err(|error| error.to_string());
        assert_eq!(error, Err("index.html asks for what is not there: the words page.title, the file b.js".to_owned()));
        assert!(fill("{{page.title", &BTreeMap::new(), &files(), &[]).is_err());
    }

    #[test]
    fn first_and_later_files_are_told_apart() {
        let html = "<link rel=\"preload\" href=\"./a.wasm\" as=\"fetch\"><script type=\"module\" src=\"./b.js\"></script><link rel=\"x-asset\" href=\"./c.js\"><a href=\"./\">";
        let link = |file: &str, first| Link { file: file.to_owned(), first };
        assert_eq!(links(html), [link("a.wasm", true), link("b.js", true), link("c.js", false)]);
    }
}
