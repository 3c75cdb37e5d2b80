//! Files of weights: those of other programs, whole and odd ones, and any bytes at all.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot make its own file has failed")]

use half::{bf16, f16};
use lab::weights::{
    Dtype, Foreign, Format, Found, Kind, MOST_CELLS, MOST_HEADER, MOST_LISTED, Refused, Source, open, read,
};
use posenc::quantised::Table;
use proptest::prelude::*;
use safetensors::{Dtype as Type, tensor::TensorView};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(of)
}

/// A file of another program's.
fn safetensors(tensors: &[(&str, Type, &[usize], &[u8])]) -> Vec<u8> {
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        ((*name).to_owned(), TensorView::new(*dtype, shape.to_vec(), bytes).expect("its shape fits its bytes"))
    });
    safetensors::serialize(views, None).unwrap()
}

fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{:<117}\n", format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}"));
    [b"\x93NUMPY\x01\x00\x76\x00".as_slice(), header.as_bytes(), bytes].concat()
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// `MiniLM`'s table as the site has it, from its bytes of 8 bits.
fn minilm() -> (usize, Vec<f32>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/data/learned-minilm.bin");
    let table = Table::decode(&fs::read(path).unwrap()).unwrap();
    let cells = (0..table.rows()).flat_map(|row| (0..table.columns()).map(move |column| (row, column)));
    (table.columns(), cells.map(|(row, column)| table.get(row, column) as f32).collect())
}

/// Opens it, whatever it is, and reads every tensor: what comes back fits what was said of it.
fn anything<S: Source + ?Sized>(file: &S) -> Result<Found, Refused> {
    let found = open(file)?;
    for tensor in &found.tensors {
        if let Ok(matrix) = read(file, tensor) {
            assert_eq!(matrix.values.len() as u64 % matrix.columns, 0);
            assert!((1..=MOST_CELLS).contains(&(matrix.values.len() as u64)));
            let rows = matrix.values.len() as u64 / matrix.columns + matrix.skipped + matrix.left;
            assert!(matrix.columns * rows == tensor.shape.iter().product::<u64>(), "{tensor:?}");
        } else {
            assert!(!tensor.kind.is_position(), "{tensor:?}");
        }
    }
    Ok(found)
}

#[test]
fn a_real_table_reads_back_from_each_format_and_type() {
    let (columns, table) = minilm();
    let shape = [table.len() / columns, columns];
    let halves: Vec<f16> = table.iter().map(|x| f16::from_f32(*x)).collect();
    let brains: Vec<bf16> = table.iter().map(|x| bf16::from_f32(*x)).collect();
    let half_bytes: Vec<u8> = halves.iter().flat_map(|x| x.to_le_bytes()).collect();
    let brain_bytes: Vec<u8> = brains.iter().flat_map(|x| x.to_le_bytes()).collect();
    let double_bytes: Vec<u8> = table.iter().flat_map(|x| f64::from(*x).to_le_bytes()).collect();
    let as_halves: Vec<f32> = halves.iter().map(|x| x.to_f32()).collect();
    let as_brains: Vec<f32> = brains.iter().map(|x| x.to_f32()).collect();
    let name = "embeddings.position_embeddings.weight";
    for (dtype, given, wanted) in [
        (Type::F32, bytes(&table), &table),
        (Type::F16, half_bytes.clone(), &as_halves),
        (Type::BF16, brain_bytes.clone(), &as_brains),
        (Type::F64, double_bytes.clone(), &table),
    ] {
        // Between others, so that it does not begin where the numbers do.
        let file = safetensors(&[
            ("embeddings.LayerNorm.bias", Type::F32, &[2], &[0; 8]),
            (name, dtype, &shape, &given),
            ("embeddings.word_embeddings.weight", Type::F32, &[2, 2], &[0; 16]),
            ("embeddings.position_ids", Type::I64, &[1, 2], &[0; 16]),
        ]);
        let found = anything(&file[..]).unwrap();
        assert_eq!((found.format, found.more), (Format::Safetensors, 0));
        let tensor = &found.tensors[0];
        assert_eq!((tensor.name.as_str(), tensor.kind), (name, Kind::Positions { first: 0 }));
        assert_eq!(tensor.shape, [512, 384]);
        let matrix = read(&file[..], tensor).unwrap();
        assert_eq!((matrix.columns, matrix.skipped, matrix.left, matrix.odd), (384, 0, 0, 0));
        assert!(&matrix.values == wanted, "{dtype:?}");
        assert_eq!(found.tensors[1].kind, Kind::Table);
        assert_eq!(found.tensors[2..].iter().map(|tensor| tensor.kind).collect::<Vec<_>>(), [Kind::Other; 2]);
    }
    for (descr, given, wanted) in [
        ("<f4", bytes(&table), &table),
        ("<f2", half_bytes, &as_halves),
        ("|V2", brain_bytes, &as_brains),
        ("<f8", double_bytes, &table),
    ] {
        let file = npy(descr, "512, 384", &given);
        let found = anything(&file[..]).unwrap();
        assert_eq!((found.format, found.tensors[0].kind), (Format::Npy, Kind::Table));
        assert!(&read(&file[..], &found.tensors[0]).unwrap().values == wanted, "{descr}");
    }
}

