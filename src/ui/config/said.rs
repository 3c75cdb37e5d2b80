//! What a reading of a config says, in words.

use crate::draw::number;
use crate::words;
use posenc::config::{About, Attention, Because, Lengths, Mistake, Part, Stack, Unread};

/// Most runs of layers that are written out.
const RUNS: usize = 6;

/// The numbers of layers, runs as "0–4".
fn runs(layers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for layer in layers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *layer => *last = *layer,
            _ => runs.push((*layer, *layer)),
        }
    }
    let more = runs.len() > RUNS;
    let mut said: Vec<String> = runs
        .iter()
        .take(RUNS)
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") })
        .collect();
    if more {
        said.push("…".to_owned());
    }
    said.join(", ")
}

/// On which layers a part acts, and what they attend to.
pub(super) fn layers(part: &Part) -> String {
    let stack = match part.stack {
        Stack::Only => None,
        Stack::Encoder => Some(words::config_encoder().to_owned()),
        Stack::Decoder => Some(words::config_decoder().to_owned()),
    };
    let layers = part.layers.as_deref().map(|layers| words::config_layers(layers.len(), runs(layers)));
    let attention = match (part.attention, part.window) {
        (Attention::Sliding, Some(window)) => Some(words::config_sliding(number::whole(window as i64))),
        (Attention::Chunked, Some(window)) => Some(words::config_chunked(number::whole(window as i64))),
        (Attention::Other, _) => Some(words::config_no_attention().to_owned()),
        _ => None,
    };
    let said: Vec<String> = [stack, layers, attention].into_iter().flatten().collect();
    if said.is_empty() { words::config_all_layers().to_owned() } else { said.join(" · ") }
}

/// The lengths, one sentence each.
pub(super) fn lengths(lengths: Lengths) -> Vec<String> {
    let tokens = |length: Option<u64>| length.map(|length| number::whole(length as i64));
    let Lengths { given, served, trained } = lengths;
    let mut said = Vec::new();
    match tokens(given) {
        Some(given) => said.push(words::config_given(given)),
        None => said.push(words::config_no_length().to_owned()),
    }
    if served != given {
        said.extend(tokens(served).map(words::config_served));
    }
    if trained != given {
        said.extend(tokens(trained).map(words::config_trained));
    }
    said
}

/// Why something was taken.
pub(super) fn because(why: Because) -> &'static str {
    match why {
        Because::Code => words::config_because_code(),
        Because::Derived => words::config_because_derived(),
        Because::Scheme => words::config_because_scheme(),
        Because::Commonest => words::config_because_commonest(),
    }
}

/// What is said of fields that were not read: one sentence for each kind.
pub(super) fn unread(fields: &[Unread]) -> Vec<String> {
    let of = |about: About| {
        let paths: Vec<&str> = fields.iter().filter(|field| field.about == about).map(|field| &*field.path).collect();
        (!paths.is_empty()).then(|| paths.join(", "))
    };
    let beyond = of(About::Beyond).map(words::config_unread_beyond);
    let positions = of(About::Positions).map(words::config_unread_positions);
    let other = of(About::Other).map(words::config_unread_other);
    [beyond, positions, other].into_iter().flatten().collect()
}

/// A mistake that programs make, with its numbers.
pub(super) fn mistake(mistake: &Mistake) -> String {
    let whole = |value: u64| number::whole(value as i64);
    match mistake {
        Mistake::FactorIgnored { given, used } => words::config_mistake_factor_ignored(given, used),
        Mistake::OriginalMissing { taken } => words::config_mistake_original_missing(whole(*taken)),
        Mistake::HeadDim { given, derived } => words::config_mistake_head_dim(given, derived),
        Mistake::PartialDefault { taken } => words::config_mistake_partial_default(taken),
        Mistake::FactorCount { given, needed } => words::config_mistake_factor_count(given, needed),
        Mistake::BaseDefaulted { taken } => words::config_mistake_base_defaulted(taken),
        Mistake::BaseInside { given } => words::config_mistake_base_inside(given),
        Mistake::OldSpelling { given, meant } => words::config_mistake_old_spelling(given, meant),
        Mistake::UnknownWord { given, taken } => words::config_mistake_unknown_word(given, taken),
        Mistake::MscaleAlone => words::config_mistake_mscale_alone().to_owned(),
        Mistake::SectionSum { given, needed } => words::config_mistake_section_sum(given, needed),
        Mistake::SoftmaxScale { factor } => words::config_mistake_softmax_scale(number::short(*factor)),
        Mistake::AttentionFactor { given, formula } => {
            words::config_mistake_attention_factor(given, number::short(*formula))
        }
        Mistake::TruncateIgnored => words::config_mistake_truncate_ignored().to_owned(),
        Mistake::SomeLayersScaled => words::config_mistake_some_layers_scaled().to_owned(),
        Mistake::NoRopeMeansRope => words::config_mistake_no_rope_means_rope().to_owned(),
        Mistake::FirstRow { first } => words::config_mistake_first_row(first),
        Mistake::AlibiSlopes { heads } => words::config_mistake_alibi_slopes(heads),
        // posenc may come to know more of them than there are words for.
        _ => mistake.key().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_runs() {
        assert_eq!(runs(&[0, 1, 2, 5, 7, 8]), "0–2, 5, 7–8");
        assert_eq!(
            runs(&(0..40).filter(|layer| layer % 4 != 3).collect::<Vec<_>>()),
            "0–2, 4–6, 8–10, 12–14, 16–18, 20–22, …"
        );
        assert_eq!(runs(&[]), "");
    }

    #[test]
    fn lengths_that_differ_are_told_apart() {
        let lengths = |given, served, trained| super::lengths(Lengths { given, served, trained }).len();
        assert_eq!(lengths(Some(4096), Some(4096), Some(4096)), 1);
        assert_eq!(lengths(Some(4096), Some(16_384), Some(4096)), 2);
        assert_eq!(lengths(Some(16_384), Some(32_768), Some(4096)), 3);
        assert_eq!(lengths(None, None, None), 1);
    }
}
