//! A CVB0 step over documents: the expected counts of words in topics.

use std::ops::Range;

use ndarray::Array1;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::model::documents::cvb0::{Cvb0, Cvb0Buffers, Cvb0Fit, to_single};
use crate::model::documents::topic_rows::DocumentCounts;
use crate::stream::StreamError;
use crate::stream::aligned::Aligned;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::{LANES, add_in_pairs, sum_some_in_pairs};

/// Nonzeros of the documents whose γ are in memory at once.
const HELD_NONZEROS: usize = 8192;
/// Numbers that a thread sums at a time.
const NUMBERS_AT_ONCE: usize = 1 << 14;

/// The sums of a step, in memory that is reused by the next.
pub(super) struct ExpectedCounts {
    pub sums: StepSums,
    /// Σ_m x_wm γ_mwk, word by word, in rows of [`Cvb0::width`].
    pub by_word: Aligned,
    lanes: [Lane; LANES],
}

/// Sums over documents.
#[derive(Debug, Clone)]
pub(super) struct StepSums {
    /// Σ_m θ_m.
    pub weights: Array1<f64>,
    pub documents: f64,
    pub tokens: f64,
    pub log_probability: f64,
    /// Tokens that the last sweeps moved between topics.
    pub change: f64,
}

/// The sums over the documents of a lane.
struct Lane {
    sums: StepSums,
    by_word: Aligned,
    work: Cvb0Buffers,
}

