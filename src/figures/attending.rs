//! What attention makes of the words of a text with a scheme, for the figures that show it.
//!
//! One head whose `W_q`, `W_k` and `W_v` change nothing: query, key and value of a word are its vector, which is made up
//! from its letters. What differs between two schemes is then the schemes' own doing.

use super::{Cursor, Scene, Slot, common};
use crate::words;
use posenc::{Drawn, Encoding, Error, Kind, ParamSpec, Scale, Unit, attention, content::Tokens, vectors};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The most words that are looked at.
pub(crate) const MOST_WORDS: i64 = 48;

/// The option for a mask of later words.
pub(crate) const fn causal(default: bool) -> ParamSpec {
    ParamSpec { key: "causal", kind: Kind::Switch { default }, unit: Unit::None, when: None }
}

/// The option for what scores are divided by before the softmax.
pub(crate) const TEMPERATURE: ParamSpec = ParamSpec {
    key: "temperature",
    kind: Kind::Real { min: 0.05, max: 20.0, step: 0.05, default: 1.0, scale: Scale::Log },
    unit: Unit::None,
    when: None,
};

/// The option for how many words are looked at.
pub(crate) const WORDS: ParamSpec = ParamSpec {
    key: "words",
    kind: Kind::Integer { min: 1, max: MOST_WORDS, step: 1, default: 16, scale: Scale::Linear },
    unit: Unit::Tokens,
    when: None,
};

/// The option for how far the numbers of the words' vectors spread: 0 leaves the places alone. At 1 a word would look at
/// little but itself.
pub(crate) const SPREAD: ParamSpec = ParamSpec {
    key: "spread",
    kind: Kind::Real { min: 0.0, max: 4.0, step: 0.05, default: 0.35, scale: Scale::Linear },
    unit: Unit::None,
    when: None,
};

/// The width of the words' vectors where no scheme has one.
const WIDTH: usize = 64;

/// The words that are looked at, and what is done with them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sentence {
    /// The words, in their order.
    pub(crate) words: Vec<String>,
    /// Whether a word sees none after it.
    pub(crate) causal: bool,
    /// What scores are divided by.
    pub(crate) temperature: f64,
    /// The standard deviation of the vectors' numbers.
    pub(crate) spread: f64,
    /// Of the vectors.
    pub(crate) seed: u64,
}

impl Sentence {
    /// The words of a scene, by the options `words`, `causal`, `temperature` and `spread`: no more than it has positions.
    pub(crate) fn of(scene: &Scene) -> Self {
        let most = (scene.options.integer("words").max(1) as u64).min(scene.length) as usize;
        Self {
            words: scene.words.iter().take(most).cloned().collect(),
            causal: scene.options.switch("causal"),
            temperature: scene.options.real("temperature"),
            spread: scene.options.real("spread"),
            seed: scene.seed,
        }
    }

    /// The vector of a word: the same wherever it stands.
    pub(crate) fn vector(&self, word: &str, width: usize) -> Vec<f64> {
        vectors::of_word(word, self.seed, width).iter().map(|z| z * self.spread).collect()
    }

    /// How many words there are.
    pub(crate) fn count(&self) -> usize {
        self.words.len()
    }

    /// The keys that a query sees.
    pub(crate) fn keys(&self, query: usize) -> Range<usize> {
        0..if self.causal { query + 1 } else { self.count() }.min(self.count())
    }
}

/// What attention computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    /// The width of the words' vectors.
    pub(crate) width: usize,
    /// q·k, or what the scheme makes of it, before it is scaled; queries × keys.
    pub(crate) products: Vec<f64>,
    /// What goes into the softmax, before the temperature; −∞ where the mask is.
    pub(crate) scores: Vec<f64>,
    /// What comes out: each row adds up to 1.
    pub(crate) weights: Vec<f64>,
    /// Word by word, of `width` numbers.
    pub(crate) outputs: Vec<f64>,
}

/// A scheme at work on words.
pub(crate) struct Mind {
    encoding: Rc<Result<Encoding, Error>>,
    width: usize,
    last: RefCell<Option<(usize, Rc<Seen>)>>,
}

/// The width of vectors for the schemes that have none of their own: that of the first that has.
pub(crate) fn width(scene: &Scene) -> usize {
    scene.slots.iter().filter_map(common::encoding).find_map(Encoding::width).unwrap_or(WIDTH).max(1)
}

