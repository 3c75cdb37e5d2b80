//! Cosines of all pairs of rows.

use super::NEIGHBOURS;

/// Numbers that are multiplied in a step: a few milliseconds.
const STEP: usize = 1 << 21;

/// Sums over pairs by their distance.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

/// The cosines of the pairs that were looked at.
#[derive(Debug)]
pub(super) struct Cosines {
    columns: usize,
    /// Rows of length 1, and the place of each in the table.
    units: Vec<f64>,
    places: Vec<usize>,
    /// The next row whose pairs with all before it are looked at.
    next: usize,
    by_distance: Vec<Sums>,
    /// The cosines with the nearest rows, falling, and their numbers among those kept.
    nearest: Vec<Vec<(f64, usize)>>,
    all: usize,
}

impl Cosines {
    /// Of rows at these places of a table of `all` rows.
    pub(super) fn new(columns: usize, rows: &[f64], places: Vec<usize>, all: usize) -> Self {
        let mut units = rows.to_vec();
        for row in units.chunks_exact_mut(columns) {
            // By the largest first: squares of very small or large numbers are none.
            let most = row.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            // Not times 1 / most, which may be infinite.
            for x in &mut *row {
                *x /= most;
            }
            let norm = row.iter().map(|x| *x * *x).sum::<f64>().sqrt();
            super::symmetric::scale_by(row, 1.0 / norm);
        }
        let nearest = vec![Vec::with_capacity(NEIGHBOURS + 1); places.len()];
        Self { columns, units, places, next: 0, by_distance: vec![Sums::default(); all], nearest, all }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.units[row * self.columns..(row + 1) * self.columns]
    }

    /// Does a step; true when nothing is left.
    pub(super) fn step(&mut self) -> bool {
        let mut done = 0;
        while self.next < self.places.len() && done < STEP {
            let i = self.next;
            for j in 0..i {
                let cosine = super::symmetric::dot(self.row(i), self.row(j));
                let sums = &mut self.by_distance[self.places[i] - self.places[j]];
                sums.count += 1.0;
                sums.sum += cosine;
                sums.squares += cosine * cosine;
                for (one, other) in [(i, j), (j, i)] {
                    let near = &mut self.nearest[one];
                    if near.len() < NEIGHBOURS || near.last().is_some_and(|(last, _)| cosine > *last) {
                        let place = near.partition_point(|(nearer, _)| *nearer >= cosine);
                        near.insert(place, (cosine, other));
                        near.truncate(NEIGHBOURS);
                    }
                }
            }
            self.by_distance[0].count += 1.0;
            self.by_distance[0].sum += 1.0;
            self.by_distance[0].squares += 1.0;
            done += (i + 1) * self.columns;
            self.next += 1;
        }
        self.next == self.places.len()
    }

    /// What is done and what there is to do, in products.
    pub(super) fn work(&self) -> (f64, f64) {
        let pairs = |n: usize| n as f64 * n as f64 / 2.0 * self.columns as f64;
        (pairs(self.next), pairs(self.places.len()))
    }

    /// Mean and spread by distance, the Toeplitz share, nearest rows by place.
    pub(super) fn finish(self) -> (Vec<f64>, Vec<f64>, f64, Vec<Vec<usize>>) {
        let mean: Vec<f64> = self.by_distance.iter().map(|sums| sums.sum / sums.count).collect();
        // Rounding may leave a little less than nothing.
        let variance = |sums: &Sums, mean: f64| (sums.squares / sums.count - mean * mean).max(0.0);
        let spread = self.by_distance.iter().zip(&mean).map(|(sums, mean)| variance(sums, *mean).sqrt()).collect();
        let pairs = &self.by_distance[1.min(self.all)..];
        let all = pairs.iter().fold(Sums::default(), |all, one| Sums {
            count: all.count + one.count,
            sum: all.sum + one.sum,
            squares: all.squares + one.squares,
        });
        let total = variance(&all, all.sum / all.count) * all.count;
        let within: f64 = pairs
            .iter()
            .filter(|sums| sums.count > 0.0)
            .map(|sums| variance(sums, sums.sum / sums.count) * sums.count)
            .sum();
        let toeplitz = if total > 1e-12 * all.count { 1.0 - within / total } else { f64::NAN };
        let mut nearest = vec![Vec::new(); self.all];
        for (place, near) in self.places.iter().zip(&self.nearest) {
            nearest[*place] = near.iter().map(|(_, near)| self.places[*near]).collect();
        }
        (mean, spread, toeplitz, nearest)
    }
}
