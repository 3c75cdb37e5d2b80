//! What a figure does between Yew's renders: sizes, draws and refines at most once a frame, and keeps what depends on
//! the model (legend, table, summary) up to date.

use super::lab::Lab;
use super::look;
use super::readings::Readings;
use crate::draw::Surface;
use crate::figures::{Figure, FigureSpec, Legend, Scene, Size, Table};
use crate::state::{Action, Cursor};
use crate::ui::{
    delay::{Delay, clock},
    frame,
    passing::Passing,
    rested::RESTED_MS,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::{Element, HtmlCanvasElement};
use yew::prelude::*;

/// What is announced and listed follows when the state has rested for this long, in milliseconds.
const SETTLED_MS: u32 = 400;
/// While things change all the time, as in playback, the formulas are still written this often, in milliseconds.
const FORMULAS_MS: f64 = 1000.0;
/// While legend and values change from frame to frame with a scheme, they are written this often, in milliseconds.
const WORDS_MS: u32 = 100;
/// Longest side of a canvas, in device pixels.
const MOST_PIXELS: f64 = 8192.0;
/// A figure that is being refined is redrawn once in so many slices, and when it is done.
const SLICES_A_DRAWING: u32 = 8;

/// What Yew renders of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Shown {
    /// The page of the table; `None` while it is closed.
    pub(super) table: Option<Rc<Table>>,
    /// The browser gives no canvas to draw on.
    pub(super) failed: bool,
    pub(super) playing: bool,
    pub(super) speed: f64,
    pub(super) lab: Lab,
}

/// The elements that are touched directly.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Nodes {
    pub(super) frame: NodeRef,
    pub(super) canvas: NodeRef,
    pub(super) summary: NodeRef,
    /// The live region.
    pub(super) spoken: NodeRef,
    pub(super) readings: NodeRef,
}

/// One figure on screen.
pub(super) struct Stage {
    pub(super) spec: &'static FigureSpec,
    pub(super) nodes: Nodes,
    pub(super) passing: Passing,
    pub(super) dispatch: RefCell<Callback<Action>>,
    pub(super) cursor: Cell<Cursor>,
    pub(super) key: frame::Key,
    scene: RefCell<Scene>,
    width: Cell<f64>,
    height: Cell<f64>,
    model: RefCell<Option<Made>>,
    /// What is drawn on, as it was told last.
    surface: RefCell<Option<Surface>>,
    readings: RefCell<Readings>,
    /// When it was drawn last, and when formulas were written last.
    drawn: Cell<f64>,
    written: Cell<f64>,
    formulas: Delay,
    /// When a model was made last, and what waits to refine it.
    made: Cell<f64>,
    refining: Delay,
    shown: RefCell<Shown>,
    show: UseStateSetter<Shown>,
    pub(super) legend: RefCell<Vec<Legend>>,
    /// When legend and values were written last, and what waits to write them.
    told: Cell<f64>,
    telling: Delay,
    /// What renders the legend, once it is there.
    pub(super) legend_shown: RefCell<Option<UseStateSetter<Vec<Legend>>>>,
    /// Pages from the cursor; `None` while the table is closed.
    page: Cell<Option<i64>>,
    refine: frame::Key,
    slices: Cell<u32>,
    /// The cursor that summary and table are of.
    settled: Cell<Option<Cursor>>,
    /// The cursor that will be settled next.
    awaited: Cell<Option<Cursor>>,
    /// The cursor that the sentence on screen is of.
    summed: Cell<Option<Cursor>>,
    settling: Delay,
    /// The last request to the lab: it is not made again while it stands, nor where it was cancelled or failed.
    pub(super) asked: RefCell<Option<String>>,
}

#[derive(Clone)]
struct Made {
    figure: Rc<dyn Figure>,
    scene: Scene,
    size: Size,
}

