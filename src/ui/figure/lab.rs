//! What a figure asks of the `lab` module, once its state rests.

use super::stage::{Lab, Stage};
use crate::figures::Figure;
use crate::lab_client::{self, Report};
use crate::ui::frame;
use crate::words;
use std::rc::Rc;

impl Stage {
    /// Asks what the figure needs, if it was not asked already.
    pub(super) fn ask_lab(self: &Rc<Self>, figure: &Rc<dyn Figure>) {
        let Some(request) = figure.lab_request() else { return };
        if self.asked.borrow().as_ref() == Some(&request) {
            return;
        }
        *self.asked.borrow_mut() = Some(request.clone());
        self.change(|shown| shown.lab = Lab::Working(0.0));
        let (stage, asker) = (Rc::downgrade(self), Rc::downgrade(figure));
        lab_client::ask(self.key, &request, move |report| {
            // The answer is that figure's alone: another scene may stand there now.
            if let (Some(stage), Some(figure)) = (stage.upgrade(), asker.upgrade()) {
                stage.answered(&figure, report);
            }
        });
    }

    fn answered(self: &Rc<Self>, figure: &Rc<dyn Figure>, report: Report) {
        match report {
            Report::Progress(share) => self.change(|shown| shown.lab = Lab::Working(share)),
            Report::Done(answer) => {
                let arrays: Vec<Vec<f32>> = answer.arrays.into_iter().map(|(_, array)| array).collect();
                figure.lab_answer(&arrays);
                self.change(|shown| shown.lab = Lab::Idle);
                self.news(&**figure);
                // One answer may leave another to be asked for.
                self.ask_lab(figure);
            }
            Report::Failed(message) => self.change(|shown| shown.lab = Lab::Failed(message)),
        }
    }

    /// The person does not want to wait.
    pub(super) fn cancel_lab(&self) {
        frame::touch();
        lab_client::cancel(self.key);
        self.change(|shown| shown.lab = Lab::Failed(words::lab_cancelled().to_owned()));
    }

    /// Another scene stands there: what was asked is of no use any more.
    pub(super) fn forget_lab(&self) {
        if self.asked.take().is_some() {
            lab_client::cancel(self.key);
            self.change(|shown| shown.lab = Lab::Idle);
        }
    }
}
