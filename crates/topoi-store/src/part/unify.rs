//! One vocabulary for parts of a corpus that were ingested separately. Only their terms are exchanged.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};
use crate::id::CorpusId;
use crate::integer::saturated;
use crate::part::{PART_ID_STRIDE, Part, hash_term_texts};
use crate::{Access, Store};

const CREATE: &str = "INSERT INTO corpus (name, created_at, settings) \
    VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ'), ?2)";
const COUNT: &str = "UPDATE corpus SET documents = ?2, terms = ?3, tokens = ?4, nonzeros = ?5 \
    WHERE id = ?1";
const DIVIDE: &str = "INSERT INTO divided_corpus (corpus_id, parts) VALUES (?1, ?2) \
    ON CONFLICT (corpus_id) DO UPDATE SET parts = ?2";
const SAVE_TERM: &str = "INSERT INTO term \
    (corpus_id, position, text, document_frequency, total_count) VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (corpus_id, position) DO UPDATE SET document_frequency = ?4, total_count = ?5";

/// The terms and counts of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartTerms {
    /// Its file, for messages.
    pub path: PathBuf,
    /// Token settings, as JSON.
    pub settings: String,
    /// Number of documents.
    pub documents: u64,
    /// Number of tokens.
    pub tokens: u64,
    /// (document, term) pairs.
    pub nonzeros: u64,
    /// (term, documents, tokens) by position.
    pub terms: Vec<(String, u64, u64)>,
    /// (position, form, tokens) of stems.
    pub forms: Vec<(u32, String, u64)>,
}

/// The number of a part and the positions of its terms in the whole corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartAssignment {
    /// Its number, and the number of parts.
    pub part: Part,
    /// Positions in the whole corpus, by position in the part.
    pub positions: Vec<u32>,
}

impl PartTerms {
    /// Reads the terms of corpus `corpus` in the store at `path`.
    ///
    /// # Errors
    /// [`StoreError::UnknownCorpus`]; the errors of [`Store::open`].
    pub fn from_store(path: &Path, corpus: &str) -> Result<Self> {
        let store = Store::open(path, Access::Read)?;
        store.at_one_moment(|store| {
            let corpus = store.corpus(corpus)?;
            let forms = store.term_forms(corpus.id)?;
            let terms = store.terms(corpus.id)?.into_iter();
            Ok(Self {
                forms,
                path: path.into(),
                settings: corpus.settings,
                documents: corpus.documents,
                tokens: corpus.tokens,
                nonzeros: corpus.nonzeros,
                terms: terms
                    .map(|term| (term.text, term.document_frequency, term.total_count))
                    .collect(),
            })
        })
    }
}

/// (text, documents, tokens) of the whole corpus's terms, by position.
#[derive(Default)]
struct MergedTerms {
    terms: Vec<(String, u64, u64)>,
    positions: HashMap<String, u32, foldhash::fast::RandomState>,
}

impl MergedTerms {
    /// Known terms with zero counts.
    fn with_terms(known: Vec<String>) -> Result<Self> {
        let mut merged = Self::default();
        for text in &known {
            merged.position(text)?;
        }
        Ok(merged)
    }

    fn position(&mut self, text: &str) -> Result<u32> {
        if let Some(&position) = self.positions.get(text) {
            return Ok(position);
        }
        let position = u32::try_from(self.terms.len()).map_err(|_| StoreError::TooManyTerms)?;
        self.positions.insert(text.into(), position);
        self.terms.push((text.into(), 0, 0));
        Ok(position)
    }

    /// Adds a part's counts; returns the positions of its terms. A sum that overflows its column is refused
    /// when it is saved.
    fn add(&mut self, part: &PartTerms) -> Result<Vec<u32>> {
        let place = |(text, documents, tokens): &(String, u64, u64)| -> Result<u32> {
            let position = self.position(text)?;
            let term = &mut self.terms[position as usize];
            term.1 = term.1.saturating_add(*documents);
            term.2 = term.2.saturating_add(*tokens);
            Ok(position)
        };
        part.terms.iter().map(place).collect()
    }
}

/// A file that is given as two of the parts, possibly under different names.
fn named_twice(parts: &[PartTerms]) -> Option<&Path> {
    let mut seen = std::collections::HashSet::new();
    let file = |part: &PartTerms| part.path.canonicalize().unwrap_or_else(|_| part.path.clone());
    parts.iter().find(|part| !seen.insert(file(part))).map(|part| part.path.as_path())
}

