//! What stands around the canvas: legend, transport, table, the lab's progress.

use super::stage::{Shown, Stage};
use crate::figures::Table;
use crate::ui::passing::SPEEDS;
use crate::words;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Play, pause, step, speed.
pub(super) fn transport(stage: &Rc<Stage>, shown: &Shown) -> Html {
    if !stage.spec.plays() {
        return html! { <div class="figure__transport" hidden=true /> };
    }
    let act = |act: fn(&Stage)| {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| act(&stage))
    };
    let speed = {
        let stage = stage.clone();
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some(speed) = posenc::number::parse(&text) {
                stage.passing.set_speed(speed);
            }
        })
    };
    html! {
        <div class="figure__transport" role="group" aria-label={words::view_playback()}>
            <button type="button" onclick={act(|stage| stage.passing.step(-1))}>{ words::view_step_back() }</button>
            <button type="button" class="figure__play" onclick={act(|stage| stage.passing.toggle())}>
                { if shown.playing { words::view_pause() } else { words::view_play() } }
            </button>
            <button type="button" onclick={act(|stage| stage.passing.step(1))}>{ words::view_step_on() }</button>
            <select aria-label={words::view_speed()} onchange={speed}>
                { for SPEEDS.iter().map(|speed| html! {
                    <option key={speed.to_string()} value={speed.to_string()} selected={*speed == shown.speed}>
                        { words::view_tokens_per_second(speed) }
                    </option>
                }) }
            </select>
        </div>
    }
}

/// The numbers as a table, a page at a time. Its name begins with the figure's: several may be open.
pub(super) fn table(stage: &Rc<Stage>, id: &str, title: &str, table: Option<&Table>) -> Html {
    let turn = |by: i64| {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.turn(by))
    };
    html! {
        <div class="figure__table" id={id.to_owned()} hidden={table.is_none()}>
            <div class="figure__scroll" tabindex="0" role="region" id={format!("{id}-region")}
                aria-label={words::view_table()} aria-labelledby={format!("{title} {id}-region")}>
                { table.map_or_else(Html::default, rows) }
            </div>
            <div class="figure__pages">
                <button type="button" disabled={table.is_none_or(|table| !table.before)} onclick={turn(-1)}>{ words::view_page_before() }</button>
                <button type="button" disabled={table.is_none_or(|table| !table.after)} onclick={turn(1)}>{ words::view_page_after() }</button>
            </div>
        </div>
    }
}

fn rows(table: &Table) -> Html {
    html! {
        <table>
            <caption>{ &table.caption }</caption>
            <thead>
                <tr>{ for table.head.iter().enumerate().map(|(i, cell)| html! { <th key={i} scope="col">{ cell }</th> }) }</tr>
            </thead>
            <tbody>
                { for table.rows.iter().enumerate().map(|(i, row)| html! {
                    <tr key={i}>
                        { for row.iter().enumerate().map(|(i, cell)| if i == 0 {
                            html! { <th key={i} scope="row">{ cell }</th> }
                        } else {
                            html! { <td key={i}>{ cell }</td> }
                        }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}
