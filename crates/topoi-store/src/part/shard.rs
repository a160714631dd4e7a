//! Splitting a corpus into parts, each a store of its own.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::block::blocks::CorpusBlocks;
use crate::corpus::Corpus;
use crate::error::{Result, StoreError};
use crate::id::DocumentId;
use crate::open::{absolute_path, could_be_draft};
use crate::part::Part;
use crate::{Access, Store};
use topoi_core::stream::block::Block;
use topoi_core::stream::documents::lanes::parts_of_lanes;

/// Documents are copied with their dependent rows; ids stay the same.
const COPY: [&str; 11] = [
    "INSERT INTO ingest SELECT * FROM whole.ingest WHERE corpus_id = :corpus",
    "INSERT INTO document SELECT * FROM whole.document \
     WHERE id BETWEEN :first AND :last AND corpus_id = :corpus ORDER BY id",
    "INSERT INTO document_text (document_id, text, given_tokens) \
     SELECT document_id, text, given_tokens FROM whole.document_text \
     WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO document_counts SELECT * FROM whole.document_counts \
     WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO document_vector SELECT * FROM whole.document_vector \
     WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO embedding SELECT * FROM whole.embedding WHERE corpus_id = :corpus",
    "INSERT INTO chunk SELECT * FROM whole.chunk WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO parent_document SELECT * FROM whole.parent_document WHERE corpus_id = :corpus \
     AND id IN (SELECT parent_id FROM main.chunk) ORDER BY id",
    "INSERT INTO term (id, corpus_id, position, text, form) \
     SELECT id, corpus_id, position, text, form FROM whole.term WHERE corpus_id = :corpus",
    "INSERT INTO term_form SELECT * FROM whole.term_form WHERE term_id IN (SELECT id FROM main.term)",
    "UPDATE next_document SET id = (SELECT id FROM whole.next_document)",
];
const COPY_CORPUS: &str = "INSERT INTO corpus (id, name, created_at, terms, settings, missing) \
    SELECT id, name, created_at, terms, settings, missing FROM whole.corpus WHERE id = ?1";
const COUNT_CORPUS: &str =
    "UPDATE corpus SET documents = ?2, tokens = ?3, nonzeros = ?4 WHERE id = ?1";
const COUNT_TERM: &str = "UPDATE term SET document_frequency = ?3, total_count = ?4 \
    WHERE corpus_id = ?1 AND position = ?2";
/// An incomplete part is discarded, so no journal is needed.
const WITHOUT_JOURNAL: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; \
    PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536";
const DURABLE: &str = "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL";

const CONTENTS: &str = "SELECT id, content_hash FROM document \
    WHERE corpus_id = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id";
const OTHERS: &str = "SELECT count(*) FROM document \
    WHERE corpus_id = ?1 AND id NOT BETWEEN ?2 AND ?3";

/// A part that was written.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Shard {
    /// Its number, from 0.
    pub part: u64,
    /// Path of its file.
    pub path: PathBuf,
    /// Number of documents.
    pub documents: u64,
    /// Number of tokens.
    pub tokens: u64,
    /// (document, term) pairs.
    pub nonzeros: u64,
}

/// The first and last document ids of `parts` parts of a corpus: contiguous documents with about equal numbers
/// of nonzeros. Two, four or eight parts have whole blocks, if there are as many, and the lanes of the whole among
/// them: their sums then have its bits.
///
/// # Errors
/// [`StoreError::TooManyParts`] if there are fewer documents than parts.
fn split(blocks: &CorpusBlocks, corpus: &Corpus, parts: u64) -> Result<Vec<(i64, i64)>> {
    let sizes: Vec<u32> = blocks.sizes().collect();
    let Some(pieces) = usize::try_from(parts).ok().and_then(|parts| parts_of_lanes(&sizes, parts))
    else {
        return split_evenly(blocks, corpus, parts);
    };
    let ends = |piece: Range<usize>| {
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        blocks.visit::<StoreError>(piece, &mut |block| {
            first = first.min(block.document_ids.first().copied().unwrap_or(i64::MAX));
            last = last.max(block.document_ids.last().copied().unwrap_or(i64::MIN));
            Ok(())
        })?;
        Ok((first, last))
    };
    pieces.into_iter().map(ends).collect()
}

