//! What a table looks like on the board.

use crate::brought::About;
use crate::figures::{self, FigureSpec};
use crate::state::{MOST_LENGTH, MOST_SCHEMES, Page, State};
use lab::weights::Kind;
use posenc::{Config, Drawn, Encoding};

/// How a table is put on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Where the board shows the tab's own table, it stays as it is; else alone.
    AtOnce,
    /// In place of what is there.
    Alone,
    /// Beside what is there.
    Beside,
    /// Alone, with sines and cosines of the same size beside it.
    WithLike,
}

/// The scheme that is made of a table.
fn scheme(about: &About) -> Option<Config> {
    let text = match about.tensor.kind {
        Kind::Buckets { both_ways: true } => "t5(table=yours)".to_owned(),
        Kind::Buckets { both_ways: false } => "t5(table=yours,bidirectional=false)".to_owned(),
        Kind::Grid { .. } => "learned2d(table=yours)".to_owned(),
        Kind::Frequencies => {
            format!("rope(head_dim={},rope_theta={})", 2 * about.matrix.columns, about.base?.theta)
        }
        Kind::Positions { .. } | Kind::Distances | Kind::Table | Kind::Other => "learned(table=yours)".to_owned(),
    };
    Config::parse(&text).ok().map(|(config, _)| config)
}

/// The scheme of sines and cosines that has the same size; `None` where there is none.
fn like(about: &About) -> Option<Config> {
    let text = match about.tensor.kind {
        Kind::Positions { .. } | Kind::Table | Kind::Other => format!("sinusoidal(d_model={})", about.matrix.columns),
        Kind::Grid { .. } => format!("sincos2d(d_model={})", about.matrix.columns),
        Kind::Buckets { .. } | Kind::Distances | Kind::Frequencies => return None,
    };
    let (config, repairs) = Config::parse(&text).ok()?;
    (repairs.is_empty() && config.build().is_ok()).then_some(config)
}

/// Whether there is one.
pub(super) fn has_like(about: &About) -> bool {
    like(about).is_some()
}

/// Whether a scheme is made of the tab's own table.
fn is_own(config: &Config) -> bool {
    config.spec.drawn != config.drawn()
        || (config.drawn() == Drawn::Weights && config.settings.choice("table") == posenc::plain::YOURS)
}

/// Whether a scheme turns as many planes as there are frequencies: the spectrum then shows them beside it.
fn turns(config: &Config, about: &About) -> bool {
    let planes = match config.build() {
        Ok(Encoding::Rotary(rotary)) => rotary.inv_freq().len() as u64,
        _ => return false,
    };
    about.tensor.kind == Kind::Frequencies && planes == about.matrix.columns
}

/// The state with a table on the board; `None` where nothing changes, or there is no room.
pub(super) fn with(state: &State, about: &About, how: How) -> Option<State> {
    let own = scheme(about)?;
    let beside = state.schemes.iter().any(|config| turns(config, about));
    let spectrum = state.figures.iter().any(|figure| figure.id == "spectrum");
    if how == How::AtOnce && (state.schemes.contains(&own) || (beside && spectrum)) {
        return None;
    }
    let mut next = state.clone();
    next.page = Page::Explore;
    if how == How::Beside {
        if next.schemes.len() >= MOST_SCHEMES || next.schemes.contains(&own) {
            return None;
        }
        next.schemes.push(own);
        return Some(next);
    }
    if how != How::AtOnce || !beside {
        next.schemes = vec![own];
    }
    if how == How::WithLike {
        next.schemes.extend(like(about));
    }
    let (matter, length): (&[&str], u64) = match about.tensor.kind {
        Kind::Buckets { .. } => (&["bias", "offset"], next.length()),
        Kind::Grid { size, .. } => (&["patches"], size * size),
        Kind::Frequencies => (&["spectrum", "offset"], next.length()),
        Kind::Positions { .. } | Kind::Distances | Kind::Table | Kind::Other => {
            (&["heatmap", "similarity"], about.rows)
        }
    };
    let matter: Vec<&'static FigureSpec> = matter.iter().filter_map(|id| figures::find(id)).collect();
    if !matter.is_empty() {
        next.figures = matter;
    }
    // Out of range is the end of it.
    let _ = next.globals.set("length", &length.clamp(1, MOST_LENGTH as u64).to_string());
    Some(next)
}

/// The state without the tab's own table.
pub(super) fn without(state: &State) -> State {
    let mut next = state.clone();
    next.schemes.retain(|config| !is_own(config));
    if next.schemes.is_empty() {
        next.schemes = State::default().schemes;
    }
    next
}
