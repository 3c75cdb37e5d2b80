//! The outer form of a WebAssembly module: sections, numbers, names.

const HEAD: &[u8] = b"\0asm\x01\0\0\0";

/// The sections of a module: the number of their kind, and what is in them. `None` when it is no module.
pub(super) fn of(module: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut rest = Reader(module.strip_prefix(HEAD)?);
    let mut sections = Vec::new();
    while !rest.0.is_empty() {
        let id = rest.byte()?;
        sections.push((id, rest.bytes()?));
    }
    Some(sections)
}

/// A module of these sections.
pub(super) fn join(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut module = HEAD.to_vec();
    for (id, content) in sections {
        module.push(*id);
        put_bytes(&mut module, content);
    }
    module
}

/// What is left to read.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// An unsigned number of at most 32 bits, in LEB128.
    pub(super) fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Bytes with their number before them.
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn name(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

pub(super) fn put_number(into: &mut Vec<u8>, mut value: usize) {
    while value > 0x7f {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

pub(super) fn put_bytes(into: &mut Vec<u8>, bytes: &[u8]) {
    put_number(into, bytes.len());
    into.extend(bytes);
}
