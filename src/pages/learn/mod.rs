//! Lessons, and the list of them: prose with figures, which are the very ones of Explore.

mod answers;
mod ask;
mod follow;
mod index;
mod lesson;
mod shown;
mod text;

use super::{PageProps, pitfalls, questions};
use crate::state::{Page, Place, lesson::Reading};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

/// The pages under `#/learn/` that are no lessons; what follows their names after a slash is theirs.
const PAGES: [&str; 2] = [questions::NAME, pitfalls::NAME];

/// Whether there is such a page or lesson.
pub fn is_known(name: &str) -> bool {
    name.is_empty() || PAGES.contains(&page(name)) || words::LESSONS.contains(&name)
}

/// A name without what follows it.
fn page(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// What the page is made of.
#[derive(Properties, PartialEq)]
pub struct LearnProps {
    /// As every page.
    pub page: PageProps,
    /// What is known of the figures of the lesson.
    pub reading: Option<Rc<Reading>>,
}

/// The page: the list of lessons, one of them, or the questions.
#[component]
pub fn Learn(props: &LearnProps) -> Html {
    let LearnProps { page, reading } = props;
    let Page::Learn(Place { name, at, .. }) = &page.state.page else { return html! { <div /> } };
    match self::page(name) {
        "" => html! { <index::Index state={page.state.clone()} said={page.said} /> },
        questions::NAME => html! { <questions::Questions ..page.clone() /> },
        pitfalls::NAME => pitfalls::pitfalls(),
        name => html! {
            <lesson::Lesson key={name.to_owned()} name={name.to_owned()} at={*at} page={page.clone()} reading={reading.clone()} />
        },
    }
}

/// The title of the window.
pub fn title(place: &Place) -> String {
    let title = match page(&place.name) {
        "" => words::learn_title(),
        questions::NAME => words::learn_questions(),
        pitfalls::NAME => words::learn_pitfalls(),
        name => word(name, "title"),
    };
    // Until the words are here the page's own title stands.
    if title.is_empty() { words::title_home().to_owned() } else { words::learn_head(title) }
}

/// What the list says of a lesson: its title, its summary, how much it asks, its number where it has one.
fn word(name: &str, what: &str) -> &'static str {
    words::by_key(&format!("lesson.{name}.{what}")).unwrap_or_default()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::state::{Page, link};
    use std::path::Path;

    #[test]
    fn every_link_of_every_lesson_is_in_order() {
        let lessons = catalogue::lessons(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        for lesson in lessons {
            for catalogue::Link { line, address } in &lesson.links {
                let (state, repairs) = link::parse("", address);
                let place = format!("{}:{line}: {address}", lesson.file);
                assert_eq!(repairs, [], "{place}");
                let drawn = state.figures.iter().all(|figure| state.schemes.iter().all(|c| (figure.suits)(c.spec)));
                assert!(drawn, "{place}: each figure draws each scheme");
                assert_eq!(&link::write(&state), address, "{place}: it is written as the app writes it");
            }
            for figure in &lesson.figures {
                assert_eq!(link::parse("", &figure.address).0.page, Page::Explore, "{}:{}", lesson.file, figure.line);
            }
        }
    }
}
