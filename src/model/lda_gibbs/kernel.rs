//! Sampling the topics of the tokens of a lane's documents, some words at a time.
//!
//! A token's topic is drawn from all K probabilities, computed side by side: for K up to a few
//! hundred that is faster than lists that leave out what is unlikely, and it is exact. The
//! cumulative sums run down eight columns, so that only eight numbers have to be summed across.

use pulp::{Simd, WithSimd};

use super::counts::{Counts8, GROUP, WordTopics};
use super::proportions::Histograms;
use crate::random::ShortStream;
use crate::stream::documents::Batch;

type Group = [f64; GROUP];

/// What a round of a sweep holds fixed.
#[derive(Clone, Copy)]
pub(super) struct Fixed<'a> {
    /// α, filled up with zeros.
    pub alpha: &'a [Group],
    /// β.
    pub beta: f64,
    /// W·β.
    pub beta_sum: f64,
    /// K.
    pub topics: usize,
    /// What the round's random numbers come from; each document has a stream of its own.
    pub key: u64,
}

/// A lane's tokens, and what it samples some of them with.
#[derive(Debug)]
pub(super) struct Lane {
    /// The topic of every token, in the order of documents and of words within them.
    pub topics: Vec<u16>,
    /// n_wk of the words that are this lane's in this round, and no other's.
    pub counts: WordTopics,
    /// n_k as this lane sees it.
    pub totals: Vec<Counts8>,
    /// Of the lane's documents, as the last round left them.
    pub histograms: Histograms,
    at: usize,
    own: Vec<Counts8>,
    inverse: Vec<Group>,
    factors: Vec<Group>,
    cumulative: Vec<Group>,
}

impl Lane {
    /// A lane whose tokens have these topics.
    pub(super) fn new(topics: usize, of_tokens: Vec<u16>) -> Self {
        let width = topics.div_ceil(GROUP);
        let zeros = vec![[0.0; GROUP]; width];
        Self {
            topics: of_tokens,
            counts: WordTopics::default(),
            totals: vec![[0; GROUP]; width],
            histograms: Histograms::new(topics),
            at: 0,
            own: vec![[0; GROUP]; width],
            inverse: zeros.clone(),
            factors: zeros.clone(),
            cumulative: zeros,
        }
    }

    /// Before a pass that starts from n_k = `totals`.
    pub(super) fn begin(&mut self, totals: &[Counts8], topics: usize) {
        self.at = 0;
        self.totals.copy_from_slice(totals);
        self.histograms = Histograms::new(topics);
    }

    /// Counts the tokens of the lane's present words.
    pub(super) fn count(&mut self, batch: &Batch) {
        for (words, counts, length) in batch.documents() {
            let mine = Mine::of(&self.counts, words, counts, self.at);
            self.at += length as usize;
            let mut topics = self.topics[mine.from..].iter();
            for (&word, &count) in mine.words.iter().zip(mine.counts) {
                for &topic in topics.by_ref().take(count as usize) {
                    self.counts.row_mut(word as usize).as_flattened_mut()[usize::from(topic)] += 1;
                    self.totals.as_flattened_mut()[usize::from(topic)] += 1;
                }
            }
        }
    }

    /// Draws a new topic for every token of the lane's present words, one after the other.
    pub(super) fn sample(&mut self, batch: &Batch, fixed: Fixed<'_>) {
        pulp::Arch::new().dispatch(Kernel { lane: self, batch, fixed });
    }
}

impl Lane {
    /// Counts the topics that a document's tokens have; returns its random numbers.
    #[inline(always)]
    fn open_document(&mut self, id: i64, topics: &[u16], fixed: Fixed<'_>) -> ShortStream {
        count_own(&mut self.own, topics);
        multiply(&mut self.factors, &self.own, fixed.alpha, &self.inverse);
        ShortStream::of(fixed.key, id as u64)
    }

    /// What the topics of a word's tokens in the open document depend on.
    #[inline(always)]
    fn view<'l>(&'l mut self, word: u32, fixed: Fixed<'l>) -> View<'l> {
        View {
            row: self.counts.row_mut(word as usize),
            totals: &mut self.totals,
            own: &mut self.own,
            inverse: &mut self.inverse,
            factors: &mut self.factors,
            cumulative: &mut self.cumulative,
            fixed,
        }
    }
}

/// The part of a document that belongs to some neighbouring words.
struct Mine<'b> {
    words: &'b [u32],
    counts: &'b [f64],
    /// Its first token.
    from: usize,
}

impl<'b> Mine<'b> {
    #[inline(always)]
    fn of(range: &WordTopics, words: &'b [u32], counts: &'b [f64], at: usize) -> Self {
        let first = words.partition_point(|&word| (word as usize) < range.words.start);
        let end = words.partition_point(|&word| (word as usize) < range.words.end);
        let from = at + counts[..first].iter().sum::<f64>() as usize;
        Self { words: &words[first..end], counts: &counts[first..end], from }
    }
}

struct Kernel<'a> {
    lane: &'a mut Lane,
    batch: &'a Batch,
    fixed: Fixed<'a>,
}

