-- How far topics of two runs of a corpus are apart: the Jensen-Shannon divergence of their words'
-- probabilities in bits, from 0 to 1. What a topic's saved words lack of 1 counts as words that no
-- other topic has. SQLite's own functions only, so that every program that opens a store has it;
-- jsd() of src/store/functions.rs is the same. By
--   JSD = 1 + (sum over shared words of p log2(p / (p + q)) + q log2(q / (p + q))) / 2
-- only words that both topics have are looked at, and a topic's distances from all of another run
-- are added up at once: a group for each pair of topics would have to sort all words of all pairs.
CREATE INDEX topic_term_of_term ON topic_term (run_id, term_id, topic, probability);

CREATE VIEW topic_alignment (run_a, topic_a, run_b, topic_b, distance) AS
SELECT a.run_id, a.topic, b.id, json_extract(pair.value, '$[0]'), json_extract(pair.value, '$[1]')
FROM topic AS a
JOIN run ON run.id = a.run_id
JOIN run AS b ON b.corpus_id = run.corpus_id
JOIN json_each((
    SELECT json_group_array(json_array(topic, min(max(1 + part / 2, 0), 1)))
    FROM (SELECT topic, sum(part) AS part FROM (
              SELECT q.topic AS topic,
                     sum(p.probability * log2(p.probability / (p.probability + q.probability))
                         + q.probability * log2(q.probability / (p.probability + q.probability)))
                     AS part
              FROM topic_term AS p CROSS JOIN topic_term AS q
              WHERE p.run_id = a.run_id AND p.topic = a.topic
                AND q.run_id = b.id AND q.term_id = p.term_id
              GROUP BY q.topic
              -- Topics that share no word have a distance too.
              UNION ALL SELECT topic, 0 FROM topic WHERE run_id = b.id)
          GROUP BY topic)
)) AS pair;
