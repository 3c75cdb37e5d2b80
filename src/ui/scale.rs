//! From a parameter's range to a slider's track and back, and what a key does to it. Pure: tested without a browser.

use posenc::{Kind, ParamSpec, Scale, Value};

/// The numeric range of a parameter as a slider sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// One step: a value, or decades on a logarithmic track.
    step: f64,
    log: bool,
    whole: bool,
}

/// Steps of a big move (Page Up, Page Down).
const BIG: f64 = 10.0;
/// Decades of one step of a whole number on a logarithmic track.
const WHOLE_DECADES: f64 = 0.05;
/// What is less than this share of a step off a line of the grid is on it: a value may have been rounded.
const NEAR_LINE: f64 = 0.3;

impl Track {
    /// The track of a numeric parameter, narrowed to `bounds` where the rest of the state narrows it.
    pub fn new(spec: &ParamSpec, bounds: Option<(f64, f64)>) -> Option<Self> {
        let (min, max, step, scale, whole) = match spec.kind {
            Kind::Integer { min, max, step, scale, .. } => (min as f64, max as f64, step as f64, scale, true),
            Kind::Real { min, max, step, scale, .. } => (min, max, step, scale, false),
            _ => return None,
        };
        let (low, high) = bounds.unwrap_or((min, max));
        let (min, max) = (min.max(low), max.min(high));
        Some(Self { min, max: max.max(min), step, log: scale == Scale::Log && min > 0.0, whole })
    }

    /// Where a value lies, from 0 to 1.
    pub fn fraction(&self, value: f64) -> f64 {
        let part = if self.log {
            libm::log(value.max(self.min) / self.min) / libm::log(self.max / self.min)
        } else {
            (value - self.min) / (self.max - self.min)
        };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The value at a fraction, rounded to what a person would choose.
    pub fn value(&self, fraction: f64) -> f64 {
        if fraction <= 0.0 {
            return self.min;
        }
        if fraction >= 1.0 {
            return self.max;
        }
        let value = if self.log {
            self.min * libm::pow(self.max / self.min, fraction)
        } else {
            self.min + fraction * (self.max - self.min)
        };
        self.round(value)
    }

    /// To a whole multiple of the step where the track is one of steps, else to three digits.
    fn round(&self, value: f64) -> f64 {
        let rounded = if self.whole {
            (value / self.step).round() * self.step
        } else if self.log {
            three_digits(value)
        } else {
            // Steps are counted from the low end; 12 digits hide what 0.1 + 0.2 shows.
            let stepped = self.min + ((value - self.min) / self.step).round() * self.step;
            (stepped * 1e12).round() / 1e12
        };
        rounded.clamp(self.min, self.max)
    }

    /// The value after a key, where the key moves a slider.
    pub fn key(&self, value: f64, key: &str) -> Option<f64> {
        let steps = match key {
            "ArrowRight" | "ArrowUp" => 1.0,
            "ArrowLeft" | "ArrowDown" => -1.0,
            "PageUp" => BIG,
            "PageDown" => -BIG,
            "Home" => return Some(self.min),
            "End" => return Some(self.max),
            _ => return None,
        };
        let next = if self.log {
            let decades = if self.whole { WHOLE_DECADES } else { self.step };
            // From line to line of a grid: there and back again is the same place, though values are rounded.
            let at = libm::log10(value) / decades;
            let line = at.round();
            let line = if (at - line).abs() < NEAR_LINE {
                line
            } else if steps > 0.0 {
                at.floor()
            } else {
                at.ceil()
            };
            let moved = self.round(libm::pow(10.0, (line + steps) * decades));
            let least = if self.whole { self.step } else { 0.0 };
            // Low on a logarithmic track one step may round to nothing.
            if moved == value || (moved > value) != (steps > 0.0) { value + steps.signum() * least } else { moved }
        } else {
            self.round(value + steps * self.step)
        };
        Some(next.clamp(self.min, self.max))
    }
}

fn three_digits(value: f64) -> f64 {
    let unit = libm::pow(10.0, libm::log10(value.abs()).floor() - 2.0);
    // Dividing by a power of ten keeps 0.3 what it is; multiplying by 0.1 would not.
    if unit < 1.0 { (value * unit.recip()).round() / unit.recip().round() } else { (value / unit).round() * unit }
}

/// The number in a value, where it is one.
pub fn number_in(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(v) => Some(*v as f64),
        Value::Real(v) => Some(*v),
        _ => None,
    }
}

/// A number as a person typed it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Typed {
    /// The number.
    pub value: f64,
    /// Whether it could have been meant otherwise: `1,500` is read as 1500.
    pub doubtful: bool,
}