impl Store {
    /// Makes corpus `name` the whole of `parts`, in their order.
    /// It has all their terms with exact sums of their counts, and no documents. Existing terms keep their
    /// positions and ids; new ones follow in order of part and position. Returns the assignment of each part,
    /// in order.
    ///
    /// # Errors
    /// [`StoreError::NotAPart`] if the parts' token settings differ, a part is named twice, or the corpus has
    /// documents here. Then nothing is written.
    pub fn unify(&mut self, name: &str, parts: &[PartTerms]) -> Result<Vec<PartAssignment>> {
        let Some(first) = parts.first() else { return Ok(Vec::new()) };
        if let Some(other) = parts.iter().find(|part| part.settings != first.settings) {
            let reason = format!(
                "its tokens were made in another way than those of {}; ingest one of them again \
                 with the same options",
                first.path.display()
            );
            return Err(StoreError::NotAPart { path: other.path.clone(), reason });
        }
        if let Some(twice) = named_twice(parts) {
            let reason = "is named twice; name each part once".into();
            return Err(StoreError::NotAPart { path: twice.into(), reason });
        }
        self.transaction(|store| {
            let corpus_id = store.whole_of_parts(name, &first.settings)?;
            let known = store.terms(corpus_id)?.into_iter().map(|term| term.text).collect();
            let mut merged = MergedTerms::with_terms(known)?;
            let positions: Vec<Vec<u32>> =
                parts.iter().map(|part| merged.add(part)).collect::<Result<_>>()?;
            for (position, (text, documents, tokens)) in merged.terms.iter().enumerate() {
                let values = (corpus_id, position, text, documents, tokens);
                store.execute(SAVE_TERM, values)?;
            }
            let forms = parts.iter().zip(&positions).flat_map(|(part, positions)| {
                let whole = |at: u32| positions[at as usize];
                part.forms.iter().map(move |(at, form, count)| (whole(*at), form.clone(), *count))
            });
            store.replace_term_forms(corpus_id, forms)?;
            let sum =
                |count: fn(&PartTerms) -> u64| parts.iter().map(count).fold(0, u64::saturating_add);
            let (documents, tokens) = (sum(|part| part.documents), sum(|part| part.tokens));
            let terms = merged.terms.len() as u64;
            let nonzeros = sum(|part| part.nonzeros);
            store.execute(COUNT, (corpus_id, documents, terms, tokens, nonzeros))?;
            store.execute(DIVIDE, (corpus_id, parts.len()))?;
            let terms_hash = hash_term_texts(merged.terms.iter().map(|term| term.0.as_str()));
            let assign_part = |(number, positions): (u64, Vec<u32>)| {
                let (terms_hash, ids_from) =
                    (terms_hash.clone(), saturated(number).saturating_mul(PART_ID_STRIDE));
                let parts = parts.len() as u64;
                PartAssignment {
                    part: Part { number, parts, ids_from, terms, terms_hash },
                    positions,
                }
            };
            Ok((0..).zip(positions).map(assign_part).collect())
        })
    }

    /// The id of the whole corpus, which is created if it does not exist.
    fn whole_of_parts(&self, name: &str, settings: &str) -> Result<CorpusId> {
        let Some(corpus) = self.find_corpus(name)? else {
            self.execute(CREATE, (name, settings))?;
            return Ok(CorpusId(self.connection.last_insert_rowid()));
        };
        let refuse = |reason: &str| {
            let reason = format!("corpus {name:?} {reason}");
            Err(StoreError::NotAPart { path: self.path().into(), reason })
        };
        if self.parts_elsewhere(corpus.id)?.is_none() {
            return refuse("has documents of its own here");
        }
        match corpus.settings == settings {
            true => Ok(corpus.id),
            false => refuse("has tokens here that were made in another way"),
        }
    }

