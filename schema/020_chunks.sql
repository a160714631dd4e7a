-- Version 20: long documents are cut into chunks. A chunk is a document; what was cut is its parent.

-- fields: as in `document`. content_hash: of the whole; x'' once a chunk of it was deleted, so that the
-- next ingest of it brings the chunk back. ingest_id: the ingest that wrote it last.
CREATE TABLE parent_document (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    title        TEXT,
    fields       TEXT,
    content_hash BLOB    NOT NULL,
    ingest_id    INTEGER NOT NULL,
    UNIQUE (corpus_id, key)
) STRICT;

-- position: 1, 2, 3 ... within the parent.
CREATE TABLE chunk (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    parent_id   INTEGER NOT NULL REFERENCES parent_document (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL CHECK (position > 0)
) STRICT;
CREATE INDEX chunk_of_parent ON chunk (parent_id, position);

-- The topics of a parent: the mean of those of its chunks, weighted by their tokens. Proportions sum
-- to one over the topics that `document_topic` has of it.
CREATE VIEW parent_topic (run_id, parent_id, topic, proportion) AS
SELECT document_topic.run_id, chunk.parent_id, document_topic.topic,
       sum(document_topic.proportion * document.tokens)
       / sum(sum(document_topic.proportion * document.tokens))
         OVER (PARTITION BY document_topic.run_id, chunk.parent_id)
FROM document_topic
JOIN chunk ON chunk.document_id = document_topic.document_id
JOIN document ON document.id = chunk.document_id
GROUP BY document_topic.run_id, chunk.parent_id, document_topic.topic;
