//! Ready text for other pages: what an author pastes.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// A kind of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A frame: works wherever HTML does.
    Frame,
    /// The element of `embed.js`: loads near the viewport, fits its height.
    Element,
    /// A chapter of an mdBook.
    MdBook,
    /// A page of a Hugo site, with its shortcode.
    Hugo,
    /// A picture that links, for where no HTML is let in.
    Markdown,
}

impl Kind {
    /// All, in the order in which they are offered, by their words' key.
    pub const ALL: [(&'static str, Self); 5] = [
        ("iframe", Self::Frame),
        ("element", Self::Element),
        ("mdbook", Self::MdBook),
        ("hugo", Self::Hugo),
        ("markdown", Self::Markdown),
    ];

    /// Whether it is the element, which a script of the site defines.
    pub fn is_element(self) -> bool {
        matches!(self, Self::Element | Self::MdBook | Self::Hugo)
    }
}

/// What is pasted.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure<'a> {
    /// The folder of the site, with a slash at its end.
    pub site: &'a str,
    /// The link to the embed, from its `#` on.
    pub embed: &'a str,
    /// The link to the page, from its `#` on.
    pub page: &'a str,
    /// What it shows, in words.
    pub title: &'a str,
    /// The theme, where one was chosen for the reader: `light` or `dark`.
    pub theme: Option<&'a str>,
    /// CSS pixels that the embed is high in a column of text.
    pub height: f64,
    /// The file name of the picture.
    pub picture: &'a str,
}

/// What a title could break in an address of Markdown.
const IN_BRACKETS: &AsciiSet = &CONTROLS.add(b' ').add(b'<').add(b'>').add(b'\\');

/// The text to paste.
pub fn write(kind: Kind, figure: &Figure<'_>) -> String {
    let Figure { site, embed, page, title, theme, height, picture } = figure;
    let (source, link) = (html(&format!("{site}{embed}")), html(&format!("{site}{page}")));
    let (name, height) = (html(title), height.round());
    let frame = format!(
        "<iframe src=\"{source}\" title=\"{name}\" width=\"100%\" height=\"{height}\" style=\"border: 0\" loading=\"lazy\"></iframe>"
    );
    let script = html(&format!("{site}embed.js"));
    let theme = theme.map(|theme| format!(" theme=\"{theme}\"")).unwrap_or_default();
    // The height is that of the place until the figure tells its own: nothing moves when it comes.
    let more = format!(" title=\"{name}\" height=\"{height}\"{theme}");
    let element = format!(
        "<script src=\"{script}\" async></script>\n<placewise-figure link=\"{source}\"{more}><a href=\"{link}\">{name}</a></placewise-figure>"
    );
    match kind {
        Kind::Frame => frame,
        Kind::Element => element,
        // A block of HTML ends at an empty line: there is none in it, and one after it.
        Kind::MdBook => format!("<div>{}</div>\n", element.replace('\n', "")),
        // Goldmark lets raw HTML through only where a site allows it: a shortcode always works.
        Kind::Hugo => format!(
            "<!-- layouts/shortcodes/placewise.html -->\n\
             <script src=\"{script}\" async></script>\n\
             <placewise-figure link=\"{{{{ .Get \"link\" }}}}\" title=\"{{{{ .Get \"title\" }}}}\" height=\"{height}\"{theme}><a href=\"{{{{ .Get \"page\" }}}}\">{{{{ .Get \"title\" }}}}</a></placewise-figure>\n\n\
             <!-- in the page -->\n\
             {{{{< placewise link=\"{site}{embed}\" page=\"{site}{page}\" title=\"{}\" >}}}}",
            title.replace(['"', '\\'], "'"),
        ),
        Kind::Markdown => {
            let target = format!("{site}{page}");
            let address = utf8_percent_encode(&target, IN_BRACKETS);
            format!("[![{}]({picture})](<{address}>)", plain(title))
        }
    }
}

