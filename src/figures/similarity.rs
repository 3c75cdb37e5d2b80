//! Position × position: how much two positions have in common, by their vectors alone.
//!
//! Where that depends on the offset alone, a panel is drawn from one profile, and not from the products of every pair.

mod source;

use super::square::{self, Square};
use super::{Cursor, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Table, common};
use crate::draw::{Surface, number, palettes::Palette, raster::Raster};
use crate::state::MOST_LENGTH;
use crate::{formulas, words};
use posenc::{Acts, Config, Kind, ParamSpec, Settings, Unit, vectors::Vectors};
use source::{Measure, Source};
use std::cell::RefCell;
use std::rc::Rc;

/// `similarity`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "similarity",
    options: &[
        ParamSpec {
            key: "measure",
            kind: Kind::Choice { options: &["dot", "cosine"], default: "dot" },
            unit: Unit::None,
            when: None,
        },
        common::VECTORS,
        common::window_option("first_position", MOST_LENGTH, Unit::Tokens, None),
        common::window_option("positions", MOST_LENGTH, Unit::Tokens, None),
    ],
    suits: |scheme| matches!(scheme.acts, Acts::Embedding | Acts::Rotation),
    settle: |_, _| {},
    height: |scene, width| {
        let panels = scene.slots.iter().filter(|slot| common::encoding(slot).is_some()).count();
        square::height(panels - common::undrawn(scene).len(), width)
    },
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

thread_local! {
    /// The panels of the last model: a step of one scheme's slider leaves the others as they are.
    static LAST: RefCell<Vec<Filled>> = const { RefCell::new(Vec::new()) };
}

/// Forgets the tables of the last model.
pub(super) fn forget() {
    drop(LAST.take());
}

/// Filled cells, and all that they follow from.
struct Filled {
    config: Config,
    seed: u64,
    options: Settings,
    square: Square,
    raster: Rc<RefCell<Raster>>,
}

/// One scheme.
struct Panel {
    slot: usize,
    name: String,
    source: Source,
    /// Whether its products are scores of q and k; else they are those of position vectors.
    rotary: bool,
    raster: Rc<RefCell<Raster>>,
}

struct Model {
    failures: Vec<String>,
    square: Square,
    panels: Vec<Panel>,
    measure: Measure,
    /// Of position vectors, and of scores: they are different quantities.
    palettes: [Palette; 2],
    vectors: Vectors,
    words: Rc<[String]>,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let measure = if scene.options.choice("measure") == "cosine" { Measure::Cosine } else { Measure::Dot };
        let vectors = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap_or(Vectors::Ones);
        let sources: Vec<_> =
            scene.slots.iter().filter_map(|slot| Some((slot, Source::of(slot, vectors, measure)?))).collect();
        let square = Square::new(SPEC.id, scene, size, sources.len());
        let mut bounds = [(0.0_f32, 0.0_f32); 2];
        let mut panels = Vec::new();
        let mut filled = Vec::new();
        for (slot, source) in sources {
            let same = |filled: &&Filled| {
                filled.config == slot.config
                    && filled.seed == scene.seed
                    && filled.options == scene.options
                    && filled.square == square
            };
            let known = LAST.with_borrow(|last| last.iter().find(same).map(|filled| filled.raster.clone()));
            let raster = known.unwrap_or_else(|| {
                let mut raster = Raster::new(square.cells, square.cells);
                source.fill(&square, raster.cells_mut());
                Rc::new(RefCell::new(raster))
            });
            let rotary = slot.config.spec.acts == Acts::Rotation;
            // A cosine is one for both.
            let bound = &mut bounds[usize::from(rotary && measure == Measure::Dot)];
            for value in raster.borrow().cells().iter().filter(|value| value.is_finite()) {
                *bound = (bound.0.min(*value), bound.1.max(*value));
            }
            filled.push(Filled {
                config: slot.config.clone(),
                seed: scene.seed,
                options: scene.options.clone(),
                square: square.clone(),
                raster: raster.clone(),
            });
            panels.push(Panel { slot: slot.index, name: common::name(&scene.slots, slot), source, rotary, raster });
        }
        drop(LAST.replace(filled));
        let palettes = bounds.map(|(low, high)| {
            let most = if measure == Measure::Cosine { 1.0 } else { high.max(-low) };
            let most = if most > 0.0 { most } else { 1.0 };
            Palette::new(scene.palette, if low < 0.0 { -most } else { 0.0 }, most)
        });
        let mut failures = common::failures(scene);
        failures.extend(common::undrawn(scene));
        Self { failures, square, panels, measure, palettes, vectors, words: scene.words.clone() }
    }

    fn palette(&self, panel: &Panel) -> &Palette {
        &self.palettes[usize::from(panel.rotary && self.measure == Measure::Dot)]
    }

    /// Whether some panel of position vectors uses a small part of the colours of all.
    fn is_faint(&self) -> bool {
        let most = |panel: &Panel| {
            let raster = panel.raster.borrow();
            raster.cells().iter().filter(|value| value.is_finite()).fold(0.0_f32, |most, value| most.max(value.abs()))
        };
        let own = self.panels.iter().filter(|panel| !panel.rotary).map(most);
        let (least, greatest) = own.fold((f32::INFINITY, 0.0_f32), |(a, b), v| (a.min(v), b.max(v)));
        greatest > 3.0 * least
    }

    fn quantity(&self, rotary: bool) -> &'static str {
        match (self.measure, rotary) {
            (Measure::Cosine, _) => words::similarity_cosine(),
            (Measure::Dot, true) => words::offset_score(),
            (Measure::Dot, false) => words::offset_product(),
        }
    }
}

