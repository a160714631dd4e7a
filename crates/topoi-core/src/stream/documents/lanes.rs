//! Lanes: a corpus is cut by its blocks alone and sums are made in pairs, so that they are the same for any number of
//! threads, and of parts that are whole lanes.

use std::ops::Range;

use rayon::prelude::*;

use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;

/// Number of lanes a corpus is cut into. Fixed, because it decides the order of sums. A power of two, so that each of 2,
/// 4 or 8 parts has a whole number of lanes. Each lane has one accumulator, so the number also decides the memory of a
/// pass.
pub const LANES: usize = 8;

/// Number of lanes in a part of any other number of parts, which do not begin and end where lanes of the corpus do.
const LANES_OF_OTHER_PARTS: usize = 4;

/// Number of lanes in each of `parts` parts of a corpus.
pub(super) fn lanes_of_parts(parts: usize) -> usize {
    if LANES.is_multiple_of(parts) { LANES / parts } else { LANES_OF_OTHER_PARTS }
}

/// Cuts blocks of these sizes into `count` ranges of consecutive blocks, some possibly empty: in halves of about as many
/// nonzeros, these in halves, and so on; `count` is a power of two. A half is cut as it would be if it were the whole.
///
/// # Panics
/// When `count` is not a power of two.
pub fn halved(block_sizes: &[u32], count: usize) -> Vec<Range<usize>> {
    assert!(count.is_power_of_two(), "halves are cut in halves");
    if count == 1 {
        return std::iter::once(0..block_sizes.len()).collect();
    }
    let total: u64 = block_sizes.iter().map(|&size| u64::from(size)).sum();
    let ends = block_sizes.iter().scan(0, |sum, &size| {
        *sum += u64::from(size);
        Some(*sum)
    });
    // Both halves have a block where there are two.
    let middles = ends.zip(1..).take(block_sizes.len().saturating_sub(1).max(1));
    let nearest = middles.min_by_key(|&(end, _)| (2 * end).abs_diff(total));
    let middle = nearest.map_or(0, |(_, middle)| middle);
    let (first, second) = block_sizes.split_at(middle);
    let second = halved(second, count / 2).into_iter();
    let second = second.map(|lane| middle + lane.start..middle + lane.end);
    halved(first, count / 2).into_iter().chain(second).collect()
}

/// The blocks of each of `parts` parts that are made of whole lanes, so that sums over the parts have the bits of those
/// over the corpus; `None` where there are no such parts.
pub fn parts_of_lanes(block_sizes: &[u32], parts: usize) -> Option<Vec<Range<usize>>> {
    let could_be = parts.is_power_of_two() && parts <= LANES;
    let cut = could_be.then(|| halved(block_sizes, parts));
    cut.filter(|parts| !parts.iter().any(Range::is_empty))
}

/// The sum of `items` in pairs, and of these in pairs, and so on; `None` of none. At most log₂ n + 1 items are held at a
/// time. The sums of 2, 4 or 8 equal runs of items can be summed the same way with the same result.
pub fn sum_in_pairs<T>(
    items: impl IntoIterator<Item = T>,
    mut add: impl FnMut(&mut T, T),
) -> Option<T> {
    // Sums of 1, 2, 4 … items each, the longest first.
    let mut sums: Vec<(u32, T)> = Vec::new();
    for item in items {
        let mut newest = (0, item);
        while let Some((level, mut sum)) = sums.pop_if(|(level, _)| *level == newest.0) {
            add(&mut sum, newest.1);
            newest = (level + 1, sum);
        }
        sums.push(newest);
    }
    let (_, mut all) = sums.pop()?;
    while let Some((_, mut sum)) = sums.pop() {
        add(&mut sum, all);
        all = sum;
    }
    Some(all)
}

/// [`sum_in_pairs`] where some items are missing, as if these were zeros.
pub fn sum_some_in_pairs<T>(
    items: impl IntoIterator<Item = Option<T>>,
    add: impl Fn(&mut T, T),
) -> Option<T> {
    let add = |sum: &mut Option<T>, more: Option<T>| match (sum, more) {
        (Some(sum), Some(more)) => add(sum, more),
        (Some(_), None) => {}
        (sum, more) => *sum = more,
    };
    sum_in_pairs(items, add).flatten()
}

/// Sets `to` to the sums of `all` as [`sum_in_pairs`] makes them. Those that are empty are left out; the others are as
/// long as `to`, which becomes zeros where there are none.
pub fn add_in_pairs(to: &mut [f64], all: &[&[f64]]) {
    if !has_added_in_pairs(to, all) {
        to.fill(0.0);
    }
}

fn has_added_in_pairs(to: &mut [f64], all: &[&[f64]]) -> bool {
    match all {
        [] | [[]] => return false,
        [one] => to.copy_from_slice(one),
        [a, b] if !a.is_empty() && !b.is_empty() => {
            to.iter_mut().zip(*a).zip(*b).for_each(|((to, a), b)| *to = a + b);
        }
        _ => {
            let (first, second) = all.split_at(all.len().next_power_of_two() / 2);
            if !has_added_in_pairs(to, first) {
                return has_added_in_pairs(to, second);
            }
            let mut rest = vec![0.0; to.len()];
            if has_added_in_pairs(&mut rest, second) {
                to.iter_mut().zip(rest).for_each(|(to, more)| *to += more);
            }
        }
    }
    true
}

/// Documents cut into lanes, with a state for each lane that has blocks, which persists between passes. The cut
/// depends on the corpus alone, so the states do not depend on the number of threads.
pub struct StatefulLanes<'a, S> {
    documents: &'a Documents<'a>,
    lanes: Vec<(Range<usize>, Option<S>)>,
}

