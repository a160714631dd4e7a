//! The tokens of a lane's documents in word order, and a sweep over them.
//!
//! A word's counts stay in the nearest cache while all its tokens are drawn. Documents are processed
//! in chunks whose topics stay in the cache. With many topics a token visits those of its document
//! alone, so that the time grows little with K. The order follows Yu, Hsieh, Yun, Vishwanathan and
//! Dhillon 2015, "A scalable asynchronous distributed algorithm for topic modeling".

use pulp::{Simd, WithSimd};

use super::counts::WordRows;
use super::document_topics::{DocumentTopics, TopicsOfDocument, TopicsOfDocuments, in_its_form};
use super::proportions::Histograms;
use super::weights::{SweepInputs, WordWeights};
use crate::progress::Progress;
use crate::random::ShortStream;
use crate::stream::StreamError;
use crate::stream::documents::Batch;

/// Lanes that documents are cut into, and groups of words. With more, the counts of a word are read more often for as many
/// tokens.
pub(super) const LANES: usize = 4;

/// Prefetch distance in tokens.
const PREFETCH_DISTANCE: usize = 6;

/// Bytes of the documents' topics in a chunk, which stay in the last-level cache while all its tokens
/// are drawn. In smaller chunks a word has fewer tokens for each time that its counts are read.
const CACHED_BYTES: usize = 1 << 21;

/// A lane's tokens.
#[derive(Debug)]
pub(super) struct Lane {
    /// Index of the lane.
    number: usize,
    words: usize,
    topics: usize,
    /// Chunks of consecutive documents.
    chunks: Vec<Chunk>,
    /// While tokens are placed: the current chunk.
    filling: usize,
}

/// The tokens of as many documents as have their topic counts in the cache together.
#[derive(Debug, Default)]
struct Chunk {
    /// Cumulative starts of each word's tokens, and the end of the last.
    starts: Vec<usize>,
    /// The document of every token, numbered from 0 in the chunk.
    documents: Vec<u32>,
    /// The topic of every token.
    topics: Vec<u16>,
    /// Number of tokens of each document.
    lengths: Vec<u32>,
    of_documents: DocumentTopics,
    /// Approximate bytes of `of_documents`.
    bytes: usize,
    /// While tokens are placed: the position of the next token of each word. `placed` is the number
    /// of documents done.
    next: Vec<usize>,
    placed: usize,
}

impl Lane {
    /// A lane without tokens.
    pub(super) fn new(number: usize, words: usize, topics: usize) -> Self {
        Self { number, words, topics, chunks: Vec::new(), filling: 0 }
    }

    /// Counts the tokens of documents.
    pub(super) fn count(&mut self, batch: &Batch) {
        for (words, counts, length) in batch.documents() {
            if self.chunks.last().is_none_or(|chunk| chunk.bytes >= CACHED_BYTES) {
                let starts = vec![0; self.words + 1];
                self.chunks.push(Chunk { starts, ..Chunk::default() });
            }
            let chunk = self.chunks.last_mut().expect("pushed");
            for (&word, &count) in words.iter().zip(counts) {
                chunk.starts[word as usize + 1] += count as usize;
            }
            chunk.lengths.push(length as u32);
            chunk.bytes += DocumentTopics::bytes(length as usize, self.topics);
        }
    }

    /// Allocates memory for the tokens that were counted.
    pub(super) fn allocate(&mut self) {
        for chunk in &mut self.chunks {
            for word in 0..self.words {
                chunk.starts[word + 1] += chunk.starts[word];
            }
            chunk.next = chunk.starts[..self.words].to_vec();
            chunk.documents = vec![0; chunk.starts[self.words]];
        }
    }

    /// Places the tokens of documents in word order.
    pub(super) fn place_tokens(&mut self, batch: &Batch) {
        for (words, counts, _) in batch.documents() {
            if self.chunks[self.filling].placed == self.chunks[self.filling].lengths.len() {
                self.filling += 1;
            }
            let chunk = &mut self.chunks[self.filling];
            for (&word, &count) in words.iter().zip(counts) {
                let next = &mut chunk.next[word as usize];
                let end = *next + count as usize;
                chunk.documents[*next..end].fill(chunk.placed as u32);
                *next = end;
            }
            chunk.placed += 1;
        }
    }

    /// Assigns topics to the tokens, chunk by chunk in word order.
    pub(super) fn assign_topics(&mut self, topics: &[u16]) {
        let mut rest = topics;
        for chunk in &mut self.chunks {
            let own;
            (own, rest) = rest.split_at(chunk.documents.len());
            chunk.next = Vec::new();
            chunk.topics = own.to_vec();
            chunk.of_documents = DocumentTopics::new(&chunk.lengths, self.topics);
            for (&document, &topic) in chunk.documents.iter().zip(own) {
                chunk.of_documents.add(document, topic);
            }
        }
    }

