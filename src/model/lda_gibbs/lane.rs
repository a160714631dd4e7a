//! The tokens of a lane's documents in the order of words, and a sweep over them.
//!
//! A word's counts stay in the nearest cache while all of its tokens are drawn, and each token looks only at the
//! topics that its document has, so that time does not go with K. (Yu, Hsieh, Yun, Vishwanathan and Dhillon 2015,
//! "A scalable asynchronous distributed algorithm for topic modeling", draw in this order.)

use pulp::{Simd, WithSimd};

use super::counts::Rows;
use super::document_topics::DocumentTopics;
use super::proportions::Histograms;
use super::weights::{Fixed, Weights};
use crate::progress::Progress;
use crate::random::ShortStream;
use crate::stream::StreamError;
use crate::stream::documents::Batch;

/// The topics of the document of the token after so many others are fetched ahead.
const AHEAD: usize = 6;

/// A lane's tokens.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// Its place among the lanes.
    number: usize,
    /// Where each word's tokens begin, and the last one's end.
    starts: Vec<usize>,
    /// The document of every token, numbered from 0 in the lane.
    documents: Vec<u32>,
    /// The topic of every token.
    pub topics: Vec<u16>,
    /// Tokens of the documents.
    lengths: Vec<u32>,
    of_documents: DocumentTopics,
    /// While tokens are put in their places: where the next token of each word goes.
    next: Vec<usize>,
}

impl Lane {
    /// Without tokens.
    pub(super) fn new(number: usize, words: usize) -> Self {
        Self { number, starts: vec![0; words + 1], ..Self::default() }
    }

    /// Counts the tokens of documents.
    pub(super) fn count(&mut self, batch: &Batch) {
        for (&word, &count) in batch.words.iter().zip(&batch.counts) {
            self.starts[word as usize + 1] += count as usize;
        }
        self.lengths.extend(batch.lengths.iter().map(|&length| length as u32));
    }

    /// Makes room for the tokens that were counted.
    pub(super) fn make_room(&mut self) {
        for word in 1..self.starts.len() {
            self.starts[word] += self.starts[word - 1];
        }
        self.next = self.starts[..self.starts.len() - 1].to_vec();
        self.documents = vec![0; self.starts[self.starts.len() - 1]];
        // Counted again while they are put in their places.
        self.lengths.clear();
    }

    /// Puts the tokens of documents in their places.
    pub(super) fn place(&mut self, batch: &Batch) {
        for (words, counts, length) in batch.documents() {
            for (&word, &count) in words.iter().zip(counts) {
                let next = &mut self.next[word as usize];
                let end = *next + count as usize;
                self.documents[*next..end].fill(self.lengths.len() as u32);
                *next = end;
            }
            self.lengths.push(length as u32);
        }
    }

    /// Gives the tokens their topics, in the order of words.
    pub(super) fn give(&mut self, topics: Vec<u16>, of: usize) {
        self.next = Vec::new();
        self.topics = topics;
        self.of_documents = DocumentTopics::new(&self.lengths, of);
        for (&document, &topic) in self.documents.iter().zip(&self.topics) {
            self.of_documents.add(document, topic);
        }
    }

    /// The topics of tokens, which are in the order of documents and of words within them, in the order of words.
    pub(super) fn in_order_of_words(&self, topics: &[u16]) -> Vec<u16> {
        // The tokens of a document are found in the order of words, as they are in the list.
        let mut next = 0;
        let begins = self.lengths.iter().map(|&length| {
            next += length as usize;
            next - length as usize
        });
        let mut next_of: Vec<usize> = begins.collect();
        let in_order = self.documents.iter().map(|&document| {
            let at = &mut next_of[document as usize];
            *at += 1;
            topics[*at - 1]
        });
        in_order.collect()
    }

    /// The topics of a word's tokens.
    pub(super) fn of_word(&self, word: usize) -> &[u16] {
        &self.topics[self.starts[word]..self.starts[word + 1]]
    }

    /// Draws a new topic for every token of the words of `rows`, one after the other, and changes their n_wk. n_k
    /// are what `totals` say and this lane's changes; returns how they stand then.
    ///
    /// # Errors
    /// On cancel; then some have none yet.
    pub(super) fn sample(
        &mut self,
        rows: Rows<'_>,
        totals: &[i32],
        fixed: Fixed<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<i32>, StreamError> {
        let arch = pulp::Arch::new();
        match self.of_documents.are_whole() {
            true => arch.dispatch(Kernel::<true> { lane: self, rows, totals, fixed, progress }),
            false => arch.dispatch(Kernel::<false> { lane: self, rows, totals, fixed, progress }),
        }
    }

    /// Counts documents by their topics.
    pub(super) fn histograms(&self, topics: usize) -> Histograms {
        let mut histograms = Histograms::new(topics);
        let lengths = self.lengths.iter();
        for (of_document, &length) in self.of_documents.counts().zip(lengths) {
            histograms.count(of_document, length);
        }
        histograms
    }
}

struct Kernel<'a, const WHOLE: bool> {
    lane: &'a mut Lane,
    rows: Rows<'a>,
    totals: &'a [i32],
    fixed: Fixed<'a>,
    progress: &'a dyn Progress,
}

impl<const WHOLE: bool> WithSimd for Kernel<'_, WHOLE> {
    type Output = Result<Vec<i32>, StreamError>;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> Self::Output {
        let Self { lane, mut rows, totals, fixed, progress } = self;
        let words = lane.starts.len() - 1;
        let mut weights = Weights::new(totals, fixed);
        for word in rows.words.clone() {
            let range = lane.starts[word]..lane.starts[word + 1];
            if range.is_empty() {
                continue;
            }
            if progress.cancelled() {
                return Err(StreamError::Cancelled);
            }
            let mut random = ShortStream::of(fixed.key, (lane.number * words + word) as u64);
            weights.open::<WHOLE>(rows.of(word), fixed);
            // The document whose topics the weights are of.
            let mut seen = None;
            for at in range {
                if let Some(&soon) = lane.documents.get(at + AHEAD) {
                    lane.of_documents.fetch(soon);
                }
                let number = lane.documents[at];
                let mut document = lane.of_documents.of::<WHOLE>(number);
                if seen != Some(number) {
                    weights.look_at(&document, fixed);
                    seen = Some(number);
                }
                let old = lane.topics[at];
                let Some(place) = document.place(old) else { continue };
                if let Some(new) = weights.draw(&document, place, random.unit() as f32, fixed) {
                    weights.change::<WHOLE>(old.into(), new, fixed);
                    document.take(place);
                    document.add(new as u16);
                    lane.topics[at] = new as u16;
                    seen = None;
                }
            }
            rows.of(word).copy_from_slice(weights.row());
        }
        Ok(weights.into_totals())
    }
}

#[cfg(test)]
impl Lane {
    /// What [`Lane::histograms`] should be, from the tokens.
    pub(super) fn counted_again(&self, topics: usize) -> Histograms {
        let mut counts = vec![vec![0u32; topics]; self.lengths.len()];
        for (&document, &topic) in self.documents.iter().zip(&self.topics) {
            counts[document as usize][usize::from(topic)] += 1;
        }
        let mut histograms = Histograms::new(topics);
        for (of_document, &length) in counts.iter().zip(&self.lengths) {
            let some = of_document.iter().copied().enumerate().filter(|(_, count)| *count > 0);
            histograms.count(some, length);
        }
        histograms
    }
}
