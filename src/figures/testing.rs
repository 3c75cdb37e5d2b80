//! Scenes for tests.

use super::{FigureSpec, Scene, Size, Slot};
use crate::state::Cursor;
use posenc::{Config, Settings};
use std::rc::Rc;

/// Schemes on screen as text, and options; what a figure does not suit is left out.
pub(crate) fn scene(spec: &FigureSpec, schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Scene {
    let slots = schemes.iter().enumerate().map(|(index, text)| {
        let (config, _) = Config::parse(text).unwrap();
        let encoding = Rc::new(config.build());
        Slot { index, config, encoding }
    });
    let mut settings = Settings::new(spec.options);
    for (key, value) in options {
        assert_eq!(settings.set(key, value), None);
    }
    Scene {
        slots: slots.filter(|slot| (spec.suits)(slot.config.spec)).collect(),
        length,
        words: ["the", "cat", "sat"].map(str::to_owned).into(),
        seed: 1,
        options: settings,
        palette: "auto",
        said: true,
    }
}

pub(crate) fn size(width: f64, height: f64, dpr: f64) -> Size {
    Size { width, height, dpr }
}

pub(crate) fn cursor(position: f64, offset: i64, plane: usize) -> Cursor {
    Cursor { position, offset, plane, head: 0 }
}
