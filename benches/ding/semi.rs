//! Ding et al. 2015, figure 5: the error on documents drawn from topics of real text.

use std::path::PathBuf;

use topoi::ingest::{IngestRequest, NoProgress, ingest};
use topoi::run::request::RunRequest;
use topoi::run::saved::topics::semi_topics;
use topoi::store::{Access, Store};
use topoi::synth::Topic;
use topoi::synth::length::Length;
use topoi::synth::semi::{NovelWords, SemiSettings, semi};

use crate::laboratory::{Laboratory, head, present, run};

/// The models of the table.
const MODELS: &[&str] = &["rp", "lr-jsmf", "aw"];
/// The numbers of documents.
const DOCUMENTS: &[u64] = &[1000, 3000, 10_000, 30_000, 100_000];
/// The topics that are drawn from.
const TOPICS: usize = 50;

/// Prints the tables.
pub fn measure() {
    let Some(directory) = std::env::var_os("TOPOI_NIPS").map(PathBuf::from) else {
        println!("semi: set TOPOI_NIPS to the directory of docword.nips.txt.gz to measure this");
        return;
    };
    let (words, topics) = topics_of_nips(&directory);
    for novel in [NovelWords::OnePerTopic, NovelWords::None] {
        let kind = if novel == NovelWords::None { "Semi-Syn" } else { "Semi-Syn+Novel" };
        println!(
            "\n{kind}: documents of 300 tokens from the {TOPICS} topics of lr-jsmf on NIPS, \
             alpha = 0.03; l1 error a topic (0 to 2) / K̂ where the model tells one\n"
        );
        table(&words, &topics, novel);
    }
}

fn topics_of_nips(directory: &std::path::Path) -> (Vec<String>, Vec<Topic>) {
    let home = tempfile::tempdir().expect("tempdir");
    let mut store = Store::open(&home.path().join("nips.db"), Access::Create).expect("store");
    let request = IngestRequest::new("nips", [directory.join("docword.nips.txt.gz")]);
    ingest(&store, &request, &NoProgress).expect("NIPS in the directory");
    let number = run(&mut store, &RunRequest::new("nips", TOPICS)).expect("topics");
    semi_topics(&store, number).expect("topics")
}

fn table(words: &[String], topics: &[Topic], novel: NovelWords) {
    let models = present(MODELS);
    head(&[&["M"][..], &models].concat());
    for &documents in DOCUMENTS {
        let (length, alpha, seed) = (Length::Fixed(300), 0.03, 1);
        let from = "lr-jsmf on NIPS".into();
        let settings = SemiSettings { from, novel, documents, length, alpha, seed };
        let corpus = semi(words.to_vec(), topics.to_vec(), &settings).expect("a corpus");
        let mut laboratory = Laboratory::new(corpus);
        let cells = models.iter().map(|model| result(&mut laboratory, model));
        let cells: Vec<String> = cells.collect();
        println!("| {documents} | {} |", cells.join(" | "));
    }
}

/// The ζ that show the true number of topics: the least, the largest and their ratio.
fn right_distances(laboratory: &Laboratory, number: i64) -> String {
    let estimates = laboratory.store.topic_estimates(number).expect("estimates");
    let right: Vec<f64> =
        estimates.iter().filter(|(_, topics)| *topics == TOPICS as u64).map(|e| e.0).collect();
    match (right.first(), right.last()) {
        (Some(least), Some(most)) => {
            format!("{TOPICS} for ζ {least:.2} to {most:.2}, {:.0} wide", most / least)
        }
        _ => String::from("never right"),
    }
}

/// The error of a run, and its estimate of the number of topics if it made one.
fn result(laboratory: &mut Laboratory, model: &str) -> String {
    let mut request = laboratory.request(model, 1);
    // All words, the novel ones too.
    request.settings.terms = usize::MAX >> 1;
    let Some(number) = run(&mut laboratory.store, &request) else { return "–".into() };
    let error = laboratory.with_truth(number).l1_error;
    match laboratory.store.run_metric(number, "k_hat").expect("metrics") {
        Some(k_hat) => {
            format!("{error:.3} / {k_hat} ({})", right_distances(laboratory, number))
        }
        None => format!("{error:.3}"),
    }
}
