//! What real models use: a scheme with its parameters, the lengths, and where that was read.
//!
//! A model whose layers differ (Gemma's local and global ones) has an entry for each kind. Parameters that no source was
//! found for, or that sources disagree on, are named in [`Model::unverified`]; all others were read in the code of the
//! package that is named, or in a copy of the model's `config.json` ("config" below) in a public repository.
//!
//! ```
//! use posenc::{Encoding, models};
//!
//! let llama = models::find("llama-3.1").unwrap();
//! assert!(llama.verified() && llama.trained == Some(8192) && llama.context == 131_072);
//! let Encoding::Rotary(rope) = llama.config().unwrap().build().unwrap() else { unreachable!() };
//! assert_eq!(rope.head_dim(), 128);
//! ```

use crate::{Config, Error};

/// Of which layers of a model an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    /// Of all.
    All,
    /// Of those that see the whole text.
    Global,
    /// Of those that see a window.
    Local,
    /// Of those that turn query and key, where others have no positions.
    Rotating,
}

/// One model, or one kind of its layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Of which of its layers this is.
    pub layers: Layers,
    /// The scheme with its parameters, as [`Config::parse`] reads it.
    pub scheme: &'static str,
    /// The greatest length that its config gives, in tokens.
    pub context: u64,
    /// The length before its context was extended, in tokens: `context` where it was not; `None` where the sources do
    /// not say.
    pub trained: Option<u64>,
    /// Where it was read.
    pub source: &'static str,
    /// Keys of the parameters that are from memory, or that sources disagree on; `max_position_embeddings` stands for
    /// [`context`](Self::context).
    pub unverified: &'static [&'static str],
}

impl Model {
    /// Whether everything was read in a source.
    pub fn verified(&self) -> bool {
        self.unverified.is_empty()
    }

    /// The scheme with its parameters.
    ///
    /// # Errors
    /// As [`Config::parse`]: never, for those of [`models`].
    pub fn config(&self) -> Result<Config, Error> {
        Ok(Config::parse(self.scheme)?.0)
    }

    /// The id of its scheme.
    pub fn scheme_id(&self) -> &'static str {
        self.scheme.split('(').next().unwrap_or_default()
    }

    /// The same, its context having been extended from so many tokens, 0 where it is not known from how many.
    const fn from(self, trained: u64) -> Self {
        Self { trained: if trained == 0 { None } else { Some(trained) }, ..self }
    }

    /// The same, for some of the layers.
    const fn of(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same, but for these.
    const fn but(self, unverified: &'static [&'static str]) -> Self {
        Self { unverified, ..self }
    }
}

const fn model(
    id: &'static str,
    name: &'static str,
    scheme: &'static str,
    context: u64,
    source: &'static str,
) -> Model {
    Model { id, name, layers: Layers::All, scheme, context, trained: Some(context), source, unverified: &[] }
}

const LITGPT: &str = "litgpt 0.5.13";
const LITGPT_TORCHTUNE: &str = "litgpt 0.5.13, torchtune 0.6.1";
/// Read in the code of one of these.
const CODE: &str = "litgpt 0.5.13, torchtune 0.6.1, mlx-lm 0.32.2, candle-transformers 0.11.1, transformers 5.24.0";
/// The default of its config class.
const TRANSFORMERS: &str = "transformers 5.24.0";
/// A [`source`](Model::source): its config, as copied in public repositories.
pub const CONFIG: &str = "config";
/// A [`source`](Model::source): nothing was found, these are remembered.
pub const MEMORY: &str = "memory";