impl Stage {
    pub(super) fn new(
        spec: &'static FigureSpec,
        scene: Scene,
        cursor: Cursor,
        passing: Passing,
        show: UseStateSetter<Shown>,
    ) -> Self {
        Self {
            spec,
            nodes: Nodes::default(),
            passing,
            dispatch: RefCell::default(),
            cursor: Cell::new(cursor),
            key: frame::new_key(),
            scene: RefCell::new(scene),
            width: Cell::new(0.0),
            height: Cell::new(0.0),
            model: RefCell::new(None),
            surface: RefCell::default(),
            readings: RefCell::default(),
            drawn: Cell::new(f64::NEG_INFINITY),
            written: Cell::new(f64::NEG_INFINITY),
            formulas: Delay::default(),
            made: Cell::new(f64::NEG_INFINITY),
            refining: Delay::default(),
            shown: RefCell::default(),
            show,
            legend: RefCell::default(),
            told: Cell::new(f64::NEG_INFINITY),
            telling: Delay::default(),
            legend_shown: RefCell::default(),
            page: Cell::new(None),
            refine: frame::new_key(),
            slices: Cell::new(0),
            settled: Cell::new(None),
            awaited: Cell::new(None),
            summed: Cell::new(None),
            settling: Delay::default(),
            asked: RefCell::default(),
        }
    }

    /// Takes what the state says now.
    pub(super) fn update(self: &Rc<Self>, scene: &Scene, cursor: Cursor) {
        if *self.scene.borrow() != *scene {
            *self.scene.borrow_mut() = scene.clone();
        }
        self.cursor.set(cursor);
        self.redraw();
    }

    /// Draws at the next frame.
    pub(super) fn redraw(self: &Rc<Self>) {
        let this = Rc::downgrade(self);
        frame::request(self.key, move |_| {
            if let Some(this) = this.upgrade() {
                this.draw();
            }
        });
    }

    /// The width that the page gives the figure, in CSS pixels.
    pub(super) fn resize(self: &Rc<Self>, width: f64) {
        if (width - self.width.get()).abs() >= 0.5 {
            self.width.set(width);
            // What stands below has its place before the figure is drawn.
            if let Some(canvas) = self.nodes.canvas.cast::<HtmlCanvasElement>() {
                self.stand(&canvas, &self.scene.borrow(), width);
            }
            self.redraw();
        }
    }

    /// Gives the canvas its height on the page, in CSS pixels.
    fn stand(&self, canvas: &HtmlCanvasElement, scene: &Scene, width: f64) -> f64 {
        let height = self.spec.height(scene, width).clamp(1.0, MOST_PIXELS);
        if self.height.replace(height) != height {
            let style = canvas.style();
            let _ = style.set_property("width", "100%");
            let _ = style.set_property("height", &format!("{height}px"));
        }
        height
    }

    /// Nothing of it happens any more.
    pub(super) fn close(&self) {
        frame::cancel(self.key);
        frame::cancel(self.refine);
        self.leave_lab();
        for waiting in [&self.settling, &self.formulas, &self.refining, &self.telling] {
            waiting.cancel();
        }
    }

    /// The model on screen, and where it stands.
    pub(super) fn figure(&self) -> Option<Rc<dyn Figure>> {
        self.model.borrow().as_ref().map(|made| made.figure.clone())
    }

    fn draw(self: &Rc<Self>) {
        let Some(canvas) = self.nodes.canvas.cast::<HtmlCanvasElement>() else { return };
        let Some(made) = self.made(&canvas) else { return };
        let cursor = self.passing.cursor(self.cursor.get());
        let failed = !self.with_surface(canvas, made.size, |surface| made.figure.draw(surface, &cursor));
        let now = clock();
        let soon = now - self.drawn.replace(now) < f64::from(RESTED_MS);
        let before = self.summed.replace(Some(cursor));
        if before != Some(cursor) || now - self.told.get() >= f64::from(WORDS_MS) {
            self.tell(&made, &cursor, soon);
        } else {
            // Put off from frame to frame: it goes with a drawing, or comes after the last one.
            self.later(&self.telling, WORDS_MS, true, Self::tell_all);
        }
        // A step of a slider leaves the sentence until it rests; hover and playback do not rest.
        if before.is_some_and(|before| before != cursor) {
            write(&self.nodes.summary, &made.figure.summary(&cursor));
        }
        self.change(|shown| {
            shown.failed = failed;
            shown.playing = self.passing.is_playing();
            shown.speed = self.passing.speed();
        });
        let now = self.cursor.get();
        match self.settled.get() {
            None => self.settle(),
            // Once for each cursor of the state: what is played draws all the time, and does not put it off.
            Some(before) if before != now && self.awaited.replace(Some(now)) != Some(now) => self.settle_soon(),
            Some(_) => {}
        }
    }

