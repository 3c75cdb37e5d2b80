//! `.npy`: a magic word, a version, the length of a header, the header as a Python dictionary, the numbers.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. The crate `npyz` reads from a stream, and its
//! reader of headers takes any Python literal: it calls itself for every bracket, so that a header of brackets ends the
//! program. The dictionary has three keys, and is read here.

use super::{Dtype, Refused, Source, Tensor, find};

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// The longest header that is read, in bytes: numpy's have 118.
pub const MOST_NPY_HEADER: u64 = 4096;
/// Sides of a tensor at the most: numpy's own limit.
const MOST_SIDES: usize = 64;

/// The tensor of a file that begins with [`MAGIC`].
pub(super) fn header<S: Source + ?Sized>(file: &S) -> Result<Tensor, Refused> {
    let mut version = [0; 2];
    file.read(6, &mut version)?;
    let (length, begin) = if version[0] == 1 {
        let mut length = [0; 2];
        file.read(8, &mut length)?;
        (u64::from(u16::from_le_bytes(length)), 10)
    } else {
        let mut length = [0; 4];
        file.read(8, &mut length)?;
        (u64::from(u32::from_le_bytes(length)), 12)
    };
    if length > MOST_NPY_HEADER {
        return Err(Refused::HeaderLong { given: length, most: MOST_NPY_HEADER });
    }
    let mut text = vec![0; length as usize];
    file.read(begin, &mut text)?;
    let text = std::str::from_utf8(&text).map_err(|error| Refused::HeaderText { at: error.valid_up_to() as u64 })?;
    let mut reader = Reader { text, at: 0 };
    let Some(Dictionary { descr, by_column, shape }) = reader.dictionary() else {
        return Err(Refused::Header { at: reader.at as u64 + 1 });
    };
    let (dtype, big_endian) = Dtype::of_npy(descr);
    let Some(bytes) = dtype.bytes() else { return Err(Refused::Dtype(dtype.to_string())) };
    let cells = shape.iter().try_fold(bytes, |product, side| product.checked_mul(*side));
    let (begin, size) = (begin + length, file.size());
    let end = cells.and_then(|cells| begin.checked_add(cells)).unwrap_or(u64::MAX);
    if end > size {
        return Err(Refused::Cut { needed: end, given: size });
    }
    let kind = find::kind("", &shape, true);
    Ok(Tensor { name: String::new(), dtype, shape, kind, begin, big_endian, by_column })
}

struct Dictionary<'a> {
    descr: &'a str,
    by_column: bool,
    shape: Vec<u64>,
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, its keys in any order.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn dictionary(&mut self) -> Option<Dictionary<'a>> {
        let (mut descr, mut by_column, mut shape) = (None, None, None);
        self.token("{")?;
        while self.token("}").is_none() {
            let key = self.quoted()?;
            self.token(":")?;
            match key {
                "descr" => descr = Some(self.quoted()?),
                "fortran_order" => by_column = Some(self.switch()?),
                "shape" => shape = Some(self.tuple()?),
                _ => return None,
            }
            if self.token(",").is_none() {
                self.token("}")?;
                break;
            }
        }
        self.space();
        if self.at < self.text.len() {
            return None;
        }
        Some(Dictionary { descr: descr?, by_column: by_column?, shape: shape? })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
    }

    fn token(&mut self, token: &str) -> Option<()> {
        self.space();
        self.rest().starts_with(token).then(|| self.at += token.len())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        self.space();
        let quote = if self.rest().starts_with('"') { "\"" } else { "'" };
        self.token(quote)?;
        let (inside, _) = self.rest().split_once(quote)?;
        self.at += inside.len() + 1;
        Some(inside)
    }

    fn switch(&mut self) -> Option<bool> {
        if self.token("True").is_some() {
            return Some(true);
        }
        self.token("False").map(|()| false)
    }

    fn tuple(&mut self) -> Option<Vec<u64>> {
        let mut sides = Vec::new();
        self.token("(")?;
        while self.token(")").is_none() {
            self.space();
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            let side = self.rest()[..digits].parse().ok()?;
            if sides.len() == MOST_SIDES {
                return None;
            }
            sides.push(side);
            self.at += digits;
            // What Python 2 called a long.
            let _ = self.token("L");
            if self.token(",").is_none() {
                self.token(")")?;
                break;
            }
        }
        Some(sides)
    }
}
