//! Context extension of `RoPE`: other frequencies for sequences longer than those of the training, by `rope_type`.
//!
//! With the plain frequencies `w_k = rope_theta^(−2k/r)` (radians per token; r dimensions rotated; plane k of r/2), a
//! factor s and the trained length L₀ in tokens:
//!
//! | `rope_type` | frequency of plane k | by |
//! | --- | --- | --- |
//! | `default` | `w_k` | Su et al. 2021, <https://arxiv.org/abs/2104.09864> |
//! | `linear` | `w_k / s` | Chen et al. 2023, <https://arxiv.org/abs/2306.15595> |
//! | `ntk` | of the base `rope_theta·s^(r/(r−2))`: the fastest as it was, the slowest divided by s | bloc97 2023, [code](https://github.com/jquesnelle/yarn/blob/master/scaled_rope/LlamaNTKScaledRotaryEmbedding.py) |
//! | `dynamic` | as `ntk` with `s·L/L₀ − (s − 1)` for the current length L > L₀, plain up to L₀ | emozilla 2023, [code](https://github.com/jquesnelle/yarn/blob/master/scaled_rope/LlamaDynamicNTKScaledRotaryEmbedding.py) |
//! | `ntk-by-parts` | `(1 − γ)·w_k/s + γ·w_k`, γ rising from 0 to 1 as the turns `L₀·w_k/2π` within L₀ go from `beta_slow` to `beta_fast` | Peng et al. 2023, equations 17 to 20, <https://arxiv.org/abs/2309.00071> |
//! | `yarn` | the same with another ramp, and cosine and sine times an attention factor | the same paper |
//! | `llama3` | exactly `ntk-by-parts` with `low_freq_factor` and `high_freq_factor` for the two betas | Llama 3.1, [code](https://github.com/meta-llama/llama-models) |
//! | `longrope` | `w_k` divided by a factor of its own; one set up to L₀, another beyond | Ding et al. 2024, <https://arxiv.org/abs/2402.13753> |
//! | `proportional` | `rope_theta^(−2k/d)/s` for the fastest share of planes, 0 for the rest | Barbero et al. 2024, <https://arxiv.org/abs/2410.06205> |
//!
//! `YaRN`'s paper lets its ramp go by turns; the authors' code, and every implementation since, lets it go by the number
//! of the plane. They differ by up to 4.3 on the planes in between: see [`Ramp`].
//!
//! **Shapes and units.** One frequency a plane, in radians per token; lengths in tokens; factors are bare numbers.
//!
//! **Errors.** [`Error::Parameter`] where an extension is not defined ([`Frequencies::new`]).
//!
//! The current length is an input of its own, [`Frequencies::at`]: `dynamic` follows it and `longrope` switches by it.
//! The keys of tokens that were cached under another length would have to be rotated anew.
//!
//! ```
//! use posenc::schemes::rope_scaling::{Frequencies, Scaling};
//!
//! let dynamic = Scaling::Dynamic { factor: 2.0, trained: 4096.0 };
//! let frequencies = Frequencies::new(16, 10_000.0, dynamic).unwrap();
//! assert_eq!(frequencies.at(4096.0), frequencies.unscaled());
//! // At twice the length the slowest plane turns 3 times slower: 2·2 − 1.
//! let slowest = frequencies.unscaled()[7] / frequencies.at(8192.0)[7];
//! assert!((slowest - 3.0).abs() < 1e-12);
//! ```

use crate::Error;
use std::f64::consts::TAU;

/// How the frequencies are changed; lengths in tokens.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Scaling {
    /// Not at all.
    Default,
    /// Every frequency divided by the factor: position interpolation.
    Linear {
        /// How many times slower.
        factor: f64,
    },
    /// Another base.
    Ntk {
        /// How many times slower the slowest plane turns.
        factor: f64,
    },
    /// Another base as the sequence grows past the trained length.
    Dynamic {
        /// How fast it follows; without effect up to the trained length.
        factor: f64,
        /// Hugging Face's `max_position_embeddings`.
        trained: f64,
    },
    /// By the turns that a plane completes within the trained length.
    ByParts {
        /// How many times slower the slow planes turn.
        factor: f64,
        /// `original_max_position_embeddings`.
        trained: f64,
        /// Turns at and below which a plane is slowed in full.
        slow: f64,
        /// Turns from which a plane is left alone.
        fast: f64,
    },
    /// `YaRN`.
    Yarn(Yarn),
    /// A divisor for each plane, and other ones past the trained length.
    LongRope {
        /// Divisors up to the trained length, one a plane.
        short: Vec<f64>,
        /// Divisors beyond it, one a plane.
        long: Vec<f64>,
        /// `original_max_position_embeddings`.
        trained: f64,
        /// How many times longer the sequences may become: `max_position_embeddings` by the trained length, unless a
        /// config says otherwise. It acts on the attention factor alone.
        factor: f64,
        /// Replaces the attention factor's formula.
        attention_factor: Option<f64>,
    },
    /// The fastest planes only; the others do not turn.
    Proportional {
        /// How many times slower.
        factor: f64,
        /// The share of planes that turn.
        share: f64,
    },
}

