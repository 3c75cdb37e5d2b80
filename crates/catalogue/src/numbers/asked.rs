//! What was asked: a scheme, ready to compute, and the arguments.

use posenc::{Absolute, Config, Encoding, Error, Rotary, profile::Profile, vectors::Vectors, waves::Waves};
use std::{fs, path::Path};

/// The seed of made-up vectors in a link that names none.
pub(super) const SEED: u64 = 1;

/// Weights that schemes are made of.
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../static/data");

/// A scheme and the arguments of a quantity.
pub(super) struct Asked {
    pub(super) config: Config,
    pub(super) encoding: Encoding,
    usual: &'static [(&'static str, Option<&'static str>)],
    given: Vec<(String, String)>,
}

impl Asked {
    pub(super) fn new(
        config: Config,
        usual: &'static [(&'static str, Option<&'static str>)],
        given: Vec<(String, String)>,
    ) -> Result<Self, String> {
        let encoding = match config.build() {
            Err(Error::NeedsData(asset)) => {
                let path = Path::new(DATA).join(asset.file);
                let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                (asset.decode)(&bytes)
            }
            built => built,
        };
        let encoding = encoding.map_err(|e| format!("{config}: {e}"))?;
        Ok(Self { config, encoding, usual, given })
    }

    /// An argument as it was written, or its default.
    pub(super) fn word(&self, key: &str) -> &str {
        let given = self.given.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        given.or_else(|| self.usual.iter().find(|(known, _)| *known == key)?.1).unwrap_or_default()
    }

    pub(super) fn number(&self, key: &str) -> Result<f64, String> {
        let text = self.word(key);
        posenc::number::parse(text).ok_or_else(|| format!("{key} = {text:?} is no number"))
    }

    pub(super) fn whole(&self, key: &str) -> Result<i64, String> {
        let text = self.word(key);
        text.parse().map_err(|_| format!("{key} = {text:?} is no whole number"))
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, key: &str) -> Result<usize, String> {
        usize::try_from(self.whole(key)?).map_err(|_| format!("{key} is negative"))
    }

    pub(super) fn switch(&self, key: &str) -> Result<bool, String> {
        match self.word(key) {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(format!("{key} = {other:?} is neither true nor false")),
        }
    }

    /// The refusal of a quantity that the scheme does not have.
    pub(super) fn lacks(&self, what: &str) -> String {
        format!("{} has no {what}", self.config.spec.id)
    }

    pub(super) fn absolute(&self) -> Result<&dyn Absolute, String> {
        match &self.encoding {
            Encoding::Absolute(table) => Ok(table.as_ref()),
            _ => Err(self.lacks("vector for a position")),
        }
    }

    pub(super) fn rotary(&self) -> Result<&Rotary, String> {
        match &self.encoding {
            Encoding::Rotary(rotary) => Ok(rotary),
            _ => Err(self.lacks("rotation")),
        }
    }

    pub(super) fn waves(&self) -> Result<&Waves, String> {
        self.absolute()?.waves().ok_or_else(|| self.lacks("waves"))
    }

    /// Radians per token, one per plane.
    pub(super) fn frequencies(&self) -> Result<&[f64], String> {
        match &self.encoding {
            Encoding::Rotary(rotary) => Ok(rotary.inv_freq()),
            _ => Ok(self.waves()?.freq()),
        }
    }

    /// The frequency of the plane that is asked about.
    pub(super) fn frequency(&self) -> Result<f64, String> {
        let (plane, all) = (self.count("plane")?, self.frequencies()?);
        all.get(plane).copied().ok_or_else(|| format!("plane {plane} is none of the {} from 0", all.len()))
    }

    /// The vector of a position.
    pub(super) fn row(&self, position: f64) -> Result<Vec<f64>, String> {
        let table = self.absolute()?;
        let mut row = vec![0.0; table.width()];
        table.write_row(position, &mut row).map_err(|e| e.to_string())?;
        Ok(row)
    }

    /// The query and the key that `vectors` names.
    pub(super) fn query_and_key(&self, width: usize) -> Result<(Vec<f64>, Vec<f64>), String> {
        let word = self.word("vectors");
        let vectors = Vectors::from_word(word, SEED)
            .ok_or_else(|| format!("vectors = {word:?}: there are {}", Vectors::WORDS.join(", ")))?;
        Ok(vectors.pair(width))
    }

    /// The score by offset of a rotation, or the product by offset of two rows.
    pub(super) fn profile(&self) -> Result<Profile, String> {
        match &self.encoding {
            Encoding::Rotary(rotary) => {
                let (q, k) = self.query_and_key(rotary.head_dim())?;
                rotary.profile(&q, &k).map_err(|e| e.to_string())
            }
            _ => self.absolute()?.profile().ok_or_else(|| self.lacks("product that depends on the offset alone")),
        }
    }
}
