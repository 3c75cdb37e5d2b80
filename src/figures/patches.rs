//! An image cut into patches: how alike one patch's place is to every other's, a panel a scheme.
//!
//! The cursor's position is the chosen patch, counted row by row, and the offset leads to another one, as it leads from
//! a query to a key in the other figures. Schemes for texts see the same image as one long row.

mod picture;
mod source;
mod view;

use super::{
    Cursor, CursorPatch, Edit, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common,
};
use crate::draw::{Surface, number, palettes::Palette, raster::Raster};
use crate::state::Target;
use crate::{formulas, words};
use posenc::{Acts, Drawn, Encoding, Kind, ParamSpec, Scale, Unit, vectors::Vectors};
use source::{Measure, Patch, Source};
use std::cell::RefCell;
use view::{Layout, MOST};

/// An option for the rows or the columns of the grid; 0: as many as the sequence fills.
const fn side(key: &'static str) -> ParamSpec {
    ParamSpec {
        key,
        kind: Kind::Integer { min: 0, max: MOST, step: 1, default: 0, scale: Scale::Linear },
        unit: Unit::None,
        when: None,
    }
}

/// `patches`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "patches",
    options: &[
        side("rows"),
        side("cols"),
        ParamSpec {
            key: "measure",
            kind: Kind::Choice { options: &["cosine", "dot"], default: "cosine" },
            unit: Unit::None,
            when: None,
        },
        common::VECTORS,
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |_, _| {},
    height: view::height,
    plays: true,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Rows on a page of the table.
const ROWS: usize = 100;

/// One scheme.
struct Panel {
    slot: usize,
    name: String,
    /// What its places are, in a few words.
    kind: String,
    /// Longer remarks.
    notes: Vec<String>,
    source: Source,
    /// Whether patches are positions of one long row.
    raster: bool,
    /// Whether its vectors are made up.
    made_up: bool,
    /// The similarities of the patch that was drawn last.
    painted: RefCell<(Option<Patch>, Raster)>,
}

impl Panel {
    fn new(scene: &Scene, slot: &Slot, layout: &Layout, source: Source) -> Self {
        let name = common::name(&scene.slots, slot);
        let grid = layout.grid;
        let raster = matches!(common::encoding(slot), Some(Encoding::Absolute(_) | Encoding::Rotary(_)));
        let size = match common::encoding(slot) {
            Some(Encoding::Grid(table)) => table.size(),
            _ => None,
        };
        let mut notes = Vec::new();
        let kind = match (raster, slot.config.drawn(), size) {
            (true, ..) => words::patches_by_raster().to_owned(),
            (_, drawn, Some(size)) if (size, size) == (grid.height, grid.width) => {
                if drawn == Drawn::Weights {
                    words::patches_own(size)
                } else {
                    words::patches_made_up(size)
                }
            }
            (.., Some(size)) => {
                notes.push(if slot.config.settings.switch("antialias") {
                    words::patches_resampled_smooth(&name, size, grid.height, grid.width)
                } else {
                    words::patches_resampled(&name, size, grid.height, grid.width)
                });
                words::patches_resized(size, grid.height, grid.width)
            }
            (_, Drawn::PublishedInit, _) => words::patches_untrained().to_owned(),
            _ => words::patches_by_axes().to_owned(),
        };
        if let Some(rows) = source.rows().filter(|rows| *rows < grid.height * grid.width) {
            notes.push(words::weights_end(&name, rows - 1));
        }
        let painted = RefCell::new((None, Raster::new(grid.width, grid.height)));
        Self {
            slot: slot.index,
            name,
            kind,
            notes,
            source,
            raster,
            made_up: slot.config.drawn() == Drawn::Synthetic,
            painted,
        }
    }

    fn rotary(&self) -> bool {
        self.source.head_dim().is_some()
    }

    /// Calls back with the similarities of a patch.
    fn paint(&self, chosen: Patch, draw: impl FnOnce(&mut Raster)) {
        let (painted, raster) = &mut *self.painted.borrow_mut();
        if *painted != Some(chosen) {
            self.source.fill(chosen, raster.cells_mut());
            *painted = Some(chosen);
        }
        draw(raster);
    }
}

struct Model {
    failures: Vec<String>,
    layout: Layout,
    panels: Vec<Panel>,
    measure: Measure,
    /// Of vectors, and of scores: they are different quantities.
    palettes: [Palette; 2],
    vectors: Vectors,
    length: u64,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let measure = if scene.options.choice("measure") == "dot" { Measure::Dot } else { Measure::Cosine };
        let vectors = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap_or(Vectors::Ones);
        let grid = view::grid(scene);
        let mut failures = common::failures(scene);
        let mut sources = Vec::new();
        for slot in &scene.slots {
            match Source::of(slot, grid, vectors, measure) {
                Some(source) => sources.push((slot, source)),
                None if common::encoding(slot).is_some() => {
                    failures.push(words::patches_not_shown(common::name(&scene.slots, slot)));
                }
                None => {}
            }
        }
        let layout = Layout::new(grid, size.width, view::panels(sources.len()));
        let panels: Vec<Panel> =
            sources.into_iter().map(|(slot, source)| Panel::new(scene, slot, &layout, source)).collect();
        let mut bounds = [(0.0_f32, 0.0_f32); 2];
        for panel in &panels {
            let bound = &mut bounds[usize::from(panel.rotary() && measure == Measure::Dot)];
            let (low, high) = panel.source.range();
            *bound = (bound.0.min(low), bound.1.max(high));
        }
        let palettes = bounds.map(|(low, high)| {
            let most = if measure == Measure::Cosine { 1.0 } else { high.max(-low) };
            let most = if most > 0.0 { most } else { 1.0 };
            Palette::new(scene.palette, if low < 0.0 { -most } else { 0.0 }, most)
        });
        Self { failures, layout, panels, measure, palettes, vectors, length: scene.length }
    }

    fn palette(&self, panel: &Panel) -> &Palette {
        &self.palettes[usize::from(panel.rotary() && self.measure == Measure::Dot)]
    }

    fn quantity(&self, rotary: bool) -> &'static str {
        match (self.measure, rotary) {
            (Measure::Cosine, _) => words::similarity_cosine(),
            (Measure::Dot, true) => words::offset_score(),
            (Measure::Dot, false) => words::patches_product(),
        }
    }

    fn patches(&self) -> usize {
        self.layout.grid.height * self.layout.grid.width
    }

    fn patch(&self, index: usize) -> Patch {
        (index / self.layout.grid.width, index % self.layout.grid.width)
    }

    fn index(&self, (row, column): Patch) -> usize {
        row * self.layout.grid.width + column
    }

    /// The cursor's patch; the last where the position lies past it.
    fn chosen(&self, cursor: &Cursor) -> Patch {
        self.patch((cursor.position.max(0.0) as usize).min(self.patches() - 1))
    }

    /// The patch that the offset leads to, if there is one.
    fn other(&self, cursor: &Cursor) -> Option<Patch> {
        let index = self.index(self.chosen(cursor)) as i64 - cursor.offset;
        (0..self.patches() as i64).contains(&index).then(|| self.patch(index as usize))
    }

    /// Chooses a patch. The sequence becomes as long as the image where the patch lies past its end.
    fn choose(&self, patch: Patch) -> Response {
        let index = self.index(patch);
        let mut response = common::moved(CursorPatch { position: Some(index as f64), ..CursorPatch::default() });
        if index as u64 >= self.length {
            response.edits.insert(0, Edit::Set(Target::Global, "length", self.patches().to_string()));
        }
        response
    }

    /// The cursor's offset to a patch, where the sequence has both.
    fn to_other(&self, cursor: &Cursor, other: Patch) -> Option<CursorPatch> {
        let chosen = self.index(self.chosen(cursor));
        let other = self.index(other);
        let offset = Some(chosen as i64 - other as i64);
        (chosen.max(other) < self.length as usize).then(|| CursorPatch { offset, ..CursorPatch::default() })
    }

    fn key(&self, key: &str, shift: bool, cursor: &Cursor) -> Response {
        let grid = self.layout.grid;
        let by = |(row, column): Patch, down: i64, across: i64| {
            let to = |at: usize, by: i64, n: usize| (at as i64 + by).clamp(0, n as i64 - 1) as usize;
            (to(row, down, grid.height), to(column, across, grid.width))
        };
        let chosen = self.chosen(cursor);
        let leap = (grid.height / 4).max(1) as i64;
        let (down, across) = match key {
            "ArrowDown" => (1, 0),
            "ArrowUp" => (-1, 0),
            "ArrowRight" => (0, 1),
            "ArrowLeft" => (0, -1),
            "PageDown" => (leap, 0),
            "PageUp" => (-leap, 0),
            "Home" => return self.choose((0, 0)),
            "End" => return self.choose((grid.height - 1, grid.width - 1)),
            _ => return Response::default(),
        };
        if shift {
            let other = by(self.other(cursor).unwrap_or(chosen), down, across);
            return self.to_other(cursor, other).map(common::moved).unwrap_or_default();
        }
        self.choose(by(chosen, down, across))
    }

    fn reading(&self, panel: &Panel, chosen: Patch, other: Patch) -> Reading {
        let value = number::exact(panel.source.at(chosen, other));
        let ((y, x), (v, u)) = (chosen, other);
        let (m, n) = (self.index(chosen), self.index(other));
        let math = match (panel.raster, self.measure, panel.source.head_dim()) {
            (true, Measure::Cosine, Some(_)) => formulas::similarity_cosine_rotary(m, n, &value),
            (true, Measure::Cosine, None) => formulas::similarity_cosine(m, n, &value),
            (true, Measure::Dot, Some(dim)) => formulas::rotation_score(m, n, dim, &value),
            (true, Measure::Dot, None) => formulas::rotation_product(m, n, &value),
            (false, Measure::Cosine, Some(_)) => formulas::patches_cosine_rotary(y, x, v, u, &value),
            (false, Measure::Cosine, None) => formulas::patches_cosine(y, x, v, u, &value),
            (false, Measure::Dot, Some(dim)) => formulas::patches_score(y, x, v, u, dim, &value),
            (false, Measure::Dot, None) => formulas::patches_product(y, x, v, u, &value),
        };
        let label = words::patches_reading(&panel.name, place(chosen), place(other));
        Reading { slot: Some(panel.slot), label, value, math }
    }

    fn sentence(&self, panel: &Panel, chosen: Patch, other: Patch) -> String {
        let last = self.index(chosen).max(self.index(other));
        match panel.source.rows() {
            Some(rows) if last >= rows => {
                words::weights_past_the_end(&panel.name, number::whole(last as i64), rows - 1)
            }
            _ => words::patches_summary(
                &panel.name,
                place(chosen),
                place(other),
                number::short(panel.source.at(chosen, other)),
                self.quantity(panel.rotary()),
            ),
        }
    }
}