    /// Reorders the topics of tokens from document order (and word order within documents) to the
    /// order that [`Self::assign_topics`] takes.
    pub(super) fn in_order_of_words(&self, topics: &[u16]) -> Vec<u16> {
        let mut next = 0;
        let of_chunk = |chunk: &Chunk| {
            // The tokens of a document come in word order, as in the list.
            let begins = chunk.lengths.iter().map(|&length| {
                next += length as usize;
                next - length as usize
            });
            let mut next_of: Vec<usize> = begins.collect();
            let in_order = chunk.documents.iter().map(|&document| {
                let at = &mut next_of[document as usize];
                *at += 1;
                topics[*at - 1]
            });
            in_order.collect::<Vec<u16>>()
        };
        self.chunks.iter().flat_map(of_chunk).collect()
    }

    /// The topics of all tokens, in the order that [`Self::assign_topics`] takes.
    pub(super) fn topics(&self) -> impl Iterator<Item = u16> {
        self.chunks.iter().flat_map(|chunk| chunk.topics.iter().copied())
    }

    /// The topics of a word's tokens.
    pub(super) fn topics_of_word(&self, word: usize) -> impl Iterator<Item = u16> {
        let of_chunk = move |chunk: &Chunk| chunk.starts[word]..chunk.starts[word + 1];
        self.chunks.iter().flat_map(move |chunk| chunk.topics[of_chunk(chunk)].iter().copied())
    }

    /// Draws a new topic for every token of the words of `rows`, one after another, and updates
    /// their n_wk. n_k starts from `totals` and includes this lane's changes only. Returns the new
    /// n_k.
    ///
    /// # Errors
    /// `StreamError::Cancelled`; some tokens then keep their old topic.
    pub(super) fn sample(
        &mut self,
        rows: WordRows<'_>,
        totals: &[i32],
        fixed: SweepInputs<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<i32>, StreamError> {
        let arch = pulp::Arch::new();
        let mut weights = WordWeights::new(totals, fixed);
        let mut rows = rows;
        for (at, chunk) in self.chunks.iter_mut().enumerate() {
            let (rows, weights) = (&mut rows, &mut weights);
            let first_stream = ((at * LANES + self.number) * self.words) as u64;
            let Chunk { starts, documents, topics, of_documents, .. } = chunk;
            in_its_form!(of_documents, of_documents => arch.dispatch(Kernel {
                starts,
                documents,
                topics,
                of_documents,
                rows,
                weights,
                fixed,
                first_stream,
                progress,
            }))?;
        }
        Ok(weights.into_totals())
    }

    /// Histograms of documents by their topics.
    pub(super) fn histograms(&self) -> Histograms {
        let mut histograms = Histograms::new(self.topics);
        for chunk in &self.chunks {
            chunk.lengths.iter().for_each(|&length| histograms.count_length(length));
            chunk.of_documents.for_each(|_, topic, count| histograms.count(topic, count));
        }
        histograms
    }
}

/// Draws the tokens of a chunk.
struct Kernel<'a, 'r, D> {
    starts: &'a [usize],
    documents: &'a [u32],
    topics: &'a mut [u16],
    of_documents: &'a mut D,
    rows: &'a mut WordRows<'r>,
    weights: &'a mut WordWeights,
    fixed: SweepInputs<'a>,
    /// Number of the random stream of word 0; word w has the stream `first_stream` + w.
    first_stream: u64,
    progress: &'a dyn Progress,
}

impl<D: TopicsOfDocuments> WithSimd for Kernel<'_, '_, D> {
    type Output = Result<(), StreamError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let Self { starts, documents, topics, of_documents, .. } = self;
        let Self { rows, weights, fixed, first_stream, progress, .. } = self;
        for word in rows.words.clone() {
            let range = starts[word]..starts[word + 1];
            if range.is_empty() {
                continue;
            }
            if progress.cancelled() {
                return Err(StreamError::Cancelled);
            }
            let mut random = ShortStream::new(fixed.key, first_stream + word as u64);
            let row = rows.row_mut(word);
            weights.begin_word::<D::Document<'_>>(row, fixed);
            // The document whose topics are in the weights.
            let mut seen = None;
            for at in range {
                if let Some(&soon) = documents.get(at + PREFETCH_DISTANCE) {
                    of_documents.fetch(soon);
                }
                let number = documents[at];
                let mut document = of_documents.document(number);
                if seen != Some(number) {
                    weights.load_document(&document, fixed);
                    seen = Some(number);
                }
                let old = topics[at];
                let Some(place) = document.position(old) else { continue };
                if let Some(new) = weights.draw(row, &document, place, random.unit() as f32, fixed)
                {
                    weights.move_token::<D::Document<'_>>(row, old.into(), new, fixed);
                    document.take(place);
                    document.add(new as u16);
                    topics[at] = new as u16;
                    seen = None;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl Lane {
    /// A recomputation of [`Lane::histograms`] from the tokens.
    pub(super) fn recounted(&self) -> Histograms {
        let mut histograms = Histograms::new(self.topics);
        for chunk in &self.chunks {
            let mut counts = vec![vec![0u32; self.topics]; chunk.lengths.len()];
            for (&document, &topic) in chunk.documents.iter().zip(&chunk.topics) {
                counts[document as usize][usize::from(topic)] += 1;
            }
            chunk.lengths.iter().for_each(|&length| histograms.count_length(length));
            let counts = counts.iter().flat_map(|of_document| of_document.iter().enumerate());
            let some = counts.filter(|(_, count)| **count > 0);
            some.for_each(|(topic, &count)| histograms.count(topic, count));
        }
        histograms
    }
}
