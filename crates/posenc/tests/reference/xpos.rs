//! `xpos`: `zeta`, `logits` (not divided by the root of the width).

use super::{Adapter, Case, Computed, Failure};
use posenc::{Layout, QueryKey as _, schemes::xpos::Xpos};

pub(super) const ADAPTER: Adapter = Adapter { scheme: "xpos", compute };

fn compute(case: &Case<'_>) -> Result<Computed, Failure> {
    let settings = case.config(case.pairs()?)?.settings;
    let layout = Layout::from_word(settings.choice("layout"));
    let d = settings.integer("head_dim") as usize;
    let xpos = Xpos::new(d, settings.real("rope_theta"), settings.real("scale_base"), layout)?;
    match case.quantity {
        "zeta" => {
            case.only(&[])?;
            Ok(Computed::new(vec![xpos.zeta().len()], xpos.zeta().to_vec()))
        }
        "logits" => {
            case.only(&["q", "k", "n"])?;
            let (q, k, n) = (case.numbers("q")?, case.numbers("k")?, case.count("n")?);
            // About the middle, as the code does it; and each score by its offset, which must agree.
            let centred = xpos.clone().about((n / 2) as f64);
            let mut values = Vec::new();
            for (i, q) in q.chunks_exact(d).enumerate() {
                for (j, k) in k.chunks_exact(d).enumerate() {
                    let (mut a, mut b) = (vec![0.0; d], vec![0.0; d]);
                    centred.query(q, i as f64, &mut a)?;
                    centred.key(k, j as f64, &mut b)?;
                    let logit: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                    let score = xpos.score(q, k, i as f64, j as f64)? * (d as f64).sqrt();
                    assert!((logit - score).abs() < 1e-12 * (1.0 + logit.abs()), "{logit} {score}");
                    values.push(logit);
                }
            }
            Ok(Computed::new(vec![n, n], values))
        }
        _ => Err(case.unknown_quantity()),
    }
}
