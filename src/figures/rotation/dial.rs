//! One scheme's planes: how fast each turns, where query and key start, and what each adds to the score.

use super::super::{Cursor, Scene, Slot, common};
use posenc::{Encoding, Error, Rotary, profile::Fading, vectors::Vectors, waves::Column};
use std::f64::consts::TAU;
use std::rc::Rc;

/// A vector's part in one plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Start {
    /// Its angle before it is turned, in radians.
    pub(super) angle: f64,
    /// Its length.
    pub(super) length: f64,
}

impl Start {
    fn of(x: f64, y: f64) -> Self {
        Self { angle: libm::atan2(y, x), length: libm::hypot(x, y) }
    }
}

/// One scheme's planes.
pub(super) struct Dial {
    /// Its slot.
    pub(super) slot: usize,
    /// Its name.
    pub(super) name: String,
    /// Whether q and k are turned; else position vectors are compared.
    pub(super) rotary: bool,
    freq: Vec<f64>,
    query: Vec<Start>,
    key: Vec<Start>,
    longest: f64,
    /// What the planes add; they fade with the offset, or not at all.
    profile: Option<Fading>,
    encoding: Rc<Result<Encoding, Error>>,
    q: Vec<f64>,
    k: Vec<f64>,
}

impl Dial {
    /// The planes of a slot, if it has any.
    pub(super) fn new(scene: &Scene, slot: &Slot) -> Option<Self> {
        let mut dial = Self {
            slot: slot.index,
            name: common::name(&scene.slots, slot),
            rotary: false,
            freq: Vec::new(),
            query: Vec::new(),
            key: Vec::new(),
            longest: 1.0,
            profile: None,
            encoding: slot.encoding.clone(),
            q: Vec::new(),
            k: Vec::new(),
        };
        match common::encoding(slot)? {
            Encoding::Rotary(rotary) => {
                dial.turn(scene, rotary);
                let still = |profile| Fading::new(profile, vec![0.0; dial.freq.len()]);
                dial.profile = rotary.profile(&dial.q, &dial.k).ok().map(still);
            }
            Encoding::QueryKey(both) => {
                dial.turn(scene, both.rotary()?);
                dial.profile = both.profile(&dial.q, &dial.k).ok().flatten();
            }
            Encoding::Absolute(table) => {
                dial.freq = table.waves()?.freq().to_vec();
                dial.query = vec![Start::of(1.0, 0.0); dial.freq.len()];
                dial.key.clone_from(&dial.query);
                let still = |profile| Fading::new(profile, vec![0.0; dial.freq.len()]);
                dial.profile = table.profile().map(still);
            }
            _ => return None,
        }
        let longest = dial.query.iter().chain(&dial.key).map(|start| start.length).fold(0.0, f64::max);
        dial.longest = if longest > 0.0 { longest } else { 1.0 };
        (!dial.freq.is_empty()).then_some(dial)
    }

    /// Takes the planes of a rotation, and the query and the key that it turns.
    fn turn(&mut self, scene: &Scene, rotary: &Rotary) {
        let vectors = Vectors::from_word(scene.options.choice("vectors"), scene.seed).unwrap_or(Vectors::Ones);
        let (q, k) = vectors.pair(rotary.head_dim());
        let starts = |x: &[f64]| {
            let start = |plane: usize| {
                let (i, j) = rotary.pair(plane);
                Start::of(x[i], x[j])
            };
            (0..rotary.inv_freq().len()).map(start).collect()
        };
        self.rotary = true;
        self.freq = rotary.inv_freq().to_vec();
        (self.query, self.key) = (starts(&q), starts(&k));
        (self.q, self.k) = (q, k);
    }

    /// What an offset leaves of a plane: 1 where it does not fade.
    pub(super) fn left(&self, plane: usize, offset: i64) -> f64 {
        match &self.profile {
            Some(profile) if plane < profile.decay().len() => profile.left(plane, offset as f64),
            _ => 1.0,
        }
    }

    /// Whether planes fade with the offset.
    pub(super) fn fades(&self) -> bool {
        self.profile.as_ref().is_some_and(|profile| profile.decay().iter().any(|decay| *decay != 0.0))
    }

    /// Whether there is one hand to see: a position's own vector, and no other to compare it with.
    pub(super) fn is_one(&self, cursor: &Cursor) -> bool {
        !self.rotary && cursor.offset == 0
    }

    /// How many planes there are, at least one.
    pub(super) fn planes(&self) -> usize {
        self.freq.len()
    }

