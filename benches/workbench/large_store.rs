//! A store of a million documents and 200 runs, straight through the store's own functions.

use std::path::{Path, PathBuf};

use topoi_run::life::this_process;
use topoi_store::id::{CorpusId, RunId, TermId, TopicNumber};
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::run::progress::Progress;
use topoi_store::run::run_lock::RunLock;
use topoi_store::run::{NewRun, RunEnd, RunStatus};
use topoi_store::{Access, Store};

const RUNS: u64 = 200;
const K: usize = 50;
const TERMS: usize = 20_000;
const WORDS_OF_A_TOPIC: usize = 100;
/// The newest run keeps all its words, as a real one does.
const WORDS_OF_THE_NEWEST: usize = 5000;
const SETTINGS: &str =
    r#"{"kind":"text","tokens":{"min_length":3,"max_length":40,"stop_words":"en"}}"#;
const RUN_SETTINGS: &str =
    r#"{"terms":5000,"min_tokens":5,"threads":0,"tolerance":1e-6,"iterations":50}"#;

pub struct LargeStore {
    _directory: tempfile::TempDir,
    path: PathBuf,
    documents: u32,
}

impl LargeStore {
    pub fn make(documents: u32) -> Self {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("large.db");
        let mut store = Store::open(&path, Access::Create).expect("open");
        ingest(&store, "large", documents);
        ingest(&store, "small", 100);
        let corpus = store.corpus("large").expect("corpus").id;
        let ids: Vec<TermId> = store.terms(corpus).expect("terms").iter().map(|t| t.id).collect();
        for number in 1..=RUNS {
            finished_run(&mut store, corpus, &ids, number);
        }
        Self { _directory: directory, path, documents }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn description(&self) -> String {
        let bytes = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        let wal = std::fs::metadata(self.path.with_extension("db-wal")).map_or(0, |f| f.len());
        let size = (bytes + wal) as f64 / 1e9;
        format!("a store of {} documents and {RUNS} runs, {size:.2} GB", self.documents)
    }

    /// Starts a run that this process works on.
    pub fn start_run(&self) -> Running {
        let store = Store::open(&self.path, Access::Create).expect("open");
        let corpus_id = store.corpus("large").expect("corpus").id;
        let new = NewRun { corpus_id, model: "lr-jsmf", k: 50, seed: 1, settings: RUN_SETTINGS };
        let run = store.create_run(&new).expect("create");
        let lock = store.lock_run(run).expect("lock").expect("free");
        assert!(store.take_run(run).expect("take"));
        store.begin_stage(run, 0, "rectify").expect("begin");
        Running { path: self.path.clone(), run, _lock: lock }
    }
}

/// A run under way.
pub struct Running {
    path: PathBuf,
    run: RunId,
    _lock: RunLock,
}

impl Running {
    pub fn step(&self, step: u64) {
        let mut store = Store::open(&self.path, Access::Create).expect("open");
        store.write_lease(self.run, &this_process()).expect("lease");
        let residual = 1.0 / (step as f64);
        let progress = Progress {
            stage: "rectify".into(),
            step,
            total: 2000,
            residual: Some(residual),
            memory_bytes: Some(214_000_000 + step * 1_000_000),
            share: Some(step as f64 / 2000.0),
            seconds_left: Some((2000 - step.min(2000)) as f64),
            age: 0.0,
        };
        let residuals = [("rectify".to_string(), step, residual)];
        store.write_progress(self.run, &progress, &residuals).expect("progress");
    }

    pub fn end(&self) {
        let store = Store::open(&self.path, Access::Create).expect("open");
        end(&store, self.run);
    }
}

fn end(store: &Store, run: RunId) {
    store.end_run(run, ended()).expect("end");
}

fn ended() -> RunEnd<'static> {
    RunEnd {
        status: RunStatus::Finished,
        seconds: Some(1.93),
        peak_memory_bytes: Some(88_000_000),
        error: None,
    }
}

fn ingest(store: &Store, name: &str, documents: u32) {
    let mut writer = IngestWriter::begin(store, name, SETTINGS, "made up", "lines").expect("begin");
    let terms: Vec<u32> =
        (0..TERMS).map(|number| writer.term(&word(number)).expect("term")).collect();
    for number in 0..documents {
        // Spread over the terms, a few of them in many documents.
        let spread = |place: u32| (number.wrapping_mul(2_654_435_761) >> (place * 3)) as usize;
        let mut entries: Vec<(u32, u32)> = (0..6)
            .map(|place| {
                let range = if place < 2 { 200 } else { TERMS };
                (terms[spread(place) % range], 1 + number % 4)
            })
            .collect();
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        let words: Vec<String> = entries.iter().map(|&(term, _)| word(term as usize)).collect();
        let key = format!("{name}/{number:08}.txt");
        let title = format!("On {} and {}, part {number}", words[0], words[words.len() - 1]);
        let text = words.join(" and the ").repeat(20);
        let document = NewDocument {
            title: Some(&title),
            text: (number % 100 == 0).then_some(text.as_str()),
            ..NewDocument::counted(&key, &entries)
        };
        writer.add(document).expect("add");
    }
    writer.finish().expect("finish");
}

/// A word of letters that no other number has.
fn word(number: usize) -> String {
    const SYLLABLES: [&str; 8] = ["ka", "ne", "ti", "mo", "su", "ra", "le", "po"];
    (0..5).map(|place| SYLLABLES[(number >> (3 * place)) & 7]).collect()
}

fn finished_run(store: &mut Store, corpus_id: CorpusId, ids: &[TermId], number: u64) {
    let new =
        NewRun { corpus_id, model: "lr-jsmf", k: K as u64, seed: number, settings: RUN_SETTINGS };
    let run = store.create_run(&new).expect("create");
    assert!(store.take_run(run).expect("take"));
    let mut vocabulary = ids.to_vec();
    vocabulary.sort_unstable();
    let saved = store.save_vocabulary(corpus_id, "{}", &[1], &vocabulary).expect("vocabulary");
    let seen = store.corpus_state(corpus_id).expect("state");
    store.set_run_material(run, saved, &[1], seen).expect("material");
    let words = if number == RUNS { WORDS_OF_THE_NEWEST } else { WORDS_OF_A_TOPIC };
    let probability = |rank: usize| 0.1 / (rank + 1) as f64;
    let topic = |number: usize| SavedTopic {
        shares: TopicShares { document_share: 1.0 / K as f64, token_share: Some(1.0 / K as f64) },
        anchor_term_id: Some(ids[number * 7]),
        terms: (0..words)
            .map(|rank| (ids[(number * 131 + rank * 3) % ids.len()], probability(rank)))
            .collect(),
        characteristic: (0..40).map(|rank| (ids[number * 11 + rank], probability(rank))).collect(),
    };
    let names = ["npmi", "umass", "specificity", "dissimilarity", "exclusivity", "entropy"];
    let metric = |topic, name: &str| Metric {
        topic,
        name: name.into(),
        value: topic.unwrap_or_default().0 as f64 / 7.0,
        settings: None,
    };
    let of_topics =
        (0..K as u64).flat_map(|topic| names.map(|name| metric(Some(TopicNumber(topic)), name)));
    let result = SavedResult {
        topics: (0..K).map(topic).collect(),
        metrics: of_topics.chain(names.map(|name| metric(None, name))).collect(),
        hash: number.to_le_bytes().to_vec(),
        ..SavedResult::default()
    };
    store.finish_run(run, &result, ended).expect("save");
}
