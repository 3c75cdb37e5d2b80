//! Configs of real models, shortened to what matters here and a few fields more.

use posenc::config::{About, Attention, Because, Lengths, Reading, Stack, Table, read};

fn schemes(reading: &Reading) -> Vec<String> {
    reading.parts.iter().map(|part| part.scheme.to_string()).collect()
}

fn keys(reading: &Reading) -> Vec<&str> {
    reading.warnings.iter().map(|warning| warning.mistake.key()).collect()
}

#[track_caller]
fn is(text: &str, expected: &[&str], warnings: &[&str]) -> Reading {
    let reading = read(text).unwrap();
    assert_eq!(schemes(&reading), expected);
    assert_eq!(keys(&reading), warnings);
    reading
}

/// Gemma 3 12B says next to nothing: the rest is in its code.
#[test]
fn what_stands_in_the_code() {
    let reading = is(
        r#"{
            "model_type": "gemma3",
            "mm_tokens_per_image": 256,
            "text_config": {
                "hidden_size": 3840, "intermediate_size": 15360, "model_type": "gemma3_text",
                "num_attention_heads": 16, "num_hidden_layers": 48, "num_key_value_heads": 8,
                "rope_scaling": { "factor": 8.0, "rope_type": "linear" },
                "sliding_window": 1024
            },
            "vision_config": { "hidden_size": 1152, "num_attention_heads": 16, "rope_theta": 1 }
        }"#,
        &["rope(head_dim=256)", "rope(head_dim=256,rope_theta=1000000,rope_type=linear,factor=8)"],
        &["head-dim", "base-defaulted", "base-defaulted", "some-layers-scaled"],
    );
    assert!(reading.known && reading.model_type.as_deref() == Some("gemma3_text"));
    let kinds: Vec<_> = reading.parts.iter().map(|part| (part.attention, part.window)).collect();
    assert_eq!(kinds, [(Attention::Sliding, Some(1024)), (Attention::Full, None)]);
    let global = [5, 11, 17, 23, 29, 35, 41, 47];
    assert_eq!(reading.parts[1].layers.as_deref(), Some(&global[..]));
    assert_eq!(reading.parts[0].layers.as_ref().map(Vec::len), Some(40));
    // The length is the one after the extension, and there is no telling from which.
    let lengths = Lengths { given: Some(131_072), served: Some(131_072), trained: None };
    assert_eq!(reading.lengths, lengths);
    let defaulted: Vec<_> = reading.defaulted.iter().map(|d| (d.path.as_str(), d.value.as_str(), d.why)).collect();
    assert_eq!(
        defaulted,
        [
            ("text_config.sliding_window_pattern", "6", Because::Code),
            ("text_config.head_dim", "256", Because::Code),
            ("text_config.rope_local_base_freq", "10000", Because::Code),
            ("layout", "half", Because::Code),
            ("text_config.rope_scaling.rope_theta", "1000000", Because::Code),
            ("text_config.max_position_embeddings", "131072", Because::Code),
        ]
    );
    let unread: Vec<_> = reading.unread.iter().map(|field| (field.path.as_str(), field.line)).collect();
    assert_eq!(
        unread,
        [
            ("mm_tokens_per_image", 3),
            ("text_config.intermediate_size", 5),
            ("text_config.num_key_value_heads", 6),
            ("vision_config", 10),
        ]
    );
}

