//! Simulated corpora: words are drawn from topics, and shares are estimated from the words alone.

use std::collections::BTreeMap;

use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use crate::effects::design::Design;
use crate::effects::design::fields::FieldValues;
use crate::effects::formula::Formula;
use crate::effects::regression::{
    Dependence, Outcomes, Regression, RegressionRequest, SpreadChoice, regress,
};
use crate::formula::linear_proportions::LinearProportions;
use crate::progress::Silent;
use crate::random::{dirichlet::dirichlet, stream};

pub(super) const TOPICS: usize = 8;
const WORDS: usize = 120;

/// Topics with many common words, as real ones have.
pub(super) struct World {
    /// By topic, cumulated probabilities of words.
    cumulated: Vec<Vec<f64>>,
    pub(super) linear: LinearProportions,
}

impl World {
    pub(super) fn new() -> Self {
        let mut rng = stream(1, "topics of simulated corpora");
        let mut topics = Array2::zeros((WORDS, TOPICS));
        for mut topic in topics.columns_mut() {
            let mut probabilities = [0.1; WORDS];
            dirichlet(&mut rng, &mut probabilities);
            // Half of the tokens are of words that all topics have alike, the commonest first.
            let harmonic: f64 = (1..=WORDS).map(|rank| 1.0 / rank as f64).sum();
            for (word, (to, own)) in topic.iter_mut().zip(probabilities).enumerate() {
                *to = 0.5 * own + 0.5 / harmonic / (word + 1) as f64;
            }
        }
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let linear = LinearProportions::new(&topics, &[0.125; TOPICS], &positions);
        let cumulate = |topic: ndarray::ArrayView1<'_, f64>| {
            let mut sum = 0.0;
            topic
                .iter()
                .map(|p| {
                    sum += p;
                    sum
                })
                .collect()
        };
        let cumulated = topics.columns().into_iter().map(cumulate).collect();
        Self { cumulated, linear }
    }

    /// θ̃ of a document of these proportions, and one over its number of tokens.
    fn document(&self, rng: &mut ChaCha12Rng, theta: &[f64], tokens: usize, into: &mut [f32]) {
        let mut counts = [0_u32; WORDS];
        for _ in 0..tokens {
            let mut left: f64 = rng.random();
            let topic = theta.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            let at: f64 = rng.random();
            let words = &self.cumulated[topic.unwrap_or(TOPICS - 1)];
            counts[words.partition_point(|sum| *sum <= at).min(WORDS - 1)] += 1;
        }
        let terms: Vec<u32> = (0..WORDS as u32).filter(|at| counts[*at as usize] > 0).collect();
        let counts: Vec<u32> = terms.iter().map(|at| counts[*at as usize]).collect();
        let mut found = [0.0; TOPICS];
        self.linear.estimate(&terms, &counts, &mut found);
        into.iter_mut().zip(found).for_each(|(to, share)| *to = share as f32);
    }

    /// A corpus of documents with these Dirichlet parameters and numbers of tokens.
    pub(super) fn corpus(
        &self,
        seed: u64,
        documents: usize,
        of: impl Fn(usize) -> ([f64; TOPICS], usize),
    ) -> Corpus {
        let mut rng = stream(seed, "documents of a simulated corpus");
        let mut corpus =
            Corpus { shares: Array2::zeros((documents, TOPICS)), inverse_tokens: Vec::new() };
        for (document, mut row) in corpus.shares.outer_iter_mut().enumerate() {
            let (mut theta, tokens) = of(document);
            dirichlet(&mut rng, &mut theta);
            let row = row.as_slice_mut().expect("contiguous");
            self.document(&mut rng, &theta, tokens, row);
            corpus.inverse_tokens.push(1.0 / tokens as f64);
        }
        corpus
    }
}

pub(super) struct Corpus {
    pub(super) shares: Array2<f32>,
    pub(super) inverse_tokens: Vec<f64>,
}

impl Corpus {
    /// The regression of its shares on the category of every document.
    pub(super) fn regress(
        &self,
        world: &World,
        categories: &[&str],
        dependence: &Dependence,
    ) -> Regression {
        let values = FieldValues::categories(categories.iter().map(|name| Some(*name)));
        let fields = BTreeMap::from([("g".to_string(), values)]);
        let formula = Formula::parse("~ g").expect("a formula");
        let design = Design::new(&formula, &fields, categories.len(), |_| true);
        let outcomes = Outcomes {
            shares: self.shares.clone(),
            inverse_tokens: &self.inverse_tokens,
            token_variances: world.linear.token_variances(),
        };
        let request = RegressionRequest {
            dependence,
            spread: SpreadChoice::Auto,
            absorbed: Vec::new(),
            combinations: Vec::new(),
        };
        regress(design.expect("a design"), outcomes, &request, &Silent).expect("a regression")
    }
}
