//! What a config's schemes look like on the board.

use crate::figures::{self, FigureSpec};
use crate::state::{MOST_LENGTH, MOST_SCHEMES, Page, State};
use posenc::{Acts, Config, config::Reading};

/// The schemes of a reading, each once.
fn schemes(reading: &Reading) -> Vec<Config> {
    let mut found: Vec<Config> = Vec::new();
    for part in &reading.parts {
        if !found.contains(&part.scheme) {
            found.push(part.scheme.clone());
        }
    }
    found
}

/// The state with these schemes in place of its own, or beside them as far as there is room; `None` where there is none.
pub(super) fn with(state: &State, reading: &Reading, beside: bool) -> Option<State> {
    let mut next = state.clone();
    let mut added = schemes(reading);
    if beside {
        added.retain(|config| !next.schemes.contains(config));
        added.truncate(MOST_SCHEMES.saturating_sub(next.schemes.len()));
    } else {
        next.schemes.clear();
        added.truncate(MOST_SCHEMES);
    }
    let acts = added.first()?.spec.acts;
    next.schemes.extend(added);
    next.page = Page::Explore;
    if beside {
        return Some(next);
    }
    let matter: &[&str] = match acts {
        Acts::Rotation => &["spectrum", "offset"],
        Acts::Bias => &["bias", "offset"],
        Acts::Embedding => &["heatmap", "similarity"],
        Acts::Content | Acts::Nothing => &["attention", "offset"],
    };
    let matter: Vec<&'static FigureSpec> = matter.iter().filter_map(|id| figures::find(id)).collect();
    if !matter.is_empty() {
        next.figures = matter;
    }
    let lengths = reading.lengths;
    let put = |settings: &mut posenc::Settings, key: &str, length: u64| {
        // Out of range is the end of it.
        let _ = settings.set(key, &length.min(MOST_LENGTH as u64).to_string());
    };
    if let Some(length) = lengths.served.or(lengths.given) {
        put(&mut next.globals, "length", length);
    }
    let spectrum = figures::registry().iter().position(|figure| figure.id == "spectrum" && acts == Acts::Rotation);
    if let (Some(trained), Some(options)) = (lengths.trained, spectrum.and_then(|place| next.options.get_mut(place))) {
        put(options, "trained", trained);
    }
    Some(next)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::state::link;
    use posenc::config::read;

    const GEMMA: &str = r#"{"model_type": "gemma3_text", "hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256,
        "num_hidden_layers": 34, "rope_theta": 1000000, "rope_local_base_freq": 10000, "sliding_window": 1024,
        "rope_scaling": {"rope_type": "linear", "factor": 8}, "max_position_embeddings": 131072}"#;

    #[test]
    fn its_schemes_take_the_place_of_others() {
        let state = with(&State::default(), &read(GEMMA).unwrap(), false).unwrap();
        let link = link::write(&state);
        assert!(link.starts_with("#/explore?figures=spectrum,offset&schemes="), "{link}");
        assert!(
            link.contains("schemes=rope(head_dim=256),rope(head_dim=256,rope_theta=1000000,rope_type=linear,factor=8)")
        );
        assert!(link.contains("length=131072"), "{link}");
        assert_eq!(link::parse("", &link).1, []);
    }

    #[test]
    fn or_stand_beside_them_while_there_is_room() {
        let mut state = State::default();
        let own = (state.figures.clone(), state.schemes.clone());
        let reading = read(GEMMA).unwrap();
        state = with(&state, &reading, true).unwrap();
        assert_eq!((&state.figures, &state.schemes[..1], state.schemes.len()), (&own.0, &own.1[..], 3));
        // They are there.
        assert_eq!(with(&state, &reading, true), None);
        let bloom = read(r#"{"model_type": "bloom", "n_head": 112}"#).unwrap();
        state = with(&state, &bloom, true).unwrap();
        assert_eq!(state.schemes.len(), 4);
        assert_eq!(with(&state, &read(r#"{"rope_theta": 5}"#).unwrap(), true), None);
    }

    #[test]
    fn figures_follow_what_acts() {
        let figures = |text: &str| {
            let state = with(&State::default(), &read(text).unwrap(), false).unwrap();
            state.figures.iter().map(|figure| figure.id).collect::<Vec<_>>()
        };
        assert_eq!(figures(r#"{"model_type": "bloom", "n_head": 16}"#), ["bias", "offset"]);
        assert_eq!(figures(r#"{"model_type": "gpt2", "n_positions": 1024}"#), ["heatmap", "similarity"]);
    }
}
