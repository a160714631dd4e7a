//! A store of one corpus with known truth, and runs on it.

use topoi::ingest::{IngestRequest, NoProgress, ingest};
use topoi::model::Model;
use topoi::progress::Silent;
use topoi::run::request::RunRequest;
use topoi::run::saved::known_topics::KnownTopics;
use topoi::run::saved::truth::{TruthComparison, compare_with_truth};
use topoi::run::work::do_work;
use topoi::run::work::reporter::Reporter;
use topoi::store::result::topic::Topic;
use topoi::store::run::{RunEnd, RunStatus};
use topoi::store::{Access, Store};
use topoi::synth::KnownCorpus;
use topoi::synth::files::{Destination, Packing, write_files};

/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };

/// Runs `request` in this process and saves it; `None`, and a line on standard error, when the
/// model fails.
pub fn run(store: &mut Store, request: &RunRequest) -> Option<i64> {
    let number = match request.submit(store) {
        Ok(number) => number,
        Err(error) => {
            eprintln!("{} on {}: {error}", request.origin.name(), request.corpus);
            return None;
        }
    };
    let row = store.run(number).expect("its row");
    let reporter = Reporter::new(store.path(), number, std::sync::Arc::default());
    if let Err(error) = do_work(store, &row, &reporter, || FINISHED) {
        eprintln!(
            "{} on {}, seed {}: {error}",
            request.origin.name(),
            request.corpus,
            request.seed
        );
        return None;
    }
    reporter.write(store).expect("stages");
    Some(number)
}

/// A corpus with known truth in a store of its own.
pub struct Laboratory {
    /// The store.
    pub store: Store,
    /// The true topics.
    pub truth: KnownTopics,
    name: String,
    _home: tempfile::TempDir,
}

impl Laboratory {
    /// Draws and ingests the corpus.
    pub fn new(corpus: KnownCorpus) -> Self {
        let home = tempfile::tempdir().expect("tempdir");
        let name = corpus.kind.to_string();
        let destination = Destination {
            directory: home.path().into(),
            name: name.clone(),
            packing: Packing::Plain,
        };
        let (files, _) = write_files(corpus, &destination, &Silent).expect("files");
        let store = Store::open(&home.path().join("ding.db"), Access::Create).expect("store");
        let request = IngestRequest::new(&name, [files.documents.clone()]);
        ingest(&store, &request, &NoProgress).expect("an ingest");
        let truth = KnownTopics::read(&files.topics).expect("truth");
        Self { store, truth, name, _home: home }
    }

    /// A request for a run with the true number of topics.
    pub fn request(&self, model: &str, seed: u64) -> RunRequest {
        let mut request = RunRequest::new(&self.name, self.truth.topics.len());
        request.origin = Model::named(model).expect("a model").into();
        request.seed = seed;
        request
    }

    /// Makes the run and compares it with the truth; `None` when the model fails.
    pub fn compare(&mut self, request: &RunRequest) -> Option<TruthComparison> {
        let number = run(&mut self.store, request)?;
        Some(self.with_truth(number))
    }

    /// A finished run beside the truth.
    pub fn with_truth(&self, number: i64) -> TruthComparison {
        compare_with_truth(&self.store, number, &self.truth).expect("a comparison")
    }

    /// The topics of a run: every word of positive probability.
    pub fn topics(&self, number: i64) -> Vec<Vec<(String, f64)>> {
        let topics = self.store.topics(number, usize::MAX >> 1).expect("topics").into_iter();
        let words = |topic: Topic| topic.words.into_iter().map(|w| (w.word, w.probability));
        topics.map(|topic| words(topic).collect()).collect()
    }

    /// How many words a run's vocabulary has.
    pub fn words(&self, number: i64) -> usize {
        let id = self.store.run(number).expect("its row").vocabulary_id.expect("a vocabulary");
        self.store.vocabulary(id).expect("its terms").term_ids.len()
    }
}

/// Those of `models` that this version of topoi has.
pub fn present(models: &[&'static str]) -> Vec<&'static str> {
    models.iter().copied().filter(|model| Model::named(model).is_ok()).collect()
}

/// Mean and sample deviation as a cell, with how many there are when they are fewer than `of`.
pub fn cell(values: &[f64], of: usize) -> String {
    if values.is_empty() {
        return "–".into();
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let spread = if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
    let few =
        if values.len() < of { format!(" ({} of {of})", values.len()) } else { String::new() };
    format!("{mean:.3} ± {spread:.3}{few}")
}

/// The head of a Markdown table.
pub fn head(columns: &[&str]) {
    println!("| {} |", columns.join(" | "));
    println!("|{}", "---|".repeat(columns.len()));
}
