//! The topics of documents that a run has not seen, saved beside those that it has.

use std::collections::BTreeSet;

use super::about_documents::TOLERANCE;
use super::recompute::{read_topics, vocabulary};
use super::work_error::WorkError;
use crate::request::RunSettings;
use topoi_core::metric::run_process::{TOKEN_LOG_PROBABILITY, TOKENS_USED};
use topoi_core::model::documents::cvb0::Cvb0;
use topoi_core::model::documents::pass::document_topics;
use topoi_core::model::documents::topic_rows::TopicRows;
use topoi_core::progress::Progress;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::selection::{DocumentSelection, SelectedBlocks};
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::{DocumentId, RunId};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::run::{Run, RunStatus};

/// Documents that were assigned to the topics of a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Assigned {
    pub run: RunId,
    /// Documents that have proportions now.
    pub documents: u64,
    /// Documents with too few tokens of the run's vocabulary.
    pub left_out: u64,
    /// Tokens of all of them.
    pub tokens: u64,
    /// Those that are not in the run's vocabulary.
    pub unknown_tokens: u64,
    /// The mean over the tokens in the vocabulary of log p(token | the other tokens of its document) in nats; `None`
    /// without one.
    pub log_probability: Option<f64>,
    /// The same of the documents of the run (metric `token_log_probability`), if it saved it.
    pub log_probability_of_run: Option<f64>,
}

/// Finds the proportions of the topics of `run` in the documents of its corpus that it has not seen, and saves them. The
/// topics stay as they are. A document gets the same proportions as if `infer` were asked.
///
/// # Errors
/// [`WorkError::NoTopics`], [`WorkError::NoDocuments`]; [`WorkError::InUse`] while another process works on the run;
/// an error of the store if the run was updated. Then nothing is saved.
pub fn assign(
    store: &mut Store,
    run: &Run,
    progress: &dyn Progress,
) -> Result<Assigned, WorkError> {
    if run.status != RunStatus::Finished {
        return Err(WorkError::NoTopics { run: run.id });
    }
    if let Some(parts) = store.parts_elsewhere(run.corpus_id)? {
        return Err(WorkError::DocumentsInParts { run: run.id, parts });
    }
    let _lock = store.lock_run(run.id)?.ok_or(WorkError::InUse { run: run.id })?;
    let vocabulary = vocabulary(store, run)?;
    let topics = read_topics(run, &store.saved_topics(run.id)?, &vocabulary)?;
    let alpha = store.alpha(run.id)?;
    if alpha.len() != topics.ncols() {
        return Err(WorkError::NoDocuments { run: run.id });
    }
    let settings = RunSettings::from_run(run)?;
    let (unseen, blocks) = store.at_one_moment(|store| {
        Ok::<_, WorkError>((
            store.unseen_documents(run.id)?,
            CorpusBlocks::open(store, run.corpus_id)?,
        ))
    })?;
    let all_tokens = unseen.iter().map(|(_, tokens)| tokens).sum();
    let ids: BTreeSet<i64> = unseen.iter().map(|(id, _)| id.0).collect();
    let selection = DocumentSelection { range: 0..0, after: i64::MAX, ids };
    let blocks = SelectedBlocks::new(&blocks, &selection);
    let documents = Documents::new(&blocks, &vocabulary.positions, settings.min_tokens, progress)
        .with_selection(&selection);

    let meaning = "share of a document's tokens that the last sweep moved";
    progress.begin("documents", unseen.len() as u64, meaning);
    let tokens = store.run_metric(run.id, TOKENS_USED.id)?.unwrap_or_default();
    let rows = TopicRows::with_smoothing(&topics, tokens);
    let proportions = Cvb0::new(&rows, &alpha, TOLERANCE);
    let (packed, found) = document_topics(&documents, &proportions, rows.topics(), progress)?;
    let mut left_out = Vec::new();
    documents.visit(0..documents.block_sizes().len(), |batch| {
        left_out.extend(batch.too_short.iter().map(|&(id, tokens)| (DocumentId(id), tokens)));
    })?;
    let known = found.tokens + left_out.iter().map(|(_, tokens)| *tokens as f64).sum::<f64>();
    let assigned = Assigned {
        run: run.id,
        documents: found.documents,
        left_out: left_out.len() as u64,
        tokens: all_tokens,
        unknown_tokens: all_tokens.saturating_sub(crate::number::count(known)),
        log_probability: (found.tokens > 0.0).then(|| found.log_probability / found.tokens),
        log_probability_of_run: store.run_metric(run.id, TOKEN_LOG_PROBABILITY.id)?,
    };
    store.assign_documents(run.id, &SavedDocuments { alpha, packed, ids_from: 0 }, &left_out)?;
    Ok(assigned)
}
