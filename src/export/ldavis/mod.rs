//! LDAvis: the prepared data of pyLDAvis and of R's LDAvis.

pub mod terms;

use ndarray::Array1;
use serde_json::{Value, json};

use self::terms::{SHOWN, TermCounts};
use super::error::ExportError;
use super::output::Output;
use super::saved_model::SavedModel;
use super::topic_plane::topic_plane;

/// Columns of the terms' table.
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
/// # Errors
/// When the file cannot be written.
///
/// # Source
/// Sievert and Shirley 2014; the layout is that of pyLDAvis 3.4.1.
pub fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let b = model.topic_words();
    let places = topic_plane(&b);
    let weights: Array1<f64> = model.topics.iter().map(|topic| topic.weight).collect();
    let counts = TermCounts::new(b, &weights, model.counts.iter().sum::<u64>() as f64);
    let numbers: Vec<usize> = (1..=model.topics.len()).collect();
    let (table, shown) = term_table(model, &counts);
    let prepared = json!({
        "mdsDat": {
            "x": places.iter().map(|place| place.0).collect::<Vec<_>>(),
            "y": places.iter().map(|place| place.1).collect::<Vec<_>>(),
            "topics": numbers,
            "cluster": vec![1; numbers.len()],
            "Freq": weights.iter().map(|weight| 100.0 * weight).collect::<Vec<_>>(),
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
    output.file(|sink| sink.write(prepared.to_string() + "\n"))
}

/// The table of terms, and the terms that are in it, ascending.
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

/// For every shown term the topics with half a token of it or more, and their shares.
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
