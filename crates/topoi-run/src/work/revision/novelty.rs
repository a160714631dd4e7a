//! What is new in the documents that an update adds.

use crate::work::measure::metric_for_run;
use crate::work::work_error::WorkError;
use topoi_core::metric::revision::{ADDED_LOG_PROBABILITY, UNEXPLAINED_SHARE, UNKNOWN_SHARE};
use topoi_core::metric::rising::rising_words;
use topoi_core::model::refine::revise::ExplainedDocument;
use topoi_core::stream::documents::Documents;
use topoi_store::id::{CorpusId, DocumentId, TermId};
use topoi_store::result::metric::Metric;
use topoi_store::{Store, StoreError};

/// Words and documents that are saved.
const MOST: usize = 50;
/// Tokens that a document needs for its words to tell.
const FEWEST_TOKENS: f64 = 10.0;

/// What is new in the documents that were added, of all parts, and the unexplained ones of this store.
#[derive(Debug, Default)]
pub struct NovelDocuments {
    /// (document, gain), the least explained first.
    pub unexplained: Vec<(DocumentId, f64)>,
    pub words: AddedWords,
    pub metrics: Vec<Metric>,
}

/// What is new in the documents of `explained`, those of this store that were added: of `added`, which have all words of the
/// corpus.
pub fn novel_documents(
    explained: &[ExplainedDocument],
    added: &Documents<'_>,
) -> Result<NovelDocuments, WorkError> {
    let gain = |of: &ExplainedDocument| (of.log_probability - of.by_frequency) / of.tokens;
    let mut unexplained: Vec<(DocumentId, f64)> = explained
        .iter()
        .filter(|document| document.tokens >= FEWEST_TOKENS && gain(document) < 0.0)
        .map(|document| (DocumentId(document.id), gain(document)))
        .collect();
    let sum = |of: fn(&ExplainedDocument) -> f64| explained.iter().map(of).sum::<f64>();
    let mut sums = [
        sum(|document| document.tokens),
        sum(|document| document.log_probability),
        explained.len() as f64,
        unexplained.len() as f64,
    ];
    added.add_up(&mut sums)?;
    let [tokens, log_probability, all_explained, all_unexplained] = sums;
    if all_explained == 0.0 {
        return Ok(NovelDocuments::default());
    }
    unexplained.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    unexplained.truncate(MOST);

    let words = AddedWords::from_documents(added)?;
    let mut metrics = vec![metric_for_run(&UNEXPLAINED_SHARE, all_unexplained / all_explained)];
    if words.tokens > 0.0 {
        metrics.push(metric_for_run(&UNKNOWN_SHARE, (1.0 - tokens / words.tokens).max(0.0)));
    }
    if tokens > 0.0 {
        metrics.push(metric_for_run(&ADDED_LOG_PROBABILITY, log_probability / tokens));
    }
    Ok(NovelDocuments { unexplained, words, metrics })
}

/// The words of the added documents of all parts, in the vocabulary or not.
#[derive(Debug, Default)]
pub struct AddedWords {
    documents: u64,
    tokens: f64,
    /// Documents with each word.
    frequencies: Vec<u64>,
}

impl AddedWords {
    fn from_documents(documents: &Documents<'_>) -> Result<Self, WorkError> {
        let mut all = Self { documents: 0, tokens: 0.0, frequencies: vec![0; documents.words()] };
        let read = documents.visit(0..documents.block_sizes().len(), |batch| {
            all.documents += batch.ids.len() as u64;
            all.tokens += batch.counts.iter().sum::<f64>();
            batch.words.iter().for_each(|&word| all.frequencies[word as usize] += 1);
        });
        documents.agree(read)?;
        documents.add_up(std::slice::from_mut(&mut all.tokens))?;
        documents.add_up_counts(std::slice::from_mut(&mut all.documents))?;
        documents.add_up_counts(&mut all.frequencies)?;
        Ok(all)
    }

    /// (term, added documents with it, earlier documents with it, p) of the words that rise, the clearest first; `store` has
    /// all words of the corpus.
    pub fn rising(
        &self,
        store: &Store,
        corpus: CorpusId,
    ) -> Result<Vec<(TermId, u64, u64, f64)>, StoreError> {
        let terms = store.document_frequencies(corpus)?;
        let both: Vec<[u64; 2]> = self
            .frequencies
            .iter()
            .zip(&terms)
            .map(|(&added, (_, all))| [added, all.saturating_sub(added)])
            .collect();
        let earlier = store.corpus_by_id(corpus)?.documents.saturating_sub(self.documents);
        let rising = rising_words(&both, [self.documents, earlier]).into_iter().take(MOST);
        Ok(rising.map(|of| (terms[of.word].0, of.added, of.earlier, of.p)).collect())
    }
}
