//! What is new in the documents that an update adds.

use super::changed::ChangedDocuments;
use crate::work::material::Material;
use crate::work::measure::metric_for_run;
use crate::work::work_error::WorkError;
use topoi_core::metric::revision::{ADDED_LOG_PROBABILITY, UNEXPLAINED_SHARE, UNKNOWN_SHARE};
use topoi_core::metric::rising::rising_words;
use topoi_core::model::refine::revise::ExplainedDocument;
use topoi_core::progress::Progress;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::selection::{DocumentSelection, SelectedBlocks};
use topoi_store::Store;
use topoi_store::id::{CorpusId, DocumentId};
use topoi_store::result::metric::Metric;
use topoi_store::result::novelty::Novelty;

/// Words and documents that are saved.
const MOST: usize = 50;
/// Tokens that a document needs for its words to tell.
const FEWEST_TOKENS: f64 = 10.0;

/// What is new in the documents of `explained`, those that were added, and metrics of it.
pub fn novelty(
    store: &Store,
    corpus: CorpusId,
    changed: &ChangedDocuments,
    material: &Material,
    explained: &[ExplainedDocument],
    progress: &dyn Progress,
) -> Result<(Novelty, Vec<Metric>), WorkError> {
    if explained.is_empty() {
        return Ok((Novelty::default(), Vec::new()));
    }
    let sum = |of: fn(&ExplainedDocument) -> f64| explained.iter().map(of).sum::<f64>();
    let tokens = sum(|document| document.tokens);
    let gain = |of: &ExplainedDocument| (of.log_probability - of.by_frequency) / of.tokens;
    let mut unexplained: Vec<(DocumentId, f64)> = explained
        .iter()
        .filter(|document| document.tokens >= FEWEST_TOKENS && gain(document) < 0.0)
        .map(|document| (DocumentId(document.id), gain(document)))
        .collect();
    let unexplained_share = unexplained.len() as f64 / explained.len() as f64;
    unexplained.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    unexplained.truncate(MOST);

    let terms = store.document_frequencies(corpus)?;
    let positions: Vec<u32> = (0..).take(terms.len()).collect();
    let selection =
        DocumentSelection { range: 0..0, after: changed.last, ..DocumentSelection::default() };
    let blocks = SelectedBlocks::new(&material.blocks, &selection);
    let added = Documents::new(&blocks, &positions, 2, progress).with_selection(&selection);
    let AddedWords { documents, tokens: all_tokens, frequencies } =
        AddedWords::from_documents(&added)?;
    let mut metrics = vec![metric_for_run(&UNEXPLAINED_SHARE, unexplained_share)];
    if all_tokens > 0.0 {
        metrics.push(metric_for_run(&UNKNOWN_SHARE, (1.0 - tokens / all_tokens).max(0.0)));
    }
    if tokens > 0.0 {
        let log_probability = sum(|document| document.log_probability);
        metrics.push(metric_for_run(&ADDED_LOG_PROBABILITY, log_probability / tokens));
    }
    let in_all = store.corpus_by_id(corpus)?.documents;
    let both: Vec<[u64; 2]> = frequencies
        .iter()
        .zip(&terms)
        .map(|(&added, (_, all))| [added, all.saturating_sub(added)])
        .collect();
    let rising = rising_words(&both, [documents, in_all.saturating_sub(documents)])
        .into_iter()
        .take(MOST)
        .map(|found| (terms[found.word].0, found.added, found.earlier, found.p))
        .collect();
    Ok((Novelty { rising, unexplained }, metrics))
}

/// The words of the added documents, in the vocabulary or not.
struct AddedWords {
    documents: u64,
    tokens: f64,
    /// Documents with each word.
    frequencies: Vec<u64>,
}

impl AddedWords {
    fn from_documents(documents: &Documents<'_>) -> Result<Self, WorkError> {
        let mut all = Self { documents: 0, tokens: 0.0, frequencies: vec![0; documents.words()] };
        documents.visit(0..documents.block_sizes().len(), |batch| {
            all.documents += batch.ids.len() as u64;
            all.tokens += batch.counts.iter().sum::<f64>();
            batch.words.iter().for_each(|&word| all.frequencies[word as usize] += 1);
        })?;
        Ok(all)
    }
}
