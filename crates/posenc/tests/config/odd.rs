//! Odd texts: each has an answer, and none a panic.

use posenc::config::{Error, MOST_BYTES, Needed, read};
use proptest::prelude::*;
use serde_json::{Value, json};

fn refused(text: &str) -> Error {
    read(text).unwrap_err()
}

fn field(path: &str, line: usize, given: &str, needed: Needed) -> Error {
    Error::Field { path: path.into(), line, given: given.into(), needed }
}

#[test]
fn a_text_that_is_not_json_has_its_line_and_column() {
    for (text, line, column, ends) in [
        ("", 1, 0, true),
        ("{", 1, 1, true),
        ("{\n  \"a\": 1,\n}", 3, 1, false),
        ("{ \"a\": tru }", 1, 11, false),
        ("{ \"a\": 1 } x", 1, 12, false),
        ("{ 'a': 1 }", 1, 3, false),
        ("{ \"rope_theta\": 1e5, // Llama 3\n }", 1, 22, false),
        ("{ \"a\": 01 }", 1, 9, false),
        ("{ \"a\": \"\n\" }", 1, 8, false),
        ("model_type: llama", 1, 1, false),
    ] {
        assert_eq!(refused(text), Error::Syntax { line, column, ends }, "{text}");
    }
    // The second half of a pair is missing, which shows when the text of the key is needed.
    let lone = "{ \"x\": 1,\n  \"\\ud800\": 2 }";
    assert!(matches!(refused(lone), Error::Syntax { line: 2, .. }), "{:?}", refused(lone));
    let lone = "{ \"a\": 1,\n\n  \"model_type\": \"\\ud800\" }";
    assert!(matches!(refused(lone), Error::Syntax { line: 3, .. }), "{:?}", refused(lone));
}

#[test]
fn a_text_that_is_no_object_or_too_long() {
    for (text, line) in [("[]", 1), ("\n\n 7", 3), ("null", 1), ("\"{}\"", 1)] {
        assert_eq!(refused(text), Error::NotAnObject { line });
    }
    let long = format!("{{{}}}", " ".repeat(MOST_BYTES - 2));
    assert!(read(&long).is_ok());
    assert_eq!(refused(&format!("{long} ")), Error::TooLong { bytes: MOST_BYTES + 1, most: MOST_BYTES });
}

#[test]
fn a_value_that_cannot_be_meant_has_its_field_and_line() {
    let cases = [
        ("{\n\"rope_theta\": \"1e6\" }", field("rope_theta", 2, "\"1e6\"", Needed::Number)),
        ("{ \"rope_theta\": 0 }", field("rope_theta", 1, "0", Needed::Positive)),
        ("{ \"rope_theta\": 1e999 }", field("rope_theta", 1, "1e999", Needed::Number)),
        ("{ \"rope_theta\": true }", field("rope_theta", 1, "true", Needed::Number)),
        ("{ \"rope_theta\": NaN }", field("rope_theta", 1, "\"N\"", Needed::Number)),
        ("{ \"rope_scaling\": 8 }", field("rope_scaling", 1, "8", Needed::Object)),
        ("{ \"model_type\": 8 }", field("model_type", 1, "8", Needed::Text)),
        (
            "{ \"rope_theta\": 1, \"num_attention_heads\": 0 }",
            field("num_attention_heads", 1, "0", Needed::Whole(1, 1 << 53)),
        ),
        (
            "{ \"rope_theta\": 1, \"num_hidden_layers\": 1e9 }",
            field("num_hidden_layers", 1, "1e9", Needed::Whole(1, 10_000)),
        ),
        (
            "{ \"rope_theta\": 1, \"num_hidden_layers\": 4, \"layer_types\": [\"full_attention\"] }",
            field("layer_types", 1, "[\"full_attention\"]", Needed::Entries(4, 10_000)),
        ),
        (
            "{ \"text_config\": { \"rope_scaling\": {\n\n\"factor\": [8], \"type\": \"linear\" } } }",
            field("text_config.rope_scaling.factor", 3, "[8]", Needed::Number),
        ),
        (
            "{ \"rope_scaling\": { \"type\": \"longrope\", \"short_factor\": [1,\n\"x\"] } }",
            field("rope_scaling.short_factor[1]", 2, "\"x\"", Needed::Number),
        ),
        ("{ \"model_type\": \"falcon\", \"alibi\": \"yes\" }", field("alibi", 1, "\"yes\"", Needed::Flag)),
    ];
    for (text, error) in cases {
        assert_eq!(refused(text), error, "{text}");
    }
    let many = format!("{{ \"rope_theta\": 1, \"layer_types\": [{}\"\"] }}", "\"\",".repeat(10_000));
    assert!(matches!(refused(&many), Error::Field { needed: Needed::Entries(1, 10_000), .. }));
    // What is repeated of a value is short, and cut between characters.
    let long = refused(&format!("{{ \"rope_theta\": \"{}\" }}", "ä".repeat(1000)));
    let Error::Field { given, .. } = long else { unreachable!() };
    assert!(given.ends_with('…') && given.len() < 50);
}

