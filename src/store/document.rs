//! Documents of a corpus, a page at a time.

use super::Store;
use super::error::Result;

/// A page of documents after an id: keyset paging, so that page 1,000 costs what page 1 does.
const PAGE: &str = "SELECT id, key, title, tokens, source FROM document \
                    WHERE corpus_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";

const BY_ID: &str = "SELECT id, key, title, tokens, source FROM document WHERE id = ?1";

/// The same pages of the documents whose key or title holds a text, in either direction.
const MATCHING_AFTER: &str = "SELECT id, key, title, tokens, source FROM document \
    WHERE corpus_id = ?1 AND id > ?2 AND (?4 = '' OR instr(lower(key || ' ' || \
    coalesce(title, '')), lower(?4))) ORDER BY id LIMIT ?3";
const MATCHING_BEFORE: &str = "SELECT id, key, title, tokens, source FROM document \
    WHERE corpus_id = ?1 AND id < ?2 AND (?4 = '' OR instr(lower(key || ' ' || \
    coalesce(title, '')), lower(?4))) ORDER BY id DESC LIMIT ?3";
const COUNT_MATCHING: &str = "SELECT count(*) FROM document WHERE corpus_id = ?1 AND \
    instr(lower(key || ' ' || coalesce(title, '')), lower(?2))";

/// A page of documents, told by where it begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The first documents.
    First,
    /// Those after this id.
    After(i64),
    /// Those before this id.
    Before(i64),
    /// The last documents.
    Last,
}

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

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Document> {
    Ok(Document {
        id: row.get(0)?,
        key: row.get(1)?,
        title: row.get(2)?,
        tokens: row.get(3)?,
        source: row.get(4)?,
    })
}

impl Store {
    /// The document with row id `id`, if it is still there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document(&self, id: i64) -> Result<Option<Document>> {
        Ok(self.rows(BY_ID, [id], read)?.pop())
    }

    /// Up to `limit` documents of a corpus with ids above `after`, by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents(&self, corpus_id: i64, after: i64, limit: usize) -> Result<Vec<Document>> {
        self.rows(PAGE, (corpus_id, after, limit as i64), read)
    }

    /// A page of up to `limit` documents whose key or title holds `text` (ASCII letters in
    /// either case; an empty text is in all), by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents_matching(
        &self,
        corpus_id: i64,
        text: &str,
        page: Page,
        limit: usize,
    ) -> Result<Vec<Document>> {
        let limit = limit as i64;
        let (sql, from) = match page {
            Page::First => (MATCHING_AFTER, i64::MIN),
            Page::After(id) => (MATCHING_AFTER, id),
            Page::Before(id) => (MATCHING_BEFORE, id),
            Page::Last => (MATCHING_BEFORE, i64::MAX),
        };
        let mut documents = self.rows(sql, (corpus_id, from, limit, text), read)?;
        documents.sort_unstable_by_key(|document| document.id);
        Ok(documents)
    }

    /// How many documents have `text` in their key or title.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn count_documents_matching(&self, corpus_id: i64, text: &str) -> Result<u64> {
        self.scalar(COUNT_MATCHING, (corpus_id, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ingest::{IngestWriter, NewDocument};

    #[test]
    fn pages_go_forth_and_back_and_a_filter_finds_key_or_title() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db")).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let term = writer.term("word").expect("term");
        for number in 0..10 {
            let title = (number % 2 == 0).then_some("Even Kernel");
            let key = format!("k{number}");
            let entries = [(term, 1)];
            let document = NewDocument { title, ..NewDocument::counted(&key, &entries) };
            writer.add(document).expect("add");
        }
        writer.finish().expect("finish");
        let keys = |text: &str, page| -> Vec<String> {
            let found = store.documents_matching(1, text, page, 3).expect("page");
            found.into_iter().map(|document| document.key).collect()
        };
        assert_eq!(keys("", Page::First), ["k0", "k1", "k2"]);
        assert_eq!(keys("", Page::Last), ["k7", "k8", "k9"]);
        assert_eq!(keys("", Page::Before(8)), ["k4", "k5", "k6"]);
        assert_eq!(keys("kernel", Page::After(1)), ["k2", "k4", "k6"]);
        assert_eq!(keys("K9", Page::First), ["k9"]);
        assert_eq!(store.count_documents_matching(1, "kernel").expect("count"), 5);
    }
}
