//! The texts that the fuzzer begins with, and those that it has found: each is read or refused with a message.

use posenc::{Config, config::read};
use std::{fs, path::Path};

#[test]
fn every_text_of_the_corpus_is_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/config");
    let mut read_ones = 0;
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 12);
    for file in files {
        match read(&String::from_utf8_lossy(&fs::read(&file).unwrap())) {
            Ok(reading) => {
                read_ones += 1;
                for part in &reading.parts {
                    let (again, repairs) = Config::parse(&part.scheme.to_string()).unwrap();
                    assert!(repairs.is_empty() && again == part.scheme, "{}: {}", file.display(), part.scheme);
                }
            }
            Err(error) => assert!(error.to_string().starts_with("line "), "{}: {error}", file.display()),
        }
    }
    assert!(read_ones >= 8, "{read_ones}");
}
