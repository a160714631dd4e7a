//! A pass of CVB0 over documents: the counts of words in topics that it expects.

use ndarray::Array1;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::model::documents::cvb0::{Cvb0, Found, Work};
use crate::model::documents::pass::each_document;
use crate::model::documents::topic_rows::Counts;
use crate::stream::StreamError;
use crate::stream::aligned::Aligned;
use crate::stream::documents::lanes::{LANES, lanes};
use crate::stream::documents::{Batch, Documents};

/// Nonzeros of the documents whose γ are held at once.
const HELD_NONZEROS: usize = 8192;
/// Sums that a thread adds up at a time.
const NUMBERS_AT_ONCE: usize = 1 << 14;

/// The sums of a pass, in memory that the next one takes again. The documents of each block are cut into lanes, as
/// mini-batches have fewer blocks than lanes.
pub(super) struct Expected([Sums; LANES]);

/// Sums over documents.
pub(super) struct Sums {
    /// Σ_m x_wm γ_mwk, word by word, padded to rows of [`Cvb0::width`].
    pub by_word: Aligned,
    /// Σ_m θ_m.
    pub weights: Array1<f64>,
    pub documents: f64,
    pub tokens: f64,
    pub log_probability: f64,
    /// Tokens that the last sweeps moved from topic to topic.
    pub change: f64,
    work: Work,
}

impl Expected {
    /// For so many words and topics.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        Self(std::array::from_fn(|_| Sums {
            by_word: Aligned::zeros(words * Cvb0::width_of(topics)),
            weights: Array1::zeros(topics),
            documents: 0.0,
            tokens: 0.0,
            log_probability: 0.0,
            change: 0.0,
            work: Work::default(),
        }))
    }

    /// Those of the documents of `blocks`, over all parts of the corpus.
    ///
    /// # Errors
    /// When the corpus cannot be read, here or on another part, or on cancel.
    pub(super) fn pass(
        &mut self,
        solver: &Cvb0<'_>,
        blocks: &[usize],
        documents: &Documents<'_>,
    ) -> Result<&Sums, StreamError> {
        self.clear();
        let mut visit =
            |&block: &usize| documents.visit(block..block + 1, |batch| self.add(batch, solver));
        documents.agree(blocks.iter().try_for_each(&mut visit))?;
        self.add_up_lanes();
        let [sums, ..] = &mut self.0;
        documents.add_up(&mut sums.by_word)?;
        documents.add_up(sums.weights.as_slice_mut().expect("contiguous"))?;
        let mut numbers = [sums.documents, sums.tokens, sums.log_probability, sums.change];
        documents.add_up(&mut numbers)?;
        [sums.documents, sums.tokens, sums.log_probability, sums.change] = numbers;
        Ok(sums)
    }

    fn clear(&mut self) {
        self.0.par_iter_mut().for_each(|sums| {
            sums.by_word.fill(0.0);
            sums.weights.fill(0.0);
            (sums.documents, sums.tokens) = (0.0, 0.0);
            (sums.log_probability, sums.change) = (0.0, 0.0);
        });
    }

    fn add(&mut self, batch: &Batch, solver: &Cvb0<'_>) {
        let documents: Vec<Counts<'_>> = batch.counts().collect();
        let sizes: Vec<u32> = documents.iter().map(|of| of.words.len() as u32).collect();
        let are_lanes_enough = rayon::current_num_threads() <= LANES;
        self.0.par_iter_mut().zip(lanes(&sizes)).for_each(|(sums, lane)| {
            if are_lanes_enough {
                sums.add_in_turn(&documents[lane], solver);
            } else {
                sums.add_side_by_side(&documents[lane], solver);
            }
        });
    }

    /// Adds the other lanes to the first.
    fn add_up_lanes(&mut self) {
        let [first, second, third, fourth] = &mut self.0;
        let more = [&*second, third, fourth].map(|sums| sums.by_word.par_chunks(NUMBERS_AT_ONCE));
        let [a, b, c] = more;
        (first.by_word.par_chunks_mut(NUMBERS_AT_ONCE), a, b, c).into_par_iter().for_each(
            |(to, a, b, c)| {
                for (((to, a), b), c) in to.iter_mut().zip(a).zip(b).zip(c) {
                    *to = *to + *a + *b + *c;
                }
            },
        );
        for more in [second, third, fourth] {
            first.weights += &more.weights;
            first.documents += more.documents;
            first.tokens += more.tokens;
            first.log_probability += more.log_probability;
            first.change += more.change;
        }
    }
}

impl Sums {
    /// Adds documents in their order: lanes are work enough for a few threads.
    fn add_in_turn(&mut self, documents: &[Counts<'_>], solver: &Cvb0<'_>) {
        let mut work = std::mem::take(&mut self.work);
        for &document in documents {
            let found = solver.find(document, &mut work);
            self.add(document, found, work.theta(), work.gamma());
        }
        self.work = work;
    }

    /// The same for more threads: documents are found side by side, and added in their order.
    fn add_side_by_side(&mut self, documents: &[Counts<'_>], solver: &Cvb0<'_>) {
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
