//! What holds of every file of weights.

use lab::weights::{MOST_CELLS, MOST_LISTED, open, read};

/// Tensors that are read of a file: each costs as much as the file says.
const MOST_READ: usize = 8;

/// Lists a file and reads what it lists: what comes back fits what was said of it.
pub fn answered(file: &[u8]) {
    let found = match open(file) {
        Ok(found) => found,
        Err(refused) => return assert!(!refused.to_string().is_empty()),
    };
    assert!(found.tensors.len() <= MOST_LISTED);
    for tensor in found.tensors.iter().take(MOST_READ) {
        match read(file, tensor) {
            Ok(matrix) => {
                let cells = matrix.values.len() as u64;
                assert!(cells % matrix.columns == 0 && (1..=MOST_CELLS).contains(&cells));
                let rows = cells / matrix.columns + matrix.skipped + matrix.left;
                assert_eq!(matrix.columns * rows, tensor.shape.iter().product::<u64>(), "{tensor:?}");
            }
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    }
}
