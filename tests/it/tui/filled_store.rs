//! A store with something on every screen, made through the store's own functions.

use std::path::Path;

use topoi_core::formula::packed_documents::PackedDocument;
use topoi_run::life::this_process;
use topoi_store::id::{DocumentId, RunId, TermId, TopicNumber};
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::run::progress::{Progress, Stage};
use topoi_store::run::run_lock::RunLock;
use topoi_store::run::{NewRun, RunEnd, RunStatus};
use topoi_store::{Access, Store};

const WORDS: [&str; 24] = [
    "network", "weights", "units", "training", "hidden", "layer", "kernel", "svm", "margin",
    "gram", "rbf", "feature", "spike", "neuron", "firing", "rate", "synaptic", "cell", "policy",
    "reward", "agent", "action", "value", "state",
];
/// The text of every other document.
const TEXT: &str = "A kernel is a function of two points.\n\nSpike trains of a neuron carry a rate; \
                    the network learns its weights, layer by layer.";
const SETTINGS: &str = r#"{"terms":5000,"min_tokens":5,"threads":0,"memory":4.0,"refine":0,"refine_gain":0.004,"documents":false,
    "model":{"name":"lr-jsmf","tolerance":1e-6,"iterations":50,"rows":null,"anchor_documents":0.0}}"#;

/// Fills the store at `path`. Run 3 is alive for as long as the lock is kept.
pub fn fill(path: &Path) -> RunLock {
    let mut store = Store::open(path, Access::Create).expect("open");
    ingest(&store, "nips", 450, "Kernel methods and spiking neurons, part");
    ingest(&store, "novels", 12, "Chapter");
    finished_run(&mut store);
    failed_run(&store);
    let lock = running_run(&mut store);
    new_run(&store, 20);
    lock
}

