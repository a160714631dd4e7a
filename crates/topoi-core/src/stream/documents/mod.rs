//! Documents as a model sees them: only words of the vocabulary, and only documents that are long
//! enough.

pub mod gathered;
pub mod lanes;
pub mod sample;

use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;

use self::lanes::{LANES, halved, lanes_of_parts, sum_some_in_pairs};
use self::sample::{KeyedSample, Sample};
use super::document_numbers::DocumentNumbers;
use super::error::{Result, StreamError};
use super::parts::{Parts, SinglePart};
use super::selection::DocumentSelection;
use super::source::BlockSource;
use crate::progress::Progress;
use crate::stream::block::Block;

/// Marks a term outside the vocabulary.
const NOT_A_WORD: u32 = u32::MAX;

/// A corpus restricted to a vocabulary. Words are numbered 0 to W − 1 in the order of their
/// positions in the corpus. Documents with fewer than `min_tokens` remaining tokens are left out,
/// and so are those outside the sample, if there is one.
pub struct Documents<'a> {
    source: &'a dyn BlockSource,
    numbers: DocumentNumbers,
    progress: &'a dyn Progress,
    word_of_term: Vec<u32>,
    words: usize,
    min_tokens: u64,
    sample: Option<KeyedSample>,
    selection: Option<&'a DocumentSelection>,
    parts: &'a dyn Parts,
    /// Documents up to this id are left out.
    after: i64,
    first_block: usize,
}

/// The kept documents of one block, in arrays that are reused.
#[derive(Debug, Default, Clone)]
pub struct Batch {
    /// Ids of the documents.
    pub ids: Vec<i64>,
    /// Numbers of the documents within the corpus, by which random numbers are drawn for them.
    pub numbers: Vec<u64>,
    /// Cumulative ends into `words` and `counts`.
    pub ends: Vec<u32>,
    /// Word numbers, ascending within a document.
    pub words: Vec<u32>,
    /// Counts, as f64.
    pub counts: Vec<f64>,
    /// Tokens n_m of each document.
    pub lengths: Vec<f64>,
    /// (id, tokens) of the block's documents that are left out because they are too short.
    pub too_short: Vec<(i64, u64)>,
}

/// The sum of what `of_lane` makes of lanes, the first half and the second half in parallel; `None` where all are empty.
fn sum_of_lanes<T: Send>(
    lanes: &[Range<usize>],
    of_lane: &(impl Fn(Range<usize>) -> Result<T> + Sync),
    add: &(impl Fn(&mut T, T) + Sync),
) -> Result<Option<T>> {
    let (first, second) = match lanes {
        [] => return Ok(None),
        [lane] if lane.is_empty() => return Ok(None),
        [lane] => return of_lane(lane.clone()).map(Some),
        _ => lanes.split_at(lanes.len() / 2),
    };
    let of = |half: &[Range<usize>]| sum_of_lanes(half, of_lane, add);
    let (first, second) = rayon::join(|| of(first), || of(second));
    Ok(sum_some_in_pairs([first?, second?], add))
}

/// Counts as they came; those of a [`Batch`] are whole numbers.
pub(crate) fn whole_numbers(counts: &[f64]) -> Vec<u32> {
    counts.iter().map(|&count| count as u32).collect()
}

impl Batch {
    /// The documents as (words, counts, length n_m).
    pub fn documents(&self) -> impl Iterator<Item = (&[u32], &[f64], f64)> + Clone {
        let mut start = 0;
        self.ends.iter().zip(&self.lengths).map(move |(&end, &length)| {
            let range = start..end as usize;
            start = end as usize;
            (&self.words[range.clone()], &self.counts[range], length)
        })
    }

    /// Appends the documents of `other`.
    pub fn append(&mut self, other: &Self) {
        let before = self.words.len() as u32;
        self.ids.extend(&other.ids);
        self.numbers.extend(&other.numbers);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.words.extend(&other.words);
        self.counts.extend(&other.counts);
        self.lengths.extend(&other.lengths);
        self.too_short.extend(&other.too_short);
    }

