//! Documents: their rows, texts and words, singly or by page in any of several orders.
//! Keyset paging: a page begins after the last document of the previous one, so page 1,000 by id costs as much
//! as page 1. By key, title or tokens, a page is one scan of the corpus's rows. A filter is applied in the same
//! scan.

use crate::Store;
use crate::corpus::Corpus;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use crate::integer::saturated;

/// A page of documents after an id.
const PAGE: &str = "SELECT id, key, title, tokens, source FROM document \
                    WHERE corpus_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";

const ONE: &str = "SELECT id, key, title, tokens, source FROM document WHERE id = ?1";
const OF_KEY: &str = "SELECT id FROM document WHERE corpus_id = ?1 AND key = ?2";
const COUNT_SHORT: &str = "SELECT count(*) FROM document WHERE +corpus_id = ?1 AND tokens < ?2";
const TEXT: &str = "SELECT text FROM document_text WHERE document_id = ?1";
const TOKENS: &str = "SELECT given_tokens FROM document_text WHERE document_id = ?1";
const BEGINNING: &str = "SELECT substr(text, 1, ?2) FROM document_text WHERE document_id = ?1";
const FIELDS: &str = "SELECT fields FROM document WHERE id = ?1 AND fields IS NOT NULL";
const COUNTS: &str = "SELECT coalesce(term.form, term.text) AS word, triple.count FROM triple JOIN term \
    ON term.id = triple.term_id WHERE triple.document_id = ?1 \
    ORDER BY triple.count DESC, word";

/// A document's row, without its text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Document {
    /// Row id; later documents have larger ids.
    pub id: DocumentId,
    /// Its key in the source, unique in the corpus.
    pub key: String,
    /// Its title, if the source has one.
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
    pub fn documents(
        &self,
        corpus_id: CorpusId,
        after: DocumentId,
        limit: usize,
    ) -> Result<Vec<Document>> {
        self.rows(PAGE, (corpus_id, after, saturated(limit)), read)
    }

    /// Number of documents of a corpus with fewer than `tokens` tokens. Reads every row.
    pub fn count_short_documents(&self, corpus_id: CorpusId, tokens: u64) -> Result<u64> {
        let tokens = i64::try_from(tokens).unwrap_or(i64::MAX);
        self.scalar(COUNT_SHORT, (corpus_id, tokens))
    }

    /// The document with this id, unless it has been deleted.
    pub fn document(&self, id: DocumentId) -> Result<Option<Document>> {
        Ok(self.rows(ONE, [id], read)?.pop())
    }

    /// The id of the document of a corpus with this key.
    ///
    /// # Errors
    /// [`StoreError::NoDocument`] if no document has the key.
    pub fn id_of_document(&self, corpus: &Corpus, key: &str) -> Result<DocumentId> {
        let found = self.rows(OF_KEY, (corpus.id, key), |row| row.get(0))?.pop();
        found.ok_or_else(|| StoreError::NoDocument { corpus: corpus.name.clone(), key: key.into() })
    }

    /// The tokens of all documents of a corpus, by id.
    pub fn tokens_of_documents(&self, corpus_id: CorpusId) -> Result<Vec<(DocumentId, u64)>> {
        let sql = "SELECT id, tokens FROM document WHERE corpus_id = ?1 ORDER BY id";
        self.rows(sql, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The text of a document, if its source has one.
    pub fn document_text(&self, id: DocumentId) -> Result<Option<String>> {
        Ok(self.rows(TEXT, [id], |row| row.get(0))?.pop())
    }

    /// The tokens that the source gave beside a document's text, as JSON.
    pub fn document_tokens(&self, id: DocumentId) -> Result<Option<String>> {
        Ok(self.rows(TOKENS, [id], |row| row.get(0))?.pop().flatten())
    }

    /// The first `letters` characters of a document's text, if its source has one.
    pub fn document_beginning(&self, id: DocumentId, letters: usize) -> Result<Option<String>> {
        Ok(self.rows(BEGINNING, (id, saturated(letters)), |row| row.get(0))?.pop())
    }

    /// The fields of a document, a JSON object; `None` if it has none.
    pub fn document_fields(&self, id: DocumentId) -> Result<Option<String>> {
        Ok(self.rows(FIELDS, [id], |row| row.get(0))?.pop())
    }

    /// The terms of a document with their counts, most frequent first.
    pub fn document_counts(&self, id: DocumentId) -> Result<Vec<(String, u64)>> {
        self.rows(COUNTS, [id], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?.into())))
    }
}