#[test]
fn llama_4() {
    let text = r#"{ "model_type": "llama4", "text_config": {
        "model_type": "llama4_text", "num_hidden_layers": 8, "head_dim": 128, "hidden_size": 5120, "num_attention_heads": 40,
        "attention_chunk_size": 8192, "attn_scale": 0.1, "attn_temperature_tuning": 4, "floor_scale": 8192,
        "max_position_embeddings": 10485760, "no_rope_layers": [], "rope_theta": 500000.0,
        "rope_scaling": { "factor": 16.0, "high_freq_factor": 1.0, "low_freq_factor": 1.0,
            "original_max_position_embeddings": 8192, "rope_type": "llama3" } } }"#;
    let scaled = "rope(rope_theta=500000,layout=interleaved,rope_type=llama3,factor=16,original_max_position_embeddings=8192,high_freq_factor=1)";
    let reading = is(text, &[scaled, "irope(num_hidden_layers=8,layer=3)"], &[]);
    let kinds: Vec<_> = reading.parts.iter().map(|part| (part.attention, part.window)).collect();
    assert_eq!(kinds, [(Attention::Chunked, Some(8192)), (Attention::Full, None)]);
    assert_eq!(reading.parts[1].layers.as_deref(), Some(&[3, 7][..]));
    assert_eq!(reading.lengths.trained, Some(8192));
    // In 1 of these layers, not 0.
    let listed = text.replace("\"no_rope_layers\": []", "\"no_rope_layers\": [1, 0, 0, 1, 1, 1, 1, 1]");
    // No rule: these layers share that they do not rotate.
    let irregular = "irope(num_hidden_layers=8,no_rope_layer_interval=1,layer=1)";
    let reading = is(&listed, &[scaled, irregular], &["no-rope-means-rope"]);
    assert_eq!(reading.parts[1].layers.as_deref(), Some(&[1, 2][..]));
    // Without the temperature they are nothing at all.
    let cold = text.replace("\"attn_temperature_tuning\": 4", "\"attn_temperature_tuning\": false");
    is(&cold, &[scaled, "none"], &[]);
}

#[test]
fn layers_without_positions() {
    // Cohere's Command R7B.
    let reading = is(
        r#"{ "model_type": "cohere2", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
            "sliding_window": 4096, "sliding_window_pattern": 4, "rope_theta": 50000, "max_position_embeddings": 8192 }"#,
        &["rope(rope_theta=50000,layout=interleaved)", "none"],
        &[],
    );
    assert_eq!(reading.parts[1].layers.as_ref().unwrap()[..3], [3, 7, 11]);
    // EXAONE 4 writes the pattern in letters, and its last layer is global in any case.
    let reading = is(
        r#"{ "model_type": "exaone4", "hidden_size": 5120, "num_attention_heads": 40, "head_dim": 128, "num_hidden_layers": 6,
            "sliding_window": 4096, "sliding_window_pattern": "LLLG", "rope_theta": 1000000, "max_position_embeddings": 131072 }"#,
        &["rope(rope_theta=1000000)", "none"],
        &[],
    );
    assert_eq!(reading.parts[1].layers.as_deref(), Some(&[3, 5][..]));
    // Recurrent layers of Qwen3-Next.
    let reading = is(
        r#"{ "model_type": "qwen3_next", "num_hidden_layers": 4, "rope_theta": 10000000, "partial_rotary_factor": 0.25, "head_dim": 256,
            "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"] }"#,
        &["none", "rope(head_dim=256,rope_theta=10000000,partial_rotary_factor=0.25)"],
        &[],
    );
    assert_eq!(reading.parts[0].attention, Attention::Other);
    // Mamba, whose limits Python writes as JSON does not.
    is(
        r#"{ "model_type": "mamba2", "num_hidden_layers": 2, "time_step_limit": [0.0, Infinity], "x": [-Infinity, NaN], "y": "NaN" }"#,
        &["none"],
        &[],
    );
}

#[test]
fn sections_by_time_row_and_column() {
    // Qwen2-VL: all in one object.
    is(
        r#"{ "model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28, "num_hidden_layers": 28,
            "max_window_layers": 28, "sliding_window": 32768, "use_sliding_window": false, "max_position_embeddings": 32768,
            "rope_scaling": { "type": "mrope", "mrope_section": [16, 24, 24] }, "rope_theta": 1000000.0,
            "vision_config": { "depth": 32 } }"#,
        &["mrope(mrope_section=16:24:24)"],
        &["old-spelling"],
    );
    // Qwen3.5: a quarter of 256 dimensions, and an extension that the scheme does not know.
    let reading = is(
        r#"{ "text_config": { "model_type": "qwen3_5_text", "num_hidden_layers": 4, "rope_parameters": { "mrope_interleaved": true,
            "mrope_section": [11, 11, 10], "rope_type": "yarn", "rope_theta": 10000000, "partial_rotary_factor": 0.25,
            "factor": 4.0, "original_max_position_embeddings": 262144 } } }"#,
        &["none", "mrope(head_dim=64,rope_theta=10000000,mrope_section=11:11:10,interleaved=true)"],
        &["base-inside"],
    );
    let beyond: Vec<_> =
        reading.unread.iter().map(|field| (field.path.rsplit('.').next().unwrap(), field.about)).collect();
    assert_eq!(beyond, [("factor", About::Beyond), ("original_max_position_embeddings", About::Beyond)]);
    // It is longer nevertheless.
    assert_eq!((reading.lengths.served, reading.lengths.trained), (Some(1_048_576), Some(262_144)));
}

