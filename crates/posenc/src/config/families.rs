//! What the code of a `model_type` knows and its config need not say: transformers 5.24.0, unless another source is named.

use super::reading::Stack;

/// What a `model_type` does with positions.
pub(super) struct Family {
    pub(super) types: &'static [&'static str],
    pub(super) positions: Positions,
    /// A word of [`crate::Layout`].
    pub(super) layout: &'static str,
    /// The base where the config has none.
    pub(super) theta: f64,
    /// The base of layers with a sliding window, where it is another one.
    pub(super) local_theta: Option<f64>,
    /// The share of dimensions that are rotated where the config has none.
    pub(super) share: f64,
    /// The number of dimensions that are rotated where the config has none: before `share`.
    pub(super) rotary_dim: Option<u64>,
    /// The head's width where the config has none; the others divide `hidden_size` by the heads.
    pub(super) head_dim: Option<u64>,
    /// That of layers that see the whole sequence, where it is another one.
    pub(super) full_head_dim: Option<u64>,
    /// `qk_rope_head_dim` is the width that is rotated, apart from the rest of the head.
    pub(super) latent: bool,
    /// The base is fixed in the code: no field has it.
    pub(super) fixed: bool,
    /// Planes by time, row and column where the config has none, and whether they are dealt out in turn.
    pub(super) sections: Option<(&'static [u64], bool)>,
    /// The greatest length where the config has none.
    pub(super) length: Option<u64>,
    /// The length before the extension where the config has none.
    pub(super) original: Option<u64>,
    /// The context extension where the config has none, of layers that see the whole sequence.
    pub(super) extension: &'static [(&'static str, &'static str)],
    /// A context extension that is not given by kinds of layers is for those that see the whole sequence.
    pub(super) extends_full: bool,
    pub(super) pattern: Pattern,
    /// How many tokens back the layers with a window attend, where the config has no field of this name.
    pub(super) window: Option<(&'static str, u64)>,
    pub(super) rotates: Rotates,
    /// What multiplies the queries of layers without rotation: `attn_scale` and `floor_scale`.
    pub(super) temperature: Option<(f64, u64)>,
}

/// Which scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    Rotary,
    /// By the flag `alibi`, else a rotation.
    Falcon,
    /// `attn_config` says which.
    Mpt,
    /// A form of [`crate::schemes::alibi`].
    Alibi(&'static str),
    /// Buckets in the encoder both ways, in the decoder back.
    T5,
    /// A table whose first row is for the first token, after so many other rows: added to those that the config counts.
    Learned {
        before: u64,
    },
    /// Sines, then cosines, with these frequencies and so many rows before that of the first token; in two stacks or one.
    Sinusoidal {
        frequencies: &'static str,
        before: u64,
        stacks: &'static [Stack],
    },
    /// `position_embedding_type` says which.
    Bert,
    /// As `Bert`; the rows up to the padding's count among those of the config.
    Roberta,
    /// As `Roberta`, and a bias by T5's buckets.
    Mpnet,
    Deberta,
    /// Sines in the encoder, a table in the decoder.
    Whisper,
    /// A table of the patches of an image, after the rows of so many other tokens.
    Patches {
        before: u64,
    },
    Nothing,
}

/// What the layers attend to where `layer_types` does not say it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// All to the whole sequence.
    Same,
    /// All to a window, where there is one.
    Window,
    /// Every n-th to the whole sequence, the others to a window.
    EveryLast(u64),
    /// The first and every n-th after it to the whole sequence, the others to a window.
    EveryFirst(u64),
    /// From `max_window_layers` on to a window, where `use_sliding_window` is set.
    Upper,
    /// Every n-th to the whole sequence, the others are recurrent.
    Recurrent(u64),
}

/// Which layers rotate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rotates {
    All,
    /// Those with a window, where there are such.
    Windowed,
    /// All but every n-th.
    AllBut(u64),
}

/// What most models do, and what is taken of those that are not known.
pub(super) const ROTARY: Family = Family {
    types: &[],
    positions: Positions::Rotary,
    layout: "half",
    theta: 10_000.0,
    local_theta: None,
    share: 1.0,
    rotary_dim: None,
    head_dim: None,
    full_head_dim: None,
    latent: false,
    fixed: false,
    sections: None,
    length: None,
    original: None,
    extension: &[],
    extends_full: false,
    pattern: Pattern::Same,
    window: None,
    rotates: Rotates::All,
    temperature: None,
};

