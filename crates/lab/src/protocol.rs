//! What the app and the worker say to each other.
//!
//! Every message is one JavaScript object with the field `kind`. To the worker:
//!
//! | `kind` | fields | meaning |
//! | --- | --- | --- |
//! | `init` | `script`, `module`: strings | once and first: the addresses of `lab.js` and of its WebAssembly |
//! | `run` | `id`: whole number below 2³², `text`: string, and where the job asks for them `file`: a `Blob`, `values`: a `Float32Array` | a [`Request`] in the grammar below |
//! | `cancel` | `id` | an answer is no longer wanted |
//!
//! From the worker:
//!
//! | `kind` | fields | meaning |
//! | --- | --- | --- |
//! | `ready` | | the module is loaded; requests that came earlier were kept |
//! | `progress` | `id`, `done`, `total`: numbers | at most twenty a second |
//! | `answer` | `id`, `names`: strings, `arrays`: `Float32Array`s, transferred, `notes`, `text`: string | the end of a request |
//! | `cancelled` | `id` | the end of a request |
//! | `failed` | `id`: whole number or null, `message`: string | the end of a request; with null, of the worker |
//!
//! A request ends with exactly one of the last three. An id is of the app's choice; to use one again before its request
//! has ended drops the earlier one, as `cancel` does. Requests are done in the order in which they came.
//!
//! A note is an object `{key, given, used, why}` of strings: a value that was not taken as given, `why` being one of
//! `unknown-key`, `unknown-word`, `not-a-number`, `out-of-range`, `unreadable`.
//!
//! A request is a job and its parameters, `job?key=value&…`, as in the app's links: numbers use `.`, a scheme is
//! `id(key=value,…)`, everything else is percent-encoded, a default is left out. The jobs:
//!
//! `weights` says what a file of weights has: the `text` of its answer is a `Result<Found, Refused>` as JSON (see
//! [`weights`](crate::weights)). `weights?tensor=3` reads the tensor at that place in the list: the `text` is a
//! `Result<Matrix, Refused>`, and the array `values` has its numbers, row by row.
//!
//! `table?columns=384&components=6` looks at the rows in `values` (see [`posenc::analysis`]) and answers with the arrays
//! `numbers` (Toeplitz share, effective rank, share of rows whose nearest row is a neighbour, rows left out), `mean` and
//! `spread` (of the cosine, by distance), `nearest` (four rows by row; −1 for none), `shares` (of all components), `periods`
//! (period and purity of each that is described) and `along` (what each row has of each).
//! `table?scheme=sinusoidal(d_model=384)&rows=512&components=6` looks at the first rows of a scheme that needs no file.
//!
//! `time?scheme=rope(head_dim=64)` measures how long a scheme takes where the worker runs (see [`time`](crate::time)) and
//! answers with the arrays `lengths` (tokens) and `seconds` (for one token; NaN where the scheme has no number for it).
//!
//! `band?scheme=rope(rope_theta=500000)&length=1000000&vectors=independent&draws=64&axis=log` draws q and k so many times
//! and answers, for each of `columns` runs of the offsets from 0 to `length`, with the arrays `edges` (one more than
//! there are columns; column i is the offsets `edges[i]..edges[i+1]`, or `edges[i]` alone where that is empty), `mean`,
//! `spread` (one standard deviation), `min`, `max`, and `exact` (one number: 1 where every offset was looked at).

use posenc::{Config, Kind, ParamSpec, Repair, Scale, Settings, Unit, Why, vectors::Vectors};
use std::fmt;

/// What may be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Scores over many draws of q and k.
    Band(Band),
    /// What a file of weights has, or one of its tensors by its place in that list.
    #[cfg(feature = "weights")]
    Weights(Option<usize>),
    /// How long a scheme takes.
    #[cfg(feature = "weights")]
    Time(Config),
    /// What a table has learned.
    #[cfg(feature = "weights")]
    Table {
        /// Whose rows.
        of: Rows,
        /// How many components are described.
        components: usize,
    },
}

/// Rows of numbers.
#[cfg(feature = "weights")]
#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    /// They come with the request.
    Given {
        /// Numbers in a row.
        columns: usize,
    },
    /// The first rows of a scheme that adds a vector to the embedding; another fails when the job starts.
    Scheme {
        /// The scheme.
        scheme: Config,
        /// How many.
        count: usize,
    },
}

/// The job `band`.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// A rotation; another scheme fails when the job starts.
    pub scheme: Config,
    /// The rest, always within [`BAND`].
    pub settings: Settings,
}