/// [`split`] between any two documents.
fn split_evenly(blocks: &CorpusBlocks, corpus: &Corpus, parts: u64) -> Result<Vec<(i64, i64)>> {
    let mut pieces: Vec<(i64, i64)> = Vec::new();
    let (mut before, mut documents) = (0, 0);
    let count = blocks.sizes().len();
    blocks.visit::<StoreError>(0..count, &mut |block| {
        for (id, terms, _) in block.documents() {
            let begun = pieces.len() as u64;
            let left = corpus.documents.saturating_sub(documents);
            // A part begins when its share of the nonzeros does, but early enough for one document per part.
            let is_due = u128::from(before) * u128::from(parts)
                >= u128::from(begun) * u128::from(corpus.nonzeros);
            match pieces.last_mut() {
                Some(piece) if begun == parts || !(is_due || left <= parts - begun) => piece.1 = id,
                _ => pieces.push((id, id)),
            }
            before += terms.len() as u64;
            documents += 1;
        }
        Ok(())
    })?;
    match pieces.len() as u64 == parts {
        true => Ok(pieces),
        false => {
            let corpus = corpus.name.clone();
            Err(StoreError::TooManyParts { corpus, documents, parts })
        }
    }
}

impl Store {
    /// Splits corpus `name` into `parts` stores `part-0.db` … in directory `into`.
    /// Each gets all terms and its documents, with unchanged ids and positions, and exact counts. `done` is
    /// called with each finished part. Parts that an earlier, killed call has written of the same documents
    /// stay; any other file in the way is refused.
    ///
    /// # Errors
    /// [`StoreError::TooManyParts`]; [`StoreError::InTheWay`]; [`StoreError::ChangedMeanwhile`] if the corpus
    /// is changed during the call. Finished parts stay.
    pub fn shard(
        &self,
        name: &str,
        parts: u64,
        into: &Path,
        mut done: impl FnMut(&Shard),
    ) -> Result<Vec<Shard>> {
        let corpus = self.corpus(name)?;
        self.require_documents(&corpus)?;
        let path = |number: u64| into.join(format!("part-{number}.db"));
        // If all parts exist, no earlier call was killed.
        if (0..parts).map(path).all(|path| path.exists()) {
            return Err(StoreError::InTheWay(path(0)));
        }
        let blocks = CorpusBlocks::open(self, corpus.id)?;
        let pieces = split(&blocks, &corpus, parts)?;
        let terms_hash = self.terms_hash(corpus.id)?;
        let mut shards = Vec::new();
        for (number, (first, last)) in (0..).zip(pieces) {
            let (terms, terms_hash) = (corpus.terms, terms_hash.clone());
            let part = Part { number, parts, ids_from: 0, terms, terms_hash };
            let piece =
                PartDocuments { whole: self, corpus: &corpus, blocks: &blocks, first, last };
            let shard = piece.make(&part, &path(number))?;
            done(&shard);
            shards.push(shard);
        }
        match self.corpus(name)? == corpus {
            true => Ok(shards),
            false => Err(StoreError::ChangedMeanwhile { corpus: corpus.name }),
        }
    }
}

/// The documents `first` to `last` of a corpus.
struct PartDocuments<'a> {
    whole: &'a Store,
    corpus: &'a Corpus,
    blocks: &'a CorpusBlocks,
    first: i64,
    last: i64,
}

/// Counts of the blocks of a part.
#[derive(Default)]
struct PartCounts {
    documents: u64,
    tokens: u64,
    nonzeros: u64,
    /// (documents, tokens) of each term, by position.
    terms: Vec<(u64, u64)>,
}

/// (id, content hash) of the documents in a range, and the number of documents outside it.
type Contents = (Vec<(i64, Vec<u8>)>, i64);

