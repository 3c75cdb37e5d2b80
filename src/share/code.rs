//! Code that computes what a scheme computes, for exactly these parameters: Python from the scheme's template in
//! `static/code`, Rust from the template of what it is.
//!
//! A template of Python is the code itself, with `xp` for the library, and
//!
//! * lines from `#? key=word|word` to `#.` that are there only while the parameter has one of these words, and from
//!   `#? key!=word` while it has another (an empty word stands for a parameter that makes no difference, and for an empty
//!   list; `#? numpy` and `#? torch` are for one library);
//! * `{{name}}` where a list of numbers goes.
//!
//! Its first two lines, comments, name the paper. Parameters that it names, and does not assign itself, become assignments
//! at its head. Where it draws by seed (`Random`), `random.py` goes before it: made-up weights are the page's own.

use posenc::{
    Acts, Config, Encoding, Error, ParamSpec, Value,
    grid::Grid,
    schemes::{kerple, t5},
};
use std::fmt::Write as _;

/// A language with its library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Python with NumPy.
    NumPy,
    /// Python with PyTorch.
    Torch,
    /// Rust with `posenc`.
    Rust,
}

impl Language {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::NumPy, Self::Torch, Self::Rust];

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::NumPy | Self::Torch => "py",
            Self::Rust => "rs",
        }
    }
}

/// For which sequence or image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Tokens.
    pub length: u64,
    /// Patches.
    pub grid: Grid,
}

/// The most tokens whose queries and keys are made up.
const MOST_TOKENS: u64 = 64;

macro_rules! python {
    ($($id:literal),+ $(,)?) => {
        /// Templates of Python, by the scheme's id.
        static PYTHON: &[(&str, &str)] = &[$(($id, include_str!(concat!("../../static/code/", $id, ".py")))),+];
    };
}

python![
    "alibi",
    "cope",
    "deberta",
    "fire",
    "fourier",
    "irope",
    "kerple",
    "learned",
    "learned2d",
    "mrope",
    "rope",
    "rope-mixed",
    "rope2d",
    "sandwich",
    "shaw",
    "sincos2d",
    "sinusoidal",
    "t5",
    "transformer-xl",
    "tupe",
    "xpos",
];

/// The page's random numbers, in Python.
const RANDOM: &str = include_str!("../../static/code/random.py");

/// Why there is no code.
#[derive(Debug, Clone, PartialEq)]
pub enum Missing {
    /// The scheme computes nothing.
    Nothing,
    /// Its weights are in a file, which `posenc` does not bring.
    Weights,
    /// The scheme is not defined for its parameters.
    Undefined(Error),
    /// Nobody wrote it.
    Unwritten,
}

/// The code.
///
/// # Errors
/// [`Missing`], where there is none.
pub fn write(config: &Config, extent: Extent, language: Language, link: &str) -> Result<String, Missing> {
    let encoding = match config.build_at(extent.length as f64) {
        Ok(encoding) => Some(encoding),
        // Code of Python loads them, and needs none of them here.
        Err(Error::NeedsData(_)) => None,
        Err(error) => return Err(Missing::Undefined(error)),
    };
    if config.spec.acts == Acts::Nothing {
        return Err(Missing::Nothing);
    }
    let body = match language {
        Language::Rust => rust(config, encoding.as_ref().ok_or(Missing::Weights)?, extent),
        _ => python(config, encoding.as_ref(), extent, language),
    };
    let body = body.ok_or(Missing::Unwritten)?;
    let mark = if language == Language::Rust { "//" } else { "#" };
    // A line of comment ends where the text has none.
    let mut out = format!("{mark} {config}\n{mark} {}\n", link.replace(['\n', '\r'], " "));
    if language == Language::Rust {
        let _ = writeln!(out, "// In Cargo.toml: posenc = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    }
    out.push_str(&body);
    Ok(out)
}

fn rust(config: &Config, encoding: &Encoding, extent: Extent) -> Option<String> {
    let template = match encoding {
        Encoding::Absolute(_) => include_str!("../../static/code/rust/absolute.rs"),
        Encoding::Rotary(_) => include_str!("../../static/code/rust/rotary.rs"),
        Encoding::Bias(_) => include_str!("../../static/code/rust/bias.rs"),
        Encoding::Content(_) => include_str!("../../static/code/rust/content.rs"),
        Encoding::QueryKey(_) => include_str!("../../static/code/rust/query_key.rs"),
        Encoding::Grid(_) => include_str!("../../static/code/rust/grid.rs"),
        Encoding::Axial(_) => include_str!("../../static/code/rust/axial.rs"),
        _ => return None,
    };
    let slots = [
        ("config", config.to_string()),
        ("length", extent.length.to_string()),
        ("tokens", extent.length.min(MOST_TOKENS).to_string()),
        ("height", extent.grid.height.to_string()),
        ("width", extent.grid.width.to_string()),
    ];
    Some(slots.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value)))
}

