//! Formulas as MathML with numbers in their slots. LaTeX becomes MathML in the build.

include!(concat!(env!("OUT_DIR"), "/formulas.rs"));

/// A scheme's formula with its parameters' values put in.
pub(crate) fn scheme(config: &posenc::Config) -> String {
    let slots: Vec<(&str, &dyn std::fmt::Display)> =
        config.settings.iter().map(|(spec, value)| (spec.key, value as &dyn std::fmt::Display)).collect();
    crate::words::fill(crate::words::scheme_formula(config.spec.id), &slots)
}
