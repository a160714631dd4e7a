//! Each part's description of itself before work begins, and the check that all parts together are the whole corpus.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::outline::WholeCorpus;
use topoi_core::stream::parts::Parts;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::{CorpusId, DocumentId, RunId};
use topoi_store::part::Part;
use topoi_store::result::series::CorpusState;
use topoi_store::{Access, Store, StoreError};

/// The version that all parts must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PartCard {
    pub path: PathBuf,
    pub version: String,
    /// The error message if the part cannot be opened.
    pub contents: Result<Contents, String>,
}

/// A part's share of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Contents {
    /// Number of the part, counted from 0, and the number of parts when it was made.
    pub number_of: (u64, u64),
    /// Number and hash of the whole corpus's terms, according to this part.
    pub terms: (u64, Vec<u8>),
    /// Documents, tokens and (document, term) pairs.
    pub counts: [u64; 3],
    pub corpus_hash: Vec<u8>,
    /// Id of the last document in the whole corpus.
    pub last_document: DocumentId,
    /// Hash of the documents that an earlier run has summed.
    pub summed_hash: Option<Vec<u8>>,
}

pub(super) struct OpenPart {
    pub path: PathBuf,
    pub corpus_id: CorpusId,
    /// Difference between a document's id in the whole corpus and its id in this part.
    pub ids_from: i64,
    pub blocks: CorpusBlocks,
    /// The hash of its documents, and how far the corpus was, when it was opened.
    pub corpus_hash: Vec<u8>,
    pub seen: CorpusState,
    /// The number here of the run that an update continues.
    pub continues: Option<RunId>,
}

impl OpenPart {
    /// Opens `corpus` in the store at `path`. `summed_up_to` is the last document that an earlier run has summed, by
    /// its id in the whole corpus.
    ///
    /// # Errors
    /// [`StoreError::NotAPart`] if the corpus is not a part.
    fn open(
        path: &Path,
        corpus: &str,
        summed_up_to: Option<DocumentId>,
    ) -> Result<(Self, Contents), StoreError> {
        let store = Store::open(path, Access::Read)?;
        let (corpus_id, part, blocks, seen, contents) = store.at_one_moment(|store| {
            let corpus = store.corpus(corpus)?;
            let Some(part) = store.part(corpus.id)? else {
                let reason = "is no part of a corpus; make parts with `topoi shard`, or of stores \
                              that were filled apart with `topoi unify`";
                return Err(StoreError::NotAPart { path: path.into(), reason: reason.into() });
            };
            let contents = Contents {
                number_of: (part.number, part.parts),
                terms: (part.terms, part.terms_hash.clone()),
                counts: [corpus.documents, corpus.tokens, corpus.nonzeros],
                corpus_hash: store.corpus_hash(corpus.id)?,
                last_document: store.last_document(corpus.id)?.shifted(part.ids_from),
                summed_hash: summed_up_to
                    .map(|last| store.corpus_hash_up_to(corpus.id, last.shifted(-part.ids_from)))
                    .transpose()?,
            };
            let blocks = CorpusBlocks::open_part(store, corpus.id, &part)?;
            Ok((corpus.id, part, blocks, store.corpus_state(corpus.id)?, contents))
        })?;
        let Part { ids_from, .. } = part;
        let corpus_hash = contents.corpus_hash.clone();
        let path = path.into();
        let continues = None;
        let opened = Self { path, corpus_id, ids_from, blocks, corpus_hash, seen, continues };
        Ok((opened, contents))
    }

    /// The part for an update of a run, which is number `run` here, with the ids that documents have in its own store.
    pub(super) fn continuing(self, run: RunId) -> Self {
        Self { blocks: self.blocks.with_own_ids(), ids_from: 0, continues: Some(run), ..self }
    }
}

/// Opens the part at `path` and exchanges descriptions with the other parts. Returns the open part and the contents
/// of all parts. `summed_up_to` contains each part's last document that an earlier run has summed.
///
/// # Errors
/// [`PartsError`], the same in all parts, naming the first part that does not fit.
pub(super) fn join(
    parts: &dyn Parts,
    path: &Path,
    whole: &WholeCorpus,
    summed_up_to: &[DocumentId],
) -> Result<(OpenPart, Vec<Contents>), PartsError> {
    let opened = OpenPart::open(path, &whole.corpus, summed_up_to.get(parts.number()).copied());
    let (part, contents) = match opened {
        Ok((part, contents)) => (Some(part), Ok(contents)),
        Err(error) => (None, Err(error.to_string())),
    };
    let card = PartCard { path: path.into(), version: VERSION.into(), contents };
    let all = parts.share(serde_json::to_vec(&card).unwrap_or_default())?;
    let read = |bytes: &Vec<u8>| {
        serde_json::from_slice(bytes).unwrap_or_else(|error| PartCard {
            path: PathBuf::new(),
            version: "another".into(),
            contents: Err(error.to_string()),
        })
    };
    let contents = check_parts(&all.iter().map(read).collect::<Vec<PartCard>>(), whole)?;
    let part = part.ok_or(PartsError::Told)?;
    let blocks = part.blocks.with_numbers(&whole.numbers);
    Ok((OpenPart { blocks, ..part }, contents))
}