fn python(config: &Config, encoding: Option<&Encoding>, extent: Extent, language: Language) -> Option<String> {
    let (_, template) = PYTHON.iter().find(|(id, _)| *id == config.spec.id)?;
    // Its first two lines are the paper and its address.
    let (source, template) = template.split_at(template.match_indices('\n').nth(1)?.0 + 1);
    let library = if language == Language::Torch { "torch" } else { "np" };
    let mut body = String::new();
    // Whether each open condition holds.
    let mut open = Vec::new();
    for line in template.lines() {
        if let Some(condition) = line.strip_prefix("#? ") {
            open.push(holds(config, language, condition));
        } else if line == "#." {
            open.pop();
        } else if open.iter().all(|holds| *holds) {
            body.push_str(line);
            body.push('\n');
        }
    }
    let draws = if names(&body, "Random") { RANDOM } else { "" };
    body = filled(&body, config, encoding)?;
    let mut head = format!("{source}\n");
    if names(&body, "math") || !draws.is_empty() {
        head.push_str("import math\n\n");
    }
    head.push_str(if language == Language::Torch { "import torch\n\n" } else { "import numpy as np\n\n" });
    let before = head.len();
    for (key, value) in [
        ("length", extent.length),
        ("tokens", extent.length.min(MOST_TOKENS)),
        ("height", extent.grid.height as u64),
        ("width", extent.grid.width as u64),
    ] {
        // What the template computes itself needs no number.
        if names(&body, key) && !assigns(&body, key) {
            let _ = writeln!(head, "{key} = {value}");
        }
    }
    for (spec, value) in config.settings.iter() {
        if names(&body, spec.key) && !assigns(&body, spec.key) && relevant(config, spec) {
            let _ = writeln!(head, "{} = {}", spec.key, literal(value));
        }
    }
    if head.len() > before {
        head.push('\n');
    }
    // Two empty lines before a class.
    let gap = if draws.is_empty() { "" } else { "\n" };
    Some([&head, gap, draws, &body].concat().replace("xp.", &format!("{library}.")))
}

/// Whether the line of a condition holds.
fn holds(config: &Config, language: Language, condition: &str) -> bool {
    let Some((key, words)) = condition.split_once('=') else {
        return condition == if language == Language::Torch { "torch" } else { "numpy" };
    };
    let (key, otherwise) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
    let known = config.settings.iter().find(|(spec, _)| spec.key == key);
    otherwise
        != words.split('|').any(|word| match known {
            Some((spec, value)) if relevant(config, spec) => value.to_string() == word,
            _ => word.is_empty(),
        })
}

/// Whether a parameter makes a difference, and the one that it depends on does too.
fn relevant(config: &Config, spec: &ParamSpec) -> bool {
    config.settings.relevant(spec)
        && spec.when.is_none_or(|(other, _)| {
            config.settings.specs().iter().find(|spec| spec.key == other).is_none_or(|spec| relevant(config, spec))
        })
}

/// The places of a word in code.
fn places<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !code[..*at].ends_with(|c| letter(c) || c == '.') && !code[at + word.len()..].starts_with(letter)
    })
}

fn names(code: &str, word: &str) -> bool {
    places(code, word).any(|at| !code[..at].lines().next_back().unwrap_or_default().contains('#'))
}

fn assigns(code: &str, word: &str) -> bool {
    places(code, word).any(|at| (at == 0 || code[..at].ends_with('\n')) && code[at + word.len()..].starts_with(" = "))
}

/// A value of a parameter in Python.
fn literal(value: &Value) -> String {
    match value {
        Value::Switch(on) => if *on { "True" } else { "False" }.to_owned(),
        Value::Real(number) => real(*number),
        Value::Choice(word) => format!("\"{word}\""),
        Value::List(whole) => format!("[{}]", whole.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        Value::Reals(numbers) => format!("[{}]", list(numbers)),
        Value::Integer(number) => number.to_string(),
    }
}

/// A number to the last bit, with a point, so that Python takes it for no whole one. Not by `{:?}`, which writes nothing in the site.
fn real(number: f64) -> String {
    let text = number.to_string();
    if text.contains('.') || !number.is_finite() { text } else { format!("{text}.0") }
}

/// Puts numbers into `{{name}}`.
fn filled(body: &str, config: &Config, encoding: Option<&Encoding>) -> Option<String> {
    let mut out = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}")?;
        out.push_str(before);
        out.push_str(&list(&numbers(name, config, encoding?)?));
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// A list of numbers, to the last bit, in lines that fit.
fn list(numbers: &[f64]) -> String {
    const WIDE: usize = 4;
    if let [number] = numbers {
        return real(*number);
    }
    let rows: Vec<String> =
        numbers.chunks(WIDE).map(|row| row.iter().copied().map(real).collect::<Vec<_>>().join(", ")).collect();
    if rows.len() == 1 { rows.concat() } else { format!("\n    {},\n", rows.join(",\n    ")) }
}

/// The numbers that a template asks for.
fn numbers(name: &str, config: &Config, encoding: &Encoding) -> Option<Vec<f64>> {
    let kerple = || {
        let settings = &config.settings;
        let kernel = if settings.choice("kernel") == "power" { kerple::Kernel::Power } else { kerple::Kernel::Log };
        let seed = settings.integer("init_seed") as u64;
        kerple::Kerple::untrained(kernel, settings.integer("num_heads") as usize, seed).ok()
    };
    match (name, encoding) {
        ("freq", Encoding::Absolute(table)) => Some(table.waves()?.freq().to_vec()),
        ("divisors", Encoding::Rotary(rotary)) => {
            let plain = rotary.frequencies()?.unscaled();
            Some(plain.iter().zip(rotary.inv_freq()).map(|(plain, w)| plain / w).collect())
        }
        ("attention_scale", Encoding::Rotary(rotary)) => Some(vec![rotary.attention_factor()]),
        ("p", _) => Some(kerple()?.p().to_vec()),
        ("a", _) => Some(kerple()?.a().to_vec()),
        ("relative", _) => {
            let buckets = t5::Buckets::new(32, 128, true).ok()?;
            let table = t5::T5::synthetic(1, buckets);
            (0..table.buckets().count()).map(|bucket| table.value(0, bucket)).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
#[path = "code_tests.rs"]
mod tests;
