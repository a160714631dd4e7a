//! Documents of a corpus, a page at a time.

use super::Store;
use super::error::Result;

/// A page of documents after an id: keyset paging, so that page 1,000 costs what page 1 does.
const PAGE: &str = "SELECT id, key, title, tokens, source FROM document \
                    WHERE corpus_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";

/// A document's row, without its text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Document {
    /// Row id; later documents have larger ids.
    pub id: i64,
    /// The key it has in its source, unique in the corpus.
    pub key: String,
    /// Its title, where the source gave one.
    pub title: Option<String>,
    /// Number of tokens.
    pub tokens: u64,
    /// The file it came from.
    pub source: String,
}

impl Store {
    /// Up to `limit` documents of a corpus with ids above `after`, by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents(&self, corpus_id: i64, after: i64, limit: usize) -> Result<Vec<Document>> {
        self.rows(PAGE, (corpus_id, after, limit as i64), |row| {
            Ok(Document {
                id: row.get(0)?,
                key: row.get(1)?,
                title: row.get(2)?,
                tokens: row.get(3)?,
                source: row.get(4)?,
            })
        })
    }
}