fn ingest(store: &Store, name: &str, documents: usize, title: &str) {
    let mut writer = IngestWriter::begin(store, name, r#"{"lowercase":true}"#, "made up", "lines")
        .expect("begin");
    let terms: Vec<u32> = WORDS.iter().map(|word| writer.term(word).expect("term")).collect();
    for number in 0..documents {
        let entries: Vec<(u32, u32)> = terms
            .iter()
            .filter(|&&term| !(number + term as usize).is_multiple_of(3))
            .map(|&term| (term, 1 + (number as u32 * 7 + term) % 5))
            .collect();
        let key = format!("{name}-{:04}", number + 1);
        let title = format!("{title} {}", number + 1);
        let text = (number % 2 == 0).then_some(TEXT);
        let document =
            NewDocument { title: Some(&title), text, ..NewDocument::counted(&key, &entries) };
        writer.add(document).expect("add");
    }
    writer.finish().expect("finish");
}

fn new_run(store: &Store, k: u64) -> RunId {
    let corpus_id = store.corpus("nips").expect("corpus").id;
    let run = NewRun { corpus_id, model: "lr-jsmf", k, seed: 1, settings: SETTINGS };
    store.create_run(&run).expect("create")
}

fn stage(store: &Store, run: RunId, position: usize, stage: &Stage) {
    store.begin_stage(run, position, &stage.name).expect("begin stage");
    store.end_stage(run, position, stage).expect("end stage");
}

fn done(name: &str, seconds: f64, steps: Option<u64>, residual: Option<f64>, note: &str) -> Stage {
    let note = (!note.is_empty()).then(|| note.to_string());
    Stage { name: name.into(), seconds: Some(seconds), steps, residual, note }
}

/// A finished run of four topics on the corpus "nips".
pub fn finished_run(store: &mut Store) {
    let run = new_run(store, 4);
    assert!(store.take_run(run).expect("take"));
    let corpus_id = store.corpus("nips").expect("corpus").id;
    let ids: Vec<TermId> = store.terms(corpus_id).expect("terms").iter().map(|t| t.id).collect();
    let vocabulary = store.save_vocabulary(corpus_id, "{}", &[1], &ids).expect("vocabulary");
    let seen = store.corpus_state(corpus_id).expect("state");
    store.set_run_material(run, vocabulary, &[1], seen).expect("vocabulary");
    stage(store, run, 0, &done("vocabulary", 0.12, None, None, ""));
    stage(
        store,
        run,
        1,
        &done("factorise", 1.31, Some(5), Some(3.2e-8), "relative to the K-th eigenvalue"),
    );
    stage(
        store,
        run,
        2,
        &done("rectify", 0.42, Some(50), Some(2.41e-4), "change of the last iteration"),
    );
    let topic = |number: usize| SavedTopic {
        shares: TopicShares {
            document_share: [0.3, 0.3, 0.2, 0.2][number],
            token_share: Some([0.4, 0.3, 0.2, 0.1][number]),
        },
        anchor_term_id: Some(ids[number * 6]),
        terms: (0..12).map(|w| (ids[(number * 6 + w) % 24], 0.2 / (w + 1) as f64)).collect(),
        characteristic: (0..6)
            .map(|w| (ids[(number * 6 + w) % 24], 0.5 / (w + 1) as f64))
            .collect(),
    };
    let metric =
        |topic, name: &str, value| Metric { topic, name: name.into(), value, settings: None };
    let mut metrics = vec![metric(None, "approximation", 2.41e-4), metric(None, "npmi", 0.1424)];
    for number in 0..4 {
        metrics.push(metric(Some(TopicNumber(number)), "npmi", 0.2 - number as f64 * 0.07));
        metrics.push(metric(Some(TopicNumber(number)), "specificity", 0.31 + number as f64 * 0.1));
    }
    let mut documents = SavedDocuments { alpha: vec![0.1; 4], ..SavedDocuments::default() };
    for (at, document) in
        store.documents(corpus_id, DocumentId(0), 20).expect("documents").iter().enumerate()
    {
        let rest = 0.1 + at as f64 * 0.01;
        let theta = [0.0, 1.0 - rest, rest / 2.0, rest / 2.0];
        let about = PackedDocument::new(document.id.0, &theta, &documents.alpha);
        documents.packed.push(&about).expect("in memory");
    }
    let result = SavedResult {
        documents,
        topics: (0..4).map(topic).collect(),
        metrics,
        correlations: (0..16).map(|at| if at % 5 == 0 { 0.1 } else { 0.05 }).collect(),
        spectrum: (0..4).map(|at| (0.01 * 0.5f64.powi(at), 1e-9)).collect(),
        positions: ids
            .iter()
            .enumerate()
            .map(|(at, &id)| (id, (at as f64).cos(), (at as f64).sin()))
            .collect(),
        hash: vec![1, 2, 3],
        ..SavedResult::default()
    };
    store.finish_run(run, &result, || ended(RunStatus::Finished, None)).expect("save");
}

fn failed_run(store: &Store) {
    let run = new_run(store, 60);
    assert!(store.take_run(run).expect("take"));
    end(store, run, RunStatus::Failed, Some("rectify: the matrix is singular; choose a smaller k"));
}

fn running_run(store: &mut Store) -> RunLock {
    let run = new_run(store, 50);
    let lock = store.lock_run(run).expect("lock").expect("free");
    assert!(store.take_run(run).expect("take"));
    store.write_lease(run, &this_process()).expect("lease");
    stage(store, run, 0, &done("factorise", 12.0, Some(5), Some(3.2e-8), "relative"));
    store.begin_stage(run, 1, "rectify").expect("begin");
    progress(store, run, 29);
    lock
}

/// Writes that run `run` has done so many of 50 steps.
pub fn progress(store: &mut Store, run: RunId, step: u64) {
    let residuals: Vec<(String, u64, f64)> =
        (1..=step).map(|step| ("rectify".into(), step, 0.8_f64.powi(step as i32))).collect();
    let progress = Progress {
        stage: "rectify".into(),
        step,
        total: 50,
        residual: residuals.last().map(|(.., residual)| *residual),
        memory_bytes: Some(214_000_000),
        share: Some(step as f64 / 50.0),
        seconds_left: Some((50 - step) as f64),
        age: 0.0,
    };
    store.write_progress(run, &progress, &residuals).expect("progress");
}

fn end(store: &Store, run: RunId, status: RunStatus, error: Option<&str>) {
    store.end_run(run, ended(status, error)).expect("end");
}

fn ended(status: RunStatus, error: Option<&str>) -> RunEnd<'_> {
    RunEnd {
        seconds: Some(1.93),
        peak_memory_bytes: Some(88_000_000),
        error,
        ..RunEnd::new(status)
    }
}