/// Columns that a band may have at the most: no screen is wider.
pub const MOST_COLUMNS: i64 = 4096;

/// The parameters of `band` beside its scheme.
pub const BAND: &[ParamSpec] = &[
    ParamSpec {
        key: "length",
        kind: Kind::Integer { min: 1, max: 10_000_000, step: 1, default: 1_000_000, scale: Scale::Log },
        unit: Unit::Tokens,
        when: None,
    },
    ParamSpec {
        key: "vectors",
        kind: Kind::Choice { options: &Vectors::WORDS, default: "independent" },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "seed",
        kind: Kind::Integer { min: 0, max: 9999, step: 1, default: 1, scale: Scale::Linear },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "draws",
        kind: Kind::Integer { min: 1, max: 256, step: 1, default: 64, scale: Scale::Log },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "columns",
        kind: Kind::Integer { min: 1, max: MOST_COLUMNS, step: 1, default: 1000, scale: Scale::Log },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "samples",
        kind: Kind::Integer { min: 1, max: 10_000_000, step: 1, default: 64, scale: Scale::Log },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "axis",
        kind: Kind::Choice { options: &["linear", "log"], default: "linear" },
        unit: Unit::None,
        when: None,
    },
    ParamSpec {
        key: "aim",
        kind: Kind::Integer { min: -10_000_000, max: 10_000_000, step: 1, default: 0, scale: Scale::Linear },
        unit: Unit::Tokens,
        when: None,
    },
];

/// The longest text that is read.
const MOST_TEXT: usize = 10_000;

impl Request {
    /// Reads a request; what was not taken as given comes back beside it.
    ///
    /// # Errors
    /// A sentence, where there is no such job or scheme, or the text is longer than any request.
    pub fn parse(text: &str) -> Result<(Self, Vec<Repair>), String> {
        if text.len() > MOST_TEXT {
            return Err(format!("the request is longer than {MOST_TEXT} bytes"));
        }
        let (job, query) = text.split_once('?').unwrap_or((text, ""));
        #[cfg(feature = "weights")]
        if job == "weights" {
            let place = query.strip_prefix("tensor=").map(str::parse).transpose();
            let place = place.map_err(|_| format!("\"{query}\" is no place in a list"))?;
            return Ok((Self::Weights(place), Vec::new()));
        }
        #[cfg(feature = "weights")]
        if job == "table" {
            return Self::table(query);
        }
        #[cfg(feature = "weights")]
        if job == "time" {
            let scheme = query.strip_prefix("scheme=").ok_or("it is not said of which scheme")?;
            let (scheme, notes) = Config::parse(&percent_decoded(scheme)).map_err(|error| error.to_string())?;
            return Ok((Self::Time(scheme), notes));
        }
        if job != "band" {
            return Err(format!("there is no job \"{job}\""));
        }
        let mut settings = Settings::new(BAND);
        let mut scheme = None;
        let mut repairs = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                repairs.push(Repair {
                    key: pair.into(),
                    given: String::new(),
                    used: String::new(),
                    why: Why::Unreadable,
                });
                continue;
            };
            let value = percent_decoded(value);
            if key == "scheme" {
                let (config, more) = Config::parse(&value).map_err(|error| error.to_string())?;
                scheme = Some(config);
                repairs.extend(more);
            } else {
                repairs.extend(settings.set(key, &value));
            }
        }
        let scheme = match scheme {
            Some(scheme) => scheme,
            None => Config::parse("rope").map_err(|error| error.to_string())?.0,
        };
        Ok((Self::Band(Band { scheme, settings }), repairs))
    }

    #[cfg(feature = "weights")]
    fn table(query: &str) -> Result<(Self, Vec<Repair>), String> {
        let value = |key: &str| query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
        let number = |key: &str| value(key)?.parse().ok();
        let (of, repairs) = match value("scheme") {
            Some(scheme) => {
                let read = Config::parse(&percent_decoded(scheme)).map_err(|error| error.to_string())?;
                (number("rows").map(|count| Rows::Scheme { scheme: read.0, count }), read.1)
            }
            None => (number("columns").map(|columns| Rows::Given { columns }), Vec::new()),
        };
        match (of, number("components")) {
            (Some(of), Some(components)) => Ok((Self::Table { of, components }, repairs)),
            _ => Err(format!("\"{query}\" says not how many rows or columns, and components")),
        }
    }
}

