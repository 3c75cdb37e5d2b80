//! The root: holds the state, keeps the address and the page's look in step with it, and shows the page.

use crate::assets;
use crate::handover::{self, Left};
use crate::pages::{PageProps, embed::embed, explore::Explore, home::home};
use crate::state::{Action, App as Model, Page, State, Wanted, link};
use crate::tables;
use crate::ui::{delay::Delay, header::Header, notices::notices, store::Store, weights::weights};
use crate::words;
use gloo_events::EventListener;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{HashChangeEvent, HtmlElement, KeyboardEvent};
use yew::prelude::*;

/// The address is replaced when nothing has changed for this long: browsers allow few replacements a second.
const SETTLED_MS: u32 = 500;

/// A part of the address.
fn part(read: fn(&web_sys::Location) -> Result<String, JsValue>) -> String {
    web_sys::window().and_then(|window| read(&window.location()).ok()).unwrap_or_default()
}

/// Reads the address, whose fragment this is. Where it names no theme, that which was chosen in this browser is taken.
fn opened(hash: &str) -> (State, Vec<posenc::Repair>) {
    let (mut state, notices) = link::parse(&part(web_sys::Location::search), hash);
    if state.globals.choice("theme") == "system"
        && let Some(theme) = storage().and_then(|storage| storage.get_item(THEME_KEY).ok().flatten())
    {
        // Whatever else stands there is no theme, and nobody's mistake.
        let _ = state.globals.set("theme", &theme);
    }
    (state, notices)
}

/// How far the whole app is, where this module is the one of the first screens.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    Unasked,
    Coming,
    Failed,
}

/// What the app begins with, the address apart.
#[derive(Properties, PartialEq, Default)]
pub(crate) struct AppProps {
    /// What another module left.
    pub(crate) left: Option<Left>,
}

/// The app.
#[component]
pub(crate) fn App(props: &AppProps) -> Html {
    let store = use_reducer_eq(|| {
        let (state, mut notices) = opened(&part(web_sys::Location::hash));
        let left = props.left.as_ref().filter(|_| cfg!(feature = "full"));
        let Some(left) = left else { return Store(Model::new(state, notices)) };
        notices.splice(..0, left.notices.iter().cloned());
        Store(Model::new(state, notices).resumed(&left.past))
    });
    let whole = use_state_eq(|| Whole::Unasked);
    #[cfg(feature = "full")]
    let shared = use_state_eq(|| None::<(crate::state::Gesture, crate::share::Shared)>);
    let dispatch = use_callback((), {
        let (store, whole) = (store.clone(), whole.clone());
        #[cfg(feature = "full")]
        let shared = shared.setter();
        move |action, ()| match action {
            Action::Later(wanted) => {
                handover::want(wanted);
                if *whole != Whole::Coming {
                    whole.set(Whole::Coming);
                    let whole = whole.clone();
                    handover::begin(store.clone(), move || whole.set(Whole::Failed));
                }
            }
            #[cfg(feature = "full")]
            Action::Share(asked) => shared.set(Some((crate::state::new_gesture(), asked))),
            action => {
                if matches!(action, Action::Opened(..)) {
                    // Another link was opened since.
                    handover::want_nothing();
                }
                store.dispatch(action);
            }
        }
    });
    use_effect_with((), {
        let left = props.left.clone();
        move |()| {
            handover::show(left.filter(|_| cfg!(feature = "full")));
        }
    });
    let state = &store.0.state;
    use_effect_with((), {
        let dispatch = dispatch.clone();
        move |()| {
            // The link may have been followed after this module had been chosen for the one before.
            let hash = part(web_sys::Location::hash);
            let (state, notices) = opened(&hash);
            if link::is_later(&state.page, &notices) {
                dispatch.emit(Action::Later(Wanted::Link(hash)));
            }
            let listeners = listen(&dispatch);
            move || drop(listeners)
        }
    });
    let addressing = use_memo((), |()| Delay::default());
    use_effect_with(state.clone(), move |state| {
        let state = state.clone();
        addressing.put_off(SETTLED_MS, false, move || {
            if !handover::is_leaving() {
                replace_address(&link::write(&state));
            }
        });
    });
    // Also where a page has no figure that would: the page is drawn, and says so.
    use_effect(crate::ui::frame::touch);
    use_effect_with((state.globals.choice("theme"), state.page.clone(), words::complete()), |(theme, page, _)| {
        look(theme, page);
    });
    // A link's theme is for the visit; one that is chosen stays.
    let visited = use_mut_ref(|| false);
    let own = state.page != Page::Embed;
    use_effect_with(state.globals.choice("theme"), move |theme| {
        if visited.replace(true) && own {
            keep(theme);
        }
    });
    let arrived = use_force_update();
    let known = arrived.clone();
    // The first screen does without most of what is said of schemes; other pages fetch it.
    #[cfg(feature = "full")]
    let sharing = shared.is_some();
    #[cfg(not(feature = "full"))]
    let sharing = false;
    use_effect_with(sharing || says_more(state), move |wanted| {
        if *wanted && !words::complete() {
            spawn_local(async move {
                let _busy = crate::ui::frame::busy();
                // Without these words the figures and controls still work.
                if let Ok(bytes) = assets::fetch_bytes("words/en.txt").await {
                    words::accept(String::from_utf8_lossy(&bytes).into_owned());
                    arrived.force_update();
                }
            });
        }
    });
    let changed = use_callback((), move |(), ()| known.force_update());
    let props = PageProps {
        state: state.clone(),
        said: words::complete(),
        tables: tables::version(),
        dispatch: dispatch.clone(),
    };
    let page = match state.page {
        Page::Explore => html! { <Explore ..props /> },
        Page::Embed => embed(state, &dispatch),
        #[cfg(feature = "full")]
        Page::About => crate::pages::about::about(),
        #[cfg(feature = "full")]
        Page::Learn(_) => html! { <crate::pages::learn::Learn page={props} reading={store.0.reading.clone()} /> },
        // `boot.js` leads these links to the whole app; what it overlooks is no blank page.
        #[cfg(not(feature = "full"))]
        Page::Learn(_) | Page::About => home(state, &dispatch),
        Page::Home => home(state, &dispatch),
    };
    #[cfg(feature = "full")]
    let share = {
        let closed = shared.setter();
        let closed = Callback::from(move |()| closed.set(None));
        html! { <crate::share::Dialog shared={(*shared).clone()} page={state.clone()} said={words::complete()} {closed} /> }
    };
    #[cfg(not(feature = "full"))]
    let share = Html::default();
    html! {
        <div class="page">
            <div hidden={state.page == Page::Embed}>
                <Header state={state.clone()} can_undo={store.0.can_undo()} can_redo={store.0.can_redo()} dispatch={dispatch.clone()} />
            </div>
            { notices(&store.0.notices, &dispatch) }
            <p class="notices" role="status" hidden={*whole == Whole::Unasked} data-whole="">
                { match *whole {
                    Whole::Unasked => "",
                    Whole::Coming => words::whole_coming(),
                    Whole::Failed => words::whole_failed(),
                } }
            </p>
            { weights(&state.schemes, &changed) }
            <div class="page__body">{ page }</div>
            { share }
        </div>
    }
}

