//! What each word of the text attends to: query × key, with each scheme and without any, on one scale of colours.

mod fill;
mod readings;

use super::attending::{self, Mind, Seen, Sentence};
use super::lettered::{self, Lettered, Room};
use super::{Cursor, Figure, FigureSpec, Input, Legend, Reading, Response, Scene, Size, Slot, Table, common};
use crate::draw::{Surface, number};
use crate::words;
use fill::{Filled, Shown};
use posenc::{Acts, Kind, ParamSpec, Unit};
use std::cell::RefCell;
use std::rc::Rc;

/// `attention`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "attention",
    options: &[
        ParamSpec {
            key: "show",
            kind: Kind::Choice { options: &["weights", "scores"], default: "weights" },
            unit: Unit::None,
            when: None,
        },
        attending::causal(true),
        attending::TEMPERATURE,
        attending::WORDS,
        attending::SPREAD,
        ParamSpec { key: "without", kind: Kind::Switch { default: true }, unit: Unit::None, when: None },
    ],
    suits: |_| true,
    settle: |_, _| {},
    height: |scene, width| lettered::height(panels(scene), width, &Room::NONE),
    plays: false,
    make: |scene, size| Box::new(Model::new(scene, size)),
};

/// Whether the words alone stand beside the schemes: not where a scheme without positions does.
fn has_reference(scene: &Scene) -> bool {
    scene.options.switch("without") && scene.slots.iter().all(|slot| slot.config.spec.acts != Acts::Nothing)
}

fn panels(scene: &Scene) -> usize {
    let own = scene.slots.iter().filter(|slot| common::encoding(slot).is_some()).count();
    own + usize::from(own > 0 && has_reference(scene))
}

/// One matrix.
struct Panel {
    /// `None` for the words alone.
    slot: Option<usize>,
    name: String,
    mind: Mind,
    about: Vec<String>,
}

impl Panel {
    fn of(scene: &Scene, slot: &Slot, width: usize) -> Option<Self> {
        let mind = Mind::of(slot, width)?;
        let name = common::name(&scene.slots, slot);
        let about = mind.about(&name, slot);
        Some(Self { slot: Some(slot.index), name, mind, about })
    }

    fn without(width: usize) -> Self {
        let name = words::attention_without(number::whole(width as i64));
        Self { slot: None, name, mind: Mind::without(width), about: Vec::new() }
    }

    /// Its name, and its head where it has several.
    fn label(&self, cursor: &Cursor) -> String {
        self.mind.label(&self.name, cursor)
    }
}

struct Model {
    sentence: Sentence,
    panels: Vec<Panel>,
    failures: Vec<String>,
    notes: Vec<String>,
    shown: Shown,
    palette: &'static str,
    lettered: Lettered,
    filled: RefCell<Option<Filled>>,
}

impl Model {
    fn new(scene: &Scene, size: Size) -> Self {
        let sentence = Sentence::of(scene);
        let width = attending::width(scene);
        let mut failures = common::failures(scene);
        let mut panels: Vec<Panel> = scene.slots.iter().filter_map(|slot| Panel::of(scene, slot, width)).collect();
        panels.retain(|panel| match panel.mind.seen(&sentence, 0) {
            Ok(_) => true,
            Err(error) => {
                failures.push(words::draw_error(&panel.name, error));
                false
            }
        });
        if !panels.is_empty() && has_reference(scene) {
            panels.insert(0, Panel::without(width));
        }
        if sentence.words.is_empty() {
            panels.clear();
            failures.push(words::attending_no_words().to_owned());
        }
        let lettered = Lettered::new(&sentence.words, panels.len(), size, &Room::NONE);
        let shown = if scene.options.choice("show") == "scores" { Shown::Scores } else { Shown::Weights };
        let notes = attending::about_words(scene, &sentence);
        let (filled, palette) = (RefCell::default(), scene.palette);
        Self { sentence, panels, failures, notes, shown, palette, lettered, filled }
    }

    /// What a panel's scheme makes of the words, for the cursor's head.
    fn seen(&self, panel: &Panel, cursor: &Cursor) -> Option<Rc<Seen>> {
        panel.mind.seen(&self.sentence, cursor.head).ok()
    }

    /// The cursor's query and key, where both are words that are shown.
    fn pair(&self, cursor: &Cursor) -> Option<(usize, usize)> {
        let query = cursor.position.floor() as i64;
        let there = |place: i64| usize::try_from(place).ok().filter(|place| *place < self.sentence.count());
        Some((there(query)?, there(query - cursor.offset)?))
    }

    fn heads(&self) -> usize {
        self.panels.iter().map(|panel| panel.mind.heads()).max().unwrap_or(1)
    }

    /// A word with its position.
    fn word(&self, place: usize) -> String {
        words::attention_word(&self.sentence.words[place], place)
    }

