//! Splitting a corpus into parts, each a store of its own.

use std::path::{Path, PathBuf};

use crate::store::block::Block;
use crate::store::block::blocks::CorpusBlocks;
use crate::store::corpus::Corpus;
use crate::store::error::{Result, StoreError};
use crate::store::open::located;
use crate::store::part::Part;
use crate::store::{Access, Store};

/// Documents come with the rows that depend on them; ids stay what they are.
const COPY: [&str; 6] = [
    "INSERT INTO ingest SELECT * FROM whole.ingest WHERE corpus_id = :corpus",
    "INSERT INTO document SELECT * FROM whole.document \
     WHERE id BETWEEN :first AND :last AND corpus_id = :corpus ORDER BY id",
    "INSERT INTO document_text SELECT * FROM whole.document_text \
     WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO document_counts SELECT * FROM whole.document_counts \
     WHERE document_id BETWEEN :first AND :last \
     AND document_id IN (SELECT id FROM main.document) ORDER BY document_id",
    "INSERT INTO term (id, corpus_id, position, text) \
     SELECT id, corpus_id, position, text FROM whole.term WHERE corpus_id = :corpus",
    "UPDATE next_document SET id = (SELECT id FROM whole.next_document)",
];
const COPY_CORPUS: &str = "INSERT INTO corpus (id, name, created_at, terms, settings) \
    SELECT id, name, created_at, terms, settings FROM whole.corpus WHERE id = ?1";
const COUNT_CORPUS: &str =
    "UPDATE corpus SET documents = ?2, tokens = ?3, nonzeros = ?4 WHERE id = ?1";
const COUNT_TERM: &str = "UPDATE term SET document_frequency = ?3, total_count = ?4 \
    WHERE corpus_id = ?1 AND position = ?2";
/// A part that is not whole is thrown away: nothing needs a journal.
const WITHOUT_JOURNAL: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; \
    PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536";
const DURABLE: &str = "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL";

/// A part as it was written.
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

/// The first and last document ids of `parts` parts of a corpus: contiguous documents, so many that
/// each part has about as many nonzeros as the others.
///
/// # Errors
/// [`StoreError::TooManyParts`] when there are fewer documents than parts.
fn cut(blocks: &CorpusBlocks, corpus: &Corpus, parts: u64) -> Result<Vec<(i64, i64)>> {
    let mut pieces: Vec<(i64, i64)> = Vec::new();
    let (mut before, mut documents) = (0, 0);
    let count = blocks.sizes().len();
    blocks.visit::<StoreError>(0..count, &mut |block| {
        for (id, terms, _) in block.documents() {
            let begun = pieces.len() as u64;
            let left = corpus.documents.saturating_sub(documents);
            // A part begins where its share does, and early enough for one document a part.
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
    /// Splits corpus `name` into `parts` stores `part-0.db` … in directory `into`, each with all
    /// terms (by the same ids and positions), its own documents (by the same ids) and exact counts
    /// of them. Tells of each part when it is whole; parts that are there already are refused.
    ///
    /// # Errors
    /// When there are fewer documents than parts, a file is in the way, the corpus is changed
    /// meanwhile, or the disk is full; parts that are written by then stay.
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
        if let Some(taken) = (0..parts).map(path).find(|path| path.exists()) {
            return Err(StoreError::InTheWay(taken));
        }
        let blocks = CorpusBlocks::open(self, corpus.id)?;
        let pieces = cut(&blocks, &corpus, parts)?;
        let terms_hash = self.terms_hash(corpus.id)?;
        let mut shards = Vec::new();
        for (number, (first, last)) in (0..).zip(pieces) {
            let (terms, terms_hash) = (corpus.terms, terms_hash.clone());
            let part = Part { number, parts, ids_from: 0, terms, terms_hash };
            let piece = Piece { whole: self.path(), corpus: &corpus, blocks: &blocks, first, last };
            let shard = piece.write(&part, &path(number))?;
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
struct Piece<'a> {
    whole: &'a Path,
    corpus: &'a Corpus,
    blocks: &'a CorpusBlocks,
    first: i64,
    last: i64,
}

/// What a part's blocks hold.
#[derive(Default)]
struct Counted {
    documents: u64,
    tokens: u64,
    nonzeros: u64,
    /// (documents, tokens) by position.
    terms: Vec<(u64, u64)>,
}

impl Piece<'_> {
    /// Writes the part beside its place and moves it there when it is whole.
    fn write(&self, part: &Part, path: &Path) -> Result<Shard> {
        let unfinished = path.with_extension("db.unfinished");
        let _ = std::fs::remove_file(&unfinished);
        let counted = self.fill(part, &unfinished)?;
        std::fs::rename(&unfinished, path)
            .map_err(|source| StoreError::File { path: path.into(), source })?;
        let Counted { documents, tokens, nonzeros, .. } = counted;
        Ok(Shard { part: part.number, path: path.into(), documents, tokens, nonzeros })
    }

    fn fill(&self, part: &Part, path: &Path) -> Result<Counted> {
        let mut store = Store::open(path, Access::Create)?;
        store.execute_batch(WITHOUT_JOURNAL)?;
        store.execute("ATTACH ?1 AS whole", [located(self.whole)?.to_string_lossy()])?;
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
                [(":corpus", self.corpus.id), (":first", self.first), (":last", self.last)];
            for (name, value) in values {
                if let Some(index) = statement.parameter_index(name)? {
                    statement.raw_bind_parameter(index, value)?;
                }
            }
            statement.raw_execute()
        };
        run().map(drop).map_err(|source| store.error(source))
    }

    fn write_blocks(&self, store: &Store) -> Result<Counted> {
        let mut counted =
            Counted { terms: vec![(0, 0); self.corpus.terms as usize], ..Counted::default() };
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
            for (id, terms, counts) in from.documents() {
                if (self.first..=self.last).contains(&id) {
                    counted.add(terms, counts);
                    block.push_slices(id, terms, counts);
                    if block.is_full() {
                        store.insert_block(self.corpus.id, &block)?;
                        block.clear();
                    }
                }
            }
            Ok(())
        })?;
        store.insert_block(self.corpus.id, &block)?;
        Ok(counted)
    }

    fn save_counts(&self, store: &Store, counted: &Counted) -> Result<()> {
        let Counted { documents, tokens, nonzeros, terms } = counted;
        store.execute(COUNT_CORPUS, (self.corpus.id, documents, tokens, nonzeros))?;
        for (position, (documents, tokens)) in terms.iter().enumerate() {
            if *documents > 0 {
                let values = (self.corpus.id, position as i64, documents, tokens);
                store.execute(COUNT_TERM, values)?;
            }
        }
        Ok(())
    }
}

impl Counted {
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