impl PartDocuments<'_> {
    /// Writes the part to `path`, unless it is already there.
    fn make(&self, part: &Part, path: &Path) -> Result<Shard> {
        if !path.exists() {
            return self.write(part, path);
        }
        let there = self.existing(part, path).ok().flatten();
        there.ok_or_else(|| StoreError::InTheWay(path.into()))
    }

    /// The part at `path`, if it equals this one.
    fn existing(&self, part: &Part, path: &Path) -> Result<Option<Shard>> {
        let store = Store::open(path, Access::Read)?;
        let corpus = store.corpus(&self.corpus.name)?;
        let is_same = (corpus.id, &corpus.created_at) == (self.corpus.id, &self.corpus.created_at)
            && store.part(corpus.id)?.as_ref() == Some(part)
            && self.contents(&store)? == self.contents(self.whole)?;
        let Corpus { documents, tokens, nonzeros, .. } = corpus;
        let shard = Shard { part: part.number, path: path.into(), documents, tokens, nonzeros };
        Ok(is_same.then_some(shard))
    }

    /// The documents of `store`, inside and outside the range.
    fn contents(&self, store: &Store) -> Result<Contents> {
        let bounds = (self.corpus.id, self.first, self.last);
        let contents = store.rows(CONTENTS, bounds, |row| Ok((row.get(0)?, row.get(1)?)))?;
        // The whole corpus has documents outside the range.
        let is_whole = store.path() == self.whole.path();
        let others = if is_whole { 0 } else { store.scalar(OTHERS, bounds)? };
        Ok((contents, others))
    }

    /// Writes the part to a draft and moves it to `path` when it is complete.
    fn write(&self, part: &Part, path: &Path) -> Result<Shard> {
        let unfinished = path.with_extension("db.unfinished");
        // A killed call leaves a store or an empty file.
        if unfinished.exists() && !could_be_draft(&unfinished) {
            return Err(StoreError::InTheWay(unfinished));
        }
        let _ = std::fs::remove_file(&unfinished);
        let counted = self.fill(part, &unfinished)?;
        std::fs::rename(&unfinished, path)
            .map_err(|source| StoreError::File { path: path.into(), source })?;
        let PartCounts { documents, tokens, nonzeros, .. } = counted;
        Ok(Shard { part: part.number, path: path.into(), documents, tokens, nonzeros })
    }

    fn fill(&self, part: &Part, path: &Path) -> Result<PartCounts> {
        let mut store = Store::open(path, Access::Create)?;
        store.execute_batch(WITHOUT_JOURNAL)?;
        store
            .execute("ATTACH ?1 AS whole", [absolute_path(self.whole.path())?.to_string_lossy()])?;
        let counted = store.transaction(|store| {
            store.execute(COPY_CORPUS, [self.corpus.id])?;
            for copy in COPY {
                self.copy(store, copy)?;
            }
            let counted = self.write_blocks(store)?;
            self.save_counts(store, &counted)?;
            Ok(counted)
        })?;
        store.execute_batch("DETACH whole")?;
        store.become_part(self.corpus.id, part, None)?;
        store.execute_batch(DURABLE)?;
        Ok(counted)
    }

    fn copy(&self, store: &Store, sql: &str) -> Result<()> {
        let run = || {
            let mut statement = store.connection.prepare(sql)?;
            let values =
                [(":corpus", self.corpus.id.0), (":first", self.first), (":last", self.last)];
            for (name, value) in values {
                if let Some(index) = statement.parameter_index(name)? {
                    statement.raw_bind_parameter(index, value)?;
                }
            }
            statement.raw_execute()
        };
        run().map(drop).map_err(|source| store.error(source))
    }

    fn write_blocks(&self, store: &Store) -> Result<PartCounts> {
        // Counted, because the number in a corpus's row may be wrong.
        let terms: i64 = store.scalar("SELECT count(*) FROM term", [])?;
        let terms = vec![(0, 0); usize::try_from(terms).unwrap_or(0)];
        let mut counted = PartCounts { terms, ..PartCounts::default() };
        let mut block = Block::default();
        let count = self.blocks.sizes().len();
        self.blocks.visit::<StoreError>(0..count, &mut |from| {
            let (Some(&first), Some(&last)) = (from.document_ids.first(), from.document_ids.last())
            else {
                return Ok(());
            };
            if last < self.first || self.last < first {
                return Ok(());
            }
            block.clear();
            for (id, terms, counts) in from.documents() {
                if (self.first..=self.last).contains(&id) {
                    counted.add(terms, counts);
                    block.push_slices(id, terms, counts);
                }
            }
            store.insert_block(self.corpus.id, &block)
        })?;
        Ok(counted)
    }

    fn save_counts(&self, store: &Store, counted: &PartCounts) -> Result<()> {
        let PartCounts { documents, tokens, nonzeros, terms } = counted;
        store.execute(COUNT_CORPUS, (self.corpus.id, documents, tokens, nonzeros))?;
        let hash = store.corpus_hash_up_to(self.corpus.id, DocumentId(i64::MAX))?;
        store.set_documents_hash(self.corpus.id, &hash)?;
        for (position, (documents, tokens)) in terms.iter().enumerate() {
            if *documents > 0 {
                let values = (self.corpus.id, position, documents, tokens);
                store.execute(COUNT_TERM, values)?;
            }
        }
        Ok(())
    }
}