/// What numpy wrote, and what `tests/tools/corpus.py` made of it.
#[test]
fn the_files_of_numpy_are_read_or_refused_as_they_should_be() {
    let wanted: Vec<f32> = (0..12_u8).map(|i| f32::from(i) / 8.0 - 0.5).collect();
    let file = |name: &str| fs::read(folder("npy").join(format!("{name}.npy"))).unwrap();
    let refused = |name: &str| {
        let file = file(name);
        open(&file[..]).and_then(|found| read(&file[..], &found.tensors[0])).unwrap_err()
    };
    for name in ["little-f2", "little-f4", "little-f8", "big-f2", "big-f4", "big-f8", "by-column", "of-three-sides"] {
        let file = file(&format!("table-{name}"));
        let matrix = read(&file[..], &open(&file[..]).unwrap().tensors[0]).unwrap();
        assert_eq!((matrix.columns, matrix.values), (3, wanted.clone()), "{name}");
    }
    let odd = file("not-numbers");
    let matrix = read(&odd[..], &open(&odd[..]).unwrap().tensors[0]).unwrap();
    assert_eq!((matrix.odd, matrix.values[3].is_nan(), matrix.values[6]), (4, true, f32::INFINITY));
    assert_eq!(refused("one-side"), Refused::Shape(vec![4]));
    assert_eq!(refused("three-sides"), Refused::Shape(vec![2, 2, 2]));
    assert_eq!(refused("nothing"), Refused::Nothing);
    assert_eq!(refused("whole-numbers"), Refused::Dtype("<i8".into()));
    assert_eq!(refused("cut-in-the-numbers"), Refused::Cut { needed: 176, given: 175 });
    assert_eq!(refused("cut-in-the-header"), Refused::Cut { needed: 128, given: 60 });
    assert_eq!(refused("cut-in-the-length"), Refused::Cut { needed: 10, given: 9 });
    assert_eq!(refused("header-of-4-gigabytes"), Refused::HeaderLong { given: u64::from(u32::MAX), most: 4096 });
    assert_eq!(refused("header-of-brackets"), Refused::Header { at: 1 });
    assert_eq!(refused("header-no-text"), Refused::HeaderText { at: 0 });
    assert!(matches!(refused("shape-of-2-to-the-128"), Refused::Cut { needed: u64::MAX, .. }));
}

/// Whatever else is put there, as what a fuzzer finds.
#[test]
fn every_file_of_the_corpus_is_answered() {
    let files = ["npy", "safetensors"].map(|of| fs::read_dir(folder(of)).unwrap());
    let (mut read_ones, mut refused) = (0, 0);
    for path in files.into_iter().flatten().map(|entry| entry.unwrap().path()) {
        match anything(&fs::read(&path).unwrap()[..]) {
            Ok(_) => read_ones += 1,
            Err(reason) => {
                assert!(!reason.to_string().is_empty(), "{}", path.display());
                refused += 1;
            }
        }
    }
    assert!(read_ones >= 12 && refused >= 20, "{read_ones} {refused}");
}

