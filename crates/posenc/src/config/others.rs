//! What does not rotate: biases and tables.

use super::{
    document::Node,
    error::Error,
    families::Positions,
    layers::Layers,
    mistakes::Mistake,
    reader::{Draft, Reader, names},
    reading::{Attention, Because, Part, Stack, Table},
};
use crate::schemes::{alibi, deberta, learned, learned2d, none, shaw, sinusoidal, t5};

/// BERT's word of `position_embedding_type`.
const ABSOLUTE: &str = "absolute";

/// Fields of models that rotate.
const ROTATES: &[&str] = &[
    "rope_parameters",
    "rope_scaling",
    "rope_theta",
    "rotary_emb_base",
    "rotary_pct",
    "rotary_dim",
    "rope_ratio",
    "partial_rotary_factor",
    "rope_local_base_freq",
    "qk_rope_head_dim",
    "no_rope_layers",
    "rotary_base",
    "global_rope_theta",
    "rope_base",
    "rotary_emb_fraction",
];

impl Draft {
    /// The part of a stack's layers.
    pub(super) fn part(self, stack: Stack, attention: Attention, layers: Option<Vec<usize>>) -> Part {
        let Self { scheme, repairs } = self;
        Part { stack, attention, window: None, layers, scheme, repairs, table: None }
    }

    /// The part of all layers.
    fn everywhere(self, count: Option<usize>) -> Part {
        self.part(Stack::Only, Attention::Full, count.map(|n| (0..n).collect()))
    }
}

impl Reader<'_, '_> {
    /// What positions a config has that is not known to rotate.
    pub(super) fn parts(&mut self) -> Result<Vec<Part>, Error> {
        let count = |reader: &Self| reader.layer_count(names::LAYERS);
        match self.family.positions {
            Positions::Rotary if self.known => self.rotary_parts(),
            Positions::Rotary => self.by_fields(),
            Positions::Falcon => {
                if self.or_default("alibi", Node::flag, false, Because::Code)? {
                    Ok(vec![self.alibi("key-index")?.everywhere(count(self)?)])
                } else {
                    self.rotary_parts()
                }
            }
            Positions::Mpt => self.mpt(),
            Positions::Alibi(form) => Ok(vec![self.alibi(form)?.everywhere(count(self)?)]),
            Positions::T5 => self.t5_stacks(),
            Positions::Learned { before } => Ok(vec![self.learned(before, before)?]),
            Positions::Sinusoidal { frequencies, before, stacks } => self.sinusoidal(frequencies, before, stacks),
            Positions::Bert => self.bert(0),
            Positions::Roberta => {
                let first = self.after_padding()?;
                self.bert(first)
            }
            Positions::Whisper => self.whisper(),
            Positions::Patches { before } => self.patches(before),
            Positions::Mpnet => {
                let first = self.after_padding()?;
                let table = self.learned(0, first)?;
                Ok(vec![table, self.t5(true)?.everywhere(count(self)?)])
            }
            Positions::Deberta => self.deberta(),
            Positions::Nothing => Ok(vec![Draft::new(&none::SPEC).everywhere(count(self)?)]),
        }
    }

    /// One part for each kind of layers.
    pub(super) fn rotary_parts(&mut self) -> Result<Vec<Part>, Error> {
        let layers: Layers = self.layers()?;
        let mut parts = Vec::new();
        for kind in &layers.kinds {
            let draft = match kind.attention {
                Attention::Other => Draft::new(&none::SPEC),
                _ => self.rotary(kind, &layers)?,
            };
            let mut part = draft.part(Stack::Only, kind.attention, layers.numbers(&kind.layers));
            part.window = self.window(kind.attention)?;
            parts.push(part);
        }
        Ok(parts)
    }

    /// Of a model whose code is not known.
    fn by_fields(&mut self) -> Result<Vec<Part>, Error> {
        let has =
            |reader: &Self, keys: &[&str]| reader.scope.iter().any(|object| keys.iter().any(|key| object.has(key)));
        let rotates = has(self, ROTATES);
        // Some that rotate have kept BERT's "absolute", which means nothing.
        let kept = match self.get(&["position_embedding_type"]) {
            Some(node) => rotates && node.text()? == ABSOLUTE,
            None => false,
        };
        if !kept && let Some(parts) = self.by_type(0)? {
            return Ok(parts);
        }
        if self.get(&["alibi", "use_alibi"]).map_or(Ok(false), |node| node.truthy())? {
            let count = self.layer_count(names::LAYERS)?;
            return Ok(vec![self.alibi("relative")?.everywhere(count)]);
        }
        if has(self, &["attn_config"]) {
            return self.mpt();
        }
        if has(self, &["relative_attention_num_buckets"]) {
            return self.t5_stacks();
        }
        if rotates {
            return self.rotary_parts();
        }
        if has(self, &["n_positions"]) {
            return Ok(vec![self.learned(0, 0)?]);
        }
        Ok(Vec::new())
    }

