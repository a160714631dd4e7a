//! A pass of CVB0 over documents: the counts of words in topics that it expects.

use std::sync::Mutex;

use ndarray::Array1;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::model::documents::cvb0::{Cvb0, Found, Work};
use crate::model::documents::pass::each_document;
use crate::model::documents::topic_rows::Counts;
use crate::stream::StreamError;
use crate::stream::aligned::Aligned;
use crate::stream::documents::lanes::LANES;
use crate::stream::documents::{Batch, Documents};

/// Nonzeros of the documents whose γ are held at once.
const HELD_NONZEROS: usize = 8192;
/// Sums that a thread adds up at a time.
const NUMBERS_AT_ONCE: usize = 1 << 15;

/// Sums over documents.
pub(super) struct Expected {
    /// Σ_m x_wm γ_mwk, word by word, padded to rows of [`Cvb0::width`].
    pub by_word: Aligned,
    /// Σ_m θ_m.
    pub weights: Array1<f64>,
    pub documents: f64,
    pub tokens: f64,
    pub log_probability: f64,
    /// Tokens that the last sweeps moved from topic to topic.
    pub change: f64,
}

/// The sums of lanes, whose memory the next pass takes again.
#[derive(Default)]
pub(super) struct Lanes(Mutex<Vec<Aligned>>);

impl Lanes {
    /// So many zeros.
    fn zeros(&self, length: usize) -> Aligned {
        let used = self.0.lock().unwrap_or_else(|e| e.into_inner()).pop();
        match used.filter(|used| used.len() == length) {
            Some(mut used) => {
                used.fill(0.0);
                used
            }
            None => Aligned::zeros(length),
        }
    }

    /// Takes memory back.
    pub(super) fn keep(&self, used: Aligned) {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).push(used);
    }
}

/// Those of the documents of `blocks`, over all parts of the corpus.
pub(super) fn expected_counts(
    solver: &Cvb0<'_>,
    blocks: &[usize],
    documents: &Documents<'_>,
    lanes: &Lanes,
) -> Result<Expected, StreamError> {
    let are_lanes_enough = rayon::current_num_threads() <= LANES;
    let of_lane = |lane: &[usize]| {
        let (mut sums, mut work) = (Expected::none(solver, lanes), Work::default());
        for &block in lane {
            documents.visit(block..block + 1, |batch| {
                if are_lanes_enough {
                    sums.add_in_turn(batch, solver, &mut work);
                } else {
                    sums.add_side_by_side(batch, solver);
                }
            })?;
        }
        Ok(sums)
    };
    let mut of_lanes = documents.some_by_lane(blocks, of_lane)?.into_iter();
    let mut sums = of_lanes.next().unwrap_or_else(|| Expected::none(solver, lanes));
    for lane in of_lanes {
        let more = lane.by_word.par_chunks(NUMBERS_AT_ONCE);
        sums.by_word.par_chunks_mut(NUMBERS_AT_ONCE).zip(more).for_each(|(sums, more)| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        });
        lanes.keep(lane.by_word);
        sums.weights += &lane.weights;
        sums.documents += lane.documents;
        sums.tokens += lane.tokens;
        sums.log_probability += lane.log_probability;
        sums.change += lane.change;
    }
    documents.add_up(&mut sums.by_word)?;
    documents.add_up(sums.weights.as_slice_mut().expect("contiguous"))?;
    let mut numbers = [sums.documents, sums.tokens, sums.log_probability, sums.change];
    documents.add_up(&mut numbers)?;
    [sums.documents, sums.tokens, sums.log_probability, sums.change] = numbers;
    Ok(sums)
}

impl Expected {
    fn none(solver: &Cvb0<'_>, lanes: &Lanes) -> Self {
        let rows = solver.rows();
        Self {
            by_word: lanes.zeros(rows.words() * solver.width()),
            weights: Array1::zeros(rows.topics()),
            documents: 0.0,
            tokens: 0.0,
            log_probability: 0.0,
            change: 0.0,
        }
    }

    /// Adds the documents of a batch in their order: lanes are work enough for a few threads.
    fn add_in_turn(&mut self, batch: &Batch, solver: &Cvb0<'_>, work: &mut Work) {
        for document in batch.counts() {
            let found = solver.find(document, work);
            self.add(document, found, work.theta(), work.gamma());
        }
    }

    /// The same for more threads: documents are found side by side, and added in their order.
    fn add_side_by_side(&mut self, batch: &Batch, solver: &Cvb0<'_>) {
        let documents: Vec<Counts<'_>> = batch.counts().collect();
        let mut held = 0;
        let some = documents.chunk_by(|_, next| {
            held += next.words.len();
            let fits = held <= HELD_NONZEROS;
            held = if fits { held } else { next.words.len() };
            fits
        });
        for documents in some {
            let all = each_document(documents, solver, |_, found, work: &Work| {
                (found, work.theta().to_vec(), work.gamma().to_vec())
            });
            for (document, (found, theta, gamma)) in documents.iter().zip(all) {
                self.add(*document, found, &theta, &gamma);
            }
        }
    }

    fn add(&mut self, document: Counts<'_>, found: Found, theta: &[f64], gamma: &[f32]) {
        let (tokens, width) = (document.tokens(), theta.len());
        self.documents += 1.0;
        self.tokens += tokens;
        self.log_probability += found.log_probability;
        self.change += found.change * tokens;
        self.weights.iter_mut().zip(theta).for_each(|(sum, share)| *sum += share);
        Arch::new().dispatch(AddCounts { document, gamma, width, by_word: &mut self.by_word });
    }
}

/// Adds x_w γ_w of a document to the rows of its words.
struct AddCounts<'a, 'd> {
    document: Counts<'d>,
    gamma: &'a [f32],
    width: usize,
    by_word: &'a mut [f64],
}

impl WithSimd for AddCounts<'_, '_> {
    type Output = ();

    // Plain loops, which become vectors of the processor here.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let words = self.document.words.iter().zip(self.document.counts);
        for ((&word, &count), gamma) in words.zip(self.gamma.chunks_exact(self.width)) {
            let row = &mut self.by_word[word as usize * self.width..][..self.width];
            for (to, &share) in row.iter_mut().zip(gamma) {
                *to += count * f64::from(share);
            }
        }
    }
}
