//! A known mistake of Yew 0.23.0, <https://github.com/yewstack/yew/issues/4092>: why conditional branches are wrapped in
//! permanent elements here, and no component renders nothing. When this test passes, the rule can go:
//! run it with `--include-ignored` after an upgrade.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "tests")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[component]
fn Nothing() -> Html {
    Html::default()
}

#[derive(Properties, PartialEq)]
struct Props {
    on: bool,
}

#[component]
fn Switching(props: &Props) -> Html {
    html! {
        <>
            if props.on { <p>{ "on" }</p> }
            <Nothing />
            if !props.on { <p>{ "off" }</p> }
        </>
    }
}

#[wasm_bindgen_test]
#[ignore = "Yew 0.23.0 loses its place: NotFoundError from insertBefore, and the app is dead"]
async fn conditional_siblings_around_an_empty_component() {
    let document = web_sys::window().unwrap().document().unwrap();
    let root = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&root).unwrap();
    let mut handle = yew::Renderer::<Switching>::with_root_and_props(root.clone(), Props { on: true }).render();
    for on in [false, true, false] {
        handle.update(Props { on });
        yew::scheduler::flush().await;
        assert_eq!(root.text_content().unwrap(), if on { "on" } else { "off" });
    }
}