    /// By `position_embedding_type`, where there is one; a table's first row for the first token is `first`.
    fn by_type(&mut self, first: u64) -> Result<Option<Vec<Part>>, Error> {
        let Some(node) = self.get(&["position_embedding_type"]) else { return Ok(None) };
        let count = self.layer_count(names::LAYERS)?;
        Ok(Some(match node.text()?.as_str() {
            "absolute" | "learned" | "learned_absolute" => vec![self.learned(0, first)?],
            "relative_key" | "relative_key_query" => vec![self.shaw()?.everywhere(count)],
            "rotary" | "rope" => self.rotary_parts()?,
            "alibi" => vec![self.alibi("distance")?.everywhere(count)],
            "nope" | "none" => vec![Draft::new(&none::SPEC).everywhere(count)],
            given => {
                // The other fields may say more.
                self.warn(Mistake::UnknownWord { given: given.to_owned(), taken: ABSOLUTE }, &node);
                return Ok(None);
            }
        }))
    }

    fn bert(&mut self, first: u64) -> Result<Vec<Part>, Error> {
        if let Some(parts) = self.by_type(first)? {
            return Ok(parts);
        }
        let path = self.path("position_embedding_type");
        self.default(path, ABSOLUTE, Because::Code);
        Ok(vec![self.learned(0, first)?])
    }

    /// The row after that of the padding.
    fn after_padding(&mut self) -> Result<u64, Error> {
        let padding = self.or_default("pad_token_id", |node| node.whole(0, u64::MAX), 1, Because::Code)?;
        Ok(padding + 1)
    }

    /// A table with `before` rows more than the config counts; the first token has row `first`.
    fn learned(&mut self, before: u64, first: u64) -> Result<Part, Error> {
        let count = self.layer_count(names::LAYERS)?;
        let length = self.length()?;
        let columns = self.count(names::WIDTH)?;
        let mut part = Draft::new(&learned::SPEC).everywhere(count);
        part.table = length.map(|length| Table { rows: length.saturating_add(before), first, columns });
        if first > 0 {
            let path = self.path(names::LENGTH[0]);
            match self.get(names::LENGTH) {
                Some(node) => self.warn(Mistake::FirstRow { first }, &node),
                None => self.warn_missing(Mistake::FirstRow { first }, path),
            }
        }
        Ok(part)
    }

    /// Sines, then cosines.
    fn sinusoidal(&mut self, frequencies: &str, before: u64, stacks: &[Stack]) -> Result<Vec<Part>, Error> {
        // A formula has no rows of its own: these are those that are made before the first token's.
        let table = self.learned(before, before)?.table.filter(|_| before > 0);
        let mut draft = Draft::new(&sinusoidal::SPEC);
        draft.set("layout", "concatenated");
        draft.set("frequencies", frequencies);
        let because = self.because();
        self.default("layout", "concatenated", because);
        self.default("frequencies", frequencies, because);
        if let Some(width) = self.count(names::WIDTH)? {
            draft.set("d_model", width);
        } else {
            let path = self.path(names::WIDTH[0]);
            self.default(path, draft.scheme.settings.integer("d_model"), Because::Scheme);
        }
        let mut parts = Vec::new();
        for stack in stacks {
            let keys: &[&str] = if *stack == Stack::Decoder { &["decoder_layers"] } else { names::LAYERS };
            let layers = self.layer_count(keys)?.map(|n| (0..n).collect());
            let draft = Draft { scheme: draft.scheme.clone(), repairs: draft.repairs.clone() };
            parts.push(Part { table, ..draft.part(*stack, Attention::Full, layers) });
        }
        Ok(parts)
    }

    /// Sines of the sound's frames in the encoder, a table of the text's tokens in the decoder.
    fn whisper(&mut self) -> Result<Vec<Part>, Error> {
        let mut parts = self.sinusoidal("tensor2tensor", 0, &[Stack::Encoder])?;
        let because = self.because();
        let columns = self.count(names::WIDTH)?;
        for (part, key, usual) in [(0, "max_source_positions", 1500), (1, "max_target_positions", 448)] {
            let rows = self.or_default(key, Node::count, usual, because)?;
            if part == 1 {
                let layers = self.layer_count(&["decoder_layers"])?.map(|n| (0..n).collect());
                parts.push(Draft::new(&learned::SPEC).part(Stack::Decoder, Attention::Full, layers));
            }
            parts[part].table = Some(Table { rows, first: 0, columns });
        }
        Ok(parts)
    }

    /// A table by row and column, after the rows of so many tokens that are no patches.
    fn patches(&mut self, before: u64) -> Result<Vec<Part>, Error> {
        let because = self.because();
        let image = self.or_default("image_size", Node::count, 224, because)?;
        let patch = self.or_default("patch_size", Node::count, 16, because)?;
        let side = (image / patch.max(1)).max(1);
        let columns = self.count(names::WIDTH)?;
        let mut draft = Draft::new(&learned2d::SPEC);
        if let Some(width) = columns {
            draft.set("d_model", width);
        }
        draft.set("grid_size", side);
        let count = self.layer_count(names::LAYERS)?;
        let mut part = draft.everywhere(count);
        part.table = Some(Table { rows: side.saturating_mul(side).saturating_add(before), first: before, columns });
        Ok(vec![part])
    }

