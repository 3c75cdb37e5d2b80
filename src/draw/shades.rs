//! Bands as pixels: translucent areas between two edges, which may overlap.
//!
//! A column of device pixels is filled where the edges stand at its middle. As a polygon, a band whose edges jump from
//! column to column is the dearest thing on a chart where the browser draws without a graphics card.

use super::charts::Item;
use super::css_rgb;
use wasm_bindgen::Clamped;
use web_sys::{CanvasRenderingContext2d, ImageData};

/// The most bands that overlap: their combinations have a table of colours.
const MOST: usize = 8;

/// A band in device pixels.
pub(super) struct Shape<'a> {
    x: &'a [f64],
    upper: &'a [f64],
    lower: &'a [f64],
    rgb: (u8, u8, u8),
    alpha: f64,
    scale: f64,
}

impl<'a> Shape<'a> {
    /// The band of an item, if it is one, at so many device pixels to a CSS pixel.
    pub(super) fn of(item: &'a Item, scale: f64) -> Option<Self> {
        match item {
            Item::Band { x, upper, lower, colour, alpha } => {
                Some(Self { x, upper, lower, rgb: css_rgb(colour), alpha: *alpha, scale })
            }
            _ => None,
        }
    }

    /// Calls `see` with each of `columns` columns of pixels that it crosses, and from where to where, in pixels.
    fn columns(&self, columns: usize, mut see: impl FnMut(usize, f64, f64)) {
        let points = self.x.len().min(self.upper.len()).min(self.lower.len());
        for i in 1..points {
            let (from, to) = (self.x[i - 1] * self.scale - 0.5, self.x[i] * self.scale - 0.5);
            if to <= from {
                continue;
            }
            // The middles of columns at or past one point and before the next; the last has its own too.
            let last = if i + 1 == points { to.floor() + 1.0 } else { to.ceil() };
            let (first, last) = (from.ceil().max(0.0) as usize, (last.max(0.0) as usize).min(columns));
            for column in first..last {
                let share = (column as f64 - from) / (to - from);
                let at = |edge: &[f64]| (edge[i - 1] + share * (edge[i] - edge[i - 1])) * self.scale;
                see(column, at(self.upper), at(self.lower));
            }
        }
    }
}

/// Pixels of the bands together.
pub(super) struct Ground {
    left: usize,
    top: usize,
    width: usize,
    rgba: Vec<u8>,
}