/// A filter on key and title.
const HOLDS: &str = "(?2 = '' OR instr(lower(key || ' ' || coalesce(title, '')), lower(?2)))";
/// The unary plus keeps SQLite from walking the index of keys, which it would have to sort.
const COUNT_MATCHING: &str = "SELECT count(*) FROM document WHERE +corpus_id = ?1 AND \
    instr(lower(key || ' ' || coalesce(title, '')), lower(?2))";

/// The sort key of lists of documents; ties are broken by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocumentSortKey {
    /// The order of ingestion.
    #[default]
    Added,
    /// Document keys in natural order: 2 before 10.
    Key,
    /// Titles; documents without one first.
    Title,
    /// Numbers of tokens.
    Tokens,
}

impl DocumentSortKey {
    fn expression(self) -> &'static str {
        match self {
            Self::Added => "id",
            Self::Key => "natural_order(key)",
            Self::Title => "coalesce(title, '')",
            Self::Tokens => "tokens",
        }
    }
}

/// How lists of documents are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentOrder {
    /// The sort key.
    pub by: DocumentSortKey,
    /// Whether the largest is first.
    pub descending: bool,
}

/// A page of a sorted list of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The first page.
    First,
    /// The page after the document with this id.
    After(DocumentId),
    /// The page before the document with this id.
    Before(DocumentId),
    /// The last page.
    Last,
}

impl Store {
    /// A page of up to `limit` documents, in `order`, whose key or title contains `text`. ASCII letters match
    /// in either case; an empty `text` matches all.
    pub fn documents_matching(
        &self,
        corpus_id: CorpusId,
        text: &str,
        order: DocumentOrder,
        page: Page,
        limit: usize,
    ) -> Result<Vec<Document>> {
        let backwards = matches!(page, Page::Before(_) | Page::Last);
        let from = match page {
            Page::After(id) | Page::Before(id) => Some(id),
            Page::First | Page::Last => None,
        };
        let sql = page_sql(order.by, order.descending != backwards, from.is_some());
        let values = (corpus_id, text, saturated(limit), from.unwrap_or_default());
        let mut documents = self.rows(&sql, values, read)?;
        if backwards {
            documents.reverse();
        }
        Ok(documents)
    }

    /// A number that grows whenever a document of any corpus is added or replaced.
    pub fn documents_version(&self) -> Result<i64> {
        self.scalar("SELECT id FROM next_document", [])
    }

    /// Number of documents whose key or title contains `text`.
    pub fn count_documents_matching(&self, corpus_id: CorpusId, text: &str) -> Result<u64> {
        self.scalar(COUNT_MATCHING, (corpus_id, text))
    }
}

