//! A page with one figure, and what a person does to it.

use gloo_timers::future::TimeoutFuture;
use placewise::draw::Surface;
use placewise::figures::{Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table};
use placewise::state::{Action, App, Cursor, CursorPatch, Edit};
use placewise::ui::figure::FigureView;
use posenc::{Kind, ParamSpec, Settings, Unit};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlCanvasElement, HtmlElement, KeyboardEvent, KeyboardEventInit};
use web_sys::{PointerEvent, PointerEventInit};
use yew::prelude::*;

/// A figure that paints itself blue, moves the position by keys and pointer, and says all it knows.
pub(crate) static PROBE: FigureSpec = FigureSpec {
    id: "probe",
    options: &[ParamSpec { key: "on", kind: Kind::Switch { default: false }, unit: Unit::None, when: None }],
    suits: |_| true,
    settle: |_, _| {},
    height: |_, width| (width / 2.0).round(),
    plays: true,
    make: |scene, size| Box::new(Probe { length: scene.length, size }),
};

struct Probe {
    length: u64,
    size: Size,
}

impl Probe {
    fn at(&self, x: f64) -> f64 {
        (x / self.size.width * self.length as f64).floor()
    }
}

fn to(position: f64) -> CursorPatch {
    CursorPatch { position: Some(position), ..CursorPatch::default() }
}

impl Figure for Probe {
    fn draw(&self, on: &Surface, _cursor: &Cursor) {
        on.context.set_fill_style_str("rgb(0, 0, 255)");
        on.context.fill_rect(0.0, 0.0, on.width, on.height);
    }
    fn summary(&self, cursor: &Cursor) -> String {
        format!("position {}", cursor.position)
    }
    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let math = format!("<math><mn>{}</mn></math>", cursor.position);
        vec![Reading { slot: Some(0), label: "<b>p</b>".into(), value: cursor.position.to_string(), math }]
    }
    fn legend(&self) -> Vec<Legend> {
        vec![Legend::Slot { slot: 0, label: "probe".into() }, Legend::Note("a note".into())]
    }
    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        Table {
            caption: format!("page {page}"),
            head: vec!["p".into(), "value".into()],
            rows: vec![vec![cursor.position.to_string(), "1".into()]],
            before: page > 0,
            after: page < 1,
        }
    }
    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        let mut response = Response::default();
        match input {
            Input::Hover { x, .. } => response.hover = Some(to(self.at(*x))),
            Input::Press { x, .. } | Input::Drag { x, .. } => response.edits.push(Edit::Cursor(to(self.at(*x)))),
            Input::Key { key, .. } if key == "ArrowRight" => {
                response.edits.push(Edit::Cursor(to(cursor.position + 1.0)));
                response.used = true;
            }
            Input::Key { .. } | Input::Zoom { .. } => {}
        }
        response
    }
}

#[derive(PartialEq)]
struct Store(App);

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        self.0.apply(action).map_or(self, |next| Rc::new(Self(next)))
    }
}

#[derive(Properties)]
struct PageProps {
    seen: Rc<RefCell<App>>,
    actions: Rc<RefCell<Option<Callback<Action>>>>,
}

impl PartialEq for PageProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.seen, &other.seen)
    }
}

#[component]
fn Page(props: &PageProps) -> Html {
    let store = use_reducer_eq(|| Store(App::default()));
    let dispatch = use_callback((), {
        let dispatcher = store.dispatcher();
        move |action, ()| dispatcher.dispatch(action)
    });
    *props.seen.borrow_mut() = store.0.clone();
    *props.actions.borrow_mut() = Some(dispatch.clone());
    let state = &store.0.state;
    let config = state.schemes[0].clone();
    let encoding = Rc::new(config.build());
    let scene = Scene {
        slots: vec![Slot { index: 0, config, encoding }],
        others: Vec::new(),
        length: state.length(),
        words: Rc::from([]),
        seed: 1,
        options: Settings::new(PROBE.options),
        palette: state.globals.choice("palette"),
        said: true,
        own: None,
    };
    html! {
        <div style="width: 400px">
            <FigureView spec={&PROBE} {scene} cursor={state.cursor()} play={state.globals.switch("play")} {dispatch} />
        </div>
    }
}

/// A page with the figure on it.
pub(crate) struct Mounted {
    pub(crate) root: Element,
    pub(crate) app: Rc<RefCell<App>>,
    actions: Rc<RefCell<Option<Callback<Action>>>>,
    handle: Option<yew::AppHandle<Page>>,
}

pub(crate) fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

/// Waits for `dataset.ready`.
async fn drawn() {
    let root: HtmlElement = document().document_element().unwrap().unchecked_into();
    for _ in 0..300 {
        if root.dataset().get("ready").is_some() {
            return;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("the page did not become ready");
}

impl Mounted {
    /// Puts the figure on the page; it is not drawn yet.
    pub(crate) fn new() -> Self {
        let root = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&root).unwrap();
        let (app, actions) = (Rc::default(), Rc::default());
        let props = PageProps { seen: Rc::clone(&app), actions: Rc::clone(&actions) };
        let handle = yew::Renderer::<Page>::with_root_and_props(root.clone(), props).render();
        Self { root, app, actions, handle: Some(handle) }
    }

    /// The same, drawn.
    pub(crate) async fn ready() -> Self {
        let mounted = Self::new();
        mounted.settled().await;
        mounted
    }

    /// Waits until everything is drawn and announced.
    pub(crate) async fn settled(&self) {
        yew::scheduler::flush().await;
        drawn().await;
        yew::scheduler::flush().await;
        drawn().await;
    }

    pub(crate) fn find<T: JsCast>(&self, selector: &str) -> T {
        let found = self.root.query_selector(selector).unwrap();
        found.unwrap_or_else(|| panic!("nothing is {selector}")).dyn_into().ok().unwrap()
    }

    pub(crate) fn text(&self, selector: &str) -> String {
        self.find::<Element>(selector).text_content().unwrap_or_default()
    }

    pub(crate) fn position(&self) -> f64 {
        self.app.borrow().state.cursor().position
    }

    pub(crate) fn act(&self, action: Action) {
        self.actions.borrow().clone().unwrap().emit(action);
    }

    pub(crate) fn click(&self, selector: &str) {
        self.find::<HtmlElement>(selector).click();
    }

    /// Presses a key on the canvas; whether the page is kept from reacting to it.
    pub(crate) fn key(&self, key: &str) -> bool {
        let init = KeyboardEventInit::new();
        init.set_key(key);
        init.set_bubbles(true);
        init.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap();
        !self.find::<HtmlCanvasElement>("canvas").dispatch_event(&event).unwrap()
    }

    /// A pointer's event at a place of the canvas, in CSS pixels.
    pub(crate) fn pointer(&self, name: &str, kind: &str, id: i32, x: i32, y: i32) {
        let canvas = self.find::<HtmlCanvasElement>("canvas");
        let place = canvas.get_bounding_client_rect();
        let init = PointerEventInit::new();
        init.set_pointer_id(id);
        init.set_pointer_type(kind);
        init.set_client_x(place.left() as i32 + x);
        init.set_client_y(place.top() as i32 + y);
        init.set_bubbles(true);
        init.set_cancelable(true);
        canvas.dispatch_event(&PointerEvent::new_with_event_init_dict(name, &init).unwrap()).unwrap();
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.destroy();
        }
        self.root.remove();
    }
}