/// The cursor's query and key, whole positions.
fn pair(cursor: &Cursor) -> (i64, i64) {
    let query = cursor.position.floor() as i64;
    (query, query - cursor.offset)
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.panels.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        for (i, panel) in self.panels.iter().enumerate() {
            self.square.draw(on, i, &mut panel.raster.borrow_mut(), self.palette(panel));
            self.square.name(on, i, &panel.name, panel.slot);
            if let Some(rows) = panel.source.rows() {
                self.square.end(on, i, rows);
            }
            for position in panel.source.untrained(&self.square) {
                self.square.hatch(on, i, position);
            }
            self.square.mark(on, i, cursor);
        }
        self.square.titles(on, on.height);
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let (query, key) = pair(cursor);
        let place = |position: i64| common::position_label(&self.words, position as f64);
        let mut sentences = Vec::new();
        for panel in &self.panels {
            let value = panel.source.at(query, key);
            sentences.push(match panel.source.rows() {
                Some(rows) if query.max(key) >= rows as i64 => {
                    words::weights_past_the_end(&panel.name, number::whole(query.max(key)), rows - 1)
                }
                _ if key < 0 => words::similarity_no_key(&panel.name, place(query), number::whole(cursor.offset)),
                _ => words::similarity_summary(
                    &panel.name,
                    place(query),
                    place(key),
                    number::short(value),
                    self.quantity(panel.rotary),
                ),
            });
        }
        sentences.extend(self.failures.iter().cloned());
        sentences.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let (query, key) = pair(cursor);
        if key < 0 {
            return Vec::new();
        }
        let reading = |panel: &Panel| {
            let value = number::exact(panel.source.at(query, key));
            let (m, n) = (number::whole(query), number::whole(key));
            let math = match (self.measure, panel.source.head_dim()) {
                (Measure::Cosine, Some(_)) => formulas::similarity_cosine_rotary(&m, &n, &value),
                (Measure::Cosine, None) => formulas::similarity_cosine(&m, &n, &value),
                (Measure::Dot, Some(dim)) => formulas::rotation_score(&m, &n, dim, &value),
                (Measure::Dot, None) => formulas::rotation_product(&m, &n, &value),
            };
            Reading { slot: Some(panel.slot), label: words::similarity_reading(&panel.name, m, n), value, math }
        };
        self.panels.iter().map(reading).collect()
    }

    fn legend(&self) -> Vec<Legend> {
        let mut legend = Vec::new();
        for rotary in [false, true] {
            if self.measure == Measure::Cosine && rotary && !legend.is_empty() {
                continue;
            }
            let Some(panel) = self.panels.iter().find(|panel| panel.rotary == rotary) else { continue };
            let palette = self.palette(panel);
            let (low, high) = (f64::from(palette.low()), f64::from(palette.high()));
            let ticks = [0.0, 0.5, 1.0].map(|t| (t, number::short(low + t * (high - low)))).to_vec();
            let label = self.quantity(rotary).to_owned();
            legend.push(Legend::Scale { label, stops: palette.stops(11), ticks });
        }
        let mut note = |text: String| legend.push(Legend::Note(text));
        if self.panels.iter().any(|panel| panel.rotary) {
            note(
                match self.vectors {
                    Vectors::Ones => words::offset_ones(),
                    Vectors::Equal { .. } => words::offset_equal(),
                    Vectors::Independent { .. } => words::similarity_independent(),
                }
                .to_owned(),
            );
        }
        if self.measure == Measure::Dot && self.is_faint() {
            note(words::similarity_faint().to_owned());
        }
        let mut said = Vec::new();
        for panel in &self.panels {
            let stands = (panel.source.run(&self.square), panel.source.is_mean());
            if stands.0 > 1 && !said.contains(&stands) {
                said.push(stands);
                let run = number::whole(stands.0 as i64);
                note(if stands.1 { words::square_mean(run) } else { words::square_centre(run) });
            }
        }
        for panel in &self.panels {
            if let Some(rows) = panel.source.rows() {
                note(words::weights_end(&panel.name, rows - 1));
            }
            let untrained = panel.source.untrained(&self.square);
            if !untrained.is_empty() {
                let list: Vec<String> = untrained.iter().take(6).map(|row| number::whole(*row as i64)).collect();
                note(words::weights_untrained(&panel.name, list.join(", ")));
            }
        }
        legend
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        if self.panels.is_empty() {
            return Table::default();
        }
        let listed = self.square.listed(cursor, page, (28 / self.panels.len() as i64).max(4));
        let mut head = vec![words::square_query().to_owned()];
        for panel in &self.panels {
            head.extend(listed.columns.clone().map(|key| words::square_key(&panel.name, number::whole(key))));
        }
        let each: Vec<Vec<f64>> =
            self.panels.iter().map(|panel| panel.source.block(listed.rows.clone(), listed.columns.clone())).collect();
        let wide = listed.columns.clone().count();
        let rows = listed.rows.clone().enumerate().map(|(i, query)| {
            let values =
                each.iter().flat_map(|block| block[i * wide..][..wide].iter().map(|value| number::exact(*value)));
            std::iter::once(number::whole(query)).chain(values).collect()
        });
        listed.table(head, rows.collect())
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        self.square.respond(input, cursor)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
