//! What is said of a file of weights, in words.

use crate::brought::About;
use crate::draw::number;
use crate::words;
use lab::weights::{Foreign, Found, Kind, Refused, Tensor};

fn whole(value: u64) -> String {
    number::whole(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A shape as "1 024 × 768".
fn shape(shape: &[u64]) -> String {
    if shape.is_empty() {
        return words::brought_scalar().to_owned();
    }
    shape.iter().map(|side| whole(*side)).collect::<Vec<_>>().join(" × ")
}

/// Why a file is not read.
pub(super) fn refused(refused: &Refused) -> String {
    match refused {
        Refused::Empty => words::brought_refused_empty().to_owned(),
        Refused::Foreign(what) => match what {
            Foreign::Picture => words::brought_foreign_picture(),
            Foreign::Pdf => words::brought_foreign_pdf(),
            Foreign::Zip => words::brought_foreign_zip(),
            Foreign::Compressed => words::brought_foreign_compressed(),
            Foreign::Pickle => words::brought_foreign_pickle(),
            Foreign::Hdf5 => words::brought_foreign_hdf5(),
            Foreign::Gguf => words::brought_foreign_gguf(),
            Foreign::Text => words::brought_foreign_text(),
            _ => words::brought_foreign_unknown(),
        }
        .to_owned(),
        Refused::Cut { needed, given } if *needed == u64::MAX => words::brought_refused_cut_far(whole(*given)),
        Refused::Cut { needed, given } => words::brought_refused_cut(whole(*needed), whole(*given)),
        Refused::HeaderLong { given, most } => words::brought_refused_header_long(whole(*given), whole(*most)),
        Refused::HeaderText { at } => words::brought_refused_header_text(whole(*at)),
        Refused::Header { at } => words::brought_refused_header(whole(*at)),
        Refused::Twice(name) => words::brought_refused_twice(name),
        Refused::Overlap(one, other) => words::brought_refused_overlap(one, other),
        Refused::Size(name) => words::brought_refused_size(name),
        Refused::Dtype(name) => words::brought_refused_dtype(name),
        Refused::Shape(sides) => words::brought_refused_shape(shape(sides)),
        Refused::Nothing => words::brought_refused_nothing().to_owned(),
        Refused::Large { given, most } => words::brought_refused_large(whole(*given), whole(*most)),
        Refused::NoSuch | Refused::Unreadable => words::brought_refused_unreadable().to_owned(),
        // The lab may come to know more reasons than there are words for.
        other => other.to_string(),
    }
}

/// What a file has.
pub(super) fn found(name: &str, found: &Found) -> String {
    let positions = found.tensors.iter().filter(|tensor| tensor.kind.is_position()).count() as u64;
    let all = found.tensors.len() as u64 + found.more;
    match (all, positions) {
        (1, _) => words::brought_found_one(name),
        (_, 0) => words::brought_found_none(name, whole(all)),
        _ => words::brought_found(name, whole(all), whole(positions)),
    }
}

/// What a tensor is for.
fn kind(kind: Kind) -> String {
    match kind {
        Kind::Positions { .. } => words::brought_kind_positions().to_owned(),
        Kind::Grid { size, .. } => words::brought_kind_grid(size),
        Kind::Buckets { .. } => words::brought_kind_buckets().to_owned(),
        Kind::Distances => words::brought_kind_distances().to_owned(),
        Kind::Frequencies => words::brought_kind_frequencies().to_owned(),
        Kind::Table | Kind::Other => words::brought_kind_table().to_owned(),
    }
}

/// A tensor in a list.
pub(super) fn tensor(tensor: &Tensor) -> String {
    let name = if tensor.name.is_empty() { words::brought_unnamed() } else { &tensor.name };
    // A name may be as long as the header.
    let short: String = name.chars().take(120).collect();
    words::brought_tensor(short, &tensor.dtype, shape(&tensor.shape), kind(tensor.kind))
}

/// What is on the board.
pub(super) fn shown(about: &About) -> String {
    words::brought_shown(&about.file, tensor(&about.tensor))
}

/// What frequencies are beside those of a base.
fn frequencies(about: &About) -> String {
    let Some(base) = about.base else { return words::brought_base_none().to_owned() };
    let (theta, dim) = (number::exact(base.theta), 2 * about.matrix.columns);
    let (plane, worst) = (base.plane, number::short(base.worst));
    if base.fitting as u64 == about.matrix.columns {
        words::brought_base(theta, dim, plane, worst)
    } else {
        words::brought_base_some(theta, dim, base.fitting, about.matrix.columns, plane, worst)
    }
}

/// What should be known of it.
pub(super) fn remarks(about: &About) -> Vec<String> {
    let mut remarks = Vec::new();
    let matrix = &about.matrix;
    match about.tensor.kind {
        Kind::Positions { .. } if matrix.skipped > 0 => remarks.push(words::brought_skipped(whole(matrix.skipped))),
        Kind::Grid { .. } if matrix.skipped > 0 => remarks.push(words::brought_skipped_special(whole(matrix.skipped))),
        Kind::Distances => remarks.push(words::brought_distances().to_owned()),
        Kind::Buckets { both_ways } => {
            remarks.push(if both_ways { words::brought_both_ways() } else { words::brought_one_way() }.to_owned());
        }
        Kind::Frequencies => remarks.push(frequencies(about)),
        _ => {}
    }
    if matrix.left > 0 {
        remarks.push(words::brought_left(whole(about.rows), whole(matrix.left)));
    }
    if matrix.odd > 0 {
        remarks.push(words::brought_odd(whole(matrix.odd)));
    }
    remarks
}
