//! The words and formulas as Rust: see the crate `catalogue`.

use catalogue::{Catalogue, INPUTS};
use std::path::Path;
use std::{env, fs};

fn main() {
    if let Err(message) = run() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn run() -> Result<(), String> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed={input}");
    }
    let out = env::var("OUT_DIR").map_err(|e| e.to_string())?;
    let catalogue = Catalogue::read(Path::new("."))?;
    for (name, source) in [("words.rs", catalogue.words()?), ("formulas.rs", catalogue.formulas()?)] {
        fs::write(Path::new(&out).join(name), source).map_err(|e| e.to_string())?;
    }
    Ok(())
}