    fn heads(&mut self, draft: &mut Draft) -> Result<(), Error> {
        if let Some(node) = self.get(names::HEADS) {
            draft.set("num_heads", node.count()?);
        } else {
            let path = self.path(names::HEADS[0]);
            self.default(path, draft.scheme.settings.integer("num_heads"), Because::Scheme);
        }
        Ok(())
    }

    fn alibi(&mut self, form: &str) -> Result<Draft, Error> {
        let mut draft = Draft::new(&alibi::SPEC);
        draft.set("form", form);
        let because = self.because();
        self.default("form", form, because);
        self.heads(&mut draft)?;
        let heads = draft.scheme.settings.integer("num_heads") as u64;
        if !heads.is_power_of_two()
            && let Some(node) = self.get(names::HEADS)
        {
            self.warn(Mistake::AlibiSlopes { heads }, &node);
        }
        if let Some(node) = self.get(&["alibi_bias_max"]) {
            draft.set("alibi_bias_max", node.positive()?);
        }
        Ok(draft)
    }

    fn mpt(&mut self) -> Result<Vec<Part>, Error> {
        let inner = self.child(&["attn_config"])?;
        self.scope.extend(inner);
        let flag = |node: Option<Node<'_>>| node.map(|node| node.truthy()).transpose();
        if flag(self.get(&["rope"]))?.unwrap_or(false) {
            return self.rotary_parts();
        }
        let count = self.layer_count(names::LAYERS)?;
        let on = match flag(self.get(&["alibi"]))? {
            Some(on) => on,
            // A model that is not MPT, and has something else in attn_config.
            None if !self.known => return self.rotary_parts(),
            None => {
                let path = self.path("attn_config.alibi");
                self.default(path, true, Because::Code);
                true
            }
        };
        if on { Ok(vec![self.alibi("last-query")?.everywhere(count)]) } else { Ok(vec![self.learned(0, 0)?]) }
    }

    fn t5(&mut self, bidirectional: bool) -> Result<Draft, Error> {
        let mut draft = Draft::new(&t5::SPEC);
        self.heads(&mut draft)?;
        let because = self.because();
        for key in ["relative_attention_num_buckets", "relative_attention_max_distance"] {
            let default = draft.scheme.settings.integer(key) as u64;
            draft.set(key, self.or_default(key, Node::count, default, because)?);
        }
        draft.set("bidirectional", bidirectional);
        Ok(draft)
    }

    /// Both ways in the encoder, back in the decoder.
    fn t5_stacks(&mut self) -> Result<Vec<Part>, Error> {
        let encoder = self.layer_count(&["num_layers", "num_hidden_layers", "encoder_layers", "n_layer"])?;
        let decoder = self.layer_count(&["num_decoder_layers", "decoder_layers"])?.or(encoder);
        let both = match self.get(&["is_encoder_decoder"]) {
            Some(node) => node.flag()?,
            None => self.known,
        };
        let numbers = |count: Option<usize>| count.map(|n| (0..n).collect());
        if !both {
            return Ok(vec![self.t5(true)?.everywhere(encoder)]);
        }
        Ok(vec![
            self.t5(true)?.part(Stack::Encoder, Attention::Full, numbers(encoder)),
            self.t5(false)?.part(Stack::Decoder, Attention::Full, numbers(decoder)),
        ])
    }

    /// Shaw's vectors for each distance, of keys alone.
    fn shaw(&mut self) -> Result<Draft, Error> {
        let mut draft = Draft::new(&shaw::SPEC);
        let (head_dim, _) = self.head_dim(Attention::Full)?;
        draft.set("head_dim", head_dim);
        if let Some(length) = self.length()? {
            for key in ["left_max_position_embeddings", "right_max_position_embeddings"] {
                draft.set(key, length - 1);
            }
        }
        draft.set("relative_values", false);
        Ok(draft)
    }

    fn deberta(&mut self) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        if self.or_default("position_biased_input", Node::flag, true, Because::Code)? {
            parts.push(self.learned(0, 0)?);
        }
        if self.or_default("relative_attention", Node::flag, false, Because::Code)? {
            let mut draft = Draft::new(&deberta::SPEC);
            let (head_dim, _) = self.head_dim(Attention::Full)?;
            draft.set("head_dim", head_dim);
            // -1, or nothing: a row for each distance, as far as there are positions.
            let some = |node: Option<Node<'_>>| node.map(|node| node.number()).transpose();
            let buckets = some(self.get(&["position_buckets"]))?.filter(|n| *n > 0.0);
            draft.set("position_buckets", buckets.unwrap_or(0.0));
            let most = match some(self.get(&["max_relative_positions"]))?.filter(|n| *n > 0.0) {
                Some(most) => Some(most),
                None => self.length()?.map(|length| length as f64),
            };
            if let Some(most) = most {
                draft.set("max_relative_positions", most);
            }
            let count = self.layer_count(names::LAYERS)?;
            parts.push(draft.everywhere(count));
        }
        Ok(parts)
    }
}
