//! Stores of corpora, and runs in them made and measured in this process.
#![allow(clippy::print_stderr, reason = "it says what could not be measured")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::fingerprint;
use topoi_core::model::Model;
use topoi_core::model::setting::Kind;
use topoi_core::progress::Silent;
use topoi_core::synth::KnownCorpus;
use topoi_core::synth::files::{Compression, Destination, write_files};
use topoi_ingest::{IngestRequest, NoProgress, ingest};
use topoi_run::request::RunRequest;
use topoi_run::request::presets::Preset;
use topoi_run::saved::known_topics::KnownTopics;
use topoi_run::saved::truth::{TruthComparison, compare_with_truth};
use topoi_run::work::do_work;
use topoi_run::work::reporter::Reporter;
use topoi_store::id::RunId;
use topoi_store::run::{RunEnd, RunStatus};
use topoi_store::{Access, Store};

/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };

/// The store of a corpus.
pub struct Laboratory {
    pub store: Store,
    /// The name of its corpus.
    pub corpus: String,
    /// The true topics, where they are known.
    pub truth: Option<KnownTopics>,
    /// Processor time over time of the last run.
    busy: f64,
    _home: tempfile::TempDir,
}

impl Laboratory {
    /// Draws and ingests a corpus.
    pub fn of_known(corpus: KnownCorpus) -> Result<Self, String> {
        let home = tempfile::tempdir().map_err(text)?;
        let name = corpus.kind.to_string();
        fingerprint::note(format!("synth {name}"));
        let directory = home.path().into();
        let destination =
            Destination { directory, name: name.clone(), compression: Compression::Plain };
        let (files, _) = write_files(corpus, &destination, &Silent).map_err(text)?;
        let truth = KnownTopics::read(&files.topics).map_err(text)?;
        Self::ingested(home, &name, &files.documents, Some(truth))
    }

    /// Ingests a file of the directory of corpora.
    pub fn of_file(name: &str) -> Result<Self, String> {
        let home = tempfile::tempdir().map_err(text)?;
        let corpus = name.split('.').next().unwrap_or(name);
        Self::ingested(home, corpus, &corpora()?.join(name), None)
    }

    /// Ingests a file that lies in `home` or elsewhere.
    pub fn ingested(
        home: tempfile::TempDir,
        corpus: &str,
        file: &Path,
        truth: Option<KnownTopics>,
    ) -> Result<Self, String> {
        let store = Store::open(&home.path().join("papers.db"), Access::Create).map_err(text)?;
        let request = IngestRequest::new(corpus, [file.to_path_buf()]);
        ingest(&store, &request, &NoProgress).map_err(text)?;
        Ok(Self { store, corpus: corpus.into(), truth, busy: 1.0, _home: home })
    }

    /// A run of `method` for `k` topics: the name of a model, then settings of it and of the run as on
    /// the command line. A value N/K is N over the number of topics, N/M over that of documents and at most 1. What
    /// would be estimated of C is computed.
    pub fn request(&self, method: &str, k: usize, seed: u64) -> Result<RunRequest, String> {
        fingerprint::note(fingerprint::of_method(method));
        let documents = self.store.corpus(&self.corpus).map_err(text)?.documents;
        let over = |value: &str| -> Option<f64> {
            let (number, of) = value.split_once('/')?;
            let number: f64 = number.parse().ok()?;
            match of {
                "K" => Some(number / k as f64),
                "M" => Some((number / documents as f64).min(1.0)),
                _ => None,
            }
        };
        let mut words = method.split_whitespace();
        let mut model = Model::from_name(words.next().unwrap_or_default()).map_err(text)?;
        let mut request = RunRequest::new(&self.corpus, k);
        let words: Vec<&str> = words.collect();
        if words.windows(2).any(|pair| pair == ["--as", "paper"]) {
            request.origin = model.into();
            request = Preset::Paper.apply_to(request);
            model = match request.origin {
                topoi_run::request::Origin::Model(model) => model,
                _ => return Err(format!("{method}: no model")),
            };
        }
        request.settings.documents = false;
        request.settings.exact_norms = true;
        let mut words = words.into_iter().peekable();
        while let Some(flag) = words.next() {
            let name = flag.trim_start_matches("--");
            let value = words.next_if(|word| !word.starts_with("--")).unwrap_or("yes");
            let number = || value.parse::<usize>().map_err(|e| format!("{method}: {name}: {e}"));
            match name {
                "as" => {}
                "terms" => request.settings.terms = number()?,
                "refine" => request.settings.refine = Some(number()?),
                "min-count" => {
                    let min_count = Some(number()? as u64);
                    let rules =
                        topoi_run::vocabulary::rules::Rules { min_count, ..Default::default() };
                    let choice = topoi_run::vocabulary::choice::VocabularyChoice::Rules(rules);
                    request.settings.vocabulary = Some(choice);
                }
                _ => {
                    let value = over(value).map_or(value.into(), |value| value.to_string());
                    set(&mut model, name, &value)?;
                }
            }
        }
        request.origin = model.into();
        request.seed = seed;
        Ok(request)
    }

