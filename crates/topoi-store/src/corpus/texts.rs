//! Reading documents' texts by id, from any number of threads.

use rusqlite::OptionalExtension;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use crate::open::Readers;

/// Whether a corpus has a document without text up to an id.
const HAS_GAPS: &str = "SELECT EXISTS (SELECT 1 FROM document WHERE corpus_id = ?1 AND id <= ?2 AND \
    NOT EXISTS (SELECT 1 FROM document_text WHERE document_id = document.id))";
const READ_TEXT: &str = "SELECT text, given_tokens FROM document_text WHERE document_id = ?1";

/// Texts in the order of their documents.
const ALL_TEXTS: &str = "SELECT t.text FROM document AS d JOIN document_text AS t ON t.document_id = d.id \
    WHERE d.corpus_id = ?1 ORDER BY d.id";

impl Store {
    /// Calls `visit` with every text of a corpus, in document order, one at a time.
    pub fn each_text(&self, corpus_id: CorpusId, visit: &mut dyn FnMut(&str)) -> Result<()> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(ALL_TEXTS)?;
            let mut rows = statement.query([corpus_id])?;
            while let Some(row) = rows.next()? {
                visit(row.get_ref(0)?.as_str()?);
            }
            Ok(())
        };
        read().map_err(|source| self.error(source))
    }
}

/// The texts of a corpus whose documents all have texts, up to some document.
///
/// Memory: one idle connection per thread; never the texts.
#[derive(Debug)]
pub struct CorpusTexts {
    readers: Readers,
}

impl CorpusTexts {
    /// The texts of corpus `corpus_id` up to the document with id `last`; `None` if one of these documents has
    /// no text.
    pub fn open(store: &Store, corpus_id: CorpusId, last: DocumentId) -> Result<Option<Self>> {
        let has_gaps: bool = store.scalar(HAS_GAPS, (corpus_id, last))?;
        Ok((!has_gaps).then(|| Self { readers: Readers::new(store) }))
    }

    /// Calls `visit` with the text of each document of `ids`, in that order, and the tokens (JSON) that its
    /// source gave beside it.
    ///
    /// # Errors
    /// [`StoreError::NoText`] if a document has no text any more.
    pub fn visit(
        &self,
        ids: &[DocumentId],
        mut visit: impl FnMut(&str, Option<&str>),
    ) -> Result<()> {
        let fail = |source| StoreError::at(self.readers.path(), source);
        self.readers.with(|connection| {
            for &id in ids {
                let mut statement = connection.prepare_cached(READ_TEXT).map_err(fail)?;
                let found = statement.query_row([id], |row| {
                    visit(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str_or_null()?);
                    Ok(())
                });
                if found.optional().map_err(fail)?.is_none() {
                    return Err(StoreError::NoText(id));
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::ingest::{IngestWriter, NewDocument};

    fn corpus_of(texts: &[Option<&str>]) -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let term = writer.term("word").expect("term");
        for (number, &text) in texts.iter().enumerate() {
            let key = number.to_string();
            let entries = [(term, 1)];
            let document = NewDocument { text, ..NewDocument::counted(&key, &entries) };
            writer.add(document).expect("add");
        }
        writer.finish().expect("finish");
        (directory, store)
    }

    #[test]
    fn texts_come_in_the_order_of_the_ids() {
        let (_directory, store) = corpus_of(&[Some("one"), Some("two"), Some("three")]);
        let texts = CorpusTexts::open(&store, CorpusId(1), DocumentId(3))
            .expect("read")
            .expect("all have text");
        let mut seen = Vec::new();
        texts
            .visit(&[DocumentId(3), DocumentId(1)], |text, _| seen.push(text.to_string()))
            .expect("read");
        assert_eq!(seen, ["three", "one"]);
        assert!(matches!(
            texts.visit(&[DocumentId(9)], |_, _| ()),
            Err(StoreError::NoText(DocumentId(9)))
        ));
    }

    #[test]
    fn documents_up_to_one_without_text_have_texts() {
        let (_directory, store) = corpus_of(&[Some("one"), None]);
        assert!(CorpusTexts::open(&store, CorpusId(1), DocumentId(1)).expect("read").is_some());
        assert!(CorpusTexts::open(&store, CorpusId(1), DocumentId(2)).expect("read").is_none());
    }
}
