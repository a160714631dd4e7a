//! Vectors of documents that another program made (embeddings).

use rusqlite::types::ValueRef;

use super::Corpus;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use topoi_core::vectors::{MAX_DIMENSIONS, UnitVectors, length};

const OF_CORPUS: &str = "SELECT corpus_id, dimensions, source, hash, imported_at, \
    (SELECT count(*) FROM document_vector AS v WHERE EXISTS \
        (SELECT 1 FROM document WHERE id = v.document_id AND corpus_id = ?1)) \
    FROM embedding WHERE corpus_id = ?1";
const INSERT: &str = "INSERT INTO embedding (corpus_id, dimensions, source, hash, imported_at) \
    VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ'))";
const INSERT_VECTOR: &str = "INSERT INTO document_vector (document_id, vector) VALUES (?1, ?2)";
const DELETE: &str = "DELETE FROM embedding WHERE corpus_id = ?1";
const DELETE_VECTORS: &str = "DELETE FROM document_vector WHERE document_id IN \
    (SELECT id FROM document WHERE corpus_id = ?1)";
/// In the order of documents: the vectors are read by id.
const VECTORS: &str = "SELECT document_id, vector FROM document_vector AS v WHERE EXISTS \
    (SELECT 1 FROM document WHERE id = v.document_id AND corpus_id = ?1) ORDER BY document_id";
const FORGET: &str = "DELETE FROM document_vector WHERE document_id = ?1 AND NOT EXISTS \
    (SELECT 1 FROM document_text WHERE document_id = ?1 AND text = ?2)";

/// How far the length of a saved vector may be from 1; rounding is a thousand times less.
const LENGTH_ERROR: f64 = 1e-3;

/// The origin of the vectors of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Embedding {
    /// Numbers of a vector.
    pub dimensions: u64,
    /// Name of the file.
    pub source: String,
    /// BLAKE3 hash of the file, in hexadecimal digits.
    pub hash: String,
    /// When it was imported, UTC.
    pub imported_at: String,
    /// Number of documents that have a vector.
    pub documents: u64,
}

/// Vectors of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentVectors {
    /// The documents of the rows, ascending.
    pub ids: Vec<DocumentId>,
    /// Their vectors.
    pub vectors: UnitVectors,
}

impl DocumentVectors {
    /// The row of a document.
    pub fn position(&self, id: DocumentId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }
}

