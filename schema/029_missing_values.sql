-- What the sources of a corpus write in a field that has no value, beside nothing: a JSON array of texts. These are
-- what R, pandas, spreadsheets, databases and JavaScript write; "None", "na" and "-" may be words, and are values.
ALTER TABLE corpus ADD COLUMN missing TEXT NOT NULL
    DEFAULT '["NA","N/A","#N/A","<NA>","NaN","nan","null","NULL"]' CHECK (json_valid(missing));

-- As before (version 22), without the documents whose value is missing.
DROP VIEW topic_by_time;
DROP VIEW topic_by_field;
CREATE VIEW topic_by_field AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field, entry.value AS value, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN corpus ON corpus.id = document.corpus_id, json_each(document.fields) AS entry
WHERE entry.value IS NOT NULL AND trim(CAST(entry.value AS TEXT), ' "') <> ''
    AND trim(CAST(entry.value AS TEXT), ' "') NOT IN (
        SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)
GROUP BY about.run_id, entry.key, entry.value, about.topic;

-- The same by year, of fields that begin with one in four digits, as 1999, 1999-05-03 and 19990503 do. Quotes around
-- a text are those of JSON, where a program keeps them.
CREATE VIEW topic_by_time AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field,
    CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT) AS year, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN corpus ON corpus.id = document.corpus_id, json_each(document.fields) AS entry
WHERE (trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9]'
        OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][-/]*'
        OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]')
    AND trim(CAST(entry.value AS TEXT), '"') NOT IN (
        SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)
GROUP BY about.run_id, entry.key, CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT), about.topic;