impl ExpectedCounts {
    /// Sums for `words` words and `topics` topics.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        let numbers = words * Cvb0::width_of(topics);
        let lanes = std::array::from_fn(|_| Lane {
            sums: StepSums::new(topics),
            by_word: Aligned::zeros(numbers),
            work: Cvb0Buffers::default(),
        });
        Self { sums: StepSums::new(topics), by_word: Aligned::zeros(numbers), lanes }
    }

    /// Computes the sums over `here`, which `cut` divides into lanes, and over the documents of the step on all other
    /// parts of the corpus. Documents start from `thetas`, in rows of [`Cvb0::width`], or from the words alone
    /// where `thetas` is empty. Afterwards `thetas` contains the result.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub(super) fn compute(
        &mut self,
        solver: &Cvb0<'_>,
        (here, cut): (&[DocumentCounts<'_>], &[Range<usize>]),
        thetas: &mut Vec<f32>,
        documents: &Documents<'_>,
    ) -> Result<(), StreamError> {
        self.compute_here(solver, (here, cut), thetas);
        documents.add_up(&mut self.by_word)?;
        self.sums.over_parts(documents)
    }

    /// Computes the sums over `here` alone, whatever the other parts have, as [`Self::compute`] does.
    pub(super) fn compute_here(
        &mut self,
        solver: &Cvb0<'_>,
        (here, cut): (&[DocumentCounts<'_>], &[Range<usize>]),
        thetas: &mut Vec<f32>,
    ) {
        if thetas.is_empty() {
            *thetas = solver.first_guess().repeat(here.len());
        }
        self.add(here, cut, thetas, solver);
        self.add_up();
    }

    /// Adds documents; each lane takes those of its range.
    fn add(
        &mut self,
        documents: &[DocumentCounts<'_>],
        cut: &[Range<usize>],
        mut thetas: &mut [f32],
        solver: &Cvb0<'_>,
    ) {
        for lane in &mut self.lanes {
            lane.sums = StepSums::new(lane.sums.weights.len());
        }
        let of_lanes = self.lanes.iter_mut().zip(cut).map(|(lane, range)| {
            let of_lane;
            (of_lane, thetas) =
                std::mem::take(&mut thetas).split_at_mut(range.len() * solver.width());
            (lane, &documents[range.clone()], of_lane)
        });
        let busy: Vec<_> = of_lanes.filter(|(_, documents, _)| !documents.is_empty()).collect();
        let threads = rayon::current_num_threads();
        // No thread is to wait for the last lane for more than a tenth of the time.
        let are_lanes_enough = 10 * busy.len().next_multiple_of(threads) <= 11 * busy.len();
        busy.into_par_iter().for_each(|(lane, documents, thetas)| {
            lane.by_word.fill(0.0);
            if are_lanes_enough {
                lane.add_in_turn(documents, thetas, solver);
            } else {
                lane.add_side_by_side(documents, thetas, solver);
            }
        });
    }

    fn add_up(&mut self) {
        let lanes = &self.lanes;
        let of_words = self.by_word.par_chunks_mut(NUMBERS_AT_ONCE).enumerate();
        of_words.for_each(|(at, to)| {
            let start = at * NUMBERS_AT_ONCE;
            let of_lanes = lanes.each_ref().map(|lane| match lane.has_documents() {
                true => &lane.by_word[start..start + to.len()],
                false => &[],
            });
            add_in_pairs(to, &of_lanes);
        });
        let of_lanes = lanes.iter().map(|lane| lane.has_documents().then(|| lane.sums.clone()));
        let sum = sum_some_in_pairs(of_lanes, |sum, more| *sum = sum.with(&more));
        self.sums = sum.unwrap_or_else(|| StepSums::new(self.sums.weights.len()));
    }
}

impl StepSums {
    /// Sums over no documents.
    pub(super) fn new(topics: usize) -> Self {
        Self {
            weights: Array1::zeros(topics),
            documents: 0.0,
            tokens: 0.0,
            log_probability: 0.0,
            change: 0.0,
        }
    }

    /// The sum of at least one item.
    pub(super) fn total<'a>(mut some: impl Iterator<Item = &'a Self>) -> Self {
        let first = some.next().expect("one at least").clone();
        some.fold(first, |sum, more| sum.with(more))
    }

    fn with(&self, more: &Self) -> Self {
        Self {
            weights: &self.weights + &more.weights,
            documents: self.documents + more.documents,
            tokens: self.tokens + more.tokens,
            log_probability: self.log_probability + more.log_probability,
            change: self.change + more.change,
        }
    }

    fn over_parts(&mut self, documents: &Documents<'_>) -> Result<(), StreamError> {
        documents.add_up(self.weights.as_slice_mut().expect("contiguous"))?;
        let mut numbers = [self.documents, self.tokens, self.log_probability, self.change];
        documents.add_up(&mut numbers)?;
        [self.documents, self.tokens, self.log_probability, self.change] = numbers;
        Ok(())
    }

    fn add(&mut self, tokens: f64, found: Cvb0Fit, theta: &[f64]) {
        self.documents += 1.0;
        self.tokens += tokens;
        self.log_probability += found.log_probability;
        self.change += found.change * tokens;
        self.weights.iter_mut().zip(theta).for_each(|(sum, share)| *sum += share);
    }
}

impl Lane {
    fn has_documents(&self) -> bool {
        self.sums.documents > 0.0
    }

    /// Adds documents in order. The lanes are enough work for a few threads.
    fn add_in_turn(
        &mut self,
        documents: &[DocumentCounts<'_>],
        thetas: &mut [f32],
        solver: &Cvb0<'_>,
    ) {
        let mut work = std::mem::take(&mut self.work);
        for (&document, theta) in documents.iter().zip(thetas.chunks_exact_mut(solver.width())) {
            let found = solver.infer_from(document, theta, &mut work);
            self.add(document, found, (work.theta(), theta), work.gamma());
        }
        self.work = work;
    }

    /// Adds documents with more threads: they are inferred in parallel and added in order.
    fn add_side_by_side(
        &mut self,
        documents: &[DocumentCounts<'_>],
        mut thetas: &mut [f32],
        solver: &Cvb0<'_>,
    ) {
        let mut held = 0;
        let some = documents.chunk_by(|_, next| {
            held += next.words.len();
            let fits = held <= HELD_NONZEROS;
            held = if fits { held } else { next.words.len() };
            fits
        });
        for documents in some {
            let of_these;
            (of_these, thetas) = thetas.split_at_mut(documents.len() * solver.width());
            let rows = of_these.par_chunks_exact(solver.width());
            let find = |work: &mut Cvb0Buffers,
                        (&document, from): (&DocumentCounts<'_>, &[f32])| {
                let found = solver.infer_from(document, from, work);
                (found, work.theta().to_vec(), work.gamma().to_vec())
            };
            let all: Vec<_> =
                documents.par_iter().zip(rows).map_init(Cvb0Buffers::default, find).collect();
            let rows = of_these.chunks_exact_mut(solver.width());
            for ((document, (found, theta, gamma)), row) in documents.iter().zip(all).zip(rows) {
                self.add(*document, found, (&theta, row), &gamma);
            }
        }
    }

    /// Adds the result for a document and writes its θ to `kept`.
    fn add(
        &mut self,
        document: DocumentCounts<'_>,
        found: Cvb0Fit,
        (theta, kept): (&[f64], &mut [f32]),
        gamma: &[f32],
    ) {
        self.sums.add(document.tokens(), found, theta);
        to_single(theta, kept);
        let width = theta.len();
        Arch::new().dispatch(AddCounts { document, gamma, width, by_word: &mut self.by_word });
    }
}

/// Adds x_w γ_w of a document to the rows of its words.
struct AddCounts<'a, 'd> {
    document: DocumentCounts<'d>,
    gamma: &'a [f32],
    width: usize,
    by_word: &'a mut [f64],
}

impl WithSimd for AddCounts<'_, '_> {
    type Output = ();

    // Plain loops, vectorised here for the processor.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let words = self.document.words.iter().zip(self.document.counts);
        for ((&word, &count), gamma) in words.zip(self.gamma.chunks_exact(self.width)) {
            let row = &mut self.by_word[word as usize * self.width..][..self.width];
            row.iter_mut().zip(gamma).for_each(|(to, &share)| *to += count * f64::from(share));
        }
    }
}
