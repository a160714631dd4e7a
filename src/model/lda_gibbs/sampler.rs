//! Sweeps over all tokens.

use libm::lgamma;
use ndarray::{Array1, Array2};

use super::counts::{Counts8, GROUP, WordTopics, merge, runs};
use super::kernel::{Fixed, Lane};
use super::proportions::Histograms;
use super::settings::LdaGibbsSettings;
use super::state::State;
use crate::progress::Progress;
use crate::random::{ShortStream, key};
use crate::stream::StreamError;
use crate::stream::documents::lanes::{StatefulLanes, lanes};
use crate::stream::documents::{Batch, Documents};

/// The likelihood is computed after every so many sweeps, and after the last.
const REPORT_EVERY: usize = 10;

/// A state of the chain, and what its sweeps need.
pub(super) struct Sampler<'a> {
    settings: LdaGibbsSettings,
    seed: u64,
    documents: StatefulLanes<'a, Lane>,
    /// n_k.
    totals: Vec<Counts8>,
    alpha: Vec<f64>,
    /// Sums of n_wk over the sweeps that topics are averaged over; W × K.
    sums: Array2<f64>,
    sweeps: usize,
    log_likelihood: f64,
}

impl<'a> Sampler<'a> {
    /// Goes on from `state`: counts its tokens.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub(super) fn new(
        documents: &'a Documents<'a>,
        settings: LdaGibbsSettings,
        seed: u64,
        state: State,
    ) -> Result<Self, StreamError> {
        let topics = settings.topics;
        let mut tokens = vec![0u64; documents.words()];
        documents.require_whole()?;
        documents.visit(0..documents.block_sizes().len(), |batch| {
            for (&word, &count) in batch.words.iter().zip(&batch.counts) {
                tokens[word as usize] += count as u64;
            }
        })?;
        let of_tokens = match state.topics.is_empty() {
            true => start(documents, topics, seed)?,
            false => state.topics,
        };
        let mut of_tokens = of_tokens.into_iter();
        let lane = |_| Lane::new(topics, of_tokens.next().unwrap_or_default());
        let mut documents = StatefulLanes::new(documents, lane);
        let words = runs(&tokens, documents.states().count().max(1));
        for (lane, words) in documents.states_mut().zip(words) {
            lane.counts = WordTopics::new(words, topics);
        }
        let mut sampler = Self {
            settings,
            seed,
            documents,
            totals: vec![[0; GROUP]; topics.div_ceil(GROUP)],
            alpha: state.alpha.to_vec(),
            sums: state.sums,
            sweeps: state.sweeps,
            log_likelihood: state.log_likelihood,
        };
        sampler.rounds(|_, lane, batch| lane.count(batch))?;
        Ok(sampler)
    }

    /// Visits every document once for each run of words, with the number of the round. In a round
    /// each lane has a run of its own; then the runs move on to the next lane, and n_k is merged.
    fn rounds(
        &mut self,
        visit: impl Fn(usize, &mut Lane, &Batch) + Sync,
    ) -> Result<(), StreamError> {
        for round in 0..self.documents.states().count() {
            for lane in self.documents.states_mut() {
                lane.begin(&self.totals, self.settings.topics);
            }
            self.documents.pass(|lane, batch| visit(round, lane, batch))?;
            merge(&mut self.totals, self.documents.states().map(|lane| &lane.totals[..]));
            let mut runs: Vec<WordTopics> =
                self.documents.states_mut().map(|lane| std::mem::take(&mut lane.counts)).collect();
            runs.rotate_left(1);
            let lanes = self.documents.states_mut().zip(runs);
            lanes.for_each(|(lane, counts)| lane.counts = counts);
        }
        Ok(())
    }

    /// Sweeps until `sweeps` are done in all; `tokens` are those of the corpus.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub(super) fn until(
        &mut self,
        sweeps: usize,
        tokens: f64,
        progress: &dyn Progress,
    ) -> Result<(), StreamError> {
        while self.sweeps < sweeps {
            let histograms = self.sweep()?;
            if self.settings.learns(self.sweeps) {
                histograms.learn(&mut self.alpha);
            }
            if self.settings.averages(self.sweeps) {
                self.sums += &self.counts();
            }
            let is_last = self.sweeps == self.settings.iterations;
            let reports = is_last || self.sweeps.is_multiple_of(REPORT_EVERY);
            if reports {
                self.log_likelihood = self.log_likelihood(&histograms) / tokens;
            }
            let residual = reports.then_some(self.log_likelihood);
            progress.step(self.sweeps as u64, residual);
        }
        Ok(())
    }

    /// A new topic for every token.
    fn sweep(&mut self) -> Result<Histograms, StreamError> {
        let (topics, beta) = (self.settings.topics, self.settings.beta);
        let alpha = in_groups(&self.alpha);
        let beta_sum = beta * self.documents.documents().words() as f64;
        let name = |round| format!("lda-gibbs sweep {} round {round}", self.sweeps + 1);
        let rounds = self.documents.states().count();
        let keys: Vec<u64> = (0..rounds).map(|round| key(self.seed, &name(round))).collect();
        self.rounds(|round, lane, batch| {
            let key = keys[round];
            lane.sample(batch, Fixed { alpha: &alpha, beta, beta_sum, topics, key });
        })?;
        let mut histograms = Histograms::new(topics);
        self.documents.states().for_each(|lane| histograms.add(&lane.histograms));
        self.sweeps += 1;
        Ok(histograms)
    }

    /// n_wk, W × K.
    fn counts(&self) -> Array2<f64> {
        let mut counts = Array2::zeros(self.sums.dim());
        for lane in self.documents.states() {
            for (word, row) in lane.counts.rows() {
                for (entry, &count) in counts.row_mut(word).iter_mut().zip(row) {
                    *entry = f64::from(count);
                }
            }
        }
        counts
    }

    /// ln p(w, z | α, β).
    fn log_likelihood(&self, histograms: &Histograms) -> f64 {
        let (beta, words) = (self.settings.beta, self.documents.documents().words() as f64);
        let rows = self.documents.states().flat_map(|lane| lane.counts.rows());
        let seen = rows.flat_map(|(_, row)| row).filter(|count| **count > 0);
        let of_words: f64 = seen.map(|&count| lgamma(f64::from(count) + beta) - lgamma(beta)).sum();
        let totals = self.totals.as_flattened()[..self.settings.topics].iter();
        let sum = words * beta;
        let of_totals: f64 =
            totals.map(|&total| lgamma(sum) - lgamma(f64::from(total) + sum)).sum();
        histograms.log_likelihood(&self.alpha) + of_words + of_totals
    }

    /// Where it has come to.
    pub(super) fn into_state(self) -> State {
        let averaged = match self.sweeps {
            0 => self.counts(),
            _ => self.sums,
        };
        State {
            topics: self.documents.into_states().map(|lane| lane.topics).collect(),
            alpha: Array1::from(self.alpha),
            sums: averaged,
            sweeps: self.sweeps,
            log_likelihood: self.log_likelihood,
        }
    }
}

