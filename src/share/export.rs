//! What is saved: the picture at a chosen size, the numbers behind it.

use super::choices::Choices;
use super::data::{About, Float, Gathering, npy};
use super::options::Look;
use super::picture::{self, Picture, make};
use super::{file, name, place, save};
use crate::figures::FigureSpec;
use crate::state::{State, link};
use crate::ui::{delay::clock, frame, select::Select};
use crate::words;
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, Element};
use yew::prelude::*;

/// What is saved, and where it is said.
#[derive(Properties, PartialEq)]
pub(super) struct ExportProps {
    pub(super) state: State,
    pub(super) choices: Choices,
    pub(super) choose: Callback<Choices>,
    pub(super) say: Callback<String>,
}

/// Widths to choose from, in CSS pixels, besides that on screen.
const WIDTHS: [(&str, f64); 5] = [("320", 320.0), ("640", 640.0), ("960", 960.0), ("1280", 1280.0), ("1920", 1920.0)];
/// Device pixels to a CSS pixel.
const SCALES: [(&str, f64); 4] = [("1", 1.0), ("2", 2.0), ("3", 3.0), ("4", 4.0)];
/// The value for the width on screen.
const SCREEN: &str = "screen";
/// A slice of work, in milliseconds.
const SLICE: f64 = 12.0;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Svg,
    Csv,
    Json,
    Npy(Float),
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Npy(_) => "npy",
        }
    }
}

/// The width of a figure on screen, in CSS pixels.
fn on_screen(spec: &FigureSpec) -> Option<f64> {
    let document = web_sys::window()?.document()?;
    let canvas = document.query_selector(&format!("[data-figure=\"{}\"] canvas", spec.id)).ok()??;
    // A figure that is not on screen has no width.
    Some(f64::from(canvas.dyn_into::<Element>().ok()?.client_width())).filter(|width| *width >= 1.0)
}

/// The part.
#[component]
pub(super) fn Export(props: &ExportProps) -> Html {
    let ExportProps { state, choices, choose, say } = props;
    let first = state.figures.first().map_or("", |figure| figure.id);
    let chosen = use_state_eq(|| first);
    let width = use_state_eq(|| SCREEN);
    let scale = use_state_eq(|| "2");
    let float = use_state_eq(|| "f64");
    let Some(spec) = state.figures.iter().find(|figure| figure.id == *chosen).or(state.figures.first()).copied() else {
        return Html::default();
    };
    let wide = on_screen(spec);
    let of = |list: &[(&str, f64)], key: &str| list.iter().find(|(other, _)| *other == key).map(|(_, value)| *value);
    let shown = choices.page(state);
    let picture = Picture {
        theme: choices.theme,
        spec,
        width: of(&WIDTHS, &width).or(wide).unwrap_or(640.0),
        dpr: of(&SCALES, &scale).unwrap_or(1.0),
        link: place::shared(&link::write(&super::Shared { figure: Some(spec), state: None }.of(&shown))),
        state: shown,
    };
    let list = |id: &'static str,
                label: &'static str,
                options: Vec<(&'static str, String)>,
                value: &UseStateHandle<&'static str>| {
        let chosen = {
            let (setter, keys) = (value.setter(), options.iter().map(|(key, _)| *key).collect::<Vec<_>>());
            Callback::from(move |word: String| {
                if let Some(key) = keys.iter().find(|key| **key == word) {
                    setter.set(key);
                }
            })
        };
        html! {
            <div class="field" hidden={options.len() < 2}>
                <label for={id}>{ label }</label>
                <div class="field__control"><Select {id} {options} value={**value} {chosen} /></div>
            </div>
        }
    };
    let figures = state.figures.iter().map(|figure| (figure.id, words::figure_title(figure.id))).collect();
    let here = words::share_width_screen(wide.unwrap_or(640.0).round());
    let widths =
        std::iter::once((SCREEN, here)).chain(WIDTHS.map(|(key, _)| (key, words::share_pixels(key)))).collect();
    let scales = SCALES.map(|(key, scale)| (key, words::share_scale(key, (picture.width * scale).round()))).to_vec();
    let floats = vec![("f64", words::share_float64().to_owned()), ("f32", words::share_float32().to_owned())];
    let button = |kind: Kind, label: &'static str| {
        let (picture, say) = (picture.clone(), say.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            let (picture, say) = (picture.clone(), say.clone());
            say.emit(words::share_working().to_owned());
            spawn_local(async move {
                let busy = frame::busy();
                // What is said is seen before the work begins.
                TimeoutFuture::new(20).await;
                say.emit(export(&picture, kind).await);
                drop(busy);
            });
        });
        html! { <button type="button" {onclick}>{ label }</button> }
    };
    let npy = Kind::Npy(if *float == "f32" { Float::F32 } else { Float::F64 });
    html! {
        <>
            { list("share-figure", words::share_figure(), figures, &chosen) }
            <h3>{ words::share_picture() }</h3>
            <div class="share__look">
                { list("share-width", words::share_width(), widths, &width) }
                { list("share-scale", words::share_pixels_each(), scales, &scale) }
            </div>
            <Look choices={choices.clone()} choose={choose.clone()} plays=false />
            <div class="share__buttons">
                { button(Kind::Png, words::share_png()) }
                { button(Kind::Svg, words::share_svg()) }
            </div>
            <p class="share__about">{ words::share_picture_about() }</p>
            <h3>{ words::share_data() }</h3>
            <div class="share__look">{ list("share-float", words::share_float(), floats, &float) }</div>
            <div class="share__buttons">
                { button(Kind::Csv, words::share_csv()) }
                { button(Kind::Json, words::share_json()) }
                { button(npy, words::share_npy()) }
            </div>
            <p class="share__about">{ words::share_data_about() }</p>
        </>
    }
}