/// `YaRN`'s parameters, under the names of Hugging Face's configs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Yarn {
    /// How many times slower the slow planes turn.
    pub factor: f64,
    /// `original_max_position_embeddings`, in tokens.
    pub trained: f64,
    /// Turns within the trained length from which a plane is left alone; 32 in the paper.
    pub beta_fast: f64,
    /// Turns at and below which a plane is slowed in full; 1 in the paper.
    pub beta_slow: f64,
    /// What happens in between.
    pub ramp: Ramp,
    /// The weight in the numerator of the attention factor; 0 where a config has none.
    pub mscale: f64,
    /// The weight in its denominator, and in [`softmax_factor`]; 0 where a config has none.
    pub mscale_all_dim: f64,
    /// Replaces the attention factor's formula.
    pub attention_factor: Option<f64>,
}

/// How `YaRN` goes from planes that are left alone to planes that are slowed in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ramp {
    /// Linear in the number of the plane, as the authors' code and Hugging Face's do it, between the planes (as real
    /// numbers) that complete `beta_fast` and `beta_slow` turns.
    Code {
        /// Whether these two are rounded outwards to whole planes; gpt-oss does not.
        truncate: bool,
    },
    /// Linear in the turns, as printed in the paper (equations 17 and 18).
    Paper,
}

/// `0.1·m·ln(factor) + 1`, and 1 for a factor up to 1: `YaRN`'s weight of the logits by length.
///
/// ```
/// # use posenc::schemes::rope_scaling::mscale;
/// assert!((mscale(40.0, 1.0) - 1.368_887_945_411_393_6).abs() < 1e-15);
/// assert_eq!(mscale(0.5, 1.0), 1.0);
/// ```
pub fn mscale(factor: f64, m: f64) -> f64 {
    if factor > 1.0 { 0.1 * m * libm::log(factor) + 1.0 } else { 1.0 }
}

/// What `DeepSeek` multiplies its softmax scale by: `mscale(factor, mscale_all_dim)²`; 1 where `mscale_all_dim` is 0.
///
/// It has nothing to do with the attention factor, which acts on the rotated dimensions alone and is 1 in `DeepSeek`'s
/// models. Leaving it out makes every logit but those of position 0 wrong
/// (<https://github.com/huggingface/transformers/issues/47435>).
///
/// ```
/// # use posenc::schemes::rope_scaling::softmax_factor;
/// assert!((softmax_factor(40.0, 1.0) - 1.8739).abs() < 1e-4); // DeepSeek-V3
/// assert!((softmax_factor(40.0, 0.707) - 1.5896).abs() < 1e-4); // DeepSeek-V2
/// ```
pub fn softmax_factor(factor: f64, mscale_all_dim: f64) -> f64 {
    let m = if mscale_all_dim == 0.0 { 1.0 } else { mscale(factor, mscale_all_dim) };
    m * m
}

/// What `LongRoPE` multiplies cosine and sine by, at every length: `√(1 + ln(factor)/ln(trained))`, and 1 for a factor
/// up to 1.
///
/// ```
/// # use posenc::schemes::rope_scaling::longrope_attention_factor;
/// // 4,096 to 131,072 tokens.
/// assert!((longrope_attention_factor(32.0, 4096.0) - 1.190_238_071_423_808_3).abs() < 1e-15);
/// ```
pub fn longrope_attention_factor(factor: f64, trained: f64) -> f64 {
    // One token has the logarithm 0.
    if factor > 1.0 && trained > 1.0 { libm::sqrt(1.0 + libm::log(factor) / libm::log(trained)) } else { 1.0 }
}