    /// Makes corpus `name` of this store the part of `assignment`.
    ///
    /// # Errors
    /// [`StoreError::PartHasGrown`] if the corpus has other terms than when they were read.
    pub fn assign_part(&mut self, name: &str, assignment: &PartAssignment) -> Result<()> {
        let corpus = self.corpus(name)?;
        if corpus.terms != assignment.positions.len() as u64 {
            return Err(StoreError::PartHasGrown);
        }
        self.become_part(corpus.id, &assignment.part, Some(&assignment.positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::blocks::CorpusBlocks;
    use crate::id::TermId;
    use crate::ingest::{IngestWriter, NewDocument};
    use topoi_core::stream::block::Block;

    fn part(directory: &Path, name: &str, documents: &[&[(&str, u32)]]) -> PathBuf {
        let path = directory.join(name);
        let store = Store::open(&path, Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "here", "lines").expect("begun");
        for (number, terms) in documents.iter().enumerate() {
            let key = format!("{name}-{number}");
            let document = NewDocument { terms, ..NewDocument::counted(&key, &[]) };
            writer.add(document).expect("added");
        }
        writer.finish().expect("finished");
        path
    }

    fn unify(whole: &Path, paths: &[PathBuf]) -> Store {
        let mut store = Store::open(whole, Access::Create).expect("open");
        let parts: Vec<PartTerms> =
            paths.iter().map(|path| PartTerms::from_store(path, "c").expect("terms")).collect();
        let assignment = store.unify("c", &parts).expect("unified");
        for (path, assignment) in paths.iter().zip(&assignment) {
            Store::open(path, Access::Create)
                .expect("open")
                .assign_part("c", assignment)
                .expect("adopted");
        }
        store
    }

    #[test]
    fn terms_are_merged_counts_are_exact_and_a_part_that_grew_is_unified_again() {
        let directory = tempfile::tempdir().expect("tempdir");
        let paths = [
            part(directory.path(), "a", &[&[("x", 2), ("y", 1)], &[("x", 1)]]),
            part(directory.path(), "b", &[&[("z", 4), ("y", 3), ("x", 1)]]),
        ];
        let whole = directory.path().join("whole.db");
        let store = unify(&whole, &paths);
        let corpus = store.corpus("c").expect("corpus");
        assert_eq!((corpus.documents, corpus.terms, corpus.tokens), (3, 3, 12));
        let of = |store: &Store| -> Vec<(String, u64, u64)> {
            let terms = store.terms(corpus.id).expect("terms").into_iter();
            terms.map(|term| (term.text, term.document_frequency, term.total_count)).collect()
        };
        let [x, y, z] = ["x", "y", "z"].map(String::from);
        assert_eq!(of(&store), [(x.clone(), 3, 4), (y, 2, 4), (z, 1, 4)]);
        assert_eq!(store.parts_elsewhere(corpus.id).expect("read"), Some(2));
        assert!(store.check(&crate::check::RowValidators::NONE).expect("checked").is_empty());
        let ids: Vec<TermId> =
            store.terms(corpus.id).expect("terms").iter().map(|term| term.id).collect();

        // The second part's documents, with positions and ids of the whole corpus.
        let second = Store::open(&paths[1], Access::Create).expect("open");
        let assignment = second.part(CorpusId(1)).expect("read").expect("a part");
        assert_eq!((assignment.number, assignment.parts), (1, 2));
        assert_eq!(assignment.terms_hash, store.terms_hash(corpus.id).expect("read"));
        let mut seen = Vec::new();
        let blocks = CorpusBlocks::open_part(&second, CorpusId(1), &assignment).expect("open");
        blocks
            .visit::<StoreError>(0..1, &mut |block: &Block| {
                seen.extend(block.documents().map(|(id, t, c)| (id, t.to_vec(), c.to_vec())));
                Ok(())
            })
            .expect("read");
        assert_eq!(seen, [(PART_ID_STRIDE + 1, vec![0, 1, 2], vec![1, 3, 4])]);
        assert!(second.check(&crate::check::RowValidators::NONE).expect("checked").is_empty());

        let mut writer = IngestWriter::begin(&second, "c", "{}", "more", "lines").expect("begun");
        let document = NewDocument { terms: &[("w", 7)], ..NewDocument::counted("new", &[]) };
        writer.add(document).expect("added");
        writer.finish().expect("finished");
        let read = CorpusBlocks::open_part(&second, CorpusId(1), &assignment).expect("open");
        let grown = read.visit::<StoreError>(0..2, &mut |_| Ok(()));
        assert!(matches!(grown, Err(StoreError::PartHasGrown)));
        let store = unify(&whole, &paths);
        let terms = store.terms(corpus.id).expect("terms");
        assert_eq!(terms[..3].iter().map(|term| term.id).collect::<Vec<_>>(), ids);
        assert_eq!((terms[3].text.as_str(), terms[3].total_count), ("w", 7));
        assert_eq!(of(&store)[0], (x, 3, 4));
    }

    #[test]
    fn a_corpus_with_documents_of_its_own_is_not_made_a_whole() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = part(directory.path(), "a", &[&[("x", 2)]]);
        let terms = PartTerms::from_store(&path, "c").expect("terms");
        let refused = Store::open(&path, Access::Create).expect("open").unify("c", &[terms]);
        assert!(matches!(refused, Err(StoreError::NotAPart { .. })));
    }
}
