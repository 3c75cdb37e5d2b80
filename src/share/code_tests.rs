//! The code is run: `PLACEWISE_CODE=<folder>` makes these tests write cases there, code and the numbers that posenc has
//! for it, and `tests/code/run.py` runs and compares them. `cargo xtask test --only code` does both.

use super::*;
use crate::share::data::{Float, npy};
use posenc::bias::Row;
use std::{env, fs, path::Path};

const EXTENT: Extent = Extent { length: 11, grid: Grid { height: 3, width: 5 } };

/// Every template with every branch of it.
const CASES: &[&str] = &[
    "sinusoidal(d_model=8)",
    "sinusoidal(d_model=8,base=500.5,layout=concatenated)",
    "sinusoidal(d_model=9)",
    "sinusoidal(d_model=9,odd=round-up)",
    "sinusoidal(d_model=9,odd=zero-pad,layout=concatenated)",
    "sinusoidal(d_model=8,frequencies=tensor2tensor)",
    "sinusoidal(d_model=8,spacing=linear)",
    "sinusoidal(d_model=8,spacing=random,spacing_seed=5)",
    "rope(head_dim=8)",
    "rope(head_dim=8,rope_theta=500000,layout=interleaved)",
    "rope(head_dim=8,layout=interleaved-to-half)",
    "rope(head_dim=16,partial_rotary_factor=0.4)",
    "rope(head_dim=16,partial_rotary_factor=0.4,layout=interleaved)",
    "rope(head_dim=8,rope_type=linear,factor=4)",
    "rope(head_dim=8,rope_type=ntk,factor=4)",
    "rope(head_dim=8,rope_type=dynamic,factor=2,max_position_embeddings=4)",
    "rope(head_dim=8,rope_type=dynamic,factor=2,max_position_embeddings=4096)",
    "rope(head_dim=32,rope_type=ntk-by-parts,factor=4,original_max_position_embeddings=2048)",
    "rope(head_dim=64,rope_type=yarn,factor=4,original_max_position_embeddings=4096)",
    "rope(head_dim=64,rope_type=yarn,factor=4,truncate=false,mscale=1,mscale_all_dim=0.7)",
    "rope(head_dim=64,rope_type=yarn,factor=8,ramp=paper,attention_factor=1.5)",
    "rope(head_dim=128,rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192)",
    "rope(head_dim=8,rope_type=longrope,original_max_position_embeddings=4,max_position_embeddings=64)",
    "rope(head_dim=96,rope_type=longrope,preset=phi-3.5-mini,max_position_embeddings=131072)",
    "rope(head_dim=16,rope_type=proportional,factor=2,partial_rotary_factor=0.5)",
    "alibi(num_heads=8)",
    "alibi(num_heads=12,form=distance)",
    "alibi(num_heads=3,alibi_bias_max=10,form=key-index)",
    "alibi(num_heads=1,form=last-query)",
    "t5(num_heads=2,bidirectional=false)",
    "t5(num_heads=2,relative_attention_num_buckets=8,relative_attention_max_distance=10)",
    "t5(num_heads=2,bidirectional=true,relative_attention_num_buckets=8,relative_attention_max_distance=10)",
    "kerple(num_heads=3)",
    "kerple(num_heads=9,kernel=power,init_seed=4)",
    "sandwich(num_heads=3,d_bar=16)",
    "sincos2d(d_model=16)",
    "sincos2d(d_model=16,layout=width-first)",
    "sincos2d(d_model=16,layout=sines-then-cosines)",
    "sincos2d(d_model=18,layout=rows-then-columns-interleaved)",
    "sincos2d(d_model=16,layout=detr)",
    "sincos2d(d_model=16,layout=detr,normalize=true)",
    "rope2d(head_dim=16)",
    "rope2d(head_dim=16,convention=timm)",
    "rope2d(head_dim=16,convention=qwen2-vl)",
    "rope2d(head_dim=16,convention=pixtral)",
    "rope2d(head_dim=16,convention=dinov3)",
    "fourier",
    "fourier(axes=2,concat_pos=true)",
    "fourier(times_pi=false,log_sampling=false,num_bands=5,extent=100)",
    "fourier(variant=gaussian,bands_seed=7)",
    "fourier(variant=gaussian,axes=2,sigma=2,layout=sin-then-cos,concat_pos=true)",
    "fourier(variant=gaussian,axes=2,B=0.5:1:2:-3)",
    "fourier(variant=perceiver,num_bands=1)",
    "fourier(variant=perceiver,axes=2,concat_pos=true)",
    "fourier(variant=perceiver,axes=2,max_resolution=30:40)",
    "learned(table=yours)",
    "learned2d",
    "learned2d(d_model=5,grid_size=4,table_seed=3)",
    "learned2d(d_model=5,grid_size=4,antialias=true)",
    "learned2d(table=yours)",
    "t5(table=yours)",
    "t5(table=yours,bidirectional=false)",
    "xpos(head_dim=8)",
    "xpos(head_dim=8,layout=half,scale_base=3)",
    "xpos(head_dim=8,layout=interleaved-to-half,rope_theta=50)",
    "irope(head_dim=8)",
    "irope(head_dim=8,layout=half,no_rope_layer_interval=3,layer=3)",
    "irope(head_dim=8,layout=interleaved-to-half)",
    "irope(head_dim=8,layer=3,floor_scale=4)",
    "rope-mixed(head_dim=16)",
    "rope-mixed(head_dim=8,head=5,freqs_seed=9)",
    "rope-mixed(head_dim=4,freqs_x=1:0.5,freqs_y=0.25:-2)",
    "mrope",
    "mrope(interleaved=true)",
    "mrope(head_dim=16,mrope_section=2:4:2)",
    "mrope(head_dim=16,mrope_section=4:2:2,interleaved=true)",
    "fire(num_heads=2)",
    "fire(num_heads=3,init_L=4,init_c=2,mlp_width=5,init_seed=8)",
    "shaw",
    "shaw(head_dim=7,left_max_position_embeddings=3,right_max_position_embeddings=0,relative_values=false)",
    "transformer-xl",
    "transformer-xl(head_dim=5,d_model=6)",
    "deberta",
    "deberta(head_dim=5,position_buckets=6,max_relative_positions=9)",
    "deberta(head_dim=5,position_buckets=0,max_relative_positions=4)",
    "tupe",
    "tupe(head_dim=5,max_positions=20,relative_bias=false)",
    "tupe(head_dim=5,untie_cls=false)",
    "tupe(head_dim=5,untie_cls=false,relative_bias=false)",
    "cope",
    "cope(head_dim=5,npos_max=3,scaling=repository)",
];

