//! Terms of a corpus and how often they occur.

use crate::store::Store;
use crate::store::error::Result;

/// Terms of a corpus by position.
const ALL: &str = "SELECT id, text, document_frequency, total_count FROM term \
                   WHERE corpus_id = ?1 ORDER BY position";
/// The most frequent terms.
const MOST_FREQUENT: &str = "SELECT id, text, document_frequency, total_count FROM term \
                             WHERE corpus_id = ?1 ORDER BY total_count DESC, position LIMIT ?2";

/// Terms that hold a text.
const HOLDS: &str = "corpus_id = ?1 AND (?2 = '' OR instr(lower(text), lower(?2)))";

/// What terms are ordered by; equal ones by position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TermKey {
    /// Their numbers of tokens.
    #[default]
    Tokens,
    /// Their numbers of documents.
    Documents,
    /// The terms themselves.
    Text,
}

/// An order of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermOrder {
    /// What counts.
    pub by: TermKey,
    /// The largest first.
    pub descending: bool,
}

impl Default for TermOrder {
    fn default() -> Self {
        Self { by: TermKey::Tokens, descending: true }
    }
}

/// A term of a corpus. Its index in a list by position is the position packed blocks use.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Term {
    /// Row id.
    pub id: i64,
    /// The term itself.
    pub text: String,
    /// Number of documents it occurs in.
    pub document_frequency: u64,
    /// Number of its tokens.
    pub total_count: u64,
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Term> {
    Ok(Term {
        id: row.get(0)?,
        text: row.get(1)?,
        document_frequency: row.get(2)?,
        total_count: row.get(3)?,
    })
}

impl Store {
    /// All terms of a corpus in order of position: entry p is the term at position p.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn terms(&self, corpus_id: i64) -> Result<Vec<Term>> {
        self.rows(ALL, [corpus_id], read)
    }

    /// The `limit` terms with the most tokens, most frequent first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn frequent_terms(&self, corpus_id: i64, limit: usize) -> Result<Vec<Term>> {
        self.rows(MOST_FREQUENT, (corpus_id, limit as i64), read)
    }

    /// The first `limit` terms, in `order`, that hold `text` (ASCII letters in either case; an
    /// empty text is in all). One scan of the corpus's terms.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn terms_matching(
        &self,
        corpus_id: i64,
        text: &str,
        order: TermOrder,
        limit: usize,
    ) -> Result<Vec<Term>> {
        let key = match order.by {
            TermKey::Tokens => "total_count",
            TermKey::Documents => "document_frequency",
            TermKey::Text => "text",
        };
        let direction = if order.descending { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT id, text, document_frequency, total_count FROM term WHERE {HOLDS} \
             ORDER BY {key} {direction}, position LIMIT ?3"
        );
        self.rows(&sql, (corpus_id, text, limit as i64), read)
    }

    /// How many terms hold `text`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn count_terms_matching(&self, corpus_id: i64, text: &str) -> Result<u64> {
        self.scalar(&format!("SELECT count(*) FROM term WHERE {HOLDS}"), (corpus_id, text))
    }
}