static MODELS: &[Model] = &[
    model("llama-1", "Llama 1", "rope", 2048, MEMORY).but(&["head_dim", "rope_theta", "max_position_embeddings"]),
    model("llama-2", "Llama 2", "rope", 4096, LITGPT_TORCHTUNE),
    model("llama-2-7b-32k", "Llama 2 7B 32K", "rope(rope_type=linear,factor=8)", 32_768, LITGPT).from(4096),
    model("codellama", "Code Llama", "rope(rope_theta=1000000)", 16_384, LITGPT_TORCHTUNE),
    model("llama-3", "Llama 3", "rope(rope_theta=500000)", 8192, CODE),
    model(
        "llama-3.1",
        "Llama 3.1, 3.3",
        "rope(rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192)",
        131_072,
        LITGPT_TORCHTUNE,
    )
    .from(8192),
    model(
        "llama-3.2-1b",
        "Llama 3.2 1B",
        "rope(head_dim=64,rope_theta=500000,rope_type=llama3,factor=32,original_max_position_embeddings=8192)",
        131_072,
        CODE,
    )
    .from(8192),
    model(
        "llama-3.2-3b",
        "Llama 3.2 3B",
        "rope(rope_theta=500000,rope_type=llama3,factor=32,original_max_position_embeddings=8192)",
        131_072,
        CODE,
    )
    .from(8192),
    model(
        "llama-4-scout",
        "Llama 4 Scout",
        "rope(rope_theta=500000,layout=interleaved,rope_type=llama3,factor=16,original_max_position_embeddings=8192,high_freq_factor=1)",
        10_485_760,
        CONFIG,
    )
    .of(Layers::Rotating)
    .from(8192),
    model("llama-4-maverick", "Llama 4 Maverick", "irope", 1_048_576, MEMORY).but(&[
        "head_dim",
        "rope_theta",
        "num_hidden_layers",
        "max_position_embeddings",
    ]),
    model("mistral-7b-v0.1", "Mistral 7B v0.1", "rope", 32_768, CODE).but(&["max_position_embeddings"]),
    model("mistral-7b-v0.3", "Mistral 7B v0.3", "rope(rope_theta=1000000)", 32_768, LITGPT),
    model("mistral-nemo", "Mistral Nemo", "rope(rope_theta=1000000)", 131_072, MEMORY).but(&[
        "head_dim",
        "rope_theta",
        "max_position_embeddings",
    ]),
    model("mixtral-8x7b", "Mixtral 8x7B", "rope(rope_theta=1000000)", 32_768, CODE),
    model("mixtral-8x22b", "Mixtral 8x22B", "rope(rope_theta=1000000)", 65_536, CODE),
    model(
        "ministral-3",
        "Ministral 3",
        "rope(rope_theta=1000000,rope_type=yarn,factor=16,original_max_position_embeddings=16384,mscale=1,mscale_all_dim=1)",
        262_144,
        TRANSFORMERS,
    )
    .from(16_384),
    model("qwen2.5-7b", "Qwen2.5 7B", "rope(rope_theta=1000000)", 32_768, LITGPT),
    model(
        "qwen2.5-7b-yarn",
        "Qwen2.5 7B with YaRN",
        "rope(rope_theta=1000000,rope_type=yarn,factor=4,original_max_position_embeddings=32768)",
        131_072,
        CONFIG,
    )
    .from(32_768),
    model("qwen2.5-7b-1m", "Qwen2.5 7B 1M", "rope(rope_theta=10000000)", 1_010_000, LITGPT).from(0),
    model("qwen3", "Qwen3 8B, 235B", "rope(rope_theta=1000000)", 40_960, LITGPT),
    model(
        "qwen3-yarn",
        "Qwen3 8B, 235B with YaRN",
        "rope(rope_theta=1000000,rope_type=yarn,factor=4,original_max_position_embeddings=32768)",
        131_072,
        CONFIG,
    )
    .from(32_768)
    .but(&["max_position_embeddings"]),
    model("qwq-32b", "QwQ 32B", "rope(rope_theta=1000000)", 131_072, LITGPT).from(0),
    model("qwen2-vl", "Qwen2-VL", "mrope(mrope_section=16:24:24)", 32_768, TRANSFORMERS),
    model(
        "qwen3-vl",
        "Qwen3-VL",
        "mrope(rope_theta=5000000,mrope_section=24:20:20,interleaved=true)",
        262_144,
        TRANSFORMERS,
    )
    .but(&["head_dim", "rope_theta", "max_position_embeddings"]),
    model("gemma-1", "Gemma 1", "rope(head_dim=256)", 8192, CODE),
    model("gemma-2-9b", "Gemma 2 2B, 9B", "rope(head_dim=256)", 8192, CODE),
    model("gemma-2-27b", "Gemma 2 27B", "rope", 8192, CODE),
    model("gemma-3-1b", "Gemma 3 1B", "rope(head_dim=256,rope_theta=1000000)", 32_768, CODE).of(Layers::Global)
        .but(&["max_position_embeddings"]),
    model("gemma-3-1b-local", "Gemma 3 1B", "rope(head_dim=256)", 32_768, CODE).of(Layers::Local)
        .but(&["max_position_embeddings"]),
    model(
        "gemma-3-4b",
        "Gemma 3 4B, 12B",
        "rope(head_dim=256,rope_theta=1000000,rope_type=linear,factor=8)",
        131_072,
        LITGPT,
    )
    .of(Layers::Global)
    .from(0),
    model("gemma-3-4b-local", "Gemma 3 4B, 12B", "rope(head_dim=256)", 131_072, LITGPT).from(0).of(Layers::Local),
    model(
        "gemma-3-27b",
        "Gemma 3 27B",
        "rope(rope_theta=1000000,rope_type=linear,factor=8)",
        131_072,
        LITGPT,
    )
    .of(Layers::Global)
    .from(0),
    model("gemma-3-27b-local", "Gemma 3 27B", "rope", 131_072, LITGPT).from(0).of(Layers::Local),
    model(
        "gemma-4",
        "Gemma 4",
        "rope(head_dim=512,rope_theta=1000000,partial_rotary_factor=0.25,rope_type=proportional)",
        131_072,
        TRANSFORMERS,
    )
    .of(Layers::Global),
    model("gemma-4-local", "Gemma 4", "rope(head_dim=256)", 131_072, TRANSFORMERS).of(Layers::Local),
    model("phi-1.5", "Phi-1.5", "rope(head_dim=64,partial_rotary_factor=0.5)", 2048, CODE),
    model("phi-2", "Phi-2", "rope(head_dim=80,partial_rotary_factor=0.4)", 2048, CODE),
    model("phi-3-mini-4k", "Phi-3 mini 4K", "rope(head_dim=96)", 4096, CODE),
    model(
        "phi-3.5-mini",
        "Phi-3.5 mini 128K",
        "rope(head_dim=96,rope_type=longrope,max_position_embeddings=131072,preset=phi-3.5-mini)",
        131_072,
        CONFIG,
    )
    .from(4096),
    model("phi-4", "Phi-4 14B", "rope(rope_theta=250000)", 16_384, CODE),
    model(
        "phi-4-mini",
        "Phi-4 mini",
        "rope(partial_rotary_factor=0.75,rope_type=longrope,max_position_embeddings=131072,preset=phi-4-mini)",
        131_072,
        CONFIG,
    )
    .from(4096),
    model(
        "deepseek-v2",
        "DeepSeek-V2",
        "rope(head_dim=64,layout=interleaved,rope_type=yarn,factor=40,mscale=0.707,mscale_all_dim=0.707)",
        163_840,
        CONFIG,
    )
    .from(4096),
    model(
        "deepseek-v3",
        "DeepSeek-V3, R1",
        "rope(head_dim=64,layout=interleaved,rope_type=yarn,factor=40,mscale=1,mscale_all_dim=1)",
        163_840,
        CONFIG,
    )
    .from(4096),
    model(
        "kimi-k2.5",
        "Kimi K2.5",
        "rope(head_dim=64,rope_theta=50000,layout=interleaved,rope_type=yarn,factor=64,mscale=1,mscale_all_dim=1)",
        262_144,
        CONFIG,
    )
    .from(4096),
    model("gpt-neox-20b", "GPT-NeoX 20B", "rope(head_dim=96,partial_rotary_factor=0.25)", 2048, TRANSFORMERS)
        .but(&["head_dim"]),
    model("pythia-160m", "Pythia 160M", "rope(head_dim=64,partial_rotary_factor=0.25)", 2048, LITGPT),
    model("pythia-6.9b", "Pythia 6.9B", "rope(partial_rotary_factor=0.25)", 2048, LITGPT),
    model(
        "gpt-j-6b",
        "GPT-J 6B",
        "rope(head_dim=256,layout=interleaved,partial_rotary_factor=0.25)",
        2048,
        TRANSFORMERS,
    ),
    model("falcon", "Falcon 7B, 40B, 180B", "rope(head_dim=64)", 2048, CODE),
    model("falcon3-7b", "Falcon3 7B", "rope(head_dim=256,rope_theta=1000042)", 32_768, LITGPT),
    model("stablelm-3b", "StableLM 3B", "rope(head_dim=80,partial_rotary_factor=0.25)", 4096, LITGPT),
    model("stablelm-2-1.6b", "StableLM 2 1.6B", "rope(head_dim=64,partial_rotary_factor=0.25)", 4096, MEMORY).but(&[
        "head_dim",
        "rope_theta",
        "partial_rotary_factor",
        "max_position_embeddings",
    ]),
    model("yi", "Yi 6B, 34B", "rope(rope_theta=5000000)", 4096, "InternEvo, configuration_yi"),
    model("yi-200k", "Yi 6B, 34B 200K", "rope(rope_theta=5000000)", 200_000, MEMORY).from(0).but(&[
        "head_dim",
        "rope_theta",
        "max_position_embeddings",
    ]),
    model("command-r", "Command R", "rope(rope_theta=8000000,layout=interleaved)", 8192, "mlx-lm 0.32.2"),
    model("command-r-plus", "Command R+", "rope(rope_theta=75000000,layout=interleaved)", 8192, CONFIG),
    model(
        "command-r7b",
        "Command R7B",
        "rope(rope_theta=50000,layout=interleaved)",
        8192,
        "mlx-lm 0.32.2; transformers 5.24.0, the default of its config class",
    )
    .of(Layers::Local),
    model(
        "glm-4-9b",
        "GLM-4 9B chat",
        "rope(rope_theta=5000000,layout=interleaved,partial_rotary_factor=0.5)",
        131_072,
        CONFIG,
    ),
    model(
        "glm-4-9b-1m",
        "GLM-4 9B chat 1M",
        "rope(rope_theta=100000000,layout=interleaved,partial_rotary_factor=0.5)",
        1_048_576,
        CONFIG,
    )
    .from(0),
    model("glm-4.6v", "GLM-4.6V", "rope(rope_theta=500000,layout=interleaved,partial_rotary_factor=0.5)", 131_072, CONFIG)
        .from(0)
        .but(&["head_dim", "partial_rotary_factor", "max_position_embeddings"]),
    model("glm-5", "GLM-5", "rope(head_dim=64,rope_theta=1000000,layout=interleaved)", 202_752, CONFIG),
    model("glm-5.2", "GLM-5.2", "rope(head_dim=64,rope_theta=8000000,layout=interleaved)", 1_048_576, CONFIG).from(0),
    model(
        "gpt-oss",
        "gpt-oss 20B, 120B",
        "rope(head_dim=64,rope_theta=150000,rope_type=yarn,factor=32,truncate=false)",
        131_072,
        TRANSFORMERS,
    )
    .from(4096),
    model("nemotron-4", "Nemotron-4", "rope(partial_rotary_factor=0.5)", 4096, TRANSFORMERS),
    model(
        "persimmon-8b",
        "Persimmon 8B",
        "rope(head_dim=64,rope_theta=25000,partial_rotary_factor=0.5)",
        16_384,
        TRANSFORMERS,
    )
    .but(&["rope_theta"]),
    model("smollm2-1.7b", "SmolLM2 1.7B", "rope(head_dim=64,rope_theta=130000)", 8192, CODE),
    model(
        "smollm3",
        "SmolLM3",
        "irope(rope_theta=2000000,layout=half,num_hidden_layers=36,attn_scale=0)",
        32_768,
        TRANSFORMERS,
    )
    .but(&["head_dim", "num_hidden_layers"]),
    model("olmo-2-7b", "OLMo 2 7B", "rope(rope_theta=500000)", 4096, CODE),
    model("modernbert", "ModernBERT", "rope(head_dim=64,rope_theta=160000)", 8192, TRANSFORMERS).of(Layers::Global),
    model("modernbert-local", "ModernBERT", "rope(head_dim=64)", 8192, TRANSFORMERS).of(Layers::Local),
    model(
        "internlm3-8b",
        "InternLM3 8B",
        "rope(rope_theta=50000000,rope_type=dynamic,factor=6,max_position_embeddings=32768)",
        32_768,
        CONFIG,
    )
    .but(&["rope_theta"]),
    model("minimax-m2", "MiniMax-M2", "rope(rope_theta=5000000,partial_rotary_factor=0.5)", 196_608, TRANSFORMERS),
    model(
        "bloom-176b",
        "BLOOM 176B",
        "alibi(num_heads=112,form=key-index)",
        2048,
        "transformers 5.24.0, bloom, for the slopes",
    )
    .but(&["num_heads"]),
    model(
        "mpt-7b",
        "MPT 7B",
        "alibi(num_heads=32,form=last-query)",
        2048,
        "transformers 5.24.0, mpt, for alibi_bias_max",
    )
    .but(&["num_heads"]),
];

/// Every model, families together.
pub fn models() -> &'static [Model] {
    MODELS
}

/// The model with this id.
pub fn find(id: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.id == id)
}

/// The models of a scheme.
pub fn of(scheme: &str) -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(move |model| model.scheme_id() == scheme)
}
