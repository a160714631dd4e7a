//! Sweeps over all tokens.

use std::ops::Range;

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::counts::TopicCounts;
use super::lane::{LANES, Lane};
use super::proportions::Histograms;
use super::settings::LdaGibbsSettings;
use super::start::start;
use super::state::State;
use super::weights::{CHUNK, SweepInputs};
use crate::progress::Progress;
use crate::random::key;
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::StatefulLanes;

/// Sweeps between two computations of the likelihood, which is also computed after the last.
const REPORT_EVERY: usize = 10;

/// A Gibbs chain and the data that its sweeps need.
pub(super) struct Sampler<'a> {
    settings: LdaGibbsSettings,
    seed: u64,
    documents: StatefulLanes<'a, Lane>,
    /// Counts over all documents of all parts.
    counts: TopicCounts,
    /// Groups of words, as many as there are lanes.
    groups: Vec<Range<usize>>,
    alpha: Vec<f64>,
    /// Sums of n_wk over the averaged sweeps, W × K.
    sums: Array2<f64>,
    sweeps: usize,
    log_likelihood: f64,
}

impl<'a> Sampler<'a> {
    /// Continues from `state`. Before the first sweep it draws initial topics, from `first` if
    /// given. Counts the tokens.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn new(
        documents: &'a Documents<'a>,
        settings: LdaGibbsSettings,
        first: Option<&Array2<f64>>,
        seed: u64,
        state: State,
    ) -> Result<Self, StreamError> {
        let topics = settings.topics;
        let words = documents.words();
        let mut number = 0..;
        let lane = || Lane::new(number.next().unwrap_or_default(), words, topics);
        let mut lanes = StatefulLanes::without_parts(documents, LANES, lane);
        lanes.pass(Lane::count)?;
        lanes.states_mut().for_each(Lane::allocate);
        lanes.pass(Lane::place_tokens)?;
        let of_tokens: Vec<Vec<u16>> = match state.topics.is_empty() {
            true => {
                let of_lanes = start(documents, topics, first.zip(Some(settings.alpha)), seed)?;
                let pairs = lanes.states().zip(&of_lanes);
                pairs.map(|(lane, of_lane)| lane.in_order_of_words(of_lane)).collect()
            }
            false => state.topics,
        };
        for (lane, of_lane) in lanes.states_mut().zip(of_tokens) {
            lane.assign_topics(&of_lane);
        }
        let mut sampler = Self {
            settings,
            seed,
            documents: lanes,
            counts: TopicCounts::new(words, topics),
            groups: Vec::new(),
            alpha: state.alpha.to_vec(),
            sums: state.sums,
            sweeps: state.sweeps,
            log_likelihood: state.log_likelihood,
        };
        sampler.count()?;
        sampler.groups = sampler.counts.groups(sampler.documents.states().count());
        Ok(sampler)
    }

    /// Counts the tokens of all lanes, on all parts.
    fn count(&mut self) -> Result<(), StreamError> {
        let lanes: Vec<&Lane> = self.documents.states().collect();
        self.counts.count(&lanes);
        let documents = self.documents.documents();
        if documents.parts().count() > 1 {
            let mut numbers: Vec<f64> = self.counts.rows().iter().map(|&n| n.into()).collect();
            documents.add_up(&mut numbers)?;
            self.counts.set(numbers.into_iter().map(|number| number as i32));
        }
        Ok(())
    }

    /// Sweeps until `sweeps` are done in total. `tokens` is the corpus's number of tokens.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn run_until(
        &mut self,
        sweeps: usize,
        tokens: f64,
        progress: &dyn Progress,
    ) -> Result<(), StreamError> {
        while self.sweeps < sweeps {
            self.sweep(progress)?;
            if self.settings.averages(self.sweeps) {
                self.sums += &self.counts();
            }
            let learns = self.settings.learns(self.sweeps);
            let is_last = self.sweeps == self.settings.iterations;
            let reports = is_last || self.sweeps.is_multiple_of(REPORT_EVERY);
            if learns || reports {
                let histograms = self.histograms()?;
                if learns {
                    histograms.learn(&mut self.alpha);
                }
                if reports {
                    self.log_likelihood = self.log_likelihood(&histograms) / tokens;
                }
            }
            let residual = reports.then_some(self.log_likelihood);
            progress.step(self.sweeps as u64, residual);
        }
        Ok(())
    }

    /// Draws a new topic for every token, in as many turns as there are lanes.
    fn sweep(&mut self, progress: &dyn Progress) -> Result<(), StreamError> {
        let (topics, beta) = (self.settings.topics, self.settings.beta);
        let mut alpha: Vec<f32> = self.alpha.iter().map(|&alpha| alpha as f32).collect();
        alpha.resize(topics.next_multiple_of(CHUNK), 0.0);
        let documents = self.documents.documents();
        let key = key(self.seed, &on_part(documents, format!("sweep {}", self.sweeps + 1)));
        let (beta, beta_sum) = (beta as f32, (beta * documents.words() as f64) as f32);
        let fixed = SweepInputs { alpha: &alpha, beta, beta_sum, key };
        let sampled = (0..self.groups.len()).try_for_each(|turn| self.turn(turn, fixed, progress));
        let documents = self.documents.documents();
        documents.agree(sampled)?;
        if documents.parts().count() > 1 {
            self.count()?;
        }
        self.sweeps += 1;
        Ok(())
    }

    /// Histograms of the documents of all lanes, on all parts.
    fn histograms(&self) -> Result<Histograms, StreamError> {
        let mut histograms = Histograms::new(self.settings.topics);
        self.documents.states().for_each(|lane| histograms.add(&lane.histograms()));
        histograms.over_parts(self.documents.documents())
    }

    /// Every lane draws the tokens of another group of words. No two lanes change the same n_wk,
    /// and of the others' changes in the turn only those of n_k are not seen.
    fn turn(
        &mut self,
        turn: usize,
        fixed: SweepInputs<'_>,
        progress: &dyn Progress,
    ) -> Result<(), StreamError> {
        let (mut groups, totals) = self.counts.split_groups(&self.groups);
        groups.rotate_left(turn);
        let pairs = self.documents.states_mut().zip(groups).par_bridge();
        let sampled = pairs.map(|(lane, rows)| lane.sample(rows, totals, fixed, progress));
        let of_lanes: Vec<Vec<i32>> = sampled.collect::<Result<_, _>>()?;
        for (topic, total) in totals.iter_mut().enumerate() {
            *total += of_lanes.iter().map(|own| own[topic] - *total).sum::<i32>();
        }
        Ok(())
    }

    /// n_wk, W × K.
    fn counts(&self) -> Array2<f64> {
        let mut counts = Array2::zeros(self.sums.dim());
        let pairs = counts.iter_mut().zip(self.counts.rows());
        pairs.for_each(|(entry, &count)| *entry = count.into());
        counts
    }

    /// ln p(w, z | α, β).
    fn log_likelihood(&self, histograms: &Histograms) -> f64 {
        histograms.log_likelihood(&self.alpha) + self.counts.log_likelihood(self.settings.beta)
    }

    /// The state of the chain.
    pub(super) fn into_state(self) -> State {
        let averaged = match self.sweeps {
            0 => self.counts(),
            _ => self.sums,
        };
        State {
            topics: self.documents.states().map(|lane| lane.topics().collect()).collect(),
            alpha: Array1::from(self.alpha),
            sums: averaged,
            sweeps: self.sweeps,
            log_likelihood: self.log_likelihood,
        }
    }
}

