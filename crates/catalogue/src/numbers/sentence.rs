//! Numbers of attention over a sentence, as the figures `attention` and `shuffle` compute it: one head whose `W_q`, `W_k`
//! and `W_v` change nothing, and made-up vectors of the words.
//!
//! | quantity | |
//! | --- | --- |
//! | `attention(text, query, key)` | the share that the word at `query` gives to the word at `key` |
//! | `moved(text, order)` | the greatest difference between the outputs of reordered words and the reordered outputs |
//! | `mean_moved(text, order)` | the same of the mean of all outputs |
//! | `twins(text, order)` | the greatest difference between the rows of attention of the first word that is there twice |
//!
//! `order` lists places in the text, joined by `:`, as in links; empty leaves the text as it is.

use super::{Asked, Quantity, asked::SEED, usual, wanted};
use posenc::{
    Encoding,
    attention::{self, Attention, Reordered},
    content::Tokens,
    vectors::of_word,
};

/// The width of words' vectors where the scheme has none.
const WIDTH: usize = 64;

type Argument = (&'static str, Option<&'static str>);
const TEXT: Argument = usual("text", "the dog chased the cat");
const CAUSAL: Argument = usual("causal", "false");
/// How far the vectors' numbers spread.
const SPREAD: Argument = usual("spread", "0.35");
const HEAD: Argument = usual("head", "0");

pub(super) static QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "attention",
        arguments: &[TEXT, usual("order", ""), wanted("query"), wanted("key"), CAUSAL, SPREAD, HEAD],
        compute: |asked| {
            let words = reordered(asked)?;
            let (query, key) = (asked.count("query")?, asked.count("key")?);
            let seen = attend(asked, &words)?;
            let here = (query < words.len() && key < words.len()).then(|| seen.weights.get(query * words.len() + key));
            here.flatten().copied().ok_or_else(|| format!("the text has {} words", words.len()))
        },
    },
    Quantity {
        name: "moved",
        arguments: &[TEXT, wanted("order"), CAUSAL, SPREAD, HEAD],
        compute: |asked| Ok(reordering(asked)?.most()),
    },
    Quantity {
        name: "mean_moved",
        arguments: &[TEXT, wanted("order"), CAUSAL, SPREAD, HEAD],
        compute: |asked| Ok(reordering(asked)?.mean),
    },
    Quantity {
        name: "twins",
        arguments: &[TEXT, usual("order", ""), CAUSAL, SPREAD, HEAD],
        compute: |asked| {
            let words = reordered(asked)?;
            let (first, second) = attention::twins(&words).ok_or("no word is there twice")?;
            Ok(attention::rows_differ(&attend(asked, &words)?.weights, words.len(), first, second))
        },
    },
];

fn words(asked: &Asked) -> Vec<&str> {
    asked.word("text").split_whitespace().collect()
}

/// The places of the text in the order in which they are read.
fn order(asked: &Asked) -> Result<Vec<usize>, String> {
    let (listed, n) = (asked.word("order"), words(asked).len());
    let places: Result<Vec<usize>, _> = listed.split(':').filter(|place| !place.is_empty()).map(str::parse).collect();
    let places = places.map_err(|_| format!("order = {listed:?} is no list of places"))?;
    let mut sorted = places.clone();
    sorted.sort_unstable();
    match places.len() {
        0 => Ok((0..n).collect()),
        _ if sorted.into_iter().eq(0..n) => Ok(places),
        _ => Err(format!("order = {listed:?} does not have each of the places 0 to {} once", n.saturating_sub(1))),
    }
}

fn reordered(asked: &Asked) -> Result<Vec<&str>, String> {
    let words = words(asked);
    Ok(order(asked)?.into_iter().map(|place| words[place]).collect())
}

fn width(asked: &Asked) -> usize {
    asked.encoding.width().unwrap_or(WIDTH).max(1)
}

fn attend(asked: &Asked, words: &[&str]) -> Result<Attention, String> {
    let (width, spread) = (width(asked), asked.number("spread")?);
    let mut x: Vec<f64> =
        words.iter().flat_map(|word| of_word(word, SEED, width)).map(|number| number * spread).collect();
    attention::embed(&asked.encoding, 0, None, width, &mut x).map_err(|e| e.to_string())?;
    // T5 leaves q·k as large as it is: its queries are made smaller instead.
    let unscaled = matches!(&asked.encoding, Encoding::Bias(bias) if !bias.scales_logits());
    let scale = if unscaled { 1.0 / (width as f64).sqrt() } else { 1.0 };
    let queries: Vec<f64> = x.iter().map(|number| number * scale).collect();
    let tokens = Tokens::new(width, &queries, &x).map_err(|e| e.to_string())?;
    let head = asked.count("head")?;
    attention::attend(&asked.encoding, head, &tokens, &x, asked.switch("causal")?).map_err(|e| e.to_string())
}

/// What becomes of the outputs in the other order.
fn reordering(asked: &Asked) -> Result<Reordered, String> {
    let (before, after) = (attend(asked, &words(asked))?, attend(asked, &reordered(asked)?)?);
    Ok(Reordered::new(&before.output, &after.output, width(asked), &order(asked)?))
}
