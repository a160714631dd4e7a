-- The rows that were copied into document_proportions after 021_document_proportions.sql.
DROP VIEW document_top_topic;
DROP TABLE document_topic;

-- The proportions of all topics of all documents, a row each: of a group of documents, avg(proportion) is the
-- topic's share.
CREATE VIEW document_topic (run_id, document_id, topic, proportion) AS
SELECT about.run_id, about.document_id, entry.key,
    CASE typeof(entry.value) WHEN 'integer' THEN entry.value / 1e7 ELSE entry.value END
FROM document_proportions AS about, json_each(
    CASE WHEN about.proportions < '{' THEN about.proportions ELSE (
        SELECT json_group_array(coalesce(
            json_extract(about.proportions, '$."' || topic || '"'),
            json_extract(about.proportions, '$.rest') * alpha, 0.0))
        FROM (SELECT topic, alpha FROM topic WHERE run_id = about.run_id ORDER BY topic)
    ) END) AS entry;

-- The document's largest topic; of equal ones the first: with max, SQLite takes the bare column from the row of
-- the largest.
CREATE VIEW document_top_topic (run_id, document_id, topic, proportion) AS
SELECT run_id, document_id, topic, max(proportion) FROM document_topic GROUP BY run_id, document_id;

-- What a field of a corpus's documents is, where somebody has said so: category, number, date or text. What
-- others are is told from their values.
CREATE TABLE field_kind (
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    field     TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, field)
) STRICT, WITHOUT ROWID;

-- The share of each topic in the documents that have a value of a field: the mean of its proportions. The shares
-- of a value sum to 1. Ask for one run and one field.
CREATE VIEW topic_by_field (run_id, field, value, topic, documents, share) AS
SELECT about.run_id, entry.key, entry.value, about.topic, count(*), avg(about.proportion)
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN json_each(document.fields) AS entry
WHERE entry.value IS NOT NULL AND entry.value <> ''
GROUP BY about.run_id, entry.key, entry.value, about.topic;

-- The same by year, of fields that begin with one in four digits, as 1999, 1999-05-03 and 19990503 do.
CREATE VIEW topic_by_time (run_id, field, year, topic, documents, share) AS
SELECT about.run_id, entry.key, CAST(substr(entry.value, 1, 4) AS INTEGER), about.topic, count(*),
    avg(about.proportion)
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN json_each(document.fields) AS entry
WHERE entry.value GLOB '[0-9][0-9][0-9][0-9]' OR entry.value GLOB '[0-9][0-9][0-9][0-9][-/]*'
    OR entry.value GLOB '[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]'
GROUP BY about.run_id, entry.key, CAST(substr(entry.value, 1, 4) AS INTEGER), about.topic;