impl<'a, S: Send> StatefulLanes<'a, S> {
    /// The lanes of `documents`; `state` makes the states in document order.
    pub fn new(documents: &'a Documents<'a>, state: impl FnMut() -> S) -> Self {
        Self::from_cut(documents, documents.lanes(), state)
    }

    /// `count` lanes, also in a part: for states that are not sums over documents.
    pub fn without_parts(
        documents: &'a Documents<'a>,
        count: usize,
        state: impl FnMut() -> S,
    ) -> Self {
        Self::from_cut(documents, documents.lanes_without_parts(count), state)
    }

    fn from_cut(
        documents: &'a Documents<'a>,
        cut: Vec<Range<usize>>,
        mut state: impl FnMut() -> S,
    ) -> Self {
        let with_state = |lane: Range<usize>| {
            let own = (!lane.is_empty()).then(&mut state);
            (lane, own)
        };
        Self { documents, lanes: cut.into_iter().map(with_state).collect() }
    }

    /// Calls `visit` with each batch of each lane and the lane's state. Batches of a lane come in
    /// document order; lanes run in parallel.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read, `Part` when another part failed,
    /// `Cancelled`.
    pub fn pass(&mut self, visit: impl Fn(&mut S, &Batch) + Sync) -> Result<()> {
        let documents = self.documents;
        let visited = self.lanes.par_iter_mut().try_for_each(|(blocks, state)| match state {
            Some(state) => documents.visit(blocks.clone(), |batch| visit(state, batch)),
            None => Ok(()),
        });
        documents.agree(visited)
    }

    /// The documents that are cut.
    pub fn documents(&self) -> &'a Documents<'a> {
        self.documents
    }

    /// The lanes' states, in document order.
    pub fn states(&self) -> impl Iterator<Item = &S> + Clone {
        self.lanes.iter().filter_map(|(_, state)| state.as_ref())
    }

    /// Gives up the lanes and returns their states, in document order.
    pub fn into_states(self) -> impl Iterator<Item = S> {
        self.lanes.into_iter().filter_map(|(_, state)| state)
    }

    /// The lanes' states, mutable, in document order.
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.lanes.iter_mut().filter_map(|(_, state)| state.as_mut())
    }

    /// The numbers that `of` takes from each lane, for [`add_in_pairs`]; none for lanes of no blocks.
    pub fn numbers<'s>(&'s self, of: impl Fn(&'s S) -> &'s [f64]) -> Vec<&'s [f64]> {
        self.lanes.iter().map(|(_, state)| state.as_ref().map_or(&[][..], &of)).collect()
    }

    /// The sum over the lanes of what `of` takes from each, as [`sum_in_pairs`] makes it; `None` without documents.
    pub fn sum<T>(&self, of: impl Fn(&S) -> T, add: impl Fn(&mut T, T)) -> Option<T> {
        sum_some_in_pairs(self.lanes.iter().map(|(_, state)| state.as_ref().map(&of)), add)
    }
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
            let lanes = halved(&sizes, LANES);
            prop_assert_eq!(lanes.len(), LANES);
            let covered: Vec<usize> = lanes.into_iter().flatten().collect();
            prop_assert_eq!(covered, (0..sizes.len()).collect::<Vec<_>>());
        }

        #[test]
        fn lanes_of_parts_are_those_of_the_whole(
            sizes in prop::collection::vec(0u32..1000, 0..50),
            power in 0..4,
        ) {
            let count = 1_usize << power;
            let parts = halved(&sizes, count);
            let of_parts = parts.into_iter().flat_map(|part| {
                let lanes = halved(&sizes[part.clone()], lanes_of_parts(count)).into_iter();
                lanes.map(move |lane| part.start + lane.start..part.start + lane.end)
            });
            prop_assert_eq!(of_parts.collect::<Vec<_>>(), halved(&sizes, LANES));
        }

        #[test]
        fn a_sum_of_sums_of_parts_has_the_bits_of_the_sum(
            items in prop::collection::vec(-1e3f64..1e3, 8..9),
            count in 0usize..9,
        ) {
            let sum = |items: &[f64]| sum_in_pairs(items.iter().copied(), |sum, more| *sum += more);
            for parts in [1, 2, 4, 8] {
                let of_parts = items.chunks(8 / parts).filter_map(sum).collect::<Vec<_>>();
                prop_assert_eq!(sum(&of_parts).map(f64::to_bits), sum(&items).map(f64::to_bits));
            }
            let some = &items[..count];
            let mut together = [7.0];
            let slices: Vec<&[f64]> = some.chunks(1).collect();
            add_in_pairs(&mut together, &slices);
            prop_assert_eq!(together[0].to_bits(), sum(some).unwrap_or(0.0).to_bits());
        }
    }

    #[test]
    fn halves_have_about_as_many_nonzeros() {
        let sizes = [10; 64];
        assert!(halved(&sizes, 8).iter().all(|lane| lane.len() == 8));
        assert_eq!(halved(&[5, 1, 1, 1], 2), [0..1, 1..4]);
        assert_eq!(halved(&[10, 11], 2), [0..1, 1..2]);
        assert_eq!(halved(&[3, 3, 5, 9], 2), [0..3, 3..4]);
        assert_eq!(halved(&[7], 4), [0..1, 1..1, 1..1, 1..1]);
        assert_eq!(halved(&[], 2), [0..0, 0..0]);
    }
}
