//! What is new in the documents that an update added: words that rise, and documents that the topics do not explain.

use super::finite;
use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, DocumentId, RunId, TermId};

const ADD_WORD: &str = "INSERT INTO rising_word (run_id, rank, term_id, added, earlier, p) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const ADD_DOCUMENT: &str = "INSERT INTO unexplained_document (run_id, rank, document_id, gain) \
    VALUES (?1, ?2, ?3, ?4)";
const WORDS: &str = "SELECT coalesce(term.form, term.text) AS word, added, earlier, p FROM rising_word \
    JOIN term ON term.id = term_id WHERE run_id = ?1 ORDER BY rank";
const DOCUMENTS: &str = "SELECT document.id AS id, key, title, gain FROM unexplained_document \
    JOIN document ON document.id = document_id WHERE run_id = ?1 ORDER BY rank";
const FREQUENCIES: &str =
    "SELECT id, document_frequency FROM term WHERE corpus_id = ?1 ORDER BY position";

/// What is new with an update, to be saved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Novelty {
    /// (term, added documents with it, earlier documents with it, p), the clearest first.
    pub rising: Vec<(TermId, u64, u64, f64)>,
    /// (document, gain), the least explained first.
    pub unexplained: Vec<(DocumentId, f64)>,
}

/// A word that rises.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RisingWord {
    pub word: String,
    /// Documents with it among those that the update added.
    pub added: u64,
    /// Documents with it before.
    pub earlier: u64,
    /// The probability of `added` or more by chance.
    pub p: f64,
}

/// A document that the topics do not explain.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct UnexplainedDocument {
    pub document: DocumentId,
    pub key: String,
    pub title: Option<String>,
    /// What a token gains by the topics over the frequencies of words alone, nats.
    pub gain: f64,
}

impl Store {
    /// The words that rose with an update, the clearest first.
    pub fn rising_words(&self, run: RunId) -> Result<Vec<RisingWord>> {
        self.rows(WORDS, [run], |row| {
            Ok(RisingWord {
                word: row.get("word")?,
                added: row.get("added")?,
                earlier: row.get("earlier")?,
                p: finite(row, "p")?,
            })
        })
    }

    /// The existing documents that an update added and explains worst, those first.
    pub fn unexplained_documents(&self, run: RunId) -> Result<Vec<UnexplainedDocument>> {
        self.rows(DOCUMENTS, [run], |row| {
            Ok(UnexplainedDocument {
                document: row.get("id")?,
                key: row.get("key")?,
                title: row.get("title")?,
                gain: finite(row, "gain")?,
            })
        })
    }

    /// The terms of a corpus in order of position, with the number of documents that have them.
    pub fn document_frequencies(&self, corpus: CorpusId) -> Result<Vec<(TermId, u64)>> {
        self.rows(FREQUENCIES, [corpus], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    pub(super) fn insert_novelty(&self, run: RunId, novelty: &Novelty) -> Result<()> {
        let words = (1i64..).zip(&novelty.rising);
        self.execute_each(
            ADD_WORD,
            words.map(|(rank, &(term, added, earlier, p))| (run, rank, term, added, earlier, p)),
        )?;
        let documents = (1i64..).zip(&novelty.unexplained);
        self.execute_each(
            ADD_DOCUMENT,
            documents.map(|(rank, &(document, gain))| (run, rank, document, gain)),
        )
    }
}