/// The commonest window.
const WINDOW: Option<(&str, u64)> = Some(("sliding_window", 4096));
/// Multi-head latent attention: `DeepSeek` and those after it.
const LATENT: Family = Family { layout: "interleaved", head_dim: Some(64), latent: true, ..ROTARY };
const QWEN: Family = Family { pattern: Pattern::Upper, window: WINDOW, length: Some(32_768), ..ROTARY };
const QWEN_HYBRID: Family =
    Family { share: 0.25, head_dim: Some(256), length: Some(32_768), pattern: Pattern::Recurrent(4), ..ROTARY };
const GEMMA: Family = Family { head_dim: Some(256), length: Some(8192), ..ROTARY };
const GEMMA_3: Family = Family {
    theta: 1e6,
    local_theta: Some(10_000.0),
    length: Some(131_072),
    extends_full: true,
    pattern: Pattern::EveryLast(6),
    window: WINDOW,
    ..GEMMA
};
const GLM: Family = Family { layout: "interleaved", share: 0.5, head_dim: Some(128), length: Some(131_072), ..ROTARY };
const LEARNED: Family = Family { positions: Positions::Learned { before: 0 }, ..ROTARY };
const MISTRAL: Family = Family { pattern: Pattern::Window, length: Some(131_072), ..ROTARY };