    /// Draws on the canvas, if it can be drawn on; whether it can.
    fn with_surface(&self, canvas: HtmlCanvasElement, size: Size, draw: impl FnOnce(&Surface)) -> bool {
        let size = (size.width, size.height, size.dpr);
        let mut kept = self.surface.borrow_mut();
        look::with_ink(|ink| {
            if kept.as_ref().is_none_or(|surface| !surface.fits(&canvas, size, ink)) {
                *kept = Surface::new(canvas, size, ink.clone());
            }
        });
        kept.as_ref().map(draw).is_some()
    }

    /// The browser had lost what is on the canvas, and what the canvas was told.
    pub(super) fn restored(self: &Rc<Self>) {
        *self.surface.borrow_mut() = None;
        self.redraw();
    }

    /// Shows the legend and the values at the cursor. While schemes change from frame to frame, that is some times a
    /// second: nobody reads faster, and to lay them out anew costs as much as to draw what they are about.
    /// `soon`: things change from frame to frame.
    fn tell(self: &Rc<Self>, made: &Made, cursor: &Cursor, soon: bool) {
        self.told.set(clock());
        self.telling.cancel();
        self.show_legend();
        self.read(made, cursor, soon);
    }

    fn tell_all(self: &Rc<Self>) {
        let made = self.model.borrow().clone();
        if let Some(made) = made {
            self.tell(&made, &self.passing.cursor(self.cursor.get()), false);
        }
    }

    fn show_legend(&self) {
        if let Some(show) = &*self.legend_shown.borrow() {
            show.set(self.legend.borrow().clone());
        }
    }

    /// Writes the values at the cursor, and their formulas: at once, or, while they change from frame to frame, when
    /// they rest. To lay formulas out is the dearest part of a step.
    fn read(self: &Rc<Self>, made: &Made, cursor: &Cursor, soon: bool) {
        let Some(panel) = self.nodes.readings.cast::<Element>() else { return };
        let mut readings = self.readings.borrow_mut();
        if !readings.show(&panel, made.figure.readings(cursor)) {
            return;
        }
        let now = clock();
        if soon && now - self.written.get() < FORMULAS_MS {
            // A page that plays is ready between two frames.
            let pending = !self.passing.is_playing();
            self.later(&self.formulas, RESTED_MS, pending, |stage| stage.write_formulas());
        } else {
            self.written.set(now);
            readings.write_formulas();
            self.formulas.cancel();
        }
    }

    fn write_formulas(&self) {
        self.written.set(clock());
        self.readings.borrow_mut().write_formulas();
    }

    /// The model for the scene and the size of the moment.
    fn made(self: &Rc<Self>, canvas: &HtmlCanvasElement) -> Option<Made> {
        let width = self.width.get();
        if width < 1.0 {
            return None;
        }
        let scene = self.scene.borrow();
        if let Some(made) = &*self.model.borrow()
            && made.size.width == width
            && made.size.dpr == look::dpr().min(MOST_PIXELS / width.max(made.size.height))
            && made.scene == *scene
        {
            return Some(made.clone());
        }
        let height = self.stand(canvas, &scene, width);
        let dpr = look::dpr().min(MOST_PIXELS / width.max(height));
        let size = Size { width, height, dpr };
        let made = Made { figure: Rc::from((self.spec.make)(&scene, size)), scene: scene.clone(), size };
        drop(scene);
        *self.model.borrow_mut() = Some(made.clone());
        self.forget_lab();
        self.slices.set(0);
        let now = clock();
        if now - self.made.replace(now) < f64::from(RESTED_MS) {
            // It changes from frame to frame: what is refined now would be thrown away by the next one.
            frame::cancel(self.refine);
            self.later(&self.refining, RESTED_MS, true, Self::refine_soon);
        } else {
            self.refining.cancel();
            self.refine_soon();
        }
        self.take_legend(&*made.figure);
        if self.settled.get().is_some() {
            self.settle_soon();
        }
        Some(made)
    }

