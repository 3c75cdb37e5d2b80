//! What schemes cost: the published counts, and how they grow.

#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Acts, Config, Encoding,
    costs::{Cache, Costs, Shape, Stale},
    registry,
    schemes::t5::Buckets,
};

/// BERT base, and the model of most papers.
const BASE: Shape = Shape { layers: 12.0, heads: 12.0, kv_heads: 12.0, head_dim: 64.0, length: 512.0, causal: false };
/// Llama 3 8B.
const LLAMA: Shape = Shape { layers: 32.0, heads: 32.0, kv_heads: 8.0, head_dim: 128.0, length: 8192.0, causal: true };

fn costs(scheme: &str, shape: &Shape) -> Costs {
    let (config, repairs) = Config::parse(scheme).unwrap();
    assert_eq!(repairs, []);
    config.costs(shape)
}

#[test]
fn parameters_are_the_published_counts() {
    for (scheme, expected) in [
        ("sinusoidal", 0.0),
        // 512 × 768.
        ("learned", 393_216.0),
        // 14 × 14 × 768.
        ("learned2d", 150_528.0),
        ("rope", 0.0),
        ("xpos", 0.0),
        ("none", 0.0),
        // Two frequencies for each of 32 planes, 12 heads and 12 layers.
        ("rope-mixed", 9216.0),
        ("alibi", 0.0),
        // 32 buckets × 12 heads, once for the stack.
        ("t5", 384.0),
        ("kerple", 24.0),
        ("sandwich", 0.0),
        // 1 → 32 → 12 and two numbers, in each layer.
        ("fire", 12.0 * (32.0 + 32.0 + 32.0 * 12.0 + 12.0 + 2.0)),
        // Keys and values, 33 vectors of 64 each, in each layer.
        ("shaw", 12.0 * 2.0 * 33.0 * 64.0),
        ("shaw(relative_values=false)", 12.0 * 33.0 * 64.0),
        // W_r in each layer, u and v once.
        ("transformer-xl", 12.0 * 768.0 * 768.0 + 2.0 * 768.0),
        // Version 3: 512 rows. Version 1: 1,024 rows, and two projections in each layer.
        ("deberta", 512.0 * 768.0),
        ("deberta(position_buckets=0)", 1024.0 * 768.0 + 12.0 * 2.0 * 768.0 * 768.0),
        // All of it once: Lmax·D + 2·D² + 32·H, and a row more for [CLS].
        ("tupe(untie_cls=false)", 512.0 * 768.0 + 2.0 * 768.0 * 768.0 + 384.0),
        ("tupe", 513.0 * 768.0 + 2.0 * 768.0 * 768.0 + 384.0),
        ("cope", 12.0 * 64.0 * 64.0),
    ] {
        assert_eq!(costs(scheme, &BASE).parameters, expected, "{scheme}");
    }
    // GPT-2's heads and width are the same; T5's largest has 128 heads.
    assert_eq!(costs("t5", &Shape { heads: 128.0, ..BASE }).parameters, 4096.0);
    assert_eq!(Buckets::new(32, 128, true).unwrap().count() as f64 * 12.0, costs("t5", &BASE).parameters);
}

#[test]
fn operations_are_those_of_the_catalogue() {
    // 4d a pair without positions.
    assert_eq!(BASE.attention(), 4.0 * 64.0 * 512.0 * 512.0 * 144.0);
    // What a causal model's last token adds to the sequence before it.
    let shorter = Shape { length: LLAMA.length - 1.0, ..LLAMA };
    assert_eq!(LLAMA.last_attention(), LLAMA.attention() - shorter.attention());
    for (scheme, per_pair) in [
        ("none", 0.0),
        ("rope", 0.0),
        ("alibi", 2.0),
        ("t5", 1.0),
        ("kerple", 1.0),
        ("sandwich", 1.0),
        ("tupe", 1.0),
        ("shaw(relative_values=false)", 2.0 * 64.0),
        ("shaw", 4.0 * 64.0),
        ("transformer-xl", 2.0 * 64.0),
        ("deberta", 4.0 * 64.0),
    ] {
        assert_eq!(costs(scheme, &BASE).per_pair, per_pair, "{scheme}");
    }
    // FIRE's network: 64 + 64·H for all heads of a pair, and one addition each.
    let fire = costs("fire", &BASE).per_pair;
    assert!(((fire - 1.0) * 12.0 - (64.0 + 64.0 * 12.0)).abs() < 1e-9);
    // A vector that is added: D a token, once.
    assert_eq!(costs("sinusoidal", &BASE).per_token, 768.0);
    assert_eq!(costs("learned", &BASE).per_token, 768.0);
    // RoPE: 3r for each query and key, in all layers; xPos one more a dimension.
    assert_eq!(costs("rope", &LLAMA).per_token, 32.0 * (32.0 + 8.0) * 3.0 * 128.0);
    assert_eq!(costs("rope(partial_rotary_factor=0.25)", &LLAMA).per_token, 32.0 * 40.0 * 3.0 * 32.0);
    assert_eq!(costs("xpos", &LLAMA).per_token, 32.0 * 40.0 * 4.0 * 128.0);
    // Three of four layers rotate, and the others multiply the query.
    let irope = costs("irope", &LLAMA);
    assert_eq!(irope.per_token, 24.0 * 40.0 * 3.0 * 128.0 + 8.0 * 4096.0);
    assert_eq!(costs("irope(attn_scale=0)", &LLAMA).per_token, 24.0 * 40.0 * 3.0 * 128.0);
    // CoPE: each query meets every vector.
    assert_eq!(costs("cope", &BASE).per_token, 144.0 * 2.0 * 64.0 * 64.0);
    // TUPE: N²·D products of places, once for all layers.
    let places = |length: f64| costs("tupe", &Shape { length, ..BASE }).once - 4.0 * length * 768.0 * 768.0;
    assert_eq!(places(512.0), 2.0 * 512.0 * 512.0 * 768.0);
}

