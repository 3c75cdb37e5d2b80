//! Eigenvalues and eigenvectors of a symmetric matrix, in steps.
//!
//! Householder's reduction to three diagonals, the eigenvalues of those by implicit QL with Wilkinson's shift (Wilkinson
//! & Reinsch 1971, `tred2` and `tql1`), and of the greatest ones the vectors by inverse iteration. A library would do
//! it at one go, and a page that waits for a second has to be able to say how far it is, and to stop.

/// Products of a sum are taken in eight lanes, which a compiler can do side by side; the same on every machine.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (eights, rest) = (a.chunks_exact(8).zip(b.chunks_exact(8)), a.len() / 8 * 8);
    for (a, b) in eights {
        for i in 0..8 {
            lanes[i] += a[i] * b[i];
        }
    }
    let tail: f64 = a[rest..].iter().zip(&b[rest..]).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + tail
}

/// Multiplies every number.
pub(super) fn scale_by(numbers: &mut [f64], factor: f64) {
    for number in numbers {
        *number *= factor;
    }
}

/// A matrix on its way to three diagonals.
#[derive(Debug)]
pub(super) struct Reduction {
    n: usize,
    /// Row by row. Of row `i`, once it is reduced, the first `i` numbers are the vector of its reflection.
    matrix: Vec<f64>,
    diagonal: Vec<f64>,
    /// Beside the diagonal: of rows `i` and `i − 1`.
    beside: Vec<f64>,
    /// 2/|v|² of each reflection; 0 where there is none.
    factors: Vec<f64>,
    /// The next row to reduce, from the last to the second.
    next: usize,
}

impl Reduction {
    /// Of an n × n matrix, row by row.
    pub(super) fn new(n: usize, matrix: Vec<f64>) -> Self {
        let next = n.saturating_sub(1);
        Self { n, matrix, diagonal: vec![0.0; n], beside: vec![0.0; n], factors: vec![0.0; n], next }
    }

    /// The share of the reduction that is done.
    pub(super) fn share(&self) -> f64 {
        let left = (self.next as f64 + 1.0) / self.n.max(1) as f64;
        1.0 - left * left * left
    }

    /// Reduces rows for about so many products; true when nothing is left.
    pub(super) fn step(&mut self, most: usize) -> bool {
        let mut done = 0;
        while self.next > 0 && done < most {
            self.reduce(self.next);
            done += 4 * self.next * self.next;
            self.next -= 1;
        }
        if self.next == 0 && self.n > 0 {
            self.diagonal[0] = self.matrix[0];
        }
        self.next == 0
    }

    /// Reflects so that of row `i` only the number beside the diagonal is left.
    fn reduce(&mut self, i: usize) {
        let n = self.n;
        self.diagonal[i] = self.matrix[i * n + i];
        let (above, below) = self.matrix.split_at_mut(i * n);
        let v = &mut below[..i];
        let norm = dot(v, v).sqrt();
        if norm == 0.0 {
            return;
        }
        let last = v[i - 1];
        let alpha = if last > 0.0 { -norm } else { norm };
        v[i - 1] = last - alpha;
        self.beside[i] = alpha;
        let factor = 2.0 / dot(v, v);
        self.factors[i] = factor;
        // A ← A − v·wᵀ − w·vᵀ with w = f·A·v − (f²/2)·(vᵀ·A·v)·v, for the rows and columns before i.
        let mut w: Vec<f64> = (0..i).map(|row| factor * dot(&above[row * n..row * n + i], v)).collect();
        let half = factor / 2.0 * dot(&w, v);
        for (w, v) in w.iter_mut().zip(&*v) {
            *w -= half * v;
        }
        for row in 0..i {
            let (a, b) = (v[row], w[row]);
            for ((cell, v), w) in above[row * n..row * n + i].iter_mut().zip(&*v).zip(&w) {
                *cell -= a * w + b * v;
            }
        }
    }

    /// All eigenvalues, falling.
    pub(super) fn values(&self) -> Vec<f64> {
        let (mut d, mut e) = (self.diagonal.clone(), self.beside.clone());
        if self.n > 0 {
            e.rotate_left(1);
        }
        for l in 0..self.n {
            // Each takes two or three rounds; a matrix of no numbers would take for ever.
            for _ in 0..60 {
                let small = |m: &usize| e[*m].abs() <= f64::EPSILON * (d[*m].abs() + d[*m + 1].abs());
                let m = (l..self.n - 1).find(small).unwrap_or(self.n - 1);
                if m == l {
                    break;
                }
                rotate(&mut d, &mut e, l, m);
            }
        }
        d.sort_by(|a, b| b.total_cmp(a));
        d
    }