#[test]
fn other_names_for_the_same() {
    // GPT-J.
    is(
        r#"{ "model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_layer": 28, "n_positions": 2048, "rotary_dim": 64 }"#,
        &["rope(head_dim=256,layout=interleaved,partial_rotary_factor=0.25)"],
        &[],
    );
    // Phi-2 before it was in transformers: 32 of 80.
    is(
        r#"{ "model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "n_layer": 32, "n_positions": 2048, "rotary_dim": 32, "rope_theta": 10000 }"#,
        &["rope(head_dim=80,partial_rotary_factor=0.4)"],
        &[],
    );
    // GLM-4 9B chat.
    let reading = is(
        r#"{ "model_type": "chatglm", "hidden_size": 4096, "kv_channels": 128, "num_attention_heads": 32, "num_layers": 40,
            "rope_ratio": 500, "seq_length": 131072, "original_rope": true }"#,
        &["rope(rope_theta=5000000,layout=interleaved,partial_rotary_factor=0.5)"],
        &["partial-default"],
    );
    assert_eq!(reading.lengths.given, Some(131_072));
    // Hunyuan: a base that stays.
    is(
        r#"{ "model_type": "hunyuan_v1_dense", "head_dim": 128, "rope_theta": 10000, "max_position_embeddings": 262144,
            "rope_scaling": { "type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32 } }"#,
        &["rope(rope_type=ntk,factor=1000)"],
        &["old-spelling"],
    );
    // Command R: trained for more than its table.
    let reading = is(
        r#"{ "model_type": "cohere", "hidden_size": 8192, "num_attention_heads": 64, "num_hidden_layers": 40, "rope_theta": 8000000,
            "max_position_embeddings": 8192, "model_max_length": 131072 }"#,
        &["rope(rope_theta=8000000,layout=interleaved)"],
        &[],
    );
    assert_eq!((reading.lengths.given, reading.lengths.served), (Some(8192), Some(131_072)));
    // DeepSeek with its layout given.
    is(
        r#"{ "model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_interleave": false, "rope_theta": 10000, "rope_scaling": null }"#,
        &["rope(head_dim=64)"],
        &[],
    );
}

