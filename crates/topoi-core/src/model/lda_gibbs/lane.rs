//! The tokens of a lane's documents in the order of words, and a sweep over them.
//!
//! A word's counts stay in the nearest cache while all of its tokens are drawn, and each token looks only at the
//! topics that its document has, so that time does not go with K. Documents are taken in chunks whose topics stay in the
//! cache. (Yu, Hsieh, Yun, Vishwanathan and Dhillon 2015,
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
use crate::stream::documents::lanes::LANES;

/// The topics of the document of the token after so many others are fetched ahead.
const AHEAD: usize = 6;

/// Bytes of the topics of documents that are in the cache together, while all their tokens are drawn.
const CACHED_BYTES: usize = 1 << 19;

/// A lane's tokens.
#[derive(Debug)]
pub(super) struct Lane {
    /// Its place among the lanes.
    number: usize,
    words: usize,
    topics: usize,
    /// Documents that follow one another.
    chunks: Vec<Chunk>,
    /// While tokens are put in their places: the chunk whose turn it is.
    filling: usize,
}

/// The tokens of so many documents that what these have of each topic stays in the cache.
#[derive(Debug, Default)]
struct Chunk {
    /// Where each word's tokens begin, and the last one's end.
    starts: Vec<usize>,
    /// The document of every token, numbered from 0 in the chunk.
    documents: Vec<u32>,
    /// The topic of every token.
    topics: Vec<u16>,
    /// Tokens of the documents.
    lengths: Vec<u32>,
    of_documents: DocumentTopics,
    /// What `of_documents` will take, about.
    bytes: usize,
    /// While tokens are put in their places: where the next token of each word goes, and how many documents are done.
    next: Vec<usize>,
    placed: usize,
}

impl Lane {
    /// Without tokens, of so many words and topics.
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

    /// Makes room for the tokens that were counted.
    pub(super) fn make_room(&mut self) {
        for chunk in &mut self.chunks {
            for word in 0..self.words {
                chunk.starts[word + 1] += chunk.starts[word];
            }
            chunk.next = chunk.starts[..self.words].to_vec();
            chunk.documents = vec![0; chunk.starts[self.words]];
        }
    }

    /// Puts the tokens of documents in their places.
    pub(super) fn place(&mut self, batch: &Batch) {
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

    /// Gives the tokens their topics, chunk by chunk in the order of words.
    pub(super) fn give(&mut self, topics: &[u16]) {
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

    /// The topics of tokens, which are in the order of documents and of words within them, as [`Self::give`] takes
    /// them.
    pub(super) fn in_order_of_words(&self, topics: &[u16]) -> Vec<u16> {
        let mut next = 0;
        let of_chunk = |chunk: &Chunk| {
            // The tokens of a document are found in the order of words, as they are in the list.
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

    /// The topics of all tokens, as [`Self::give`] takes them.
    pub(super) fn topics(&self) -> impl Iterator<Item = u16> {
        self.chunks.iter().flat_map(|chunk| chunk.topics.iter().copied())
    }

    /// The topics of a word's tokens.
    pub(super) fn of_word(&self, word: usize) -> impl Iterator<Item = u16> {
        let of_chunk = move |chunk: &Chunk| chunk.starts[word]..chunk.starts[word + 1];
        self.chunks.iter().flat_map(move |chunk| chunk.topics[of_chunk(chunk)].iter().copied())
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
        let mut weights = Weights::new(totals, fixed);
        let mut rows = rows;
        for (at, chunk) in self.chunks.iter_mut().enumerate() {
            let (rows, weights) = (&mut rows, &mut weights);
            let first_stream = ((at * LANES + self.number) * self.words) as u64;
            match chunk.of_documents.are_whole() {
                true => arch.dispatch(Kernel::<true> {
                    chunk,
                    rows,
                    weights,
                    fixed,
                    first_stream,
                    progress,
                }),
                false => arch.dispatch(Kernel::<false> {
                    chunk,
                    rows,
                    weights,
                    fixed,
                    first_stream,
                    progress,
                }),
            }?;
        }
        Ok(weights.into_totals())
    }

    /// Counts documents by their topics.
    pub(super) fn histograms(&self) -> Histograms {
        let mut histograms = Histograms::new(self.topics);
        for chunk in &self.chunks {
            for (of_document, &length) in chunk.of_documents.counts().zip(&chunk.lengths) {
                histograms.count(of_document, length);
            }
        }
        histograms
    }
}

struct Kernel<'a, 'r, const WHOLE: bool> {
    chunk: &'a mut Chunk,
    rows: &'a mut Rows<'r>,
    weights: &'a mut Weights,
    fixed: Fixed<'a>,
    /// The random numbers of the first word come from the stream of this number, those of others from those behind.
    first_stream: u64,
    progress: &'a dyn Progress,
}

impl<const WHOLE: bool> WithSimd for Kernel<'_, '_, WHOLE> {
    type Output = Result<(), StreamError>;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> Self::Output {
        let Self { chunk, rows, weights, fixed, first_stream, progress } = self;
        for word in rows.words.clone() {
            let range = chunk.starts[word]..chunk.starts[word + 1];
            if range.is_empty() {
                continue;
            }
            if progress.cancelled() {
                return Err(StreamError::Cancelled);
            }
            let mut random = ShortStream::of(fixed.key, first_stream + word as u64);
            weights.open::<WHOLE>(rows.of(word), fixed);
            // The document whose topics the weights are of.
            let mut seen = None;
            for at in range {
                if let Some(&soon) = chunk.documents.get(at + AHEAD) {
                    chunk.of_documents.fetch(soon);
                }
                let number = chunk.documents[at];
                let mut document = chunk.of_documents.of::<WHOLE>(number);
                if seen != Some(number) {
                    weights.look_at(&document, fixed);
                    seen = Some(number);
                }
                let old = chunk.topics[at];
                let Some(place) = document.place(old) else { continue };
                if let Some(new) = weights.draw(&document, place, random.unit() as f32, fixed) {
                    weights.change::<WHOLE>(old.into(), new, fixed);
                    document.take(place);
                    document.add(new as u16);
                    chunk.topics[at] = new as u16;
                    seen = None;
                }
            }
            rows.of(word).copy_from_slice(weights.row());
        }
        Ok(())
    }
}

#[cfg(test)]
impl Lane {
    /// What [`Lane::histograms`] should be, from the tokens.
    pub(super) fn counted_again(&self) -> Histograms {
        let mut histograms = Histograms::new(self.topics);
        for chunk in &self.chunks {
            let mut counts = vec![vec![0u32; self.topics]; chunk.lengths.len()];
            for (&document, &topic) in chunk.documents.iter().zip(&chunk.topics) {
                counts[document as usize][usize::from(topic)] += 1;
            }
            for (of_document, &length) in counts.iter().zip(&chunk.lengths) {
                let some = of_document.iter().copied().enumerate().filter(|(_, count)| *count > 0);
                histograms.count(some, length);
            }
        }
        histograms
    }
}