/// The frequencies of a rotation at every length.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// Dimensions that are rotated.
    dims: usize,
    theta: f64,
    scaling: Scaling,
}

impl Frequencies {
    /// For `dims` rotated dimensions (of [`Scaling::Proportional`]: of the whole head) and the base `rope_theta`.
    ///
    /// # Errors
    /// [`Error::Parameter`] where the scaling is not defined for these: two dimensions have no base to change, `YaRN`'s
    /// ramp divides by the logarithm of the base, limits in the wrong order, factors that are not one a plane.
    pub fn new(dims: usize, theta: f64, scaling: Scaling) -> Result<Self, Error> {
        let refuse = |key, value: String, reason| Err(Error::Parameter { key, value, reason });
        match &scaling {
            Scaling::Ntk { .. } | Scaling::Dynamic { .. } if dims == 2 => {
                return refuse("head_dim", dims.to_string(), "the new base is raised to r/(r − 2), so r must not be 2");
            }
            Scaling::ByParts { slow, fast, .. } if slow > fast => {
                let reason = "the slow limit must not be above the fast one";
                return refuse("beta_slow", slow.to_string(), reason);
            }
            Scaling::Yarn(yarn) => {
                if yarn.beta_slow > yarn.beta_fast {
                    let reason = "the slow limit must not be above the fast one";
                    return refuse("beta_slow", yarn.beta_slow.to_string(), reason);
                }
                if theta <= 1.0 && matches!(yarn.ramp, Ramp::Code { .. }) {
                    let reason = "the ramp divides by the logarithm of the base, so the base must be above 1";
                    return refuse("rope_theta", theta.to_string(), reason);
                }
            }
            Scaling::LongRope { short, long, .. } => {
                let reason = "there must be one factor for each rotated plane";
                if short.len() != dims / 2 {
                    return refuse("short_factor", format!("{} factors", short.len()), reason);
                }
                if long.len() != dims / 2 {
                    return refuse("long_factor", format!("{} factors", long.len()), reason);
                }
            }
            _ => {}
        }
        Ok(Self { dims, theta, scaling })
    }

    /// How they are changed.
    pub fn scaling(&self) -> &Scaling {
        &self.scaling
    }

    /// Radians per token of each plane without the extension.
    pub fn unscaled(&self) -> Vec<f64> {
        ladder(self.dims, self.theta)
    }

    /// Whether [`at`](Self::at) depends on the length.
    pub fn follow_length(&self) -> bool {
        matches!(self.scaling, Scaling::Dynamic { .. } | Scaling::LongRope { .. })
    }

    /// Radians per token of each plane while the sequence is so many tokens long.
    pub fn at(&self, length: f64) -> Vec<f64> {
        let rebased = |by: f64| {
            let r = self.dims as f64;
            ladder(self.dims, self.theta * libm::pow(by, r / (r - 2.0)))
        };
        let plain = self.unscaled();
        match &self.scaling {
            Scaling::Default => plain,
            Scaling::Linear { factor } => plain.iter().map(|w| w / factor).collect(),
            Scaling::Ntk { factor } => rebased(*factor),
            Scaling::Dynamic { factor, trained } => {
                // The maximum of a NaN and a number is the number.
                let longer = length.max(*trained) / trained;
                if longer > 1.0 { rebased(factor * longer - (factor - 1.0)) } else { plain }
            }
            Scaling::ByParts { factor, trained, slow, fast } => by_turns(&plain, *factor, *trained, *slow, *fast),
            Scaling::Yarn(yarn) => match self.ramp_planes() {
                Some((low, high)) => by_plane(&plain, yarn.factor, low, high),
                None => by_turns(&plain, yarn.factor, yarn.trained, yarn.beta_slow, yarn.beta_fast),
            },
            Scaling::LongRope { short, long, trained, .. } => {
                let divisors = if length > *trained { long } else { short };
                plain.iter().zip(divisors).map(|(w, by)| w / by).collect()
            }
            Scaling::Proportional { factor, share } => {
                let turning = (share * self.dims as f64 / 2.0) as usize;
                plain.iter().enumerate().map(|(k, w)| if k < turning { w / factor } else { 0.0 }).collect()
            }
        }
    }