/// A patch in words.
fn place((row, column): Patch) -> String {
    words::patches_place(row, column)
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.panels.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        view::draw(self, on, cursor);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let mut sentences = Vec::new();
        let chosen = self.chosen(cursor);
        if !self.panels.is_empty() && cursor.position as usize >= self.patches() {
            sentences.push(words::patches_past(number::place(cursor.position), number::whole(self.patches() as i64)));
        }
        match self.other(cursor) {
            _ if self.panels.is_empty() => {}
            Some(other) => sentences.extend(self.panels.iter().map(|panel| self.sentence(panel, chosen, other))),
            None => sentences.push(words::patches_no_other(place(chosen), number::whole(cursor.offset))),
        }
        sentences.extend(self.failures.iter().cloned());
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let chosen = self.chosen(cursor);
        let Some(other) = self.other(cursor) else { return Vec::new() };
        self.panels.iter().map(|panel| self.reading(panel, chosen, other)).collect()
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend = Vec::new();
        for rotary in [false, true] {
            if self.measure == Measure::Cosine && rotary && !legend.is_empty() {
                continue;
            }
            let Some(panel) = self.panels.iter().find(|panel| panel.rotary() == rotary) else { continue };
            let palette = self.palette(panel);
            let (low, high) = (f64::from(palette.low()), f64::from(palette.high()));
            let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short(low + t * (high - low)))).to_vec();
            let label = self.quantity(rotary).to_owned();
            legend.push(Legend::Scale { label, stops: palette.stops(11), ticks });
        }
        if self.panels.is_empty() {
            return legend;
        }
        let mut note = |text: String| legend.push(Legend::Note(text));
        if self.panels.iter().any(Panel::rotary) {
            note(
                match self.vectors {
                    Vectors::Ones => words::offset_ones(),
                    Vectors::Equal { .. } => words::offset_equal(),
                    Vectors::Independent { .. } => words::similarity_independent(),
                }
                .to_owned(),
            );
        }
        if self.panels.iter().any(|panel| panel.raster) {
            note(words::patches_raster().to_owned());
        }
        if self.panels.iter().any(|panel| panel.made_up) {
            note(words::patches_synthetic().to_owned());
        }
        for text in self.panels.iter().flat_map(|panel| &panel.notes) {
            note(text.clone());
        }
        if self.length < self.patches() as u64 {
            note(words::patches_longer(number::whole(self.length as i64), number::whole(self.patches() as i64)));
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.panels.is_empty() {
            return Table::default();
        }
        let chosen = self.chosen(cursor);
        let last = (self.patches() - 1) / ROWS;
        let shown = ((self.index(chosen) / ROWS) as i64 + page).clamp(0, last as i64) as usize;
        let patches = shown * ROWS..((shown + 1) * ROWS).min(self.patches());
        let head = [words::patches_head_patch(), words::patches_head_row(), words::patches_head_column()];
        let rows = patches.clone().map(|index| {
            let (row, column) = self.patch(index);
            let values = self.panels.iter().map(|panel| number::exact(panel.source.at(chosen, (row, column))));
            [index, row, column].map(|n| number::whole(n as i64)).into_iter().chain(values).collect()
        });
        Table {
            caption: words::patches_table(
                place(chosen),
                number::whole(patches.start as i64),
                number::whole(patches.end as i64 - 1),
            ),
            head: head.map(str::to_owned).into_iter().chain(self.panels.iter().map(|p| p.name.clone())).collect(),
            rows: rows.collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        if self.panels.is_empty() {
            return Response::default();
        }
        match *input {
            Input::Hover { x, y } => {
                let other = self.layout.patch_at((x, y), (x, y));
                other.and_then(|other| self.to_other(cursor, other)).map(common::hovered).unwrap_or_default()
            }
            Input::Press { x, y, .. } => match self.layout.patch_at((x, y), (x, y)) {
                Some(patch) => self.choose(patch),
                None => Response { used: true, ..Response::default() },
            },
            Input::Drag { from_x, from_y, x, y, .. } => match self.layout.patch_at((from_x, from_y), (x, y)) {
                Some(patch) => self.choose(patch),
                None => Response { used: true, ..Response::default() },
            },
            Input::Zoom { .. } => Response::default(),
            Input::Key { ref key, shift } => self.key(key, shift, cursor),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