impl WithSimd for Kernel<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let Self { lane, batch, fixed } = self;
        invert(&mut lane.inverse, &lane.totals, fixed.beta_sum);
        // Taken out, so that the rest of the lane can be borrowed beside it.
        let mut of_tokens = std::mem::take(&mut lane.topics);
        for (&id, (words, counts, length)) in batch.ids.iter().zip(batch.documents()) {
            let mine = Mine::of(&lane.counts, words, counts, lane.at);
            let tokens = lane.at..lane.at + length as usize;
            lane.at = tokens.end;
            let mut random = lane.open_document(id, &of_tokens[tokens], fixed);
            let mut topics = of_tokens[mine.from..].iter_mut();
            for (&word, &count) in mine.words.iter().zip(mine.counts) {
                let mut view = lane.view(word, fixed);
                for topic in topics.by_ref().take(count as usize) {
                    view.change(usize::from(*topic), -1);
                    let new = view.draw(random.unit());
                    view.change(new, 1);
                    *topic = new as u16;
                }
            }
            lane.histograms.count(&lane.own.as_flattened()[..fixed.topics]);
        }
        lane.topics = of_tokens;
    }
}

/// 1/(n_k + Wβ).
#[inline(always)]
fn invert(inverse: &mut [Group], totals: &[Counts8], beta_sum: f64) {
    for (inverse, totals) in inverse.iter_mut().zip(totals) {
        for at in 0..GROUP {
            inverse[at] = 1.0 / (f64::from(totals[at]) + beta_sum);
        }
    }
}

/// (n_mk + α_k)/(n_k + Wβ).
#[inline(always)]
fn multiply(factors: &mut [Group], own: &[Counts8], alpha: &[Group], inverse: &[Group]) {
    for (((factors, own), alpha), inverse) in factors.iter_mut().zip(own).zip(alpha).zip(inverse) {
        for at in 0..GROUP {
            factors[at] = (f64::from(own[at]) + alpha[at]) * inverse[at];
        }
    }
}

#[inline(always)]
fn count_own(own: &mut [Counts8], topics: &[u16]) {
    own.fill([0; GROUP]);
    for &topic in topics {
        own.as_flattened_mut()[usize::from(topic)] += 1;
    }
}

/// All that p(topic) of a token depends on.
struct View<'a> {
    /// n_wk of its word.
    row: &'a mut [Counts8],
    /// n_k.
    totals: &'a mut [Counts8],
    /// n_mk of its document.
    own: &'a mut [Counts8],
    /// 1/(n_k + Wβ).
    inverse: &'a mut [Group],
    /// (n_mk + α_k)/(n_k + Wβ).
    factors: &'a mut [Group],
    /// For [`View::draw`].
    cumulative: &'a mut [Group],
    fixed: Fixed<'a>,
}

impl View<'_> {
    /// One token more or less with a topic.
    #[inline(always)]
    fn change(&mut self, topic: usize, by: i32) {
        let (group, at) = (topic / GROUP, topic % GROUP);
        self.row[group][at] += by;
        self.own[group][at] += by;
        let total = self.totals[group][at] + by;
        self.totals[group][at] = total;
        let inverse = 1.0 / (f64::from(total) + self.fixed.beta_sum);
        self.inverse[group][at] = inverse;
        let weight = f64::from(self.own[group][at]) + self.fixed.alpha[group][at];
        self.factors[group][at] = weight * inverse;
    }

    /// The topic at the share `unit` (0 to below 1) of
    /// p(k) ∝ (n_mk + α_k)·(n_wk + β)/(n_k + Wβ).
    #[inline(always)]
    fn draw(&mut self, unit: f64) -> usize {
        let mut sums = [0.0; GROUP];
        for ((cumulative, factors), row) in
            self.cumulative.iter_mut().zip(self.factors.iter()).zip(self.row.iter())
        {
            for at in 0..GROUP {
                sums[at] += factors[at] * (f64::from(row[at]) + self.fixed.beta);
            }
            *cumulative = sums;
        }
        let ends = running(sums);
        let target = unit * ends[GROUP - 1];
        let column = ends[..GROUP - 1].iter().map(|&end| usize::from(target >= end)).sum::<usize>();
        let left = if column > 0 { target - ends[column - 1] } else { target };
        let above = &self.cumulative[..self.cumulative.len() - 1];
        let group = above.iter().map(|sums| usize::from(left >= sums[column])).sum::<usize>();
        // Rounding can lead past the end, to a topic that only fills up the last group.
        (group * GROUP + column).min(self.fixed.topics - 1)
    }
}

/// Running sums, in few steps one after the other.
#[inline(always)]
fn running(sums: Group) -> Group {
    let [a, b, c, d, e, f, g, h] = sums;
    let (ab, cd, ef, gh) = (a + b, c + d, e + f, g + h);
    let (abcd, efgh) = (ab + cd, ef + gh);
    [a, ab, ab + c, abcd, abcd + e, abcd + ef, abcd + (ef + g), abcd + efgh]
}
