//! `learned2d`: `resample`.

use super::{Adapter, Case, Computed, Failure};
use posenc::schemes::learned2d::resample;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "learned2d", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let settings = case.config(case.pairs()?)?.settings;
    if case.quantity != "resample" {
        return Err(case.unknown_quantity());
    }
    case.only(&["grid", "old", "new"])?;
    let size = |key: &str| match case.numbers(key)?[..] {
        [height, width] => Ok([height as usize, width as usize]),
        _ => Err(Failure::Unknown(format!("input {key}"))),
    };
    let (old, new) = (size("old")?, size("new")?);
    let values = resample(&case.numbers("grid")?, old, new, settings.switch("antialias"))?;
    Ok(Computed::new(new.to_vec(), values))
}