    /// The eigenvectors of some eigenvalues, of length 1 and at right angles.
    pub(super) fn vectors(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let scale = self.diagonal.iter().chain(&self.beside).fold(0.0_f64, |most, x| most.max(x.abs()));
        let mut found: Vec<Vec<f64>> = Vec::new();
        for (k, value) in values.iter().enumerate() {
            // Equal values need shifts that differ, or their vectors would be the same.
            let shift = value + scale * f64::EPSILON * (k as f64 + 1.0) * 4.0;
            let mut vector: Vec<f64> = (0..self.n).map(|i| 1.0 + 0.5 * libm::sin((i * (k + 1)) as f64)).collect();
            for _ in 0..4 {
                self.solve(shift, &mut vector);
                for _ in 0..2 {
                    for other in &found {
                        let part = dot(&vector, other);
                        vector.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
                    }
                }
                let norm = dot(&vector, &vector).sqrt();
                scale_by(&mut vector, 1.0 / norm);
            }
            found.push(vector);
        }
        for vector in &mut found {
            self.reflect_back(vector);
        }
        found
    }

    /// Solves (T − shift)·x = b for x in place, by elimination with the larger of two rows first.
    fn solve(&self, shift: f64, x: &mut [f64]) {
        let n = self.n;
        let tiny = f64::EPSILON * f64::EPSILON * self.diagonal.iter().fold(1.0_f64, |most, d| most.max(d.abs()));
        // Three numbers of each row from the diagonal on, after elimination.
        let mut rows: Vec<[f64; 3]> = Vec::with_capacity(n);
        let row = |i: usize| {
            let beside = if i + 1 < n { self.beside[i + 1] } else { 0.0 };
            [self.diagonal[i] - shift, beside, 0.0]
        };
        if n == 0 {
            return;
        }
        let mut upper = row(0);
        for i in 1..n {
            let below = self.beside[i];
            let [a, b, _] = row(i);
            if below.abs() > upper[0].abs() {
                // The two rows change places.
                let factor = upper[0] / below;
                rows.push([below, a, b]);
                x.swap(i - 1, i);
                x[i] -= factor * x[i - 1];
                upper = [upper[1] - factor * a, upper[2] - factor * b, 0.0];
            } else {
                let pivot = if upper[0] == 0.0 { tiny } else { upper[0] };
                let factor = below / pivot;
                rows.push([pivot, upper[1], upper[2]]);
                x[i] -= factor * x[i - 1];
                upper = [a - factor * upper[1], b - factor * upper[2], 0.0];
            }
        }
        rows.push([if upper[0] == 0.0 { tiny } else { upper[0] }, 0.0, 0.0]);
        for i in (0..n).rev() {
            let [a, b, c] = rows[i];
            let after = |k: usize| x.get(k).copied().unwrap_or_default();
            x[i] = (x[i] - b * after(i + 1) - c * after(i + 2)) / a;
            if x[i].abs() > 1e150 {
                // What counts is the direction.
                scale_by(x, 1e-150);
            }
        }
    }

    /// From the three diagonals' coordinates back to the matrix's.
    fn reflect_back(&self, vector: &mut [f64]) {
        for i in 1..self.n {
            if self.factors[i] > 0.0 {
                let v = &self.matrix[i * self.n..i * self.n + i];
                let part = self.factors[i] * dot(v, &vector[..i]);
                vector[..i].iter_mut().zip(v).for_each(|(x, v)| *x -= part * v);
            }
        }
    }
}

/// One round of implicit QL from place m up to place l.
fn rotate(d: &mut [f64], e: &mut [f64], l: usize, m: usize) {
    let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
    let r = libm::hypot(g, 1.0);
    let mut g = d[m] - d[l] + e[l] / (g + if g < 0.0 { -r } else { r });
    let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
    for i in (l..m).rev() {
        let (f, b) = (s * e[i], c * e[i]);
        let r = libm::hypot(f, g);
        e[i + 1] = r;
        if r == 0.0 {
            d[i + 1] -= p;
            e[m] = 0.0;
            return;
        }
        (s, c) = (f / r, g / r);
        g = d[i + 1] - p;
        let r = (d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0.0;
}
