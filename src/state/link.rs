//! The URL codec: `#/<page>?key=value&…`.
