//! The axis of offsets, and which offsets share a column of pixels.

use super::super::Scene;
use crate::draw::charts::Span;

/// Most columns of one plot: past that, a column is wider than a CSS pixel.
const MOST_COLUMNS: f64 = 1600.0;

/// Whole offsets from `low` to `high`, in runs that share a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    /// Whether equal ratios are equally wide; it then starts at 1.
    pub(super) log: bool,
    /// The first offset.
    pub(super) low: i64,
    /// The last offset.
    pub(super) high: i64,
    /// Run i is `edges[i]..edges[i+1]`; none is empty.
    pub(super) edges: Vec<i64>,
}

impl Axis {
    /// The axis of a scene on so many CSS pixels.
    pub(super) fn new(scene: &Scene, width: f64) -> Self {
        let last = (scene.length.max(1) - 1) as i64;
        let log = scene.options.choice("axis") == "log";
        let both = !log && scene.options.choice("sides") == "both";
        let (low, high) = if log {
            (1, last.max(1))
        } else if both {
            (-last, last)
        } else {
            (0, last)
        };
        let mut axis = Self { log, low, high, edges: Vec::new() };
        axis.edges = axis.runs(width.clamp(1.0, MOST_COLUMNS).floor() as usize);
        axis
    }

    /// The scale across.
    pub(super) fn span(&self) -> Span {
        let (low, high) = (self.low as f64, self.high as f64);
        if self.log { Span::Log(low, high) } else { Span::Linear(low, high) }
    }

    /// Edges of so many columns of equal width; columns without an offset are left out.
    pub(super) fn runs(&self, columns: usize) -> Vec<i64> {
        let count = self.high.saturating_sub(self.low).saturating_add(1);
        if count as u64 <= columns as u64 {
            return (self.low..=self.high + 1).collect();
        }
        let span = self.span();
        let mut edges: Vec<i64> = (0..columns)
            .map(|i| (span.value(i as f64 / columns as f64).ceil() as i64).clamp(self.low, self.high))
            .collect();
        edges.push(self.high + 1);
        edges.dedup();
        edges
    }

    /// The offset in the middle of a run.
    pub(super) fn middle(start: i64, end: i64) -> f64 {
        (start as f64 + end as f64 - 1.0) / 2.0
    }

    /// The most offsets that share a column.
    pub(super) fn most(&self) -> i64 {
        self.edges.windows(2).map(|edge| edge[1] - edge[0]).max().unwrap_or(1)
    }
}