#[test]
fn odd_safetensors_are_refused_with_the_reason() {
    let all = fs::read_dir(folder("safetensors")).unwrap();
    let mut seen = 0;
    for path in all.map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = fs::read(&path).unwrap();
        let size = file.len() as u64;
        let given = anything(&file[..]);
        let wanted = match name.as_str() {
            "table" | "nothing" | "other-types" | "unknown-type" | "deep" => {
                assert!(given.is_ok(), "{name}: {given:?}");
                seen += 1;
                continue;
            }
            "shape-of-2-to-the-128" | "end-before-begin" | "too-few-bytes" => Refused::Size("a".into()),
            "past-the-end" => Refused::Cut { needed: (1 << 63) + 48 + (size - 48), given: size },
            "overlap" => Refused::Overlap("a".into(), "b".into()),
            "twice" => Refused::Twice("a".into()),
            "no-text" => Refused::HeaderText { at: 2 },
            "no-json" => Refused::Header { at: 7 },
            "negative" => Refused::Header { at: 35 },
            "header-of-2-to-the-64" => Refused::HeaderLong { given: u64::MAX, most: MOST_HEADER },
            "header-of-7-megabytes" => Refused::Cut { needed: 7_000_008, given: 16 },
            "cut-in-the-numbers" => Refused::Cut { needed: size + 1, given: size },
            "empty" => Refused::Empty,
            "picture" => Refused::Foreign(Foreign::Picture),
            "zip" => Refused::Foreign(Foreign::Zip),
            "deep-shape" | "many-sides" => {
                assert!(matches!(given, Err(Refused::Header { .. })), "{name}: {given:?}");
                seen += 1;
                continue;
            }
            other => unreachable!("tests/corpus/safetensors/{other} is new: what is wanted of it?"),
        };
        assert_eq!(given, Err(wanted), "{name}");
        seen += 1;
    }
    assert_eq!(seen, 22);
}

#[test]
fn other_files_are_known_by_their_first_bytes() {
    for (first, what) in [
        (b"\x89PNG\r\n\x1a\n".as_slice(), Foreign::Picture),
        (b"%PDF-1.7", Foreign::Pdf),
        (b"\x1f\x8b\x08", Foreign::Compressed),
        (b"\x80\x02}q\x00", Foreign::Pickle),
        (b"\x89HDF\r\n", Foreign::Hdf5),
        (b"GGUF\x03\0\0\0", Foreign::Gguf),
        (b"{\"model_type\": \"bert\"}", Foreign::Text),
        (b"\x00\x01", Foreign::Unknown),
        (&[0; 64], Foreign::Unknown),
    ] {
        assert_eq!(open(first), Err(Refused::Foreign(what)), "{first:?}");
    }
}

#[test]
fn tensors_are_known_by_name_and_shape() {
    for (name, shape, kind) in [
        ("wpe.weight", [1024, 768].as_slice(), Kind::Positions { first: 0 }),
        ("transformer.wpe.weight", &[1024, 1600], Kind::Positions { first: 0 }),
        ("bert.embeddings.position_embeddings.weight", &[512, 768], Kind::Positions { first: 0 }),
        ("roberta.embeddings.position_embeddings.weight", &[514, 768], Kind::Positions { first: 2 }),
        ("model.decoder.embed_positions.weight", &[2050, 768], Kind::Positions { first: 2 }),
        ("model.encoder.embed_positions.weight", &[1500, 384], Kind::Positions { first: 0 }),
        ("text_model.embeddings.position_embedding.weight", &[77, 512], Kind::Positions { first: 0 }),
        ("vision_model.embeddings.position_embedding.weight", &[50, 768], Kind::Grid { size: 7, special: 1 }),
        ("vit.embeddings.position_embeddings", &[1, 197, 768], Kind::Grid { size: 14, special: 1 }),
        ("pos_embed", &[1, 198, 384], Kind::Grid { size: 14, special: 2 }),
        ("pos_embed", &[1, 196, 384], Kind::Grid { size: 14, special: 0 }),
        ("embeddings.position_embeddings", &[1, 1370, 768], Kind::Grid { size: 37, special: 1 }),
        ("pos_embed", &[1, 200, 384], Kind::Positions { first: 0 }),
        // A square, and no image.
        ("wpe.weight", &[1024, 1024], Kind::Positions { first: 0 }),
        (
            "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            &[32, 8],
            Kind::Buckets { both_ways: true },
        ),
        (
            "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            &[32, 8],
            Kind::Buckets { both_ways: false },
        ),
        ("encoder.layer.0.attention.self.distance_embedding.weight", &[1023, 64], Kind::Distances),
        ("deberta.encoder.rel_embeddings.weight", &[512, 768], Kind::Distances),
        ("model.layers.0.self_attn.rotary_emb.inv_freq", &[64], Kind::Frequencies),
        ("wpe.weight", &[1024], Kind::Other),
        ("h.0.attn.bias", &[1, 1, 4, 4], Kind::Table),
        ("a", &[2, 2, 2], Kind::Other),
    ] {
        let numbers = vec![0; 4 * shape.iter().product::<usize>()];
        let file = safetensors(&[(name, Type::F32, shape, &numbers)]);
        assert_eq!(open(&file[..]).unwrap().tensors[0].kind, kind, "{name} {shape:?}");
    }
}

