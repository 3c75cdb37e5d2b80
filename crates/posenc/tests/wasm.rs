//! The same bits natively and in WebAssembly: this file is run in both, and both must find the same hashes.
//!
//! `cargo test -p posenc --test wasm`, and `wasm-pack test --headless --chrome crates/posenc --test wasm`.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scheme has failed")]

use posenc::{
    Config, Encoding,
    grid::Grid,
    random::Normal,
    vectors::{Bands, Vectors},
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn singles(&mut self, values: &[f32]) {
        for value in values {
            // Which NaN it is differs between machines.
            self.bytes(&if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() }.to_le_bytes());
        }
    }
    fn doubles(&mut self, values: &[f64]) {
        for value in values {
            self.bytes(&value.to_bits().to_le_bytes());
        }
    }
}

fn build(text: &str) -> Encoding {
    Config::parse(text).unwrap().0.build().unwrap()
}

/// The hash of each scheme's tables.
const TABLES: &[(&str, u64)] = &[
    ("sinusoidal", 0x2fa0_55b2_40ba_7ed3),
    ("sinusoidal(d_model=64,layout=concatenated,frequencies=tensor2tensor)", 0x87b4_7172_8eea_839c),
    ("sinusoidal(d_model=33,odd=round-up,base=500)", 0x04ca_f1cd_70b1_58df),
    ("sinusoidal(d_model=33,odd=zero-pad)", 0xc9c3_007e_0118_6947),
    ("sinusoidal(d_model=64,spacing=random,spacing_seed=7)", 0x6ce9_3ab8_58cf_9589),
    ("sinusoidal(d_model=64,spacing=linear)", 0x38a5_2bbf_a23d_8245),
    ("rope", 0x85ab_0ff6_0f9a_2822),
    ("rope(head_dim=80,rope_theta=500000,partial_rotary_factor=0.4,layout=interleaved)", 0xf7d0_33d3_1f3e_1f0c),
];

