//! Scoring a run by documents it was not made from.

use super::about_documents::Completed;
use super::fit::FitTask;
use super::material::Sources;
use super::measure::of_run;
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

/// The metrics of a run over the documents that its settings hold out: those whose place lies
/// below the share, where the run was made from the others. None when nothing is held out or no
/// document is there.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn held_out_metrics(
    completed: &Completed,
    c: &CoOccurrence<'_>,
    order: FitTask<'_>,
    sources: &Sources<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Metric>, WorkError> {
    let Some(sample) = order.settings.held_out_sample() else { return Ok(Vec::new()) };
    let documents = sources.documents(order.settings, progress).with_sample(Some(sample));
    progress.begin("held-out", 0, "");
    let topics = &completed.fitted.topics;
    let rows = TopicRows::with_smoothing(&topics.topics, c.totals().tokens as f64);
    let alpha = match completed.documents.alpha.is_empty() {
        true => concentration(&rows, &topics.weights, c, order.seed)?.alpha,
        false => completed.documents.alpha.clone(),
    };
    let found = held_out(&documents, &rows, &alpha, order.seed)?;
    Ok(found.map(|found| metrics(&found)).unwrap_or_default())
}

fn metrics(found: &HeldOut) -> Vec<Metric> {
    let how = format!("{{\"particles\":{PARTICLES},\"eta\":{ETA}}}");
    let score = |metric, value| Metric { settings: Some(how.clone()), ..of_run(metric, value) };
    vec![
        of_run(&HELD_OUT_DOCUMENTS, found.documents as f64),
        of_run(&HELD_OUT_SUBSAMPLED, found.subsampled as f64),
        score(&HELD_OUT_LOG_PROBABILITY, found.log_probability.mean),
        of_run(&HELD_OUT_LOG_PROBABILITY_ERROR, found.log_probability.error),
        score(&DOCUMENT_COMPLETION, found.completion.mean),
        of_run(&DOCUMENT_COMPLETION_ERROR, found.completion.error),
    ]
}

impl RunSettings {
    /// The same, with so large a share of the documents held out, by a seed of their own.
    pub fn holding_out(self, share: f64, seed: u64) -> Self {
        Self { held_out: Some(share), sample: Some(Sample { seed, from: share, to: 1.0 }), ..self }
    }

    /// Bytes of memory that scoring the documents held out takes, at most.
    pub(crate) fn bytes_to_score(&self, corpus_tokens: u64) -> usize {
        let tokens = usize::try_from(corpus_tokens).unwrap_or(usize::MAX);
        self.held_out.map_or(0, |_| bytes(threads_used(self.threads), tokens))
    }

    /// The documents that are held out, where any are.
    pub(crate) fn held_out_sample(&self) -> Option<Sample> {
        let (share, trained_on) = (self.held_out?, self.sample?);
        Some(Sample { from: 0.0, to: share, ..trained_on })
    }

    /// Whether what is held out and what the run is made from are the two parts of the corpus.
    pub(crate) fn holds_out_well(&self) -> bool {
        self.held_out.is_none_or(|share| {
            (0.0..1.0).contains(&share)
                && share > 0.0
                && self.sample.is_some_and(|sample| (sample.from, sample.to) == (share, 1.0))
        })
    }
}