    /// Removes all documents and keeps the memory.
    pub fn clear(&mut self) {
        let Self { ids, numbers, ends, words, counts, lengths, too_short } = self;
        ids.clear();
        numbers.clear();
        ends.clear();
        words.clear();
        counts.clear();
        lengths.clear();
        too_short.clear();
    }
}

impl<'a> Documents<'a> {
    /// Restricts `source` to the terms at `positions` (ascending, each below 2³²−1).
    ///
    /// Documents need at least max(`min_tokens`, 1) tokens. Co-occurrence is of those with two. Every
    /// pass asks `progress` between blocks whether it is cancelled.
    pub fn new(
        source: &'a dyn BlockSource,
        positions: &[u32],
        min_tokens: u64,
        progress: &'a dyn Progress,
    ) -> Self {
        let terms = positions.last().map_or(0, |&last| last as usize + 1);
        let mut word_of_term = vec![NOT_A_WORD; terms];
        for (word, &position) in positions.iter().enumerate() {
            word_of_term[position as usize] = word as u32;
        }
        let min_tokens = min_tokens.max(1);
        Self {
            source,
            numbers: source.numbers(),
            progress,
            word_of_term,
            words: positions.len(),
            min_tokens,
            sample: None,
            selection: None,
            parts: &SinglePart,
            after: i64::MIN,
            first_block: 0,
        }
    }

    /// The share of the corpus's documents that the sample has; 1 without one.
    pub fn sampled_share(&self) -> f64 {
        self.sample.as_ref().map_or(1.0, |keyed| keyed.sample.share())
    }

    /// Restricts the documents to `sample`, if there is one.
    pub fn with_sample(self, sample: Option<Sample>) -> Self {
        Self { sample: sample.map(Sample::keyed), ..self }
    }

    /// Restricts the documents to those of `selection`.
    pub fn with_selection(self, selection: &'a DocumentSelection) -> Self {
        Self { selection: Some(selection), ..self }
    }

    /// Makes the documents one part of a corpus. Sums are then over the documents of all parts.
    pub fn with_parts(self, parts: &'a dyn Parts) -> Self {
        Self { parts, ..self }
    }

    /// The documents with ids above `id`: those added after document `id` to a corpus that has
    /// grown.
    pub fn after(&self, id: i64) -> Self {
        let (numbers, word_of_term) = (self.numbers.clone(), self.word_of_term.clone());
        Self {
            numbers,
            word_of_term,
            after: id,
            first_block: self.source.blocks_up_to(id),
            ..*self
        }
    }

