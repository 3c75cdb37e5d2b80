//! Two readings, one beside the other.

use super::said;
use crate::draw::number;
use crate::words;
use posenc::config::Reading;
use yew::prelude::*;

/// The table of what two models have; hidden where there are not two.
pub(super) fn compare(pair: Option<(&Reading, &Reading)>) -> Html {
    html! {
        <div class="config__compare" hidden={pair.is_none()}>
            { pair.map_or_else(Html::default, |(first, second)| table(first, second)) }
        </div>
    }
}

fn table(first: &Reading, second: &Reading) -> Html {
    let row = |head: &str, cell: &dyn Fn(&Reading) -> String| {
        let cells = [cell(first), cell(second)];
        let differs = (cells[0] != cells[1]).then_some("config__differs");
        html! {
            <tr class={differs}>
                <th scope="row">{ head.to_owned() }</th>
                { for cells.into_iter().map(|cell| html! { <td>{ cell }</td> }) }
            </tr>
        }
    };
    html! {
        <table>
            <caption>{ words::config_compare() }</caption>
            <thead>
                <tr>
                    <td />
                    { for [name(first), name(second)].into_iter().map(|name| html! { <th scope="col">{ name }</th> }) }
                </tr>
            </thead>
            <tbody>
                { row(words::config_compare_schemes(), &schemes) }
                { row(words::config_compare_given(), &|reading| tokens(reading.lengths.given)) }
                { row(words::config_compare_served(), &|reading| tokens(reading.lengths.served)) }
                { row(words::config_compare_trained(), &|reading| tokens(reading.lengths.trained)) }
                { row(words::config_compare_warnings(), &|reading| number::whole(reading.warnings.len() as i64)) }
                { row(words::config_compare_defaulted(), &|reading| number::whole(reading.defaulted.len() as i64)) }
            </tbody>
        </table>
    }
}

fn name(reading: &Reading) -> String {
    reading.model_type.clone().unwrap_or_else(|| words::config_compare_unnamed().to_owned())
}

fn tokens(length: Option<u64>) -> String {
    length.map_or_else(|| "–".to_owned(), |length| number::whole(length as i64))
}

/// Each scheme with its layers.
fn schemes(reading: &Reading) -> String {
    let of = |part: &posenc::config::Part| format!("{} ({})", part.scheme, said::layers(part));
    reading.parts.iter().map(of).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use posenc::config::read;

    #[test]
    fn what_two_models_have() {
        let llama = read(r#"{"model_type": "llama", "rope_theta": 500000, "num_hidden_layers": 2}"#).unwrap();
        assert_eq!((name(&llama).as_str(), tokens(llama.lengths.served).as_str()), ("llama", "2048"));
        assert!(schemes(&llama).starts_with("rope(rope_theta=500000) (2 layers"), "{}", schemes(&llama));
        let bloom = read(r#"{"model_type": "bloom"}"#).unwrap();
        assert_eq!(tokens(bloom.lengths.served), "–");
        assert_eq!(name(&read("{}").unwrap()), words::config_compare_unnamed());
    }
}