fn parsed(text: &str) -> Config {
    let (config, repairs) = Config::parse(text).expect(text);
    assert!(repairs.is_empty(), "{text}: {repairs:?}");
    config
}

/// A table of the reader's own, (row, column), for the cases that load one: 16 patches, or 11 positions, or 11 buckets.
fn own_table(config: &Config) -> Option<(usize, usize, Vec<f32>)> {
    let mine = config.settings.get("table").is_some_and(|value| value.to_string() == posenc::plain::YOURS);
    let (rows, columns) = if config.spec.id == "learned2d" { (16, 3) } else { (EXTENT.length as usize, 2) };
    let numbers = (0..rows * columns).map(|n| ((7 * n) % 11) as f32 / 4.0).collect();
    mine.then_some((rows, columns, numbers))
}

fn encoding(config: &Config) -> Encoding {
    match (config.build_at(EXTENT.length as f64), own_table(config)) {
        (Err(posenc::Error::NeedsData(asset)), Some((_, columns, numbers))) => {
            let bytes = posenc::plain::encode(columns, &numbers).expect("a table");
            (asset.decode)(&bytes).expect("a scheme of it")
        }
        (built, _) => built.expect("a scheme"),
    }
}

/// What vectors are turned of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Ones, as the code itself shows it; of queries alone.
    Ones,
    /// 1, 1⅛, 1¼ …, so that no two dimensions can be mistaken for each other; keys after queries where they differ, and
    /// what is added to values.
    Steps,
}

