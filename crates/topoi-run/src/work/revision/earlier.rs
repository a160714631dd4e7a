//! What the run before says of its documents: of all together, and of those that an update reads again.

use ndarray::{Array1, Array2};

use super::changed::ChangedDocuments;
use crate::work::work_error::WorkError;
use topoi_core::formula::packed_documents::PackedDocuments;
use topoi_core::formula::proportions;
use topoi_core::metric::run_process::{DOCUMENTS_USED, TOKENS_USED};
use topoi_core::model::documents::mixtures::{KnownMixtures, MixtureSummary};
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::StreamError;
use topoi_core::stream::parts::all_made;
use topoi_store::Store;
use topoi_store::id::{DocumentId, RunId};

/// Documents whose earlier proportions are read together.
const DOCUMENTS_AT_ONCE: usize = 1024;

/// What the run `start` says of all its documents together; `alpha` is its α.
pub fn saved_summary(
    store: &Store,
    run: RunId,
    start: RunId,
    alpha: &[f64],
) -> Result<MixtureSummary, WorkError> {
    let gone = || WorkError::StartIsGone { run, start };
    let topics = store.topics(start, 0)?;
    let k = topics.len();
    let joint = store.saved_correlations(start)?;
    let token_shares: Option<Array1<f64>> =
        topics.iter().map(|topic| topic.shares.token_share).collect();
    let number = |name: &str| store.run_metric(start, name)?.ok_or_else(gone);
    if alpha.len() != k {
        return Err(gone());
    }
    Ok(MixtureSummary {
        documents: crate::number::count(number(DOCUMENTS_USED.id)?),
        tokens: number(TOKENS_USED.id)?,
        weights: topics.iter().map(|topic| topic.shares.document_share).collect(),
        token_shares: token_shares.ok_or_else(gone)?,
        correlations: Array2::from_shape_vec((k, k), joint).map_err(|_| gone())?,
        log_probability: 0.0,
        change: 0.0,
        sweeps: 0,
    })
}

/// The documents of the run before that are read again or gone, as it has them.
pub struct EarlierDocuments {
    /// Of all parts.
    pub summary: MixtureSummary,
    /// Number of documents of this store that are read again.
    pub read_again: u64,
}

