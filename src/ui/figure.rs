//! Any figure on screen: canvas, legend, readings, summary, table, playback. It knows no figure by name.

mod input;
#[cfg_attr(not(feature = "full"), path = "figure/no_lab.rs")]
mod lab;
mod legend;
mod look;
mod parts;
mod readings;
mod stage;

use super::passing::use_passing;
use crate::figures::{FigureSpec, Scene};
use crate::state::{Action, Cursor};
use crate::words;
use gloo_events::EventListener;
use legend::LegendList;
use stage::{Shown, Stage};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlCanvasElement, ResizeObserver, ResizeObserverEntry};
use yew::prelude::*;

/// What a figure shows.
#[derive(Properties, PartialEq)]
pub struct FigureProps {
    /// Which figure.
    pub spec: &'static FigureSpec,
    /// Schemes, length, words, options.
    pub scene: Scene,
    /// The state's cursor; hover and playback come from [`Passing`](super::passing::Passing).
    pub cursor: Cursor,
    /// Whether the link asks to play.
    #[prop_or_default]
    pub play: bool,
    /// Where changes go.
    pub dispatch: Callback<Action>,
}

/// One figure.
#[component]
pub fn FigureView(props: &FigureProps) -> Html {
    let FigureProps { spec, scene, cursor, play, dispatch } = props;
    let shown = use_state_eq(Shown::default);
    let passing = use_passing();
    let title = words::figure_title(spec.id);
    let stage = {
        let setter = shown.setter();
        let (scene, passing) = (scene.clone(), passing.clone());
        use_memo(spec.id, move |_| Rc::new(Stage::new(spec, scene, *cursor, passing, setter)))
    };
    let stage: &Rc<Stage> = &stage;
    use_effect_with((*cursor, scene.clone(), *play, dispatch.clone()), {
        let stage = stage.clone();
        move |(cursor, scene, play, dispatch)| {
            stage.passing.follow(cursor.position, scene.length, *play, dispatch);
            *stage.dispatch.borrow_mut() = dispatch.clone();
            stage.update(scene, *cursor);
        }
    });
    use_effect_with(spec.id, {
        let stage = stage.clone();
        move |_| attach(&stage)
    });
    html! { <Panel stage={stage.clone()} shown={(*shown).clone()} {title} said={scene.said} /> }
}

/// The id of what names the figures below it besides their titles: a page may show one figure several times.
#[cfg(feature = "full")]
#[derive(Debug, Clone, PartialEq)]
pub struct NamedBy(pub AttrValue);

#[cfg(feature = "full")]
#[hook]
fn use_name(title: String) -> String {
    match use_context::<NamedBy>() {
        Some(NamedBy(other)) => format!("{title} {other}"),
        None => title,
    }
}

/// What the page shows of a figure.
#[derive(Properties)]
struct PanelProps {
    stage: Rc<Stage>,
    shown: Shown,
    title: String,
    /// Whether all words were here.
    said: bool,
}

impl PartialEq for PanelProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.stage, &other.stage)
            && (&self.shown, &self.title, self.said) == (&other.shown, &other.title, other.said)
    }
}

/// A figure's elements. A component of its own: a new scene is drawn, and leaves nearly all of them as they are.
#[component]
fn Panel(props: &PanelProps) -> Html {
    let PanelProps { stage, shown, title, said } = props;
    let spec = stage.spec;
    let id = |part: &str| format!("figure-{}-{}-{part}", spec.id, stage.key);
    let name = id("title");
    #[cfg(feature = "full")]
    let name = use_name(name);
    let share = {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.dispatch.borrow().emit(Action::share(Some(stage.spec))))
    };
    let toggle = {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.toggle_table())
    };
    html! {
        <section class="figure" data-figure={spec.id} aria-labelledby={name}>
            <div class="figure__head">
                <h2 class="figure__title" id={id("title")}>{ title }</h2>
                <div class="figure__tools">
                    { parts::transport(stage, shown) }
                    <button type="button" class="figure__toggle" aria-expanded={shown.table.is_some().to_string()}
                        aria-controls={id("table")} onclick={toggle}>
                        { if shown.table.is_some() { words::view_hide_table() } else { words::view_show_table() } }
                    </button>
                    <button type="button" class="figure__share" onclick={share}>{ words::header_share() }</button>
                </div>
            </div>
            <div class="figure__stage" ref={stage.nodes.frame.clone()}>
                <canvas class="figure__canvas" role="img" tabindex="0" aria-label={title.clone()}
                    aria-describedby={id("keys")} style="touch-action: pan-y" hidden={shown.failed} ref={stage.nodes.canvas.clone()} />
                <p class="figure__failed" hidden={!shown.failed}>{ words::view_no_canvas() }</p>
                <p class="visually-hidden" id={id("keys")}>{ words::view_keys() }</p>
            </div>
            { lab::panel(stage, &shown.lab) }
            <LegendList stage={stage.clone()} {said} />
            // Seen at once, and said once it rests.
            <p class="figure__summary" ref={stage.nodes.summary.clone()} />
            <p class="visually-hidden" aria-live="polite" ref={stage.nodes.spoken.clone()} />
            <div class="figure__readings" ref={stage.nodes.readings.clone()} />
            { parts::table(stage, &id("table"), &id("title"), shown.table.as_deref()) }
        </section>
    }
}

/// Follows the element's size, the look, hover and playback, pointer and keys, until what comes back is called.
fn attach(stage: &Rc<Stage>) -> impl FnOnce() + use<> {
    let weak = Rc::downgrade(stage);
    let redraw = move || {
        if let Some(stage) = weak.upgrade() {
            stage.redraw();
        }
    };
    let subscriptions = (look::subscribe(redraw.clone()), stage.passing.subscribe(redraw));
    let mut listeners = Vec::new();
    if let Some(canvas) = stage.nodes.canvas.cast::<HtmlCanvasElement>() {
        listeners = input::listen(stage, &canvas);
        let weak = Rc::downgrade(stage);
        listeners.push(EventListener::new(&canvas, "contextrestored", move |_| {
            if let Some(stage) = weak.upgrade() {
                stage.restored();
            }
        }));
    }
    let weak = Rc::downgrade(stage);
    let resized = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        let last = entries.iter().last().and_then(|entry| entry.dyn_into::<ResizeObserverEntry>().ok());
        if let (Some(stage), Some(entry)) = (weak.upgrade(), last) {
            stage.resize(entry.content_rect().width());
        }
    });
    let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
    if let Some(element) = stage.nodes.frame.cast::<Element>() {
        // Now, so that the first frame has the figure; the observer reports one frame later.
        stage.resize(f64::from(element.client_width()));
        if let Some(observer) = &observer {
            observer.observe(&element);
        }
    }
    let stage = stage.clone();
    move || {
        if let Some(observer) = observer {
            observer.disconnect();
        }
        stage.close();
        drop((subscriptions, listeners, resized));
        stage.passing.leave();
    }
}
