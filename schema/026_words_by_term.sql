-- Version 26: the words of a topic stand in the order of their terms, so that a term is found in a topic and
-- saving fills pages one after the other. The index of a run's terms took half of the time and space of saving
-- topics that have every word. The first hundred words of a topic are found by rank: ask for rank <= 100 too.
DROP VIEW topic_word;
DROP VIEW topic_alignment;
DROP INDEX topic_term_of_term;
ALTER TABLE topic_term RENAME TO topic_term_by_rank;

CREATE TABLE topic_term (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    rank        INTEGER NOT NULL,
    term_id     INTEGER NOT NULL,
    probability REAL    NOT NULL,
    PRIMARY KEY (run_id, topic, term_id)
) STRICT, WITHOUT ROWID;

-- A damaged store may have a term twice: which is left, its hash tells apart.
INSERT OR IGNORE INTO topic_term (run_id, topic, rank, term_id, probability)
SELECT run_id, topic, rank, term_id, probability FROM topic_term_by_rank ORDER BY run_id, topic, term_id;
DROP TABLE topic_term_by_rank;

CREATE INDEX topic_term_first ON topic_term (run_id, topic, rank) WHERE rank <= 100;

CREATE VIEW topic_word (run_id, topic, rank, word, probability) AS
SELECT topic_term.run_id, topic_term.topic, topic_term.rank, coalesce(term.form, term.text), topic_term.probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;

-- As before (version 11), a topic of the other run after the other.
CREATE VIEW topic_alignment (run_a, topic_a, run_b, topic_b, distance) AS
SELECT a.run_id, a.topic, other.run_id, other.topic, min(max(1 + coalesce((
    SELECT sum(p.probability * log2(p.probability / (p.probability + q.probability))
               + q.probability * log2(q.probability / (p.probability + q.probability)))
    FROM topic_term AS p CROSS JOIN topic_term AS q
    WHERE p.run_id = a.run_id AND p.topic = a.topic
      AND q.run_id = other.run_id AND q.topic = other.topic AND q.term_id = p.term_id
), 0) / 2, 0), 1)
FROM topic AS a
JOIN run ON run.id = a.run_id
JOIN run AS b ON b.corpus_id = run.corpus_id
JOIN topic AS other ON other.run_id = b.id;
