//! Where a table ends, and rows that no text reached in training.

use super::Panel;
use crate::draw::{Surface, pen::Align};
use crate::words;

/// Marks them on a panel.
pub(super) fn draw(on: &Surface, panel: &Panel) {
    let (view, rect) = (&panel.view, panel.rect);
    let (left, top, width, height) = rect;
    for position in panel.sheet.untrained(view) {
        let (from, to) = (view.y_of(rect, position as f64), view.y_of(rect, position as f64 + 1.0));
        on.hatch((left, from, width, (to - from).max(1.0)));
        on.fill((left + width + 1.0, from, 3.0, (to - from).max(2.0)), &on.ink.ink);
    }
    let Some(rows) = panel.sheet.end() else { return };
    if rows as u64 <= view.first || rows as u64 >= view.first + view.count {
        return;
    }
    let y = on.crisp(view.y_of(rect, rows as f64));
    for (colour, stroke) in [(&on.ink.paper, 3.0), (&on.ink.ink, 1.5)] {
        on.line((left, y), (left + width, y), colour, stroke);
    }
    on.font(11.0);
    let text = on.fitted(&words::weights_ends(rows - 1), width - 8.0);
    let below = if y + 20.0 < top + height { y + 10.0 } else { y - 10.0 };
    on.text_on_paper(&text, left + width - 4.0, below, Align::Right, &on.ink.ink);
}
