//! Small results with awkward names, saved as those of a finished run.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use topoi_core::formula::packed_documents::PackedDocument;
use topoi_core::formula::proportions::{WHOLE, whole_numbers};
use topoi_core::formula::word_probabilities::rounded;
use topoi_store::id::{DocumentId, RunId, TermId};
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::run::{NewRun, RunEnd, RunStatus};
use topoi_store::{Access, Store};

/// A document: its title, and (topic, proportion) by topic.
pub type About = (Option<String>, Vec<(u64, f64)>);

/// A run's result.
#[derive(Debug, Clone)]
pub struct Sample {
    pub words: Vec<String>,
    /// (word, probability) by probability.
    pub topics: Vec<Vec<(String, f64)>>,
    /// By key, in the order of their keys.
    pub documents: BTreeMap<String, About>,
}

/// Names that are awkward for one format or another.
pub fn name() -> impl Strategy<Value = String> {
    let awkward =
        prop::sample::select("\"',;\t\n\r \\<&{é語\u{85}\u{2028}🙂#%".chars().collect::<Vec<_>>());
    // Texts of SQLite end at a NUL for many of its readers: no format brings one.
    let any = any::<char>().prop_filter("no NUL", |&c| c != '\0');
    prop::collection::vec(prop_oneof![3 => awkward, 2 => any], 1..8)
        .prop_map(|chars| chars.into_iter().collect())
}

fn normal(numbers: Vec<f64>) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    numbers.into_iter().map(|number| number / sum).collect()
}

/// Shares of `parts` things, one at least above 0.
fn shares(parts: usize) -> impl Strategy<Value = Vec<f64>> {
    let share = prop_oneof![Just(0.0), 1e-9..1.0];
    (prop::collection::vec(share, parts), 0..parts).prop_map(|(mut numbers, sure)| {
        numbers[sure] += 0.5;
        normal(numbers)
    })
}

pub fn sample() -> impl Strategy<Value = Sample> {
    let names = prop::collection::btree_set(name(), 3..8);
    (names, 2..4usize).prop_flat_map(|(words, k)| {
        let words: Vec<String> = words.into_iter().collect();
        let topics = prop::collection::vec(shares(words.len()), k);
        let about = (prop::option::of(name()), shares(k));
        let documents = prop::collection::btree_map(name(), about, 1..6);
        (Just(words), topics, documents).prop_map(|(words, topics, documents)| {
            let topic = |p: Vec<f64>| {
                let mut topic: Vec<(String, f64)> = words
                    .iter()
                    .cloned()
                    .zip(p.into_iter().map(rounded))
                    .filter(|pair| pair.1 > 0.0)
                    .collect();
                topic.sort_by(|a, b| b.1.total_cmp(&a.1));
                topic
            };
            let about = |(title, shares): (Option<String>, Vec<f64>)| {
                let numbers = whole_numbers(&shares).into_iter();
                (title, (0..).zip(numbers.map(|n| f64::from(n) / f64::from(WHOLE))).collect())
            };
            let topics = topics.into_iter().map(topic).collect();
            let documents = documents.into_iter().map(|(key, a)| (key, about(a))).collect();
            Sample { words, topics, documents }
        })
    })
}

/// A store with a finished run of the sample.
pub fn saved(sample: &Sample, directory: &Path) -> (Store, RunId) {
    let mut store = Store::open(&directory.join("t.db"), Access::Create).expect("open");
    let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
    let mut entries: Vec<(u32, u32)> =
        sample.words.iter().map(|word| (writer.term(word).expect("term"), 1)).collect();
    entries.sort_unstable();
    for (key, (title, _)) in &sample.documents {
        let document =
            NewDocument { title: title.as_deref(), ..NewDocument::counted(key, &entries) };
        writer.add(document).expect("add");
    }
    writer.finish().expect("finish");
    let corpus_id = store.corpus("c").expect("corpus").id;
    let terms = store.terms(corpus_id).expect("terms").into_iter();
    let terms: BTreeMap<String, TermId> = terms.map(|term| (term.text, term.id)).collect();
    let new = NewRun { corpus_id, model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
    let run = store.create_run(&new).expect("run");
    store.take_run(run).expect("take");
    let ids: Vec<TermId> = terms.values().copied().collect();
    let vocabulary = store.save_vocabulary(corpus_id, "{}", b"v", &ids).expect("vocabulary");
    let seen = store.corpus_state(corpus_id).expect("state");
    store.set_run_material(run, vocabulary, b"m", seen).expect("material");
    let k = sample.topics.len();
    let mut documents = SavedDocuments { alpha: vec![0.1; k], ..Default::default() };
    for (document, (_, topics)) in store
        .documents(corpus_id, DocumentId(0), 100)
        .expect("documents")
        .iter()
        .zip(sample.documents.values())
    {
        let theta: Vec<f64> = topics.iter().map(|&(_, share)| share).collect();
        let about = PackedDocument::new(document.id.0, &theta, &documents.alpha);
        documents.packed.push(&about).expect("in memory");
    }
    let topic = |words: &Vec<(String, f64)>| SavedTopic {
        shares: TopicShares { document_share: 1.0 / k as f64, token_share: Some(1.0 / k as f64) },
        anchor_term_id: None,
        terms: words.iter().map(|(word, p)| (terms[word], *p)).collect(),
        characteristic: vec![],
    };
    let topics = sample.topics.iter().map(topic).collect();
    let end = || RunEnd { seconds: Some(1.0), ..RunEnd::new(RunStatus::Finished) };
    let result = SavedResult { topics, documents, ..Default::default() };
    store.finish_run(run, &result, end).expect("save");
    (store, run)
}
