//! Every preset, written as a config in the old style and in the new one, reads back as itself.

use posenc::{
    Config, Encoding, Value as Setting,
    config::{Attention, Part, Reading, read},
    models::{Model, find, models},
    schemes::rope_scaling::Scaling,
};
use serde_json::{Map, Value, json};

/// The names that a config has: those up to transformers 4, or those from 5 on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    Old,
    New,
}

/// The `model_type` of presets whose ids begin so; the first that fits.
const TYPES: &[(&str, &str)] = &[
    ("llama-4", "llama4_text"),
    ("llama", "llama"),
    ("codellama", "llama"),
    ("yi", "llama"),
    ("smollm2", "llama"),
    ("falcon3", "llama"),
    ("mistral", "mistral"),
    ("mixtral", "mixtral"),
    ("ministral", "ministral3"),
    ("qwen2-vl", "qwen2_vl"),
    ("qwen3-vl", "qwen3_vl_text"),
    ("qwen2.5", "qwen2"),
    ("qwq", "qwen2"),
    ("qwen3", "qwen3"),
    ("gemma-1", "gemma"),
    ("gemma-2", "gemma2"),
    ("gemma-3", "gemma3_text"),
    ("gemma-4", "gemma4_text"),
    ("phi-1.5", "phi"),
    ("phi-2", "phi"),
    ("phi", "phi3"),
    ("deepseek-v2", "deepseek_v2"),
    ("deepseek-v3", "deepseek_v3"),
    ("kimi", "kimi_k2"),
    ("gpt-neox", "gpt_neox"),
    ("pythia", "gpt_neox"),
    ("gpt-j", "gptj"),
    ("gpt-oss", "gpt_oss"),
    ("falcon", "falcon"),
    ("stablelm", "stablelm"),
    ("command-r7b", "cohere2"),
    ("command-r", "cohere"),
    ("glm-4.6v", "glm4v_text"),
    ("glm-4", "glm"),
    ("glm-5", "glm_moe_dsa"),
    ("smollm3", "smollm3"),
    ("olmo-2", "olmo2"),
    ("modernbert", "modernbert"),
    ("internlm3", "internlm3"),
    ("minimax-m2", "minimax_m2"),
    ("bloom", "bloom"),
    ("mpt", "mpt"),
    ("nemotron", "nemotron"),
    ("persimmon", "persimmon"),
];

/// Heads of configs that a width is made up for.
const HEADS: i64 = 8;

fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

fn value(setting: &Setting) -> Value {
    match setting {
        Setting::Integer(v) => json!(v),
        Setting::Real(v) => number(*v),
        Setting::Switch(v) => json!(v),
        Setting::List(list) => json!(list),
        Setting::Choice(_) | Setting::Reals(_) => unreachable!("it is written by hand"),
    }
}

/// The extension, as a table has it: empty where there is none.
fn extension(config: &Config, model: &Model, style: Style) -> Map<String, Value> {
    let mut table = Map::new();
    if config.spec.id == "mrope" {
        table.insert("mrope_section".into(), value(config.settings.get("mrope_section").unwrap()));
        if config.settings.switch("interleaved") {
            table.insert("mrope_interleaved".into(), json!(true));
        }
        let key = if style == Style::Old { "type" } else { "rope_type" };
        table.insert(key.into(), json!(if style == Style::Old { "mrope" } else { "default" }));
        return table;
    }
    if config.spec.id != "rope" || config.settings.choice("rope_type") == "default" {
        return table;
    }
    let kind = config.settings.choice("rope_type");
    table.insert(if style == Style::Old { "type" } else { "rope_type" }.into(), json!(kind));
    for (spec, setting) in config.settings.iter().filter(|(spec, _)| config.settings.relevant(spec)) {
        match spec.key {
            "factor"
            | "original_max_position_embeddings"
            | "beta_fast"
            | "beta_slow"
            | "truncate"
            | "low_freq_factor"
            | "high_freq_factor" => {
                table.insert(spec.key.into(), value(setting));
            }
            // 0 stands for none.
            "mscale" | "mscale_all_dim" | "attention_factor" if *setting != Setting::Real(0.0) => {
                table.insert(spec.key.into(), value(setting));
            }
            _ => {}
        }
    }
    if let ("linear", Some(trained)) = (kind, model.trained) {
        table.insert("original_max_position_embeddings".into(), json!(trained));
    }
    let Encoding::Rotary(rope) = config.build().unwrap() else { unreachable!("{}", model.id) };
    if let Scaling::LongRope { short, long, .. } = rope.frequencies().unwrap().scaling() {
        table.insert("short_factor".into(), json!(short));
        table.insert("long_factor".into(), json!(long));
    }
    table
}

