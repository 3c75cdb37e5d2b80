//! Scenes for tests.

use super::{Figure, FigureSpec, Legend, Scene, Size, Slot};
use crate::state::Cursor;
use posenc::{Config, Error, Settings};
use std::rc::Rc;

/// Schemes on screen as text, and options; what a figure does not suit is left out.
pub(crate) fn scene(spec: &FigureSpec, schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Scene {
    let slots = schemes.iter().enumerate().map(|(index, text)| {
        let (config, _) = Config::parse(text).unwrap();
        let encoding = Rc::new(match config.build_at(length as f64) {
            Err(Error::NeedsData(asset)) => {
                let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("static/data");
                (asset.decode)(&std::fs::read(folder.join(asset.file)).unwrap())
            }
            built => built,
        });
        Slot { index, config, encoding }
    });
    let mut settings = Settings::new(spec.options);
    for (key, value) in options {
        assert_eq!(settings.set(key, value), None);
    }
    let (slots, others) = slots.partition(|slot: &Slot| spec.shows(slot));
    Scene {
        slots,
        others,
        length,
        words: ["the", "cat", "sat"].map(str::to_owned).into(),
        seed: 1,
        options: settings,
        palette: "auto",
        said: true,
        #[cfg(feature = "full")]
        own: None,
    }
}

pub(crate) fn size(width: f64, height: f64, dpr: f64) -> Size {
    Size { width, height, dpr }
}

pub(crate) fn cursor(position: f64, offset: i64, plane: usize) -> Cursor {
    Cursor { position, offset, plane, head: 0, length: None }
}

/// The remarks of a figure's legend, in a row.
pub(crate) fn notes(figure: &dyn Figure) -> String {
    let note = |entry: Legend| match entry {
        Legend::Note(note) => Some(note),
        _ => None,
    };
    figure.legend().into_iter().filter_map(note).collect::<Vec<_>>().join(" ")
}