#[test]
fn lengths_of_extensions() {
    let with = |table: &str| {
        let text = format!(
            r#"{{ "model_type": "qwen2", "hidden_size": 1024, "num_attention_heads": 8, "rope_theta": 1000000, "max_position_embeddings": 32768,
                "rope_scaling": {{ {table} }} }}"#
        );
        let Lengths { given, served, trained } = read(&text).unwrap().lengths;
        assert_eq!(given, Some(32_768));
        (served, trained)
    };
    let original = r#""original_max_position_embeddings": 32768"#;
    // As Qwen says how to switch it on: the length stays, and the factor counts.
    let yarn = with(&format!(r#""rope_type": "yarn", "factor": 4, {original}"#));
    assert_eq!(yarn, (Some(131_072), Some(32_768)));
    assert_eq!(with(r#""rope_type": "yarn", "factor": 4"#), (Some(32_768), None));
    assert_eq!(with(r#""rope_type": "dynamic", "factor": 2"#), (Some(65_536), Some(32_768)));
    assert_eq!(with(r#""rope_type": "linear", "factor": 2"#), (Some(32_768), None));
    assert_eq!(with(r#""rope_type": "default""#), (Some(32_768), Some(32_768)));
}

#[test]
fn biases() {
    let bloom = is(
        r#"{ "model_type": "bloom", "n_embed": 1024, "n_head": 16, "n_layer": 24, "seq_length": 2048 }"#,
        &["alibi(num_heads=16,form=key-index)"],
        &[],
    );
    assert_eq!(bloom.lengths, Lengths { given: Some(2048), served: None, trained: Some(2048) });
    let mpt = |attention: &str| {
        let text = format!(
            r#"{{ "model_type": "mpt", "d_model": 4096, "n_heads": 32, "n_layers": 32, "max_seq_len": 2048, "attn_config": {attention} }}"#
        );
        schemes(&read(&text).unwrap())
    };
    assert_eq!(
        mpt(r#"{ "alibi": true, "alibi_bias_max": 16 }"#),
        ["alibi(num_heads=32,alibi_bias_max=16,form=last-query)"]
    );
    assert_eq!(mpt(r#"{ "attn_impl": "torch" }"#), ["alibi(num_heads=32,form=last-query)"]);
    assert_eq!(mpt(r#"{ "alibi": false, "rope": true, "rope_theta": 500000 }"#), ["rope(rope_theta=500000)"]);
    assert_eq!(mpt(r#"{ "alibi": false }"#), ["learned"]);
    let falcon = |alibi: bool| {
        let text = format!(
            r#"{{ "model_type": "falcon", "alibi": {alibi}, "hidden_size": 2048, "num_attention_heads": 32, "num_hidden_layers": 24 }}"#
        );
        schemes(&read(&text).unwrap())
    };
    assert_eq!(falcon(true), ["alibi(num_heads=32,form=key-index)"]);
    assert_eq!(falcon(false), ["rope(head_dim=64)"]);
    let t5 = is(
        r#"{ "model_type": "t5", "d_kv": 64, "d_model": 512, "num_heads": 8, "num_layers": 6, "num_decoder_layers": 4, "n_positions": 512,
            "relative_attention_num_buckets": 32, "is_encoder_decoder": true }"#,
        &["t5", "t5(bidirectional=false)"],
        &[],
    );
    let stacks: Vec<_> = t5.parts.iter().map(|part| (part.stack, part.layers.as_ref().unwrap().len())).collect();
    assert_eq!(stacks, [(Stack::Encoder, 6), (Stack::Decoder, 4)]);
    assert_eq!(t5.lengths, Lengths { given: Some(512), served: None, trained: Some(512) });
    let defaulted: Vec<_> = t5.defaulted.iter().map(|d| (d.path.as_str(), d.value.as_str())).collect();
    assert_eq!(defaulted, [("relative_attention_max_distance", "128")]);
    // DeBERTa v3: its log buckets, and no table.
    is(
        r#"{ "model_type": "deberta-v2", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12, "max_position_embeddings": 512,
            "relative_attention": true, "position_buckets": 256, "max_relative_positions": -1, "position_biased_input": false,
            "share_att_key": true }"#,
        &["deberta"],
        &[],
    );
}

#[test]
fn tables() {
    let table = |text: &str| {
        let reading = read(text).unwrap();
        assert_eq!(schemes(&reading), ["learned"]);
        (reading.parts[0].table.unwrap(), reading.lengths.served)
    };
    let gpt2 =
        r#"{ "model_type": "gpt2", "n_positions": 1024, "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12 }"#;
    assert_eq!(table(gpt2), (Table { rows: 1024, first: 0, columns: Some(768) }, Some(1024)));
    let bert = r#"{ "model_type": "bert", "max_position_embeddings": 512, "hidden_size": 768, "position_embedding_type": "absolute" }"#;
    assert_eq!(table(bert), (Table { rows: 512, first: 0, columns: Some(768) }, Some(512)));
    // 514 rows, of which the first two are not for tokens.
    let roberta =
        r#"{ "model_type": "roberta", "max_position_embeddings": 514, "hidden_size": 768, "pad_token_id": 1 }"#;
    assert_eq!(table(roberta), (Table { rows: 514, first: 2, columns: Some(768) }, Some(512)));
    // Two more than it says.
    let opt = r#"{ "model_type": "opt", "max_position_embeddings": 2048, "hidden_size": 768 }"#;
    assert_eq!(table(opt), (Table { rows: 2050, first: 2, columns: Some(768) }, Some(2048)));
    // Distances, as Shaw has them.
    let relative = bert
        .replace("absolute", "relative_key")
        .replace("\"hidden_size\"", "\"num_attention_heads\": 12, \"hidden_size\"");
    let shaw = "shaw(left_max_position_embeddings=511,right_max_position_embeddings=511,relative_values=false)";
    assert_eq!(schemes(&read(&relative).unwrap()), [shaw]);
    // ESM-2.
    let esm = r#"{ "model_type": "esm", "hidden_size": 1280, "num_attention_heads": 20, "rope_theta": 10000, "position_embedding_type": "rotary", "pad_token_id": 1 }"#;
    assert_eq!(schemes(&read(esm).unwrap()), ["rope(head_dim=64)"]);
}

#[test]
fn sines_and_cosines() {
    let paper = "sinusoidal(d_model=512,layout=concatenated)";
    let marian = is(
        r#"{ "model_type": "marian", "d_model": 512, "encoder_layers": 6, "decoder_layers": 4, "max_position_embeddings": 512 }"#,
        &[paper, paper],
        &[],
    );
    assert_eq!(marian.lengths, Lengths { given: Some(512), served: Some(512), trained: Some(512) });
    assert_eq!((marian.parts[1].stack, marian.parts[1].layers.as_ref().map(Vec::len)), (Stack::Decoder, Some(4)));
    // The first two rows are not for tokens, and the frequencies are other ones.
    let xglm = is(
        r#"{ "model_type": "xglm", "d_model": 1024, "num_layers": 24, "attention_heads": 16, "max_position_embeddings": 2048 }"#,
        &["sinusoidal(d_model=1024,layout=concatenated,frequencies=tensor2tensor)"],
        &["first-row"],
    );
    assert_eq!(xglm.parts[0].table, Some(Table { rows: 2050, first: 2, columns: Some(1024) }));
    assert_eq!(xglm.lengths.served, Some(2048));
}

#[test]
fn models_that_are_not_known_are_read_by_their_fields() {
    let unknown = |fields: &str| {
        let reading =
            read(&format!(r#"{{ "model_type": "something_new", "num_hidden_layers": 4, {fields} }}"#)).unwrap();
        assert!(!reading.known);
        let guessed: Vec<String> =
            reading.defaulted.iter().filter(|d| d.why == Because::Commonest).map(|d| d.path.clone()).collect();
        (schemes(&reading), guessed)
    };
    let some =
        |scheme: &str, guessed: &[&str]| (vec![scheme.to_owned()], guessed.iter().map(ToString::to_string).collect());
    assert_eq!(
        unknown(r#""rope_theta": 500000, "hidden_size": 512, "num_attention_heads": 8"#),
        some("rope(head_dim=64,rope_theta=500000)", &["layout"])
    );
    assert_eq!(
        unknown(r#""partial_rotary_factor": 0.5, "head_dim": 64"#),
        some("rope(head_dim=64,partial_rotary_factor=0.5)", &["rope_theta", "layout"])
    );
    assert_eq!(unknown(r#""alibi": true, "num_attention_heads": 16"#), some("alibi(num_heads=16)", &["form"]));
    assert_eq!(
        unknown(r#""relative_attention_num_buckets": 64, "num_heads": 4"#),
        some("t5(num_heads=4,relative_attention_num_buckets=64)", &["relative_attention_max_distance"])
    );
    assert_eq!(unknown(r#""n_positions": 512"#), some("learned", &[]));
    assert_eq!(
        unknown(r#""position_embedding_type": "alibi", "num_heads": 4"#),
        some("alibi(num_heads=4,form=distance)", &["form"])
    );
    assert_eq!(unknown(r#""hidden_size": 512"#), (vec![], vec![]));
    assert_eq!(
        unknown(r#""rope_theta": 10000, "head_dim": 64, "position_embedding_type": "absolute""#),
        some("rope(head_dim=64)", &["layout"])
    );
    assert_eq!(unknown(r#""rope_theta": 10000, "position_embedding_type": "nope""#), some("none", &[]));
    // Kinds of layers are in the fields too.
    let reading = read(
        r#"{ "rope_theta": 1000000, "rope_local_base_freq": 10000, "head_dim": 64, "sliding_window": 512, "sliding_window_pattern": 2, "num_hidden_layers": 4 }"#,
    )
    .unwrap();
    assert_eq!(schemes(&reading), ["rope(head_dim=64)", "rope(head_dim=64,rope_theta=1000000)"]);
    assert_eq!(reading.model_type, None);
    // Attention in a few layers, the rest recurrent; and Kimi's linear models, whose attention knows no positions.
    let reading =
        read(r#"{ "rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 6, "attn_layer_indices": [2, 5] }"#)
            .unwrap();
    assert_eq!(schemes(&reading), ["none", "rope(head_dim=64)"]);
    assert_eq!(reading.parts[1].layers.as_deref(), Some(&[2, 5][..]));
    let kimi = r#"{ "rope_theta": 10000, "mla_use_nope": true, "qk_rope_head_dim": 64, "num_hidden_layers": 2 }"#;
    assert_eq!(schemes(&read(kimi).unwrap()), ["none"]);
}

/// A field that looks like one of positions stands out.
#[test]
fn fields_that_are_not_read_are_listed() {
    let reading = read(
        "{\n\"model_type\": \"llama\", \"head_dim\": 64, \"rope_theta\": 10000,\n\"rope_scalling\": {\"factor\": 8},\n\"vocab_size\": 32000, \"rope_scaling\": null }",
    )
    .unwrap();
    let unread: Vec<_> = reading.unread.iter().map(|field| (field.path.as_str(), field.line, field.about)).collect();
    assert_eq!(unread, [("rope_scalling", 3, About::Positions), ("vocab_size", 4, About::Other)]);
    // Two names for one thing are one where they agree: GPT-NeoX as transformers 4.57.1 saves it.
    let neox = |base: u32| {
        let text = format!(
            r#"{{ "model_type": "gpt_neox", "head_dim": 96, "partial_rotary_factor": 0.25, "rotary_pct": 0.25, "rope_theta": 10000.0, "rotary_emb_base": {base} }}"#
        );
        read(&text).unwrap().unread.iter().map(|field| field.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(neox(10_000), [""; 0]);
    assert_eq!(neox(20_000), ["rotary_emb_base"]);
}

/// Whisper tiny: frames of sound are read by sines, tokens of text are written by a table.
#[test]
fn a_model_that_hears() {
    let reading = is(
        r#"{ "model_type": "whisper", "d_model": 384, "encoder_layers": 4, "decoder_layers": 4, "encoder_attention_heads": 6,
            "decoder_attention_heads": 6, "max_source_positions": 1500, "max_target_positions": 448, "num_mel_bins": 80 }"#,
        &["sinusoidal(d_model=384,layout=concatenated,frequencies=tensor2tensor)", "learned"],
        &[],
    );
    let stacks: Vec<_> = reading.parts.iter().map(|part| (part.stack, part.table.unwrap().rows)).collect();
    assert_eq!(stacks, [(Stack::Encoder, 1500), (Stack::Decoder, 448)]);
    assert_eq!((reading.parts[1].table.unwrap().columns, reading.lengths.served), (Some(384), Some(448)));
    let bare = read(r#"{ "model_type": "whisper" }"#).unwrap();
    assert_eq!(bare.lengths.served, Some(448));
    assert!(bare.defaulted.iter().any(|taken| taken.path == "max_source_positions" && taken.value == "1500"));
}

/// `ViT` base: a row for the class, then one for each of 14 × 14 patches.
#[test]
fn models_that_see() {
    let vit = r#"{ "model_type": "vit", "hidden_size": 768, "image_size": 224, "patch_size": 16, "num_hidden_layers": 12,
        "num_attention_heads": 12, "num_channels": 3 }"#;
    let reading = is(vit, &["learned2d(d_model=768)"], &[]);
    let table = reading.parts[0].table.unwrap();
    assert_eq!((table, reading.lengths.served), (Table { rows: 197, first: 1, columns: Some(768) }, Some(196)));
    let deit = read(&vit.replace("vit", "deit").replace("224", "384")).unwrap();
    assert_eq!((deit.parts[0].scheme.settings.integer("grid_size"), deit.parts[0].table.unwrap().rows), (24, 578));
    // An image smaller than a patch is one, and sizes that no image has are no panic.
    for (image, patch) in [("8", "16"), ("9007199254740992", "1")] {
        let odd = vit.replace("224", image).replace("\"patch_size\": 16", &format!("\"patch_size\": {patch}"));
        assert!(read(&odd).is_ok(), "{odd}");
    }
    let clip = r#"{ "model_type": "clip", "text_config": { "model_type": "clip_text_model", "hidden_size": 512 } }"#;
    assert_eq!(read(clip).unwrap().lengths.served, Some(77));
}
