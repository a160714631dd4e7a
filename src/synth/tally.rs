//! Counting the words of a document.

/// Counts of the words of one document at a time, in O(1) a token.
#[derive(Debug)]
pub(super) struct Tally {
    counts: Vec<u32>,
    seen: Vec<u32>,
}

impl Tally {
    /// One for words 0 to `words` − 1.
    pub(super) fn new(words: usize) -> Self {
        Self { counts: vec![0; words], seen: Vec::new() }
    }

    /// Counts a token.
    pub(super) fn add(&mut self, word: u32) {
        let count = &mut self.counts[word as usize];
        if *count == 0 {
            self.seen.push(word);
        }
        *count += 1;
    }

    /// Moves (word, count), by word, into `document`, and begins anew.
    pub(super) fn drain_into(&mut self, document: &mut Vec<(u32, u32)>) {
        document.clear();
        self.seen.sort_unstable();
        for word in self.seen.drain(..) {
            document.push((word, std::mem::take(&mut self.counts[word as usize])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_order_with_their_counts_and_are_forgotten() {
        let mut tally = Tally::new(5);
        let mut document = vec![(9, 9)];
        [4, 1, 4, 0].into_iter().for_each(|word| tally.add(word));
        tally.drain_into(&mut document);
        assert_eq!(document, [(0, 1), (1, 1), (4, 2)]);
        tally.drain_into(&mut document);
        assert_eq!(document, []);
    }
}
