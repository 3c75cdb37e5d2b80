//! What filling a table costs beside a plain fill of the same memory, measured where it is used: `tests/bench/fill.mjs`
//! calls it from a page.

use posenc::{Config, Encoding};
use std::hint::black_box;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began, as finely as the browser tells.
    #[wasm_bindgen(js_namespace = performance)]
    pub(crate) fn now() -> f64;
}

/// Cells that are filled at the most: 64 MB.
const MOST_CELLS: usize = 1 << 24;
/// Plain fills in one measurement: the browser's clock is coarse.
const PLAIN: u32 = 10;

/// Milliseconds of one plain fill and of one fill by the scheme, by turns, so many times, of a table of so many rows.
///
/// # Errors
/// Where there is no such scheme, or it is no table of waves.
#[wasm_bindgen]
pub fn measure_fill(scheme: &str, rows: usize, repeats: usize) -> Result<Vec<f64>, JsError> {
    let said = |error: posenc::Error| JsError::new(&error.to_string());
    let (config, _) = Config::parse(scheme).map_err(said)?;
    let waves = match config.build().map_err(said)? {
        Encoding::Absolute(table) => table.waves().cloned(),
        Encoding::Rotary(rotary) => Some(rotary.waves()),
        _ => None,
    };
    let waves = waves.ok_or_else(|| JsError::new("this scheme is no table of waves"))?;
    let cells = rows.saturating_mul(waves.columns().len()).min(MOST_CELLS);
    let mut table = vec![0.0_f32; cells];
    let mut times = Vec::new();
    for i in 0..repeats {
        let begin = now();
        for j in 0..PLAIN {
            black_box(&mut table[..]).fill(black_box((i as u32 + j) as f32));
        }
        let middle = now();
        waves.fill(0.0, 1.0, black_box(&mut table));
        let end = now();
        times.extend([(middle - begin) / f64::from(PLAIN), end - middle]);
    }
    Ok(times)
}
