//! Cells to pixels: a table of numbers becomes an image of one pixel a cell, which the canvas then scales without
//! smoothing.

use super::Surface;
use super::palettes::Palette;
use std::cell::RefCell;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Buffers that outlive one picture: a step of a slider makes a picture as large as the last one.
#[derive(Debug, Default)]
struct Buffers {
    cells: Vec<f32>,
    rgba: Vec<u8>,
    canvas: Option<HtmlCanvasElement>,
    /// Columns and rows that were asked for.
    size: (usize, usize),
}

/// Most buffers that are kept: one a scheme.
const MOST_KEPT: usize = 4;

thread_local! {
    static KEPT: RefCell<Vec<Buffers>> = const { RefCell::new(Vec::new()) };
}

/// A table of numbers with its image.
#[derive(Debug)]
pub struct Raster {
    columns: usize,
    rows: usize,
    buffers: Buffers,
    /// The colours of its image, if it has one.
    painted: Option<Palette>,
}

impl Raster {
    /// A table of so many cells, with whatever a former one left in it.
    pub fn new(columns: usize, rows: usize) -> Self {
        // Those of a picture of this size, if there are such: a canvas that changes its size is made anew.
        let mut buffers = KEPT
            .with_borrow_mut(|kept| {
                let place = kept.iter().position(|kept| kept.size == (columns, rows));
                place.map(|place| kept.swap_remove(place)).or_else(|| kept.pop())
            })
            .unwrap_or_default();
        buffers.size = (columns, rows);
        buffers.cells.resize(columns * rows, 0.0);
        Self { columns, rows, buffers, painted: None }
    }

    /// Cells in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[f32] {
        &self.buffers.cells
    }

    /// The cells, row by row, to be written.
    pub fn cells_mut(&mut self) -> &mut [f32] {
        self.painted = None;
        &mut self.buffers.cells
    }

    /// Makes every `run` neighbouring columns one, their mean.
    pub fn merge_columns(&mut self, run: usize) {
        if run <= 1 || self.columns == 0 {
            return;
        }
        let (from, to) = (self.columns, self.columns.div_ceil(run));
        for row in 0..self.rows {
            for column in 0..to {
                let start = row * from + column * run;
                let cells = &self.buffers.cells[start..start + run.min(from - column * run)];
                let mean = cells.iter().sum::<f32>() / cells.len() as f32;
                // What is written lies at or before what was read.
                self.buffers.cells[row * to + column] = mean;
            }
        }
        self.columns = to;
        self.buffers.cells.truncate(to * self.rows);
    }

    /// Draws the first `columns` × `rows` cells (a part of one too) into a rectangle. The image is made once.
    pub fn draw(
        &mut self,
        on: &Surface,
        palette: &Palette,
        (columns, rows): (f64, f64),
        (x, y, width, height): (f64, f64, f64, f64),
    ) {
        if self.painted.as_ref() != Some(palette) {
            self.painted = self.paint(palette).map(|()| palette.clone());
        }
        if let Some(canvas) = &self.buffers.canvas
            && self.painted.is_some()
        {
            let part = (columns.min(self.columns as f64), rows.min(self.rows as f64));
            #[cfg(feature = "full")]
            if let Some(sheet) = &on.sheet {
                // The canvas may be larger than the table, where buffers were used again.
                let size = (f64::from(canvas.width()), f64::from(canvas.height()));
                let data = canvas.to_data_url().unwrap_or_default();
                return sheet.image(&data, size, (0.0, 0.0, part.0, part.1), (x, y, width, height), false);
            }
            on.context.set_image_smoothing_enabled(false);
            let _ = on.context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                canvas, 0.0, 0.0, part.0, part.1, x, y, width, height,
            );
        }
    }

    fn paint(&mut self, palette: &Palette) -> Option<()> {
        if self.columns == 0 || self.rows == 0 {
            return None;
        }
        let Buffers { cells, rgba, canvas, .. } = &mut self.buffers;
        rgba.resize(cells.len() * 4, 0);
        palette.paint(cells, rgba);
        if canvas.is_none() {
            let element = web_sys::window()?.document()?.create_element("canvas").ok()?;
            *canvas = element.dyn_into().ok();
        }
        let canvas = canvas.as_ref()?;
        let (width, height) = (self.columns as u32, self.rows as u32);
        // Setting a size clears the canvas: only where it differs.
        if canvas.width() != width || canvas.height() != height {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(rgba), width, height).ok()?;
        context.put_image_data(&image, 0.0, 0.0).ok()
    }
}

impl Drop for Raster {
    fn drop(&mut self) {
        let buffers = std::mem::take(&mut self.buffers);
        // Past the end of the thread there is nothing to keep them in.
        let _ = KEPT.try_with(|kept| {
            if let Ok(mut kept) = kept.try_borrow_mut()
                && kept.len() < MOST_KEPT
            {
                kept.push(buffers);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_columns_become_their_mean() {
        let mut raster = Raster::new(5, 2);
        raster.cells_mut().copy_from_slice(&[1.0, 3.0, 5.0, 7.0, 9.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        raster.merge_columns(2);
        assert_eq!(raster.columns(), 3);
        assert_eq!(raster.cells(), [2.0, 6.0, 9.0, 3.0, 7.0, 10.0]);
    }

    #[test]
    fn buffers_are_used_again() {
        let mut raster = Raster::new(100, 100);
        raster.cells_mut().fill(1.0);
        let place = raster.cells().as_ptr();
        drop(raster);
        assert_eq!(Raster::new(50, 50).cells().as_ptr(), place);
        // Of several, those of the same size.
        let pair = [Raster::new(8, 4), Raster::new(2, 4)];
        let places = pair.each_ref().map(|raster| raster.cells().as_ptr());
        drop(pair);
        let again = [Raster::new(8, 4), Raster::new(2, 4)];
        assert_eq!(again.each_ref().map(|raster| raster.cells().as_ptr()), places);
    }
}