impl PartCounts {
    fn add(&mut self, terms: &[u32], counts: &[u32]) {
        self.documents += 1;
        self.nonzeros += terms.len() as u64;
        for (&term, &count) in terms.iter().zip(counts) {
            self.tokens += u64::from(count);
            if let Some(term) = self.terms.get_mut(term as usize) {
                term.0 += 1;
                term.1 += u64::from(count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{IngestWriter, NewDocument};
    use std::fs;

    fn add(store: &Store, key: &str, count: u32) {
        let mut writer = IngestWriter::begin(store, "c", "{}", "here", "lines").expect("begun");
        let terms = [("x", count), (key, 1)];
        let hash = count.to_le_bytes();
        let document =
            NewDocument { terms: &terms, content_hash: &hash, ..NewDocument::counted(key, &[]) };
        writer.add(document).expect("added");
        writer.finish().expect("finished");
    }

    #[test]
    fn a_killed_call_is_given_again_and_nothing_foreign_is_replaced() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        for key in ["a", "b", "c", "d", "e", "f"] {
            add(&store, key, 2);
        }
        let into = directory.path().join("parts");
        let part = |number: u64| into.join(format!("part-{number}.db"));
        let draft = into.join("part-1.db.unfinished");
        let shard = || store.shard("c", 3, &into, |_| {});
        let whole = shard().expect("parts");
        assert!(matches!(shard(), Err(StoreError::InTheWay(path)) if path == part(0)));
        // A call that was killed while writing the second part: the first exists, the second is a draft.
        let first = fs::read(part(0)).expect("read");
        fs::rename(part(1), &draft).expect("rename");
        fs::remove_file(part(2)).expect("remove");
        assert_eq!(shard().expect("again"), whole);
        assert_eq!(fs::read(part(0)).expect("read"), first);
        assert!(!draft.exists());

        // Foreign files stay.
        fs::remove_file(part(1)).expect("remove");
        fs::write(&draft, "a thesis").expect("write");
        assert!(matches!(shard(), Err(StoreError::InTheWay(path)) if path == draft));
        assert_eq!(fs::read(&draft).expect("read"), b"a thesis");
        fs::remove_file(&draft).expect("remove");
        fs::write(part(0), "a thesis").expect("write");
        assert!(matches!(shard(), Err(StoreError::InTheWay(path)) if path == part(0)));
        fs::write(part(0), first).expect("write");

        // The part of a document that has changed since is not reused.
        add(&store, "a", 3);
        assert!(matches!(shard(), Err(StoreError::InTheWay(path)) if path == part(0)));
    }
}
