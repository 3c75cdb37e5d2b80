//! Every mistake that ends a build, and what a sound lesson becomes.

use super::*;
use std::fmt::Write as _;

/// The lesson `x`, number 1, with this text.
fn read(body: &str) -> Result<Lesson, Vec<String>> {
    page(Some(1), &format!("{body}\n\n{END}"))
}

/// The page `x` that ends as it likes.
fn page(number: Option<u32>, body: &str) -> Result<Lesson, Vec<String>> {
    text(number, &format!("---\ntitle: T\nsummary: S.\n---\n\n{body}\n"))
}

fn text(number: Option<u32>, text: &str) -> Result<Lesson, Vec<String>> {
    let file = File { path: "x.md".into(), name: "x".into(), number, text: text.into() };
    let names = BTreeSet::from(["x", "other"]);
    let words = Entries::from([("lesson.reveal".to_owned(), "Show".to_owned())]);
    let converter = math::converter().unwrap();
    lesson(&file, &block::Context { names: &names, words: &words, converter: &converter })
}

const QUESTION: &str = "```question\nWhat?\n- [x] This\n  > Right.\n- [ ] That\n  > No.\n```\n";
const END: &str = "## Check yourself\n\n```question\nWhat?\n- [x] This\n  > Right.\n- [ ] That\n  > No.\n```\n\n```question\nWhat?\n- [x] This\n  > Right.\n- [ ] That\n  > No.\n```\n\n```question\nWhat?\n- [x] This\n  > Right.\n- [ ] That\n  > No.\n```\n\n## Read on\n\n- [A paper](https://example.org)\n";

/// The text begins on this line.
const FIRST: usize = 6;

/// The text of a numbered lesson is refused on this line of it, counted from 1, for this reason.
fn refused(body: &str, line: usize, why: &str) {
    is_refused(read(body), FIRST + line - 1, why);
}

fn is_refused(result: Result<Lesson, Vec<String>>, line: usize, why: &str) {
    let mistakes = result.expect_err(why);
    assert!(
        mistakes.iter().any(|mistake| mistake.starts_with(&format!("{line}: ")) && mistake.contains(why)),
        "{mistakes:?}"
    );
}

#[test]
fn the_lessons_of_the_repository_are_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lessons = lessons(&root).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(lessons.iter().any(|lesson| lesson.number == Some(1)));
    assert!(lessons.iter().all(|lesson| !lesson.figures.is_empty() && lesson.asks > 0));
}

#[test]
fn the_example_of_the_readme_is_a_lesson() {
    let readme = include_str!("../../../../README.md");
    let example = readme.split_once("````markdown\n").and_then(|(_, rest)| rest.split_once("\n````\n")).unwrap().0;
    let lesson = text(None, &example.replace("#/learn/clocks", "#/learn/other")).unwrap();
    assert_eq!((lesson.figures.len(), lesson.asks), (2, 1));
}

#[test]
fn a_sound_lesson_is_a_page() {
    let lesson = read("Some $x_i$ and [a link](#/explore?schemes=none), [another](#/learn/other).\n\n## A part\n\n![See $q$](#/explore?figures=heatmap)\n\nBeside it, to [the part](#a-part).").unwrap();
    assert_eq!(
        lesson.figures,
        [Figure { line: FIRST + 4, address: "#/explore?figures=heatmap".into(), caption: "See q".into() }]
    );
    let links: Vec<_> = lesson.links.iter().map(|link| (link.line - FIRST, link.address.as_str())).collect();
    assert_eq!(links, [(0, "#/explore?schemes=none"), (0, "#/learn/other"), (4, "#/explore?figures=heatmap")]);
    assert_eq!(lesson.asks, 3);
    let html = &lesson.html;
    assert!(
        html.contains("<p data-at=\"1\">Some <math>") && html.contains("<h2 data-at=\"2\" id=\"a-part\">A part</h2>"),
        "{html}"
    );
    // What comes before the first figure is read beside it, and a heading with the figure that it leads to.
    assert_eq!(html.matches("class=\"scene\"").count(), 3, "{html}");
    assert!(html.contains("scene__lead\">\n<p data-at=\"1\""), "{html}");
    let two = read("![A](#/explore?figures=heatmap)\n\nText.\n\n## A part\n\n![B](#/explore?figures=offset)").unwrap();
    assert!(two.html.contains("scene__lead\">\n<h2 data-at=\"3\""), "{}", two.html);
    assert!(
        html.contains("<figure data-at=\"3\"><figcaption><a href=\"#/explore?figures=heatmap\">See <math>"),
        "{html}"
    );
    assert_eq!(html.matches("<details class=\"ask__answer\" data-right>").count(), 3);
    assert!(html.contains("<a href=\"https://example.org\" rel=\"noopener\" target=\"_blank\">"), "{html}");
}

