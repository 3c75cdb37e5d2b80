//! One scheme's pairs: what each dimension turns with, in its own layout and as the code on screen takes it, and what is
//! measured of both.

use super::{SHIFT, common};
use crate::figures::{Cursor, Scene, Slot};
use posenc::{
    Encoding, Layout, Rotary,
    pairing::{Measured, Wire, Wiring, permutation, permuted},
    vectors::Vectors,
};

/// Planes that are drawn with their lines: more would be one grey area.
const MOST_DRAWN: usize = 24;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// Both layouts, and the permutation between them.
    Both,
    /// Split as if interleaved, joined as if in halves.
    MixedJoin,
    /// Turned in halves, by angles for pairs.
    MixedTable,
    /// Weights of one layout in code of the other.
    Unpermuted,
}

impl Show {
    /// The words of links, in the order of the variants.
    pub(super) const WORDS: [&'static str; 4] = ["both", "mixed-join", "mixed-table", "unpermuted"];

    pub(super) fn from_word(word: &str) -> Self {
        match word {
            "mixed-join" => Self::MixedJoin,
            "mixed-table" => Self::MixedTable,
            "unpermuted" => Self::Unpermuted,
            _ => Self::Both,
        }
    }
}

/// The rotation that is part of a slot's scheme, if it turns anything.
pub(super) fn rotary(slot: &Slot) -> Option<&Rotary> {
    let rotary = match common::encoding(slot)? {
        Encoding::Rotary(rotary) => rotary,
        Encoding::QueryKey(both) => both.rotary()?,
        _ => return None,
    };
    (!rotary.inv_freq().is_empty()).then_some(rotary)
}

/// One scheme.
pub(super) struct Sheet {
    pub(super) slot: usize,
    pub(super) name: String,
    /// How the scheme's vectors are read, and how those below are.
    pub(super) upper: Layout,
    pub(super) lower: Layout,
    show: Show,
    /// The scheme's own code, and that on screen.
    own: Wiring,
    shown: Wiring,
    freq: Vec<f64>,
    /// For each dimension below, the one above that it is.
    pub(super) order: Vec<usize>,
    /// Query and key as the scheme has them, and as the code on screen gets them.
    above: [Vec<f64>; 2],
    below: [Vec<f64>; 2],
}

impl Sheet {
    pub(super) fn new(scene: &Scene, slot: &Slot, show: Show) -> Option<Self> {
        let rotary = rotary(slot)?;
        let own = rotary.layout();
        let upper = if own == Layout::Half { Layout::Half } else { Layout::Interleaved };
        let lower = if upper == Layout::Half { Layout::Interleaved } else { Layout::Half };
        let vectors = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap_or(Vectors::Ones);
        let (q, k) = vectors.pair(rotary.head_dim());
        let planes = rotary.inv_freq().len();
        let shown = match show {
            Show::Both | Show::Unpermuted => Wiring::Layout(lower),
            Show::MixedJoin => Wiring::MixedJoin,
            Show::MixedTable => Wiring::MixedTable,
        };
        let order = match show {
            Show::Both => permutation(upper, lower, planes, rotary.head_dim()),
            _ => (0..rotary.head_dim()).collect(),
        };
        let below = [permuted(&q, &order), permuted(&k, &order)];
        Some(Self {
            slot: slot.index,
            name: common::name(&scene.slots, slot),
            upper,
            lower,
            show,
            own: Wiring::Layout(own),
            shown,
            freq: rotary.inv_freq().to_vec(),
            order,
            above: [q, k],
            below,
        })
    }

    pub(super) fn head_dim(&self) -> usize {
        self.above[0].len()
    }

    pub(super) fn planes(&self) -> usize {
        self.freq.len()
    }

    /// Whether outputs are drawn below, and not another order of the inputs.
    pub(super) fn is_mixed(&self) -> bool {
        matches!(self.show, Show::MixedJoin | Show::MixedTable)
    }

    /// The scheme's own code and that on screen, measured with the query and the key at the cursor.
    pub(super) fn measured(&self, cursor: &Cursor) -> Option<(Measured, Measured)> {
        let at = (cursor.position, cursor.position - cursor.offset as f64);
        let measured = |wiring, [q, k]: &[Vec<f64>; 2]| Measured::new(wiring, &self.freq, (q, k), at, SHIFT).ok();
        Some((measured(self.own, &self.above)?, measured(self.shown, &self.below)?))
    }

    /// The query as the code on screen turns it.
    pub(super) fn turned(&self, position: f64) -> Option<Vec<f64>> {
        self.shown.turned(&self.below[0], position, &self.freq).ok()
    }

    /// What output `i` of the code on screen is made of.
    pub(super) fn wire(&self, i: usize) -> Wire {
        self.shown.wire(i, self.planes())
    }

    /// The outputs that are turned by a plane's angle, with what they are made of.
    pub(super) fn wires(&self, plane: usize) -> impl Iterator<Item = (usize, Wire)> {
        (0..2 * self.planes()).map(|i| (i, self.wire(i))).filter(move |(_, wire)| wire.plane == plane)
    }

    /// The two dimensions of a plane, as the strip above is read.
    pub(super) fn pair(&self, plane: usize) -> (usize, usize) {
        let layout = match self.show {
            Show::MixedJoin => Layout::Interleaved,
            Show::MixedTable => Layout::Half,
            Show::Both | Show::Unpermuted => self.upper,
        };
        layout.pair(plane, self.planes())
    }

    /// The two dimensions of a plane, as the strip below is read or written.
    pub(super) fn pair_below(&self, plane: usize) -> (usize, usize) {
        let layout = match self.show {
            Show::MixedJoin => Layout::Half,
            Show::MixedTable => Layout::Interleaved,
            Show::Both | Show::Unpermuted => self.lower,
        };
        layout.pair(plane, self.planes())
    }

    /// The planes by dimension, of the strip above or of that below; dimensions that are passed have none.
    pub(super) fn planes_by_dim(&self, below: bool) -> Vec<Option<usize>> {
        let mut found = vec![None; self.head_dim()];
        for plane in 0..self.planes() {
            let (a, b) = if below { self.pair_below(plane) } else { self.pair(plane) };
            (found[a], found[b]) = (Some(plane), Some(plane));
        }
        found
    }

    /// The planes whose lines are drawn: some spread over all.
    pub(super) fn drawn(&self) -> Vec<usize> {
        let all = self.planes();
        let count = all.min(MOST_DRAWN);
        (0..count).map(|i| if count < 2 { 0 } else { i * (all - 1) / (count - 1) }).collect()
    }

    /// A dimension's row of the table: see the heads in the figure.
    pub(super) fn cells(&self, dim: usize) -> [Option<usize>; 3] {
        if dim >= 2 * self.planes() {
            return [None; 3];
        }
        let partner = |layout: Layout| Wiring::Layout(layout).wire(dim, self.planes()).partner;
        let plane = Wiring::Layout(self.upper).wire(dim, self.planes()).plane;
        match self.show {
            Show::Both => [Some(plane), Some(partner(self.upper)), self.order.iter().position(|from| *from == dim)],
            Show::Unpermuted => [Some(plane), Some(partner(self.upper)), Some(partner(self.lower))],
            Show::MixedJoin | Show::MixedTable => {
                let wire = self.wire(dim);
                [Some(wire.own), Some(wire.partner), Some(wire.plane)]
            }
        }
    }
}
