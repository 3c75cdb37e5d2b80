//! Formulas as MathML with numbers in their slots. LaTeX becomes MathML in the build.

use crate::{draw::number, words};
use posenc::{Config, Value};

include!(concat!(env!("OUT_DIR"), "/formulas.rs"));

/// A scheme's formula as it holds for its parameters, with their values put in, and what follows from them for a
/// sequence of `length` tokens.
pub(crate) fn scheme(config: &Config, length: u64) -> String {
    let settings = &config.settings;
    let encoding = config.build();
    // What follows from the parameters comes first: it has the value in use of one that leaves it to the scheme.
    let number = |name: &str, text: &mut String| {
        *text += &match (encoding.as_ref().ok().and_then(|encoding| encoding.number(name)), settings.get(name)) {
            (Some(value), _) => number::exact(value),
            (None, Some(Value::Integer(value))) => number::whole(*value),
            (None, Some(Value::Real(value))) => number::full(*value),
            (None, Some(value)) => value.to_string(),
            (None, None) if name == "length" => number::whole(length as i64),
            // Of parameters that are not defined together, nothing follows.
            (None, None) => "?".to_owned(),
        };
    };
    let mut math = String::new();
    for (part, formula) in config.spec.formula.iter().enumerate() {
        if formula.holds(settings) {
            math += &words::fill_by(words::scheme_formula(config.spec.id, part), &number);
        }
    }
    math
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use posenc::Kind;

    fn of(text: &str, length: u64) -> String {
        scheme(&Config::parse(text).unwrap().0, length)
    }

    #[test]
    fn every_value_of_a_choice_has_a_formula_without_gaps() {
        for spec in posenc::registry() {
            for param in spec.params {
                let Kind::Choice { options, .. } = param.kind else { continue };
                for option in options {
                    let mut config = Config::new(spec);
                    assert_eq!(config.settings.set(param.key, option), None);
                    let math = scheme(&config, 64);
                    assert!(math.starts_with("<math"), "{config}");
                    assert!(!math.contains("<mn></mn>") && !math.contains("<mn>?</mn>"), "{config}: {math}");
                }
            }
        }
    }

    #[test]
    fn every_part_holds_for_some_parameters() {
        let odd = ["own-exponent", "round-up", "zero-pad"];
        let sinusoidal = odd.map(|odd| format!("sinusoidal(d_model=7,odd={odd})"));
        let longer = ["yarn,ramp=paper", "yarn,truncate=false", "yarn,attention_factor=2", "longrope"];
        let rope = longer.map(|set| format!("rope(rope_type={set})"));
        for spec in posenc::registry() {
            let mut configs = vec![Config::new(spec)];
            for param in spec.params {
                let Kind::Choice { options, .. } = param.kind else { continue };
                for option in options {
                    let mut config = Config::new(spec);
                    config.settings.set(param.key, option);
                    configs.push(config);
                }
            }
            let more = sinusoidal.iter().chain(&rope).map(|text| Config::parse(text).unwrap().0);
            configs.extend(more.filter(|config| config.spec == *spec));
            for (i, part) in spec.formula.iter().enumerate() {
                assert!(configs.iter().any(|config| part.holds(&config.settings)), "{} {i}", spec.id);
            }
        }
    }

    #[test]
    fn a_context_extension_shows_what_it_computes() {
        let default = of("rope", 64);
        assert!(default.contains("<mn>10 000</mn>".replace(' ', "\u{202f}").as_str()), "{default}");
        assert!(!default.contains("γ") && !default.contains("<mi>a</mi>"), "{default}");
        let yarn = of("rope(rope_type=yarn,factor=4)", 64);
        // The planes that complete 32 turns and 1 turn within 4096 tokens, and 0.1·ln 4 + 1.
        for number in ["<mn>20</mn>", "<mn>46</mn>", "<mn>32</mn>", "<mn>1.13863</mn>"] {
            assert!(yarn.contains(number), "{number}: {yarn}");
        }
        let given = of("rope(rope_type=yarn,factor=4,attention_factor=2)", 64);
        assert!(given.contains("<mn>2</mn>") && !given.contains("ln</mi><mn>4"), "{given}");
        let dynamic = |length| of("rope(rope_type=dynamic,factor=2)", length);
        assert!(dynamic(8000).contains("<mn>8000</mn>") && dynamic(8000) != dynamic(9000));
        let types =
            ["default", "linear", "ntk", "dynamic", "ntk-by-parts", "yarn", "llama3", "longrope", "proportional"];
        let all = types.map(|word| of(&format!("rope(rope_type={word})"), 64));
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{}", types[i]);
        }
    }

    #[test]
    fn parameters_that_are_not_defined_together_leave_no_gap() {
        let math = of("rope(head_dim=7)", 64);
        assert!(math.contains("<mn>?</mn>") && !math.contains("<mn></mn>"), "{math}");
    }

    #[test]
    fn an_odd_width_shows_the_width_that_counts() {
        let math = |odd: &str| of(&format!("sinusoidal(d_model=7,odd={odd})"), 64);
        assert!(math("own-exponent").contains("<mo lspace=\"0\" rspace=\"0\">/</mo><mn>7</mn></mrow>"));
        assert!(math("round-up").contains("<mn>7</mn><mo lspace=\"0\" rspace=\"0\">+</mo><mn>1</mn>"));
        assert!(math("zero-pad").contains("<mn>7</mn><mo lspace=\"0\" rspace=\"0\">−</mo><mn>1</mn>"));
        assert_eq!(of("sinusoidal", 64), of("sinusoidal(odd=zero-pad)", 64));
    }
}
