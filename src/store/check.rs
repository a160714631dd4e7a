//! Integrity: SQLite's own checks, and that every count and every block agrees with the triples.

use super::Store;
use super::block::Block;
use super::blocks::CorpusBlocks;
use super::corpus::Corpus;
use super::error::{Result, StoreError};
use super::term_index::write_counts;

/// A document's counts as people query them.
const COUNTS: &str = "SELECT counts FROM document_counts WHERE document_id = ?1";
/// What the rows of a corpus's documents add up to.
const TRUE_ROWS: &str = "SELECT count(*), coalesce(sum(tokens), 0), (SELECT count(*) FROM \
    document_counts AS c JOIN document AS d ON d.id = c.document_id WHERE d.corpus_id = ?1) \
    FROM document WHERE corpus_id = ?1";

/// What the blocks of a corpus add up to.
#[derive(Default)]
struct Truth {
    documents: u64,
    tokens: u64,
    nonzeros: u64,
    /// (documents, tokens) of each term, by position.
    terms: Vec<(u64, u64)>,
}

impl Store {
    /// Checks the whole store; returns what is wrong, one line each, empty when all is well.
    /// Reads everything once: about a second for a million triples.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub fn check(&self) -> Result<Vec<String>> {
        let mut problems = self.rows("PRAGMA integrity_check", [], |row| row.get(0))?;
        problems.retain(|line: &String| line != "ok");
        let orphans = self.rows("PRAGMA foreign_key_check", [], |row| row.get::<_, String>(0))?;
        problems.extend(orphans.into_iter().map(|t| format!("{t}: a row refers to no row")));
        for corpus in self.corpora()? {
            let mut truth = Truth::default();
            self.check_blocks(&corpus, &mut truth, &mut problems)?;
            self.check_counts(&corpus, &truth, &mut problems)?;
        }
        Ok(problems)
    }

    fn check_counts(
        &self,
        corpus: &Corpus,
        truth: &Truth,
        problems: &mut Vec<String>,
    ) -> Result<()> {
        let name = &corpus.name;
        let saved = (corpus.documents, corpus.tokens, corpus.nonzeros);
        let found = (truth.documents, truth.tokens, truth.nonzeros);
        if saved != found {
            problems.push(format!(
                "corpus {name}: documents, tokens, nonzeros are saved as {saved:?} but its blocks \
                 hold {found:?}"
            ));
        }
        let rows = self.rows(TRUE_ROWS, [corpus.id], |row| {
            Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?, row.get::<_, u64>(2)?))
        })?;
        if rows.first() != Some(&(found.0, found.1, found.0)) {
            problems.push(format!(
                "corpus {name}: its rows have (documents, tokens, documents with counts) {rows:?}, \
                 its blocks {found:?}"
            ));
        }
        let terms = self.terms(corpus.id)?;
        let saved = terms.iter().map(|term| (term.document_frequency, term.total_count));
        let wrong = saved.zip(&truth.terms).filter(|(saved, counted)| saved != *counted).count();
        if wrong > 0 || corpus.terms != terms.len() as u64 {
            problems.push(format!("corpus {name}: {wrong} terms have wrong frequencies"));
        }
        Ok(())
    }

    /// Compares every document of every block with its counts, and adds the blocks up.
    fn check_blocks(
        &self,
        corpus: &Corpus,
        truth: &mut Truth,
        problems: &mut Vec<String>,
    ) -> Result<()> {
        let ids: Vec<i64> = self.terms(corpus.id)?.into_iter().map(|term| term.id).collect();
        truth.terms = vec![(0, 0); ids.len()];
        let blocks = CorpusBlocks::open(self, corpus.id)?;
        let all = blocks.sizes().len();
        let (mut json, mut last) = (String::new(), i64::MIN);
        let read = blocks.visit::<StoreError>(0..all, &mut |block: &Block| {
            for (id, positions, counts) in block.documents() {
                let term = |&position: &u32| ids.get(position as usize).copied().unwrap_or(-1);
                let pairs = positions.iter().map(term).zip(counts.iter().copied());
                write_counts(pairs, &mut json);
                let row: Vec<String> = self.rows(COUNTS, [id], |row| row.get(0))?;
                if row.first() != Some(&json) || id <= last {
                    problems.push(format!(
                        "corpus {}: document {id} differs between its block and its triples",
                        corpus.name
                    ));
                }
                last = id;
                truth.add(positions, counts);
            }
            Ok(())
        });
        match read {
            Err(error @ StoreError::DamagedBlock { .. }) => problems.push(error.to_string()),
            other => other?,
        }
        Ok(())
    }
}

impl Truth {
    fn add(&mut self, positions: &[u32], counts: &[u32]) {
        self.documents += 1;
        self.nonzeros += positions.len() as u64;
        for (&position, &count) in positions.iter().zip(counts) {
            self.tokens += u64::from(count);
            // A position that no term has shows as a difference from the counts.
            if let Some(term) = self.terms.get_mut(position as usize) {
                term.0 += 1;
                term.1 += u64::from(count);
            }
        }
    }
}
