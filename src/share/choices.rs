//! What the reader of a shared link finds: how it looks, what can be set, whether it plays.

use crate::figures::FigureSpec;
use crate::state::{Controls, Page, State};

/// What is chosen for the reader.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// A theme of `GLOBALS`.
    pub theme: &'static str,
    /// A palette of `GLOBALS`.
    pub palette: &'static str,
    /// A language of `GLOBALS`.
    pub lang: &'static str,
    /// Whether it plays at once.
    pub play: bool,
    /// The keys of the controls that an embedded figure has.
    pub controls: Vec<String>,
}

impl Choices {
    /// What the state itself says. A reader's system chooses the theme, unless somebody chooses for it.
    pub fn of(state: &State) -> Self {
        let controls = match &state.controls {
            Controls::All => Vec::new(),
            Controls::Only(keys) => keys.clone(),
        };
        Self {
            theme: "system",
            palette: state.globals.choice("palette"),
            lang: state.globals.choice("lang"),
            play: state.globals.switch("play"),
            controls,
        }
    }

    /// The state that a link on a page of its own opens.
    pub fn page(&self, state: &State) -> State {
        let mut state = state.clone();
        for (key, value) in [
            ("theme", self.theme),
            ("palette", self.palette),
            ("lang", self.lang),
            ("play", if self.play { "true" } else { "false" }),
        ] {
            let _ = state.globals.set(key, value);
        }
        state.controls = Controls::All;
        state
    }

    /// The state that a frame in another page shows.
    pub fn embed(&self, state: &State) -> State {
        State { page: Page::Embed, controls: Controls::Only(self.controls.clone()), ..self.page(state) }
    }
}

/// A group of controls that an embedded figure can have.
#[derive(Debug, Clone, PartialEq)]
pub enum Group {
    /// Of all figures.
    Shared(Vec<&'static str>),
    /// The parameters of the schemes on screen.
    Schemes(Vec<&'static str>),
    /// The options of a figure.
    Figure(&'static FigureSpec, Vec<&'static str>),
}

/// The controls that there are to choose from for a state.
pub fn controls(state: &State) -> Vec<Group> {
    let mut shared = vec!["schemes", "length", "position", "offset"];
    if state.planes() > 0 {
        shared.push("plane");
    }
    if state.heads() > 0 {
        shared.push("head");
    }
    shared.push("text");
    let mut params: Vec<&'static str> = Vec::new();
    for config in &state.schemes {
        for (spec, _) in config.settings.iter() {
            if config.settings.relevant(spec) && !params.contains(&spec.key) {
                params.push(spec.key);
            }
        }
    }
    let figures = state.figures.iter().map(|figure| {
        let options = state.options(figure);
        let keys = options.iter().filter(|(spec, _)| options.relevant(spec)).map(|(spec, _)| spec.key);
        Group::Figure(figure, keys.collect())
    });
    let all = [Group::Shared(shared), Group::Schemes(params)].into_iter().chain(figures);
    all.filter(|group| match group {
        Group::Shared(keys) | Group::Schemes(keys) | Group::Figure(_, keys) => !keys.is_empty(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::link;

    #[test]
    fn an_embed_has_the_controls_that_were_chosen_and_no_others() {
        let (state, _) =
            link::parse("", "#/explore?figures=offset&schemes=rope(rope_theta=500000)&theme=dark&length=99");
        let mut choices = Choices::of(&state);
        assert_eq!(
            link::write(&choices.embed(&state)),
            "#/embed?figures=offset&schemes=rope(rope_theta=500000)&length=99&controls=none",
        );
        choices.controls = vec!["offset.axis".to_owned(), "rope_theta".to_owned()];
        choices.theme = "light";
        choices.play = true;
        let written = link::write(&choices.embed(&state));
        assert_eq!(
            written,
            "#/embed?figures=offset&schemes=rope(rope_theta=500000)&length=99&theme=light&play=true&controls=offset.axis,rope_theta",
        );
        let (again, repairs) = link::parse("", &written);
        assert!(repairs.is_empty() && again == choices.embed(&state), "{repairs:?}");
    }

    #[test]
    fn every_control_that_is_offered_can_be_named_in_a_link() {
        for scheme in posenc::registry() {
            let all = crate::figures::registry();
            for four in all.chunks(4) {
                let figures = four.iter().map(|figure| figure.id).collect::<Vec<_>>().join(",");
                let (state, _) = link::parse("", &format!("#/explore?figures={figures}&schemes={}", scheme.id));
                let mut choices = Choices::of(&state);
                for group in controls(&state) {
                    choices.controls.extend(match group {
                        Group::Shared(keys) | Group::Schemes(keys) => {
                            keys.iter().map(ToString::to_string).collect::<Vec<_>>()
                        }
                        Group::Figure(figure, keys) => keys.iter().map(|key| format!("{}.{key}", figure.id)).collect(),
                    });
                }
                let (again, repairs) = link::parse("", &link::write(&choices.embed(&state)));
                assert_eq!((again.controls, repairs), (Controls::Only(choices.controls), Vec::new()), "{}", scheme.id);
            }
        }
    }
}
