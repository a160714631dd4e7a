//! LDAvis: the data that pyLDAvis and R's LDAvis show.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};
use serde_json::{Value, json};

use super::error::ExportError;
use super::format::Format;
use super::json::for_pages;
use super::output::Output;
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;
use topoi_core::formula::relevance::relevance;
use topoi_core::metric::words::top_words::largest;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "ldavis",
    help: "What pyLDAvis and LDAvis show",
    ending: "-ldavis.json",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// The table of terms, by column.
#[derive(Default)]
struct TermTable {
    terms: Vec<String>,
    counts: Vec<f64>,
    totals: Vec<f64>,
    categories: Vec<String>,
    log_probabilities: Vec<f64>,
    log_lifts: Vec<f64>,
}

/// Writes the JSON that `pyLDAvis` embeds in its pages (`prepared.to_json()`) and LDAvis calls
/// `lda.json`. Topics keep their order; LDAvis counts from 1, so its topic 1 is topic 0 here.
///
/// # Source
/// Sievert and Shirley 2014; the layout is that of pyLDAvis 3.4.1.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let b = model.topic_words();
    let places = topic_plane(&b);
    let shares = model.token_shares("ldavis")?;
    let counts = TermCounts::new(b, &shares, model.tokens());
    let numbers: Vec<usize> = (1..=model.topics.len()).collect();
    let (table, shown) = term_table(model, &counts);
    let prepared = json!({
        "mdsDat": {
            "x": places.iter().map(|place| place.0).collect::<Vec<_>>(),
            "y": places.iter().map(|place| place.1).collect::<Vec<_>>(),
            "topics": numbers,
            "cluster": vec![1; numbers.len()],
            "Freq": shares.iter().map(|share| 100.0 * share).collect::<Vec<_>>(),
        },
        "tinfo": {
            "Term": table.terms,
            "Freq": table.counts,
            "Total": table.totals,
            "Category": table.categories,
            "logprob": table.log_probabilities,
            "loglift": table.log_lifts,
        },
        "token.table": token_table(model, &counts, &shown),
        "R": SHOWN,
        "lambda.step": 0.01,
        "plot.opts": { "xlab": "PC1", "ylab": "PC2" },
        "topic.order": numbers,
    });
    output.file(|sink| sink.write(for_pages(&prepared.to_string()) + "\n"))
}

/// The table of terms, and its terms in ascending order.
fn term_table(model: &SavedModel<'_>, counts: &TermCounts) -> (TermTable, Vec<usize>) {
    let mut table = TermTable::default();
    let mut shown: Vec<usize> = counts.salient();
    for (rank, &term) in shown.iter().enumerate() {
        let place = (SHOWN - rank) as f64;
        table.push(model, term, [counts.totals[term], counts.totals[term]], [place, place]);
        table.categories.push("Default".into());
    }
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    for topic in 0..model.topics.len() {
        for term in counts.relevant(topic) {
            let logs = [counts.log_probability(term, topic), counts.log_lift(term, topic)];
            let tokens = [counts.of_topics[(term, topic)], counts.totals[term]];
            table.push(model, term, tokens, logs.map(rounded));
            table.categories.push(format!("Topic{}", topic + 1));
            shown.push(term);
        }
    }
    shown.sort_unstable();
    shown.dedup();
    (table, shown)
}

impl TermTable {
    fn push(&mut self, model: &SavedModel<'_>, term: usize, tokens: [f64; 2], logs: [f64; 2]) {
        self.terms.push(model.words[term].clone());
        self.counts.push(tokens[0]);
        self.totals.push(tokens[1]);
        self.log_probabilities.push(logs[0]);
        self.log_lifts.push(logs[1]);
    }
}

