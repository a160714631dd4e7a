//! Documents similar to one, by topics, by words or by vectors.

use std::collections::BinaryHeap;

use rayon::prelude::*;

use topoi_core::formula::hellinger::from_affinity;
use topoi_core::stream::block::Block;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::Document;
use topoi_store::id::DocumentId;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Number of blocks that a thread reads at a time.
const AT_ONCE: usize = 16;

/// A document and its distance from another.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarDocument {
    /// Its row.
    pub document: Document,
    /// 0 for equal documents, 1 for documents with nothing in common.
    pub distance: f64,
}

/// The `count` documents nearest to `document`, without itself, by the [`topoi_core::formula::hellinger`] distance of
/// the saved proportions. Of equally near documents the earlier one is first. One pass over the proportions.
///
/// `None` for a document that is not in the run.
pub fn by_topics(
    store: &Store,
    run: &Run,
    document: DocumentId,
    count: usize,
) -> Result<Option<Vec<SimilarDocument>>, StoreError> {
    let own = store.topics_of_document(run.id, document)?;
    if own.is_empty() {
        return Ok(None);
    }
    let roots: Vec<f64> = own.into_iter().map(f64::sqrt).collect();
    let best = store.fold_proportions(
        run.id,
        || NearestDocuments::with_capacity(count),
        |best, id, proportions| {
            if id != document {
                let products =
                    roots.iter().zip(proportions).map(|(root, share)| root * share.sqrt());
                best.offer(from_affinity(products.sum()), id);
            }
        },
    )?;
    let best = best
        .into_iter()
        .reduce(NearestDocuments::joined)
        .unwrap_or_else(|| NearestDocuments::with_capacity(count));
    best.documents(store).map(Some)
}

/// The `count` documents nearest to `document` by 1 − cosine of tf-idf vectors, count · ln(documents / document
/// frequency). One pass over the corpus's blocks, by all threads.
pub fn by_words(
    store: &Store,
    corpus: &Corpus,
    document: DocumentId,
    count: usize,
) -> Result<Vec<SimilarDocument>, StoreError> {
    store.require_documents(corpus)?;
    let all = corpus.documents.max(1) as f64;
    let idf = |frequency: u64| (all / frequency.max(1) as f64).ln();
    let idf: Vec<f64> =
        store.terms(corpus.id)?.iter().map(|term| idf(term.document_frequency)).collect();
    let blocks = CorpusBlocks::open(store, corpus.id)?;
    let mut own = vec![0.0; idf.len()];
    let at = blocks.blocks_up_to(document.0);
    let until = (at + 2).min(blocks.sizes().len());
    blocks.visit::<StoreError>(at.saturating_sub(1)..until, &mut |block| {
        for (_, terms, counts) in block.documents().filter(|(id, ..)| *id == document.0) {
            for (&term, &count) in terms.iter().zip(counts) {
                own[term as usize] = f64::from(count) * idf[term as usize];
            }
        }
        Ok(())
    })?;
    let norm = own.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    if norm > 0.0 {
        own.iter_mut().for_each(|weight| *weight /= norm);
    }
    let number = blocks.sizes().len();
    let pieces: Vec<_> =
        (0..number).step_by(AT_ONCE).map(|from| from..(from + AT_ONCE).min(number)).collect();
    let compare = |piece: std::ops::Range<usize>| -> Result<NearestDocuments, StoreError> {
        let mut best = NearestDocuments::with_capacity(count);
        blocks.visit::<StoreError>(piece, &mut |block| {
            offer_block(block, &own, &idf, document, &mut best);
            Ok(())
        })?;
        Ok(best)
    };
    let bests: Result<Vec<NearestDocuments>, StoreError> =
        pieces.into_par_iter().map(compare).collect();
    let best = bests?
        .into_iter()
        .reduce(NearestDocuments::joined)
        .unwrap_or_else(|| NearestDocuments::with_capacity(count));
    best.documents(store)
}

/// The `count` documents nearest to `document` by 1 − cosine of their imported vectors, from 0 to 2. Reads all vectors
/// of the corpus.
///
/// `None` for a document without a vector.
pub fn by_vectors(
    store: &Store,
    corpus: &Corpus,
    document: DocumentId,
    count: usize,
) -> Result<Option<Vec<SimilarDocument>>, StoreError> {
    let Some(all) = store.vectors(corpus)? else { return Ok(None) };
    let Some(own) = all.position(document) else { return Ok(None) };
    let vectors = &all.vectors;
    let best = (0..all.ids.len())
        .into_par_iter()
        .fold(
            || NearestDocuments::with_capacity(count),
            |mut best, row| {
                if row != own {
                    best.offer((1.0 - vectors.cosine(own, row)).max(0.0), all.ids[row]);
                }
                best
            },
        )
        .reduce(|| NearestDocuments::with_capacity(count), NearestDocuments::joined);
    best.documents(store).map(Some)
}

