//! Makes a file of the `quantised` format from a `NumPy` file of little-endian f32 weights, and says how far it is off.
//!
//! `cargo run -p posenc --example quantise -- table.npy table.bin`

use posenc::quantised::{Table, encode};
use std::{env, fs, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("two files: a .npy to read and a file to write");
        return ExitCode::FAILURE;
    };
    match quantise(from, to) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn quantise(from: &str, to: &str) -> Result<String, String> {
    let file = fs::read(from).map_err(|error| format!("{from}: {error}"))?;
    let (columns, weights) = numpy(&file).ok_or(format!("{from}: no two-dimensional table of little-endian f32"))?;
    let bytes = encode(columns, &weights).map_err(|error| error.to_string())?;
    let table = Table::decode(&bytes).map_err(|error| error.to_string())?;
    let mut worst = 0.0_f64;
    let mut bound = 0.0_f64;
    for (i, weight) in weights.iter().enumerate() {
        let (row, column) = (i / columns, i % columns);
        let error = (table.get(row, column) - f64::from(*weight)).abs();
        if error > table.bound(row) {
            return Err(format!("row {row}, column {column}: off by {error}, more than {}", table.bound(row)));
        }
        worst = worst.max(error);
        bound = bound.max(table.bound(row));
    }
    fs::write(to, &bytes).map_err(|error| format!("{to}: {error}"))?;
    let rows = table.rows();
    Ok(format!("{to}: {rows} × {columns}, {} bytes; off by at most {worst:.3e}, bound {bound:.3e}", bytes.len()))
}

/// Columns and weights of a `NumPy` file, versions 1 to 3.
fn numpy(file: &[u8]) -> Option<(usize, Vec<f32>)> {
    let rest = file.strip_prefix(b"\x93NUMPY")?;
    let (version, rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk::<2>()?;
        (u16::from_le_bytes(*length) as usize, rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length)?;
    let header = std::str::from_utf8(header).ok()?;
    if !header.contains("'<f4'") || !header.contains("'fortran_order': False") {
        return None;
    }
    let shape = header.split_once("'shape': (")?.1.split_once(')')?.0;
    let shape: Vec<usize> = shape.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
    let [rows, columns] = shape[..] else { return None };
    if data.len() != rows.checked_mul(columns)?.checked_mul(4)? {
        return None;
    }
    Some((columns, data.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()))
}
