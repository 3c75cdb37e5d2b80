//! What an author pastes into another page, and how it will look there.

use super::choices::{Choices, Group, controls};
use super::dialog::Copied;
use super::height::use_height;
use super::options::{Look, plays};
use super::snippet::{self, Kind};
use super::{name, place};
use crate::figures::FigureSpec;
use crate::state::{State, link};
use crate::ui::board;
use crate::ui::select::Select;
use crate::words;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What is embedded.
#[derive(Properties, PartialEq)]
pub(super) struct EmbedProps {
    pub(super) state: State,
    pub(super) choices: Choices,
    pub(super) choose: Callback<Choices>,
    pub(super) say: Callback<String>,
}

/// Widths of the preview in CSS pixels; `None` is all that there is.
const WIDTHS: [Option<u32>; 3] = [Some(320), Some(640), None];

/// A column of text is so wide, in CSS pixels: the height of a frame that cannot fit itself is for it.
const COLUMN: f64 = 640.0;

/// A control is so high, in CSS pixels.
const CONTROL: f64 = 56.0;

/// The part.
#[component]
pub(super) fn Embed(props: &EmbedProps) -> Html {
    let EmbedProps { state, choices, choose, say } = props;
    let kind = use_state_eq(|| "iframe");
    let width = use_state_eq(|| None::<u32>);
    let preview = use_node_ref();
    let site = place::site();
    let embed = link::write(&choices.embed(state));
    let told = use_height(&preview, &embed, width.map(f64::from) == Some(COLUMN));
    let guess = height(state, width.map_or(COLUMN, f64::from)) + CONTROL * choices.controls.len() as f64;
    let title = name(state);
    let chosen = Kind::ALL.iter().find(|(key, _)| key == &*kind).map_or(Kind::Frame, |(_, kind)| *kind);
    let text = snippet::write(
        chosen,
        &snippet::Figure {
            site: &site,
            embed: &embed,
            page: &link::write(&choices.page(state)),
            title: &title,
            theme: Some(choices.theme).filter(|theme| *theme != "system"),
            height: told.column.or(told.last).unwrap_or(guess),
            picture: &super::file(state, state.figures.first().copied(), "png"),
        },
    );
    let about = match chosen {
        Kind::Frame => words::share_iframe_about(),
        Kind::Element => words::share_element_about(),
        Kind::MdBook => words::share_mdbook_about(),
        Kind::Hugo => words::share_hugo_about(),
        Kind::Markdown => words::share_markdown_about(),
    };
    let word = |kind| match kind {
        Kind::Frame => words::share_iframe(),
        Kind::Element => words::share_element(),
        Kind::MdBook => words::share_mdbook(),
        Kind::Hugo => words::share_hugo(),
        Kind::Markdown => words::share_markdown(),
    };
    let alone = place::is_alone();
    let offered = Kind::ALL.into_iter().filter(|(_, kind)| !(alone && kind.is_element()));
    let kinds: Vec<_> = offered.map(|(key, kind)| (key, word(kind).to_owned())).collect();
    let take = {
        let kind = kind.setter();
        Callback::from(move |word: String| {
            if let Some((key, _)) = Kind::ALL.iter().find(|(key, _)| *key == word) {
                kind.set(key);
            }
        })
    };
    let size = |wide: Option<u32>| {
        let checked = *width == wide;
        let onchange = {
            let width = width.setter();
            Callback::from(move |_: Event| width.set(wide))
        };
        html! {
            <label class="share__width">
                <input type="radio" name="share-width" {checked} {onchange} />
                { wide.map_or_else(|| words::share_full_width().to_owned(), words::share_pixels) }
            </label>
        }
    };
    let wide = width.map_or("100%".to_owned(), |wide| format!("{wide}px"));
    let high = told.last.unwrap_or(guess);
    html! {
        <>
            <div class="field">
                <label for="share-kind">{ words::share_kind() }</label>
                <div class="field__control"><Select id="share-kind" options={kinds} value={*kind} chosen={take} /></div>
            </div>
            <Copied text={text} label={words::share_snippet()} done={words::share_snippet_copied()} lines=true say={say.clone()} />
            <p class="share__about">{ about }</p>
            <p class="share__about" hidden={!place::is_on_disk()}>{ words::share_embed_disk() }</p>
            <Look choices={choices.clone()} choose={choose.clone()} plays={plays(state)} />
            <details class="share__controls">
                <summary>
                    { match choices.controls.len() {
                        0 => words::share_controls_none().to_owned(),
                        count => words::share_controls(count),
                    } }
                </summary>
                { for controls(state).iter().map(|group| controls_of(group, choices, choose)) }
            </details>
            <fieldset class="share__widths">
                <legend>{ words::share_preview() }</legend>
                { for WIDTHS.map(size) }
            </fieldset>
            <div class="share__preview" tabindex="0" role="region" aria-label={words::share_preview()}>
                <iframe src={format!("{}{embed}", place::page(""))} key={embed.clone()} ref={preview} title={words::share_preview_of(&title)}
                    style={format!("width: {wide}; height: {high}px")} />
            </div>
        </>
    }
}

/// About how high the embed is at a width, in CSS pixels: each figure with what stands around it.
fn height(state: &State, width: f64) -> f64 {
    let around = if width < 480.0 { 300.0 } else { 220.0 };
    let figure = |spec: &&'static FigureSpec| spec.height(&board::scene(state, spec), width - 32.0) + around;
    60.0 + state.figures.iter().map(figure).sum::<f64>()
}

/// A box to tick for each control of a group.
fn controls_of(group: &Group, choices: &Choices, choose: &Callback<Choices>) -> Html {
    let (title, keys): (String, Vec<(String, String)>) = match group {
        Group::Shared(keys) => (
            words::share_controls_shared().to_owned(),
            keys.iter().map(|key| ((*key).to_owned(), shared_word(key))).collect(),
        ),
        Group::Schemes(keys) => (
            words::share_controls_schemes().to_owned(),
            keys.iter().map(|key| ((*key).to_owned(), words::param(key))).collect(),
        ),
        Group::Figure(figure, keys) => (
            words::figure_title(figure.id),
            keys.iter().map(|key| (format!("{}.{key}", figure.id), words::option(figure.id, key))).collect(),
        ),
    };
    let switch = |(key, word): &(String, String)| {
        let checked = choices.controls.contains(key);
        let onchange = {
            let (key, choices, choose) = (key.clone(), choices.clone(), choose.clone());
            Callback::from(move |event: Event| {
                let mut next = choices.clone();
                next.controls.retain(|other| *other != key);
                if event.target_unchecked_into::<HtmlInputElement>().checked() {
                    next.controls.push(key.clone());
                }
                choose.emit(next);
            })
        };
        html! {
            <label class="figures__switch">
                <input type="checkbox" value={key.clone()} {checked} {onchange} />
                { word.clone() }
            </label>
        }
    };
    html! {
        <fieldset>
            <legend>{ title }</legend>
            { for keys.iter().map(switch) }
        </fieldset>
    }
}

fn shared_word(key: &str) -> String {
    match key {
        "schemes" => words::explore_schemes().to_owned(),
        "text" => words::explore_text().to_owned(),
        key => words::option("global", key),
    }
}
