//! A list of words to choose from. The attribute `selected` means nothing once somebody has chosen, so what the state
//! says is put in after every change of it.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the list shows.
#[derive(Properties)]
pub struct SelectProps {
    /// The element's id, for a label elsewhere.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// The name, where no label says it.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// Values and their words.
    pub options: Vec<(&'static str, String)>,
    /// What is chosen.
    pub value: &'static str,
    /// Where a choice goes.
    pub chosen: Callback<String>,
}

impl PartialEq for SelectProps {
    /// A choice goes where it went before as long as the list is the same: each list stands for one setting, and where the
    /// choice goes is made anew at every change of the state.
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.id == other.id && self.label == other.label && self.options == other.options
    }
}

/// The list.
#[component]
pub fn Select(props: &SelectProps) -> Html {
    let SelectProps { id, label, options, value, chosen } = props;
    let node = use_node_ref();
    use_effect({
        let (node, value) = (node.clone(), *value);
        move || {
            if let Some(select) = node.cast::<HtmlSelectElement>()
                && select.value() != value
            {
                select.set_value(value);
            }
        }
    });
    let onchange = {
        let (chosen, value) = (chosen.clone(), *value);
        Callback::from(move |event: Event| {
            let select = event.target_unchecked_into::<HtmlSelectElement>();
            chosen.emit(select.value());
            // Where the state stays as it was, so does the list.
            select.set_value(value);
        })
    };
    html! {
        <select id={id.clone()} aria-label={label.clone()} {onchange} ref={node}>
            { for options.iter().map(|(option, word)| html! {
                <option key={*option} value={*option} hidden={option.is_empty() && !value.is_empty()}>{ word.clone() }</option>
            }) }
        </select>
    }
}
