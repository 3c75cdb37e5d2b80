//! The handle by which a figure is moved: dragged with a pointer, or with the arrow keys.
//!
//! The module of the first screens has the handle alone: who takes it fetches the whole app, which does what was meant.

use crate::state::Action;
use crate::words;
use yew::prelude::*;

#[cfg(feature = "full")]
mod drag;

/// The id of the live region that says where a figure went.
pub(super) const SAID: &str = "board-said";

/// Whose handle it is.
#[derive(PartialEq)]
pub(super) struct HandleProps {
    /// The figure's id.
    pub(super) id: &'static str,
    /// Its place on the board.
    pub(super) place: usize,
    /// Figures on the board.
    pub(super) count: usize,
    /// Where changes go.
    pub(super) dispatch: Callback<Action>,
}

/// The handle.
#[cfg(feature = "full")]
pub(super) fn handle(props: HandleProps) -> Html {
    html! { <Handle key="handle" said={words::complete()} handle={props} /> }
}

/// The handle's properties.
#[cfg(feature = "full")]
#[derive(Properties, PartialEq)]
struct Props {
    handle: HandleProps,
    /// Whether all words are here.
    said: bool,
}

#[cfg(feature = "full")]
#[component]
fn Handle(props: &Props) -> Html {
    let node = use_node_ref();
    let go = drag::use_drag(&node, &props.handle);
    button(&props.handle, go, node, None)
}

/// The handle.
#[cfg(not(feature = "full"))]
pub(super) fn handle(props: HandleProps) -> Html {
    let HandleProps { id, place, .. } = props;
    let go = props.dispatch.reform(move |to| Action::Later(crate::state::Wanted::Place(id, to)));
    // `static/boot.js` makes a click of a press: where the focus is, the other module goes on with that.
    let press = go.reform(move |_: MouseEvent| place);
    button(&props, go, NodeRef::default(), Some(press))
}

fn button(props: &HandleProps, go: Callback<usize>, node: NodeRef, press: Option<Callback<MouseEvent>>) -> Html {
    let HandleProps { id, place, count, .. } = *props;
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
            "ArrowUp" | "ArrowLeft" => place.saturating_sub(1),
            "ArrowDown" | "ArrowRight" => place + 1,
            _ => return,
        };
        event.prevent_default();
        go.emit(to.min(count - 1));
    });
    html! {
        <button type="button" class="board__handle" id={["move-", id].concat()} ref={node}
            aria-label={words::explore_move(words::figure_title(id))} title={words::explore_move_help()} {onkeydown} onclick={press} />
    }
}
