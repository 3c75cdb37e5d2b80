//! Positional encodings.
