//! What the `config.json` of a model says of its positions, and where programs are known to read it wrongly.
//!
//! [`read`] takes the text of a config as the Hugging Face hub has them and gives, for each kind of layers, the scheme
//! with its parameters as a [`Config`](crate::Config); what the config leaves open, and what is taken instead and why;
//! the lengths; known mistakes ([`Warning`]); and the fields that made no difference. It reads the old style
//! (`rope_theta`, `rope_scaling` with `type` or `rope_type`) and the new one of transformers 5 (`rope_parameters`, for all
//! layers or for each kind), in the text itself or in its `text_config`.
//!
//! | what | is read from |
//! | --- | --- |
//! | base | `rope_theta`, `rotary_emb_base`, `global_rope_theta`, `rope_local_base_freq` and `local_rope_theta` (windows), `rope_ratio` (times 10,000) |
//! | share | `partial_rotary_factor`, `rotary_pct`, `rope_pct`, `rotary_emb_fraction`, `rotary_dim` by the head's width |
//! | width of a head | `head_dim`, `qk_rope_head_dim`, `global_head_dim`, `kv_channels`, else `hidden_size` by the heads |
//! | kinds of layers | `layer_types`, `sliding_window_pattern`, `global_attn_every_n_layers`, `full_attention_interval`, `use_sliding_window` with `max_window_layers`, `attn_layer_indices`, `no_rope_layers`, `no_rope_layer_interval` |
//! | layout of planes | `rope_interleave`; else the code of the `model_type`, as no other config says it |
//! | biases and tables | `alibi`, `attn_config`, `relative_attention_num_buckets`, `position_embedding_type`, `position_buckets`, `pad_token_id` |
//!
//! A `model_type` that is not known is read by its fields alone ([`Reading::known`]); what stands in code and not in
//! configs, such as the layout of the planes, is then what most models have.
//!
//! **Units.** Lengths and windows in tokens, widths in dimensions, layers by number from 0.
//!
//! **Errors.** [`Error`] for a text that is not JSON, is longer than [`MOST_BYTES`], or has a field with a value that
//! cannot be meant: with its line, and never a panic. A number outside a scheme's range is no error but a
//! [`Repair`](crate::Repair) of its part.
//!
//! ```
//! use posenc::config::{Attention, Mistake, read};
//!
//! let reading = read(r#"{
//!     "model_type": "gemma3_text",
//!     "hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256, "num_hidden_layers": 34,
//!     "rope_theta": 1000000, "rope_local_base_freq": 10000,
//!     "rope_scaling": { "rope_type": "linear", "factor": 8 },
//!     "sliding_window": 1024, "max_position_embeddings": 131072
//! }"#).unwrap();
//! let [local, global] = &reading.parts[..] else { unreachable!() };
//! assert_eq!(local.scheme.to_string(), "rope(head_dim=256)");
//! assert_eq!((local.attention, local.window), (Attention::Sliding, Some(1024)));
//! assert_eq!(global.scheme.to_string(), "rope(head_dim=256,rope_theta=1000000,rope_type=linear,factor=8)");
//! assert_eq!(global.layers.as_deref(), Some(&[5, 11, 17, 23, 29][..]));
//! // 2,560 by 8 is 320: a program that divides is wrong.
//! let mistakes: Vec<&str> = reading.warnings.iter().map(|warning| warning.mistake.key()).collect();
//! assert_eq!(mistakes, ["head-dim", "some-layers-scaled"]);
//! assert_eq!(reading.warnings[0].mistake, Mistake::HeadDim { given: 256, derived: 320 });
//!
//! let error = read("{\n  \"rope_theta\": \"1e6\"\n}").unwrap_err();
//! assert_eq!(error.to_string(), "line 2: rope_theta = \"1e6\": it must be a number");
//! ```

mod document;
mod error;
mod extension;
mod families;
mod layers;
mod lengths;
mod mistakes;
mod others;
mod reader;
mod reading;
mod rotation;

pub use error::{Error, Needed};
pub use mistakes::{Mistake, Warning};
pub use reading::{About, Attention, Because, Defaulted, Lengths, Part, Reading, Stack, Table, Unread};

use document::{Object, Source, without_infinities};
use families::ROTARY;
use reader::Reader;

/// The longest text that is read, in bytes. Configs have some thousands.
pub const MOST_BYTES: usize = 4 << 20;

/// Where the part about text is, in models that also see or hear.
const TEXT: &[&str] = &["text_config", "llm_config", "language_config"];

/// Reads the text of a `config.json`.
///
/// # Errors
/// [`Error`]: the text is not JSON, is not an object, is longer than [`MOST_BYTES`], or has a value that cannot be meant.
pub fn read(text: &str) -> Result<Reading, Error> {
    if text.len() > MOST_BYTES {
        return Err(Error::TooLong { bytes: text.len(), most: MOST_BYTES });
    }
    // A byte order mark is no part of it.
    let text = without_infinities(text.strip_prefix('\u{feff}').unwrap_or(text));
    let source = Source::new(&text);
    let root = source.root()?;
    let scope = scope(&root)?;
    let model_type = scope.iter().find_map(|object| object.get("model_type")).map(|node| node.text()).transpose()?;
    // Both are read: the whole's says nothing else.
    for object in &scope {
        object.get("model_type");
    }
    let family = model_type.as_deref().and_then(families::find);
    let mut reader = Reader {
        scope,
        family: family.unwrap_or(&ROTARY),
        known: family.is_some(),
        defaulted: Vec::new(),
        warnings: Vec::new(),
        extension: None,
    };
    let parts = reader.parts()?;
    let lengths = reader.lengths(&parts)?;
    some_layers_scaled(&mut reader, &parts);
    let Reader { defaulted, warnings, .. } = reader;
    let mut unread = Vec::new();
    root.unread(&mut |node, beyond| {
        let about = if beyond {
            About::Beyond
        } else if is_of_positions(&node.path) {
            About::Positions
        } else {
            About::Other
        };
        unread.push(Unread { line: node.line(), path: node.path, about });
    });
    Ok(Reading { model_type, known: family.is_some(), parts, lengths, defaulted, warnings, unread })
}

/// Where fields are looked for: the innermost first.
fn scope<'o, 's>(root: &'o Object<'s>) -> Result<Vec<&'o Object<'s>>, Error> {
    let mut scope = vec![root];
    for keys in [&["thinker_config"][..], TEXT] {
        if let Some(key) = keys.iter().find(|key| scope[0].has_object(key))
            && let Some(inner) = scope[0].child(key)?
        {
            scope.insert(0, inner);
        }
    }
    Ok(scope)
}

/// Whether a field has to do with positions, by its name or by that of the object that it is in.
fn is_of_positions(path: &str) -> bool {
    ["rope", "rotary", "position", "alibi", "relative_attention", "theta", "sliding", "max_seq", "yarn"]
        .iter()
        .any(|part| path.contains(part))
}

/// Warns where the context of some layers that rotate is extended, and of others not.
fn some_layers_scaled(reader: &mut Reader<'_, '_>, parts: &[Part]) {
    let kinds: Vec<&str> = parts
        .iter()
        .filter(|part| part.scheme.spec.id == "rope")
        .map(|part| part.scheme.settings.choice("rope_type"))
        .collect();
    let plain = kinds.iter().filter(|kind| matches!(**kind, "default" | "proportional")).count();
    if plain > 0
        && plain < kinds.len()
        && let Some(node) = reader.get(&["rope_parameters", "rope_scaling"])
    {
        reader.warn(Mistake::SomeLayersScaled, &node);
    }
}
