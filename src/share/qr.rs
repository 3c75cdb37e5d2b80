//! A link as a QR code, to be read from a projected page.

use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// The light margin that readers need, in modules.
const QUIET: i32 = 4;

/// A drawn code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Modules on a side, margin included: the side of the view box.
    pub side: i32,
    /// The dark modules, as the path of an SVG.
    pub path: String,
}

/// The code of a text; `None` where it is too long for one (about 2,900 bytes).
pub fn draw(text: &str) -> Option<Drawn> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let start = x;
            while code.get_module(x, y) {
                x += 1;
            }
            if x > start {
                // A run of dark modules is one rectangle.
                let _ = write!(path, "M{} {}h{}v1h-{}z", start + QUIET, y + QUIET, x - start, x - start);
            }
            x += 1;
        }
    }
    Some(Drawn { side: code.size() + 2 * QUIET, path })
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_three_eyes() {
        let code = draw("https://example.org/#/explore?length=100").expect("short enough");
        assert_eq!((code.side - 2 * QUIET - 17) % 4, 0, "the sizes of QR codes");
        let far = code.side - QUIET - 7;
        for (x, y) in [(QUIET, QUIET), (far, QUIET), (QUIET, far)] {
            assert!(code.path.contains(&format!("M{x} {y}h7v1h-7z")), "the upper edge of an eye at {x}, {y}");
        }
    }

    #[test]
    fn a_text_may_be_too_long() {
        assert!(draw(&"x".repeat(2900)).is_some());
        assert_eq!(draw(&"x".repeat(3000)), None);
    }
}