#[test]
fn what_is_asked_shows_more_when_it_is_answered() {
    let lesson = read("```predict\nWhat *now*?\n\n- [ ] This,\n  in two lines\n  > No:\n  > never.\n- [x] That\n\n  > Yes.\n\nSo it is.\n\n![See](#/explore?figures=offset)\n```\n\nAfter.").unwrap();
    let html = &lesson.html;
    assert_eq!(lesson.figures[0].line, FIRST + 13);
    assert!(html.contains("data-ask=\"predict\" data-at=\"1\"") && html.contains("What <em>now</em>?"), "{html}");
    assert!(html.contains("<summary>This,\nin two lines</summary><div><p>No:\nnever.</p>"), "{html}");
    assert!(html.contains("data-right><summary>That</summary><div><p>Yes.</p>"), "{html}");
    let reveal = &html[html.find("ask__reveal").unwrap()..];
    assert!(
        reveal.starts_with("ask__reveal\"><summary>Show</summary>\n<p>So it is.</p>\n<figure><figcaption>"),
        "{reveal}"
    );
    // It is a scene of its own, with what follows.
    assert!(reveal.contains("<div class=\"scene__prose\">\n<p data-at=\"2\">After.</p>"), "{reveal}");
}

#[test]
fn a_claim_has_its_verdict() {
    let claim = "```claim\nsource: A book, page 12\nIt `is 5`, $x^2$.\n---\nIt is not.\n\n![See](#/explore?figures=offset)\nverdict: false\n```";
    let lesson = page(None, claim).unwrap();
    assert!(lesson.html.contains("data-ask=\"claim\" data-verdict=\"false\""), "{}", lesson.html);
    assert!(lesson.html.contains("<p class=\"ask__source\">A book, page 12</p>"));
    let without = |part: &str| is_refused(page(None, &claim.replace(part, "")), FIRST, "a claim has a line source");
    without("source: A book, page 12\n");
    without("---\n");
    without("verdict: false\n");
    is_refused(page(None, &claim.replace("false", "perhaps")), FIRST, "a claim has");
    is_refused(page(None, &claim.replace("It `is 5`, $x^2$.", "")), FIRST, "nothing is claimed");
    is_refused(page(None, &claim.replace("![See](#/explore?figures=offset)", "")), FIRST, "settled on a figure");
    is_refused(page(None, &claim.replace("It `is", "It 7 `is")), FIRST + 2, "bare number, 7");
    is_refused(page(None, &claim.replace("is not", "is not 12")), FIRST + 4, "bare number, 12");
    is_refused(page(None, &claim.replace("x^2", "x = 0.7")), FIRST + 2, "bare number, 0.7");
}

