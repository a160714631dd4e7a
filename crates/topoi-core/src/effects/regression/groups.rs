//! Documents by cluster, in pieces that decide the order of additions.

use std::ops::Range;

use rayon::prelude::*;

/// Partial sums. The number is fixed because it decides the order of additions.
const PARTIAL_SUMS: usize = 16;
/// Rows of single documents that are read at a time.
pub(super) const ROWS_AT_ONCE: usize = 512;

/// The rows of a design in groups: clusters, or single documents.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    /// Rows by group; `None` where each row is a group.
    clusters: Option<(Vec<usize>, Vec<usize>)>,
    rows: usize,
}

impl Groups {
    /// Every document is a group of its own.
    pub(super) fn from_single_documents(rows: usize) -> Self {
        Self { clusters: None, rows }
    }

    /// Groups by the cluster of every row.
    pub(super) fn from_clusters(of: &[u32]) -> Self {
        let count = of.iter().max().map_or(0, |last| *last as usize + 1);
        let mut ends = vec![0; count + 1];
        of.iter().for_each(|&cluster| ends[cluster as usize + 1] += 1);
        (0..count).for_each(|at| ends[at + 1] += ends[at]);
        let mut next = ends.clone();
        let mut rows = vec![0; of.len()];
        for (row, &cluster) in of.iter().enumerate() {
            rows[next[cluster as usize]] = row;
            next[cluster as usize] += 1;
        }
        ends.dedup();
        Self { clusters: Some((rows, ends)), rows: of.len() }
    }

    /// Number of groups.
    pub(super) fn count(&self) -> usize {
        self.clusters.as_ref().map_or(self.rows, |(_, ends)| ends.len() - 1)
    }

    pub(super) fn are_clusters(&self) -> bool {
        self.clusters.is_some()
    }

    /// The rows of a cluster.
    pub(super) fn cluster(&self, number: usize) -> &[usize] {
        self.clusters.as_ref().map_or(&[], |(rows, ends)| &rows[ends[number]..ends[number + 1]])
    }

    /// Sums `add` over ranges of groups in parallel, in an order that does not depend on threads.
    pub(super) fn sum<T: Send>(
        &self,
        zero: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, Range<usize>) + Sync,
        merge: impl Fn(&mut T, T),
    ) -> T {
        let each = self.count().div_ceil(PARTIAL_SUMS).max(1);
        let piece = |number: usize| {
            let (from, end) = (number * each, ((number + 1) * each).min(self.count()));
            let mut sum = zero();
            let at_once = if self.are_clusters() { 1 } else { ROWS_AT_ONCE };
            for start in (from..end).step_by(at_once) {
                add(&mut sum, start..(start + at_once).min(end));
            }
            sum
        };
        let parts: Vec<T> = (0..PARTIAL_SUMS).into_par_iter().map(piece).collect();
        let mut all = zero();
        parts.into_iter().for_each(|part| merge(&mut all, part));
        all
    }
}