/// What posenc has for a case: rows of numbers, in the order in which the code of Rust prints them.
fn rows(config: &Config, of: Of) -> Vec<Vec<f64>> {
    let vector = |width: usize| -> Vec<f64> {
        (0..width).map(|i| if of == Of::Ones { 1.0 } else { 1.0 + i as f64 / 8.0 }).collect()
    };
    let length = EXTENT.length as i64;
    let (mut rows, grid) = (Vec::new(), EXTENT.grid);
    let row = |width: usize, write: &dyn Fn(&mut [f64]) -> Result<(), posenc::Error>| {
        let mut row = vec![0.0; width];
        write(&mut row).expect("a row");
        row
    };
    match encoding(config) {
        Encoding::Absolute(table) => {
            rows.extend((0..length).map(|p| row(table.width(), &|out| table.write_row(p as f64, out))));
        }
        Encoding::Rotary(rotary) => {
            let x = vector(rotary.head_dim());
            rows.extend((0..length).map(|p| row(x.len(), &|out| rotary.rotate(&x, p as f64, out))));
            if of == Of::Steps && config.spec.id == "irope" {
                // Its code tells queries from keys in every layer.
                rows.extend_from_within(..);
            }
        }
        Encoding::QueryKey(both) => {
            let x = vector(both.head_dim());
            rows.extend((0..length).map(|p| row(x.len(), &|out| both.query(&x, p as f64, out))));
            if of == Of::Steps {
                rows.extend((0..length).map(|p| row(x.len(), &|out| both.key(&x, p as f64, out))));
            }
        }
        Encoding::Bias(bias) => {
            for (head, query) in (0..bias.heads()).flat_map(|head| (0..length).map(move |query| (head, query))) {
                let of = Row::new(head, query).of(length);
                rows.push((0..length).map(|key| bias.bias(of, key).expect("a bias")).collect());
            }
        }
        Encoding::Grid(table) => {
            rows.extend(grid.patches().map(|(y, x)| row(table.width(), &|out| table.write_patch(grid, y, x, out))));
        }
        Encoding::Axial(rotary) => {
            let x = vector(rotary.head_dim());
            rows.extend(grid.patches().map(|(y, column)| {
                let [y, column] = rotary.coordinates(grid, y, column).expect("a patch");
                let at = if rotary.axes().len() == 3 { vec![0.0, y, column] } else { vec![y, column] };
                row(x.len(), &|out| rotary.rotate(&x, &at, out))
            }));
        }
        Encoding::Content(content) => {
            let (count, width) = (length as usize, content.head_dim());
            let mut random = posenc::random::Normal::new(1);
            let (q, k) = (random.vector(count * width), random.vector(count * width));
            let tokens = posenc::content::Tokens::new(width, &q, &k).expect("tokens");
            rows.extend((0..count).map(|query| row(count, &|out| content.write_row(&tokens, query, false, out))));
            if of == Of::Steps {
                let pairs = (0..length).flat_map(|query| (0..length).map(move |key| (query, key)));
                rows.extend(pairs.filter_map(|(query, key)| content.value(query, key).map(<[f64]>::to_vec)));
            }
        }
        other => unreachable!("{other:?}"),
    }
    rows
}

fn json(rows: &[Vec<f64>]) -> String {
    let row = |row: &Vec<f64>| format!("[{}]", row.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
    format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(",\n"))
}