    /// The exchange with the other parts of the corpus; [`SinglePart`] where there are none.
    pub fn parts(&self) -> &'a dyn Parts {
        self.parts
    }

    /// Part 0's decision, for all parts, whether iterations end: see [`Progress::decide`].
    pub fn decide(&self, own: bool) -> bool {
        self.progress.decide(own)
    }

    /// W, the number of words in the vocabulary.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The smallest number of tokens of a kept document.
    pub fn min_tokens(&self) -> u64 {
        self.min_tokens
    }

    /// Number of nonzeros of every block before the vocabulary is applied.
    pub fn block_sizes(&self) -> Vec<u32> {
        self.source.block_sizes().split_off(self.first_block)
    }

    /// Number of blocks of each part of the corpus.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn blocks_of_parts(&self) -> Result<Vec<usize>> {
        let all = self.share_numbers(&[self.block_sizes().len() as f64])?;
        Ok(all.into_iter().flatten().map(|blocks| blocks as usize).collect())
    }

    /// Directory for intermediate results of a pass that do not fit into memory.
    pub fn scratch(&self) -> PathBuf {
        self.source.scratch()
    }

    /// Calls `visit` with the kept documents of each block of `range`, in document order.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read, `Cancelled` on cancel.
    pub fn visit(&self, range: Range<usize>, mut visit: impl FnMut(&Batch)) -> Result<()> {
        let mut batch = Batch::default();
        let range = self.first_block + range.start..self.first_block + range.end;
        self.source.visit(range, &mut |block| {
            if self.progress.cancelled() {
                return Err(StreamError::Cancelled);
            }
            self.keep_words(block, &mut batch);
            visit(&batch);
            Ok(())
        })
    }

    /// The ranges of blocks that the documents are cut into for sums, some possibly empty.
    pub fn lanes(&self) -> Vec<Range<usize>> {
        halved(&self.block_sizes(), lanes_of_parts(self.parts.count()))
    }

    /// `count` ranges of blocks, or fewer where there are fewer blocks, whatever the number of parts: for results that are
    /// not summed. `count` is a power of two.
    pub fn lanes_without_parts(&self, count: usize) -> Vec<Range<usize>> {
        let lanes = halved(&self.block_sizes(), count);
        lanes.into_iter().filter(|lane| !lane.is_empty()).collect()
    }

    /// Calls `of_lane` with the range of blocks of each lane, on all threads. Returns the results
    /// in document order. One pass.
    ///
    /// # Errors
    /// The first error of a lane; `StreamError::Part` when another part failed.
    pub fn by_lane<T: Send>(
        &self,
        of_lane: impl Fn(Range<usize>) -> Result<T> + Sync + Send,
    ) -> Result<Vec<T>> {
        let made = self.lanes_without_parts(LANES).into_par_iter().map(of_lane).collect();
        self.agree(made)
    }

    /// The sum of what `of_lane` makes of the range of blocks of each lane, on all threads, as
    /// [`sum_in_pairs`](lanes::sum_in_pairs) makes it. One pass. With t threads about 4·t results are held at a time, at most
    /// [`LANES`].
    ///
    /// # Errors
    /// The first error of a lane; `StreamError::Part` when another part failed.
    pub fn sum_by_lane<T: Send>(
        &self,
        of_lane: impl Fn(Range<usize>) -> Result<T> + Sync,
        add: impl Fn(&mut T, T) + Sync,
    ) -> Result<T> {
        let made = sum_of_lanes(&self.lanes(), &of_lane, &add).transpose();
        self.agree(made.unwrap_or_else(|| of_lane(0..0)))
    }

    /// (id, tokens) of the documents that are left out because they are too short. One pass.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read, `Cancelled` on cancel.
    pub fn too_short(&self) -> Result<Vec<(i64, u64)>> {
        let mut found = Vec::new();
        let blocks = 0..self.block_sizes().len();
        self.visit(blocks, |batch| found.extend(&batch.too_short))?;
        Ok(found)
    }

    fn keep_words(&self, block: &Block, batch: &mut Batch) {
        batch.clear();
        let Batch { ids, numbers, ends, words, counts, lengths, too_short } = batch;
        for (id, terms, term_counts) in block.documents() {
            let is_chosen = self.selection.is_none_or(|selection| selection.contains(id));
            let number = self.numbers.number_of(id);
            let is_sampled = self.sample.is_none_or(|sample| sample.contains(number));
            if id <= self.after || !is_chosen || !is_sampled {
                continue;
            }
            let start = words.len();
            let mut tokens = 0u64;
            for (&term, &count) in terms.iter().zip(term_counts) {
                let word = self.word_of_term.get(term as usize).copied().unwrap_or(NOT_A_WORD);
                if word != NOT_A_WORD {
                    words.push(word);
                    counts.push(f64::from(count));
                    tokens += u64::from(count);
                }
            }
            if tokens >= self.min_tokens {
                ids.push(id);
                numbers.push(number);
                ends.push(words.len() as u32);
                lengths.push(tokens as f64);
            } else {
                words.truncate(start);
                counts.truncate(start);
                too_short.push((id, tokens));
            }
        }
    }
}
