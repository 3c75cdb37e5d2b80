//! Real models, whose parameters a scheme can take.

use crate::state::Action;
use posenc::Config;
use yew::prelude::*;

/// The list of models that use a slot's scheme, empty where there are none; not shown where `few` controls are.
#[cfg(feature = "full")]
pub(super) fn models(slot: usize, config: &Config, few: bool, said: bool, dispatch: &Callback<Action>) -> Html {
    html! { <list::Models {slot} config={config.clone()} hidden={few} {said} dispatch={dispatch.clone()} /> }
}

/// What brings the list, with the whole app: it then has this button's place and focus.
#[cfg(not(feature = "full"))]
pub(super) fn models(slot: usize, config: &Config, few: bool, _said: bool, dispatch: &Callback<Action>) -> Html {
    let hidden = few || config.spec.acts != posenc::Acts::Rotation;
    let bring = super::click(dispatch, Action::Later(crate::state::Wanted::Controls));
    html! {
        <button type="button" class="button--quiet" id={format!("model-{slot}")} {hidden} onclick={bring}>
            { crate::words::models_list() }
        </button>
    }
}

#[cfg(feature = "full")]
mod list {
    use super::{Action, Config};
    use crate::draw::number;
    use crate::state::Edit;
    use crate::ui::select::Select;
    use crate::words;
    use posenc::models::{self, CONFIG, Layers, MEMORY, Model};
    use yew::prelude::*;

    #[derive(Properties, PartialEq)]
    pub(super) struct ModelsProps {
        pub(super) slot: usize,
        pub(super) config: Config,
        pub(super) hidden: bool,
        /// Whether all words were here.
        pub(super) said: bool,
        pub(super) dispatch: Callback<Action>,
    }

    thread_local! {
        /// What every model has, read once: the list is asked at every step of a slider.
        static CONFIGS: Vec<(&'static Model, Config)> =
            models::models().iter().filter_map(|model| Some((model, model.config().ok()?))).collect();
    }

    /// The models whose parameters are these, in their order.
    pub(super) fn with(config: &Config) -> Vec<&'static Model> {
        CONFIGS.with(|all| all.iter().filter(|(_, own)| own == config).map(|(model, _)| *model).collect())
    }

    /// A model's name, with its layers where others of its layers differ.
    fn name(model: &Model) -> String {
        let layers = match model.layers {
            Layers::All => return model.name.to_owned(),
            Layers::Global => words::models_layers_global(),
            Layers::Local => words::models_layers_local(),
            Layers::Rotating => words::models_layers_rotating(),
        };
        words::models_layers(model.name, layers)
    }

    /// What is known of a model, and of which others it has the parameters.
    fn about(model: &Model, same: &[&Model]) -> String {
        let context = number::whole(model.context as i64);
        let mut said = vec![match model.trained {
            Some(trained) if trained != model.context => words::models_lengths(number::whole(trained as i64), context),
            _ => words::models_length(context),
        }];
        match model.source {
            MEMORY => said.push(words::models_remembered().to_owned()),
            source => {
                said.push(words::models_read(if source == CONFIG { words::models_source_config() } else { source }));
                if !model.verified() {
                    said.push(words::models_unverified(model.unverified.join(", ")));
                }
            }
        }
        let others: Vec<String> = same.iter().filter(|other| other.id != model.id).map(|other| name(other)).collect();
        if !others.is_empty() {
            said.push(words::models_same(others.join(", ")));
        }
        said.join(" ")
    }

    /// The list, and what is known of the model that is chosen.
    #[component]
    pub(super) fn Models(props: &ModelsProps) -> Html {
        let ModelsProps { slot, config, hidden, said: _, dispatch } = props;
        // Several models have the same parameters: the one that was chosen here is the one that is named.
        let last = use_state(|| None::<&'static str>);
        let same = with(config);
        let chosen = same.iter().find(|model| Some(model.id) == *last);
        let model = chosen.or(same.iter().find(|model| model.verified())).or(same.first()).copied();
        let own = models::models().iter().filter(|model| model.scheme_id() == config.spec.id);
        let options: Vec<(&'static str, String)> = std::iter::once(("", words::models_own().to_owned()))
            .chain(own.map(|model| (model.id, name(model))))
            .collect();
        let chosen = {
            let (slot, dispatch, last) = (*slot, dispatch.clone(), last.clone());
            Callback::from(move |id: String| {
                if let Some((model, config)) = models::find(&id).and_then(|model| Some((model, model.config().ok()?))) {
                    last.set(Some(model.id));
                    dispatch.emit(Action::Edit(Edit::SetScheme(slot, Box::new(config)), None));
                }
            })
        };
        let verified = model.is_some_and(Model::verified);
        html! {
            <div class="field" hidden={*hidden || options.len() == 1}>
                <label for={format!("model-{slot}")}>{ words::models_list() }</label>
                <Select id={format!("model-{slot}")} {options} value={model.map_or("", |model| model.id)} {chosen} />
                <p class="field__used" hidden={model.is_none()}>
                    <strong hidden={!verified}>{ words::models_verified() }{ " " }</strong>
                    { model.map(|model| about(model, &same)) }
                </p>
            </div>
        }
    }

    #[cfg(test)]
    #[expect(clippy::unwrap_used, reason = "tests")]
    mod tests {
        use super::*;

        #[test]
        fn a_model_is_known_by_its_parameters() {
            let names = |text: &str| -> Vec<&str> {
                with(&Config::parse(text).unwrap().0).iter().map(|model| model.name).collect()
            };
            let llama = "rope(rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192)";
            assert_eq!(names(llama), ["Llama 3.1, 3.3"]);
            assert!(names("rope(rope_theta=123)").is_empty());
            assert!(names("rope(rope_theta=1000000)").len() > 3);
        }

        #[test]
        fn what_is_not_verified_says_so() {
            for model in models::models() {
                let said = about(model, &[]);
                assert_eq!(model.verified(), !said.contains("Not verified"), "{said}");
            }
            let model = models::find("llama-3.1").unwrap();
            let same = [model, models::find("llama-2").unwrap()];
            let said = about(model, &same);
            assert!(said.contains("8192") && said.contains("131") && said.ends_with("The same settings: Llama 2."));
        }
    }
}
