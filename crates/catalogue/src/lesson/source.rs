//! The text of a lesson before it is Markdown: its head, and the places of computed numbers.

/// Mistakes with their lines, gathered so that a writer sees all of them at once.
#[derive(Debug, Default)]
pub(super) struct Mistakes(Vec<(usize, String)>);

impl Mistakes {
    pub(super) fn add(&mut self, line: usize, what: impl Into<String>) {
        self.0.push((line, what.into()));
    }

    /// All, in the order of their lines: `<line>: what is wrong`.
    pub(super) fn all(&self) -> Vec<String> {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.dedup();
        sorted.into_iter().map(|(line, what)| format!("{line}: {what}")).collect()
    }
}

/// What stands before the text.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) summary: String,
    /// Lines before the text.
    pub(super) lines: usize,
}

/// Splits the head off: `title: …` and `summary: …` between two lines of three dashes.
pub(super) fn head<'a>(text: &'a str, mistakes: &mut Mistakes) -> (Head, &'a str) {
    let mut head = Head::default();
    let inner = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let Some((front, body)) = inner else {
        mistakes.add(1, "a lesson begins with a line of ---, title: …, summary: …, and another line of ---");
        return (head, text);
    };
    for (number, line) in front.lines().enumerate() {
        match line.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("title", value)) => value.clone_into(&mut head.title),
            Some(("summary", value)) => value.clone_into(&mut head.summary),
            _ => mistakes.add(number + 2, format!("before the text stand title: and summary:, not {line:?}")),
        }
    }
    for (key, value) in [("title", &head.title), ("summary", &head.summary)] {
        if value.is_empty() {
            mistakes.add(1, format!("the lesson has no {key}"));
        }
    }
    head.lines = front.lines().count() + 2;
    (head, body)
}

/// Around the number of a computed number, where it stood: characters that no keyboard has.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

/// The Markdown of a lesson, in which each `{= … }` is a mark that Markdown takes for a word.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: String,
    expressions: Vec<String>,
}

/// A piece of text: as it is written, or a computed number's expression.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Number(&'a str),
}

impl Source {
    pub(super) fn new(body: &str, lines: usize, mistakes: &mut Mistakes) -> Self {
        let mut source = Self { text: String::with_capacity(body.len()), expressions: Vec::new() };
        for (number, line) in body.split_inclusive('\n').enumerate() {
            if line.contains([OPEN, CLOSE]) {
                mistakes.add(lines + number + 1, "a character of Unicode's private use");
            }
            let mut rest = line;
            while let Some((before, after)) = rest.split_once("{=") {
                source.text.push_str(before);
                let Some((expression, after)) = after.split_once('}') else {
                    mistakes.add(lines + number + 1, "{= without its }");
                    rest = "\n";
                    break;
                };
                source.text.push(OPEN);
                source.text.push_str(&source.expressions.len().to_string());
                source.text.push(CLOSE);
                source.expressions.push(expression.trim().to_owned());
                rest = after;
            }
            source.text.push_str(rest);
        }
        source
    }

    /// Text and computed numbers in turn.
    pub(super) fn pieces<'a>(&'a self, text: &'a str) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            pieces.push(Piece::Text(before));
            let (index, after) = after.split_once(CLOSE).unwrap_or((after, ""));
            if let Some(expression) = index.parse::<usize>().ok().and_then(|index| self.expressions.get(index)) {
                pieces.push(Piece::Number(expression));
            }
            rest = after;
        }
        pieces.push(Piece::Text(rest));
        pieces
    }

    /// The text with expressions as they were written.
    pub(super) fn restored(&self, text: &str) -> String {
        let piece = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Number(expression) => format!("{{= {expression} }}"),
        };
        self.pieces(text).iter().map(piece).collect()
    }
}
