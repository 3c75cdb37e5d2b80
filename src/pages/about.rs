//! What this is, how it is shown to be right, what it does with what you do.

use crate::words;
use yew::prelude::*;

/// The page.
pub fn about() -> Html {
    html! {
        <article class="about prose" key="about">
            <h1>{ words::about_title() }</h1>
            <p>{ words::about_what() }</p>
            <h2>{ words::about_right_title() }</h2>
            <p>{ words::about_right() }</p>
            <h2>{ words::about_keys_title() }</h2>
            <p>{ words::about_keys() }</p>
            <h2>{ words::about_private_title() }</h2>
            <p>{ words::about_private() }</p>
            <h2>{ words::about_take_title() }</h2>
            <p>{ words::about_take() }{ " " }<a href="placewise.html" download="placewise.html">{ words::about_take_link() }</a></p>
            <h2>{ words::about_licence_title() }</h2>
            <p>{ words::about_licence() }</p>
        </article>
    }
}