#[test]
fn rows_for_no_position_are_left_out() {
    let table: Vec<f32> = (0..20).map(|x| x as f32).collect();
    let file = safetensors(&[("model.decoder.embed_positions.weight", Type::F32, &[10, 2], &bytes(&table))]);
    let matrix = read(&file[..], &open(&file[..]).unwrap().tensors[0]).unwrap();
    assert_eq!((matrix.skipped, &matrix.values[..]), (2, &table[4..]));
    let file = safetensors(&[("vit.pos_embed", Type::F32, &[1, 10, 2], &bytes(&table))]);
    let matrix = read(&file[..], &open(&file[..]).unwrap().tensors[0]).unwrap();
    assert_eq!((matrix.skipped, &matrix.values[..]), (1, &table[2..]));
}

/// A file of which only its head and what was asked for exist, and that counts what is read.
struct Sparse {
    head: Vec<u8>,
    size: u64,
    read: Cell<u64>,
    largest: Cell<usize>,
}

impl Source for Sparse {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, from: u64, out: &mut [u8]) -> Result<(), Refused> {
        assert!(from + out.len() as u64 <= self.size, "past the end");
        self.read.set(self.read.get() + out.len() as u64);
        self.largest.set(self.largest.get().max(out.len()));
        for (i, byte) in out.iter_mut().enumerate() {
            *byte = usize::try_from(from).ok().and_then(|from| self.head.get(from + i)).copied().unwrap_or_default();
        }
        Ok(())
    }
}

fn sparse(tensors: &str, size: u64) -> Sparse {
    let head = [&(tensors.len() as u64).to_le_bytes(), tensors.as_bytes()].concat();
    Sparse { size: head.len() as u64 + size, head, read: Cell::new(0), largest: Cell::new(0) }
}

#[test]
fn of_a_file_of_eight_gigabytes_only_the_table_is_read() {
    let (words, table) = (8_u64 << 30, 4 * 1024 * 768);
    let header = format!(
        r#"{{"wte.weight": {{"dtype": "F32", "shape": [{}, 768], "data_offsets": [0, {words}]}},
            "wpe.weight": {{"dtype": "F32", "shape": [1024, 768], "data_offsets": [{words}, {}]}}}}"#,
        words / 4 / 768,
        words + table
    );
    // The number of rows is no whole one.
    let file = sparse(&header, words + table);
    assert_eq!(open(&file), Err(Refused::Size("wte.weight".into())));
    let words = words / 3072 * 3072;
    let header = format!(
        r#"{{"wte.weight": {{"dtype": "F32", "shape": [{}, 768], "data_offsets": [0, {words}]}},
            "wpe.weight": {{"dtype": "F32", "shape": [1024, 768], "data_offsets": [{words}, {}]}}}}"#,
        words / 3072,
        words + table
    );
    let file = sparse(&header, words + table);
    let found = open(&file).unwrap();
    let matrix = read(&file, &found.tensors[0]).unwrap();
    assert_eq!((found.tensors[0].name.as_str(), matrix.values.len()), ("wpe.weight", 1024 * 768));
    assert!(file.read.get() < table + 10_000, "{}", file.read.get());
    assert!(file.largest.get() <= 1 << 20, "read piece by piece");
    // Of the words, as much as is read at the most.
    let matrix = read(&file, &found.tensors[1]).unwrap();
    assert_eq!(matrix.values.len() as u64, MOST_CELLS / 768 * 768);
    assert_eq!(matrix.left, words / 3072 - MOST_CELLS / 768);
}