/// As the text of an attribute or element.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// As the description of a picture in Markdown, with as few escapes as can be: of those in a description, Hugo's reader
/// shows the backslash, and of quotes that it makes curly itself, the name of the character. Brackets become round ones.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let entity = c == '&' && rest.peek().is_some_and(|next| next.is_alphanumeric() || *next == '#');
        if entity || matches!(c, '\\' | '`' | '*' | '_' | '~' | '|' | '<') {
            out.push('\\');
        }
        out.push(match c {
            '[' => '(',
            ']' => ')',
            '"' => '”',
            '\'' => '’',
            c if c.is_control() => ' ',
            c => c,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE: Figure<'_> = Figure {
        site: "https://example.org/placewise/",
        embed: "#/embed?figures=offset&schemes=rope(rope_theta=500000)&text=%22a%3C",
        page: "#/explore?figures=offset&schemes=rope(rope_theta=500000)&text=%22a%3C",
        title: "Score & [offset] \"RoPE\"",
        theme: Some("dark"),
        height: 512.4,
        picture: "placewise-offset.png",
    };

    /// By the reader of Markdown that mdBook has.
    fn rendered(markdown: &str) -> String {
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(markdown));
        html
    }

    #[test]
    fn a_frame_holds_the_link_as_an_attribute() {
        assert_eq!(
            write(Kind::Frame, &FIGURE),
            "<iframe src=\"https://example.org/placewise/#/embed?figures=offset&amp;schemes=rope(rope_theta=500000)&amp;text=%22a%3C\" \
             title=\"Score &amp; [offset] &quot;RoPE&quot;\" width=\"100%\" height=\"512\" style=\"border: 0\" loading=\"lazy\"></iframe>"
        );
    }

    #[test]
    fn a_block_of_html_has_no_empty_line() {
        let text = write(Kind::MdBook, &FIGURE);
        assert!(text.starts_with("<div><script ") && text.ends_with("</div>\n") && text.lines().count() == 1, "{text}");
        assert!(text.contains("height=\"512\" theme=\"dark\">"), "{text}");
        // As mdBook reads it: a block of HTML that is left as it is.
        assert_eq!(rendered(&format!("before\n\n{text}\nafter")), format!("<p>before</p>\n{text}<p>after</p>\n"));
    }

    #[test]
    fn a_picture_that_links() {
        assert_eq!(
            write(Kind::Markdown, &FIGURE),
            "[![Score & (offset) ”RoPE”](placewise-offset.png)](<https://example.org/placewise/#/explore?figures=offset&schemes=rope(rope_theta=500000)&text=%22a%3C>)"
        );
    }

    #[test]
    fn what_the_picture_becomes() {
        assert_eq!(
            rendered(&write(Kind::Markdown, &FIGURE)),
            "<p><a href=\"https://example.org/placewise/#/explore?figures=offset&amp;schemes=rope(rope_theta=500000)&amp;text=%22a%3C\">\
             <img src=\"placewise-offset.png\" alt=\"Score &amp; (offset) ”RoPE”\" /></a></p>\n"
        );
        let odd = Figure { title: "a_b*c*d `e` &amp; <f> \\ ![g](h)", ..FIGURE };
        let html = rendered(&write(Kind::Markdown, &odd));
        assert!(html.contains("alt=\"a_b*c*d `e` &amp;amp; &lt;f&gt; \\ !(g)(h)\""), "{html}");
    }

    #[test]
    fn a_shortcode_takes_the_links_as_they_are() {
        let text = write(Kind::Hugo, &FIGURE);
        assert!(text.contains("{{ .Get \"link\" }}"), "{text}");
        let call = text.lines().last().unwrap_or_default();
        assert!(
            call.starts_with("{{< placewise link=\"https://example.org/placewise/#/embed?") && call.ends_with(" >}}"),
            "{call}"
        );
        assert_eq!(call.matches('"').count(), 6, "{call}");
    }

    /// Pages of other people's programs with every snippet in them. What mdBook and Hugo themselves made of these is kept
    /// beside them, and opened in `tests/e2e/snippets.test.mjs`: `tests/snippets/README.md` says how.
    #[test]
    fn the_pages_that_were_made_by_mdbook_and_hugo_have_these_snippets() {
        let of = |kind| write(kind, &FIGURE);
        let hugo = of(Kind::Hugo);
        let (shortcode, call) = hugo.split_once("\n\n<!-- in the page -->\n").unwrap_or_default();
        let book = [
            "# A chapter\n\nThe block of an mdBook:\n",
            &of(Kind::MdBook),
            "A frame:\n",
            &of(Kind::Frame),
            "\nThe element:\n",
            &of(Kind::Element),
            "\nA picture that links:\n",
            &of(Kind::Markdown),
            "",
        ];
        let page =
            ["---\ntitle: A page\n---\n\nThe shortcode:\n", call, "\nA picture that links:\n", &of(Kind::Markdown), ""];
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
        for (name, text) in [
            ("mdbook.md", book.join("\n")),
            ("hugo.md", page.join("\n")),
            ("hugo-shortcode.html", format!("{shortcode}\n")),
        ] {
            let file = folder.join(name);
            if std::env::var_os("UPDATE_SNIPPETS").is_some() {
                assert!(std::fs::write(&file, &text).is_ok(), "{name}");
            }
            assert_eq!(
                std::fs::read_to_string(&file).unwrap_or_default(),
                text,
                "{name}: see tests/snippets/README.md"
            );
        }
    }
}
