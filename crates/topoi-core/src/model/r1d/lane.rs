//! The documents of one lane, as R1D keeps and visits them.

use ndarray::Array2;

use super::removed::{Memberships, first_shared, share};
use super::rule::MembershipRule;
use crate::stream::StreamError;
use crate::stream::documents::{Batch, Documents};

/// State of a lane's documents in R1D: K bits and one byte for each.
#[derive(Debug)]
pub(super) struct Lane {
    /// The topics each document belongs to.
    pub topics: Memberships,
    /// N: whether each document belongs to the current topic.
    pub members: Vec<bool>,
    /// Result of the current pass: the heaviest document.
    pub heaviest: HeaviestDocument,
    /// Result of the current pass: sums over the documents of N.
    pub sums: StepSums,
    /// (id, K numbers) of the documents, once topics have been found.
    pub side: Vec<(i64, Vec<f64>)>,
    at: usize,
}

/// The document with the largest norm, over the counts that no topic has taken.
#[derive(Debug, Clone, Default)]
pub(super) struct HeaviestDocument {
    /// Its index in its lane.
    pub document: usize,
    /// ‖A(:, j)‖².
    pub squares: f64,
    /// Its words and counts.
    pub entries: Vec<(u32, f64)>,
}

impl HeaviestDocument {
    /// The heaviest document of all parts, and its part; of equal ones that of the first part.
    pub(super) fn over_parts(self, of: &Documents<'_>) -> Result<(usize, Self), StreamError> {
        let entries = self.entries.iter().flat_map(|&(word, count)| [f64::from(word), count]);
        let own: Vec<f64> =
            [self.document as f64, self.squares].into_iter().chain(entries).collect();
        let all = of.share_numbers(&own)?;
        let mut heaviest = 0;
        for (part, numbers) in all.iter().enumerate() {
            if numbers[1] > all[heaviest][1] {
                heaviest = part;
            }
        }
        let (head, entries) = all[heaviest].split_at(2);
        let entries = entries.as_chunks().0.iter();
        let entries = entries.map(|&[word, count]| (word as u32, count)).collect();
        let found = Self { document: head[0] as usize, squares: head[1], entries };
        Ok((heaviest, found))
    }
}

/// Sums of a step over the documents of N.
#[derive(Debug, Clone, Default)]
pub(super) struct StepSums {
    /// Σ a_ij·v̄_j for each word.
    pub u: Vec<f64>,
    /// ‖A(i, N)‖² for each word.
    pub squares: Vec<f64>,
    /// ‖v̄(N)‖².
    pub norm: f64,
    /// ‖v̄(N)‖₁.
    pub mass: f64,
    /// The objective after the choice of documents.
    pub objective: f64,
    /// |N|.
    pub documents: usize,
    /// Number of documents that joined or left N.
    pub changes: usize,
}

impl StepSums {
    /// Empty sums for W words.
    pub(super) fn new(words: usize) -> Self {
        Self { u: vec![0.0; words], squares: vec![0.0; words], ..Self::default() }
    }

    /// Replaces the sums by those over all parts of the corpus.
    pub(super) fn over_parts(&mut self, of: &Documents<'_>) -> Result<(), StreamError> {
        of.add_up(&mut self.u)?;
        of.add_up(&mut self.squares)?;
        let mut numbers = [self.norm, self.mass, self.objective];
        of.add_up(&mut numbers)?;
        [self.norm, self.mass, self.objective] = numbers;
        let mut counts = [self.documents as u64, self.changes as u64];
        of.add_up_counts(&mut counts)?;
        [self.documents, self.changes] = counts.map(|count| count as usize);
        Ok(())
    }

    /// Adds the sums of another lane.
    pub(super) fn add(&mut self, other: &Self) {
        self.u.iter_mut().zip(&other.u).for_each(|(sum, more)| *sum += more);
        self.squares.iter_mut().zip(&other.squares).for_each(|(sum, more)| *sum += more);
        self.norm += other.norm;
        self.mass += other.mass;
        self.objective += other.objective;
        self.documents += other.documents;
        self.changes += other.changes;
    }
}

/// The words' side of a step.
#[derive(Clone, Copy)]
pub(super) struct WordSide<'a> {
    /// The topics each word belongs to.
    pub topics: &'a Memberships,
    /// u(M), W numbers.
    pub u: &'a [f64],
    /// M.
    pub words: &'a [bool],
    /// |M|.
    pub size: usize,
    /// The membership rule.
    pub rule: MembershipRule,
}

