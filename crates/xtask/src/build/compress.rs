//! Compressed forms beside the files, for hosts that can serve them.

use std::io::Write;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether a file is of a kind that compression makes smaller.
pub(super) fn worthwhile(name: &str) -> bool {
    let ending = name.rsplit('.').next().unwrap_or_default();
    ["html", "css", "js", "mjs", "wasm", "svg", "json", "toml", "txt", "md", "xml", "csv", "bin", "webmanifest"]
        .contains(&ending)
}

/// Brotli at its best and slowest.
pub(super) fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let mut packed = Vec::new();
    let parameters =
        brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, size_hint: content.len(), ..Default::default() };
    brotli::BrotliCompress(&mut &content[..], &mut packed, &parameters)?;
    Ok(packed)
}

/// Gzip at its best, without a date in it.
pub(super) fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn both_forms_give_the_file_back() -> Result<()> {
        let content = b"position ".repeat(100);
        let mut brotli_back = Vec::new();
        brotli::BrotliDecompress(&mut brotli(&content)?.as_slice(), &mut brotli_back)?;
        assert_eq!(brotli_back, content);
        let mut gzip_back = Vec::new();
        flate2::read::GzDecoder::new(gzip(&content)?.as_slice()).read_to_end(&mut gzip_back)?;
        assert_eq!(gzip_back, content);
        Ok(())
    }
}