/// A table is linear in the length, a matrix and a sum over pairs are quadratic, and parameters do not depend on it.
#[test]
fn costs_grow_as_they_should() {
    for spec in registry() {
        let config = Config::new(spec);
        for causal in [false, true] {
            let at = |length: f64| config.costs(&Shape { length, causal, ..BASE });
            let (a, b) = (at(4096.0), at(8192.0));
            assert_eq!((a.parameters, a.per_token, a.per_pair), (b.parameters, b.per_token, b.per_pair), "{}", spec.id);
            assert_eq!(b.matrix, 4.0 * a.matrix, "{}", spec.id);
            assert!(b.table <= 2.0 * a.table + 1e4 && b.table >= a.table, "{}", spec.id);
            // Beyond what each token and pair costs, nothing grows faster than the pairs.
            assert!(b.once <= 4.0 * a.once, "{}", spec.id);
        }
        let far = config.costs(&Shape { layers: 512.0, heads: 512.0, length: 1e7, ..LLAMA });
        for number in [far.parameters, far.table, far.once, far.per_token, far.per_pair, far.matrix] {
            assert!(number.is_finite() && number >= 0.0, "{}", spec.id);
        }
        // What acts on the logits can be written out as a matrix, and nothing else.
        assert_eq!(far.matrix > 0.0, matches!(spec.acts, Acts::Bias | Acts::Content), "{}", spec.id);
        let ends = match config.build() {
            Ok(Encoding::Content(content)) => content.rows().is_some(),
            Err(posenc::Error::NeedsData(_)) => true,
            _ => false,
        };
        assert_eq!(far.rows.is_some(), ends, "{}", spec.id);
    }
    let alibi = |length: f64| costs("alibi", &Shape { length, ..BASE }).operations(&Shape { length, ..BASE });
    assert_eq!(alibi(2048.0), 4.0 * alibi(1024.0));
    let rope = |length: f64| costs("rope", &Shape { length, ..BASE }).operations(&Shape { length, ..BASE });
    assert_eq!(rope(2048.0), 2.0 * rope(1024.0));
    // Twice the layers, twice a rotation; a learned table is the same.
    let deep = Shape { layers: 24.0, ..BASE };
    assert_eq!(costs("rope", &deep).per_token, 2.0 * costs("rope", &BASE).per_token);
    assert_eq!(costs("learned", &deep), costs("learned", &BASE));
    // ALiBi written out for 8,192 tokens and 32 heads in two bytes a number: 4 GiB a layer.
    assert_eq!(costs("alibi", &LLAMA).matrix * 2.0, 4_294_967_296.0);
    assert_eq!(costs("learned", &BASE).bytes(2.0), 786_432.0);
}

#[test]
fn a_cache_keeps_or_must_do_again() {
    // 128 kB a token in two bytes a number.
    assert_eq!(LLAMA.cache() / LLAMA.length * 2.0, 131_072.0);
    for (scheme, cache) in
        [("sinusoidal", Cache::Placed), ("alibi", Cache::Raw), ("xpos", Cache::Centred), ("none", Cache::Raw)]
    {
        assert_eq!(costs(scheme, &LLAMA).cache, cache, "{scheme}");
        assert_eq!(costs(scheme, &LLAMA).again(&LLAMA), 0.0, "{scheme}");
    }
    // To rotate the keys of one token anew: 3r for each of 8 heads in 32 layers.
    let one = 32.0 * 8.0 * 3.0 * 128.0;
    let again = |scheme: &str, length: f64| {
        let shape = Shape { length, ..LLAMA };
        costs(scheme, &shape).again(&shape)
    };
    assert_eq!(costs("rope", &LLAMA).cache, Cache::Rotated { stale: Stale::Never, again: one });
    assert_eq!(again("rope(rope_type=yarn,factor=16)", 1e6), 0.0);
    // The base follows the length with every token past the trained one.
    let dynamic = "rope(rope_type=dynamic,factor=2,max_position_embeddings=4096)";
    assert_eq!([4096.0, 4097.0, 8192.0].map(|n| again(dynamic, n)), [0.0, 4096.0 * one, 8191.0 * one]);
    // The divisors change once.
    let longrope = "rope(rope_type=longrope,max_position_embeddings=131072)";
    assert_eq!([4096.0, 4097.0, 4098.0].map(|n| again(longrope, n)), [0.0, 4096.0 * one, 0.0]);
    // The next token of ALiBi meets every key once in every head.
    assert_eq!(costs("alibi", &LLAMA).next_token(&LLAMA), 2.0 * 8192.0 * 1024.0);
    assert_eq!(costs("rope", &LLAMA).next_token(&LLAMA), costs("rope", &LLAMA).per_token);
}
