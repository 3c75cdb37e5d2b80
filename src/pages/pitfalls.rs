//! Mistakes that real programs made, each with the link to a figure that shows what is right: `static/pitfalls.toml`.

use crate::words;
use yew::prelude::*;

/// The page's name in links.
pub const NAME: &str = "pitfalls";

/// The page.
pub fn pitfalls() -> Html {
    // The catalogue's own words, made safe there.
    html! { <article class="prose about" key="pitfalls">{ Html::from_html_unchecked(words::panel(NAME).into()) }</article> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::link;
    use crate::ui::board;

    /// What a figure says of the state of a link: its summary, legend and readings.
    fn said(state: &crate::state::State) -> String {
        let spec = state.figures[0];
        let scene = board::scene(state, spec);
        let height = spec.height(&scene, 600.0);
        let figure = (spec.make)(&scene, crate::figures::Size { width: 600.0, height, dpr: 1.0 });
        let cursor = state.cursor();
        let readings =
            figure.readings(&cursor).into_iter().map(|reading| format!("{}: {}", reading.label, reading.value));
        let notes = figure.legend().into_iter().filter_map(|entry| match entry {
            crate::figures::Legend::Note(note) => Some(note),
            _ => None,
        });
        std::iter::once(figure.summary(&cursor)).chain(readings).chain(notes).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_figure_says_what_settles_it() {
        let unescaped = |text: &str| text.replace("&quot;", "\"").replace("&amp;", "&");
        let page = words::panel(NAME);
        let links: Vec<(String, String)> = page
            .split("<h2><a href=\"")
            .skip(1)
            .filter_map(|rest| {
                let (link, rest) = rest.split_once("\" data-shows=\"")?;
                Some((unescaped(link), unescaped(rest.split_once("\">")?.0)))
            })
            .collect();
        assert_eq!(links.len(), 22);
        let mut wrong = Vec::new();
        for (shown, settles) in links {
            let (state, repairs) = link::parse("", &shown);
            assert_eq!(repairs, [], "{shown}");
            assert_eq!(link::write(&state), shown, "it is written as the app writes it");
            let said = said(&state);
            if !said.contains(&settles) {
                wrong.push(format!("{shown}\n  not {settles:?} in:\n{said}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}
