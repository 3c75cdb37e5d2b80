//! What is said of tables, listed and noted.

use super::seen::{Component, Seen};
use super::{Looked, Model, Panel, absolute, distance};
use crate::draw::number;
use crate::figures::{Cursor, Legend, Reading, Table};
use crate::{formulas, words};
use posenc::Absolute;

/// Rows on a page of the table of distances.
const DISTANCES: usize = 100;
/// Rows on a page of the table of positions, which has more columns.
const POSITIONS: usize = 50;
/// Rows that are named one by one.
const NAMED: usize = 6;

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    number::short(libm::round(1000.0 * share) / 10.0)
}

/// What components explain together, in percent, and their periods.
fn explained(components: &[Component]) -> (String, String) {
    let periods: Vec<String> = components.iter().map(|one| number::digits(one.period, 3)).collect();
    (percent(components.iter().map(|one| one.share).sum()), periods.join(", "))
}

/// The component of a row, where it has one.
fn of_row(seen: &Seen, component: usize, row: usize) -> Option<f64> {
    let along = seen.components.get(component)?.along.get(row)?;
    Some(f64::from(*along)).filter(|value| value.is_finite())
}

impl Model {
    /// A sentence or two for each scheme.
    pub(super) fn sentences(&self, cursor: &Cursor) -> Vec<String> {
        let apart = distance(cursor);
        let sentence = |panel: &Panel| {
            let Some(seen) = panel.own.seen() else { return words::table_waiting(&panel.name) };
            let mut said = if self.components { components(panel, &seen) } else { cosines(panel, &seen) };
            let mean = seen.mean.get(apart).map(|mean| f64::from(*mean)).filter(|mean| mean.is_finite());
            if let (false, Some(mean)) = (self.components, mean) {
                said.push(' ');
                said.push_str(&words::table_apart(apart, number::short(mean)));
            }
            if let Some(like) = panel.like.as_ref().and_then(Looked::seen) {
                said.push(' ');
                said.push_str(&if self.components {
                    let (share, periods) = explained(&like.components);
                    words::table_like_components(share, periods)
                } else {
                    words::table_like(number::digits(like.toeplitz, 2), number::digits(like.rank, 3))
                });
            }
            said
        };
        self.panels.iter().map(sentence).chain(self.failures.iter().cloned()).collect()
    }

    /// The values at the cursor.
    pub(super) fn values_at(&self, cursor: &Cursor) -> Vec<Reading> {
        let mut readings = Vec::new();
        let (apart, row) = (distance(cursor), cursor.position.max(0.0) as usize);
        for panel in &self.panels {
            let Some(seen) = panel.own.seen() else { continue };
            let mut push = |label: String, value: String, math: String| {
                readings.push(Reading { slot: Some(panel.slot), label, value, math });
            };
            for (place, one) in seen.components.iter().enumerate().filter(|_| self.components) {
                let Some(value) = of_row(&seen, place, row) else { continue };
                let (share, period) = (percent(one.share), number::digits(one.period, 3));
                let label = words::table_reading_component(&panel.name, place + 1, row, share, period);
                let value = number::exact(value);
                push(label, value.clone(), formulas::table_component(place + 1, row, value));
            }
            if let (false, Some(mean), Some(spread)) = (self.components, seen.mean.get(apart), seen.spread.get(apart)) {
                let (value, spread) = (number::exact(f64::from(*mean)), number::short(f64::from(*spread)));
                let math = formulas::table_cosine(apart, &value, &spread);
                push(words::table_reading_cosine(&panel.name, apart), format!("{value} ± {spread}"), math);
            }
            let near = seen.nearest(row);
            if !near.is_empty() {
                let list: Vec<String> = near.iter().map(|near| number::whole(i64::from(*near))).collect();
                push(words::table_reading_nearest(&panel.name, row), list.join(", "), String::new());
            }
            if !self.components {
                let value = number::exact(seen.toeplitz);
                push(words::table_reading_toeplitz(&panel.name), value.clone(), formulas::table_toeplitz(value));
            }
            let value = number::exact(seen.rank);
            push(words::table_reading_rank(&panel.name), value.clone(), formulas::table_rank(value));
        }
        readings
    }