/// Reads the earlier proportions of the documents that were read, (id, tokens) in order of id, and of those that are gone.
/// Of a document that is gone all tokens are known, not those in the vocabulary, which has the share `kept` of them.
pub fn earlier_documents(
    store: &Store,
    changed: &ChangedDocuments,
    read: &[(i64, f64)],
    kept: f64,
    (alpha, documents): (&[f64], &Documents<'_>),
) -> Result<EarlierDocuments, WorkError> {
    let known = add_earlier_documents(store, changed, read, kept, alpha);
    let (known, read_again) = all_made(documents.parts(), known)?;
    Ok(EarlierDocuments { summary: known.summary(documents)?, read_again })
}

/// The sums of [`earlier_documents`] over this store, and the number of documents that are read again.
fn add_earlier_documents(
    store: &Store,
    changed: &ChangedDocuments,
    read: &[(i64, f64)],
    kept: f64,
    alpha: &[f64],
) -> Result<(KnownMixtures, u64), WorkError> {
    let mut known = KnownMixtures::new(alpha.len(), alpha.iter().sum());
    let mut read_again = 0;
    // What was assigned to its topics is no part of that run.
    let assigned = store.assigned_documents(changed.start)?;
    let old: Vec<(i64, f64)> = read
        .iter()
        .copied()
        .filter(|(id, _)| *id <= changed.last && assigned.binary_search(&DocumentId(*id)).is_err())
        .collect();
    for documents in old.chunks(DOCUMENTS_AT_ONCE) {
        for (tokens, theta) in earlier_proportions(store, changed.start, documents)? {
            // One that the run before left out has none.
            if !theta.is_empty() {
                known.add(tokens, &theta);
                read_again += 1;
            }
        }
    }
    for &(id, tokens) in &changed.gone {
        let theta = store.topics_of_document(changed.start, id)?;
        if !theta.is_empty() {
            known.add(tokens as f64 * kept, &theta);
        }
    }
    Ok((known, read_again))
}

/// The largest change of a proportion with which a document that was read again keeps what the run before says of it: less than
/// its own uncertainty by far, and most documents change less.
const SAME_WITHIN: f64 = 0.01;

/// Documents that were read again and keep what the run before says of them.
pub struct UnchangedDocuments {
    /// Of those in this store, ascending.
    pub ids: Vec<i64>,
    /// Of those of all parts, what the run before says and what was found now.
    pub before: MixtureSummary,
    pub now: MixtureSummary,
}

/// Compares what was found of the documents whose turn it was, `read` as (id, tokens) in order of id, with what the run before
/// says. `alpha` is that of all topics.
pub fn unchanged_documents(
    store: &Store,
    changed: &ChangedDocuments,
    read: &[(i64, f64)],
    found: &PackedDocuments,
    (alpha, documents): (&[f64], &Documents<'_>),
) -> Result<UnchangedDocuments, WorkError> {
    let compared = compare_documents(store, changed, read, found, alpha);
    let (ids, [before, now]) = all_made(documents.parts(), compared)?;
    Ok(UnchangedDocuments { ids, before: before.summary(documents)?, now: now.summary(documents)? })
}

/// The unchanged documents of this store, and the sums over them of what the run before says and of what was found now.
fn compare_documents(
    store: &Store,
    changed: &ChangedDocuments,
    read: &[(i64, f64)],
    found: &PackedDocuments,
    alpha: &[f64],
) -> Result<(Vec<i64>, [KnownMixtures; 2]), WorkError> {
    let selection = &changed.selection;
    // What was assigned to its topics is no part of that run.
    let assigned = store.assigned_documents(changed.start)?;
    let in_turn = |id: i64| {
        selection.range.contains(&id)
            && id <= changed.last
            && !selection.ids.contains(&id)
            && assigned.binary_search(&DocumentId(id)).is_err()
    };
    let documents: Vec<(i64, f64)> = read.iter().copied().filter(|(id, _)| in_turn(*id)).collect();
    let mut earlier = Vec::new();
    for documents in documents.chunks(DOCUMENTS_AT_ONCE) {
        let ids = documents.iter().map(|(id, _)| *id);
        earlier.extend(ids.zip(earlier_proportions(store, changed.start, documents)?));
    }
    let mut sums = [(); 2].map(|()| KnownMixtures::new(alpha.len(), alpha.iter().sum()));
    let (mut ids, mut theta) = (Vec::new(), Vec::new());
    found.each_text(|id, text| {
        let Ok(at) = earlier.binary_search_by_key(&id, |(id, _)| *id) else { return Ok(()) };
        let (_, (tokens, before)) = &earlier[at];
        // It was packed by this α.
        let _ = proportions::read(text, alpha, &mut theta);
        let of_before = before.iter().copied().chain(std::iter::repeat(0.0));
        let is_same = theta.iter().zip(of_before).all(|(a, b)| (a - b).abs() <= SAME_WITHIN);
        if is_same && !before.is_empty() {
            ids.push(id);
            sums[0].add(*tokens, before);
            sums[1].add(*tokens, &theta);
        }
        Ok::<_, StreamError>(())
    })?;
    Ok((ids, sums))
}

/// (tokens, θ) of `documents`, (id, tokens) in order of id; θ is empty for those that the run left out.
fn earlier_proportions(
    store: &Store,
    start: RunId,
    documents: &[(i64, f64)],
) -> Result<Vec<(f64, Vec<f64>)>, WorkError> {
    let (first, last) = (documents[0].0, documents[documents.len() - 1].0);
    if last - first >= i64::try_from(4 * documents.len()).unwrap_or(i64::MAX) {
        // They lie far apart.
        let one = |&(id, tokens): &(i64, f64)| {
            Ok((tokens, store.topics_of_document(start, DocumentId(id))?))
        };
        return documents.iter().map(one).collect();
    }
    let between = store.proportions_between(start, DocumentId(first), DocumentId(last))?;
    let one = |&(id, tokens): &(i64, f64)| {
        let found = between.binary_search_by_key(&DocumentId(id), |(id, _)| *id);
        (tokens, found.map_or_else(|_| Vec::new(), |at| between[at].1.clone()))
    };
    Ok(documents.iter().map(one).collect())
}