impl Lane {
    /// A lane without documents; the first pass counts them.
    pub(super) fn new(topics: usize) -> Self {
        Self {
            topics: Memberships::new(0, topics),
            members: Vec::new(),
            heaviest: HeaviestDocument::default(),
            sums: StepSums::default(),
            side: Vec::new(),
            at: 0,
        }
    }

    /// Resets the results before a pass.
    pub(super) fn begin(&mut self, words: usize) {
        self.at = 0;
        self.heaviest = HeaviestDocument::default();
        self.sums = StepSums::new(words);
    }

    /// Finds the heaviest document (the first of equal ones), weighs the words, and empties N. The
    /// first call counts the documents.
    pub(super) fn weigh(&mut self, batch: &Batch, word_topics: &Memberships) {
        for (words, counts, _) in batch.documents() {
            if self.at == self.members.len() {
                self.members.push(false);
                self.topics.push();
            }
            self.members[self.at] = false;
            let own = self.topics.topics_of(self.at);
            let left = |word: u32| !share(word_topics.topics_of(word as usize), own);
            let entries = words.iter().copied().zip(counts.iter().copied());
            let entries = entries.filter(|&(word, _)| left(word));
            let mut squares = 0.0;
            for (word, count) in entries.clone() {
                squares += count * count;
                self.sums.squares[word as usize] += count * count;
            }
            if squares > self.heaviest.squares {
                let entries = entries.collect();
                self.heaviest = HeaviestDocument { document: self.at, squares, entries };
            }
            self.at += 1;
        }
    }

    /// Puts all documents into N, with a word's counts as v̄.
    pub(super) fn start_from_word(&mut self, batch: &Batch, word: u32, word_topics: &Memberships) {
        for (words, counts, _) in batch.documents() {
            let own = self.topics.topics_of(self.at);
            let left = |word: u32| !share(word_topics.topics_of(word as usize), own);
            let place = words.binary_search(&word).ok().filter(|_| left(word));
            let v = place.map_or(0.0, |place| counts[place]);
            for (&word, &count) in words.iter().zip(counts).filter(|(word, _)| left(**word)) {
                self.sums.u[word as usize] += count * v;
                self.sums.squares[word as usize] += count * count;
            }
            self.sums.norm += v * v;
            self.sums.mass += v;
            self.sums.documents += 1;
            self.members[self.at] = true;
            self.at += 1;
        }
    }

    /// Chooses N among a batch's documents, and sums over N.
    pub(super) fn choose(&mut self, batch: &Batch, side: WordSide<'_>) {
        for (words, counts, _) in batch.documents() {
            let own = self.topics.topics_of(self.at);
            let left = |word: u32| !share(side.topics.topics_of(word as usize), own);
            let (mut v, mut squares) = (0.0, 0.0);
            for (&word, &count) in words.iter().zip(counts) {
                if side.words[word as usize] && left(word) {
                    v += count * side.u[word as usize];
                    squares += count * count;
                }
            }
            let was = self.members[self.at];
            let gains = side.rule.gains(v, squares, side.size);
            let is = side.rule.documents.allows(was, gains);
            self.members[self.at] = is;
            self.sums.changes += usize::from(is != was);
            if is {
                for (&word, &count) in words.iter().zip(counts) {
                    if left(word) {
                        self.sums.u[word as usize] += count * v;
                        self.sums.squares[word as usize] += count * count;
                    }
                }
                self.sums.norm += v * v;
                self.sums.mass += v;
                self.sums.objective += side.rule.gain(v, squares, side.size);
                self.sums.documents += 1;
            }
            self.at += 1;
        }
    }

    /// Appends A(M, N)ᵀ·u of each topic for a batch's documents. A count is of the first topic that its word and its
    /// document share, which has taken it out.
    pub(super) fn add_side(&mut self, batch: &Batch, word_topics: &Memberships, u: &Array2<f64>) {
        for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
            let own = self.topics.topics_of(self.at);
            let mut row = vec![0.0; u.nrows()];
            for (&word, &count) in words.iter().zip(counts) {
                if let Some(topic) = first_shared(word_topics.topics_of(word as usize), own) {
                    row[topic] += count * u[(topic, word as usize)];
                }
            }
            self.side.push((id, row));
            self.at += 1;
        }
    }

    /// Adds the documents of N to this topic.
    pub(super) fn join(&mut self, topic: usize) {
        for document in (0..self.members.len()).filter(|&at| self.members[at]) {
            self.topics.join(document, topic);
        }
    }
}