    /// Radians per token.
    pub(super) fn frequency(&self, plane: usize) -> f64 {
        self.freq.get(plane).copied().unwrap_or(0.0)
    }

    /// Tokens to a full turn.
    pub(super) fn wavelength(&self, plane: usize) -> f64 {
        TAU / self.frequency(plane)
    }

    /// Where query and key start in a plane.
    pub(super) fn starts(&self, plane: usize) -> (Start, Start) {
        let none = Start { angle: 0.0, length: 0.0 };
        (self.query.get(plane).copied().unwrap_or(none), self.key.get(plane).copied().unwrap_or(none))
    }

    /// A length as a share of the longest.
    pub(super) fn share_of_longest(&self, length: f64) -> f64 {
        length / self.longest
    }

    /// What a plane adds to the score. A plane that lacks its sine or its cosine adds what the other one does, which
    /// depends on the position.
    pub(super) fn share(&self, plane: usize, position: f64, offset: i64) -> f64 {
        match (&self.profile, self.encoding.as_ref()) {
            (Some(profile), _) if plane < profile.decay().len() => profile.plane_at(plane, offset as f64),
            (_, Ok(Encoding::Absolute(table))) => table.waves().map_or(f64::NAN, |waves| {
                let own = waves.columns().iter().enumerate().filter(|(_, column)| match column {
                    Column::Sin(of) | Column::Cos(of) => *of == plane,
                    Column::Constant(_) => false,
                });
                own.map(|(dim, _)| waves.at(position, dim) * waves.at(position - offset as f64, dim)).sum()
            }),
            _ => f64::NAN,
        }
    }

    /// The score at an offset, where it is a function of that.
    pub(super) fn score(&self, offset: i64) -> Option<f64> {
        self.profile.as_ref().map(|profile| profile.at(offset as f64))
    }

    /// The score of a query and a key that were really turned to their positions.
    pub(super) fn measured(&self, position: f64, offset: i64) -> Option<f64> {
        let at = position - offset as f64;
        match self.encoding.as_ref() {
            Ok(Encoding::Rotary(rotary)) => {
                let (mut q, mut k) = (vec![0.0; self.q.len()], vec![0.0; self.k.len()]);
                rotary.rotate(&self.q, position, &mut q).and(rotary.rotate(&self.k, at, &mut k)).ok()?;
                Some(dot(&q, &k) / (rotary.head_dim() as f64).sqrt())
            }
            Ok(Encoding::QueryKey(both)) => both.score(&self.q, &self.k, position, at).ok(),
            Ok(Encoding::Absolute(table)) => {
                let (mut near, mut far) = (vec![0.0; table.width()], vec![0.0; table.width()]);
                table.write_row(position, &mut near).and(table.write_row(at, &mut far)).ok()?;
                Some(dot(&near, &far))
            }
            _ => None,
        }
    }

    /// Width of query and key.
    pub(super) fn head_dim(&self) -> usize {
        self.q.len()
    }

    /// The planes that are shown: those that are wanted, or the cursor's among some spread over the spectrum.
    pub(super) fn shown(&self, wanted: &[i64], cursor: usize) -> Vec<usize> {
        let count = self.planes();
        if !wanted.is_empty() {
            let mut shown = Vec::with_capacity(wanted.len());
            for plane in wanted.iter().map(|plane| *plane as usize) {
                if plane < count && !shown.contains(&plane) {
                    shown.push(plane);
                }
            }
            if !shown.is_empty() {
                return shown;
            }
        }
        let most = count.min(super::CHOSEN);
        let mut shown: Vec<usize> =
            (0..most).map(|i| if most < 2 { 0 } else { (i * (count - 1) + (most - 1) / 2) / (most - 1) }).collect();
        if cursor < count
            && !shown.contains(&cursor)
            && let Some(nearest) = shown.iter_mut().min_by_key(|plane| plane.abs_diff(cursor))
        {
            *nearest = cursor;
        }
        shown
    }
}

/// How many planes a slot has: as many as its [`Dial`], which is dearer to make.
pub(super) fn planes(slot: &Slot) -> usize {
    match common::encoding(slot) {
        Some(Encoding::Rotary(rotary)) => rotary.inv_freq().len(),
        Some(Encoding::QueryKey(both)) => both.rotary().map_or(0, |rotary| rotary.inv_freq().len()),
        Some(Encoding::Absolute(table)) => table.waves().map_or(0, |waves| waves.freq().len()),
        _ => 0,
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