static FAMILIES: &[Family] = &[
    Family { types: &["llama", "granite", "granitemoe", "olmo", "olmo2", "dots1"], length: Some(2048), ..ROTARY },
    Family { types: &["arcee", "olmoe"], length: Some(4096), ..ROTARY },
    Family { types: &["internlm3"], length: Some(32_768), ..ROTARY },
    Family { types: &["seed_oss"], head_dim: Some(128), length: Some(524_288), ..ROTARY },
    Family { types: &["hunyuan_v1_dense", "hunyuan_v1_moe"], length: Some(2048), ..ROTARY },
    // Their repositories' own code, which is Llama's.
    Family { types: &["Yi", "aquila", "internlm", "internlm2", "minicpm", "orion"], ..ROTARY },
    Family {
        types: &["apertus"],
        theta: 12e6,
        length: Some(65_536),
        extension: &[("rope_type", "llama3"), ("factor", "8"), ("original_max_position_embeddings", "8192")],
        ..ROTARY
    },
    Family { types: &["bitnet"], theta: 5e5, length: Some(2048), ..ROTARY },
    Family { types: &["flex_olmo"], theta: 5e5, length: Some(4096), ..ROTARY },
    Family { types: &["mllama_text_model"], theta: 5e5, length: Some(131_072), ..ROTARY },
    Family {
        types: &["paddleocr_vl_text"],
        head_dim: Some(128),
        theta: 5e5,
        length: Some(131_072),
        sections: Some((&[16, 24, 24], false)),
        ..ROTARY
    },
    Family { types: &["lfm2", "lfm2_moe"], theta: 1e6, length: Some(128_000), ..ROTARY },
    Family { types: &["solar_open"], theta: 1e6, head_dim: Some(128), length: Some(131_072), ..ROTARY },
    Family { types: &["mistral", "ministral"], window: WINDOW, ..MISTRAL },
    Family { types: &["mixtral"], theta: 1e6, ..MISTRAL },
    Family { types: &["starcoder2"], length: Some(4096), ..MISTRAL },
    Family {
        types: &["ministral3"],
        theta: 1e6,
        head_dim: Some(128),
        length: Some(262_144),
        extension: &[
            ("rope_type", "yarn"),
            ("factor", "16"),
            ("original_max_position_embeddings", "16384"),
            ("mscale", "1"),
            ("mscale_all_dim", "1"),
        ],
        ..MISTRAL
    },
    Family { types: &["qwen2", "qwen2_moe", "qwen3_moe"], ..QWEN },
    Family { types: &["qwen3"], head_dim: Some(128), ..QWEN },
    Family {
        types: &["qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_5_omni_text"],
        theta: 1e6,
        sections: Some((&[16, 24, 24], false)),
        ..QWEN
    },
    Family {
        types: &["qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe", "qwen3_vl_moe_text"],
        theta: 5e5,
        head_dim: Some(128),
        sections: Some((&[24, 20, 20], true)),
        length: Some(128_000),
        ..ROTARY
    },
    Family { types: &["qwen3_next"], ..QWEN_HYBRID },
    Family {
        types: &["qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"],
        sections: Some((&[11, 11, 10], true)),
        ..QWEN_HYBRID
    },
    Family { types: &["gemma"], ..GEMMA },
    Family { types: &["gemma2"], pattern: Pattern::EveryLast(2), window: WINDOW, ..GEMMA },
    Family { types: &["gemma3", "gemma3_text"], ..GEMMA_3 },
    Family {
        types: &["gemma3n", "gemma3n_text"],
        window: Some(("sliding_window", 512)),
        length: Some(32_768),
        pattern: Pattern::EveryLast(5),
        ..GEMMA_3
    },
    Family {
        types: &["gemma4", "gemma4_text"],
        window: Some(("sliding_window", 512)),
        full_head_dim: Some(512),
        extension: &[("rope_type", "proportional"), ("partial_rotary_factor", "0.25")],
        ..GEMMA_3
    },
    Family { types: &["phi"], share: 0.5, length: Some(2048), ..ROTARY },
    // Its own repository's code, before it was in transformers.
    Family { types: &["phi-msft"], rotary_dim: Some(32), length: Some(2048), ..ROTARY },
    Family { types: &["phi3"], length: Some(4096), original: Some(4096), ..MISTRAL },
    Family { types: &["phi4_multimodal"], original: Some(4096), ..MISTRAL },
    Family { types: &["phimoe"], theta: 1e6, ..MISTRAL },
    Family { types: &["deepseek_v2"], length: Some(2048), ..LATENT },
    Family { types: &["deepseek_v3", "kimi_k25"], length: Some(4096), ..LATENT },
    Family { types: &["deepseek_v32"], length: Some(163_840), ..LATENT },
    // Its repository's own code, which is DeepSeek's.
    Family { types: &["kimi_k2"], ..LATENT },
    Family {
        types: &["mistral4"],
        length: Some(1_048_576),
        extension: &[
            ("rope_type", "yarn"),
            ("factor", "128"),
            ("original_max_position_embeddings", "8192"),
            ("mscale", "1"),
            ("mscale_all_dim", "1"),
        ],
        ..LATENT
    },
    Family { types: &["longcat_flash"], theta: 1e7, length: Some(131_072), ..LATENT },
    Family { types: &["youtu"], length: Some(131_072), ..LATENT },
    Family { types: &["glm4_moe_lite", "glm_moe_dsa"], length: Some(202_752), ..LATENT },
    Family { types: &["glm", "glm4"], ..GLM },
    // The repository's own code: the share is fixed, and the base is 10,000 times rope_ratio.
    Family { types: &["chatglm"], length: None, ..GLM },
    Family { types: &["glm4v", "glm4v_text"], share: 1.0, length: Some(32_768), head_dim: None, ..GLM },
    Family { types: &["glm4_moe"], share: 0.5, length: Some(131_072), ..ROTARY },
    Family {
        types: &["glm4v_moe", "glm4v_moe_text", "Glm4vMoe_text"],
        share: 0.5,
        sections: Some((&[8, 12, 12], false)),
        length: Some(65_536),
        ..ROTARY
    },
    Family { types: &["nemotron"], share: 0.5, length: Some(4096), ..ROTARY },
    Family { types: &["persimmon"], share: 0.5, length: Some(16_384), ..ROTARY },
    Family { types: &["gpt_neox"], share: 0.25, length: Some(2048), ..ROTARY },
    Family { types: &["gpt_neox_japanese"], length: Some(2048), ..ROTARY },
    Family {
        types: &["gptj", "codegen"],
        layout: "interleaved",
        fixed: true,
        rotary_dim: Some(64),
        length: Some(2048),
        ..ROTARY
    },
    Family { types: &["stablelm", "stablelm_epoch"], share: 0.25, length: Some(4096), ..ROTARY },
    Family { types: &["cohere"], layout: "interleaved", theta: 5e5, length: Some(8192), ..ROTARY },
    Family {
        types: &["cohere2"],
        window: WINDOW,
        layout: "interleaved",
        length: Some(8192),
        pattern: Pattern::EveryLast(4),
        rotates: Rotates::Windowed,
        ..ROTARY
    },
    Family {
        types: &["exaone4"],
        window: WINDOW,
        length: Some(2048),
        pattern: Pattern::EveryLast(4),
        rotates: Rotates::Windowed,
        ..ROTARY
    },
    Family {
        types: &["gpt_oss"],
        window: Some(("sliding_window", 128)),
        theta: 150_000.0,
        head_dim: Some(64),
        length: Some(131_072),
        extension: &[
            ("rope_type", "yarn"),
            ("factor", "32"),
            ("original_max_position_embeddings", "4096"),
            ("truncate", "false"),
        ],
        pattern: Pattern::EveryLast(2),
        ..ROTARY
    },
    Family {
        types: &["smollm3"],
        theta: 2e6,
        length: Some(32_768),
        pattern: Pattern::Upper,
        rotates: Rotates::AllBut(4),
        ..ROTARY
    },
    Family {
        types: &["llama4", "llama4_text"],
        window: Some(("attention_chunk_size", 8192)),
        layout: "interleaved",
        theta: 5e5,
        head_dim: Some(128),
        length: Some(131_072),
        rotates: Rotates::AllBut(4),
        temperature: Some((0.1, 8192)),
        ..ROTARY
    },
    Family {
        types: &["olmo3"],
        window: WINDOW,
        theta: 5e5,
        length: Some(2048),
        extends_full: true,
        pattern: Pattern::EveryLast(4),
        ..ROTARY
    },
    Family {
        types: &["modernbert", "modernbert-decoder"],
        window: Some(("local_attention", 128)),
        theta: 160_000.0,
        local_theta: Some(10_000.0),
        length: Some(8192),
        pattern: Pattern::EveryFirst(3),
        ..ROTARY
    },
    Family { types: &["minimax_m2"], theta: 5e6, head_dim: Some(128), length: Some(196_608), ..ROTARY },
    Family {
        types: &["ernie4_5", "ernie4_5_moe"],
        layout: "interleaved",
        theta: 5e5,
        head_dim: Some(128),
        length: Some(131_072),
        ..ROTARY
    },
    Family { types: &["helium"], layout: "interleaved", theta: 1e5, head_dim: Some(128), length: Some(4096), ..ROTARY },
    Family { types: &["roformer"], layout: "interleaved", fixed: true, length: Some(1536), ..ROTARY },
    Family {
        types: &["falcon", "RefinedWeb", "RefinedWebModel"],
        positions: Positions::Falcon,
        length: Some(2048),
        ..ROTARY
    },
    Family { types: &["bloom"], positions: Positions::Alibi("key-index"), ..ROTARY },
    Family { types: &["mpt"], positions: Positions::Mpt, length: Some(2048), ..ROTARY },
    Family { types: &["t5", "mt5", "umt5", "longt5", "switch_transformers"], positions: Positions::T5, ..ROTARY },
    Family { types: &["gpt2", "gpt_bigcode"], length: Some(1024), ..LEARNED },
    Family { types: &["openai-gpt"], length: Some(512), ..LEARNED },
    Family { types: &["gpt_neo"], length: Some(2048), ..LEARNED },
    Family { types: &["opt"], positions: Positions::Learned { before: 2 }, length: Some(2048), ..ROTARY },
    Family {
        types: &["bart", "mbart", "plbart", "mvp", "biogpt"],
        positions: Positions::Learned { before: 2 },
        length: Some(1024),
        ..ROTARY
    },
    Family {
        types: &["bert", "albert", "electra", "ernie", "megatron-bert", "rembert", "distilbert", "layoutlm"],
        positions: Positions::Bert,
        length: Some(512),
        ..ROTARY
    },
    Family {
        types: &["roberta", "xlm-roberta", "camembert", "roberta-prelayernorm", "xmod"],
        positions: Positions::Roberta,
        length: Some(512),
        ..ROTARY
    },
    Family { types: &["xlm-roberta-xl"], positions: Positions::Roberta, length: Some(514), ..ROTARY },
    Family { types: &["esm"], positions: Positions::Roberta, length: Some(1026), ..ROTARY },
    Family {
        types: &["marian"],
        positions: Positions::Sinusoidal { frequencies: "paper", before: 0, stacks: &[Stack::Encoder, Stack::Decoder] },
        length: Some(1024),
        ..ROTARY
    },
    Family {
        types: &["m2m_100", "nllb-moe"],
        positions: Positions::Sinusoidal {
            frequencies: "tensor2tensor",
            before: 2,
            stacks: &[Stack::Encoder, Stack::Decoder],
        },
        length: Some(1024),
        ..ROTARY
    },
    Family {
        types: &["xglm"],
        positions: Positions::Sinusoidal { frequencies: "tensor2tensor", before: 2, stacks: &[Stack::Only] },
        length: Some(2048),
        ..ROTARY
    },
    Family { types: &["mpnet"], positions: Positions::Mpnet, length: Some(512), ..ROTARY },
    Family { types: &["deberta", "deberta-v2"], positions: Positions::Deberta, length: Some(512), ..ROTARY },
    Family { types: &["clip_text_model"], length: Some(77), ..LEARNED },
    Family { types: &["whisper"], positions: Positions::Whisper, ..ROTARY },
    Family { types: &["vit"], positions: Positions::Patches { before: 1 }, ..ROTARY },
    // One token for the class, and one for the teacher's.
    Family { types: &["deit"], positions: Positions::Patches { before: 2 }, ..ROTARY },
    Family { types: &["jamba", "mamba", "mamba2", "falcon_mamba", "rwkv"], positions: Positions::Nothing, ..ROTARY },
];

/// The family of a `model_type`.
pub(super) fn find(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.types.contains(&model_type))
}