fn page_sql(by: DocumentSortKey, descending: bool, from: bool) -> String {
    let (direction, sign) = if descending { ("DESC", "<") } else { ("ASC", ">") };
    let key = by.expression();
    let begins = match (from, by) {
        // Every statement takes the same four values.
        (false, _) => "?4 IS NOT NULL".to_string(),
        (true, DocumentSortKey::Added) => format!("id {sign} ?4"),
        (true, _) => {
            format!("({key}, id) {sign} (SELECT {key}, id FROM document WHERE id = ?4)")
        }
    };
    let order = match by {
        DocumentSortKey::Added => format!("id {direction}"),
        _ => format!("{key} {direction}, id {direction}"),
    };
    format!(
        "SELECT id, key, title, tokens, source FROM document \
         WHERE +corpus_id = ?1 AND {HOLDS} AND {begins} ORDER BY {order} LIMIT ?3"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::ingest::{IngestWriter, NewDocument};

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
        assert_eq!(
            store.document(DocumentId(1)).expect("read").map(|d| d.key).as_deref(),
            Some("a")
        );
        assert_eq!(store.document(DocumentId(2)).expect("read"), None);
        assert_eq!(
            store.document_text(DocumentId(1)).expect("read").as_deref(),
            Some("two one two")
        );
        assert_eq!(
            store.document_beginning(DocumentId(1), 5).expect("read").as_deref(),
            Some("two o")
        );
        assert_eq!(store.document_fields(DocumentId(1)).expect("read"), None);
        let counts = store.document_counts(DocumentId(1)).expect("read");
        assert_eq!(counts, [("two".to_string(), 2), ("one".to_string(), 1)]);
    }

    fn store_of_ten() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let term = writer.term("word").expect("term");
        for number in 0..10_u32 {
            let title = (number % 2 == 0).then_some("Even Kernel");
            let key = format!("k{}", (number * 7) % 10);
            let entries = [(term, 1 + number % 3)];
            let document = NewDocument { title, ..NewDocument::counted(&key, &entries) };
            writer.add(document).expect("add");
        }
        writer.finish().expect("finish");
        (directory, store)
    }

    #[test]
    fn a_filter_finds_key_or_title() {
        let (_directory, store) = store_of_ten();
        let ids = |text: &str, page| -> Vec<DocumentId> {
            let order = DocumentOrder::default();
            let found = store.documents_matching(CorpusId(1), text, order, page, 3).expect("page");
            found.into_iter().map(|document| document.id).collect()
        };
        assert_eq!(ids("", Page::First), [1, 2, 3].map(DocumentId));
        assert_eq!(ids("", Page::Last), [8, 9, 10].map(DocumentId));
        assert_eq!(ids("", Page::Before(DocumentId(8))), [5, 6, 7].map(DocumentId));
        assert_eq!(ids("kernel", Page::After(DocumentId(1))), [3, 5, 7].map(DocumentId));
        assert_eq!(ids("K9", Page::First), [8].map(DocumentId));
        assert_eq!(store.count_documents_matching(CorpusId(1), "kernel").expect("count"), 5);
    }

    #[test]
    fn keys_are_sorted_as_people_count() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        for key in ["c:1", "c:10", "c:2", "b:7", "c:010x", "c:100"] {
            writer.add(NewDocument::counted(key, &[])).expect("add");
        }
        writer.finish().expect("finish");
        let order = DocumentOrder { by: DocumentSortKey::Key, descending: false };
        let first = store.documents_matching(CorpusId(1), "", order, Page::First, 3).expect("page");
        let last = Page::After(first[2].id);
        let rest = store.documents_matching(CorpusId(1), "", order, last, 9).expect("page");
        let keys: Vec<&str> = first.iter().chain(&rest).map(|d| d.key.as_str()).collect();
        assert_eq!(keys, ["b:7", "c:1", "c:2", "c:10", "c:010x", "c:100"]);
    }

    #[test]
    fn in_every_order_pages_forth_and_back_are_the_sorted_list() {
        let (_directory, store) = store_of_ten();
        let all = store.documents(CorpusId(1), DocumentId(0), 100).expect("documents");
        for by in [
            DocumentSortKey::Added,
            DocumentSortKey::Key,
            DocumentSortKey::Title,
            DocumentSortKey::Tokens,
        ] {
            for descending in [false, true] {
                let order = DocumentOrder { by, descending };
                let mut sorted = all.clone();
                sorted.sort_by_key(|d| {
                    let text = match by {
                        DocumentSortKey::Key => d.key.clone(),
                        DocumentSortKey::Title => d.title.clone().unwrap_or_default(),
                        _ => String::new(),
                    };
                    (text, if by == DocumentSortKey::Tokens { d.tokens } else { 0 }, d.id)
                });
                if descending {
                    sorted.reverse();
                }
                let page =
                    |page| store.documents_matching(CorpusId(1), "", order, page, 4).expect("page");
                let mut forth = page(Page::First);
                let mut back = page(Page::Last);
                while let Some(last) = forth.last().map(|d| d.id) {
                    let more = page(Page::After(last));
                    if more.is_empty() {
                        break;
                    }
                    forth.extend(more);
                }
                while let Some(first) = back.first().map(|d| d.id) {
                    let more = page(Page::Before(first));
                    if more.is_empty() {
                        break;
                    }
                    back.splice(0..0, more);
                }
                assert_eq!((&forth, &back), (&sorted, &sorted), "{order:?}");
            }
        }
    }
}