#[test]
fn cases_are_written() {
    let folder = env::var("PLACEWISE_CODE").ok();
    for (number, text) in CASES.iter().enumerate() {
        let config = parsed(text);
        let of_steps = rows(&config, Of::Steps);
        assert!(of_steps.iter().flatten().all(|value| value.is_finite()), "{text}");
        for language in Language::ALL {
            let code = write(&config, EXTENT, language, "https://example.org/#/explore");
            // A table of the reader's own is no part of posenc.
            let has_it = language != Language::Rust || own_table(&config).is_none();
            assert_eq!(code.is_ok(), has_it, "{text} {language:?}");
            let Ok(code) = code else { continue };
            assert!(!code.contains("{{") && !code.contains("#?") && !code.contains("xp."), "{text}: {code}");
            let Some(folder) = &folder else { continue };
            let name = format!("case_{number:02}");
            let file = match language {
                Language::NumPy => format!("{name}.numpy.py"),
                Language::Torch => format!("{name}.torch.py"),
                Language::Rust => format!("{name}.rs"),
            };
            fs::write(Path::new(folder).join(file), code).expect("the code is written");
            let (kind, numbers) = match language {
                Language::Rust => ("rust", json(&rows(&config, Of::Ones))),
                _ => ("python", json(&of_steps)),
            };
            if let Some((rows, columns, numbers)) = own_table(&config) {
                let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
                let file = Path::new(folder).join(format!("{name}.npy"));
                fs::write(file, npy(rows, columns, &numbers, Float::F32)).expect("the table is written");
            }
            let numbers = format!("{{\"case\": \"{text}\", \"rows\": {numbers}}}");
            fs::write(Path::new(folder).join(format!("{name}.{kind}.json")), numbers).expect("the numbers are written");
        }
    }
}

#[test]
fn every_scheme_has_a_case_and_every_branch_of_a_template_one() {
    for spec in posenc::registry() {
        let has_case = CASES.iter().any(|text| text.split('(').next() == Some(spec.id));
        assert!(has_case || spec.id == "none", "{} has no case", spec.id);
    }
    for (id, template) in PYTHON {
        assert!(posenc::find(id).is_some(), "{id}");
        assert_eq!(template.matches("#? ").count(), template.lines().filter(|line| *line == "#.").count(), "{id}");
        for line in template.lines().filter_map(|line| line.strip_prefix("#? ")).filter(|line| line.contains('=')) {
            let (key, words) = line.split_once('=').unwrap_or_default();
            let key = key.trim_end_matches('!');
            for word in words.split('|').filter(|word| !word.is_empty()) {
                let covered = CASES.iter().filter(|text| text.split('(').next() == Some(id)).any(|text| {
                    let config = parsed(text);
                    let value = config.settings.get(key).expect(key);
                    value.to_string() == word
                });
                assert!(covered, "{id}: no case has {key}={word}");
            }
        }
    }
}

#[test]
fn code_says_its_parameters_and_where_it_is_from() {
    let config = parsed("rope(head_dim=64,rope_theta=500000)");
    let code = write(&config, EXTENT, Language::Torch, "https://example.org/#/a\nb").expect("code");
    assert!(
        code.starts_with("# rope(head_dim=64,rope_theta=500000)\n# https://example.org/#/a b\n# Su et al. 2021"),
        "{code}"
    );
    assert!(code.contains("\n# https://arxiv.org/abs/2104.09864\n\nimport torch\n\nlength = 11\nhead_dim = 64\nrope_theta = 500000.0\n"), "{code}");
    assert!(!code.contains("math") && !code.contains("\nfactor = "), "{code}");
    assert_eq!(write(&parsed("none"), EXTENT, Language::Rust, ""), Err(Missing::Nothing));
    let learned = write(&parsed("learned"), EXTENT, Language::NumPy, "").expect("how to load it");
    assert!(learned.contains("np.load(") && !learned.contains("torch"), "{learned}");
    assert_eq!(write(&parsed("learned"), EXTENT, Language::Rust, ""), Err(Missing::Weights));
    let undefined = write(&parsed("mrope(mrope_section=1:2:3)"), EXTENT, Language::NumPy, "");
    assert!(matches!(undefined, Err(Missing::Undefined(_))), "{undefined:?}");
    // Every scheme but that which does nothing has code in Python.
    for spec in posenc::registry().iter().filter(|spec| spec.id != "none") {
        assert!(PYTHON.iter().any(|(id, _)| *id == spec.id), "{}", spec.id);
    }
}
