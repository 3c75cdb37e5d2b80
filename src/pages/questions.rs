//! Questions that people ask, each with an answer and the live figures that show it: `static/questions.toml`.
//!
//! `#/learn/questions/07` has one open, `#/learn/questions?find=base` looks for some. One question is open at a time:
//! only its figures are made.

use super::PageProps;
use crate::state::{Action, Edit, MOST_FIND, Page, Place};
use crate::ui::{click, live::Live};
use crate::words;
use web_sys::{Element, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

/// The page's name in links.
pub const NAME: &str = "questions";

/// One question.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Question {
    /// As in links: `07`.
    number: &'static str,
    asked: &'static str,
    answer: &'static str,
    /// What shows the answer.
    link: &'static str,
    /// Other words that people look for it by.
    also: &'static str,
}

/// All questions, in order; none while their words are on their way.
fn all() -> Vec<Question> {
    let question = |number: &'static str| {
        let word = |part: &str| words::by_key(&format!("question.{number}{part}"));
        Some(Question {
            number,
            asked: word("")?,
            answer: word(".answer")?,
            link: word(".link")?,
            also: word(".also")?,
        })
    };
    words::questions_numbers().split(' ').filter_map(question).collect()
}

impl Question {
    /// How many of these words, in small letters, stand in the question, its answer, the ids of what shows it, or what
    /// else people call it.
    fn matches(&self, find: &[String]) -> usize {
        let texts = [self.number, self.asked, self.answer, self.link, self.also].join(" ").to_lowercase();
        find.iter().filter(|word| texts.contains(word.as_str())).count()
    }
}

/// The questions that have all words that are looked for; where none has, those that have some, the most first.
fn found(questions: &[Question], find: &str) -> Vec<Question> {
    let find = find.to_lowercase();
    // In links that others write a plus is a space.
    let words = find.split(|c: char| c.is_whitespace() || c == '+').filter(|word| !word.is_empty());
    let find: Vec<String> = words.map(str::to_owned).collect();
    let counted: Vec<(usize, Question)> =
        questions.iter().map(|question| (question.matches(&find), *question)).collect();
    let whole = counted.iter().any(|(count, _)| *count == find.len());
    let least = if whole { find.len() } else { 1 };
    let mut found: Vec<_> = counted.into_iter().filter(|(count, _)| *count >= least).collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.into_iter().map(|(_, question)| question).collect()
}

/// The page with a question open, or with none.
fn page(open: Option<&str>) -> Page {
    Page::Learn(Place::new(&open.map_or_else(|| NAME.to_owned(), |number| format!("{NAME}/{number}"))))
}

/// The number that a page's name ends with.
fn opened(page: &Page) -> Option<&str> {
    let Page::Learn(Place { name, .. }) = page else { return None };
    name.strip_prefix(NAME)?.strip_prefix('/')
}

/// The page.
#[component]
pub fn Questions(props: &PageProps) -> Html {
    let PageProps { state, said, dispatch, .. } = props;
    let questions = all();
    let open = opened(&state.page);
    let found = found(&questions, &state.find);
    // Those that are not found stay behind, hidden: what is open stays open.
    let others = questions.iter().filter(|question| !found.contains(question));
    let listed: Vec<(Question, bool)> =
        found.iter().map(|question| (*question, true)).chain(others.map(|question| (*question, false))).collect();
    let unknown = open.filter(|open| *said && !questions.iter().any(|question| question.number == *open));
    let list = use_node_ref();
    use_effect_with((open.map(str::to_owned), *said), {
        let list = list.clone();
        move |(open, _)| {
            if open.is_some() {
                show(&list);
            }
        }
    });
    let find = dispatch.reform(|event: InputEvent| {
        Action::Edit(Edit::Find(event.target_unchecked_into::<HtmlInputElement>().value()), None)
    });
    let status = match (unknown, found.len()) {
        (Some(number), _) => words::questions_unknown(number),
        (None, 0) if *said => words::questions_none().to_owned(),
        (None, count) => words::questions_found(count, questions.len()),
    };
    html! {
        <article class="questions">
            <div class="prose">
                <h1>{ words::questions_title() }</h1>
                <p>{ words::questions_lead() }</p>
            </div>
            <div class="questions__search" role="search">
                <label for="questions-find">{ words::questions_find() }</label>
                // A text field as any other: undo belongs to its text.
                <input id="questions-find" type="text" inputmode="search" enterkeyhint="search" autocomplete="off"
                    spellcheck="false" maxlength={MOST_FIND.to_string()} value={state.find.clone()} oninput={find} />
                <p role="status">{ status }</p>
            </div>
            <ol class="questions__list" ref={list}>
                { for listed.iter().map(|(question, found)| entry(question, *found, open, props)) }
            </ol>
        </article>
    }
}