/// The bands over one another, on a canvas of so many pixels; `None` where nothing of them is on it.
pub(super) fn ground(bands: &[Shape<'_>], (width, height): (usize, usize)) -> Option<Ground> {
    // Of each band: where it begins and ends in a column.
    let mut rows: Vec<Vec<(usize, usize)>> = Vec::new();
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for band in bands.iter().take(MOST) {
        let mut own = vec![(0, 0); width];
        band.columns(width, |column, from, to| {
            let row = |place: f64| (place.round().max(0.0) as usize).min(height);
            let gap = from.is_nan() || to.is_nan();
            let (from, to) = (row(from), row(to));
            if from < to && !gap {
                own[column] = (from, to);
                (left, right) = (left.min(column), right.max(column + 1));
                (top, bottom) = (top.min(from), bottom.max(to));
            }
        });
        rows.push(own);
    }
    if left >= right {
        return None;
    }
    let colours = colours(bands);
    let (wide, high) = (right - left, bottom - top);
    let mut rgba = vec![0; wide * high * 4];
    let pixels = rgba.as_chunks_mut().0;
    let mut column = vec![0_u8; high];
    for x in 0..wide {
        column.fill(0);
        for (i, own) in rows.iter().enumerate() {
            let (from, to) = own[left + x];
            if from < to {
                for bits in &mut column[from - top..to - top] {
                    *bits |= 1 << i;
                }
            }
        }
        let mut at = x;
        for bits in &column {
            if *bits != 0 {
                pixels[at] = colours[usize::from(*bits)];
            }
            at += wide;
        }
    }
    Some(Ground { left, top, width: wide, rgba })
}

/// The colour of every combination of bands: bit i is band i, and later ones lie above.
fn colours(bands: &[Shape<'_>]) -> Vec<[u8; 4]> {
    (0..1_usize << bands.len().min(MOST))
        .map(|bits| {
            let (mut sums, mut cover) = ([0.0; 3], 0.0);
            for (_, band) in bands.iter().take(MOST).enumerate().filter(|(i, _)| bits >> i & 1 == 1) {
                let rgb = [band.rgb.0, band.rgb.1, band.rgb.2];
                for (sum, part) in sums.iter_mut().zip(rgb) {
                    *sum = f64::from(part) * band.alpha + *sum * (1.0 - band.alpha);
                }
                cover = band.alpha + cover * (1.0 - band.alpha);
            }
            let whole = |sum: f64| if cover > 0.0 { (sum / cover).round() as u8 } else { 0 };
            [whole(sums[0]), whole(sums[1]), whole(sums[2]), (cover * 255.0).round() as u8]
        })
        .collect()
}

impl Ground {
    /// Puts the pixels in place of those that are there.
    pub(super) fn put(&self, on: &CanvasRenderingContext2d) {
        let image = ImageData::new_with_u8_clamped_array(Clamped(&self.rgba), self.width as u32);
        if let Ok(image) = image {
            let _ = on.put_image_data(&image, self.left as f64, self.top as f64);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn band(x: &[f64], upper: &[f64], lower: &[f64], colour: &str) -> Item {
        Item::Band { x: x.into(), upper: upper.into(), lower: lower.into(), colour: colour.into(), alpha: 0.25 }
    }

    #[test]
    fn columns_are_filled_between_the_edges() {
        let item = band(&[1.0, 3.0], &[1.0, 1.0], &[2.0, 4.0], "#0000ff");
        let ground = ground(&[Shape::of(&item, 1.0).unwrap()], (10, 10)).unwrap();
        assert_eq!((ground.left, ground.top, ground.width, ground.rgba.len()), (1, 1, 2, 2 * 3 * 4));
        let alpha: Vec<u8> = ground.rgba.chunks(4).map(|pixel| pixel[3]).collect();
        // At the middles of the columns the lower edge is 2.5 and 3.5.
        assert_eq!(alpha, [64, 64, 64, 64, 0, 64]);
        assert_eq!(ground.rgba[..4], [0, 0, 255, 64]);
    }

    #[test]
    fn bands_that_overlap_mix_in_their_order() {
        let items =
            [band(&[0.0, 4.0], &[0.0; 2], &[2.0; 2], "#ff0000"), band(&[0.0, 4.0], &[1.0; 2], &[3.0; 2], "#00f")];
        let shapes: Vec<Shape<'_>> = items.iter().filter_map(|item| Shape::of(item, 2.0)).collect();
        let ground = ground(&shapes, (100, 100)).unwrap();
        assert_eq!((ground.width, ground.rgba.len()), (8, 8 * 6 * 4));
        let pixel = |row: usize| &ground.rgba[(row * 8 + 3) * 4..][..4];
        assert_eq!(pixel(0), [255, 0, 0, 64]);
        assert_eq!(pixel(5), [0, 0, 255, 64]);
        // 1/4 of blue over 1/4 of red: 3/16 and 4/16 of 7/16.
        assert_eq!(pixel(2), [109, 0, 146, 112]);
    }

    #[test]
    fn what_is_not_on_the_canvas_is_left_out() {
        let shade = |x: &[f64], upper: &[f64], lower: &[f64]| {
            let item = band(x, upper, lower, "#000");
            ground(&[Shape::of(&item, 1.0).unwrap()], (10, 10))
                .map(|ground| (ground.left, ground.top, ground.rgba.len()))
        };
        assert_eq!(shade(&[], &[], &[]), None);
        assert_eq!(shade(&[3.0], &[1.0], &[2.0]), None);
        assert_eq!(shade(&[0.0, 9.0], &[2.0; 2], &[2.0; 2]), None);
        assert_eq!(shade(&[0.0, 9.0], &[f64::NAN; 2], &[2.0; 2]), None);
        assert_eq!(shade(&[-50.0, 90.0], &[-1e9; 2], &[1e9; 2]), Some((0, 0, 400)));
        assert_eq!(shade(&[20.0, 30.0], &[0.0; 2], &[5.0; 2]), None);
    }
}
