//! Which layers there are: what they attend to, and whether they rotate.

use super::{
    document::Node,
    error::{Error, Needed},
    families::{Pattern, Rotates},
    reader::{Reader, names},
    reading::{Attention, Because},
};

/// More layers than any model has.
const MOST_LAYERS: u64 = 10_000;
/// As many layers as are looked at to find their kinds where the config does not say how many there are.
const SAMPLE: usize = 64;

/// Parts of the words for layers that do not attend, or without a softmax.
const RECURRENT: [&str; 9] = ["linear", "lightning", "mamba", "conv", "recurrent", "ssm", "delta", "mlp", "moe"];

/// Fields that say by a rule what `layer_types` says one by one.
const PATTERNS: [&str; 7] = [
    "sliding_window_pattern",
    "_sliding_window_pattern",
    "use_sliding_window",
    "sliding_window",
    "max_window_layers",
    "global_attn_every_n_layers",
    "full_attention_interval",
];

/// Layers that are alike.
pub(super) struct Kind {
    pub(super) attention: Attention,
    /// Whether they rotate.
    pub(super) rotates: bool,
    /// Their numbers, from 0.
    pub(super) layers: Vec<usize>,
}

/// The layers of a stack.
pub(super) struct Layers {
    /// How many; `None` where the config does not say.
    pub(super) count: Option<usize>,
    /// Their kinds, in the order of their first layers.
    pub(super) kinds: Vec<Kind>,
    /// Every so many-th layer does not rotate, and all others do.
    pub(super) interval: Option<usize>,
}

impl Layers {
    /// The numbers of some layers; `None` where it is not known how many there are.
    pub(super) fn numbers(&self, layers: &[usize]) -> Option<Vec<usize>> {
        self.count.map(|_| layers.to_vec())
    }
}

impl Reader<'_, '_> {
    /// How many layers a stack has.
    pub(super) fn layer_count(&self, keys: &[&str]) -> Result<Option<usize>, Error> {
        self.get(keys).map(|node| node.whole(1, MOST_LAYERS).map(|n| n as usize)).transpose()
    }

    /// The layers, by kinds.
    pub(super) fn layers(&mut self) -> Result<Layers, Error> {
        let given = self.layer_count(names::LAYERS)?;
        let types = self.layer_types(given)?;
        let count = given.or(types.as_ref().map(Vec::len));
        let n = count.unwrap_or(SAMPLE);
        let (rotates, interval) = self.rotating(n)?;
        let attention = if let Some(types) = types {
            // These say the same in another way, or nothing.
            for key in PATTERNS {
                self.get(&[key]);
            }
            types
        } else if let Some(attending) = self.get(&["attn_layer_indices", "full_attn_idxs"]) {
            let attending = attending.numbers()?;
            let kind = |i| if attending.contains(&(i as f64)) { Attention::Full } else { Attention::Other };
            (0..n).map(kind).collect()
        } else {
            self.by_pattern(n, rotates.as_deref())?
        };
        let windowed = attention.contains(&Attention::Sliding);
        let rotates = rotates.unwrap_or_else(|| {
            let rotates = |attention: &Attention| match attention {
                Attention::Other => false,
                Attention::Full => self.family.rotates != Rotates::Windowed || !windowed,
                _ => true,
            };
            attention.iter().map(rotates).collect()
        });
        let mut kinds: Vec<Kind> = Vec::new();
        for (i, (attention, rotates)) in attention.into_iter().zip(rotates).enumerate() {
            let rotates = rotates && attention != Attention::Other;
            match kinds.iter_mut().find(|kind| kind.attention == attention && kind.rotates == rotates) {
                Some(kind) => kind.layers.push(i),
                None => kinds.push(Kind { attention, rotates, layers: vec![i] }),
            }
        }
        Ok(Layers { count, kinds, interval })
    }

    /// As `layer_types` has them.
    fn layer_types(&self, count: Option<usize>) -> Result<Option<Vec<Attention>>, Error> {
        let Some(node) = self.get(&["layer_types"]) else { return Ok(None) };
        let words = node.texts()?;
        let n = count.unwrap_or(words.len());
        if words.is_empty() || words.len() < n || n as u64 > MOST_LAYERS {
            return Err(node.refuse(Needed::Entries(count.unwrap_or(1) as u64, MOST_LAYERS)));
        }
        Ok(Some(words.iter().take(n).map(|word| attention(word)).collect()))
    }

    /// Which layers rotate, where fields or the family say it by number; and the interval, where it is one.
    fn rotating(&mut self, n: usize) -> Result<(Option<Vec<bool>>, Option<usize>), Error> {
        // Kimi's linear models: the few layers that attend know no positions.
        if let Some(node) = self.get(&["mla_use_nope"])
            && node.flag()?
        {
            return Ok((Some(vec![false; n]), None));
        }
        if let Some(node) = self.get(&["no_rope_layers"]) {
            let list = node.numbers()?;
            if !list.is_empty() {
                if list.len() < n {
                    return Err(node.refuse(Needed::Entries(n as u64, MOST_LAYERS)));
                }
                self.warn(super::mistakes::Mistake::NoRopeMeansRope, &node);
                let rotates: Vec<bool> = list[..n].iter().map(|flag| *flag != 0.0).collect();
                let first = rotates.iter().position(|rotates| !rotates);
                let regular =
                    |every: &usize| rotates.iter().enumerate().all(|(i, r)| *r != (i + 1).is_multiple_of(*every));
                let interval = first.map(|first| first + 1).filter(regular);
                // It says the same, or nothing.
                self.get(&["no_rope_layer_interval"]);
                return Ok((Some(rotates), interval));
            }
        }
        let every = match (self.get(&["no_rope_layer_interval"]), self.family.rotates) {
            (Some(node), _) => node.whole(1, MOST_LAYERS)? as usize,
            (None, Rotates::AllBut(every)) => {
                let path = self.path("no_rope_layer_interval");
                self.default(path, every, Because::Code);
                every as usize
            }
            (None, _) => return Ok((None, None)),
        };
        Ok((Some((1..=n).map(|number| !number.is_multiple_of(every)).collect()), Some(every)))
    }