impl fmt::Display for Request {
    /// The text that reads back as the same request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let band = match self {
            Self::Band(band) => band,
            #[cfg(feature = "weights")]
            Self::Weights(None) => return f.write_str("weights"),
            #[cfg(feature = "weights")]
            Self::Table { of: Rows::Given { columns }, components } => {
                return write!(f, "table?columns={columns}&components={components}");
            }
            #[cfg(feature = "weights")]
            Self::Table { of: Rows::Scheme { scheme, count }, components } => {
                return write!(f, "table?scheme={scheme}&rows={count}&components={components}");
            }
            #[cfg(feature = "weights")]
            Self::Time(scheme) => return write!(f, "time?scheme={scheme}"),
            #[cfg(feature = "weights")]
            Self::Weights(Some(place)) => return write!(f, "weights?tensor={place}"),
        };
        write!(f, "band?scheme={}", band.scheme)?;
        for (key, value) in band.settings.changed() {
            write!(f, "&{key}={value}")?;
        }
        Ok(())
    }
}

/// `%41` becomes `A`; what is no such triple stays, and what is no UTF-8 becomes U+FFFD.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |i: usize| after.get(i).and_then(|byte| char::from(*byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Band {
    /// The query and key to draw.
    pub fn vectors(&self) -> Vectors {
        let seed = self.settings.integer("seed") as u64;
        Vectors::from_word(self.settings.choice("vectors"), seed).unwrap_or(Vectors::Independent { seed })
    }

    /// The edges of the columns, ascending, from 0 to `length`.
    ///
    /// On the linear axis column i begins at offset `i·length/columns`, rounded down. On the logarithmic one the first
    /// column is the offset 0 alone, and the others divide 1 to `length` in equal ratios.
    pub fn edges(&self) -> Vec<i64> {
        let (length, columns) = (self.settings.integer("length"), self.settings.integer("columns"));
        let logarithmic = self.settings.choice("axis") == "log";
        edges(length, columns, logarithmic)
    }
}

/// See [`Band::edges`]. The figure's own columns should be these, so that a band lies where the curve does.
pub fn edges(length: i64, columns: i64, logarithmic: bool) -> Vec<i64> {
    let (length, columns) = (length.max(1), columns.clamp(1, MOST_COLUMNS));
    if !logarithmic {
        return (0..=columns).map(|i| (i128::from(i) * i128::from(length) / i128::from(columns)) as i64).collect();
    }
    if columns == 1 {
        return vec![0, length];
    }
    let ratio = libm::log(length as f64);
    let mut edges = vec![0];
    edges.extend((0..columns).map(|i| {
        let part = i as f64 / (columns - 1) as f64;
        (libm::exp(ratio * part) + 1e-9) as i64
    }));
    if let Some(last) = edges.last_mut() {
        *last = length;
    }
    edges
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The module is loaded.
    Ready,
    /// How far a request is.
    Progress {
        /// Of the request.
        id: u32,
        /// Of `total`.
        done: f64,
        /// All there is to do.
        total: f64,
    },
    /// The end of a request.
    Answer(Answer),
    /// The end of a request whose answer was no longer wanted.
    Cancelled {
        /// Of the request.
        id: u32,
    },
    /// The end of a request that could not be done.
    Failed {
        /// Of the request; `None` where the worker itself failed and nothing will be answered any more.
        id: Option<u32>,
        /// What happened, in English: for the details of a notice, not for its headline.
        message: String,
    },
}

/// The end of a request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// Of the request.
    pub id: u32,
    /// The arrays by name.
    pub arrays: Vec<(String, Vec<f32>)>,
    /// Values that were not taken as given.
    pub notes: Vec<Repair>,
    /// What is no number, in the job's own form; mostly empty.
    #[cfg(feature = "weights")]
    pub text: String,
}

impl Answer {
    /// The array of this name; empty where there is none.
    pub fn array(&self, name: &str) -> &[f32] {
        self.arrays.iter().find(|(n, _)| n == name).map_or(&[], |(_, array)| array)
    }
}

/// The word of a reason in a note.
pub fn word(why: Why) -> &'static str {
    match why {
        Why::UnknownKey => "unknown-key",
        Why::UnknownWord => "unknown-word",
        Why::NotANumber => "not-a-number",
        Why::OutOfRange => "out-of-range",
        Why::NotWhole => "not-whole",
        Why::Unreadable => "unreadable",
    }
}

/// The reason of a word.
pub fn why(word: &str) -> Option<Why> {
    [Why::UnknownKey, Why::UnknownWord, Why::NotANumber, Why::OutOfRange, Why::NotWhole, Why::Unreadable]
        .into_iter()
        .find(|why| self::word(*why) == word)
}
