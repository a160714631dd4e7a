//! A step of CVB0 over documents: the counts of words in topics that it expects.

use ndarray::Array1;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::model::documents::cvb0::{Cvb0, Found, Work, rounded};
use crate::model::documents::topic_rows::Counts;
use crate::stream::StreamError;
use crate::stream::aligned::Aligned;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::{LANES, lanes};

/// Nonzeros of the documents whose γ are held at once.
const HELD_NONZEROS: usize = 8192;
/// Sums that a thread adds up at a time.
const NUMBERS_AT_ONCE: usize = 1 << 14;

/// The sums of a step, in memory that the next one takes again.
pub(super) struct Expected {
    pub sums: Sums,
    /// Σ_m x_wm γ_mwk, word by word, padded to rows of [`Cvb0::width`].
    pub by_word: Aligned,
    lanes: [Lane; LANES],
}

/// Sums over documents.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    /// Σ_m θ_m.
    pub weights: Array1<f64>,
    pub documents: f64,
    pub tokens: f64,
    pub log_probability: f64,
    /// Tokens that the last sweeps moved from topic to topic.
    pub change: f64,
}

/// The sums over some of the documents.
struct Lane {
    sums: Sums,
    by_word: Aligned,
    work: Work,
}

impl Expected {
    /// For so many words and topics.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        let numbers = words * Cvb0::width_of(topics);
        let lanes = std::array::from_fn(|_| Lane {
            sums: Sums::none(topics),
            by_word: Aligned::zeros(numbers),
            work: Work::default(),
        });
        Self { sums: Sums::none(topics), by_word: Aligned::zeros(numbers), lanes }
    }

    /// Becomes those of `here`, and of the documents of the step on all other parts of the corpus. Documents begin with
    /// the topics that `thetas` holds, in rows of [`Cvb0::width`] (or, where it is empty, with what each word says
    /// alone), and it holds those found afterwards.
    ///
    /// # Errors
    /// When another part cannot be reached.
    pub(super) fn find(
        &mut self,
        solver: &Cvb0<'_>,
        here: &[Counts<'_>],
        thetas: &mut Vec<f32>,
        documents: &Documents<'_>,
    ) -> Result<(), StreamError> {
        if thetas.is_empty() {
            *thetas = solver.first_guess().repeat(here.len());
        }
        self.add(here, thetas, solver);
        self.add_up();
        documents.add_up(&mut self.by_word)?;
        self.sums.over_parts(documents)
    }

    /// Lanes take documents that follow one another.
    fn add(&mut self, documents: &[Counts<'_>], mut thetas: &mut [f32], solver: &Cvb0<'_>) {
        let sizes: Vec<u32> = documents.iter().map(|of| of.words.len() as u32).collect();
        let cut = lanes(&sizes).into_iter().chain(std::iter::repeat(0..0)).take(LANES);
        let of_lanes = cut.map(|lane| {
            let of_lane;
            (of_lane, thetas) =
                std::mem::take(&mut thetas).split_at_mut(lane.len() * solver.width());
            (&documents[lane], of_lane)
        });
        let of_lanes: Vec<_> = of_lanes.collect();
        let are_lanes_enough = rayon::current_num_threads() <= LANES;
        self.lanes.par_iter_mut().zip(of_lanes).for_each(|(lane, (documents, thetas))| {
            lane.by_word.fill(0.0);
            lane.sums = Sums::none(lane.sums.weights.len());
            if are_lanes_enough {
                lane.add_in_turn(documents, thetas, solver);
            } else {
                lane.add_side_by_side(documents, thetas, solver);
            }
        });
    }

    fn add_up(&mut self) {
        let [a, b, c, d] =
            self.lanes.each_ref().map(|lane| lane.by_word.par_chunks(NUMBERS_AT_ONCE));
        let all = (self.by_word.par_chunks_mut(NUMBERS_AT_ONCE), a, b, c, d).into_par_iter();
        all.for_each(|(to, a, b, c, d)| {
            for ((((to, &a), &b), &c), &d) in to.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *to = a + b + c + d;
            }
        });
        self.sums = Sums::of_all(self.lanes.iter().map(|lane| &lane.sums));
    }
}

impl Sums {
    /// Over no documents.
    pub(super) fn none(topics: usize) -> Self {
        Self {
            weights: Array1::zeros(topics),
            documents: 0.0,
            tokens: 0.0,
            log_probability: 0.0,
            change: 0.0,
        }
    }

    /// Over all documents that some sums, one at least, are over.
    pub(super) fn of_all<'a>(mut some: impl Iterator<Item = &'a Self>) -> Self {
        let first = some.next().expect("one at least").clone();
        some.fold(first, |sum, more| Self {
            weights: sum.weights + &more.weights,
            documents: sum.documents + more.documents,
            tokens: sum.tokens + more.tokens,
            log_probability: sum.log_probability + more.log_probability,
            change: sum.change + more.change,
        })
    }

    fn over_parts(&mut self, documents: &Documents<'_>) -> Result<(), StreamError> {
        documents.add_up(self.weights.as_slice_mut().expect("contiguous"))?;
        let mut numbers = [self.documents, self.tokens, self.log_probability, self.change];
        documents.add_up(&mut numbers)?;
        [self.documents, self.tokens, self.log_probability, self.change] = numbers;
        Ok(())
    }

    fn add(&mut self, tokens: f64, found: Found, theta: &[f64]) {
        self.documents += 1.0;
        self.tokens += tokens;
        self.log_probability += found.log_probability;
        self.change += found.change * tokens;
        self.weights.iter_mut().zip(theta).for_each(|(sum, share)| *sum += share);
    }
}

impl Lane {
    /// Adds documents in their order: lanes are work enough for a few threads.
    fn add_in_turn(&mut self, documents: &[Counts<'_>], thetas: &mut [f32], solver: &Cvb0<'_>) {
        let mut work = std::mem::take(&mut self.work);
        for (&document, theta) in documents.iter().zip(thetas.chunks_exact_mut(solver.width())) {
            let found = solver.find_from(document, theta, &mut work);
            self.add(document, found, (work.theta(), theta), work.gamma());
        }
        self.work = work;
    }

    /// The same for more threads: documents are found side by side, and added in their order.
    fn add_side_by_side(
        &mut self,
        documents: &[Counts<'_>],
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
            let find = |work: &mut Work, (&document, from): (&Counts<'_>, &[f32])| {
                let found = solver.find_from(document, from, work);
                (found, work.theta().to_vec(), work.gamma().to_vec())
            };
            let all: Vec<_> =
                documents.par_iter().zip(rows).map_init(Work::default, find).collect();
            let rows = of_these.chunks_exact_mut(solver.width());
            for ((document, (found, theta, gamma)), row) in documents.iter().zip(all).zip(rows) {
                self.add(*document, found, (&theta, row), &gamma);
            }
        }
    }

    /// Adds what was found of a document, whose θ is kept in `kept`.
    fn add(
        &mut self,
        document: Counts<'_>,
        found: Found,
        (theta, kept): (&[f64], &mut [f32]),
        gamma: &[f32],
    ) {
        self.sums.add(document.tokens(), found, theta);
        rounded(theta, kept);
        let width = theta.len();
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
            row.iter_mut().zip(gamma).for_each(|(to, &share)| *to += count * f64::from(share));
        }
    }
}