/// A question, its answer behind it.
fn entry(question: &Question, found: bool, open: Option<&str>, props: &PageProps) -> Html {
    let PageProps { said, dispatch, .. } = props;
    let Question { number, asked, answer, link, .. } = *question;
    let here = open == Some(number);
    let id = format!("question-{number}");
    let answered = format!("{id}-answer");
    let toggle = click(dispatch, Action::Edit(Edit::Go(page((!here).then_some(number))), None));
    html! {
        // What is open stays, whatever is looked for.
        <li key={number} class="question" hidden={!here && !found}>
            <h2 class="question__asked">
                <button type="button" {id} aria-expanded={here.to_string()} aria-controls={answered.clone()} onclick={toggle}>{ asked }</button>
            </h2>
            <div class="question__answer" id={answered} hidden={!here}>
                <p class="prose">{ answer }</p>
                { if here { html! { <Live key={link} {link} said={*said} dispatch={dispatch.clone()} /> } } else { Html::default() } }
            </div>
        </li>
    }
}

/// Brings the open question into sight, where what was open above it took it away.
fn show(list: &NodeRef) -> Option<()> {
    let button: Element = list.cast::<Element>()?.query_selector("[aria-expanded=true]").ok()??;
    let window = web_sys::window()?;
    let (top, height) = (button.get_bounding_client_rect().top(), window.inner_height().ok()?.as_f64()?);
    if top < 0.0 || top > height / 2.0 {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Start);
        button.scroll_into_view_with_scroll_into_view_options(&options);
    }
    Some(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::state::link;

    #[test]
    fn every_question_has_a_link_in_order() {
        let questions = all();
        assert_eq!(questions.len(), 19);
        for Question { link: shown, answer, .. } in questions {
            let (state, repairs) = link::parse("", shown);
            assert_eq!(repairs, [], "{shown}");
            let drawn = state.figures.iter().all(|figure| state.schemes.iter().all(|c| (figure.suits)(c.spec)));
            assert!(drawn, "{shown}: each figure draws each scheme");
            assert_eq!(link::write(&state), shown, "it is written as the app writes it");
            let ends = answer.split_inclusive(['.', '?', '!']).filter(|part| part.ends_with(['.', '?', '!'])).count();
            assert!(ends >= 2, "{answer}");
        }
    }

    #[test]
    fn a_question_is_found_by_words_of_it_and_by_ids() {
        let found = |find: &str| -> Vec<&str> { super::found(&all(), find).iter().map(|q| q.number).collect() };
        assert_eq!(found("").len(), 19);
        assert_eq!(found("  "), found(""));
        assert_eq!(found("why 10000"), ["03"]);
        assert_eq!(found("INTERLEAVED rope"), ["07"]);
        assert_eq!(found("interleaved+rope"), ["07"]);
        assert!(found("shuffle").contains(&"14") && !found("shuffle").contains(&"03"), "by a figure's id");
        assert_eq!(found("zyx"), Vec::<&str>::new());
        assert_eq!(found("rotary interleaved zyx")[..2], ["07", "06"], "where none has all, the most first");
        for (looked, wanted) in
            [("long context", "13"), ("theta", "03"), ("rotary", "06"), ("encoding", "14"), ("how far", "11")]
        {
            assert!(found(looked).contains(&wanted), "{looked}: {:?}", found(looked));
        }
    }

    #[test]
    fn what_is_open_is_in_the_link() {
        for (link, open) in [
            ("#/learn/questions", None),
            ("#/learn/questions/07", Some("07")),
            ("#/learn/questions/07?find=rope", Some("07")),
        ] {
            let (state, repairs) = link::parse("", link);
            assert_eq!((opened(&state.page), repairs.len()), (open, 0), "{link}");
            assert_eq!(link::write(&state), link);
        }
        assert_eq!(opened(&page(Some("12"))), Some("12"));
        assert_eq!(link::parse("", "#/learn/questions?find=%C2%BD+x").0.find.chars().next().unwrap(), '½');
    }
}
