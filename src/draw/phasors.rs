//! Clocks with two hands: a query and a key in one plane, and the angle between them. x = cos, y = sin, so angles grow
//! against the clock from three o'clock.

use super::Surface;
use std::f64::consts::TAU;

/// A hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hand {
    /// Radians.
    pub angle: f64,
    /// Share of the radius, 0 to 1.
    pub length: f64,
}

/// A clock, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Its middle, across.
    pub x: f64,
    /// Its middle, from above.
    pub y: f64,
    /// Its radius.
    pub radius: f64,
    /// The query: an unbroken hand with a full end.
    pub query: Hand,
    /// The key: a dashed hand with a hollow end.
    pub key: Hand,
    /// How far the query is turned from the key, in radians; drawn as an arc, at most once around.
    pub between: f64,
}

/// What of a clock is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The query's hand.
    Query,
    /// The key's hand.
    Key,
    /// Its face.
    Face,
}

impl Clock {
    /// Where a hand ends.
    pub fn end(&self, hand: Hand) -> (f64, f64) {
        let reach = self.radius * hand.length;
        (self.x + reach * libm::cos(hand.angle), self.y - reach * libm::sin(hand.angle))
    }

    /// The angle of a place seen from the middle, in radians.
    pub fn angle_at(&self, x: f64, y: f64) -> f64 {
        libm::atan2(self.y - y, x - self.x)
    }

    /// What is at a place: a hand within a finger's reach of it, or the face.
    pub fn part_at(&self, x: f64, y: f64) -> Option<Part> {
        let (dx, dy) = (x - self.x, y - self.y);
        if libm::hypot(dx, dy) > self.radius * 1.15 + 4.0 {
            return None;
        }
        let reach = (self.radius * 0.22).clamp(8.0, 22.0);
        let query = distance((x, y), (self.x, self.y), self.end(self.query));
        let key = distance((x, y), (self.x, self.y), self.end(self.key));
        // In the middle both hands are near: that is the face.
        let inside = libm::hypot(dx, dy) < self.radius * 0.25;
        Some(if inside || query.min(key) > reach {
            Part::Face
        } else if query <= key {
            Part::Query
        } else {
            Part::Key
        })
    }

    /// Draws it.
    pub fn draw(&self, on: &Surface, colour: &str, chosen: bool) {
        let ink = &on.ink;
        let middle = (self.x, self.y);
        let (rim, wide) = if chosen { (&ink.accent, 2.0) } else { (&ink.hairline, 1.0) };
        on.arc(middle, self.radius, (0.0, TAU), rim, wide);
        // The x axis, from which angles are counted.
        on.line((self.x + self.radius - 4.0, self.y), (self.x + self.radius, self.y), &ink.muted, 1.0);
        if self.between != 0.0 {
            let turn = self.between.clamp(-TAU, TAU);
            on.arc(middle, self.radius * 0.36, (-self.key.angle, -self.key.angle - turn), &ink.accent, 2.0);
        }
        let width = (self.radius / 18.0).clamp(1.5, 4.0);
        let knob = (self.radius / 12.0).clamp(2.5, 7.0);
        on.dash(&[4.0, 3.0]);
        let end = self.end(self.key);
        on.line(middle, end, colour, width);
        on.dash(&[]);
        on.dot(end, knob, &ink.paper, colour);
        let end = self.end(self.query);
        on.line(middle, end, colour, width);
        on.dot(end, knob, colour, colour);
        on.dot(middle, 1.5, &ink.ink, &ink.ink);
    }
}

/// How far a place is from a stretch.
fn distance((x, y): (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let square = dx * dx + dy * dy;
    let t = if square > 0.0 { (((x - from.0) * dx + (y - from.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    libm::hypot(x - from.0 - t * dx, y - from.1 - t * dy)
}

/// The angle nearest to `near` that points the same way as `angle`.
pub fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle + ((near - angle) / TAU).round() * TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn hands_are_found_where_they_are_drawn() {
        let clock = Clock {
            x: 100.0,
            y: 100.0,
            radius: 50.0,
            query: Hand { angle: FRAC_PI_2, length: 0.9 },
            key: Hand { angle: 0.0, length: 0.9 },
            between: FRAC_PI_2,
        };
        assert_eq!(clock.part_at(100.0, 60.0), Some(Part::Query));
        assert_eq!(clock.part_at(140.0, 100.0), Some(Part::Key));
        assert_eq!(clock.part_at(70.0, 130.0), Some(Part::Face));
        assert_eq!(clock.part_at(100.0, 100.0), Some(Part::Face));
        assert_eq!(clock.part_at(300.0, 100.0), None);
        assert!((clock.angle_at(100.0, 20.0) - FRAC_PI_2).abs() < 1e-12);
        let end = clock.end(clock.query);
        assert!((end.0 - 100.0).abs() < 1e-9 && (end.1 - 55.0).abs() < 1e-9);
    }

    #[test]
    fn turns_are_unwrapped() {
        assert!((nearest_turn(0.1, 12.6) - (0.1 + 2.0 * TAU)).abs() < 1e-12);
        assert_eq!(nearest_turn(0.1, 0.2), 0.1);
    }
}
