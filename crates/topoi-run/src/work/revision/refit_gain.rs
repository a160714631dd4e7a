//! Whether topics that have lived through updates have fallen behind: their held-out score beside that of topics fitted anew.

use topoi_core::model::Model;
use topoi_core::model::refine::revise::{ExplainedDocument, explained_documents};
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::documents::sample::Sample;
use topoi_core::stream::selection::{DocumentSelection, SelectedBlocks};
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};

use super::earlier::saved_summary;
use crate::request::{Origin, RunRequest, RunSettings};
use crate::work::completed;
use crate::work::fit::FitTask;
use crate::work::recompute::{read_topics, vocabulary};
use crate::work::work_error::WorkError;

/// Documents that topics are fitted to anew, at most.
const FITTED: f64 = 20_000.0;
/// A gain in nats a token that is worth a refit: a hundredth of the perplexity.
const WORTH: f64 = 0.01;

/// Two scores of topics on the documents that came after a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RefitGain {
    pub run: RunId,
    /// Documents that came after the run, with a word of its vocabulary.
    pub documents: u64,
    /// Documents of the run that topics were fitted to anew.
    pub fitted: u64,
    /// Mean log probability of a token by the topics of the run, given the other tokens of its document, nats.
    pub log_probability: f64,
    /// The same by the topics that were fitted anew.
    pub log_probability_refitted: f64,
    /// By how much the second is larger, and its standard error over documents.
    pub gain: f64,
    pub error: f64,
    /// Whether the gain is a hundredth or more, by two standard errors.
    pub pays: bool,
}

/// Fits as many topics anew to up to 20,000 documents that `run` was made from, with its vocabulary, and scores both on the
/// documents that neither has seen. `None` if there are fewer than two of them. Saves nothing.
///
/// # Errors
/// [`WorkError::NoTopics`]; errors of the fit.
pub fn refit_gain(
    store: &Store,
    run: &Run,
    progress: &dyn Progress,
) -> Result<Option<RefitGain>, WorkError> {
    let none = || WorkError::NoTopics { run: run.id };
    let last = store.last_document_of_run(run.id)?.ok_or_else(none)?.0;
    if run.status != RunStatus::Finished {
        return Err(none());
    }
    let words = vocabulary(store, run)?;
    let topics = read_topics(run, &store.saved_topics(run.id)?, &words)?;
    let before = saved_summary(store, run.id, run.id, &store.alpha(run.id)?)?;
    let saved = RunRequest::from_run(run)?;
    let origin = match saved.origin {
        Origin::Model(model) => Origin::Model(model),
        _ => Origin::Model(Model::default()),
    };
    let share = (FITTED / before.documents.max(1) as f64).min(1.0);
    let settings = RunSettings {
        sample: Some(Sample { seed: run.seed, from: 0.0, to: share }),
        documents: false,
        revises: false,
        start: None,
        seeds: None,
        ..saved.settings
    };
    let request = RunRequest { origin, k: topics.ncols(), settings, ..saved };

    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    let of_run = DocumentSelection {
        range: i64::MIN..last.saturating_add(1),
        after: i64::MAX,
        ids: [].into(),
    };
    let later = DocumentSelection { range: 0..0, after: last, ids: [].into() };
    let min_tokens = request.settings.min_tokens;
    let documents_of = |blocks, selection| {
        Documents::new(blocks, &words.positions, min_tokens, progress).with_selection(selection)
    };
    let (blocks_of_run, later_blocks) =
        (SelectedBlocks::new(&blocks, &of_run), SelectedBlocks::new(&blocks, &later));
    let fitted = documents_of(&blocks_of_run, &of_run).with_sample(request.settings.sample);
    let unseen = documents_of(&later_blocks, &later);
    let c = CoOccurrence::new(&fitted)?;
    let anew =
        completed(FitTask::from_request(&request), &words.words, &c, progress)?.fitted.topics;

    let tokens = c.totals().tokens as f64;
    let living = explained_documents(&topics, &before.token_shares, before.tokens, &unseen)?;
    let anew = explained_documents(&anew.topics, &anew.weights, tokens, &unseen)?;
    Ok(compared((run.id, c.totals().documents), &living, &anew))
}

/// The scores of the same documents by the topics of `run` and by those that were fitted anew to `fitted` of its documents; those
/// count of which both have the same words.
fn compared(
    (run, fitted): (RunId, u64),
    living: &[ExplainedDocument],
    anew: &[ExplainedDocument],
) -> Option<RefitGain> {
    let pairs: Vec<_> = living
        .iter()
        .zip(anew)
        .filter(|(a, b)| a.id == b.id && a.tokens == b.tokens && a.tokens > 0.0)
        .collect();
    if pairs.len() < 2 {
        return None;
    }
    let tokens: f64 = pairs.iter().map(|(a, _)| a.tokens).sum();
    let mean = |of: fn(&(&ExplainedDocument, &ExplainedDocument)) -> f64| {
        pairs.iter().map(of).sum::<f64>() / tokens
    };
    let [own, other] = [mean(|(a, _)| a.log_probability), mean(|(_, b)| b.log_probability)];
    let gain = other - own;
    // The error of a ratio, with documents as independent draws.
    let square = |(a, b): &(&ExplainedDocument, &ExplainedDocument)| {
        (b.log_probability - a.log_probability - gain * a.tokens).powi(2)
    };
    let n = pairs.len() as f64;
    let error = (pairs.iter().map(square).sum::<f64>() * n / (n - 1.0)).sqrt() / tokens;
    Some(RefitGain {
        run,
        documents: pairs.len() as u64,
        fitted,
        log_probability: own,
        log_probability_refitted: other,
        gain,
        error,
        pays: gain - 2.0 * error > WORTH,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF: (RunId, u64) = (RunId(1), 2);

    fn scored(id: i64, tokens: f64, log_probability: f64) -> ExplainedDocument {
        ExplainedDocument { id, tokens, log_probability, ..ExplainedDocument::default() }
    }

    #[test]
    fn a_gain_is_a_mean_over_tokens_and_pays_where_it_is_beyond_its_error() {
        let living = [scored(1, 10.0, -70.0), scored(2, 30.0, -200.0), scored(3, 0.0, 0.0)];
        let anew = [scored(1, 10.0, -68.0), scored(2, 30.0, -196.0), scored(3, 0.0, 0.0)];
        let found = compared(OF, &living, &anew).expect("two documents");
        assert_eq!(found.documents, 2);
        assert!((found.gain - 0.15).abs() < 1e-12, "{}", found.gain);
        // (0.5, -0.5) squared, twice over one, over 40 tokens.
        assert!((found.error - 1.0 / 40.0).abs() < 1e-12, "{}", found.error);
        assert!(found.pays);
        assert!(!compared(OF, &anew, &living).expect("two documents").pays);
        // Documents of which a model lacks a word are left out.
        let fewer = [scored(1, 9.0, -60.0), scored(2, 30.0, -196.0)];
        assert_eq!(compared(OF, &living, &fewer), None);
    }
}
