//! Any bytes as a file of safetensors: it is listed or refused with a message, and what is listed can be read or is
//! refused, too.
#![no_main]

mod weights;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| weights::answered(bytes));