#[test]
fn a_lesson_has_a_head() {
    is_refused(text(None, "Some text"), 1, "a lesson begins with");
    is_refused(text(None, "---\ntitle: T\n---\n\nText\n"), 1, "no summary");
    is_refused(text(None, "---\nsummary: S\n---\n\nText\n"), 1, "no title");
    is_refused(text(None, "---\ntitle: T\nsummary: S\nauthor: A\n---\n\nText\n"), 4, "author");
    assert_eq!(named("01-two-words").unwrap(), (Some(1), "two-words"));
    assert_eq!(named("myths").unwrap(), (None, "myths"));
    for bad in ["01-Order", "01-", "questions", "a b"] {
        assert!(named(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_number_that_nobody_computed_is_refused() {
    for (text, number) in [
        ("It is 0.704 of it", "0.704"),
        ("It is 25 % of it", "25"),
        ("a drop of 7 percent", "7"),
        ("It is ≈ 3", "3"),
        ("About 40 tokens", "40"),
        ("nearly *-12* of it", "12"),
        ("| a | b |\n| - | - |\n| 1 | 2.5 |", "2.5"),
        ("Some\nlines, and about\n5 of them", "5"),
    ] {
        let mistakes = read(text).expect_err(text);
        assert!(mistakes[0].contains(&format!("a bare number, {number}:")), "{mistakes:?}");
    }
    refused("Some\nlines, and about\n5 of them", 3, "bare number, 5");
    for text in [
        "d = 512, position 10, since 2017, 10,000 of them.",
        "the base `0.5`, and $0.5$, and $$x = 1.5$$",
        "[arXiv 0.5](https://example.org/0.5), GPT-3.5, Qwen2.5 and arXiv:2104.09864",
        "the roundabout 5",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text).err());
    }
}

#[test]
fn what_cannot_be_computed_is_refused() {
    refused("a\n\nIt is {= nothing.known(x=1) } here", 3, "nothing.known(x=1)");
    refused("It is {= open", 1, "without its }");
    refused("$x = {= nothing.known() }$", 1, "nothing.known()");
    // In code it is only shown.
    assert!(read("Write `{= a.b() }`").unwrap().html.contains("<code>{= a.b() }</code>"));
}

#[test]
fn a_link_that_leads_nowhere_is_refused() {
    refused("a\n\n[b](#/learn/unknown?at=3)", 3, "no lesson \"unknown\"");
    refused("[b](#nowhere)", 1, "no heading of the lesson is #nowhere");
    refused("[b](http://example.org)", 1, "https://");
    refused("[b](other.html)", 1, "other.html");
    refused("a\n\n![c](https://example.org/a.png)", 3, "a figure's address begins with #/explore?");
    refused("![](#/explore?figures=heatmap)", 1, "a figure says what it shows");
    refused("a ![c](#/explore?figures=heatmap)", 1, "alone in its paragraph");
    assert!(read("[b](#/learn/questions) [c](#/learn/other)").is_ok());
}

#[test]
fn a_question_has_one_right_answer_and_says_why() {
    let question = |from: &str, to: &str| format!("Text.\n\n{}", QUESTION.replacen(from, to, 1));
    refused(&question("[x]", "[ ]"), 3, "here are 0");
    refused(&question("[ ]", "[x]"), 3, "here are 2");
    refused(&question("  > No.\n", ""), 7, "says why");
    refused(&question("[ ] ", ""), 7, "begins with - [x]");
    refused(&question("- [ ] That\n  > No.\n", ""), 3, "nothing to choose from");
    refused(&question("What?\n", ""), 3, "nothing is asked");
    refused(&question("- [x] This\n  > Right.\n- [ ] That\n  > No.\n", ""), 3, "no answers");
    refused(&question("No.\n", "No.\n\nMore.\n"), 10, "stands nothing");
    refused(&question("question", "riddle"), 3, "not \"riddle\"");
    refused(&question("  > No.\n```\n", "  > No.\n"), 3, "not closed");
    is_refused(page(None, "```question\nWhat?\n- [x] a\n  > b\n- [ ] c\n  > d\n"), FIRST, "not closed");
    let two = "```predict\nWhat?\n- [x] a\n  > b\n- [ ] c\n  > d\n\n![e](#/explore?a)\n\n![f](#/explore?b)\n```";
    refused(two, 1, "one figure");
}

#[test]
fn a_lesson_ends_with_questions_and_links() {
    let (check, read_on) = END.split_at(END.find("## Read on").unwrap());
    is_refused(page(Some(1), "Text"), FIRST - 2, "ends with ## Check yourself and ## Read on");
    is_refused(page(Some(1), check), FIRST - 2, "ends with");
    is_refused(page(Some(1), &format!("{read_on}\n{check}")), FIRST + 4, "comes after");
    is_refused(page(Some(1), &END.replacen(QUESTION, "", 1)), FIRST, "not 2");
    let mut four = String::new();
    write!(four, "{check}\n{QUESTION}\n{read_on}").unwrap();
    is_refused(page(Some(1), &four), FIRST, "not 4");
    is_refused(page(Some(1), &END.replace("[A paper](https://example.org)", "A paper")), FIRST + 26, "list of links");
    is_refused(page(Some(1), &format!("{END}\n{QUESTION}")), FIRST + 30, "is the end of a lesson");
    // A page without a number ends as it likes.
    assert!(page(None, "Text").is_ok());
}

#[test]
fn what_is_no_lesson_is_refused() {
    refused("# Title", 1, "headings of a lesson begin with ##");
    refused("## A\n\n## A", 3, "two headings");
    refused("a\n\n<b>c</b>", 3, "no HTML");
    refused("<div>\n\na\n\n</div>", 1, "no HTML");
    refused("$\\nothing$", 1, "the formula");
    refused("a\n\n$\\frac{1$", 3, "a $ that begins no formula");
    assert!(read("```python\nprint(0.5)\n```").is_ok());
}
