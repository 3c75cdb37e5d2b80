//! "Try this": links that each show one thing.

use crate::words;
use yew::prelude::*;

/// A word's key and a link.
pub static TRIES: [(&str, &str); 3] = [
    ("try.clocks", "#/explore?figures=rotation,offset&position=20&offset=6&play=true"),
    (
        "try.base",
        "#/explore?figures=offset,heatmap&schemes=sinusoidal(d_model=128),sinusoidal(d_model=128,base=100),sinusoidal(d_model=128,base=20)&length=512&offset=44",
    ),
    ("try.rope", "#/explore?figures=rotation,offset&schemes=rope&length=4096&position=200&offset=12&offset.axis=log"),
];

/// Links as a list of a class, each with its word's key.
pub fn links(class: &'static str, all: &'static [(&'static str, &'static str)]) -> Html {
    html! {
        <ul {class}>
            { for all.iter().map(|(key, link)| html! {
                <li key={*key}><a href={*link}>{ words::by_key(key).unwrap_or(key) }</a></li>
            }) }
        </ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::link;

    #[test]
    fn every_link_is_in_order_and_has_its_word() {
        for (key, fragment) in TRIES {
            assert!(words::by_key(key).is_some(), "{key}");
            let (_, repairs) = link::parse("", fragment);
            assert_eq!(repairs, [], "{fragment}");
        }
    }

    /// What stands beside each scheme comes from `static/tries.toml`, with its words: see the crate `catalogue`.
    #[test]
    #[cfg(feature = "full")]
    fn every_scheme_has_three_links_that_show_it() {
        for scheme in posenc::IDS.iter().copied() {
            let list = words::panel(scheme).replace("&amp;", "&");
            let links: Vec<&str> = list.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert_eq!(links.len(), 3, "{scheme}");
            for link in links {
                let fragment = format!("#{link}");
                let fragment = fragment.as_str();
                let (state, repairs) = link::parse("", fragment);
                assert_eq!(repairs, [], "{fragment}");
                let shown = state.schemes.iter().any(|config| config.spec.id == scheme);
                assert!(shown, "{fragment} shows {scheme}");
                assert_eq!(state.page, crate::state::Page::Explore);
                let drawn = state.figures.iter().all(|figure| state.schemes.iter().all(|c| (figure.suits)(c.spec)));
                assert!(drawn, "{fragment}: each figure draws each scheme");
                assert_eq!(link::write(&state), fragment, "it is written as the app writes it");
            }
        }
    }
}
