//! The shared cursor.

/// What all figures point at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cursor {
    /// The query's position, in tokens; between two tokens too.
    pub position: f64,
    /// Query position − key position; positive looks back.
    pub offset: i64,
    /// The rotated plane.
    pub plane: usize,
    /// The head.
    pub head: usize,
    /// The length that is pointed at, in tokens, where it is not the sequence's own: it passes, and is never state.
    #[cfg(feature = "full")]
    pub length: Option<u64>,
}

/// A change of some of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CursorPatch {
    /// The new position, if it changes.
    pub position: Option<f64>,
    /// The new offset, if it changes.
    pub offset: Option<i64>,
    /// The new plane, if it changes.
    pub plane: Option<usize>,
    /// The new head, if it changes.
    pub head: Option<usize>,
    /// The length that is pointed at, in tokens.
    #[cfg(feature = "full")]
    pub length: Option<u64>,
}

impl CursorPatch {
    /// The cursor after the change.
    #[must_use]
    pub fn on(&self, cursor: Cursor) -> Cursor {
        Cursor {
            position: self.position.unwrap_or(cursor.position),
            offset: self.offset.unwrap_or(cursor.offset),
            plane: self.plane.unwrap_or(cursor.plane),
            head: self.head.unwrap_or(cursor.head),
            #[cfg(feature = "full")]
            length: self.length.or(cursor.length),
        }
    }
}
