-- What documents are about, whole: the proportions of all topics of a document, which sum to 1.
--
-- Mostly an array of K whole numbers, ten-millionths, that sum to exactly 10,000,000. With a hundred topics and
-- more it can be an object, where that is shorter: {"3":0.61,"17":0.29,"rest":0.004} names proportions; a topic
-- that is not named has "rest" times its alpha (table topic), within a millionth of its own.
--
-- Versions before 0.2 saved only the proportions from 0.01 up. Those are named here to the last bit; what they
-- lack of 1 is shared out by alpha among the topics that had no row, and the run says so (run.approximate). A
-- document none of whose topics had so much has no row.
--
-- No foreign key to documents: SQLite would scan all rows for every document that is deleted.
CREATE TABLE document_proportions (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    proportions TEXT    NOT NULL,
    PRIMARY KEY (run_id, document_id)
) STRICT, WITHOUT ROWID;

-- A topic's documents, the most about it first: those of which it has a tenth or more.
CREATE TABLE topic_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    proportion  REAL    NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (run_id, topic, proportion DESC, document_id)
) STRICT, WITHOUT ROWID;

-- Documents of the corpus that a run could not use, and why: 'no term' of its vocabulary, or 'too short', fewer
-- of its terms than the run asks for. Documents that are not in the sample of a run on a sample have no row.
CREATE TABLE left_out_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    tokens      INTEGER NOT NULL,
    PRIMARY KEY (run_id, document_id)
) STRICT, WITHOUT ROWID;

-- 1: the small proportions of documents are those that 021 shared out.
ALTER TABLE run ADD COLUMN approximate INTEGER NOT NULL DEFAULT 0;
-- Identifies the result as it is saved: result_hash is over proportions before they are rounded. NULL for runs
-- of earlier versions, which have all that result_hash is over.
ALTER TABLE run ADD COLUMN saved_hash BLOB;
UPDATE run SET approximate = 1 WHERE EXISTS (SELECT 1 FROM document_topic WHERE run_id = run.id);
INSERT INTO topic_document (run_id, topic, proportion, document_id)
SELECT run_id, topic, proportion, document_id FROM document_topic WHERE proportion >= 0.1;