/// The first topics of the tokens of each lane, with even chances: mixed evenly they can go any way.
/// Topics that begin by growing together, each token drawn given those before it, are mixtures that
/// the chain does not leave (docs/factorisation.md has figures).
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
fn start(
    documents: &Documents<'_>,
    topics: usize,
    seed: u64,
) -> Result<Vec<Vec<u16>>, StreamError> {
    let key = key(seed, "lda-gibbs start");
    let of_lane = |blocks| {
        let mut of_tokens = Vec::new();
        documents.visit(blocks, |batch| {
            for (&id, (_, _, length)) in batch.ids.iter().zip(batch.documents()) {
                let mut random = ShortStream::of(key, id as u64);
                let topic = |_| (random.unit() * topics as f64) as u16;
                of_tokens.extend((0..length as usize).map(topic));
            }
        })?;
        Ok(of_tokens)
    };
    lanes(&documents.block_sizes()).into_iter().map(of_lane).collect()
}

/// K numbers in groups, filled up with zeros.
fn in_groups(numbers: &[f64]) -> Vec<[f64; GROUP]> {
    let group = |own: &[f64]| std::array::from_fn(|at| own.get(at).copied().unwrap_or(0.0));
    numbers.chunks(GROUP).map(group).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sprs::TriMat;

    use super::*;
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::memory::MatrixSource;

    fn settings(topics: usize, iterations: usize) -> LdaGibbsSettings {
        LdaGibbsSettings { iterations, learn_every: 0, ..LdaGibbsSettings::new(topics) }
    }

    fn sampler<'a>(documents: &'a Documents<'a>, of: LdaGibbsSettings, seed: u64) -> Sampler<'a> {
        let state = State::start(&of, documents.words());
        Sampler::new(documents, of, seed, state).expect("in memory")
    }

    #[test]
    fn after_every_sweep_the_counts_are_those_of_the_tokens() {
        use rand::RngExt;
        let mut rng = stream(3, "counts");
        let mut counts = TriMat::new((300, 40));
        for document in 0..300 {
            for _ in 0..15 {
                counts.add_triplet(document, rng.random_range(0..40), 1u32);
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 20);
        let positions: Vec<u32> = (0..40).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let mut sampler = sampler(&documents, settings(11, 5), 1);
        for sweeps in 1..=5 {
            sampler.until(sweeps, 1.0, &Silent).expect("in memory");
            let mut again = Array2::<f64>::zeros((40, 11));
            let mut tokens = sampler.documents.states().flat_map(|lane| &lane.topics);
            documents
                .visit(0..15, |batch| {
                    for (&word, &count) in batch.words.iter().zip(&batch.counts) {
                        for topic in tokens.by_ref().take(count as usize) {
                            again[(word as usize, usize::from(*topic))] += 1.0;
                        }
                    }
                })
                .expect("in memory");
            assert!(tokens.next().is_none());
            assert_eq!(sampler.counts(), again);
            let totals = again.sum_axis(ndarray::Axis(0));
            let found = sampler.totals.as_flattened();
            assert!(totals.iter().zip(found).all(|(sum, &total)| *sum == f64::from(total)));
        }
    }

    /// ln p(w, z) of a few tokens (document, word), straight from the definition: each token given
    /// those before it.
    fn joint(tokens: &[(usize, usize)], topics: &[usize], alpha: f64, beta: f64, k: usize) -> f64 {
        let words = 3.0;
        let mut sum = 0.0;
        for (at, (&(document, word), &topic)) in tokens.iter().zip(topics).enumerate() {
            let before = || tokens[..at].iter().zip(topics);
            let count = |is: &dyn Fn(usize, usize, usize) -> bool| {
                before().filter(|((d, w), z)| is(*d, *w, **z)).count() as f64
            };
            let of_document = count(&|d, _, _| d == document);
            let with_topic = count(&|d, _, z| d == document && z == topic);
            let of_topic = count(&|_, _, z| z == topic);
            let of_word = count(&|_, w, z| z == topic && w == word);
            sum += ((with_topic + alpha) / (of_document + k as f64 * alpha)).ln();
            sum += ((of_word + beta) / (of_topic + words * beta)).ln();
        }
        sum
    }

    /// Two documents of five tokens in all over three words.
    fn tiny() -> (MatrixSource, Vec<(usize, usize)>) {
        let mut counts = TriMat::new((2, 3));
        counts.add_triplet(0, 0, 2u32);
        counts.add_triplet(0, 1, 1);
        counts.add_triplet(1, 1, 1);
        counts.add_triplet(1, 2, 1);
        (MatrixSource::new(counts.to_csr(), 2), vec![(0, 0), (0, 0), (0, 1), (1, 1), (1, 2)])
    }

    /// The topics of all tokens.
    fn state(sampler: &Sampler<'_>) -> Vec<usize> {
        let topics = sampler.documents.states().flat_map(|lane| &lane.topics);
        topics.map(|&topic| topic.into()).collect()
    }

    #[test]
    fn chains_visit_each_state_as_often_as_its_posterior_says() {
        let (source, tokens) = tiny();
        let documents = Documents::new(&source, &[0, 1, 2], 2, &Silent);
        let of = LdaGibbsSettings { alpha: 0.7, beta: 0.4, ..settings(3, 30) };
        let chains = 20_000u32;
        let mut visits: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
        for seed in 0..u64::from(chains) {
            let mut sampler = sampler(&documents, of, seed);
            sampler.until(30, 1.0, &Silent).expect("in memory");
            let state = state(&sampler);
            *visits.entry(state).or_default() += 1.0;
        }
        let states: Vec<Vec<usize>> = (0..243usize)
            .map(|code| (0..5).map(|at| code / 3usize.pow(at) % 3).collect())
            .collect();
        let chances: Vec<f64> =
            states.iter().map(|state| joint(&tokens, state, 0.7, 0.4, 3).exp()).collect();
        let all: f64 = chances.iter().sum();
        let mut chi_square = 0.0;
        for (state, chance) in states.iter().zip(&chances) {
            let expected = f64::from(chains) * chance / all;
            let found = visits.get(state).copied().unwrap_or(0.0);
            chi_square += (found - expected).powi(2) / expected;
        }
        // 242 degrees of freedom: mean 242, deviation 22. The bound is the 1 − 10⁻⁶ quantile (the
        // seeds are fixed); a sampler that forgets to take the token itself out of the counts
        // comes to several thousand.
        assert!(chi_square < 360.0, "{chi_square}");
    }

    #[test]
    fn the_likelihood_is_the_joint_probability_of_words_and_topics() {
        let (source, tokens) = tiny();
        let documents = Documents::new(&source, &[0, 1, 2], 2, &Silent);
        for seed in 0..20 {
            let mut sampler = sampler(&documents, settings(3, 2), seed);
            sampler.until(2, 1.0, &Silent).expect("in memory");
            let state = state(&sampler);
            let expected = joint(&tokens, &state, 0.1, 0.01, 3);
            assert!((sampler.log_likelihood - expected).abs() < 1e-9);
        }
    }
}
