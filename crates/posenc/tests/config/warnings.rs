//! Each warning has a config that raises it, and one like it that does not.

use posenc::config::{Mistake, Warning, read};

fn warnings(text: &str) -> Vec<Warning> {
    read(text).unwrap().warnings
}

/// The first raises exactly this at this field, and the second nothing with that key.
fn case(raises: &str, mistake: Mistake, path: &str, line: Option<usize>, does_not: &str) {
    let found = warnings(raises);
    let warning = Warning { mistake, path: path.into(), line };
    assert!(found.contains(&warning), "{raises}\n{warning:?}\n{found:?}");
    let key = warning.mistake.key();
    assert!(warnings(does_not).iter().all(|warning| warning.mistake.key() != key), "{does_not}: {key}");
}

/// A Qwen2 with this `rope_scaling`, whose lines begin with the second.
fn qwen(table: &str) -> String {
    format!(
        r#"{{ "model_type": "qwen2", "hidden_size": 1024, "num_attention_heads": 8, "rope_theta": 1000000, "max_position_embeddings": 32768,
"rope_scaling": {{ {table} }} }}"#
    )
}

#[test]
fn a_factor_that_some_versions_replace() {
    let with = |length: u32| {
        qwen(&format!(r#""rope_type": "yarn", "factor": 4, "original_max_position_embeddings": {length}"#))
    };
    case(
        &with(32_768),
        Mistake::FactorIgnored { given: 4.0, used: 1.0 },
        "rope_scaling.factor",
        Some(2),
        &with(8192), // 32,768 by 8,192 is 4
    );
}

#[test]
fn a_length_before_the_extension_that_is_missing() {
    let path = "rope_scaling.original_max_position_embeddings";
    for kind in ["yarn", "llama3"] {
        let without = qwen(&format!(r#""rope_type": "{kind}", "factor": 4"#));
        let with = without.replace("\"factor\"", "\"original_max_position_embeddings\": 8192, \"factor\"");
        case(&without, Mistake::OriginalMissing { taken: 32_768 }, path, None, &with);
    }
    // Phi-3's code has one.
    let phi = r#"{ "model_type": "phi3", "head_dim": 4, "max_position_embeddings": 131072,
        "rope_scaling": { "type": "longrope", "short_factor": [1, 1], "long_factor": [2, 3] } }"#;
    let with = phi.replace("\"head_dim\"", "\"original_max_position_embeddings\": 4096, \"head_dim\"");
    case(phi, Mistake::OriginalMissing { taken: 4096 }, path, None, &with);
}

#[test]
fn a_width_that_is_not_the_quotient() {
    // Mistral Nemo.
    let nemo = r#"{ "model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32,
        "head_dim": 128 }"#;
    case(nemo, Mistake::HeadDim { given: 128, derived: 160 }, "head_dim", Some(2), &nemo.replace("5120", "4096"));
    // Gemma 1's is in its code.
    let gemma = r#"{ "model_type": "gemma", "hidden_size": 3072, "num_attention_heads": 16 }"#;
    case(gemma, Mistake::HeadDim { given: 256, derived: 192 }, "head_dim", None, &gemma.replace("16", "12"));
}

#[test]
fn a_share_that_is_in_the_code() {
    for (kind, taken) in [("glm", 0.5), ("stablelm", 0.25), ("gpt_neox", 0.25), ("phi", 0.5)] {
        let without = format!(r#"{{ "model_type": "{kind}", "head_dim": 128 }}"#);
        let with = without.replace("\"head_dim\"", "\"partial_rotary_factor\": 0.5, \"head_dim\"");
        case(&without, Mistake::PartialDefault { taken }, "partial_rotary_factor", None, &with);
    }
}

#[test]
fn factors_that_are_not_one_a_plane() {
    let phi = |short: &str| {
        format!(
            r#"{{ "model_type": "phi3", "head_dim": 8, "partial_rotary_factor": 0.75, "original_max_position_embeddings": 4096, "max_position_embeddings": 8192,
            "rope_scaling": {{ "type": "longrope", "short_factor": {short}, "long_factor": [2, 3, 4] }} }}"#
        )
    };
    // A head of 8, of which 6 are rotated in 3 planes.
    let mistake = Mistake::FactorCount { given: 4, needed: 3 };
    case(&phi("[1, 1, 1, 1]"), mistake, "rope_scaling.short_factor", Some(2), &phi("[1, 1, 1]"));
    assert!(read(&phi("[1, 1, 1, 1]")).unwrap().parts[0].scheme.build().is_err());
    assert!(read(&phi("[1, 1, 1]")).unwrap().parts[0].scheme.build().is_ok());
}

#[test]
fn a_base_that_is_missing_or_inside() {
    for (kind, taken) in [("llama", 10_000.0), ("gpt_oss", 150_000.0), ("smollm3", 2e6), ("nobody_knows", 10_000.0)] {
        let without =
            format!(r#"{{ "model_type": "{kind}", "rope_scaling": {{ "rope_type": "linear", "factor": 2 }} }}"#);
        let with = without.replace("\"rope_scaling\"", "\"rope_theta\": 7, \"rope_scaling\"");
        case(&without, Mistake::BaseDefaulted { taken }, "rope_scaling.rope_theta", None, &with);
    }
    let inside = r#"{ "model_type": "llama", "rope_parameters": { "rope_type": "default", "rope_theta": 500000 } }"#;
    let mistake = Mistake::BaseInside { given: 5e5 };
    case(inside, mistake.clone(), "rope_parameters.rope_theta", Some(1), &inside.replace("500000", "10000"));
    let both = inside.replace("\"rope_parameters\"", "\"rope_theta\": 500000, \"rope_parameters\"");
    case(inside, mistake, "rope_parameters.rope_theta", Some(1), &both);
}

#[test]
fn a_kind_that_is_spelt_the_old_way() {
    let old = qwen(r#""type": "linear", "factor": 4"#);
    let mistake = |given: &str, meant| Mistake::OldSpelling { given: given.into(), meant };
    case(&old, mistake("linear", "linear"), "rope_scaling.type", Some(2), &old.replace("\"type\"", "\"rope_type\""));
    let su = qwen(r#""rope_type": "su", "short_factor": [1], "long_factor": [1]"#);
    case(&su, mistake("su", "longrope"), "rope_scaling.rope_type", Some(2), &su.replace("\"su\"", "\"longrope\""));
    // Both, as Qwen2-VL's saved configs have it: the new one counts.
    let both = qwen(r#""type": "mrope", "rope_type": "default", "mrope_section": [16, 24, 24]"#);
    assert!(warnings(&both).is_empty());
}

#[test]
fn a_word_that_is_not_known() {
    let table = |kind: &str| qwen(&format!(r#""rope_type": "{kind}", "factor": 4"#));
    let mistake = Mistake::UnknownWord { given: "quantum".into(), taken: "default" };
    case(&table("quantum"), mistake, "rope_scaling.rope_type", Some(2), &table("linear"));
    // What the other fields say still holds, whether or not the model is known.
    for text in [table("quantum"), table("quantum").replace("qwen2", "qwen9")] {
        let reading = read(&text).unwrap();
        assert_eq!(reading.parts[0].scheme.to_string(), "rope(rope_theta=1000000)", "{text}");
        assert_eq!(reading.lengths.served, Some(32_768));
    }
    let bert = |kind: &str| format!(r#"{{ "model_type": "bert", "position_embedding_type": "{kind}" }}"#);
    let mistake = Mistake::UnknownWord { given: "spiral".into(), taken: "absolute" };
    case(&bert("spiral"), mistake, "position_embedding_type", Some(1), &bert("absolute"));
    assert_eq!(read(&bert("spiral")).unwrap().parts[0].table.unwrap().rows, 512);
}

#[test]
fn one_weight_without_the_other() {
    let with = |weights: &str| {
        qwen(&format!(r#""rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8192, {weights}"#))
    };
    let both = with(r#""mscale": 1, "mscale_all_dim": 1"#);
    case(&with(r#""mscale": 1"#), Mistake::MscaleAlone, "rope_scaling.mscale", Some(2), &both);
    let zero = with(r#""mscale": 0, "mscale_all_dim": 0.7"#);
    case(&zero, Mistake::MscaleAlone, "rope_scaling.mscale_all_dim", Some(2), &both);
}

#[test]
fn sections_that_do_not_add_up() {
    let with = |sections: &str| qwen(&format!(r#""rope_type": "default", "mrope_section": {sections}"#));
    let mistake = Mistake::SectionSum { given: 63, needed: 64 };
    case(&with("[16, 24, 23]"), mistake, "rope_scaling.mrope_section", Some(2), &with("[16, 24, 24]"));
}

#[test]
fn a_weight_of_the_softmax() {
    let with = |weights: &str| {
        format!(
            r#"{{ "model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_theta": 10000, "max_position_embeddings": 163840, "rope_scaling": {{ "rope_type": "yarn", "factor": 40,
            "original_max_position_embeddings": 4096, {weights} }} }}"#
        )
    };
    let found = warnings(&with(r#""mscale": 1.0, "mscale_all_dim": 1.0"#));
    let [Warning { mistake: Mistake::SoftmaxScale { factor }, line: Some(2), .. }] = &found[..] else {
        unreachable!("{found:?}")
    };
    assert!((factor - 1.8739).abs() < 1e-4);
    assert_eq!(warnings(&with(r#""beta_fast": 32"#)), []);
}

#[test]
fn a_magnitude_in_place_of_the_formula() {
    let with = |given: f64| {
        qwen(&format!(
            r#""rope_type": "yarn", "factor": 64, "original_max_position_embeddings": 512, "attention_factor": {given}"#
        ))
    };
    let formula = 0.1 * libm::log(64.0) + 1.0;
    assert!((formula - 1.415_888_3).abs() < 1e-6);
    let mistake = Mistake::AttentionFactor { given: 1.0, formula };
    case(&with(1.0), mistake, "rope_scaling.attention_factor", Some(2), &with(formula));
}

#[test]
fn a_ramp_whose_ends_are_not_rounded() {
    let with = |truncate: bool| {
        qwen(&format!(
            r#""rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8192, "truncate": {truncate}"#
        ))
    };
    case(&with(false), Mistake::TruncateIgnored, "rope_scaling.truncate", Some(2), &with(true));
}

#[test]
fn an_extension_of_some_layers() {
    let gemma = r#"{ "model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6, "num_hidden_layers": 12,
        "rope_scaling": { "rope_type": "linear", "factor": 8 } }"#;
    // Its 1B is not extended.
    case(gemma, Mistake::SomeLayersScaled, "rope_scaling", Some(2), &gemma.replace("linear", "default"));
}

#[test]
fn a_list_that_says_the_opposite_of_its_name() {
    let listed = r#"{ "model_type": "smollm3", "num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0] }"#;
    let interval = listed.replace("\"no_rope_layers\": [1, 1, 1, 0]", "\"no_rope_layer_interval\": 4");
    case(listed, Mistake::NoRopeMeansRope, "no_rope_layers", Some(1), &interval);
}

#[test]
fn a_table_that_does_not_begin_with_the_first_token() {
    let roberta = r#"{ "model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1 }"#;
    let mistake = Mistake::FirstRow { first: 2 };
    case(roberta, mistake.clone(), "max_position_embeddings", Some(1), &roberta.replace("roberta", "bert"));
    case(r#"{ "model_type": "opt" }"#, mistake, "max_position_embeddings", None, r#"{ "model_type": "gpt2" }"#);
}

#[test]
fn heads_that_are_no_power_of_two() {
    let bloom = r#"{ "model_type": "bloom", "n_head": 112 }"#;
    case(bloom, Mistake::AlibiSlopes { heads: 112 }, "n_head", Some(1), &bloom.replace("112", "64"));
}

/// Keys differ, and each has a source.
#[cfg(feature = "text")]
#[test]
fn every_mistake_has_a_source() {
    let some = [
        Mistake::FactorIgnored { given: 1.0, used: 2.0 },
        Mistake::OriginalMissing { taken: 1 },
        Mistake::HeadDim { given: 1, derived: 2 },
        Mistake::PartialDefault { taken: 0.5 },
        Mistake::FactorCount { given: 1, needed: 2 },
        Mistake::BaseDefaulted { taken: 1.0 },
        Mistake::BaseInside { given: 1.0 },
        Mistake::OldSpelling { given: "su".into(), meant: "longrope" },
        Mistake::UnknownWord { given: "quantum".into(), taken: "default" },
        Mistake::MscaleAlone,
        Mistake::SectionSum { given: 1, needed: 2 },
        Mistake::SoftmaxScale { factor: 1.0 },
        Mistake::AttentionFactor { given: 1.0, formula: 2.0 },
        Mistake::TruncateIgnored,
        Mistake::SomeLayersScaled,
        Mistake::NoRopeMeansRope,
        Mistake::FirstRow { first: 2 },
        Mistake::AlibiSlopes { heads: 3 },
    ];
    let keys: std::collections::BTreeSet<&str> = some.iter().map(Mistake::key).collect();
    assert_eq!(keys.len(), some.len());
    for mistake in some {
        let (title, url) = mistake.source();
        assert!(url.starts_with("https://github.com/") && !title.is_empty(), "{}", mistake.key());
    }
}