impl Mind {
    /// Of a slot, if it computes anything; `width` is for a scheme that has none.
    pub(crate) fn of(slot: &Slot, width: usize) -> Option<Self> {
        let width = common::encoding(slot)?.width().unwrap_or(width).max(1);
        Some(Self { encoding: slot.encoding.clone(), width, last: RefCell::default() })
    }

    /// Without any positions.
    pub(crate) fn without(width: usize) -> Self {
        Self { encoding: Rc::new(Ok(Encoding::None)), width, last: RefCell::default() }
    }

    /// What it computes.
    pub(crate) fn encoding(&self) -> &Encoding {
        self.encoding.as_ref().as_ref().unwrap_or(&Encoding::None)
    }

    /// How many heads it tells apart.
    pub(crate) fn heads(&self) -> usize {
        match self.encoding() {
            Encoding::Bias(bias) => bias.heads().max(1),
            _ => 1,
        }
    }

    /// A name, with the cursor's head where there are several.
    pub(crate) fn label(&self, name: &str, cursor: &Cursor) -> String {
        let heads = self.heads();
        if heads > 1 { words::logits_head(name, cursor.head.min(heads - 1)) } else { name.to_owned() }
    }

    /// Whether the scheme leaves q·k as large as it is; queries are then made smaller by √d instead.
    pub(crate) fn is_unscaled(&self) -> bool {
        matches!(self.encoding(), Encoding::Bias(bias) if !bias.scales_logits())
    }

    /// What q·k is multiplied by.
    pub(crate) fn scale(&self) -> f64 {
        attention::scale(self.encoding(), self.width)
    }

    /// What a head makes of a sentence, or the last head where there are fewer. That of one sentence is kept: a mind is
    /// asked about no other than that.
    pub(crate) fn seen(&self, sentence: &Sentence, head: usize) -> Result<Rc<Seen>, Error> {
        let head = head.min(self.heads() - 1);
        if let Some((_, seen)) = self.last.borrow().as_ref().filter(|(known, _)| *known == head) {
            return Ok(seen.clone());
        }
        let seen = Rc::new(self.attend(sentence, &sentence.words, sentence.causal, head)?);
        self.last.replace(Some((head, seen.clone())));
        Ok(seen)
    }

    /// Attention of a head over words.
    pub(crate) fn attend<W: AsRef<str>>(
        &self,
        sentence: &Sentence,
        words: &[W],
        causal: bool,
        head: usize,
    ) -> Result<Seen, Error> {
        let (encoding, width, n) = (self.encoding(), self.width, words.len());
        let mut x = Vec::with_capacity(n * width);
        for word in words {
            x.extend(sentence.vector(word.as_ref(), width));
        }
        attention::embed(encoding, 0, None, width, &mut x)?;
        let queries = if self.is_unscaled() { x.iter().map(|z| z * self.scale()).collect() } else { x.clone() };
        let tokens = Tokens::new(width, &queries, &x)?;
        let scores = attention::logits(encoding, head, &tokens, causal)?;
        let mut weights: Vec<f64> = scores.iter().map(|score| score / sentence.temperature).collect();
        weights.chunks_exact_mut(n.max(1)).for_each(attention::softmax);
        let outputs = attention::output(encoding, &tokens, &x, &weights)?;
        let products = attention::products(encoding, &tokens)?;
        Ok(Seen { width, products, scores, weights, outputs })
    }

    /// What must be said of a scheme's numbers, if anything.
    pub(crate) fn about(&self, name: &str, slot: &Slot) -> Vec<String> {
        let mut about = Vec::new();
        if slot.config.drawn() == Drawn::Synthetic {
            about.push(match self.encoding() {
                Encoding::Bias(_) => words::logits_synthetic(name),
                _ => words::attending_synthetic(name),
            });
        }
        if self.is_unscaled() {
            about.push(words::attending_unscaled(name));
        }
        about
    }
}

/// What is said of the words and their vectors, for the schemes that are shown.
pub(crate) fn about_words(scene: &Scene, sentence: &Sentence) -> Vec<String> {
    let mut about = vec![words::attending_vectors().to_owned()];
    let (shown, all) = (sentence.count(), scene.words.len());
    if shown < all {
        about.push(words::attending_cut(shown, all));
    }
    about
}
