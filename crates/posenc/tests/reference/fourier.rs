//! `fourier`: `features` of the list `B`, `bands` of Perceiver.

use super::{Adapter, Case, Computed, Failure};
use posenc::schemes::fourier::Fourier;

pub(super) const ADAPTER: Adapter = Adapter { scheme: "fourier", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let variant = match case.quantity {
        "features" => "gaussian",
        "bands" => "perceiver",
        _ => return Err(case.unknown_quantity()),
    };
    case.only(&["v", "n"])?;
    let (v, n) = (case.numbers("v")?, case.count("n")?);
    if n == 0 || !v.len().is_multiple_of(n) {
        return Err(Failure::Unknown(format!("{} numbers in {n} coordinates", v.len())));
    }
    let mut pairs = case.pairs()?;
    pairs.push(("variant".into(), variant.into()));
    pairs.push(("axes".into(), (v.len() / n).to_string()));
    let fourier = Fourier::new(&case.config(pairs)?.settings)?;
    let mut values = vec![0.0; n * fourier.len()];
    for (v, row) in v.chunks_exact(fourier.axes()).zip(values.chunks_exact_mut(fourier.len())) {
        fourier.features(v, row)?;
    }
    Ok(Computed::new(vec![n, fourier.len()], values))
}
