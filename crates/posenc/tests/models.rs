//! Real models: each builds, and is what was read of it.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding, Layout, Rotary,
    models::{self, find, models},
    planes::incomplete,
};
use std::collections::BTreeSet;

fn rotary(id: &str) -> Rotary {
    let Encoding::Rotary(rope) = find(id).unwrap().config().unwrap().build().unwrap() else { unreachable!("{id}") };
    rope
}

#[test]
fn every_model_is_legal_and_builds() {
    let mut ids = BTreeSet::new();
    for model in models() {
        assert!(ids.insert(model.id), "two are called {}", model.id);
        let (config, repairs) = Config::parse(model.scheme).unwrap();
        assert_eq!(repairs, [], "{}", model.id);
        assert!(config.build().is_ok(), "{}", model.id);
        // Written as links have it: nothing that is a default.
        assert_eq!(config.to_string(), model.scheme, "{}", model.id);
        assert_eq!((config.spec.id, model.config().unwrap()), (model.scheme_id(), config.clone()));
        for key in model.unverified {
            assert!(*key == "max_position_embeddings" || config.settings.get(key).is_some(), "{}: {key}", model.id);
        }
        // The length before the extension is the one that the config counts from.
        let original = config.settings.iter().find(|(spec, _)| spec.key == "original_max_position_embeddings");
        match original.filter(|(spec, _)| config.settings.relevant(spec)) {
            Some((_, value)) => assert_eq!(value.to_string(), model.trained.unwrap().to_string(), "{}", model.id),
            None => assert!(model.trained.is_none_or(|trained| trained <= model.context), "{}", model.id),
        }
    }
    assert_eq!(models::of("alibi").map(|model| model.id).collect::<Vec<_>>(), ["bloom-176b", "mpt-7b"]);
}

#[test]
fn models_are_what_was_read() {
    let lines = include_str!("data/models.txt").lines().filter(|line| !line.starts_with('#'));
    let mut read = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(' ').collect();
        let [id, head_dim, rotated, theta, context, layout, how] = cells[..] else { unreachable!("{line}") };
        let model = find(id).unwrap();
        read.push(id);
        assert_eq!(model.context.to_string(), context, "{id}");
        assert_eq!(model.verified(), !how.contains('!') && how != "U", "{id}");
        let config = model.config().unwrap();
        if theta != "-" {
            assert_eq!(config.settings.real("rope_theta"), theta.parse::<f64>().unwrap(), "{id}");
        }
        if head_dim == "-" {
            continue;
        }
        let (width, planes, found) = match config.build().unwrap() {
            Encoding::Rotary(rope) => (rope.head_dim(), rope.inv_freq().len(), rope.layout()),
            Encoding::Axial(rope) => (rope.head_dim(), rope.planes(), Layout::Half),
            _ => unreachable!("{id}"),
        };
        assert_eq!((width.to_string().as_str(), (2 * planes).to_string().as_str()), (head_dim, rotated), "{id}");
        assert_eq!(found, Layout::from_word(layout), "{id}");
    }
    assert_eq!(read, models().iter().map(|model| model.id).collect::<Vec<_>>());
}

/// What follows from their parameters, as the reference has it.
#[test]
fn models_compute_what_is_known_of_them() {
    // Planes that are left alone and that are slowed in full.
    for (id, unchanged, slowed, factor) in [("llama-3.1", 29, 35, 8.0), ("llama-3.2-1b", 15, 18, 32.0)] {
        let rope = rotary(id);
        let divisors = posenc::planes::divisors(&rope, 0.0).unwrap();
        assert!(divisors[..unchanged].iter().all(|by| *by == 1.0) && divisors[unchanged] > 1.0, "{id}");
        assert!(divisors[slowed..].iter().all(|by| (by - factor).abs() < 1e-12), "{id}");
        assert!(divisors[slowed - 1] < factor - 1e-9, "{id}");
    }
    // Equal limits are a step, not 0/0.
    let scout = posenc::planes::divisors(&rotary("llama-4-scout"), 0.0).unwrap();
    assert!(scout.iter().all(|by| *by == 1.0 || (by - 16.0).abs() < 1e-12));
    assert!(scout[0] == 1.0 && scout[63] > 15.0);
    // Attention factors and softmax scales.
    for (id, factor, softmax) in [
        ("deepseek-v2", 1.0, 1.5896),
        ("deepseek-v3", 1.0, 1.8739),
        ("qwen2.5-7b-yarn", 1.138_63, 1.0),
        ("phi-3.5-mini", 1.190_24, 1.0),
        ("phi-4-mini", 1.190_24, 1.0),
    ] {
        let rope = rotary(id);
        assert!((rope.attention_factor() - factor).abs() < 1e-5, "{id}: {}", rope.attention_factor());
        assert!((rope.softmax_scale(1) - softmax).abs() < 1e-4, "{id}: {}", rope.softmax_scale(1));
    }
    assert_eq!(
        rotary("gpt-oss").frequencies().unwrap().ramp_planes(),
        Some((8.092_779_115_512_402, 17.398_024_501_588_56))
    );
    // Of Gemma 4's 256 planes a quarter turns.
    assert_eq!(rotary("gemma-4").inv_freq().iter().filter(|w| **w != 0.0).count(), 64);
    // Gemma 3 slows its global layers, and not its local ones.
    assert_eq!(rotary("gemma-3-4b").inv_freq()[0], 0.125);
    assert_eq!(rotary("gemma-3-4b-local").inv_freq()[0], 1.0);
    // Planes that never completed a turn in training.
    assert_eq!(incomplete(rotary("llama-2").inv_freq(), 4096.0).count(), 18);
}
