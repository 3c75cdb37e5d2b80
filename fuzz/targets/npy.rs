//! Any bytes after the magic word of npy, and as they are: listed and read, or refused with a message.
#![no_main]

mod weights;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    weights::answered(bytes);
    if !bytes.starts_with(b"\x93NUMPY") {
        weights::answered(&[b"\x93NUMPY", bytes].concat());
    }
});
