//! Bytes that are read piece by piece.

use super::Refused;

/// A file.
pub trait Source {
    /// Its bytes.
    fn size(&self) -> u64;

    /// Fills `out` with the bytes from there on.
    ///
    /// # Errors
    /// [`Refused::Cut`] where the file ends before, [`Refused::Unreadable`] where it can no longer be read.
    fn read(&self, from: u64, out: &mut [u8]) -> Result<(), Refused>;
}

impl Source for [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, from: u64, out: &mut [u8]) -> Result<(), Refused> {
        let end = from.saturating_add(out.len() as u64);
        let cut = || Refused::Cut { needed: end, given: self.size() };
        let begin = usize::try_from(from).map_err(|_| cut())?;
        let bytes = self.get(begin..).and_then(|rest| rest.get(..out.len())).ok_or_else(cut)?;
        out.copy_from_slice(bytes);
        Ok(())
    }
}