    /// Does something with the stage, if it is there then.
    fn later(self: &Rc<Self>, delay: &Delay, after: u32, pending: bool, act: fn(&Rc<Self>)) {
        let weak = Rc::downgrade(self);
        delay.put_off(after, pending, move || {
            if let Some(stage) = weak.upgrade() {
                act(&stage);
            }
        });
    }

    fn refine_soon(self: &Rc<Self>) {
        let this = Rc::downgrade(self);
        frame::request(self.refine, move |_| {
            if let Some(this) = this.upgrade() {
                this.refine();
            }
        });
    }

    fn refine(self: &Rc<Self>) {
        let Some(figure) = self.figure() else { return };
        let start = clock();
        let more = figure.refine();
        let first = self.slices.get() == 0;
        self.slices.set(self.slices.get() + 1);
        if more {
            self.refine_soon();
        }
        // A figure that had put nothing off returns at once: nothing new to draw then.
        let idle = first && !more && clock() <= start;
        if !idle && (!more || self.slices.get().is_multiple_of(SLICES_A_DRAWING)) {
            self.news(&*figure);
        }
    }

    /// The figure knows more than it did.
    pub(super) fn news(self: &Rc<Self>, figure: &dyn Figure) {
        self.take_legend(figure);
        self.redraw();
        self.settle_soon();
    }

    /// Takes a legend. What it shows besides words is shown with the drawing that it is of.
    fn take_legend(&self, figure: &dyn Figure) {
        let before = self.legend.replace(figure.legend());
        let now = self.legend.borrow();
        let alike = before.len() == now.len() && before.iter().zip(&*now).all(|(a, b)| a.is_like(b));
        drop(now);
        if !alike {
            self.show_legend();
        }
    }

    /// Announces and lists once the state rests; the page is pending until then.
    fn settle_soon(self: &Rc<Self>) {
        self.later(&self.settling, SETTLED_MS, true, Self::settle);
    }

    fn settle(self: &Rc<Self>) {
        let Some(figure) = self.figure() else { return };
        let cursor = self.cursor.get();
        self.awaited.set(None);
        if self.settled.replace(Some(cursor)).is_some_and(|before| before != cursor) && self.page.get().is_some() {
            // Page 0 is the one that has the cursor.
            self.page.set(Some(0));
        }
        let summary = figure.summary(&cursor);
        let shown = self.passing.cursor(cursor);
        if shown == cursor {
            write(&self.nodes.summary, &summary);
        }
        self.summed.set(Some(shown));
        if let Some(canvas) = self.nodes.canvas.cast::<Element>() {
            let _ =
                canvas.set_attribute("aria-label", &format!("{}. {summary}", crate::words::figure_title(self.spec.id)));
        }
        write(&self.nodes.spoken, &summary);
        self.list();
        self.ask_lab(&figure);
    }

    /// Brings the table up to date.
    fn list(&self) {
        let table = self.page.get().and_then(|page| Some(Rc::new(self.figure()?.table(&self.cursor.get(), page))));
        self.change(|shown| shown.table = table);
    }

    /// Opens or closes the table.
    pub(super) fn toggle_table(&self) {
        frame::touch();
        self.page.set(if self.page.get().is_some() { None } else { Some(0) });
        self.list();
    }

    /// Turns pages of the table.
    pub(super) fn turn(&self, by: i64) {
        frame::touch();
        self.page.set(self.page.get().map(|page| page + by));
        self.list();
    }

    /// Changes what Yew renders, if it changes.
    pub(super) fn change(&self, change: impl FnOnce(&mut Shown)) {
        let mut next = self.shown.borrow().clone();
        change(&mut next);
        if next != *self.shown.borrow() {
            *self.shown.borrow_mut() = next.clone();
            self.show.set(next);
        }
    }
}

/// Writes a text where it is another one.
fn write(node: &NodeRef, text: &str) {
    if let Some(node) = node.cast::<Element>()
        && node.text_content().as_deref() != Some(text)
    {
        node.set_text_content(Some(text));
    }
}
