//! The same bits natively and in WebAssembly, of biases, of what reads content, and of attention; see `wasm.rs`.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding,
    attention::Head,
    bias::Row,
    quantised::{Table, encode},
    random::Normal,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn doubles(&mut self, values: &[f64]) {
        for value in values {
            self.bytes(&value.to_bits().to_le_bytes());
        }
    }
}

const SCHEMES: &[(&str, u64)] = &[
    ("alibi(num_heads=12)", 0xf9a0_99d2_731e_5973),
    ("alibi(num_heads=7,form=last-query,alibi_bias_max=16)", 0x030c_f27e_d4d4_a9bd),
    ("t5", 0xe89b_030d_5fce_c9e2),
    (
        "t5(bidirectional=false,relative_attention_num_buckets=64,relative_attention_max_distance=1000)",
        0xf972_4a77_5026_d428,
    ),
    ("kerple", 0x377f_7d1a_b771_74f2),
    ("kerple(kernel=power,init_seed=3)", 0x56ae_a29a_db62_2a9c),
    ("sandwich", 0x90df_64ff_77a0_5a83),
    ("fire", 0x60b4_40b9_3cc5_a326),
    ("shaw", 0xb930_ecb2_635e_135a),
    ("transformer-xl", 0x0be4_016a_c8ca_29cb),
    ("deberta", 0x55d8_73fd_a5a0_1c9a),
    ("tupe", 0x1726_a9d0_f3d0_8ced),
    ("cope", 0x5892_5fc7_9a1e_59df),
    ("alibi(form=distance)", 0xdb50_a67e_b9b3_bd43),
    ("alibi(form=key-index)", 0x036e_0dd4_0857_50b8),
    ("deberta(position_buckets=0)", 0x086a_7b29_2416_c15f),
    ("shaw(relative_values=false)", 0x298f_505d_bf9d_f9cf),
    ("cope(scaling=repository)", 0x5892_5fc7_9a1e_59df),
    ("tupe(untie_cls=false,relative_bias=false)", 0x670c_29ff_5de4_fcf8),
    ("none", 0x6dc5_7fd1_f0ce_1497),
];

/// Biases near and far with their ranges, and attention over a few tokens.
fn bits(text: &str) -> u64 {
    let encoding = Config::parse(text).unwrap().0.build().unwrap();
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let width = match &encoding {
        Encoding::Content(content) => content.head_dim(),
        _ => 8,
    };
    if let Encoding::Bias(bias) = &encoding {
        for head in 0..bias.heads() {
            let row = Row::new(head, 70_000);
            let mut out = vec![0.0; 200];
            bias.write_row(row, 69_801, &mut out).unwrap();
            hash.doubles(&out);
            for range in bias.ranges(row, &[0, 1, 50, 1000, 70_000], 512).unwrap() {
                hash.bytes(&range.min.to_bits().to_le_bytes());
                hash.bytes(&range.max.to_bits().to_le_bytes());
            }
        }
    }
    let x = Normal::new(1).vector(6 * 8);
    for causal in [false, true] {
        let seen = Head::random(8, width, 2).attend(&encoding, 1, &x, causal).unwrap();
        hash.doubles(&seen.weights);
        hash.doubles(&seen.output);
    }
    hash.0
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn biases_have_the_same_bits_everywhere() {
    let found: Vec<(&str, u64)> = SCHEMES.iter().map(|(text, _)| (*text, bits(text))).collect();
    assert_eq!(found, SCHEMES, "{found:#x?}");
}

/// Each scheme that acts on the logits is here; the others are in `wasm.rs`.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_bias_is_compared() {
    for spec in posenc::registry() {
        if matches!(spec.acts, posenc::Acts::Bias | posenc::Acts::Content | posenc::Acts::Nothing) {
            assert!(SCHEMES.iter().any(|(text, _)| text.split('(').next() == Some(spec.id)), "{}", spec.id);
        }
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn tables_of_weights_have_the_same_bits_everywhere() {
    let weights: Vec<f32> = Normal::new(3).vector(64 * 9).iter().map(|x| *x as f32).collect();
    let bytes = encode(9, &weights).unwrap();
    let table = Table::decode(&bytes).unwrap();
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    hash.bytes(&bytes);
    for row in 0..table.rows() {
        hash.doubles(&(0..9).map(|column| table.get(row, column)).collect::<Vec<_>>());
    }
    assert_eq!(hash.0, 0x2d1e_d8f2_1975_1c4a, "{:#x}", hash.0);
}
