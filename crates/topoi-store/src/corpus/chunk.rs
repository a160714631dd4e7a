//! Chunks of documents, and the parent documents they were cut from.

use std::collections::HashMap;

use crate::Store;
use crate::corpus::document::{self, Document};
use crate::error::Result;
use crate::id::{CorpusId, DocumentId, RunId, TopicNumber};

const PARENT_OF: &str = "SELECT parent.id, parent.key, parent.title, chunk.position, \
    (SELECT count(*) FROM chunk AS each WHERE each.parent_id = parent.id) AS chunks \
    FROM chunk JOIN parent_document AS parent ON parent.id = chunk.parent_id \
    WHERE chunk.document_id = ?1";
const CHUNKS: &str = "SELECT document.id, document.key, document.title, document.tokens, \
    document.source FROM chunk JOIN document ON document.id = chunk.document_id \
    WHERE chunk.parent_id = ?1 ORDER BY chunk.position LIMIT ?2";
const TOPICS: &str = "SELECT topic, proportion FROM parent_topic \
    WHERE run_id = ?1 AND parent_id = ?2 ORDER BY proportion DESC, topic";
const POSITION_OF_KEY: &str = "SELECT parent.key, chunk.position FROM document \
    JOIN chunk ON chunk.document_id = document.id \
    JOIN parent_document AS parent ON parent.id = chunk.parent_id \
    WHERE document.corpus_id = ?1 AND document.key = ?2";
const ARE_CHUNKS: &str = "SELECT EXISTS (SELECT 1 FROM parent_document WHERE corpus_id = ?1)";

/// The origin of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Chunk {
    /// Row id of the document it was cut from.
    pub parent_id: i64,
    /// The key of that document.
    pub parent: String,
    /// The title of that document, where the source gave one.
    pub title: Option<String>,
    /// Its position among the chunks, from 1.
    pub position: u64,
    /// Number of chunks of that document.
    pub chunks: u64,
}

impl Store {
    /// Whether the documents of a corpus are chunks.
    pub fn has_chunks(&self, corpus_id: CorpusId) -> Result<bool> {
        self.scalar(ARE_CHUNKS, [corpus_id])
    }

    /// The origin of a chunk; `None` for a whole document.
    pub fn chunk(&self, document: DocumentId) -> Result<Option<Chunk>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Chunk {
                parent_id: row.get("id")?,
                parent: row.get("key")?,
                title: row.get("title")?,
                position: row.get("position")?,
                chunks: row.get("chunks")?,
            })
        };
        Ok(self.rows(PARENT_OF, [document], read)?.pop())
    }

    /// The key of a chunk's parent and the chunk's position in it, by the chunk's key; `None` for a whole
    /// document.
    pub fn position_of_chunk(
        &self,
        corpus_id: CorpusId,
        key: &str,
    ) -> Result<Option<(String, u64)>> {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.rows(POSITION_OF_KEY, (corpus_id, key), read)?.pop())
    }

    /// The origins of those of `documents` that are chunks, by document id.
    pub fn chunks_among<'a>(
        &self,
        documents: impl IntoIterator<Item = &'a Document>,
    ) -> Result<HashMap<DocumentId, Chunk>> {
        let mut found = HashMap::new();
        for document in documents {
            if let Some(chunk) = self.chunk(document.id)? {
                found.insert(document.id, chunk);
            }
        }
        Ok(found)
    }

    /// The first `limit` chunks of a parent, in order.
    pub fn chunks_of(&self, parent: i64, limit: usize) -> Result<Vec<Document>> {
        self.rows(CHUNKS, (parent, i64::try_from(limit).unwrap_or(i64::MAX)), document::read)
    }

    /// The topics of a parent in a run, largest first: the mean of its chunks' proportions, weighted by tokens.
    /// Empty if the run has no document topics.
    pub fn topics_of_parent(&self, run: RunId, parent: i64) -> Result<Vec<(TopicNumber, f64)>> {
        self.rows(TOPICS, (run, parent), |row| Ok((row.get(0)?, row.get(1)?)))
    }
}
