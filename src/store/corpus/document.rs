//! Documents: their rows, texts and words.

use crate::store::Store;
use crate::store::error::Result;

/// A page of documents after an id: keyset paging, so that page 1,000 costs what page 1 does.
const PAGE: &str = "SELECT id, key, title, tokens, source FROM document \
                    WHERE corpus_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";

const ONE: &str = "SELECT id, key, title, tokens, source FROM document WHERE id = ?1";
const TEXT: &str = "SELECT text FROM document_text WHERE document_id = ?1";
const COUNTS: &str = "SELECT term.text, triple.count FROM triple JOIN term \
    ON term.id = triple.term_id WHERE triple.document_id = ?1 \
    ORDER BY triple.count DESC, term.text";

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

pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        id: row.get("id")?,
        key: row.get("key")?,
        title: row.get("title")?,
        tokens: row.get("tokens")?,
        source: row.get("source")?,
    })
}

impl Store {
    /// Up to `limit` documents of a corpus with ids above `after`, by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents(&self, corpus_id: i64, after: i64, limit: usize) -> Result<Vec<Document>> {
        self.rows(PAGE, (corpus_id, after, limit as i64), read)
    }

    /// The document of this id, if it is still there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document(&self, id: i64) -> Result<Option<Document>> {
        Ok(self.rows(ONE, [id], read)?.pop())
    }

    /// The text of a document, where its source gave one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document_text(&self, id: i64) -> Result<Option<String>> {
        Ok(self.rows(TEXT, [id], |row| row.get(0))?.pop())
    }

    /// The terms of a document with their counts, the most frequent first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document_counts(&self, id: i64) -> Result<Vec<(String, u64)>> {
        self.rows(COUNTS, [id], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Access;
    use crate::store::ingest::{IngestWriter, NewDocument};

    #[test]
    fn a_document_has_its_text_and_its_counts() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let terms = [writer.term("one").expect("term"), writer.term("two").expect("term")];
        let text = Some("two one two");
        let entries = [(terms[0], 1), (terms[1], 2)];
        let document = NewDocument { text, ..NewDocument::counted("a", &entries) };
        writer.add(document).expect("add");
        writer.finish().expect("finish");
        assert_eq!(store.document(1).expect("read").map(|d| d.key).as_deref(), Some("a"));
        assert_eq!(store.document(2).expect("read"), None);
        assert_eq!(store.document_text(1).expect("read").as_deref(), Some("two one two"));
        let counts = store.document_counts(1).expect("read");
        assert_eq!(counts, [("two".to_string(), 2), ("one".to_string(), 1)]);
    }
}