/// The contents of all parts in order, if together they are the whole corpus.
///
/// # Errors
/// [`PartsError::Part`] for the first part that does not fit; [`PartsError::OtherDocuments`] if the counts differ
/// from those of the whole corpus.
fn check_parts(cards: &[PartCard], whole: &WholeCorpus) -> Result<Vec<Contents>, PartsError> {
    let mut all = Vec::new();
    for (number, card) in cards.iter().enumerate() {
        all.push(
            check_part(number, cards.len(), card, whole).map_err(|reason| PartsError::Part {
                number,
                path: card.path.clone(),
                reason,
            })?,
        );
    }
    let counts: Vec<[u64; 3]> = all.iter().map(|contents| contents.counts).collect();
    let sums = [0, 1, 2].map(|at| counts.iter().map(|counts| counts[at]).sum::<u64>());
    if sums != whole.counts {
        let words =
            |[documents, tokens, pairs]: [u64; 3]| format!("{documents}, {tokens}, {pairs}");
        return Err(PartsError::OtherDocuments {
            corpus: whole.corpus.clone(),
            expected: words(whole.counts),
            found: words(sums),
        });
    }
    Ok(all)
}

/// Refuses a store that was made as another part than `number` of `count`.
pub(super) fn check_number(
    number: usize,
    count: usize,
    (own, parts): (u64, u64),
) -> Result<(), String> {
    if parts != count as u64 {
        return Err(format!(
            "the corpus is in {parts} parts and {count} processes were started; use `mpirun -n {parts}`"
        ));
    }
    if own != number as u64 {
        return Err(format!("is part {own}; name the files so that {{rank}} is their number"));
    }
    Ok(())
}

fn check_part(
    number: usize,
    count: usize,
    card: &PartCard,
    whole: &WholeCorpus,
) -> Result<Contents, String> {
    if card.version != VERSION {
        let other = &card.version;
        return Err(format!(
            "topoi is version {other} there and {VERSION} at part 0; install the same version"
        ));
    }
    let contents = card.contents.clone()?;
    check_number(number, count, contents.number_of)?;
    if contents.terms != whole.terms {
        return Err(format!(
            "has not the terms of corpus {:?} as the whole has them now; split it again with \
             `topoi shard`, or unite its parts again with `topoi unify`",
            whole.corpus
        ));
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::stream::document_numbers::DocumentNumbers;

    fn whole() -> WholeCorpus {
        WholeCorpus {
            corpus: "c".into(),
            counts: [10, 40, 30],
            terms: (7, vec![1, 2]),
            numbers: DocumentNumbers::default(),
            documents_apart: false,
        }
    }

    fn cards() -> Vec<PartCard> {
        let card = |(number, counts): (u64, [u64; 3])| PartCard {
            path: format!("part-{number}.db").into(),
            version: VERSION.into(),
            contents: Ok(Contents {
                number_of: (number, 2),
                terms: whole().terms,
                counts,
                corpus_hash: vec![number as u8],
                last_document: DocumentId(7),
                summed_hash: None,
            }),
        };
        [(0, [4, 15, 10]), (1, [6, 25, 20])].map(card).into()
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        assert_eq!(check_parts(&cards(), &whole()).expect("fits").len(), 2);
        let refused = |change: fn(&mut Vec<PartCard>)| {
            let mut cards = cards();
            change(&mut cards);
            check_parts(&cards, &whole()).expect_err("does not fit").to_string()
        };
        fn contents(card: &mut PartCard) -> &mut Contents {
            card.contents.as_mut().expect("there")
        }
        let cases = [
            (
                refused(|all| all[1].version = "0.0.9".into()),
                "part 1 (part-1.db): topoi is version",
            ),
            (refused(|all| all[1].contents = Err("gone".into())), "part 1 (part-1.db): gone"),
            (refused(|all| contents(&mut all[0]).number_of.1 = 3), "use `mpirun -n 3`"),
            (refused(|all| drop(all.pop())), "use `mpirun -n 2`"),
            (refused(|all| all.swap(0, 1)), "part 0 (part-1.db): is part 1"),
            (
                refused(|all| contents(&mut all[1]).terms.1 = vec![9]),
                "part 1 (part-1.db): has not the terms",
            ),
            (
                refused(|all| contents(&mut all[1]).counts[0] = 5),
                "the parts have 9, 40, 30 documents",
            ),
        ];
        for (said, expected) in cases {
            assert!(said.contains(expected), "{said}");
        }
    }
}