/// A config of a model; `local` is what its layers with a window use, where that is another one.
fn written(model: &Model, local: Option<&Model>, style: Style) -> Value {
    let config = model.config().unwrap();
    let settings = &config.settings;
    let (_, model_type) = TYPES.iter().find(|(start, _)| model.id.starts_with(start)).unwrap();
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.into(), value);
    };
    put("model_type", json!(model_type));
    put("hidden_act", json!("silu"));
    let length = match *model_type {
        "gptj" => "n_positions",
        "bloom" => "seq_length",
        "mpt" => "max_seq_len",
        _ => "max_position_embeddings",
    };
    put(length, json!(model.context));
    if config.spec.id == "alibi" {
        let heads = settings.integer("num_heads");
        if *model_type == "mpt" {
            put("n_heads", json!(heads));
            put("attn_config", json!({ "alibi": true, "alibi_bias_max": settings.real("alibi_bias_max") }));
        } else {
            put("n_head", json!(heads));
        }
        return out.into();
    }
    let head_dim = settings.integer("head_dim");
    match *model_type {
        "deepseek_v2" | "deepseek_v3" | "kimi_k2" | "glm_moe_dsa" => put("qk_rope_head_dim", json!(head_dim)),
        "gptj" => {
            put("n_embd", json!(head_dim * HEADS));
            put("n_head", json!(HEADS));
        }
        "gemma4_text" => {
            put("global_head_dim", json!(head_dim));
            put("head_dim", json!(local.unwrap().config().unwrap().settings.integer("head_dim")));
        }
        // These have a default of their own, so it must be said.
        "gemma" | "gemma2" | "gemma3_text" | "qwen3" | "glm" | "gpt_oss" | "minimax_m2" | "llama4_text"
        | "ministral3" | "qwen3_vl_text" => put("head_dim", json!(head_dim)),
        _ => {
            put("hidden_size", json!(head_dim * HEADS));
            put("num_attention_heads", json!(HEADS));
        }
    }
    let layers = settings.get("num_hidden_layers").map_or(12, |_| settings.integer("num_hidden_layers"));
    put("num_hidden_layers", json!(layers));
    if config.spec.id == "irope" {
        let interval = settings.integer("no_rope_layer_interval");
        let rotates: Vec<i64> = (1..=layers).map(|number| i64::from(number % interval != 0)).collect();
        match style {
            Style::Old => put("no_rope_layer_interval", json!(interval)),
            Style::New => put("no_rope_layers", json!(rotates)),
        }
        if settings.real("attn_scale") != 0.0 {
            put("attn_scale", json!(settings.real("attn_scale")));
            put("floor_scale", json!(settings.integer("floor_scale")));
        }
    } else if model.id == "llama-4-scout" {
        put("no_rope_layers", json!([]));
    }
    let theta = number(settings.real("rope_theta"));
    let share = settings.get("partial_rotary_factor").map_or(1.0, |_| settings.real("partial_rotary_factor"));
    let rotated = (head_dim as f64 * share) as i64;
    let mut table = extension(&config, model, style);
    if style == Style::New {
        table.entry("rope_type").or_insert(json!("default"));
        table.insert("rope_theta".into(), theta);
        table.insert("partial_rotary_factor".into(), json!(share));
        if let Some(local) = local {
            let settings = local.config().unwrap().settings;
            let mut other = extension(&local.config().unwrap(), local, style);
            other.entry("rope_type").or_insert(json!("default"));
            other.insert("rope_theta".into(), number(settings.real("rope_theta")));
            put("rope_parameters", json!({ "full_attention": table, "sliding_attention": other }));
        } else {
            put("rope_parameters", table.into());
        }
        return out.into();
    }
    match *model_type {
        "gpt_neox" => {
            put("rotary_emb_base", theta);
            put("rotary_pct", json!(share));
        }
        "gptj" | "minimax_m2" => {
            put("rotary_dim", json!(rotated));
            put("rope_theta", theta);
        }
        "modernbert" => put("global_rope_theta", theta),
        _ => {
            put("rope_theta", theta);
            put("partial_rotary_factor", json!(share));
        }
    }
    if let Some(local) = local {
        let theta = number(local.config().unwrap().settings.real("rope_theta"));
        put(if *model_type == "modernbert" { "local_rope_theta" } else { "rope_local_base_freq" }, theta);
    }
    if *model_type == "phi3" {
        // It stands beside the table.
        if let Some(original) = table.remove("original_max_position_embeddings") {
            put("original_max_position_embeddings", original);
        }
    }
    put("rope_scaling", if table.is_empty() { Value::Null } else { table.into() });
    out.into()
}