#[test]
fn wide_and_many_tensors_are_bounded() {
    let file = sparse(r#"{"a": {"dtype": "F16", "shape": [2, 100000], "data_offsets": [0, 400000]}}"#, 400_000);
    let found = open(&file).unwrap();
    assert!(matches!(read(&file, &found.tensors[0]), Err(Refused::Large { given: 100_000, .. })));
    let entries: Vec<String> = (0..2500)
        .map(|i| {
            format!(r#""a{i:04}": {{"dtype": "F32", "shape": [1, 1], "data_offsets": [{}, {}]}}"#, 4 * i, 4 * i + 4)
        })
        .chain([r#""z.wpe": {"dtype": "F32", "shape": [2, 2], "data_offsets": [10000, 10016]}"#.to_owned()])
        .collect();
    let found = open(&sparse(&format!("{{{}}}", entries.join(",")), 10_016)).unwrap();
    assert_eq!((found.tensors[0].name.as_str(), found.tensors.len(), found.more), ("z.wpe", MOST_LISTED, 501));
    let twice = npy("<f8", "2, 4000000", &[]);
    assert!(matches!(open(&twice[..]), Err(Refused::Cut { .. })));
}

#[test]
fn types_that_are_not_read_are_listed_by_their_names() {
    let file = safetensors(&[("wpe.weight", Type::I8, &[2, 2], &[0; 4])]);
    let found = open(&file[..]).unwrap();
    assert_eq!(found.tensors[0].dtype, Dtype::Other("I8".into(), Some(1)));
    assert_eq!(read(&file[..], &found.tensors[0]), Err(Refused::Dtype("I8".into())));
}

#[test]
fn what_is_found_and_refused_crosses_to_the_page() {
    let file = fs::read(folder("safetensors").join("table.safetensors")).unwrap();
    let found = open(&file[..]);
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Result<Found, Refused>>(&text).unwrap(), found);
    let refused: Result<Found, Refused> = Err(Refused::Cut { needed: u64::MAX, given: 3 });
    let text = serde_json::to_string(&refused).unwrap();
    assert_eq!(serde_json::from_str::<Result<Found, Refused>>(&text).unwrap(), refused);
}

proptest! {
    #[test]
    fn any_bytes_are_tensors_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = anything(&bytes[..]);
    }

    #[test]
    fn any_header_is_tensors_or_refused(
        text in r#"[{}\[\]":,0-9a-zF_ ]{0,200}"#, length in prop::option::of(any::<u64>()), rest in prop::collection::vec(any::<u8>(), 0..40)
    ) {
        let length = length.unwrap_or(text.len() as u64 + 1);
        let _ = anything(&[&length.to_le_bytes(), b"{".as_slice(), text.as_bytes(), &rest].concat()[..]);
        let npy = [b"\x93NUMPY\x01\x00".as_slice(), &(text.len() as u16).to_le_bytes(), text.as_bytes(), &rest].concat();
        let _ = anything(&npy[..]);
    }

    /// One byte of a good file is another, or the file ends early.
    #[test]
    fn any_change_of_a_good_file_is_read_or_refused(name in "table(-by-column)?", at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<bool>()) {
        let npy = if name == "table" { "table-little-f4".to_owned() } else { name };
        for path in [folder("npy").join(format!("{npy}.npy")), folder("safetensors").join("table.safetensors")] {
            let mut file = fs::read(path).unwrap();
            let at = at.index(file.len());
            if cut { file.truncate(at) } else { file[at] = to }
            let _ = anything(&file[..]);
        }
    }

    /// The crate of the format's makers, and this reader.
    #[test]
    fn it_takes_what_the_crate_writes(shapes in prop::collection::vec((1_usize..6, 1_usize..6), 0..8), seed in any::<u8>()) {
        let data: Vec<(String, Vec<u8>, [usize; 2])> = shapes.iter().enumerate().map(|(i, (r, c))| {
            (format!("t{i}"), (0..r * c * 4).map(|b| (b as u8).wrapping_mul(seed) & 0x3f).collect(), [*r, *c])
        }).collect();
        let tensors: Vec<(&str, Type, &[usize], &[u8])> =
            data.iter().map(|(name, bytes, shape)| (name.as_str(), Type::F32, shape.as_slice(), bytes.as_slice())).collect();
        let file = safetensors(&tensors);
        let found = anything(&file[..]).unwrap();
        prop_assert_eq!(found.tensors.len(), data.len());
        let other = safetensors::SafeTensors::deserialize(&file).unwrap();
        for tensor in &found.tensors {
            let theirs: Vec<f32> = other.tensor(&tensor.name).unwrap().data().chunks_exact(4)
                .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
            prop_assert_eq!(read(&file[..], tensor).unwrap().values, theirs);
        }
    }
}