/// Makes the file and lets the browser save it; what there is to say of that.
async fn export(picture: &Picture, kind: Kind) -> String {
    let name = file(&picture.state, Some(picture.spec), kind.extension());
    let (blob, said) = match kind {
        Kind::Png => (picture::png(picture).await, words::share_saved(&name)),
        Kind::Svg => {
            let svg = picture::svg(picture).await;
            (svg.and_then(|svg| save::bytes(svg.as_bytes(), "image/svg+xml")), words::share_saved(&name))
        }
        Kind::Csv | Kind::Json | Kind::Npy(_) => match numbers(picture, kind, &name).await {
            Ok(made) => made,
            Err(why) => return why,
        },
    };
    match blob {
        Some(blob) if save::save(&blob, &name) => said,
        _ => words::share_not_saved(&name),
    }
}

/// The numbers as a file, if the browser makes one, and what there is to say of it; or why there are none.
async fn numbers(picture: &Picture, kind: Kind, file: &str) -> Result<(Option<Blob>, String), String> {
    let made = make(picture).await;
    let cursor = picture.state.cursor();
    let mut gathering = Gathering::new(&*made.figure, cursor);
    let mut slice = clock();
    while gathering.step() {
        if clock() - slice > SLICE {
            TimeoutFuture::new(0).await;
            slice = clock();
        }
    }
    let data = gathering.finish();
    if data.rows.is_empty() {
        return Err(words::share_no_numbers().to_owned());
    }
    let size = (data.rows.len(), data.head.len().saturating_sub(1));
    let said =
        if data.cut { words::share_saved_cut(file, size.0) } else { words::share_saved_rows(file, size.0, size.1) };
    let blob = match kind {
        Kind::Json => {
            let about = About {
                title: name(&picture.state),
                link: picture.link.clone(),
                schemes: picture.state.schemes.iter().map(ToString::to_string).collect(),
                notes: super::notes(&*made.figure),
            };
            save::bytes(data.json(&about).as_bytes(), "application/json")
        }
        Kind::Npy(float) => {
            let (rows, columns, numbers) = data.numbers().ok_or_else(|| words::share_no_numbers().to_owned())?;
            save::bytes(&npy(rows, columns, &numbers, float), "application/octet-stream")
        }
        _ => save::bytes(data.csv().as_bytes(), "text/csv;charset=utf-8"),
    };
    Ok((blob, said))
}