/// Whether something is shown that the first screen, as it opens, does not have words for.
fn says_more(state: &State) -> bool {
    !matches!(state.page, Page::Home | Page::Embed) || *state != State { page: state.page.clone(), ..State::default() }
}

/// The window's events: another link in the address line, and the keys of undo and redo.
fn listen(dispatch: &Callback<Action>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let open = dispatch.clone();
    let hash = EventListener::new(&window, "hashchange", move |event| {
        // Where the event leads: the address may have been written again since, by what was changed just before.
        let url = event.unchecked_ref::<HashChangeEvent>().new_url();
        let hash = url.split_once('#').map_or("", |(_, fragment)| fragment);
        let hash = if hash.is_empty() { String::new() } else { format!("#{hash}") };
        // "#name" without a slash is an anchor of the page.
        if hash.is_empty() || link::is_state(&hash) {
            let (state, notices) = opened(&hash);
            open.emit(if link::is_later(&state.page, &notices) {
                Action::Later(Wanted::Link(hash))
            } else {
                Action::Opened(Box::new(state), notices)
            });
        }
    });
    let step = dispatch.clone();
    let keys = EventListener::new_with_options(
        &window,
        "keydown",
        gloo_events::EventListenerOptions::enable_prevent_default(),
        move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            if !(event.ctrl_key() || event.meta_key()) || event.alt_key() || edits_text(event) {
                return;
            }
            let action = match (event.key().as_str(), event.shift_key()) {
                ("z" | "Z", false) => Action::Undo,
                ("z" | "Z", true) | ("y" | "Y", false) => Action::Redo,
                _ => return,
            };
            event.prevent_default();
            step.emit(action);
        },
    );
    vec![hash, keys]
}

/// In a text field, undo belongs to the text.
fn edits_text(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target() else { return false };
    if target.dyn_ref::<web_sys::HtmlTextAreaElement>().is_some() {
        return true;
    }
    target.dyn_ref::<web_sys::HtmlInputElement>().is_some_and(|input| input.type_() == "text")
}

/// Puts a link into the address line, without a step in the browser's history.
pub(crate) fn replace_address(fragment: &str) {
    let Some(window) = web_sys::window() else { return };
    let location = window.location();
    let (Ok(path), Ok(search), Ok(hash)) = (location.pathname(), location.search(), location.hash()) else { return };
    let wanted = if fragment.is_empty() { "#/" } else { fragment };
    // An address that says the same already is left alone, and so is the bare one of the first screen.
    if search.is_empty() && (hash == wanted || (hash.is_empty() && wanted == "#/")) {
        return;
    }
    if let Ok(history) = window.history() {
        // A page inside a frame of another origin may be refused this; the figures work without.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{path}{wanted}")));
    }
}

/// The key under which the theme is kept; `boot.js` reads it before the first paint.
const THEME_KEY: &str = "placewise.theme";

/// The browser's storage; that it is blocked is no error.
pub(crate) fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Keeps a theme for later visits.
fn keep(theme: &str) {
    if let Some(storage) = storage() {
        let _ = if theme == "system" { storage.remove_item(THEME_KEY) } else { storage.set_item(THEME_KEY, theme) };
    }
}

fn look(theme: &str, page: &Page) {
    let Some(window) = web_sys::window() else { return };
    let Some(document) = window.document() else { return };
    if let Some(root) = document.document_element().and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let data = root.dataset();
        if theme == "system" {
            data.delete("theme");
        } else {
            let _ = data.set("theme", theme);
        }
    }
    #[cfg(feature = "full")]
    if let Page::Learn(place) = page {
        return document.set_title(&crate::pages::learn::title(place));
    }
    document.set_title(match page {
        Page::Explore => words::title_explore(),
        Page::About => words::title_about(),
        _ => words::title_home(),
    });
}
