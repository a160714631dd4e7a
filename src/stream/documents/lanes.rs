//! The fixed way a pass is cut up, so that sums come out the same for any number of threads.

use std::ops::Range;

/// Number of lanes a corpus is cut into. A constant: it decides the order of sums. Each lane
/// holds one accumulator, so it also decides how much memory a pass takes.
const LANES: usize = 4;

/// Cuts blocks of these sizes into at most `LANES` runs of consecutive blocks with about the
/// same number of nonzeros. Depends on the sizes only.
pub fn lanes(block_sizes: &[u32]) -> Vec<Range<usize>> {
    let total: u64 = block_sizes.iter().map(|&size| u64::from(size)).sum();
    let mut lanes = Vec::with_capacity(LANES);
    let (mut start, mut done) = (0, 0u64);
    for (block, &size) in block_sizes.iter().enumerate() {
        done += u64::from(size);
        let due = total * (lanes.len() as u64 + 1) / LANES as u64;
        if done >= due && lanes.len() + 1 < LANES {
            lanes.push(start..block + 1);
            start = block + 1;
        }
    }
    if start < block_sizes.len() {
        lanes.push(start..block_sizes.len());
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_cover_every_block_once_and_in_order(
            sizes in prop::collection::vec(0u32..1000, 0..50),
        ) {
            let lanes = lanes(&sizes);
            prop_assert!(lanes.len() <= LANES);
            let covered: Vec<usize> = lanes.into_iter().flatten().collect();
            prop_assert_eq!(covered, (0..sizes.len()).collect::<Vec<_>>());
        }
    }
}
