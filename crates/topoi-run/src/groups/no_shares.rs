//! Documents of a corpus of which a run has no shares, and why.

use crate::request::RunSettings;
use topoi_core::metric::MetricDef;
use topoi_core::metric::run_process::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED};
use topoi_core::numbers::counted;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::{DocumentId, RunId};
use topoi_store::result::assigned::SinceRun;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// How many documents have no shares of topics, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NoShares {
    /// Held out, so that the run could be scored by them.
    pub held_out: u64,
    /// Left out by the run: without a term of its vocabulary, or too short.
    pub left_out: u64,
    /// Added to the corpus after the run, and not assigned to its topics.
    pub added_since: u64,
    /// The newest run that continued it.
    pub continued_by: Option<RunId>,
}

impl NoShares {
    /// Those of a run: by its metrics, and where it holds documents out, by the ids of the corpus's documents.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn new(store: &Store, run: &Run) -> Result<Self, StoreError> {
        Self::with_changes(store, run, &store.since_run(run.id)?)
    }

    /// As [`Self::new`], where it is known how the corpus has changed since.
    pub(crate) fn with_changes(
        store: &Store,
        run: &Run,
        since: &SinceRun,
    ) -> Result<Self, StoreError> {
        let documents = store.corpus_by_id(run.corpus_id)?.documents;
        let metrics = store.metrics(run.id)?;
        let value = |wanted: &MetricDef| {
            let is_it = |name: &str, topic: Option<_>| name == wanted.id && topic.is_none();
            let found = metrics.iter().find(|metric| is_it(&metric.name, metric.topic));
            found.map(|metric| crate::number::count(metric.value))
        };
        // A run without a result does not say what it used.
        let Some(used) = value(&DOCUMENTS_USED) else { return Ok(Self::default()) };
        let settings = RunSettings::from_run(run).ok();
        let was_in_parts = settings.as_ref().is_some_and(|settings| settings.parts.is_some());
        let part = if was_in_parts { store.part(run.corpus_id)? } else { None };
        let (seen, left_out) = match &part {
            None => {
                let left_out = value(&DOCUMENTS_LEFT_OUT).unwrap_or_default();
                (used.saturating_add(left_out).saturating_add(since.assigned), left_out)
            }
            // The metrics of a run in parts are of all parts.
            Some(_) => {
                let left_out = store.left_out(run.id)?.iter().map(|reason| reason.documents).sum();
                (store.documents_with_topics(run.id)?.saturating_add(left_out), left_out)
            }
        };
        let others = (documents + since.deleted).saturating_sub(seen);
        let sample = settings.and_then(|settings| settings.held_out_sample());
        let held_out = match sample {
            None => 0,
            Some(sample) => {
                let is_held_out = sample.membership();
                let ids_from = part.map_or(0, |part| part.ids_from);
                let blocks = CorpusBlocks::open(store, run.corpus_id)?;
                let count = |sum: &mut u64, id: DocumentId, _: Option<&str>| {
                    let number = blocks.numbers().number_of(id.0.saturating_add(ids_from));
                    *sum += u64::from(is_held_out(number));
                };
                let counted = store.fold_fields(run.corpus_id, || 0, count)?;
                counted.into_iter().sum::<u64>().min(others)
            }
        };
        let added_since = others - held_out;
        Ok(Self { held_out, left_out, added_since, continued_by: since.continued_by })
    }

    /// Adds those of another part of the corpus.
    pub(super) fn merge(&mut self, other: Self) {
        self.held_out += other.held_out;
        self.left_out += other.left_out;
        self.added_since += other.added_since;
    }

    /// All of them.
    pub fn documents(self) -> u64 {
        self.held_out + self.left_out + self.added_since
    }

    /// A line that says how many and why, and what changes it; `None` where all documents have shares.
    pub fn line(self, run: &Run) -> Option<String> {
        let reasons = [
            (self.held_out, "held out to score the run (`--held-out`)".to_string()),
            (self.left_out, format!("left out by the run (`topoi topics {}` says why)", run.id)),
            (
                self.added_since,
                match self.continued_by {
                    Some(later) => {
                        format!("added to the corpus after the run (run {later} continues it)")
                    }
                    None => format!(
                        "added to the corpus after the run (`topoi assign {0}`, `topoi update {0}`)",
                        run.id
                    ),
                },
            ),
        ];
        let told = reasons.iter().filter(|(documents, _)| *documents > 0);
        let told: Vec<String> =
            told.map(|(n, why)| format!("{} {why}", counted(*n, "document"))).collect();
        (!told.is_empty()).then(|| format!("without shares of topics: {}", told.join(", ")))
    }
}