fn offer_block(
    block: &Block,
    own: &[f64],
    idf: &[f64],
    document: DocumentId,
    best: &mut NearestDocuments,
) {
    for (id, terms, counts) in block.documents().filter(|(id, ..)| *id != document.0) {
        let (mut product, mut square) = (0.0, 0.0);
        for (&term, &count) in terms.iter().zip(counts) {
            let weight = f64::from(count) * idf[term as usize];
            square += weight * weight;
            product += weight * own[term as usize];
        }
        // A document without a word of nonzero weight is similar to none.
        let cosine = if square > 0.0 { product / square.sqrt() } else { 0.0 };
        best.offer((1.0 - cosine).max(0.0), DocumentId(id));
    }
}

/// The nearest documents so far.
#[derive(Debug)]
struct NearestDocuments {
    count: usize,
    /// A max-heap by distance.
    heap: BinaryHeap<Candidate>,
}

#[derive(Debug, PartialEq)]
struct Candidate {
    distance: f64,
    id: DocumentId,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl NearestDocuments {
    fn with_capacity(count: usize) -> Self {
        Self { count, heap: BinaryHeap::new() }
    }

    fn offer(&mut self, distance: f64, id: DocumentId) {
        let near = Candidate { distance, id };
        if self.heap.len() < self.count {
            self.heap.push(near);
        } else if let Some(mut farthest) = self.heap.peek_mut().filter(|top| near < **top) {
            *farthest = near;
        }
    }

    fn joined(mut self, other: Self) -> Self {
        other.heap.into_iter().for_each(|near| self.offer(near.distance, near.id));
        self
    }

    /// The documents that are still in the store, nearest first.
    fn documents(self, store: &Store) -> Result<Vec<SimilarDocument>, StoreError> {
        let mut found = Vec::new();
        for Candidate { distance, id } in self.heap.into_sorted_vec() {
            if let Some(document) = store.document(id)? {
                found.push(SimilarDocument { document, distance });
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use topoi_store::result::topic_shares::TopicShares;

    use super::*;
    use topoi_core::formula::packed_documents::PackedDocument;
    use topoi_core::vectors::UnitVectors;
    use topoi_ingest::{IngestRequest, NoProgress, ingest};
    use topoi_store::Access;
    use topoi_store::corpus::vectors::DocumentVectors;
    use topoi_store::id::{CorpusId, RunId};
    use topoi_store::result::document_topic::SavedDocuments;
    use topoi_store::result::topic::{SavedResult, SavedTopic};
    use topoi_store::run::{NewRun, RunEnd, RunStatus};

    const TOPICS: usize = 4;

    /// A store with a document a line of `texts`, and run 1 with these proportions.
    fn store(texts: &[String], proportions: &[Vec<f64>]) -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        std::fs::write(&file, texts.join("\n")).expect("write");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
        let run = NewRun {
            corpus_id: CorpusId(1),
            model: "rp",
            k: TOPICS as u64,
            seed: 1,
            settings: "{}",
        };
        let run = store.create_run(&run).expect("run");
        let topic = SavedTopic {
            shares: TopicShares { document_share: 0.25, token_share: None },
            anchor_term_id: None,
            terms: Vec::new(),
            characteristic: Vec::new(),
        };
        let mut documents = SavedDocuments { alpha: vec![0.1; TOPICS], ..Default::default() };
        for (id, shares) in (1..).zip(proportions) {
            let about = PackedDocument::new(id, shares, &documents.alpha);
            documents.packed.push(&about).expect("in memory");
        }
        let topics = vec![topic; TOPICS];
        let result = SavedResult { topics, documents, ..SavedResult::default() };
        let end = || RunEnd::new(RunStatus::Finished);
        store.finish_run(run, &result, end).expect("save");
        (directory, store)
    }

    fn shown(found: &[SimilarDocument]) -> Vec<(DocumentId, f64)> {
        found.iter().map(|row| (row.document.id, row.distance)).collect()
    }

    /// All but `own`, the nearest first, of equal ones the first.
    fn sorted(distances: impl Iterator<Item = f64>, own: DocumentId) -> Vec<(DocumentId, f64)> {
        let mut all: Vec<(DocumentId, f64)> =
            (1..).map(DocumentId).zip(distances).filter(|(id, _)| *id != own).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all
    }

    fn check(found: &[(DocumentId, f64)], naive: &[(DocumentId, f64)]) {
        assert_eq!(found.len(), naive.len());
        for (one, other) in found.iter().zip(naive) {
            assert!((one.1 - other.1).abs() < 1e-3, "{found:?}\n{naive:?}");
        }
    }

    #[test]
    fn equally_near_documents_are_in_the_order_of_their_ids() {
        let same = vec![0.5, 0.5, 0.0, 0.0];
        let other = vec![0.0, 0.0, 1.0, 0.0];
        let texts: Vec<String> = ["stars", "stars", "market", "stars"].map(String::from).into();
        let (_directory, store) = store(&texts, &[same.clone(), same.clone(), other, same]);
        let run = store.run(RunId(1)).expect("run");
        let found = by_topics(&store, &run, DocumentId(2), 9).expect("found").expect("looked at");
        assert_eq!(
            shown(&found),
            [(1, 0.0), (4, 0.0), (3, 1.0)].map(|(id, d)| (DocumentId(id), d))
        );
        assert_eq!(by_topics(&store, &run, DocumentId(9), 9).expect("found"), None);
        let corpus = store.corpus("c").expect("corpus");
        let found = by_words(&store, &corpus, DocumentId(2), 2).expect("found");
        assert_eq!(
            found.iter().map(|row| row.document.id).collect::<Vec<_>>(),
            [1, 4].map(DocumentId)
        );
    }

    #[test]
    fn documents_are_near_by_the_cosines_of_their_vectors() {
        let texts: Vec<String> = (0..6).map(|_| "stars".to_string()).collect();
        let (_directory, mut store) = store(&texts, &[]);
        let corpus = store.corpus("c").expect("corpus");
        let near = |store: &Store, id, count| {
            let found = by_vectors(store, &corpus, DocumentId(id), count).expect("found");
            found.map(|found| shown(&found))
        };
        assert_eq!(near(&store, 1, 9), None);
        // Document 4 has no vector; 2 is 3 times 1, 6 is opposite.
        let rows: Vec<f32> = vec![1.0, 0.0, 3.0, 0.0, 0.0, 2.0, 1.0, 1.0, -1.0, 0.0];
        let found = DocumentVectors {
            ids: [1, 2, 3, 5, 6].map(DocumentId).to_vec(),
            vectors: UnitVectors::from_rows(2, rows).expect("vectors"),
        };
        store.save_vectors(corpus.id, ("e.npy", "ab"), &found, |_| {}).expect("saved");
        assert_eq!(near(&store, 4, 9), None);
        let found = near(&store, 1, 9).expect("a vector");
        let expected = [(2, 0.0), (5, 1.0 - 0.5_f64.sqrt()), (3, 1.0), (6, 2.0)];
        check(&found, &expected.map(|(id, distance)| (DocumentId(id), distance)));
        let ids: Vec<DocumentId> = found.iter().map(|row| row.0).collect();
        assert_eq!(ids, [2, 5, 3, 6].map(DocumentId));
        assert_eq!(near(&store, 1, 2).expect("a vector")[..], found[..2]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn distances_are_those_of_the_formulas(
            weights in prop::collection::vec(prop::collection::vec(0_u8..5, TOPICS), 2..12),
            words in prop::collection::vec("(stars|market|king|moon|price)( (stars|market|king)){0,6}", 12),
        ) {
            let shares: Vec<Vec<f64>> = weights
                .iter()
                .map(|row| {
                    let all = f64::from(row.iter().map(|w| u32::from(*w)).sum::<u32>() + 1);
                    let mut row: Vec<f64> = row.iter().map(|w| f64::from(*w) / all).collect();
                    row[0] += 1.0 / all;
                    row
                })
                .collect();
            let texts = &words[..shares.len()];
            let (_directory, store) = store(texts, &shares);
            let run = store.run(RunId(1)).expect("run");
            let found = by_topics(&store, &run, DocumentId(1), 100).expect("found").expect("looked at");
            let hellinger = |row: &Vec<f64>| {
                let affinity: f64 = row.iter().zip(&shares[0]).map(|(p, q)| (p * q).sqrt()).sum();
                (1.0 - affinity).max(0.0).sqrt()
            };
            check(&shown(&found), &sorted(shares.iter().map(hellinger), DocumentId(1)));

            let corpus = store.corpus("c").expect("corpus");
            let terms = ["stars", "market", "king", "moon", "price"];
            let vector = |text: &String| {
                terms.map(|term| {
                    let count = |text: &str| text.split(' ').filter(|word| *word == term).count();
                    let frequency = texts.iter().filter(|text| count(text) > 0).count().max(1);
                    count(text) as f64 * (texts.len() as f64 / frequency as f64).ln()
                })
            };
            let product = |a: &[f64; 5], b: &[f64; 5]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let cosine = |text: &String| {
                let (a, b) = (vector(text), vector(&texts[0]));
                let norms = (product(&a, &a) * product(&b, &b)).sqrt();
                if norms > 0.0 { (1.0 - product(&a, &b) / norms).max(0.0) } else { 1.0 }
            };
            let found = by_words(&store, &corpus, DocumentId(1), 100).expect("found");
            check(&shown(&found), &sorted(texts.iter().map(cosine), DocumentId(1)));
        }
    }
}
