//! LaTeX to `MathML`, with places for numbers.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use std::fmt::Write as _;

pub(crate) fn converter() -> Result<LatexToMathML, String> {
    LatexToMathML::new(MathCoreConfig::default()).map_err(|e| format!("{e:?}"))
}

/// `MathML` with `{name}` where a number goes.
pub(crate) fn mathml(converter: &LatexToMathML, latex: &str) -> Result<String, String> {
    let mut marked = latex.to_owned();
    while let Some(start) = marked.find(r"\slot{") {
        let rest = &marked[start + 6..];
        let end = rest.find('}').ok_or_else(|| format!("an open slot in {latex}"))?;
        let name = rest[..end].replace('_', "-");
        marked.replace_range(start..=start + 6 + end, &format!(r"\text{{@{name}@}}"));
    }
    let math =
        converter.convert_with_local_counter(&marked, MathDisplay::Block).map_err(|e| format!("{latex}: {e:?}"))?;
    // A brace of the formula is none of a slot.
    let math = math.replace('{', "&#123;").replace('}', "&#125;");
    let mut parts = math.split("<mtext>@");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("@</mtext>").ok_or_else(|| format!("a slot was lost in {latex}"))?;
        let _ = write!(text, "<mn>{{{}}}</mn>{rest}", name.replace('-', "_"));
    }
    if text.contains('@') {
        return Err(format!("a slot was lost in {latex}: {text}"));
    }
    Ok(text)
}

/// `MathML` of a formula without slots, in a line of text or displayed.
pub(crate) fn written(converter: &LatexToMathML, latex: &str, displayed: bool) -> Result<String, String> {
    let display = if displayed { MathDisplay::Block } else { MathDisplay::Inline };
    converter.convert_with_local_counter(latex, display).map_err(|e| format!("{latex}: {e:?}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_slot_becomes_a_number() {
        let math = mathml(&converter().unwrap(), r"x^{\slot{d_model}} + \slot{a}").unwrap();
        assert!(math.contains("<mn>{d_model}</mn>") && math.contains("<mn>{a}</mn>"), "{math}");
    }

    #[test]
    fn a_brace_of_the_formula_is_no_slot() {
        let math = mathml(&converter().unwrap(), r"\begin{cases} \slot{a} & x \end{cases}").unwrap();
        assert!(math.contains("&#123;") && math.matches('{').count() == 1, "{math}");
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_refused() {
        assert!(mathml(&converter().unwrap(), r"\frac{1").is_err());
        assert!(mathml(&converter().unwrap(), r"\slot{open").is_err());
    }
}