/// Strange, but each can be read.
#[test]
fn odd_texts_that_are_read() {
    let deep = format!("{{ \"rope_theta\": 1, \"x\": {}{} }}", "[".repeat(500_000), "]".repeat(500_000));
    let wide = format!(
        "{{ {} \"rope_theta\": 1 }}",
        (0..50_000).map(|i| format!("\"k{i}\": {i},")).collect::<Vec<_>>().concat()
    );
    for text in [
        "{}",
        "\u{feff}{}",
        "{ \"model_type\": null }",
        "{ \"model_type\": \"\" }",
        "{ \"text_config\": [], \"thinker_config\": 7 }",
        "{ \"rope_theta\": 1e-300 }",
        "{ \"rope_theta\": 1e300, \"head_dim\": 9007199254740992 }",
        "{ \"rope_theta\": 10000, \"head_dim\": 63 }",
        "{ \"rope_scaling\": {}, \"rope_theta\": 1 }",
        "{ \"rope_scaling\": { \"rope_type\": \"longrope\" } }",
        "{ \"rope_scaling\": { \"rope_type\": \"yarn\" } }",
        "{ \"rope_scaling\": { \"type\": \"mrope\", \"mrope_section\": [] } }",
        "{ \"rope_scaling\": { \"mrope_section\": [-1, 1e300, 0.5] } }",
        "{ \"rope_parameters\": { \"full_attention\": null, \"other\": {} } }",
        "{ \"rope_parameters\": { \"full_attention\": {} } }",
        "{ \"rope_theta\": 1, \"no_rope_layers\": [0], \"num_hidden_layers\": 1 }",
        "{ \"rope_theta\": 1, \"rope_theta\": 2 }",
        "{ \"model_type\": \"mpt\", \"attn_config\": {} }",
        "{ \"model_type\": \"bert\", \"max_position_embeddings\": 1, \"position_embedding_type\": \"relative_key\" }",
        "{ \"model_type\": \"roberta\", \"max_position_embeddings\": 1, \"pad_token_id\": 9 }",
        "{ \"model_type\": \"chatglm\", \"rope_ratio\": 1e308 }",
        "{ \"model_type\": \"gptj\", \"rotary_dim\": 9999, \"head_dim\": 2 }",
        &deep,
        &wide,
    ] {
        let reading = read(text);
        assert!(reading.is_ok(), "{:?}: {}", reading, &text[..text.len().min(100)]);
    }
    // The last of two, as Python has it.
    assert_eq!(
        read("{ \"rope_theta\": 1, \"rope_theta\": 2 }").unwrap().parts[0].scheme.settings.real("rope_theta"),
        2.0
    );
    assert_eq!(read(&wide).unwrap().unread.len(), 50_000);
    // Out of range is no error: it says what was made of it.
    let part = &read("{ \"rope_theta\": 1e300, \"head_dim\": 4096 }").unwrap().parts[0];
    assert_eq!(part.repairs.len(), 2);
}

