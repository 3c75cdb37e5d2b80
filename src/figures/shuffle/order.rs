//! An order of words: for each place, the place in the text of the word that is read there.

use posenc::random::Normal;

/// The order of the text.
pub(super) fn identity(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// Whether it is the order of the text.
pub(super) fn is_identity(order: &[usize]) -> bool {
    order.iter().enumerate().all(|(place, from)| place == *from)
}

/// An order of so many words from a list: what is there twice or is none of them goes, what is missing comes last.
pub(super) fn mended(list: &[i64], count: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let wanted = list.iter().filter_map(|place| usize::try_from(*place).ok()).filter(|place| *place < count);
    for place in wanted.chain(0..count) {
        if !order.contains(&place) {
            order.push(place);
        }
    }
    order
}

/// As links have it; the order of the text is empty.
pub(super) fn written(order: &[usize]) -> String {
    if is_identity(order) { String::new() } else { listed(order) }
}

/// Numbers with colons between.
pub(super) fn listed<N: ToString>(list: &[N]) -> String {
    list.iter().map(N::to_string).collect::<Vec<_>>().join(":")
}

/// The word at one place taken to another.
pub(super) fn moved(order: &[usize], from: usize, to: usize) -> Vec<usize> {
    let mut order = order.to_vec();
    if from < order.len() {
        let word = order.remove(from);
        order.insert(to.min(order.len()), word);
    }
    order
}

/// Another order, drawn at random; the same one after the same order with the same seed. Where there are two words or
/// more, it is neither this one nor that of the text, if there is a third.
pub(super) fn shuffled(order: &[usize], seed: u64) -> Vec<usize> {
    let number = order.iter().fold(seed, |number, place| number.wrapping_mul(31).wrapping_add(*place as u64 + 1));
    let mut random = Normal::new(number);
    let mut next = order.to_vec();
    // Each try fails with a chance of 2/3 at most, for three words.
    for _ in 0..64 {
        for last in (1..next.len()).rev() {
            let other = (random.uniform() * (last + 1) as f64) as usize;
            next.swap(last, other.min(last));
        }
        if next != order && !is_identity(&next) {
            return next;
        }
    }
    let mut next = order.to_vec();
    let by = usize::from(next.len() > 1);
    next.rotate_left(by);
    next
}