/// Rows of several tables, exact, fast, averaged and spread.
fn tables(text: &str) -> u64 {
    let mut hash = Hash::new();
    let waves = match build(text) {
        Encoding::Absolute(scheme) => scheme.waves().unwrap().clone(),
        Encoding::Rotary(rope) => rope.waves(),
        _ => unreachable!("{text} has waves"),
    };
    hash.doubles(waves.freq());
    let width = waves.columns().len();
    let mut table = vec![0.0; 130 * width];
    for start in [0.0, -17.0, 999_990.0] {
        waves.fill(start, 1.0, &mut table);
        hash.singles(&table);
        waves.fill_mean_of(start, 37, 37 * 100 + 5, &mut table);
        hash.singles(&table);
        waves.fill_spread_of(start, 37, 37 * 100 + 5, &mut table);
        hash.singles(&table);
        for position in [start, start + 0.37] {
            let exact: Vec<f64> = (0..width).map(|c| waves.at(position, c)).filter(|x| !x.is_nan()).collect();
            hash.doubles(&exact);
        }
    }
    hash.0
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn tables_have_the_same_bits_everywhere() {
    let found: Vec<(&str, u64)> = TABLES.iter().map(|(text, _)| (*text, tables(text))).collect();
    assert_eq!(found, TABLES, "{found:#x?}");
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn rotations_and_scores_have_the_same_bits_everywhere() {
    let Encoding::Rotary(rope) = build("rope(rope_theta=500000)") else { unreachable!() };
    let mut hash = Hash::new();
    let (q, k) = Vectors::Independent { seed: 3 }.pair(rope.head_dim());
    let mut out = vec![0.0; rope.head_dim()];
    for position in [0.0, 1.0, -5.5, 131_071.0, 1e6] {
        rope.rotate(&q, position, &mut out).unwrap();
        hash.doubles(&out);
    }
    let rows: Vec<f32> = q.iter().chain(&k).map(|x| *x as f32).collect();
    let mut turned = vec![0.0; rows.len()];
    rope.rotate_rows(&rows, 70_000.0, 1.0, &mut turned).unwrap();
    hash.singles(&turned);
    let profile = rope.profile(&q, &k).unwrap().aimed(12.0);
    hash.doubles(&[profile.at(0.0), profile.at(-77.25), profile.at(1e6), profile.mean(-5, 1000)]);
    for samples in [u64::MAX, 64] {
        for range in profile.ranges(&[-1000, -3, 0, 1, 1, 65, 131, 5000, 100_000], samples) {
            hash.singles(&[range.min, range.max]);
        }
    }
    let mut bands = Bands::new(&rope, Vectors::Equal { seed: 3 }, 7, &[0, 1, 100, 1000], 64, 0.0);
    while !bands.step() {}
    let band = bands.finish();
    for values in [band.mean, band.spread, band.min, band.max] {
        hash.singles(&values);
    }
    assert_eq!(hash.0, 0xb138_8b0b_11f9_cfb6, "{:#x}", hash.0);
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn random_numbers_have_the_same_bits_everywhere() {
    let mut hash = Hash::new();
    for seed in [0, 1, u64::MAX] {
        hash.doubles(&Normal::new(seed).vector(1001));
    }
    assert_eq!(hash.0, 0xa415_cd99_4b5d_c8ab, "{:#x}", hash.0);
}

/// Rotations by length, by several coordinates and with magnitudes, and tables of patches.
const OTHERS: &[(&str, u64)] = &[
    ("rope(rope_type=yarn,factor=16)", 0x938e_1e55_1007_2225),
    ("rope(rope_type=yarn,factor=16,ramp=paper,mscale=0.7,mscale_all_dim=1)", 0xf0d8_57b0_678a_7424),
    ("rope(rope_type=llama3,factor=8,rope_theta=500000)", 0x214e_92fc_d421_76ed),
    ("rope(rope_type=dynamic,factor=2,max_position_embeddings=1000)", 0xcd61_1ab1_5562_12af),
    ("rope(head_dim=96,rope_type=longrope,preset=phi-3.5-mini,max_position_embeddings=131072)", 0xca8e_55ad_a086_cfa9),
    ("xpos", 0xe09a_2b23_653d_a4cf),
    ("irope(layer=3)", 0x03df_0c91_2497_3097),
    ("rope2d(convention=dinov3)", 0x6765_52c8_cc04_304b),
    ("rope-mixed(head=3)", 0xb0e2_16a5_408a_6c15),
    ("mrope(interleaved=true)", 0x938e_17b3_611f_8971),
    ("sincos2d(layout=detr,normalize=true)", 0xc8cf_b65e_e854_3a30),
    ("learned2d(antialias=true)", 0x6560_5563_3b68_f039),
    ("fourier(axes=2,variant=perceiver)", 0x702c_20fb_5055_2a21),
    ("fourier(variant=gaussian)", 0x9216_b3c5_c91f_a535),
    ("rope(rope_type=linear,factor=3)", 0x4bdf_c868_3518_8252),
    ("rope(rope_type=ntk,factor=4)", 0xa859_545d_446d_0495),
    ("rope(rope_type=ntk-by-parts,factor=10)", 0xe80d_e753_6c5e_c680),
    ("rope(rope_type=proportional,partial_rotary_factor=0.25,factor=8)", 0xa135_df5d_f9cd_73c4),
    ("rope(rope_type=yarn,factor=32,truncate=false,rope_theta=150000)", 0x88a3_d291_9908_a609),
    ("rope(rope_type=longrope,max_position_embeddings=131072)", 0x7a80_18fd_ff23_3860),
    ("irope", 0x2b62_de88_1d14_43ea),
    ("rope2d", 0x0492_c70e_2770_e6d0),
    ("rope2d(convention=timm)", 0x11d5_ea88_cd11_cb3a),
    ("rope2d(convention=qwen2-vl,rope_theta=10000)", 0xe7b4_97c3_db53_3b39),
    ("rope2d(convention=pixtral,rope_theta=10000)", 0xff79_74a2_f411_e82c),
    ("mrope", 0x5b6d_d3ed_423b_1e9f),
    ("sincos2d", 0xea23_4375_16cd_3d50),
    ("sincos2d(layout=width-first)", 0x02e2_bb70_7187_5b90),
    ("sincos2d(layout=sines-then-cosines)", 0x8f1a_9ec2_c20a_33b4),
    ("sincos2d(layout=rows-then-columns-interleaved,d_model=62)", 0x6bd6_190a_bae2_1cb9),
    ("learned2d", 0x7f6f_f755_77fb_9e3e),
    ("fourier", 0x7209_6f30_fade_9a15),
    ("fourier(axes=2,variant=gaussian,sigma=3)", 0x1dcd_21ab_b7ee_9a49),
    ("fourier(log_sampling=false,times_pi=false,concat_pos=true)", 0xc232_919f_bd90_5355),
];

fn others(text: &str) -> u64 {
    let mut hash = Hash::new();
    let x = Normal::new(5).vector(128);
    let grid = Grid { height: 7, width: 11 };
    let mut out = [0.0; 128];
    match build(text) {
        Encoding::Rotary(rope) => {
            hash.doubles(&[rope.attention_factor(), rope.softmax_scale(64)]);
            for length in [1.0, 5000.0, 1e6] {
                hash.doubles(&rope.inv_freq_at(length));
            }
        }
        Encoding::QueryKey(both) => {
            let d = both.head_dim();
            for position in [0.0, 17.0, 40_000.0] {
                both.query(&x[..d], position, &mut out[..d]).unwrap();
                hash.doubles(&out);
                both.key(&x[..d], position, &mut out[..d]).unwrap();
                hash.doubles(&out);
                hash.doubles(&[both.score(&x[..d], &x[..d], position, 3.0).unwrap()]);
            }
            if let Some(profile) = both.profile(&x[..d], &x[..d]).unwrap() {
                for range in profile.ranges(&[-50, 0, 1, 5000, 100_000], 2000) {
                    hash.singles(&[range.min, range.max]);
                }
            }
        }
        Encoding::Axial(rope) => {
            let d = rope.head_dim();
            for at in [[0.0, 1.0, 2.0], [-3.5, 12.0, 1000.0]] {
                rope.rotate(&x[..d], &at[..rope.axes().len()], &mut out[..d]).unwrap();
                hash.doubles(&out);
            }
            hash.doubles(&rope.coordinates(grid, 2, 9).unwrap());
        }
        Encoding::Grid(table) => {
            let mut rows = vec![0.0; grid.height * grid.width * table.width()];
            table.fill(grid, &mut rows);
            hash.singles(&rows);
        }
        Encoding::Absolute(table) => {
            let mut rows = vec![0.0; 64 * table.width()];
            table.fill(0.0, 1.0, &mut rows);
            hash.singles(&rows);
        }
        _ => unreachable!("{text}"),
    }
    hash.0
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn other_rotations_and_grids_have_the_same_bits_everywhere() {
    let found: Vec<(&str, u64)> = OTHERS.iter().map(|(text, _)| (*text, others(text))).collect();
    assert_eq!(found, OTHERS, "{found:#x?}");
}

/// Each scheme that makes tables or rotations is here, and so is each context extension; biases, what reads content and
/// tables of weights are in `wasm_bias.rs`.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_table_and_rotation_is_compared() {
    let compared: Vec<&str> = TABLES.iter().chain(OTHERS).map(|(text, _)| *text).collect();
    for spec in posenc::registry() {
        let built = Config::new(spec).build();
        let elsewhere = matches!(built, Err(_) | Ok(Encoding::None | Encoding::Bias(_) | Encoding::Content(_)));
        assert!(elsewhere || compared.iter().any(|text| text.split('(').next() == Some(spec.id)), "{}", spec.id);
    }
    let types = posenc::schemes::rope::SPEC.params.iter().find(|param| param.key == "rope_type").unwrap();
    let posenc::Kind::Choice { options, default } = types.kind else { unreachable!() };
    for option in options.iter().filter(|option| **option != default) {
        let chosen = |text: &&&str| text.contains(&format!("rope_type={option}"));
        assert!(compared.iter().any(|text| chosen(&text)), "{option}");
    }
}