fn part(reading: &Reading, attention: Attention) -> &Part {
    reading.parts.iter().find(|part| part.attention == attention).unwrap()
}

#[test]
fn every_preset_reads_back_as_itself_in_both_styles() {
    let mut seen = 0;
    for model in models() {
        let local = find(&format!("{}-local", model.id));
        if model.id.ends_with("-local") {
            // With its partner.
            assert!(find(model.id.trim_end_matches("-local")).is_some());
            continue;
        }
        for style in [Style::Old, Style::New] {
            // Gemma 4 is newer than the old style.
            if model.id == "gemma-4" && style == Style::Old {
                continue;
            }
            let text = written(model, local, style).to_string();
            let reading = read(&text).unwrap();
            let about = format!("{} {style:?}: {text}", model.id);
            assert!(reading.known, "{about}");
            let full = match local {
                Some(local) => {
                    let part = part(&reading, Attention::Sliding);
                    assert_eq!(part.scheme, local.config().unwrap(), "{about}");
                    seen += usize::from(style == Style::New);
                    self::part(&reading, Attention::Full)
                }
                // The first kind of layers is one that rotates.
                None => &reading.parts[0],
            };
            assert_eq!(full.scheme.to_string(), model.scheme, "{about}");
            assert_eq!(full.scheme, model.config().unwrap(), "{about}");
            for part in &reading.parts {
                assert_eq!(part.repairs, [], "{about}");
                assert!(part.scheme.build().is_ok(), "{about}");
            }
            let unread: Vec<&str> = reading.unread.iter().map(|field| field.path.as_str()).collect();
            // Both say the same thing of a model that has partial rotation fixed.
            assert_eq!(unread, ["hidden_act"], "{about}");
            seen += usize::from(style == Style::New);
            lengths(model, &reading, &about);
        }
    }
    assert_eq!(seen, models().len());
}

/// They are those of the preset, where a config can say them.
fn lengths(model: &Model, reading: &Reading, about: &str) {
    let lengths = reading.lengths;
    assert_eq!(lengths.given, Some(model.context), "{about}");
    match model.scheme_id() {
        // Nothing ends a bias.
        "alibi" => assert_eq!(lengths.served, None, "{about}"),
        // Dynamic scaling begins at the length that is given.
        _ if model.scheme.contains("dynamic") => assert_eq!(lengths.served, Some(6 * model.context), "{about}"),
        _ => assert_eq!(lengths.served, Some(model.context), "{about}"),
    }
    if model.trained.is_some() {
        assert_eq!(lengths.trained, model.trained, "{about}");
    }
}

/// Nothing but what a preset's own numbers raise.
#[test]
fn presets_raise_the_warnings_that_they_should() {
    let keys = |id: &str, style| {
        let text = written(find(id).unwrap(), find(&format!("{id}-local")), style).to_string();
        read(&text).unwrap().warnings.iter().map(|warning| warning.mistake.key()).collect::<Vec<_>>()
    };
    assert_eq!(keys("llama-2", Style::Old), [""; 0]);
    assert_eq!(keys("llama-2", Style::New), [""; 0]);
    assert_eq!(keys("llama-3.1", Style::Old), ["old-spelling"]);
    assert_eq!(keys("llama-3.1", Style::New), ["base-inside"]);
    assert_eq!(keys("deepseek-v3", Style::Old), ["old-spelling", "softmax-scale"]);
    assert_eq!(keys("gpt-oss", Style::New), ["base-inside", "truncate-ignored"]);
    assert_eq!(keys("gemma-3-4b", Style::Old), ["old-spelling", "some-layers-scaled"]);
    assert_eq!(keys("smollm3", Style::New), ["no-rope-means-rope", "base-inside"]);
    assert_eq!(keys("bloom-176b", Style::Old), ["alibi-slopes"]);
}
