//! Corpora: one row per corpus.

pub mod chunk;
pub mod content_hash;
pub mod delete;
pub mod document;
pub mod fields;
pub mod joined;
pub mod term;
pub(crate) mod term_form;
pub mod texts;
pub mod vectors;
pub mod vocabulary;

use self::content_hash::DocumentsHash;
use super::Store;
use super::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};

/// Ids and content hashes of a corpus's documents in order, without sorting: documents are read by id from the
/// corpus's first one.
const CONTENTS: &str = "SELECT id, content_hash FROM document WHERE +corpus_id = ?1 AND id >= \
    (SELECT min(first_document_id) FROM block WHERE corpus_id = ?1) AND id <= ?2 ORDER BY id";
/// The id of a corpus's last document.
const LAST_DOCUMENT: &str =
    "SELECT id FROM document WHERE +corpus_id = ?1 ORDER BY id DESC LIMIT 1";

/// All columns of a corpus, by the names that [`read`] uses.
const CORPORA: &str = "SELECT *, (SELECT parts FROM divided_corpus WHERE corpus_id = corpus.id) \
    AS parts_elsewhere FROM corpus";

/// A corpus and its exact counts.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Corpus {
    /// Row id in the store.
    pub id: CorpusId,
    /// Its name, unique in the store.
    pub name: String,
    /// Time of creation, UTC.
    pub created_at: String,
    /// Number of documents.
    pub documents: u64,
    /// Number of distinct terms.
    pub terms: u64,
    /// Number of tokens.
    pub tokens: u64,
    /// Number of (document, term) pairs.
    pub nonzeros: u64,
    /// Its token settings, as JSON; the same for every ingest into it.
    pub settings: String,
    /// Field values that mean "missing" in its sources, such as NA.
    #[serde(skip)]
    pub missing: Vec<String>,
    /// Number of other stores that contain its documents, each a part; `None` if they are in this one.
    pub parts_elsewhere: Option<u64>,
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Corpus> {
    Ok(Corpus {
        id: row.get("id")?,
        name: row.get("name")?,
        created_at: row.get("created_at")?,
        documents: row.get("documents")?,
        terms: row.get("terms")?,
        tokens: row.get("tokens")?,
        nonzeros: row.get("nonzeros")?,
        settings: row.get("settings")?,
        missing: fields::marks(&row.get::<_, String>("missing")?),
        parts_elsewhere: row.get("parts_elsewhere")?,
    })
}

impl Store {
    /// All corpora, by name.
    pub fn corpora(&self) -> Result<Vec<Corpus>> {
        self.rows(&format!("{CORPORA} ORDER BY name"), [], read)
    }

    /// The corpus called `name`, if it exists.
    pub fn find_corpus(&self, name: &str) -> Result<Option<Corpus>> {
        Ok(self.rows(&format!("{CORPORA} WHERE name = ?1"), [name], read)?.pop())
    }

    /// The corpus called `name`.
    ///
    /// # Errors
    /// [`StoreError::UnknownCorpus`], with the known names.
    pub fn corpus(&self, name: &str) -> Result<Corpus> {
        match self.find_corpus(name)? {
            Some(corpus) => Ok(corpus),
            None => {
                let known = self.corpora()?.into_iter().map(|corpus| corpus.name).collect();
                Err(StoreError::UnknownCorpus { name: name.into(), known })
            }
        }
    }

    /// The corpus with row id `id`, for rows that refer to it.
    ///
    /// # Errors
    /// [`StoreError::UnknownCorpus`] if it has been deleted.
    pub fn corpus_by_id(&self, id: CorpusId) -> Result<Corpus> {
        let found = self.rows(&format!("{CORPORA} WHERE id = ?1"), [id], read)?.pop();
        found.ok_or(StoreError::UnknownCorpus { name: format!("#{id}"), known: Vec::new() })
    }

    /// Sixteen bytes that identify the documents of a corpus and their ids, which are their order.
    pub fn corpus_hash(&self, id: CorpusId) -> Result<Vec<u8>> {
        Ok(self.documents_hash(id)?.to_bytes().to_vec())
    }

    fn documents_hash(&self, id: CorpusId) -> Result<DocumentsHash> {
        let bytes: Vec<u8> =
            self.scalar("SELECT documents_hash FROM corpus WHERE id = ?1", [id])?;
        DocumentsHash::from_bytes(&bytes).ok_or_else(|| StoreError::DamagedCorpus {
            corpus: format!("#{id}"),
            what: "documents_hash is not of 16 bytes".into(),
        })
    }

    /// Adds changes to the hash of a corpus's documents.
    pub(crate) fn add_to_documents_hash(&self, id: CorpusId, more: DocumentsHash) -> Result<()> {
        let hash = self.documents_hash(id)?.with(more);
        self.set_documents_hash(id, &hash.to_bytes()).map(drop)
    }

    /// Returns 1 if the hash was another.
    pub(crate) fn set_documents_hash(&self, id: CorpusId, hash: &[u8]) -> Result<usize> {
        let sql = "UPDATE corpus SET documents_hash = ?2 WHERE id = ?1 AND documents_hash <> ?2";
        self.execute(sql, (id, hash))
    }

    /// As [`Store::corpus_hash`], of the documents with ids up to `last` only. Reads each document's row once, in constant
    /// memory.
    pub fn corpus_hash_up_to(&self, id: CorpusId, last: DocumentId) -> Result<Vec<u8>> {
        let mut hash = DocumentsHash::default();
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(CONTENTS)?;
            let mut rows = statement.query((id, last))?;
            while let Some(row) = rows.next()? {
                hash.add(row.get(0)?, row.get_ref(1)?.as_blob()?);
            }
            Ok(())
        };
        read().map_err(|source| self.error(source))?;
        Ok(hash.to_bytes().to_vec())
    }

    /// The id of the last document of a corpus; 0 if it has none.
    pub fn last_document(&self, id: CorpusId) -> Result<DocumentId> {
        let last: Vec<DocumentId> = self.rows(LAST_DOCUMENT, [id], |row| row.get(0))?;
        Ok(last.first().copied().unwrap_or(DocumentId(0)))
    }
}
