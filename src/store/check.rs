//! Integrity: SQLite's own checks, and that every count and every block agrees with the triples.

use super::Store;
use super::block::Block;
use super::blocks::CorpusBlocks;
use super::corpus::Corpus;
use super::error::{Result, StoreError};

/// Triples of a document as term positions.
const TRIPLES: &str = "SELECT term.position, triple.count FROM triple \
    JOIN term ON term.id = triple.term_id WHERE triple.document_id = ?1 ORDER BY term.position";
/// Counts of a corpus as its rows add up to.
const TRUE_COUNTS: &str = "SELECT count(DISTINCT document.id), coalesce(sum(triple.count), 0), \
    count(triple.count) FROM document LEFT JOIN triple ON triple.document_id = document.id \
    WHERE document.corpus_id = ?1";
/// Terms whose frequencies are not what the triples add up to.
const WRONG_TERMS: &str = "SELECT count(*) FROM term LEFT JOIN (\
        SELECT term_id, count(*) AS documents, sum(count) AS tokens FROM triple \
        JOIN document ON document.id = triple.document_id WHERE document.corpus_id = ?1 \
        GROUP BY term_id) AS truth ON truth.term_id = term.id \
    WHERE term.corpus_id = ?1 AND (term.document_frequency <> coalesce(truth.documents, 0) \
        OR term.total_count <> coalesce(truth.tokens, 0))";

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
            self.check_counts(&corpus, &mut problems)?;
            self.check_blocks(&corpus, &mut problems)?;
        }
        Ok(problems)
    }

    fn check_counts(&self, corpus: &Corpus, problems: &mut Vec<String>) -> Result<()> {
        let truth = self.rows(TRUE_COUNTS, [corpus.id], |row| {
            Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?, row.get::<_, u64>(2)?))
        })?;
        let saved = (corpus.documents, corpus.tokens, corpus.nonzeros);
        if truth.first() != Some(&saved) {
            problems.push(format!(
                "corpus {}: documents, tokens, nonzeros are saved as {saved:?} but add up to {:?}",
                corpus.name,
                truth.first().copied().unwrap_or_default(),
            ));
        }
        let wrong: u64 = self.scalar(WRONG_TERMS, [corpus.id])?;
        if wrong > 0 {
            problems.push(format!("corpus {}: {wrong} terms have wrong frequencies", corpus.name));
        }
        Ok(())
    }

    fn check_blocks(&self, corpus: &Corpus, problems: &mut Vec<String>) -> Result<()> {
        let blocks = CorpusBlocks::open(self, corpus.id)?;
        let all = blocks.sizes().len();
        let mut documents = 0;
        let read = blocks.visit::<StoreError>(0..all, &mut |block: &Block| {
            for (id, terms, counts) in block.documents() {
                documents += 1;
                let triples: Vec<(u32, u32)> =
                    self.rows(TRIPLES, [id], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let packed = terms.iter().copied().zip(counts.iter().copied());
                if !packed.eq(triples.iter().copied()) {
                    problems.push(format!(
                        "corpus {}: document {id} differs between its block and its triples",
                        corpus.name
                    ));
                }
            }
            Ok(())
        });
        match read {
            Err(error @ StoreError::DamagedBlock { .. }) => problems.push(error.to_string()),
            other => other?,
        }
        if documents != corpus.documents {
            problems.push(format!(
                "corpus {}: its blocks hold {documents} documents, not {}",
                corpus.name, corpus.documents
            ));
        }
        Ok(())
    }
}
