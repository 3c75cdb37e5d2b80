//! `.safetensors`: eight bytes with the length of a header, the header in JSON, the numbers.
//!
//! <https://github.com/huggingface/safetensors#format>. The crate `safetensors` is what the tests write files with; it is
//! not what reads them here: it wants the file whole in memory, or compares the header with the length of what it was
//! given, and keeps offsets in a `usize`, which in a browser ends at 4 GB.

use super::{Dtype, Refused, Source, Tensor, find};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The longest header that is read, in bytes: files of a hundred thousand tensors have less.
pub const MOST_HEADER: u64 = 8 << 20;
/// Sides of a tensor at the most.
const MOST_SIDES: usize = 16;
/// Text that is no tensor.
const METADATA: &str = "__metadata__";

/// The tensors of a file, in the order of their names.
pub(super) fn header<S: Source + ?Sized>(file: &S) -> Result<Vec<Tensor>, Refused> {
    let mut length = [0; 8];
    file.read(0, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MOST_HEADER {
        return Err(Refused::HeaderLong { given: length, most: MOST_HEADER });
    }
    let begin = 8 + length;
    if file.size() < begin {
        return Err(Refused::Cut { needed: begin, given: file.size() });
    }
    let mut text = vec![0; length as usize];
    file.read(8, &mut text)?;
    let text = std::str::from_utf8(&text).map_err(|error| Refused::HeaderText { at: error.valid_up_to() as u64 })?;
    let Header(mut entries) =
        serde_json::from_str(text).map_err(|error| Refused::Header { at: place(text, &error) })?;
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Refused::Twice(shown(&pair[0].0)));
    }
    check_places(&entries, begin, file.size())?;
    entries.into_iter().map(|(name, entry)| tensor(name, entry, begin)).collect()
}

fn tensor(name: String, entry: Entry, begin: u64) -> Result<Tensor, Refused> {
    let (from, to) = entry.data_offsets;
    let dtype = Dtype::of_safetensors(&entry.dtype);
    let cells = entry.shape.0.iter().try_fold(1_u64, |product, side| product.checked_mul(*side));
    let needed = cells.zip(dtype.bytes()).map(|(cells, bytes)| cells.checked_mul(bytes));
    // Of a type that is not known, the size cannot be either.
    if dtype.bytes().is_some() && needed.flatten() != Some(to - from) {
        return Err(Refused::Size(shown(&name)));
    }
    let kind = find::kind(&name, &entry.shape.0, dtype.is_read());
    Ok(Tensor { name, dtype, shape: entry.shape.0, kind, begin: begin + from, big_endian: false, by_column: false })
}

/// No tensor ends before it begins, after the file, or among another's bytes.
fn check_places(entries: &[(String, Entry)], begin: u64, size: u64) -> Result<(), Refused> {
    let mut places: Vec<(u64, u64, &str)> = Vec::with_capacity(entries.len());
    for (name, entry) in entries {
        let (from, to) = entry.data_offsets;
        if to < from {
            return Err(Refused::Size(shown(name)));
        }
        let end = begin.saturating_add(to);
        if end > size {
            return Err(Refused::Cut { needed: end, given: size });
        }
        // What has no bytes shares none.
        if to > from {
            places.push((from, to, name));
        }
    }
    places.sort_unstable();
    match places.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => Err(Refused::Overlap(shown(pair[0].2), shown(pair[1].2))),
        None => Ok(()),
    }
}

/// A name may be as long as the header.
fn shown(name: &str) -> String {
    name.chars().take(120).collect()
}

/// The character of a text at which its reading ended, from 1.
fn place(text: &str, error: &serde_json::Error) -> u64 {
    let before: usize = text.split('\n').take(error.line().saturating_sub(1)).map(|line| line.len() + 1).sum();
    (before + error.column()) as u64
}

/// What the header says of a tensor.
#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Shape,
    data_offsets: (u64, u64),
}

/// A list that may be as long as the header: it is read to [`MOST_SIDES`].
struct Shape(Vec<u64>);

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Sides;
        impl<'de> Visitor<'de> for Sides {
            type Value = Shape;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a shape")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
                let mut sides = Vec::new();
                while let Some(side) = list.next_element()? {
                    if sides.len() == MOST_SIDES {
                        return Err(A::Error::custom("too many sides"));
                    }
                    sides.push(side);
                }
                Ok(Shape(sides))
            }
        }
        deserializer.deserialize_seq(Sides)
    }
}

/// All entries, those of the same name too.
struct Header(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a header")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut entries = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == METADATA {
                        let _: IgnoredAny = map.next_value()?;
                    } else {
                        entries.push((name, map.next_value()?));
                    }
                }
                Ok(Header(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}
