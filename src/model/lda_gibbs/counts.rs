//! How often each word has each topic.

/// Topics that are handled together.
pub(super) const GROUP: usize = 8;

/// Counts of eight neighbouring topics.
pub(super) type Counts8 = [i32; GROUP];

/// n_wk and n_k: a row for each word, filled up to whole groups with topics that do not occur.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    width: usize,
    rows: Vec<Counts8>,
    /// n_k.
    pub totals: Vec<Counts8>,
}

impl Counts {
    /// No tokens.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        let width = topics.div_ceil(GROUP);
        Self { width, rows: vec![[0; GROUP]; words * width], totals: vec![[0; GROUP]; width] }
    }

    /// A word's row and n_k.
    #[inline(always)]
    pub(super) fn of_word(&mut self, word: usize) -> (&mut [Counts8], &mut [Counts8]) {
        let at = word * self.width;
        (&mut self.rows[at..at + self.width], &mut self.totals)
    }

    /// The counts of each word's topics, and of those that only fill up.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[i32]> {
        self.rows.chunks_exact(self.width).map(<[_]>::as_flattened)
    }

    /// Becomes `other`, in its own memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rows.copy_from_slice(&other.rows);
        self.totals.copy_from_slice(&other.totals);
    }

    /// Adds `other`, `times` times.
    pub(super) fn add(&mut self, other: &Self, times: i32) {
        let pairs = self.entries_mut().zip(other.entries());
        pairs.for_each(|(own, other)| *own += times * other);
    }

    /// All counts.
    pub(super) fn entries(&self) -> impl Iterator<Item = &i32> {
        self.rows.as_flattened().iter().chain(self.totals.as_flattened())
    }

    /// All counts, for changing.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        self.rows.as_flattened_mut().iter_mut().chain(self.totals.as_flattened_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_added_so_many_times() {
        let mut counts = Counts::new(2, 9);
        let mut other = counts.clone();
        counts.entries_mut().for_each(|count| *count = 5);
        other.entries_mut().zip(0..).for_each(|(count, at)| *count = at);
        counts.add(&other, -3);
        assert_eq!(counts.rows().flatten().count(), 2 * 16);
        assert!(counts.entries().zip(0..).all(|(&count, at)| count == 5 - 3 * at));
    }
}
