//! Scoring a run by held-out documents.

use super::about_documents::Completed;
use super::fit::FitTask;
use super::material::Sources;
use super::measure::metric_for_run;
use super::threads_used;
use super::work_error::WorkError;
use crate::request::RunSettings;
use topoi_core::metric::held_out::{
    DOCUMENT_COMPLETION, DOCUMENT_COMPLETION_ERROR, HELD_OUT_DOCUMENTS, HELD_OUT_LOG_PROBABILITY,
    HELD_OUT_LOG_PROBABILITY_ERROR, HELD_OUT_SUBSAMPLED,
};
use topoi_core::metric::held_out::{HeldOut, PARTICLES, bytes, held_out};
use topoi_core::model::documents::concentration::concentration;
use topoi_core::model::documents::topic_rows::{ETA, TopicRows};
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::sample::Sample;
use topoi_store::result::metric::Metric;

/// The metrics of a run on its held-out documents, if the run was fitted to the others. Empty if nothing is held out
/// or no document is left.
pub fn held_out_metrics(
    completed: &Completed,
    c: &CoOccurrence<'_>,
    task: FitTask<'_>,
    sources: &Sources<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Metric>, WorkError> {
    let Some(sample) = task.settings.held_out_sample() else { return Ok(Vec::new()) };
    let documents = sources.documents(task.settings, progress).with_sample(Some(sample));
    progress.begin("held-out", 0, "");
    let topics = &completed.fitted.topics;
    let rows = TopicRows::with_smoothing(&topics.topics, c.totals().tokens as f64);
    let alpha = match completed.documents.alpha.is_empty() {
        true => concentration(&rows, &topics.weights, c, task.seed)?.alpha,
        false => completed.documents.alpha.clone(),
    };
    let found = held_out(&documents, &rows, &alpha, task.seed)?;
    Ok(found.map(|found| metrics(&found)).unwrap_or_default())
}

fn metrics(found: &HeldOut) -> Vec<Metric> {
    let how = format!("{{\"particles\":{PARTICLES},\"eta\":{ETA}}}");
    let score =
        |metric, value| Metric { settings: Some(how.clone()), ..metric_for_run(metric, value) };
    vec![
        metric_for_run(&HELD_OUT_DOCUMENTS, found.documents as f64),
        metric_for_run(&HELD_OUT_SUBSAMPLED, found.subsampled as f64),
        score(&HELD_OUT_LOG_PROBABILITY, found.log_probability.mean),
        metric_for_run(&HELD_OUT_LOG_PROBABILITY_ERROR, found.log_probability.error),
        score(&DOCUMENT_COMPLETION, found.completion.mean),
        metric_for_run(&DOCUMENT_COMPLETION_ERROR, found.completion.error),
    ]
}

impl RunSettings {
    /// The settings with this share of the documents held out, chosen by a seed of its own.
    pub fn holding_out(self, share: f64, seed: u64) -> Self {
        Self { held_out: Some(share), sample: Some(Sample { seed, from: share, to: 1.0 }), ..self }
    }

    /// Maximum bytes of memory that scoring the held-out documents takes.
    pub(crate) fn bytes_to_score(&self, corpus_tokens: u64) -> usize {
        let tokens = usize::try_from(corpus_tokens).unwrap_or(usize::MAX);
        self.held_out.map_or(0, |_| bytes(threads_used(self.threads), tokens))
    }

    /// The held-out documents, if any.
    pub(crate) fn held_out_sample(&self) -> Option<Sample> {
        let (share, trained_on) = (self.held_out?, self.sample?);
        Some(Sample { from: 0.0, to: share, ..trained_on })
    }

    /// Whether the held-out sample and the sample of the run are complementary.
    pub(crate) fn holds_out_well(&self) -> bool {
        self.held_out.is_none_or(|share| {
            (0.0..1.0).contains(&share)
                && share > 0.0
                && self.sample.is_some_and(|sample| (sample.from, sample.to) == (share, 1.0))
        })
    }
}