    /// What is said of the cursor's pair.
    fn sentences(&self, cursor: &Cursor) -> Vec<String> {
        let Some((query, key)) = self.pair(cursor) else {
            let query = cursor.position.floor() as i64;
            let there = (0..self.sentence.count() as i64).contains(&query);
            let place = number::whole(if there { query - cursor.offset } else { query });
            return vec![words::attention_outside(place, self.sentence.count())];
        };
        if !self.sentence.keys(query).contains(&key) {
            return vec![words::attention_masked(self.word(query), self.word(key))];
        }
        let share = |panel: &Panel| {
            let seen = self.seen(panel, cursor)?;
            let share = number::digits(seen.weights[query * self.sentence.count() + key] * 100.0, 3);
            let share = words::bias_percent(share);
            Some(match panel.slot {
                Some(_) => words::attention_share(share, panel.label(cursor)),
                None => words::attention_share_alone(share),
            })
        };
        let shares: Vec<String> = self.panels.iter().filter_map(share).collect();
        vec![words::attention_summary(self.word(query), self.word(key), shares.join(words::attention_between()))]
    }
}

impl Figure for Model {
    fn draw(&self, on: &Surface, cursor: &Cursor) {
        on.clear();
        if self.panels.is_empty() {
            on.message(&self.failures.join(" "), (0.0, 0.0, on.width, on.height));
            return;
        }
        let mut filled = self.filled.borrow_mut();
        let heads = |panel: &Panel| cursor.head.min(panel.mind.heads() - 1);
        if filled.as_ref().is_none_or(|filled| !self.panels.iter().map(heads).eq(filled.heads.iter().copied())) {
            drop(filled.take());
            *filled = Some(Filled::new(self, cursor));
        }
        let Some(filled) = filled.as_mut() else { return };
        for (i, (panel, raster)) in self.panels.iter().zip(&mut filled.rasters).enumerate() {
            let colour = panel.slot.and_then(|slot| on.ink.slots.get(slot)).unwrap_or(&on.ink.ink);
            self.lettered.draw(on, i, (&panel.label(cursor), colour), (raster, &filled.palette), cursor);
        }
        self.lettered.bar(on, &filled.palette, self.shown.title(), filled.ends());
    }

    fn summary(&self, cursor: &Cursor) -> String {
        let own = if self.panels.is_empty() { Vec::new() } else { self.sentences(cursor) };
        let all: Vec<String> = own.into_iter().chain(self.failures.iter().cloned()).collect();
        all.join(" ")
    }

    fn readings(&self, cursor: &Cursor) -> Vec<Reading> {
        let Some((query, key)) = self.pair(cursor) else { return Vec::new() };
        if !self.sentence.keys(query).contains(&key) {
            return Vec::new();
        }
        self.panels.iter().flat_map(|panel| readings::of(self, panel, cursor, query, key)).collect()
    }

    fn legend(&self) -> Vec<Legend> {
        if self.panels.is_empty() {
            return Vec::new();
        }
        let mut notes = self.notes.clone();
        if self.sentence.causal {
            notes.push(words::bias_masked().to_owned());
        }
        notes.extend(self.panels.iter().flat_map(|panel| panel.about.clone()));
        notes.extend(self.failures.iter().cloned());
        notes.into_iter().map(Legend::Note).collect()
    }

    fn table(&self, cursor: &Cursor, page: i64) -> Table {
        const ROWS: usize = 30;
        if self.panels.is_empty() {
            return Table::default();
        }
        let n = self.sentence.count();
        let pages = (n - 1) / ROWS;
        let at = (cursor.position.floor().max(0.0) as usize).min(n - 1) / ROWS;
        let shown = (at as i64 + page).clamp(0, pages as i64) as usize;
        // The keys around the cursor's: at most 28 columns of all panels together.
        let columns = number::columns((28 / self.panels.len()).max(4)).min(n);
        let key = (cursor.position.floor() as i64 - cursor.offset).clamp(0, n as i64 - 1) as usize;
        let first = key.saturating_sub(columns / 2).min(n - columns);
        let numbered = |place: usize| words::draw_row_word(place, &self.sentence.words[place]);
        let mut head = vec![words::square_query().to_owned()];
        for panel in &self.panels {
            let name = panel.label(cursor);
            head.extend((first..first + columns).map(|key| words::square_key(&name, numbered(key))));
        }
        let each: Vec<Option<Rc<Seen>>> = self.panels.iter().map(|panel| self.seen(panel, cursor)).collect();
        let rows = (shown * ROWS..((shown + 1) * ROWS).min(n)).map(|query| {
            let values = each.iter().flat_map(|seen| {
                (first..first + columns).map(move |key| {
                    let seen = seen.as_ref().filter(|_| self.sentence.keys(query).contains(&key));
                    number::exact(seen.map_or(f64::NAN, |seen| self.shown.of(seen)[query * n + key]))
                })
            });
            std::iter::once(numbered(query)).chain(values).collect()
        });
        let (from, to) = (shown * ROWS, ((shown + 1) * ROWS).min(n) - 1);
        Table {
            caption: words::attention_table(self.shown.title(), from, to),
            head,
            rows: rows.collect(),
            before: shown > 0,
            after: shown < pages,
        }
    }

    fn respond(&self, input: &Input, cursor: &Cursor) -> Response {
        self.lettered.respond(input, cursor, self.heads())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