impl Store {
    /// Where the vectors of a corpus are from; `None` without any.
    pub fn embedding(&self, corpus_id: CorpusId) -> Result<Option<Embedding>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Embedding {
                dimensions: row.get(1)?,
                source: row.get(2)?,
                hash: row.get(3)?,
                imported_at: row.get(4)?,
                documents: row.get(5)?,
            })
        };
        Ok(self.rows(OF_CORPUS, [corpus_id], read)?.pop())
    }

    /// Replaces the vectors of a corpus by those of a file with this name and hash. One transaction; calls `progress` with
    /// the number of documents that are done.
    pub fn save_vectors(
        &mut self,
        corpus_id: CorpusId,
        (source, hash): (&str, &str),
        found: &DocumentVectors,
        mut progress: impl FnMut(u64),
    ) -> Result<()> {
        self.transaction(|store| {
            store.execute(DELETE_VECTORS, [corpus_id])?;
            store.execute(DELETE, [corpus_id])?;
            let dimensions = found.vectors.dimensions() as u64;
            store.execute(INSERT, (corpus_id, dimensions, source, hash))?;
            let rows = (1..).zip(&found.ids).zip(found.vectors.rows());
            store.execute_each(
                INSERT_VECTOR,
                rows.map(|((done, &id), row)| {
                    progress(done);
                    (id, row.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
                }),
            )
        })
    }

    /// The vectors of a corpus, in the order of its documents; `None` without any.
    ///
    /// # Errors
    /// [`StoreError::DamagedVectors`] for vectors of other dimensions or not of length 1.
    pub fn vectors(&self, corpus: &Corpus) -> Result<Option<DocumentVectors>> {
        let Some(embedding) = self.embedding(corpus.id)? else { return Ok(None) };
        let damaged = |what| StoreError::DamagedVectors { corpus: corpus.name.clone(), what };
        let dimensions = usize::try_from(embedding.dimensions).unwrap_or_default();
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            return Err(damaged("the dimensions of its vectors are out of range"));
        }
        let (mut ids, mut numbers, mut is_sound) = (Vec::new(), Vec::new(), true);
        self.rows(VECTORS, [corpus.id], |row| {
            let from = numbers.len();
            if let ValueRef::Blob(bytes) = row.get_ref(1)?
                && bytes.len() == 4 * dimensions
            {
                let number =
                    |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap_or_default());
                numbers.extend(bytes.chunks_exact(4).map(number));
                ids.push(row.get(0)?);
            }
            is_sound &= (length(&numbers[from..]) - 1.0).abs() <= LENGTH_ERROR;
            Ok(())
        })?;
        if !is_sound {
            return Err(damaged(
                "vectors of its documents are not of its dimensions, or not of length 1",
            ));
        }
        if ids.is_empty() {
            return Ok(None);
        }
        Ok(Some(DocumentVectors { ids, vectors: UnitVectors::from_unit_rows(dimensions, numbers) }))
    }

    /// Deletes the vector of a document that gets another text.
    pub(crate) fn forget_vector_of_other_text(
        &self,
        id: DocumentId,
        text: Option<&str>,
    ) -> Result<()> {
        self.execute(FORGET, (id, text)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::ingest::{IngestWriter, NewDocument};

    fn ingest(store: &Store, texts: &[(&str, &str)]) {
        let mut writer = IngestWriter::begin(store, "c", "{}", "here", "lines").expect("begun");
        for (key, text) in texts {
            let terms = [("text", 1)];
            let hash = format!("{text:16}");
            let document = NewDocument {
                text: Some(text),
                terms: &terms,
                content_hash: &hash.as_bytes()[..16],
                ..NewDocument::counted(key, &[])
            };
            writer.add(document).expect("added");
        }
        writer.finish().expect("finished");
    }

    fn store() -> (tempfile::TempDir, Store, Corpus) {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &[("a", "one"), ("b", "two"), ("c", "three")]);
        let corpus = store.corpus("c").expect("corpus");
        (directory, store, corpus)
    }

    fn vectors(ids: &[i64]) -> DocumentVectors {
        let numbers = ids.iter().flat_map(|&id| [id as f32, 1.0]).collect();
        DocumentVectors {
            ids: ids.iter().copied().map(DocumentId).collect(),
            vectors: UnitVectors::from_rows(2, numbers).expect("vectors"),
        }
    }

    #[test]
    fn vectors_are_read_as_they_were_saved_and_replaced_together() {
        let (_directory, mut store, corpus) = store();
        assert_eq!(store.vectors(&corpus).expect("read"), None);
        for ids in [&[1, 2, 3][..], &[1, 3]] {
            let saved = vectors(ids);
            let mut done = 0;
            store.save_vectors(corpus.id, ("e.npy", "ab"), &saved, |n| done = n).expect("saved");
            assert_eq!(done, ids.len() as u64);
            assert_eq!(store.vectors(&corpus).expect("read"), Some(saved));
            let embedding = store.embedding(corpus.id).expect("read").expect("one");
            assert_eq!((embedding.dimensions, embedding.documents), (2, done));
            assert_eq!((&*embedding.source, &*embedding.hash), ("e.npy", "ab"));
        }
    }

    #[test]
    fn a_document_loses_its_vector_with_its_text() {
        let (_directory, mut store, corpus) = store();
        let saved = vectors(&[1, 2, 3]);
        store.save_vectors(corpus.id, ("e.npy", "ab"), &saved, |_| {}).expect("saved");
        ingest(&store, &[("a", "one"), ("b", "another")]);
        let ids = |store: &Store| store.vectors(&corpus).expect("read").map(|found| found.ids);
        assert_eq!(ids(&store), Some([1, 3].map(DocumentId).to_vec()));
        let allow = |_: &Store| Ok::<(), StoreError>(());
        store.delete_documents(corpus.id, &[DocumentId(3)], None, allow).expect("deleted");
        assert_eq!(ids(&store), Some(vec![DocumentId(1)]));
        store.execute("DELETE FROM document WHERE id = 1", []).expect("deleted");
        assert_eq!(ids(&store), None);
        let left: u64 = store.scalar("SELECT count(*) FROM document_vector", []).expect("read");
        assert_eq!(left, 0);
    }

    #[test]
    fn damaged_vectors_are_an_error() {
        for damage in [
            "UPDATE document_vector SET vector = zeroblob(8)",
            "UPDATE document_vector SET vector = x'0000807f0000807f'",
            "UPDATE document_vector SET vector = zeroblob(7)",
            "UPDATE embedding SET dimensions = 0",
            "UPDATE embedding SET dimensions = 3",
        ] {
            let (_directory, mut store, corpus) = store();
            store
                .save_vectors(corpus.id, ("e.npy", "ab"), &vectors(&[1, 2]), |_| {})
                .expect("saved");
            store.execute(damage, []).expect(damage);
            let error = store.vectors(&corpus).expect_err(damage);
            assert!(matches!(error, StoreError::DamagedVectors { .. }), "{damage}: {error}");
        }
    }
}