    /// A run of `method` with seed 1, made without a fifth of the documents (drawn by `split`) and scored by them.
    pub fn held_out(&mut self, method: &str, k: usize, split: u64) -> Result<RunId, String> {
        let mut request = self.request(method, k, 1)?;
        request.settings = request.settings.holding_out(0.2, split);
        self.run(&request)
    }

    /// Makes the run and saves it; its number.
    pub fn run(&mut self, request: &RunRequest) -> Result<RunId, String> {
        let named = |e: &dyn std::fmt::Display| {
            format!("{} on {}, seed {}: {e}", request.origin.name(), request.corpus, request.seed)
        };
        let number = request.submit(&self.store).map_err(|e| named(&e))?;
        let row = self.store.run(number).map_err(text)?;
        let reporter = Reporter::new(self.store.path(), number, std::sync::Arc::default());
        let (begun, processor) = (Instant::now(), processor_seconds());
        do_work(&mut self.store, &row, &reporter, || FINISHED).map_err(|e| named(&e))?;
        self.busy = (processor_seconds() - processor) / begun.elapsed().as_secs_f64();
        reporter.write(&mut self.store).map_err(text)?;
        Ok(number)
    }

    /// The run of `method`; `None`, and the reason on standard error, where it cannot be made.
    pub fn tried(&mut self, method: &str, k: usize, seed: u64) -> Option<RunId> {
        made(method, self.request(method, k, seed).and_then(|request| self.run(&request)))
    }

    /// The mean l1 error of the true number of topics by `method`; `None` where it fails.
    pub fn error(&mut self, method: &str, seed: u64) -> Option<f64> {
        let k = self.truth.as_ref()?.topics.len();
        let number = self.tried(method, k, seed)?;
        Some(self.beside_truth(number).ok()?.l1_error)
    }

    /// A run beside the truth.
    pub fn beside_truth(&self, number: RunId) -> Result<TruthComparison, String> {
        let truth = self.truth.as_ref().ok_or("there is no truth")?;
        compare_with_truth(&self.store, number, truth).map_err(text)
    }

    /// The most probable words of a run's topics.
    pub fn words(&self, number: RunId, count: usize) -> Result<Vec<Vec<(String, f64)>>, String> {
        let topics = self.store.topics(number, count).map_err(text)?;
        let words = topics.into_iter().map(|topic| {
            topic.words.into_iter().map(|word| (word.word, word.probability)).collect()
        });
        Ok(words.collect())
    }

    /// A metric of a run.
    pub fn metric(&self, number: RunId, name: &str) -> Option<f64> {
        fingerprint::note(format!("measure {name}"));
        self.store.run_metric(number, name).ok().flatten()
    }

    /// Processor time of these stages of the last run, in seconds: of all it took, their share of its time. On a
    /// machine that does other things too, time itself says little.
    pub fn seconds(&self, number: RunId, stages: &[&str]) -> f64 {
        let all = self.store.stages(number).unwrap_or_default();
        let named = all.iter().filter(|stage| stages.contains(&stage.name.as_str()));
        named.filter_map(|stage| stage.seconds).sum::<f64>() * self.busy
    }
}

/// The run, where it could be made; the reason on standard error where not.
pub fn made(method: &str, run: Result<RunId, String>) -> Option<RunId> {
    run.inspect_err(|reason| eprintln!("{method}: {reason}")).ok()
}

fn set(model: &mut Model, name: &str, value: &str) -> Result<(), String> {
    let (definition, _) = model
        .any()
        .setting(name)
        .ok_or_else(|| format!("{} has no setting --{name}", model.name()))?;
    let value = match definition.kind {
        Kind::Count { .. } if value == "yes" => return Err(format!("--{name} has no value")),
        _ => definition.parse(value).map_err(text)?,
    };
    model.any_mut().set(name, value).map_err(text)
}

/// The directory of the corpora.
pub fn corpora() -> Result<PathBuf, String> {
    let directory = std::env::var_os("TOPOI_CORPORA").map(PathBuf::from);
    directory.ok_or_else(|| "set TOPOI_CORPORA to the directory of the corpora".into())
}

/// Processor time of this process until now, in seconds.
pub fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// An error as text.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
