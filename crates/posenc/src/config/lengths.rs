//! How long sequences may be.

use super::{
    error::Error,
    reader::Reader,
    reading::{Lengths, Part},
};

impl Reader<'_, '_> {
    /// The lengths, once the parts are known.
    pub(super) fn lengths(&mut self, parts: &[Part]) -> Result<Lengths, Error> {
        let given = self.length()?;
        // Phi-3 has it whether or not its context is extended.
        self.get(&["original_max_position_embeddings"]);
        // Command R is made for more than its `max_position_embeddings`.
        let beyond = self.get(&["model_max_length"]).map(|node| node.number()).transpose()?;
        // Some write 10³⁰ for "any".
        let beyond = beyond.filter(|length| (1.0..1e15).contains(length)).map(|length| length as u64);
        let base = Lengths { given, served: beyond.or(given), trained: given };
        // The table of what is written, where another stack reads.
        if let Some(table) = parts.iter().rev().find_map(|part| part.table) {
            // A row for each token, and those before the first are nobody's.
            let served = Some(table.rows.saturating_sub(table.first));
            return Ok(Lengths { given, served, trained: served });
        }
        if !parts.is_empty() && parts.iter().all(|part| !has_end(part)) {
            return Ok(Lengths { served: None, ..base });
        }
        let Some(extension) = self.extension else { return Ok(base) };
        let times = |length: u64| extension.factor.map(|factor| (length as f64 * factor) as u64);
        let original = extension.original;
        Ok(match extension.kind {
            // The frequencies are made for so many times the length before.
            "yarn" => {
                let served = original.and_then(times).max(base.served);
                Lengths { served, trained: original, ..base }
            }
            // They follow the sequence from the length that is given on.
            "dynamic" | "ntk" => Lengths { served: given.and_then(times).max(base.served), ..base },
            // The length that is given is the one after; of linear ones it may be the one before, which is longer.
            _ => Lengths { trained: original, ..base },
        })
    }
}

/// Whether the scheme ends somewhere, or is a rotation, which models do not bear beyond what they were trained on.
fn has_end(part: &Part) -> bool {
    !matches!(part.scheme.spec.id, "alibi" | "t5" | "none")
}