    /// Colours, and what should be known.
    pub(super) fn notes(&self) -> Vec<Legend> {
        let mut legend: Vec<Legend> =
            self.panels.iter().map(|panel| Legend::Slot { slot: panel.slot, label: panel.name.clone() }).collect();
        let mut note = |text: String| legend.push(Legend::Note(text));
        if self.components {
            note(words::table_note_waves().to_owned());
        } else if self.panels.iter().any(|panel| panel.like.is_some()) {
            note(words::table_note_like().to_owned());
        }
        for panel in &self.panels {
            let left_out = panel.own.seen().map_or(0, |seen| seen.left_out);
            if left_out > 0 {
                note(words::table_note_left_out(&panel.name, left_out));
            }
            let table = absolute(&panel.own.encoding);
            if table.and_then(Absolute::rows).is_some_and(|rows| rows > panel.own.rows) {
                note(words::table_note_first(&panel.name, number::whole(panel.own.rows as i64)));
            }
            let untrained: Vec<usize> =
                (0..panel.own.rows).filter(|row| table.is_some_and(|table| table.untrained(*row as u64))).collect();
            if !untrained.is_empty() {
                let mut list: Vec<String> =
                    untrained.iter().take(NAMED).map(|row| number::whole(*row as i64)).collect();
                if untrained.len() > NAMED {
                    list.push("…".to_owned());
                }
                note(words::table_note_untrained(&panel.name, list.join(", ")));
            }
        }
        if !self.panels.is_empty() {
            self.failures.iter().cloned().for_each(note);
        }
        legend
    }

    /// A page of what is drawn.
    pub(super) fn listed(&self, cursor: &Cursor, page: i64) -> Table {
        if self.panels.is_empty() {
            return Table::default();
        }
        let rows = self.rows();
        let (here, most) = if self.components {
            (cursor.position.max(0.0) as usize, POSITIONS)
        } else {
            (distance(cursor), DISTANCES)
        };
        let last = (rows - 1) / most;
        let shown = ((here.min(rows - 1) / most) as i64 + page).clamp(0, last as i64) as usize;
        let places = shown * most..((shown + 1) * most).min(rows);
        let (caption, first) = if self.components {
            (words::table_caption_components(), words::table_axis_position())
        } else {
            (words::table_caption(), words::table_head_distance())
        };
        let heads = self.panels.iter().flat_map(|panel| self.heads(panel));
        let line = |place: usize| {
            let cells = self.panels.iter().flat_map(|panel| self.cells(panel, place));
            std::iter::once(number::whole(place as i64)).chain(cells).collect()
        };
        Table {
            caption: caption.to_owned(),
            head: std::iter::once(first.to_owned()).chain(heads).collect(),
            rows: places.map(line).collect(),
            before: shown > 0,
            after: shown < last,
        }
    }

    /// The heads of a scheme's columns.
    fn heads(&self, panel: &Panel) -> Vec<String> {
        if !self.components {
            return vec![words::table_head_mean(&panel.name), words::table_head_spread(&panel.name)];
        }
        (1..=super::COMPONENTS).map(|number| words::table_head_component(&panel.name, number)).collect()
    }

    /// A scheme's cells of a row; empty where nothing is known.
    fn cells(&self, panel: &Panel, place: usize) -> Vec<String> {
        let seen = panel.own.seen();
        let cell = |value: Option<f64>| value.map_or_else(String::new, number::exact);
        if !self.components {
            let of = |values: fn(&Seen) -> &[f32]| {
                cell(seen.as_deref().and_then(|seen| values(seen).get(place)).map(|value| f64::from(*value)))
            };
            return vec![of(|seen| &seen.mean), of(|seen| &seen.spread)];
        }
        (0..super::COMPONENTS).map(|k| cell(seen.as_ref().and_then(|seen| of_row(seen, k, place)))).collect()
    }
}

fn cosines(panel: &Panel, seen: &Seen) -> String {
    words::table_summary(
        &panel.name,
        number::digits(seen.toeplitz, 2),
        number::digits(seen.rank, 3),
        panel.own.columns,
        percent(seen.next),
    )
}

fn components(panel: &Panel, seen: &Seen) -> String {
    let (share, periods) = explained(&seen.components);
    words::table_summary_components(&panel.name, seen.components.len(), share, periods)
}
