//! Formulas as MathML with numbers in their slots. LaTeX becomes MathML in the build.

include!(concat!(env!("OUT_DIR"), "/formulas.rs"));

/// A scheme's formula with its parameters' values put in.
pub(crate) fn scheme(config: &posenc::Config) -> String {
    let Some((_, math)) = SCHEMES.iter().find(|(id, _)| *id == config.spec.id) else { return String::new() };
    let slots: Vec<(&str, &dyn std::fmt::Display)> =
        config.settings.iter().map(|(spec, value)| (spec.key, value as &dyn std::fmt::Display)).collect();
    crate::words::fill(math, &slots)
}
