//! Offsets side by side, each in a cell of its own: cells of one width, or of widths that shrink with the distance.

/// Whole offsets from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ruler {
    low: i64,
    high: i64,
    log: bool,
}

impl Ruler {
    /// The ruler of so many tokens, back only or to both sides.
    pub(super) fn new(length: u64, both: bool, log: bool) -> Self {
        let last = (length.max(1) - 1) as i64;
        Self { low: if both { -last } else { 0 }, high: last, log }
    }

    /// The first offset.
    pub(super) fn low(&self) -> i64 {
        self.low
    }

    /// The last offset.
    pub(super) fn high(&self) -> i64 {
        self.high
    }

    fn scale(&self, edge: f64) -> f64 {
        if self.log { libm::copysign(libm::log1p(edge.abs()), edge) } else { edge }
    }

    /// Where a cell's edge lies: cell δ goes from δ to δ + 1. 0 is the left end, 1 the right one.
    pub(super) fn share(&self, edge: f64) -> f64 {
        let (low, high) = (self.scale(self.low as f64), self.scale(self.high as f64 + 1.0));
        (self.scale(edge) - low) / (high - low)
    }

    /// The offset whose cell is at a share.
    pub(super) fn offset(&self, share: f64) -> i64 {
        let (low, high) = (self.scale(self.low as f64), self.scale(self.high as f64 + 1.0));
        let at = low + share.clamp(0.0, 1.0) * (high - low);
        // A hair to the right: an edge belongs to the cell that begins there, however it was rounded.
        let edge = if self.log { libm::copysign(libm::expm1(at.abs()), at) } else { at };
        ((edge + 1e-9 * (1.0 + edge.abs())).floor() as i64).clamp(self.low, self.high)
    }

    /// The offsets of columns of one width, at most so many: each offset, or those in the middles of columns.
    pub(super) fn columns(&self, most: usize) -> Vec<i64> {
        let count = (self.high - self.low + 1) as u64;
        if !self.log && count <= most as u64 {
            return (self.low..=self.high).collect();
        }
        (0..most).map(|i| self.offset((i as f64 + 0.5) / most as f64)).collect()
    }

    /// Whether each of so many columns is one offset.
    pub(super) fn is_whole(&self, columns: usize) -> bool {
        (self.high - self.low) < columns as i64
    }

    /// Round offsets, so that they stand `room` shares apart at the least.
    pub(super) fn ticks(&self, room: f64) -> Vec<i64> {
        let most = (1.0 / room.max(0.01)).floor().max(1.0) as usize;
        let mut ticks: Vec<i64> = if self.log {
            let side = crate::draw::ticks::logarithmic(1.0, self.high.max(1) as f64, most);
            let back = side.iter().map(|tick| *tick as i64);
            let ahead = side.iter().filter(|_| self.low < 0).map(|tick| -(*tick as i64));
            std::iter::once(0).chain(back).chain(ahead).collect()
        } else {
            crate::draw::ticks::whole(self.low as f64, self.high as f64, most).iter().map(|tick| *tick as i64).collect()
        };
        ticks.sort_unstable();
        let mut last = f64::NEG_INFINITY;
        ticks.retain(|tick| {
            let at = self.share(*tick as f64 + 0.5);
            let keep = (self.low..=self.high).contains(tick) && at - last >= room * 0.7;
            if keep {
                last = at;
            }
            keep
        });
        ticks
    }
}