    /// As the family, or the fields of an unknown one, have them.
    fn by_pattern(&mut self, n: usize, rotates: Option<&[bool]>) -> Result<Vec<Attention>, Error> {
        let because = self.because();
        let every = |reader: &mut Self, key: &str, most: u64| {
            reader.or_default(key, |node| node.whole(1, MOST_LAYERS), most, because).map(|every| every as usize)
        };
        let by = |windowed: &dyn Fn(usize) -> bool, other: Attention| {
            (0..n).map(|i| if windowed(i) { other } else { Attention::Full }).collect::<Vec<_>>()
        };
        // Llama 4: what rotates is chunked.
        if let (Some(rotates), Some(_)) = (rotates, self.family.temperature)
            && self.window_of(&["attention_chunk_size"])?.is_some()
        {
            return Ok(by(&|i| rotates[i], Attention::Chunked));
        }
        // Exaone 4 writes a pattern in letters: L for local, G for global.
        if let Some(node) = self.get(&["sliding_window_pattern"]).filter(Node::is_text) {
            let letters: Vec<char> = node.text()?.chars().take(MOST_LAYERS as usize).collect();
            if letters.is_empty() || letters.iter().any(|letter| !matches!(letter, 'L' | 'G')) {
                return Err(node.refuse(Needed::OneOf(&["LLLG"])));
            }
            // The last layer is global in any case.
            return Ok(by(&|i| letters[i % letters.len()] == 'L' && i + 1 < n, Attention::Sliding));
        }
        let pattern = match self.family.pattern {
            Pattern::Same if !self.known && self.get(&["sliding_window_pattern"]).is_some() => Pattern::EveryLast(1),
            Pattern::Same if !self.known => Pattern::Window,
            known => known,
        };
        match pattern {
            Pattern::Same => Ok(by(&|_| false, Attention::Full)),
            Pattern::EveryLast(most) => {
                let every = every(self, "sliding_window_pattern", most)?;
                Ok(by(&|i| !(i + 1).is_multiple_of(every), Attention::Sliding))
            }
            Pattern::EveryFirst(most) => {
                let every = every(self, "global_attn_every_n_layers", most)?;
                Ok(by(&|i| !i.is_multiple_of(every), Attention::Sliding))
            }
            Pattern::Recurrent(most) => {
                let every = every(self, "full_attention_interval", most)?;
                Ok(by(&|i| !(i + 1).is_multiple_of(every), Attention::Other))
            }
            Pattern::Window | Pattern::Upper => {
                let upper = pattern == Pattern::Upper;
                let on = match self.get(&["use_sliding_window"]) {
                    Some(node) => node.flag()?,
                    None => !upper,
                };
                let from = match self.get(&["max_window_layers"]) {
                    Some(node) if upper || !self.known => node.whole(0, MOST_LAYERS)? as usize,
                    _ => 0,
                };
                self.get(&["sliding_window"]);
                let windowed = on && self.window_of(&["sliding_window"])?.is_some();
                Ok(by(&|i| windowed && i >= from, Attention::Sliding))
            }
        }
    }

    /// How many tokens back a kind of layers attends, where the config or its code says so.
    pub(super) fn window(&mut self, attention: Attention) -> Result<Option<u64>, Error> {
        match attention {
            Attention::Full | Attention::Other => Ok(None),
            Attention::Sliding => self.window_of(&["sliding_window", "sliding_window_size", "local_attention"]),
            Attention::Chunked => self.window_of(&["attention_chunk_size"]),
        }
    }

    /// A window; 0, -1 and `null` are none.
    fn window_of(&mut self, keys: &[&str]) -> Result<Option<u64>, Error> {
        if let Some(node) = self.get(keys) {
            return if node.number()? <= 0.0 { Ok(None) } else { node.count().map(Some) };
        }
        let Some((key, window)) = self.family.window.filter(|(key, _)| keys.contains(key)) else { return Ok(None) };
        if self.scope.iter().any(|object| object.mentions(key)) {
            return Ok(None);
        }
        let path = self.path(key);
        self.default(path, window, Because::Code);
        Ok(Some(window))
    }
}

/// The attention of a word of `layer_types`.
fn attention(word: &str) -> Attention {
    if word.contains("sliding") {
        Attention::Sliding
    } else if word.contains("chunked") {
        Attention::Chunked
    } else if RECURRENT.iter().any(|part| word.contains(part)) {
        Attention::Other
    } else {
        Attention::Full
    }
}