/// Reads what a person types: `131072`, `1e6`, `128k`, `1M`, `10,000`, `7,5`, `−4`.
pub fn typed(text: &str) -> Option<Typed> {
    let mut text: String =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '\u{2009}' | '\'')).collect();
    // "1,000" and "1,000,000" are groups; "7,5" and "0,125" are what half of Europe writes for 7.5 and 0.125.
    let mut doubtful = false;
    if let Some(comma) = text.find(',') {
        let digits = |group: &str| group.bytes().take_while(u8::is_ascii_digit).count();
        let first = text[..comma].trim_start_matches(['-', '\u{2212}']);
        let one = !text[comma + 1..].contains(',');
        let sound = matches!(first.len(), 1..=3) && !first.starts_with('0');
        if sound && text[comma + 1..].split(',').all(|group| digits(group) == 3) {
            doubtful = one && !text.contains('.');
            text = text.replace(',', "");
        } else if one && !text.contains('.') {
            text = text.replace(',', ".");
        }
    }
    text = text.replace('\u{2212}', "-");
    let factor = match text.chars().last()? {
        'k' | 'K' => 1e3,
        'm' | 'M' => 1e6,
        _ => 1.0,
    };
    if factor > 1.0 {
        text.pop();
    }
    posenc::number::parse(&text).map(|v| Typed { value: v * factor, doubtful })
}

/// What a person types as a list, joined by `:`. What is no number is kept, so that it can be named.
pub fn typed_list(text: &str) -> String {
    let mut list = String::new();
    for c in text.chars() {
        match c {
            '\u{2013}' | '\u{2212}' => list.push('-'),
            // "1, 2" is two entries, not three.
            ' ' | ',' | ';' | ':' if list.is_empty() || list.ends_with(':') => {}
            ' ' | ',' | ';' => list.push(':'),
            other => list.push(other),
        }
    }
    list
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use posenc::{Unit, registry};
    use proptest::prelude::*;

    fn tracks() -> Vec<Track> {
        registry()
            .iter()
            .flat_map(|spec| spec.params)
            .chain(crate::state::GLOBALS)
            .filter_map(|param| Track::new(param, None))
            .collect()
    }

    proptest! {
        #[test]
        fn a_slider_reaches_only_legal_values(fraction in -0.5..1.5_f64, which in 0..100_usize) {
            let tracks = tracks();
            let track = tracks[which % tracks.len()];
            let value = track.value(fraction);
            prop_assert!(value >= track.min && value <= track.max);
        }

        #[test]
        fn a_key_moves_the_value_unless_it_is_at_the_end(fraction in 0.0..1.0_f64, which in 0..100_usize) {
            let tracks = tracks();
            let track = tracks[which % tracks.len()];
            let value = track.value(fraction);
            for (key, sign) in [("ArrowUp", 1.0), ("ArrowDown", -1.0), ("PageUp", 1.0), ("PageDown", -1.0)] {
                let next = track.key(value, key).unwrap();
                let at_end = if sign > 0.0 { value >= track.max } else { value <= track.min };
                prop_assert!(at_end || (next - value) * sign > 0.0, "{track:?} {value} {key} {next}");
            }
        }

        #[test]
        fn typing_never_panics(text in ".{0,20}") {
            let _ = typed(&text);
        }
    }

    #[test]
    fn there_and_back_again() {
        let kind = Kind::Real { min: 10.0, max: 1e7, step: 0.05, default: 1e4, scale: Scale::Log };
        let track = Track::new(&ParamSpec { key: "x", kind, unit: Unit::None, when: None }, None).unwrap();
        for (there, back) in [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp")] {
            let moved = track.key(1e4, there).unwrap();
            assert!(moved != 1e4);
            assert_eq!(track.key(moved, back), Some(1e4), "{there} to {moved}");
        }
    }

    #[test]
    fn home_and_end_are_the_ends() {
        for track in tracks() {
            assert_eq!(track.key(track.value(0.5), "Home"), Some(track.min));
            assert_eq!(track.key(track.value(0.5), "End"), Some(track.max));
        }
    }

    #[test]
    fn a_log_slider_rounds_to_three_digits() {
        let spec = ParamSpec {
            key: "x",
            kind: Kind::Real { min: 1.0, max: 1e9, step: 0.05, default: 1e4, scale: Scale::Log },
            unit: Unit::None,
            when: None,
        };
        let track = Track::new(&spec, None).unwrap();
        assert_eq!(track.value(4.0 / 9.0), 10_000.0);
        assert_eq!(track.key(10_000.0, "ArrowUp"), Some(11_200.0));
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = |text: &str| typed(text).map(|typed| (typed.value, typed.doubtful));
        for (text, value) in [
            ("128k", 128_000.0),
            ("1M", 1e6),
            ("7,5", 7.5),
            ("0,125", 0.125),
            (",5", 0.5),
            ("1,2345", 1.2345),
            ("1234,567", 1234.567),
            ("1,5e6", 1.5e6),
            ("-1,5k", -1500.0),
            ("\u{2212}1,5", -1.5),
            ("1,000,000", 1e6),
            ("1,234.5", 1234.5),
            ("7,5k", 7500.0),
            ("1,000.5", 1000.5),
            ("10 000", 10_000.0),
            ("\u{2212}4", -4.0),
            ("1e6", 1e6),
        ] {
            assert_eq!(read(text), Some((value, false)), "{text}");
        }
        assert_eq!(read("10,000"), Some((10_000.0, true)));
        assert_eq!(read("-1,500"), Some((-1500.0, true)));
        for text in ["inf", "k", "", "1,2,3", "1,00,000", "1.2.3", "1.000,5", "1.5,5", "1,234,5", "1,2.3,4", "--1", ","]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        for (text, list) in [("0, 3;7", "0:3:7"), ("0-15", "0-15"), ("0–3 9", "0-3:9"), ("1,x", "1:x")] {
            assert_eq!(typed_list(text), list);
        }
    }
}
