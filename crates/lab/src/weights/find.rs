//! What a tensor is for, by its name and shape.

use super::Kind;

/// Last parts of names that tables of positions have, without `.weight`.
const POSITIONS: [&str; 15] = [
    "wpe",                     // GPT-2
    "position_embeddings",     // BERT and its family, ViT, DINOv2
    "position_embedding",      // CLIP, SigLIP
    "embed_positions",         // OPT, BART, Whisper
    "positional_embedding",    // OpenAI's CLIP
    "positional_embeddings",   //
    "pos_embed",               // timm, MAE
    "decoder_pos_embed",       // MAE
    "pos_embedding",           // torchvision's ViT
    "pos_embeddings",          //
    "positions_embed",         // GPT
    "position_embed",          //
    "pos_emb",                 // minGPT
    "position_ids_embeddings", //
    "pe",                      // PyTorch's tutorial
];

/// Last parts of names that tables of distances have.
const DISTANCES: [&str; 7] = [
    "distance_embedding", // BERT with relative keys
    "rel_embeddings",     // DeBERTa
    "relative_positions_embeddings",
    "emb_rel_k", // VITS
    "emb_rel_v",
    "rel_pos_h", // SAM
    "rel_pos_w",
];

/// Parts of names of what looks at images.
const IMAGES: [&str; 5] = ["vis", "vit", "patch", "image", "dino"];

/// Rows for tokens that are no patches: a class token; none; one for distillation too; four registers too.
const SPECIAL: [u64; 4] = [1, 0, 2, 5];

/// The sides of a shape that are not 1: rows and columns, where these are all.
pub(super) fn sides(shape: &[u64]) -> Option<(u64, u64)> {
    if let [rows, columns] = *shape {
        return Some((rows, columns));
    }
    let mut long = shape.iter().filter(|side| **side != 1);
    match (long.next(), long.next(), long.next()) {
        (Some(rows), Some(columns), None) => Some((*rows, *columns)),
        _ => None,
    }
}

/// What it is for. Names are those that public models give their tensors; the shape must fit.
pub(super) fn kind(name: &str, shape: &[u64], readable: bool) -> Kind {
    if !readable {
        return Kind::Other;
    }
    let path = name.strip_suffix(".weight").unwrap_or(name);
    let last = path.rsplit('.').next().unwrap_or_default();
    let Some((rows, columns)) = sides(shape) else {
        let frequencies = last == "inv_freq" && shape.iter().filter(|side| **side > 1).count() == 1;
        return if frequencies { Kind::Frequencies } else { Kind::Other };
    };
    if rows == 0 || columns == 0 {
        return Kind::Other;
    }
    if last == "relative_attention_bias" {
        return Kind::Buckets { both_ways: !name.contains("decoder") };
    }
    if DISTANCES.contains(&last) {
        return Kind::Distances;
    }
    if !POSITIONS.contains(&last) {
        return Kind::Table;
    }
    let image = shape.len() > 2 || IMAGES.iter().any(|part| name.contains(part)) || last.ends_with("pos_embed");
    if image
        && let Some((size, special)) = SPECIAL.iter().find_map(|special| {
            let patches = rows.checked_sub(*special)?;
            let size = patches.isqrt();
            (size > 1 && size * size == patches).then_some((size, *special))
        })
    {
        return Kind::Grid { size, special };
    }
    // Lengths are round numbers, and these models' tables are two rows longer.
    let kept = matches!(last, "embed_positions" | "position_embeddings") && rows > 8 && rows % 8 == 2;
    Kind::Positions { first: if kept { 2 } else { 0 } }
}