/// The name of a random stream. It includes the part, because documents of two parts may have the
/// same ids.
pub(super) fn on_part(documents: &Documents<'_>, stream: String) -> String {
    match documents.parts().number() {
        0 => format!("lda-gibbs {stream}"),
        part => format!("lda-gibbs {stream} part {part}"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use sprs::TriMat;

    use super::*;
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::in_threads::in_parts;
    use crate::stream::memory::MatrixSource;
    use crate::stream::parts::{Parts, SinglePart};

    fn settings(topics: usize, iterations: usize) -> LdaGibbsSettings {
        LdaGibbsSettings { iterations, learn_every: 0, ..LdaGibbsSettings::new(topics) }
    }

    fn sampler<'a>(documents: &'a Documents<'a>, of: LdaGibbsSettings, seed: u64) -> Sampler<'a> {
        let state = State::new(&of, documents.words());
        Sampler::new(documents, of, None, seed, state).expect("in memory")
    }

    #[test]
    fn after_every_sweep_the_counts_are_those_of_the_tokens() {
        let source = many();
        let positions: Vec<u32> = (0..40).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let mut sampler = sampler(&documents, settings(11, 5), 1);
        for sweeps in 1..=5 {
            sampler.run_until(sweeps, 1.0, &Silent).expect("in memory");
            let mut again = Array2::<f64>::zeros((40, 11));
            for (lane, word) in
                sampler.documents.states().flat_map(|l| (0..40).map(move |w| (l, w)))
            {
                for topic in lane.topics_of_word(word) {
                    again[(word, usize::from(topic))] += 1.0;
                }
            }
            assert_eq!(again.sum(), 4500.0);
            assert_eq!(sampler.counts(), again);
            let totals = again.sum_axis(ndarray::Axis(0));
            let found = &sampler.counts.totals;
            assert!(totals.iter().zip(found).all(|(sum, &total)| *sum == f64::from(total)));
            // The documents' counts are those of their tokens.
            for lane in sampler.documents.states() {
                let of_documents = lane.histograms();
                assert_eq!(of_documents, lane.recounted());
            }
        }
    }

    /// 300 documents of 15 tokens, in 15 blocks: four lanes. Even ones have words below 20, odd ones the others.
    pub(in crate::model::lda_gibbs) fn many() -> MatrixSource {
        use rand::RngExt;
        let mut rng = stream(3, "counts");
        let mut counts = TriMat::new((300, 40));
        for document in 0..300 {
            for _ in 0..15 {
                let word = rng.random_range(0..20) + 20 * (document % 2);
                counts.add_triplet(document, word, 1u32);
            }
        }
        MatrixSource::new(counts.to_csr(), 20)
    }

    #[test]
    fn threads_do_not_matter() {
        let (source, positions) = (many(), (0..40).collect::<Vec<u32>>());
        let found = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| {
                let documents = Documents::new(&source, &positions, 2, &Silent);
                let mut sampler = sampler(&documents, LdaGibbsSettings::new(7), 1);
                sampler.run_until(60, 4500.0, &Silent).expect("in memory");
                sampler.into_state()
            })
        });
        assert_eq!(found[0].topics, found[1].topics);
        assert_eq!(found[0].log_likelihood.to_bits(), found[1].log_likelihood.to_bits());
        assert_eq!(found[0].alpha, found[1].alpha);
    }

    #[test]
    fn parts_count_the_tokens_of_all() {
        let positions: Vec<u32> = (0..40).collect();
        let of_parts = |parts: &dyn Parts| {
            let at = |part: usize| part * 300 / parts.count();
            let source = many().part(at(parts.number())..at(parts.number() + 1));
            let documents = Documents::new(&source, &positions, 2, &Silent).with_parts(parts);
            let mut sampler = sampler(&documents, LdaGibbsSettings::new(2), 1);
            sampler.run_until(100, 4500.0, &Silent).expect("in memory");
            let mut own = vec![0.0; 2];
            let topics = sampler.documents.states().flat_map(|lane| lane.topics());
            topics.for_each(|topic| own[usize::from(topic)] += 1.0);
            documents.add_up(&mut own).expect("added up");
            let state = (sampler.counts(), sampler.alpha.clone(), sampler.log_likelihood);
            assert_eq!(own, state.0.sum_axis(ndarray::Axis(0)).to_vec());
            state
        };
        let whole = of_parts(&SinglePart);
        for count in 1..=3 {
            let parts = in_parts(count, of_parts);
            assert!(parts.iter().all(|part| *part == parts[0]), "{count} parts");
            // Two groups of words that no document mixes: every chain ends with them in separate
            // topics.
            let miss = (parts[0].2 - whole.2).abs();
            assert!(miss < 0.01, "{count} parts: {} and {}", parts[0].2, whole.2);
        }
    }

    /// ln p(w, z) of a few tokens (document, word) by the definition: each token given those before
    /// it.
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

    /// Two documents with five tokens in total over three words.
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
        let topics = sampler.documents.states().flat_map(|lane| lane.topics());
        topics.map(|topic| topic.into()).collect()
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
            sampler.run_until(30, 1.0, &Silent).expect("in memory");
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
        // seeds are fixed). A sampler that does not remove the token itself from the counts reaches
        // several thousand.
        assert!(chi_square < 360.0, "{chi_square}");
    }

    #[test]
    fn the_likelihood_is_the_joint_probability_of_words_and_topics() {
        let (source, tokens) = tiny();
        let documents = Documents::new(&source, &[0, 1, 2], 2, &Silent);
        for seed in 0..20 {
            let mut sampler = sampler(&documents, settings(3, 2), seed);
            sampler.run_until(2, 1.0, &Silent).expect("in memory");
            let state = state(&sampler);
            let expected = joint(&tokens, &state, 0.1, 0.01, 3);
            assert!((sampler.log_likelihood - expected).abs() < 1e-9);
        }
    }
}
