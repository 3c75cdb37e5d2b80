//! Questions that people ask, each with the link that shows the answer: `static/questions.toml`.

use crate::words;
use yew::prelude::*;

/// The page's name in links.
pub const NAME: &str = "questions";

/// The page.
pub fn questions() -> Html {
    // The catalogue's own words, made safe there.
    html! { <article class="prose about" key="questions">{ Html::from_html_unchecked(words::panel(NAME).into()) }</article> }
}

#[cfg(test)]
#[cfg(feature = "full")]
mod tests {
    use super::*;
    use crate::state::link;

    #[test]
    fn every_question_has_a_link_in_order() {
        let page = words::panel(NAME).replace("&amp;", "&");
        let links: Vec<&str> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(links.len(), 19);
        for shown in links {
            let (state, repairs) = link::parse("", shown);
            assert_eq!(repairs, [], "{shown}");
            let drawn = state.figures.iter().all(|figure| state.schemes.iter().all(|c| (figure.suits)(c.spec)));
            assert!(drawn, "{shown}: each figure draws each scheme");
            assert_eq!(link::write(&state), shown, "it is written as the app writes it");
        }
    }
}
