//! What a figure asks of the `lab` module, once its state rests.

use super::stage::Stage;
use crate::figures::Figure;
use crate::lab_client::{self, Report};
use crate::ui::frame;
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

/// What is known of the figure's request to the lab.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Lab {
    doing: Doing,
    /// What stands on the button that a person presses first, where there is one.
    offer: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Default)]
enum Doing {
    #[default]
    Idle,
    /// The share that is done.
    Working(f64),
    /// What went wrong, in words.
    Failed(String),
}

impl Stage {
    /// Asks what the figure needs, unless a person is to say so first.
    pub(super) fn ask_lab(self: &Rc<Self>, figure: &Rc<dyn Figure>) {
        let offer = figure.lab_offer();
        self.change(|shown| shown.lab.offer = offer);
        if offer.is_none() {
            self.request_lab(figure);
        }
    }

    /// The person says so.
    fn begin_lab(self: &Rc<Self>) {
        let Some(figure) = self.figure() else { return };
        frame::touch();
        self.forget_lab();
        figure.lab_begin();
        self.request_lab(&figure);
    }

    /// Asks what the figure needs, if it was not asked already.
    fn request_lab(self: &Rc<Self>, figure: &Rc<dyn Figure>) {
        let Some(request) = figure.lab_request() else { return };
        if self.asked.borrow().as_ref() == Some(&request) {
            return;
        }
        *self.asked.borrow_mut() = Some(request.clone());
        self.change(|shown| shown.lab.doing = Doing::Working(0.0));
        let (stage, asker) = (Rc::downgrade(self), Rc::downgrade(figure));
        let tell = move |report| {
            // The answer is that figure's alone: another scene may stand there now.
            if let (Some(stage), Some(figure)) = (stage.upgrade(), asker.upgrade()) {
                stage.answered(&figure, report);
            }
        };
        #[cfg(feature = "full")]
        if let Some(values) = figure.lab_values() {
            let values = js_sys::Float32Array::from(&*values);
            return lab_client::ask_with(self.key, &request, "values", &values.into(), tell);
        }
        lab_client::ask(self.key, &request, tell);
    }

    fn answered(self: &Rc<Self>, figure: &Rc<dyn Figure>, report: Report) {
        match report {
            Report::Progress(share) => self.change(|shown| shown.lab.doing = Doing::Working(share)),
            Report::Done(answer) => {
                let arrays: Vec<Vec<f32>> = answer.arrays.into_iter().map(|(_, array)| array).collect();
                figure.lab_answer(&arrays);
                self.change(|shown| shown.lab.doing = Doing::Idle);
                self.news(&**figure);
                // One answer may leave another to be asked for.
                self.request_lab(figure);
            }
            Report::Failed(message) => self.change(|shown| shown.lab.doing = Doing::Failed(message)),
        }
    }

    /// The person does not want to wait.
    pub(super) fn cancel_lab(&self) {
        frame::touch();
        lab_client::cancel(self.key);
        self.change(|shown| shown.lab.doing = Doing::Failed(words::lab_cancelled().to_owned()));
        // The button goes, and the focus with it.
        if let Some(canvas) = self.nodes.canvas.cast::<web_sys::HtmlElement>() {
            let _ = canvas.focus();
        }
    }

    /// Another scene stands there: what was asked is of no use any more.
    pub(super) fn forget_lab(&self) {
        if self.asked.take().is_some() {
            lab_client::cancel(self.key);
            self.change(|shown| shown.lab.doing = Doing::Idle);
        }
    }

    /// The figure is gone.
    pub(super) fn leave_lab(&self) {
        lab_client::cancel(self.key);
    }
}

/// What the lab does for the figure.
pub(super) fn panel(stage: &Rc<Stage>, lab: &Lab) -> Html {
    let cancel = {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.cancel_lab())
    };
    let begin = {
        let stage = stage.clone();
        Callback::from(move |_: MouseEvent| stage.begin_lab())
    };
    let Lab { doing, offer } = lab;
    let working = matches!(doing, Doing::Working(_));
    let share = match doing {
        Doing::Working(share) => (share.clamp(0.0, 1.0) * 100.0).round(),
        Doing::Idle | Doing::Failed(_) => 0.0,
    };
    let failed = if let Doing::Failed(message) = doing { message.as_str() } else { "" };
    html! {
        <div class="figure__lab">
            <button type="button" class="figure__begin" hidden={working || offer.is_none()} onclick={begin}>{ offer.unwrap_or_default() }</button>
            <div class="figure__progress" hidden={!working}>
                <div class="progress" role="progressbar" aria-label={words::view_lab()}
                    aria-valuemin="0" aria-valuemax="100" aria-valuenow={share.to_string()}>
                    <div class="progress__bar" style={format!("width: {share}%")} />
                </div>
                <button type="button" onclick={cancel}>{ words::view_cancel() }</button>
            </div>
            <p class="figure__failed" role="status" hidden={failed.is_empty()}>{ failed.to_owned() }</p>
        </div>
    }
}
