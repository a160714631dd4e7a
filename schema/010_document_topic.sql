-- What documents are about: the topics that have a hundredth of a document or more. No foreign key
-- to documents: SQLite would scan all rows for every document that is deleted.
CREATE TABLE document_topic (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    topic       INTEGER NOT NULL,
    proportion  REAL    NOT NULL,
    PRIMARY KEY (run_id, document_id, topic)
) STRICT, WITHOUT ROWID;
-- A topic's documents, the most about it first.
CREATE INDEX document_topic_of_topic ON document_topic (run_id, topic, proportion DESC);

-- The document's largest topic; of equal ones the first.
CREATE VIEW document_top_topic (run_id, document_id, topic, proportion) AS
SELECT run_id, document_id, min(topic), proportion FROM document_topic AS one
WHERE proportion = (SELECT max(proportion) FROM document_topic AS other
                    WHERE other.run_id = one.run_id AND other.document_id = one.document_id)
GROUP BY run_id, document_id, proportion;

-- The parameter of the Dirichlet distribution that documents' proportions are drawn from; NULL for
-- runs that looked at no documents.
ALTER TABLE topic ADD COLUMN alpha REAL;