    /// The planes, as real numbers, between which `YaRN`'s code ramps: those that complete `beta_fast` and `beta_slow`
    /// turns within the trained length, clamped as the code does it (the upper one to r − 1, though there are only r/2
    /// planes). `None` for any other scaling.
    pub fn ramp_planes(&self) -> Option<(f64, f64)> {
        let Scaling::Yarn(yarn) = &self.scaling else { return None };
        let Ramp::Code { truncate } = yarn.ramp else { return None };
        let r = self.dims as f64;
        let plane = |turns: f64| r * libm::log(yarn.trained / (turns * TAU)) / (2.0 * libm::log(self.theta));
        let (mut low, mut high) = (plane(yarn.beta_fast), plane(yarn.beta_slow));
        if truncate {
            (low, high) = (libm::floor(low), libm::ceil(high));
        }
        Some((low.max(0.0), high.min(r - 1.0)))
    }

    /// What cosine and sine, and with them query and key, are multiplied by at every length; 1 for most. A logit of
    /// rotated dimensions is multiplied by its square.
    ///
    /// `YaRN`: `attention_factor` where it is given; else [`mscale`]`(s, mscale) / mscale(s, mscale_all_dim)` where both
    /// are given and not 0; else `mscale(s, 1)`, 0.1·ln s + 1.
    pub fn attention_factor(&self) -> f64 {
        match &self.scaling {
            Scaling::Yarn(yarn) => match (yarn.attention_factor, self.mscales()) {
                (Some(given), _) => given,
                (None, Some((above, below))) => mscale(yarn.factor, above) / mscale(yarn.factor, below),
                (None, None) => 1.0,
            },
            Scaling::LongRope { trained, factor, attention_factor, .. } => {
                attention_factor.unwrap_or_else(|| longrope_attention_factor(*factor, *trained))
            }
            _ => 1.0,
        }
    }

    /// The weights m in the numerator and the denominator of `YaRN`'s [`attention_factor`](Self::attention_factor):
    /// those given, where both are; else 1 and 0, whose denominator is 1. `None` where the attention factor itself is
    /// given, and for any other scaling.
    pub fn mscales(&self) -> Option<(f64, f64)> {
        match &self.scaling {
            Scaling::Yarn(yarn) if yarn.attention_factor.is_none() => {
                let both = yarn.mscale != 0.0 && yarn.mscale_all_dim != 0.0;
                Some(if both { (yarn.mscale, yarn.mscale_all_dim) } else { (1.0, 0.0) })
            }
            _ => None,
        }
    }

    /// What `DeepSeek`'s models multiply all logits by beside 1/√d: [`softmax_factor`] for `YaRN`, 1 for the others.
    pub fn softmax_factor(&self) -> f64 {
        match &self.scaling {
            Scaling::Yarn(yarn) => softmax_factor(yarn.factor, yarn.mscale_all_dim),
            _ => 1.0,
        }
    }
}

/// `theta^(−2k/dims)`.
fn ladder(dims: usize, theta: f64) -> Vec<f64> {
    (0..dims / 2).map(|k| libm::pow(theta, -2.0 * k as f64 / dims as f64)).collect()
}

/// `(1 − γ)·w/s + γ·w` with γ linear in the turns within the trained length.
fn by_turns(plain: &[f64], factor: f64, trained: f64, slow: f64, fast: f64) -> Vec<f64> {
    let blend = |w: &f64| {
        let turns = trained * w / TAU;
        // Equal limits are a step, not 0/0.
        let kept = if turns >= fast {
            1.0
        } else if turns <= slow {
            0.0
        } else {
            (turns - slow) / (fast - slow)
        };
        (1.0 - kept) * w / factor + kept * w
    };
    plain.iter().map(blend).collect()
}

/// `γ·w/s + (1 − γ)·w` with γ linear in the number of the plane.
fn by_plane(plain: &[f64], factor: f64, low: f64, high: f64) -> Vec<f64> {
    // As the code does it: equal ends are a step. An upper end below the lower one (all planes fast, so that the clamp
    // brings it there) slows every plane, as in the code.
    let width = if low == high { 0.001 } else { high - low };
    let blend = |(k, w): (usize, &f64)| {
        let slowed = ((k as f64 - low) / width).clamp(0.0, 1.0);
        w / factor * slowed + w * (1.0 - slowed)
    };
    plain.iter().enumerate().map(blend).collect()
}
