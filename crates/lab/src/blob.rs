//! A file of the browser's, read piece by piece. The worker may wait for it.

use crate::weights::{Refused, Source};
use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

/// A file that a person chose.
pub(crate) struct BlobSource {
    blob: Blob,
    reader: FileReaderSync,
}

impl BlobSource {
    /// `None` outside a worker.
    pub(crate) fn new(blob: Blob) -> Option<Self> {
        Some(Self { blob, reader: FileReaderSync::new().ok()? })
    }
}

impl Source for BlobSource {
    fn size(&self) -> u64 {
        self.blob.size() as u64
    }

    fn read(&self, from: u64, out: &mut [u8]) -> Result<(), Refused> {
        let end = from.saturating_add(out.len() as u64);
        if end > self.size() {
            return Err(Refused::Cut { needed: end, given: self.size() });
        }
        // Sizes of files are exact in f64.
        let slice = self.blob.slice_with_f64_and_f64(from as f64, end as f64).map_err(|_| Refused::Unreadable)?;
        let buffer = self.reader.read_as_array_buffer(&slice).map_err(|_| Refused::Unreadable)?;
        let bytes = Uint8Array::new(&buffer);
        if bytes.length() as usize != out.len() {
            return Err(Refused::Unreadable);
        }
        bytes.copy_to(out);
        Ok(())
    }
}