/// Good configs, to be spoilt.
fn seeds() -> Vec<Value> {
    vec![
        json!({ "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4, "rope_theta": 5e5, "max_position_embeddings": 131_072,
            "rope_scaling": { "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192 } }),
        json!({ "text_config": { "model_type": "gemma3_text", "num_hidden_layers": 6, "head_dim": 256, "sliding_window": 512, "sliding_window_pattern": 6,
            "rope_parameters": { "full_attention": { "rope_type": "linear", "factor": 8, "rope_theta": 1e6 }, "sliding_attention": { "rope_theta": 1e4 } } } }),
        json!({ "model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_interleave": true, "max_position_embeddings": 163_840,
            "rope_scaling": { "type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0, "truncate": true, "original_max_position_embeddings": 4096, "attention_factor": null } }),
        json!({ "model_type": "phi3", "head_dim": 8, "partial_rotary_factor": 0.75, "max_position_embeddings": 8192, "original_max_position_embeddings": 4096, "sliding_window": 2047,
            "rope_scaling": { "type": "longrope", "short_factor": [1, 1, 1], "long_factor": [1, 2, 3], "short_mscale": 1.1 } }),
        json!({ "model_type": "llama4_text", "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0], "attn_temperature_tuning": 4, "attn_scale": 0.1, "floor_scale": 8192, "attention_chunk_size": 8192, "layer_types": ["chunked_attention", "chunked_attention", "chunked_attention", "full_attention"] }),
        json!({ "model_type": "qwen3_vl_text", "head_dim": 128, "rope_scaling": { "mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_type": "default" } }),
        json!({ "model_type": "mpt", "n_heads": 32, "attn_config": { "alibi": true, "alibi_bias_max": 8, "rope": false } }),
        json!({ "model_type": "t5", "num_heads": 8, "num_layers": 6, "num_decoder_layers": 6, "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128, "is_encoder_decoder": true }),
        json!({ "model_type": "deberta-v2", "hidden_size": 768, "num_attention_heads": 12, "position_buckets": 256, "max_relative_positions": -1, "relative_attention": true, "position_biased_input": true }),
        json!({ "model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1, "position_embedding_type": "absolute" }),
        json!({ "model_type": "unknown", "rotary_pct": 0.25, "rotary_emb_base": 10000, "alibi": false, "use_sliding_window": true, "max_window_layers": 2, "sliding_window": 8 }),
    ]
}

/// Any value; numbers of all sizes, and the words that are looked for.
fn values() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "",
        "llama",
        "yarn",
        "linear",
        "su",
        "longrope",
        "dynamic",
        "llama3",
        "mrope",
        "default",
        "proportional",
        "rotary",
        "alibi",
        "relative_key",
        "full_attention",
        "sliding_attention",
        "linear_attention",
        "LLLG",
        "G",
        "\u{fc}\n\"",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-4_i64..70).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0.0..2.0).prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((keys(), inner), 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Every key of the good configs.
fn keys() -> impl Strategy<Value = String> {
    fn collect(value: &Value, keys: &mut Vec<String>) {
        if let Value::Object(map) = value {
            for (key, value) in map {
                keys.push(key.clone());
                collect(value, keys);
            }
        }
    }
    let mut all = Vec::new();
    for seed in seeds() {
        collect(&seed, &mut all);
    }
    prop::sample::select(all)
}

/// Replaces the n-th field, counted through all objects, or drops it.
fn spoil(value: &mut Value, n: &mut usize, with: Option<&Value>) -> bool {
    let Value::Object(map) = value else { return false };
    let keys: Vec<String> = map.keys().cloned().collect();
    for key in keys {
        if *n == 0 {
            match with {
                Some(with) => map.insert(key, with.clone()),
                None => map.remove(&key),
            };
            return true;
        }
        *n -= 1;
        if map.get_mut(&key).is_some_and(|inner| spoil(inner, n, with)) {
            return true;
        }
    }
    false
}

/// Reads it, and does with the result what a program would.
fn use_it(text: &str) -> Result<(), TestCaseError> {
    match read(text) {
        Ok(reading) => {
            for part in &reading.parts {
                // Whatever was given, the settings are legal: they read back as themselves.
                let written = part.scheme.to_string();
                let (again, repairs) = posenc::Config::parse(&written).unwrap();
                prop_assert!(repairs.is_empty() && again == part.scheme, "{}", written);
                let _ = part.scheme.build();
            }
        }
        Err(Error::Field { path, line, .. }) => prop_assert!(!path.is_empty() && line <= text.lines().count().max(1)),
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_json_is_read_or_refused(value in values()) {
        use_it(&value.to_string())?;
    }

    #[test]
    fn objects_with_the_keys_that_are_looked_for(fields in prop::collection::vec((keys(), values()), 0..12), nested in any::<bool>()) {
        let object = Value::Object(fields.into_iter().collect());
        use_it(&if nested { json!({ "text_config": object }) } else { object }.to_string())?;
    }

    #[test]
    fn good_configs_spoilt(
        seed in prop::sample::select(seeds()), at in 0_usize..24, with in prop::option::of(values()), more in 0_usize..24, other in values(),
    ) {
        let mut config = seed;
        spoil(&mut config, &mut { at }, with.as_ref());
        spoil(&mut config, &mut { more }, Some(&other));
        use_it(&serde_json::to_string_pretty(&config).unwrap())?;
    }

    #[test]
    fn good_texts_spoilt(seed in prop::sample::select(seeds()), at in 0.0..1.0, cut in 0_usize..4, with in ".{0,3}") {
        let text = serde_json::to_string_pretty(&seed).unwrap();
        let start = text.floor_char_boundary((at * text.len() as f64) as usize);
        let end = text.floor_char_boundary((start + cut).min(text.len()));
        use_it(&format!("{}{with}{}", &text[..start], &text[end..]))?;
    }

    #[test]
    fn any_text(text in ".*") {
        use_it(&text)?;
        use_it(&format!("{{{text}}}"))?;
    }
}