/// For each shown term, the topics with at least half a token of it and their shares.
fn token_table(model: &SavedModel<'_>, counts: &TermCounts, shown: &[usize]) -> Value {
    let (mut topics, mut shares, mut terms) = (Vec::new(), Vec::new(), Vec::new());
    let mut by_name: Vec<usize> = shown.to_vec();
    by_name.sort_by(|&a, &b| model.words[a].cmp(&model.words[b]));
    for term in by_name {
        for (topic, &tokens) in counts.of_topics.row(term).iter().enumerate() {
            if tokens >= 0.5 {
                topics.push(topic + 1);
                shares.push(tokens.round() / counts.totals[term]);
                terms.push(&model.words[term]);
            }
        }
    }
    json!({ "Topic": topics, "Freq": shares, "Term": terms })
}

/// Terms shown per topic and for the whole corpus.
pub const SHOWN: usize = 30;
/// Number of steps of λ from 0 to 1.
const STEPS: usize = 100;

/// Expected counts of terms in topics, and derived scores.
#[derive(Debug)]
pub struct TermCounts {
    /// B (W × K).
    b: Array2<f64>,
    /// Expected tokens of each term in each topic (W × K).
    pub of_topics: Array2<f64>,
    /// Tokens of each term in all topics (W).
    pub totals: Array1<f64>,
    /// Share of each term of all tokens (W).
    marginal: Array1<f64>,
}

impl TermCounts {
    /// From B (W × K), the topics' shares of the tokens (K) and the number of tokens.
    pub fn new(b: Array2<f64>, token_shares: &Array1<f64>, tokens: f64) -> Self {
        let of_topics = &b * &(token_shares * tokens);
        let totals = of_topics.sum_axis(Axis(1));
        let marginal = &totals / totals.sum();
        Self { b, of_topics, totals, marginal }
    }

    /// log p(term | topic).
    pub fn log_probability(&self, term: usize, topic: usize) -> f64 {
        self.b[(term, topic)].ln()
    }

    /// log of p(term | topic) / p(term).
    pub fn log_lift(&self, term: usize, topic: usize) -> f64 {
        (self.b[(term, topic)] / self.marginal[term]).ln()
    }

    /// The [`SHOWN`] most salient terms: p(w) Σ_k p(k|w) log(p(k|w) / p(k)).
    ///
    /// # Source
    /// Chuang, Manning and Heer 2012, "Termite", §4.1.
    pub fn salient(&self) -> Vec<usize> {
        let all = self.totals.sum();
        let shares: Vec<f64> =
            self.of_topics.sum_axis(Axis(0)).iter().map(|tokens| tokens / all).collect();
        let saliency = |term: usize| {
            let row = self.of_topics.row(term);
            let part = |(&tokens, &share): (&f64, &f64)| {
                let given = tokens / self.totals[term];
                if given > 0.0 && share > 0.0 { given * (given / share).ln() } else { 0.0 }
            };
            self.marginal[term] * row.iter().zip(&shares).map(part).sum::<f64>()
        };
        let values: Vec<f64> = (0..self.totals.len()).map(saliency).collect();
        let occurring = (0..values.len()).filter(|&term| self.totals[term] > 0.0).collect();
        largest(occurring, |term| values[term], SHOWN)
    }

    /// The terms that are among the [`SHOWN`] most relevant of a topic (as [`relevance`] has it) for
    /// some λ from 0 to 1. Ascending.
    pub fn relevant(&self, topic: usize) -> Vec<usize> {
        let terms: Vec<usize> =
            (0..self.totals.len()).filter(|&term| self.b[(term, topic)] > 0.0).collect();
        let mut shown = BTreeSet::new();
        for step in 0..=STEPS {
            let lambda = step as f64 / STEPS as f64;
            let score = |term: usize| {
                let (p, marginal) = (self.b[(term, topic)], self.marginal[term]);
                relevance(p, marginal, lambda).unwrap_or(f64::NEG_INFINITY)
            };
            shown.extend(largest(terms.clone(), score, SHOWN));
        }
        shown.into_iter().collect()
    }
}
