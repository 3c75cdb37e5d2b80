//! The exact values at the cursor. They change with every move of the pointer, so they are written straight into their
//! nodes: Yew keeps an empty element for them.

use crate::figures::Reading;
use crate::ui::slot_class;
use web_sys::{Document, Element, Text};

/// What MathML of ours is made of; anything else in a formula would be somebody's text that was not escaped.
const MATHML: [&str; 22] = [
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mtable",
    "mtr",
    "mtd",
    "mstyle",
    "mpadded",
];

/// The rows on screen.
#[derive(Default)]
pub(super) struct Readings {
    rows: Vec<Row>,
}

struct Row {
    element: Element,
    marker: Element,
    // Texts are kept and told what they say: another text in its place would be styled and laid out anew.
    label: Text,
    value: Text,
    math: Element,
    shown: Reading,
    /// The formula that its node has; another than the reading's while that waits.
    written: String,
}

impl Readings {
    /// Makes the nodes say this, apart from the formulas; only what changed is touched. Whether a formula is
    /// another than it was.
    pub(super) fn show(&mut self, panel: &Element, readings: Vec<Reading>) -> bool {
        let mut changed = false;
        for gone in self.rows.drain(readings.len().min(self.rows.len())..) {
            gone.element.remove();
        }
        for (i, reading) in readings.into_iter().enumerate() {
            changed |= self.rows.get(i).is_none_or(|row| row.shown.math != reading.math);
            if let Some(row) = self.rows.get_mut(i) {
                row.show(reading);
                continue;
            }
            let Some(mut row) = panel.owner_document().and_then(|document| Row::new(&document)) else { break };
            if panel.append_child(&row.element).is_err() {
                break;
            }
            row.show(reading);
            self.rows.push(row);
        }
        changed
    }

    /// Writes the formulas of what is shown.
    pub(super) fn write_formulas(&mut self) {
        for row in &mut self.rows {
            row.write();
        }
    }
}

impl Row {
    fn new(document: &Document) -> Option<Self> {
        let make = |tag: &str, class: &str| {
            let element = document.create_element(tag).ok()?;
            element.set_class_name(class);
            Some(element)
        };
        let element = make("div", "reading")?;
        let term = make("span", "reading__label")?;
        let marker = make("span", "")?;
        let label = document.create_text_node("");
        let number = make("span", "reading__value")?;
        let value = document.create_text_node("");
        let math = make("div", "reading__math")?;
        marker.set_attribute("aria-hidden", "true").ok()?;
        term.append_child(&marker).ok()?;
        term.append_child(&label).ok()?;
        number.append_child(&value).ok()?;
        for child in [&term, &number, &math] {
            element.append_child(child).ok()?;
        }
        let shown = Reading { slot: None, label: String::new(), value: String::new(), math: String::new() };
        Some(Self { element, marker, label, value, math, shown, written: String::new() })
    }

    fn show(&mut self, reading: Reading) {
        if reading.slot != self.shown.slot {
            self.marker.set_class_name(&reading.slot.map_or(String::new(), slot_class));
        }
        if reading.label != self.shown.label {
            self.label.set_data(&reading.label);
        }
        if reading.value != self.shown.value {
            self.value.set_data(&reading.value);
        }
        // A formula of former numbers is pale until it is written anew.
        let stale = reading.math != self.written;
        if stale != (self.shown.math != self.written) {
            self.math.set_class_name(if stale { "reading__math reading__math--stale" } else { "reading__math" });
        }
        self.shown = reading;
    }

    fn write(&mut self) {
        if self.written == self.shown.math {
            return;
        }
        self.written.clone_from(&self.shown.math);
        if is_mathml(&self.written) {
            self.math.set_inner_html(&self.written);
        } else {
            self.math.set_text_content(Some(&self.written));
        }
        self.math.set_class_name("reading__math");
    }
}

/// Whether all tags are MathML's and none has an attribute that could do something.
fn is_mathml(text: &str) -> bool {
    text.split('<').skip(1).all(|rest| {
        let Some((tag, _)) = rest.split_once('>') else { return false };
        let tag = tag.trim_start_matches('/').trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let harmless = |attribute: &str| {
            let name = attribute.split('=').next().unwrap_or_default().trim();
            !name.starts_with("on") && !name.contains("href") && !name.contains("src")
        };
        MATHML.contains(&name) && attributes.split(' ').all(harmless)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mathml_passes() {
        assert!(is_mathml(r#"<math display="block"><mfrac><mn>1</mn><mi>d</mi></mfrac><mspace width="1em"/></math>"#));
        assert!(is_mathml("plain"));
        for bad in ["<img src=x>", "<math onclick=x></math>", "<mi/onclick=x>", "<script>", "<mi", "<math\nonload=x>"] {
            assert!(!is_mathml(bad), "{bad}");
        }
    }

    #[test]
    fn the_formulas_of_the_schemes_pass() {
        for scheme in posenc::registry() {
            let math = crate::formulas::scheme(&posenc::Config::new(scheme), 64);
            assert!(math.starts_with("<math") && is_mathml(&math), "{math}");
        }
    }
}
