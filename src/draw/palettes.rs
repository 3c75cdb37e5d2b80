//! Colour maps: value to colour, and the stops of a legend.

/// Colours of a map; the entry after them is for what has no value.
const COLOURS: usize = 255;

/// What stands for a value that is not there, readable on light and dark.
const NEUTRAL: [u8; 4] = [150, 150, 150, 255];

/// How much is cut from either end of a diverging map: there both are nearly black, and in a bright room alike.
const ENDS: f64 = 0.09;

/// A place on a diverging map without its ends.
fn inner(t: f64) -> f64 {
    ENDS + (1.0 - 2.0 * ENDS) * t
}

/// A colour map over a range of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    /// 255 colours from low to high, and the one for NaN. The middle of a diverging map is one of them.
    table: [[u8; 4]; COLOURS + 1],
    low: f32,
    high: f32,
}

impl Palette {
    /// The map of this name over a range. `auto`: diverging where the range lies on both sides of zero, else viridis.
    pub fn new(name: &str, low: f32, high: f32) -> Self {
        let signed = low < 0.0 && high > 0.0;
        let gradient = |t: f64| match (name, signed) {
            ("purple-green", true) => colorous::PURPLE_GREEN.eval_continuous(inner(t)),
            // Values that all lie on one side use one side of a diverging map: its middle means zero.
            ("purple-green", false) => colorous::PURPLE_GREEN.eval_continuous(inner(0.5 + t / 2.0)),
            ("blue-red", false) => colorous::RED_BLUE.eval_continuous(inner(0.5 - t / 2.0)),
            ("cividis", _) => colorous::CIVIDIS.eval_continuous(t),
            ("grey", _) => colorous::GREYS.eval_continuous(1.0 - t),
            ("viridis", _) | ("auto", false) => colorous::VIRIDIS.eval_continuous(t),
            _ => colorous::RED_BLUE.eval_continuous(inner(1.0 - t)),
        };
        let mut table = [NEUTRAL; COLOURS + 1];
        for (i, entry) in table.iter_mut().take(COLOURS).enumerate() {
            let colour = gradient(i as f64 / (COLOURS - 1) as f64);
            *entry = [colour.r, colour.g, colour.b, 255];
        }
        Self { table, low, high }
    }

    /// The value at the low end.
    pub fn low(&self) -> f32 {
        self.low
    }

    /// The value at the high end.
    pub fn high(&self) -> f32 {
        self.high
    }

    /// The colour of a value: red, green, blue, alpha.
    pub fn colour(&self, value: f32) -> [u8; 4] {
        self.table[self.entry(value)]
    }

    /// Colours of values, four bytes each, into a buffer that is as long.
    pub fn paint(&self, values: &[f32], rgba: &mut [u8]) {
        let scale = self.scale();
        for (value, pixel) in values.iter().zip(rgba.as_chunks_mut().0) {
            let t = (value - self.low) * scale;
            // `as` sends NaN to 0 and cuts what is past the ends.
            let entry = if t.is_nan() { COLOURS } else { ((t + 0.5) as usize).min(COLOURS - 1) };
            *pixel = self.table[entry];
        }
    }

    /// CSS colours from the low end to the high end, evenly spaced.
    pub fn stops(&self, count: usize) -> Vec<String> {
        let last = count.max(2) - 1;
        (0..=last)
            .map(|i| {
                let [r, g, b, _] = self.table[i * (COLOURS - 1) / last];
                format!("#{r:02x}{g:02x}{b:02x}")
            })
            .collect()
    }

    fn scale(&self) -> f32 {
        let span = self.high - self.low;
        if span > 0.0 { (COLOURS - 1) as f32 / span } else { 0.0 }
    }

    fn entry(&self, value: f32) -> usize {
        let t = (value - self.low) * self.scale();
        if t.is_nan() { COLOURS } else { ((t + 0.5) as usize).min(COLOURS - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_middle_and_nothing() {
        let palette = Palette::new("auto", -1.0, 1.0);
        let [r, g, b, _] = palette.colour(0.0);
        assert!(r.min(g).min(b) > 230, "the middle is white");
        let [r, _, b, _] = palette.colour(-1.0);
        assert!(b > r, "low is blue");
        let [r, _, b, _] = palette.colour(1.0);
        assert!(r > b, "high is red");
        assert_eq!(palette.colour(7.0), palette.colour(1.0));
        assert_eq!(palette.colour(-7.0), palette.colour(-1.0));
        assert_eq!(palette.colour(f32::NAN), NEUTRAL);
        assert_eq!(palette.stops(3).len(), 3);
    }

    #[test]
    fn unsigned_values_get_a_sequential_map() {
        assert_eq!(Palette::new("auto", 0.0, 1.0), Palette::new("viridis", 0.0, 1.0));
        let [r, g, b, _] = Palette::new("blue-red", 0.0, 1.0).colour(0.0);
        assert!(r.min(g).min(b) > 230);
        assert_eq!(Palette::new("auto", 1.0, 1.0).colour(1.0), Palette::new("viridis", 0.0, 1.0).colour(0.0));
    }

    #[test]
    fn painting_is_the_colour_of_each() {
        let palette = Palette::new("cividis", -2.0, 3.0);
        let values: Vec<f32> = (-40..50).map(|i| i as f32 / 10.0).chain([f32::NAN, f32::INFINITY]).collect();
        let mut rgba = vec![0; values.len() * 4];
        palette.paint(&values, &mut rgba);
        for (value, pixel) in values.iter().zip(rgba.chunks(4)) {
            assert_eq!(pixel, palette.colour(*value));
        }
    }
}
