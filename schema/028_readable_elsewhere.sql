-- Identifies what a result was made with: model, number of topics, seed, settings and vocabulary.
ALTER TABLE run ADD COLUMN request_hash BLOB;

-- Views as other programs read them: every column named by AS and of a declared type, and nothing that only SQLite
-- or only topoi understands, where there is another way to say it. DuckDB reads the text of a view as its own SQL,
-- in which REAL and INTEGER have four bytes: hence DOUBLE and BIGINT.
DROP VIEW run_summary;
CREATE VIEW run_summary AS
SELECT run.id AS run_id, corpus.name AS corpus, run.model AS model, run.k AS k, run.seed AS seed, run.status AS status,
    run.created_at AS created_at, run.seconds AS seconds, vocabulary.terms AS terms,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'npmi') AS DOUBLE) AS npmi,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'umass') AS DOUBLE) AS umass,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'relative_approximation')
        AS DOUBLE) AS relative_approximation
FROM run
JOIN corpus ON corpus.id = run.corpus_id
LEFT JOIN vocabulary ON vocabulary.id = run.vocabulary_id;

DROP VIEW triple;
CREATE VIEW triple AS
SELECT document_counts.document_id AS document_id, CAST(pair.key AS BIGINT) AS term_id, CAST(pair.value AS BIGINT) AS count
FROM document_counts, json_each(document_counts.counts) AS pair;

-- The value is text or a number, as its source has it.
DROP VIEW document_field;
CREATE VIEW document_field AS
SELECT document.id AS document_id, CAST(pair.key AS TEXT) AS name, pair.value AS value
FROM document, json_each(document.fields) AS pair WHERE document.fields IS NOT NULL;

DROP VIEW emptied_document;
CREATE VIEW emptied_document AS
SELECT vocabulary.id AS vocabulary_id, document.id AS document_id FROM vocabulary
JOIN document ON document.corpus_id = vocabulary.corpus_id
JOIN document_counts ON document_counts.document_id = document.id
WHERE NOT EXISTS (
    SELECT 1 FROM json_each(document_counts.counts) AS pair
    WHERE CAST(pair.key AS BIGINT) IN (
        SELECT term_id FROM vocabulary_term WHERE vocabulary_id = vocabulary.id));

DROP VIEW topic_by_time;
DROP VIEW topic_by_field;
DROP VIEW document_top_topic;
DROP VIEW parent_topic;
DROP VIEW document_topic;
CREATE VIEW document_topic AS
SELECT about.run_id AS run_id, about.document_id AS document_id, CAST(entry.key AS BIGINT) AS topic,
    CAST(CASE WHEN about.proportions < '{' THEN CAST(entry.value AS DOUBLE) / 1e7 ELSE CAST(entry.value AS DOUBLE) END
        AS DOUBLE) AS proportion
FROM document_proportions AS about, json_each(
    CASE WHEN about.proportions < '{' THEN about.proportions ELSE (
        SELECT json_group_array(coalesce(
            CAST(json_extract(about.proportions, '$."' || topic || '"') AS DOUBLE),
            CAST(json_extract(about.proportions, '$.rest') AS DOUBLE) * alpha, 0.0))
        FROM (SELECT topic, alpha FROM topic WHERE run_id = about.run_id ORDER BY topic)
    ) END) AS entry;

CREATE VIEW parent_topic AS
SELECT document_topic.run_id AS run_id, chunk.parent_id AS parent_id, document_topic.topic AS topic,
    CAST(sum(document_topic.proportion * document.tokens)
        / sum(sum(document_topic.proportion * document.tokens))
            OVER (PARTITION BY document_topic.run_id, chunk.parent_id) AS DOUBLE) AS proportion
FROM document_topic
JOIN chunk ON chunk.document_id = document_topic.document_id
JOIN document ON document.id = chunk.document_id
GROUP BY document_topic.run_id, chunk.parent_id, document_topic.topic;

-- The topic of the largest proportion, of equal ones the first: SQLite alone knows from which row a maximum is.
CREATE VIEW document_top_topic AS
SELECT run_id AS run_id, document_id AS document_id,
    CAST(16777215 - max(CAST(proportion * 1e10 AS BIGINT) * 16777216 + 16777215 - topic) % 16777216 AS BIGINT) AS topic,
    CAST(max(proportion) AS DOUBLE) AS proportion
FROM document_topic GROUP BY run_id, document_id;

CREATE VIEW topic_by_field AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field, entry.value AS value, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id, json_each(document.fields) AS entry
WHERE entry.value IS NOT NULL AND CAST(entry.value AS TEXT) <> ''
GROUP BY about.run_id, entry.key, entry.value, about.topic;

-- Quotes around a text are those of JSON, where a program keeps them.
CREATE VIEW topic_by_time AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field,
    CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT) AS year, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id, json_each(document.fields) AS entry
WHERE trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9]'
    OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][-/]*'
    OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]'
GROUP BY about.run_id, entry.key, CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT), about.topic;

DROP VIEW topic_word;
CREATE VIEW topic_word AS
SELECT topic_term.run_id AS run_id, topic_term.topic AS topic, topic_term.rank AS rank,
    CAST(coalesce(term.form, term.text) AS TEXT) AS word, topic_term.probability AS probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;

-- In bits, by natural logarithms: those are older in SQLite than log2.
DROP VIEW topic_alignment;
CREATE VIEW topic_alignment AS
SELECT pair.run_a AS run_a, pair.topic_a AS topic_a, pair.run_b AS run_b, pair.topic_b AS topic_b,
    CAST(CASE WHEN distance < 0 THEN 0.0 WHEN distance > 1 THEN 1.0 ELSE distance END AS DOUBLE) AS distance
FROM (SELECT a.run_id AS run_a, a.topic AS topic_a, other.run_id AS run_b, other.topic AS topic_b, 1 + coalesce((
    SELECT sum(p.probability * ln(p.probability / (p.probability + q.probability))
               + q.probability * ln(q.probability / (p.probability + q.probability)))
    FROM topic_term AS p CROSS JOIN topic_term AS q
    WHERE p.run_id = a.run_id AND p.topic = a.topic
      AND q.run_id = other.run_id AND q.topic = other.topic AND q.term_id = p.term_id
), 0) / 2 / ln(2) AS distance
FROM topic AS a
JOIN run ON run.id = a.run_id
JOIN run AS b ON b.corpus_id = run.corpus_id
JOIN topic AS other ON other.run_id = b.id) AS pair;
